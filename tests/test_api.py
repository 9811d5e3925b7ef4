"""The public names: what a notebook's author and a learner call, and what they read when it goes wrong."""

from __future__ import annotations

import dataclasses
import io
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import quiz_widgets
from quiz_widgets import Quiz, api, compiled, list_quizzes, load_quiz
from quiz_widgets.api import items
from quiz_widgets.api import quiz as shown
from quiz_widgets.problems import ContentError

SUMS = Path(__file__).parent / "hosts" / "sums" / "quiz.yaml"


class Shell:
    """IPython's shell as far as `show` needs it; keeps what happened, in order."""

    def __init__(self) -> None:
        self.happened: list[tuple[str, Any]] = []
        self.display_pub = self
        self.kernel = object()

    def publish(self, data: dict[str, str], metadata: dict[str, Any]) -> None:
        assert metadata == {}
        self.happened.append(("output", data))


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("QUIZ_WIDGETS_HOME", str(tmp_path / "kept"))
    return tmp_path / "kept"


@pytest.fixture
def shell(monkeypatch: pytest.MonkeyPatch) -> Shell:
    made = Shell()
    monkeypatch.setattr(shown, "_shell", lambda: made)
    monkeypatch.setattr("quiz_widgets.links.practice.open_link", lambda quiz, _: made.happened.append(("link", quiz)))
    return made


def test_the_public_names_are_these_and_no_others() -> None:
    assert dir(quiz_widgets) == ["Item", "Option", "Quiz", "edit_quiz", "list_quizzes", "load_quiz"]
    with pytest.raises(AttributeError, match="nothing_such"):
        _ = quiz_widgets.nothing_such


def test_every_quiz_of_the_course_loads() -> None:
    assert list_quizzes() == list(compiled.names())
    for name in list_quizzes():
        assert load_quiz(name).id == name


def test_a_quiz_tells_what_it_holds() -> None:
    quiz = load_quiz(SUMS)
    assert (quiz.id, quiz.title, quiz.level) == ("sums", "Sums", "easy")
    first, even, half = quiz.items
    assert (first.id, first.kind, first.stem.strip()) == ("two-and-two", "single", "What is two and two?")
    assert [(option.id, option.correct) for option in first.options] == [
        ("three", False),
        ("four", True),
        ("five", False),
    ]
    assert first.options[0].text == "Three"
    assert first.options[0].rationale == "One too few."
    assert first.options[0].claim is None
    assert (first.explanation, first.evidence) == ("Count two, then two more.", None)
    assert first.source == "Any primer of arithmetic."
    assert (even.kind, half.kind, half.options) == ("multiple", "number", ())
    assert "sums" in repr(quiz)


def test_a_path_may_be_a_text_a_folder_or_a_file() -> None:
    assert load_quiz(str(SUMS)).id == load_quiz(SUMS.parent).id == load_quiz(f"{SUMS.parent}/").id == "sums"


def test_claims_read_as_they_are_written() -> None:
    from quiz_widgets.model import Claim

    claims = [Claim("bytes", "equals", 12), Claim("share", "at_least", 0.9), Claim("near", "equals", 2.0, 0.1)]
    assert items._claim(claims) == {"bytes": 12, "share": {"at_least": 0.9}, "near": {"equals": 2.0, "within": 0.1}}
    assert items._claim([]) is None


# Showing


def test_the_output_comes_first_and_the_link_second(shell: Shell) -> None:
    load_quiz(SUMS).show("half")
    assert [what for what, _ in shell.happened] == ["output", "link"]
    data = shell.happened[0][1]
    assert sorted(data) == ["text/html", "text/plain"]
    assert "What is one half" in data["text/plain"]
    assert "two and two" not in data["text/plain"]
    assert "<script" in data["text/html"]


def test_a_quiz_as_the_last_line_shows_its_main_set(shell: Shell) -> None:
    load_quiz(SUMS)._ipython_display_()
    assert "two and two" in shell.happened[0][1]["text/plain"]


def test_the_output_carries_the_attempt_and_what_is_on_record(shell: Shell) -> None:
    quiz = load_quiz(SUMS)
    attempt = quiz.attempt.id
    quiz._recorder.record([submit(attempt)])
    load_quiz(SUMS).show()
    assert attempt in shell.happened[0][1]["text/html"]
    assert f"{attempt}/two-and-two/1" in shell.happened[0][1]["text/html"]


