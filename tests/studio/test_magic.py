"""``%%quiz`` in a real IPython shell: what it shows, what it says of mistakes, and that nothing of it is kept."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from IPython.core.interactiveshell import InteractiveShell
from IPython.utils.capture import capture_output

from quiz_widgets import locales
from quiz_widgets.api import QuizError
from quiz_widgets.api.quiz import Quiz

ITEM = """\
id: small
stem: What is $1 + 1$?
options:
  - {id: two, text: Two, correct: true, rationale: Yes.}
  - {id: one, text: One, rationale: No.}
  - {id: ten, text: Ten, rationale: Not in base ten.}
explanation: Count them.
source: A book
"""
LIST = "- " + ITEM.replace("\n", "\n  ").rstrip() + "\n"
WHOLE = "id: sums\ntitle: Sums\nlevel: hard\ndescription: One question.\nitems:\n" + LIST


@dataclass
class Ran:
    """What a cell left: its outputs as bundles, what was printed, and the error that ended it."""

    outputs: list[dict[str, str]]
    printed: str
    error: BaseException | None


@pytest.fixture
def shell(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    monkeypatch.setenv("IPYTHONDIR", str(tmp_path / "ipython"))
    monkeypatch.setenv("QUIZ_WIDGETS_HOME", str(tmp_path / "kept"))
    monkeypatch.chdir(tmp_path)
    InteractiveShell.clear_instance()
    made: Any = InteractiveShell.instance()
    made.run_line_magic("load_ext", "quiz_widgets")
    yield made
    made.history_manager.end_session()
    InteractiveShell.clear_instance()


def run(shell: Any, cell: str, line: str = "") -> Ran:
    with capture_output() as captured:
        result = shell.run_cell(f"%%quiz {line}\n{cell}")
    error = result.error_in_exec or result.error_before_exec
    return Ran([output.data for output in captured.outputs], captured.stdout + captured.stderr, error)


@pytest.mark.parametrize("cell", [ITEM, LIST, WHOLE], ids=["item", "list", "whole"])
def test_a_cell_shows_its_quiz_without_a_word_of_complaint(shell: Any, cell: str) -> None:
    ran = run(shell, cell)

    assert ran.error is None
    [shown] = ran.outputs
    assert "What is 1 + 1?" in shown["text/plain"]
    assert "quiz-widgets-live" in shown["text/html"]


def test_a_title_makes_it_a_quiz_and_without_one_questions_stand_alone(shell: Any) -> None:
    assert '"view":{"items":["small"]}' in run(shell, LIST).outputs[0]["text/html"]
    assert '"view":{}' in run(shell, WHOLE).outputs[0]["text/html"]


def test_no_attempt_is_made_and_none_of_a_real_quiz_is_touched(shell: Any, tmp_path: Path) -> None:
    first, again = (run(shell, WHOLE, "--name quiz").outputs[0]["text/html"] for _ in range(2))
    other = run(shell, WHOLE.replace("Ten", "Eleven")).outputs[0]["text/html"]
    ids = [html.split('"quiz":{')[1].split('"id":"')[1].split('"')[0] for html in (first, again, other)]

    assert ids[0] == ids[1] != ids[2]
    assert all(name.startswith("draft:") for name in ids)
    assert not (tmp_path / "kept").exists()
    quiz = shell.user_ns["quiz"]
    for wanted in (lambda: quiz.attempt, quiz.progress, quiz.widget):
        with pytest.raises(QuizError, match="a quiz of a cell keeps no record"):
            wanted()


def test_a_name_is_bound_to_the_quiz(shell: Any, tmp_path: Path) -> None:
    run(shell, WHOLE, "--name sums")

    quiz = shell.user_ns["sums"]
    assert isinstance(quiz, Quiz)
    assert (quiz.id, quiz.title, quiz.level, quiz.items[0].id) == ("sums", "Sums", "hard", "small")
    assert quiz.to_html(tmp_path / "sums.html").read_text(encoding="utf-8").count('"id":"sums"') == 1
    with capture_output() as captured:
        quiz.show("small")
    assert '"view":{"items":["small"]}' in captured.outputs[0].data["text/html"]


def test_a_cell_may_be_written_in_another_language(shell: Any) -> None:
    arabic = LIST.replace("What is", "كم يساوي").replace("Two", "اثنان")
    [shown] = run(shell, arabic, "--locale ar").outputs

    assert 'lang="ar" dir="rtl"' in shown["text/html"]
    assert "لم تُترجم" not in shown["text/plain"]
    assert f'"title":"{locales.words("ar")["static_page"]}"' in shown["text/html"]
    assert "Practice quiz" not in shown["text/html"]


def test_every_problem_is_listed_with_the_line_of_the_cell(shell: Any) -> None:
    wrong = LIST.replace("correct: true", "correct: yes").replace("stem:", "steem:")

    ran = run(shell, wrong, "--name broken")

    assert ran.error is None
    [shown] = ran.outputs
    lines = shown["text/plain"].splitlines()
    assert lines[0].endswith("problems in this cell:")
    at = lines.index(
        next(line for line in lines if line.startswith("  line 3, column 3: items[0]: unknown field `steem`"))
    )
    assert lines[at + 1 : at + 3] == ["      steem: What is $1 + 1$?", "      ^"]
    assert any(line.startswith("  line 5, column 37: items[0].options[0].correct: `yes`") for line in lines)
    assert "<mark>steem</mark>: What" in shown["text/html"]
    assert "<code>steem</code>" in shown["text/html"]
    assert "broken" not in shell.user_ns


@pytest.mark.parametrize(("above", "line"), [("", 2), ("\n\n", 4)])
def test_empty_lines_above_the_magic_count(shell: Any, above: str, line: int) -> None:
    with capture_output() as captured:
        shell.run_cell(f"{above}%%quiz\nwords", store_history=True)
    assert f"line {line}, column 1: " in captured.outputs[0].data["text/plain"]

    assert "line 2, column 1: " in run(shell, "other").outputs[0]["text/plain"]  # which the history does not hold


def test_paths_of_a_single_question_name_no_list(shell: Any) -> None:
    [shown] = run(shell, ITEM.replace("correct: true", "correct: yes")).outputs

    assert "line 5, column 35: options[0].correct: `yes`" in shown["text/plain"]


def test_what_can_be_answered_is_shown_above_what_could_be_better(shell: Any) -> None:
    quiz, problems = run(shell, ITEM.replace("rationale: No.", "ratonale: No.")).outputs

    assert "quiz-widgets-live" in quiz["text/html"]
    assert "unknown field `ratonale`" in problems["text/plain"]


@pytest.mark.parametrize(
    "cell",
    [
        "# nothing",
        "words",
        "5",
        "[]",
        "{}",
        "a: [",
        "- - -",
        "items: 3",
        "- id: a",
        "&a x",
        "\x00",
        "stem: x: y",
        "'",
        "\ud800",
    ],
)
def test_nonsense_is_a_problem_with_a_line_and_no_traceback(shell: Any, cell: str) -> None:
    ran = run(shell, cell)

    assert ran.error is None
    assert "Traceback" not in ran.printed
    [shown] = ran.outputs
    assert "line " in shown["text/plain"]


def test_markup_in_a_problem_is_text(shell: Any) -> None:
    [shown] = run(shell, "<script>alert(1)</script>: x\nitems: []").outputs

    assert "<script" not in shown["text/html"]


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("--locale xx", "no interface words in xx; known are ar, en, tr"),
        ("--locale", "expected one argument"),
        ("--name 1a", "1a is no name of a variable"),
        ("--nam x", "unrecognized arguments: --nam x"),
        ("extra", "unrecognized arguments: extra"),
        ("--name 'x", "No closing quotation"),
    ],
)
def test_wrong_options_are_told_in_a_sentence(shell: Any, line: str, message: str) -> None:
    ran = run(shell, ITEM, line)

    assert ran.outputs == []
    assert type(ran.error).__name__ == "UsageError"
    assert message in str(ran.error)
    assert "usage: %%quiz [--locale LOCALE] [--name NAME]" in str(ran.error)
    assert "Traceback" not in ran.printed


def test_nothing_in_a_cell_is_executed(shell: Any, tmp_path: Path) -> None:
    run(shell, ITEM.replace("What is", "!!python/object/apply:os.system ['touch made'] {x} {{y}} $HOME"))
    run(shell, "!!python/object/apply:os.system ['touch made']")
    run(shell, "!touch made")

    assert not (tmp_path / "made").exists()


def test_a_problem_in_the_reader_s_language(shell: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("QUIZ_WIDGETS_LOCALE", "tr")

    assert "Bu hücrede 1 sorun" in run(shell, "words").outputs[0]["text/plain"]


def test_the_extension_costs_nothing_until_it_is_loaded() -> None:
    code = "import sys, quiz_widgets; print([n for n in ('yaml', 'quiz_widgets.studio') if n in sys.modules])"

    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)

    assert ran.stdout == "[]\n"