def test_without_a_kernel_there_is_no_link(shell: Shell) -> None:
    terminal = shell
    del terminal.kernel
    load_quiz(SUMS).show()
    assert [what for what, _ in terminal.happened] == ["output"]


def test_without_anywidget_the_quiz_is_shown_all_the_same(shell: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "quiz_widgets.links.practice", None)
    load_quiz(SUMS).show()
    assert [what for what, _ in shell.happened] == ["output"]


def test_outside_ipython_the_questions_are_printed(capsys: pytest.CaptureFixture[str]) -> None:
    load_quiz(SUMS).show()
    printed = capsys.readouterr().out
    assert "What is two and two?" in printed
    assert "One too few" not in printed


def test_an_unwritable_folder_is_said_and_the_quiz_works(
    shell: Shell, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "file").write_text("no folder")
    monkeypatch.setenv("QUIZ_WIDGETS_HOME", str(tmp_path / "file"))
    quiz = load_quiz(SUMS)
    quiz.show()
    assert [what for what, _ in shell.happened] == ["output"]
    html = shell.happened[0][1]["text/html"]
    assert "<script" in html
    assert str(tmp_path / "file") in html
    assert "answers are not kept there" in html
    # An attempt of this kernel would be another one after the next restart: the page keeps its own.
    assert quiz.attempt.id not in html
    assert "not kept" in str(quiz.progress())


@pytest.mark.parametrize(
    ("locale", "direction", "sentence"),
    [
        ("en", "ltr", "{home}: {reason}; answers are not kept there"),
        ("tr", "ltr", "{home}: {reason}; yanıtlar orada saklanmıyor"),
        ("ar", "rtl", "\u2066{home}\u2069: \u2066{reason}\u2069؛ لا تُحفظ الإجابات هناك"),
    ],
)
def test_an_unwritable_folder_is_said_in_the_quiz_s_language(
    shell: Shell, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, locale: str, direction: str, sentence: str
) -> None:
    (tmp_path / "file").write_text("no folder")
    monkeypatch.setenv("QUIZ_WIDGETS_HOME", str(tmp_path / "file"))
    load_quiz(SUMS, locale).show()
    note = f'<div role="note" lang="{locale}" dir="{direction}">'
    [(_, output)] = shell.happened
    assert note + sentence.format(home=tmp_path / "file", reason="Not a directory") in output["text/html"]


def test_to_html_writes_a_whole_page(tmp_path: Path) -> None:
    written = load_quiz(SUMS).to_html(tmp_path / "sums.html")
    assert written.read_text(encoding="utf-8").lower().startswith("<!doctype html>")


def test_to_module_writes_a_module_that_carries_the_quiz(tmp_path: Path) -> None:
    written = load_quiz(SUMS).to_module(tmp_path / "sums.mjs")
    first = written.read_text(encoding="utf-8").split("\n", 1)[0]
    carried = json.loads(first.removeprefix("import.meta.quiz=").removesuffix(";"))
    assert [item["id"] for item in carried["quiz"]["items"]] == ["two-and-two", "even", "half"]
    assert carried["practice"]["items"]["two-and-two"]["key"] == ["four"]


def test_the_widget_holds_the_items_asked_for() -> None:
    shown = load_quiz(SUMS).widget("half")
    assert shown.view == {"items": ["half"]}
    shown.close()


def submit(attempt: str, response: str = "four") -> Any:
    return {
        "id": f"{attempt}/two-and-two/1",
        "attempt": attempt,
        "kind": "submit",
        "item": "two-and-two",
        "round": 0,
        "response": [response],
        "at": 1,
    }


def test_progress_counts_the_main_set() -> None:
    quiz = load_quiz(SUMS)
    assert (quiz.progress().answered, quiz.progress().total) == (0, 3)
    shown = submit(quiz.attempt.id) | {
        "id": f"{quiz.attempt}/half/reveal",
        "kind": "reveal",
        "item": "half",
        "response": [],
    }
    quiz._recorder.record([submit(quiz.attempt.id), shown])
    progress = load_quiz(SUMS).progress()
    assert progress.items["half"].revealed
    assert (progress.answered, progress.correct, progress.first_try) == (1, 1, 1)
    assert (progress.score, progress.max_score) == (1.0, 3.0)
    assert progress.items["two-and-two"].response == ("four",)
    assert str(progress) == "1 of 3 answered, 1 right (1 at the first try), 1 of 3 points"


# Errors


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("mixed-precison", "there is no quiz 'mixed-precison'. Did you mean 'mixed-precision'?"),
        ("zzz", "The course has: mixed-precision, optimizer-offload."),
        ("CS101/week 3", "is no name of a quiz"),
    ],
)
def test_an_unknown_quiz_is_named_with_its_neighbours(name: str, expected: str) -> None:
    with pytest.raises(api.QuizError) as error:
        load_quiz(name)
    assert expected in str(error.value)
    assert error.value._render_traceback_() == [str(error.value)]


@pytest.mark.parametrize(
    ("environment", "locale"),
    [
        ({}, "en"),
        ({"LANG": "tr_TR.UTF-8"}, "tr"),
        ({"LANG": "tr_TR.UTF-8", "LC_ALL": "ar_EG"}, "ar"),
        ({"LC_ALL": "C.UTF-8", "LANG": "tr_TR.UTF-8"}, "en"),
        ({"LANG": "fr_FR.UTF-8"}, "en"),
        ({"LC_MESSAGES": "ar"}, "ar"),
        ({"QUIZ_WIDGETS_LOCALE": "tr", "LANG": "ar_EG.UTF-8"}, "tr"),
        ({"QUIZ_WIDGETS_LOCALE": "", "LANG": "ar_EG.UTF-8"}, "ar"),
    ],
)
def test_the_language_is_the_one_asked_for_else_the_system_s(
    environment: dict[str, str], locale: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("QUIZ_WIDGETS_LOCALE", "LC_ALL", "LC_MESSAGES", "LANG"):
        monkeypatch.delenv(name, raising=False)
    for name, value in environment.items():
        monkeypatch.setenv(name, value)

    assert repr(load_quiz(SUMS)).endswith(f" {locale}>")
    assert repr(load_quiz(SUMS, locale="en")).endswith(" en>")


def test_a_wrong_locale_in_the_environment_is_named_with_its_place(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("QUIZ_WIDGETS_LOCALE", "trr")

    with pytest.raises(api.QuizError, match=r"locale \(from QUIZ_WIDGETS_LOCALE\) 'trr'. Did you mean 'tr'"):
        load_quiz(SUMS)


def test_an_unknown_item_set_or_locale_is_named_with_its_neighbours() -> None:
    quiz = load_quiz(SUMS)
    with pytest.raises(api.QuizError, match=r"no item 'halve'. Did you mean 'half'\? Quiz 'sums' has: two-and-two"):
        quiz.show("halve")
    with pytest.raises(api.QuizError, match="no set 'numbers'"):
        quiz.show(set="numbers")
    with pytest.raises(api.QuizError, match="no locale 'xx'"):
        load_quiz(SUMS, locale="xx")


def test_ids_and_a_set_at_once_are_refused() -> None:
    quiz = load_quiz(SUMS)._quiz
    apart = Quiz(
        dataclasses.replace(quiz, items=(*quiz.items, dataclasses.replace(quiz.items[2], id="x", set="numbers"))), "en"
    )
    assert apart._view((), "numbers") == {"set": "numbers"}
    with pytest.raises(api.QuizError, match="not both"):
        apart.show("half", set="numbers")


def test_a_file_that_cannot_be_read_is_a_problem_without_frames(tmp_path: Path) -> None:
    with pytest.raises(ContentError) as error:
        load_quiz(tmp_path / "none" / "quiz.yaml")
    assert str(tmp_path / "none" / "quiz.yaml") in str(error.value)
    assert not any("Traceback" in line or ".py" in line for line in error.value._render_traceback_())


def test_a_broken_quiz_shows_every_problem(tmp_path: Path) -> None:
    broken = tmp_path / "sums" / "quiz.yaml"
    broken.parent.mkdir()
    broken.write_text(SUMS.read_text().replace("level: easy", "level: simple").replace("id: even", "id: Even!"))
    with pytest.raises(ContentError) as error:
        load_quiz(broken)
    lines = error.value._render_traceback_()
    assert len(error.value.problems) == 2
    assert any("quiz.yaml:3:" in line for line in lines)
    assert not any("Traceback" in line for line in lines)


# Weight

HEAVY = ["yaml", "markdown_it", "mdit_py_plugins", "nh3", "latex2mathml", "pygments", "numpy", "matplotlib", "torch"]


@pytest.mark.parametrize(
    ("code", "absent"),
    [
        ("import quiz_widgets", [*HEAVY, "anywidget", "ipywidgets", "IPython", "quiz_widgets.api"]),
        (
            "from quiz_widgets import load_quiz; load_quiz('mixed-precision').show()",
            [*HEAVY, "anywidget", "ipywidgets"],
        ),
    ],
)
def test_showing_a_compiled_quiz_loads_nothing_heavy(code: str, absent: list[str], home: Path) -> None:
    check = f"{code}\nimport sys\nprint([name for name in {absent!r} if name in sys.modules])"
    done = subprocess.run([sys.executable, "-c", check], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines()[-1] == "[]"


@pytest.mark.parametrize(
    "call",
    [
        lambda quiz: quiz.show(5),
        lambda quiz: quiz.show(None),
        lambda quiz: quiz.show(["master-weights"]),
        lambda quiz: quiz.widget({"a": 1}),
        lambda quiz: quiz.show(set=5),
        lambda quiz: quiz.show(set=[]),
        lambda quiz: quiz.to_html(None),
        lambda quiz: quiz.to_html(""),
        lambda quiz: quiz.to_html("no/such.html"),
        lambda quiz: quiz.to_html("~nobody-of-that-name/x.html"),
        lambda quiz: quiz.to_html("x\0"),
        lambda quiz: quiz.to_html("\ud800"),
        lambda quiz: quiz.to_module("no/such.mjs"),
        lambda _: load_quiz("mixed-precision", locale=5),  # type: ignore[arg-type]
        lambda _: load_quiz(None),  # type: ignore[arg-type]
        lambda _: load_quiz("~nobody-of-that-name/quiz.yaml"),
        lambda _: load_quiz("x\0.yaml"),
        lambda _: load_quiz("\ud800.yaml"),
        lambda _: load_quiz("x" * 5000 + ".yaml"),
    ],
)
def test_what_means_nothing_is_told_in_a_sentence(call: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("QUIZ_WIDGETS_HOME", str(tmp_path))
    monkeypatch.chdir(tmp_path)
    with pytest.raises(api.QuizError):
        call(load_quiz("mixed-precision"))


def test_a_terminal_without_the_letters_gets_escapes(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("QUIZ_WIDGETS_HOME", str(tmp_path))
    written = io.BytesIO()
    terminal = io.TextIOWrapper(written, encoding="ascii")
    monkeypatch.setattr(sys, "stdout", terminal)
    load_quiz("mixed-precision", locale="ar").show("master-weights")
    terminal.flush()
    assert b"\\u06" in written.getvalue()


# What a browser's Python lacks; `numpy` and the others are never asked for.
WITHOUT = """
import sys
from IPython.core.interactiveshell import InteractiveShell
sys.modules["yaml"] = None
shell = InteractiveShell.instance()
shell.run_line_magic("load_ext", "quiz_widgets")
for code in (f"import quiz_widgets; quiz_widgets.load_quiz({sys.argv[1]!r})", "%%quiz\\ntitle: Sums"):
    shell.run_cell(code)
"""


def test_without_the_reader_of_yaml_a_sentence_says_so(tmp_path: Path) -> None:
    ran = subprocess.run(
        [sys.executable, "-c", WITHOUT, str(SUMS)],
        env={**os.environ, "IPYTHONDIR": str(tmp_path)},
        capture_output=True,
        text=True,
        check=True,
        timeout=120,
    )

    first, second = ran.stdout.splitlines()
    assert first == second
    assert first.startswith("quizzes in YAML are read with the package 'yaml', which this Python does not have.")
