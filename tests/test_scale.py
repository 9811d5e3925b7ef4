"""Large content and the first cell: what is read, parsed, imported, and CPU time as a ratio to what cannot be avoided.

`benchmarks/content.py` prints the figures; here they are held.
"""

from __future__ import annotations

import cProfile
import json
import pstats
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from benchmarks import bank, content
from quiz_widgets import compiled, load_quiz
from quiz_widgets.api import QuizError
from quiz_widgets.lazy import Lazy
from quiz_widgets.problems import ContentError

COUNT = 10_000
FIRST = "from quiz_widgets import load_quiz"
LOAD = f'{FIRST}\nquiz = load_quiz("mixed-precision")'
SHOW = f'{LOAD}\nquiz.html("loss-scaling")'


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A bank of 40 items of all its kinds."""
    folder = tmp_path_factory.mktemp("small")
    bank.write(folder, 40)
    return folder


@pytest.fixture(scope="module")
def text(small: Path) -> str:
    """A compiled quiz of 10,000 items."""
    return content.compiled_bank(small, COUNT)


@pytest.fixture
def course(text: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(compiled, "_course", lambda: tmp_path)
    (tmp_path / "bank-0001.json").write_text(text, encoding="utf-8")
    return tmp_path


@pytest.mark.slow
@pytest.mark.timeout(900)
def test_a_check_takes_at_most_twice_what_parsing_and_making_html_take(small: Path, tmp_path: Path) -> None:
    [path] = bank.write(tmp_path, COUNT)
    cpu, peak = {}, {}
    for work in ("compose", "html", "check"):
        cpu[work], peak[work] = content.cost(work, tmp_path, small)

    assert 4e6 < path.stat().st_size < 6e6
    assert cpu["check"] <= 2 * (cpu["compose"] + cpu["html"]), cpu
    assert peak["check"] < 400, peak  # MB; 230 measured


def test_a_check_of_a_bank_of_faults_grows_with_its_length(tmp_path: Path) -> None:
    from quiz_widgets import authoring

    def calls(count: int) -> int:
        [path] = bank.write(tmp_path / str(count), count)
        faulty = path.read_text(encoding="utf-8").replace("rationale:", "rationel:").replace("$2^", r"$\powr 2^")
        path.write_text(faulty.replace("    kind: ", "    section: nowhere\n    kind: "), encoding="utf-8")
        profile = cProfile.Profile()
        report = profile.runcall(authoring.check, [path])
        assert len(report.errors) > 3 * count
        made: int = pstats.Stats(profile).total_calls  # type: ignore[attr-defined]
        return made

    calls(40)  # what is done once in a process
    few, some, many = calls(100), calls(200), calls(400)

    assert many - some < 1.1 * 2 * (some - few)


def test_one_quiz_of_many_is_read_alone(text: str, tmp_path: Path) -> None:
    head, *lines, end = text.splitlines()
    for number in range(100):
        part = ",\n".join(line.removesuffix(",") for line in lines[100 * number : 100 * (number + 1)])
        quiz = "\n".join([head.replace("bank-0001", f"bank-{number:04}"), part, end, ""])
        (tmp_path / f"bank-{number:04}.json").write_text(quiz, encoding="utf-8")
    code = (
        "import sys; from pathlib import Path; from quiz_widgets import compiled, list_quizzes, load_quiz\n"
        "course = Path(sys.argv[1]); compiled._course = lambda: course\n"
        "opened = []; told = lambda event, given: opened.append(str(given[0])) if event == 'open' else None\n"
        "sys.addaudithook(told)\n"
        "names = list_quizzes(); none = [name for name in opened if str(course) in name]\n"
        "load_quiz('bank-0042').html('item-04207')\n"
        "print(len(names), none, [Path(name).name for name in opened if str(course) in name])"
    )
    ran = subprocess.run([sys.executable, "-c", code, tmp_path], capture_output=True, text=True, check=True)

    assert ran.stdout.strip() == "100 [] ['bank-0042.json']"


def test_of_a_large_quiz_only_what_is_shown_is_parsed(course: Path, text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    parsed: list[int] = []
    loads = json.loads

    def counted(data: str | bytes) -> Any:
        parsed.append(len(data))
        return loads(data)

    monkeypatch.setattr(json, "loads", counted)
    quiz = load_quiz("bank-0001")

    shown = quiz.html("item-05000")
    told = quiz.text("item-09999")

    assert isinstance(quiz._quiz.items, Lazy)
    assert sorted(quiz._quiz.items._made) == [5000, 9999]
    assert sum(parsed) < len(text) / 100
    assert '"place":5001,"of":10000' in shown
    assert quiz._quiz.item("item-09999").stem.rendered("en").plain in told


def test_showing_one_item_of_many_takes_a_small_part_of_reading_all(course: Path, text: str) -> None:
    one = content.smallest(lambda: load_quiz("bank-0001").html("item-05000"))
    everything = content.smallest(lambda: compiled.loads(text), runs=1)

    assert one < everything / 5, (one, everything)


def test_a_compiled_quiz_read_item_by_item_is_the_same(course: Path, small: Path) -> None:
    text = content.compiled_bank(small, 200)
    (course / "bank-0001.json").write_text(text, encoding="utf-8")
    lazily, at_once = compiled.read("bank-0001"), compiled.loads(text)

    assert lazily.items[-1] == at_once.items[-1]
    assert lazily.items[3:5] == tuple(at_once.items[3:5])
    assert lazily.sets == at_once.sets
    assert lazily == at_once
    assert compiled.dump(lazily) == text


def test_damage_of_one_item_is_told_when_it_is_asked_for(course: Path, text: str) -> None:
    damaged = text.replace('{"id":"item-00007","', '{"id":"item-00007","wrong":1,"', 1)
    (course / "bank-0001.json").write_text(damaged, encoding="utf-8")
    quiz = compiled.read("bank-0001")

    assert quiz.item("item-00006").id == "item-00006"
    with pytest.raises(KeyError):
        quiz.item("item-10000")
    with pytest.raises(ContentError, match=r"bank-0001\.json: damaged: quiz\.items\[7\] has an unknown field `wrong`"):
        quiz.item("item-00007")


@pytest.mark.parametrize(
    "change",
    [
        lambda text: json.dumps(json.loads(text)),
        lambda text: json.dumps(json.loads(text), indent=1),
        lambda text: text.replace('{"id":"item-00000",', '{"kind":"single","id":"item-00000",', 1),
    ],
)
def test_a_compiled_quiz_in_another_layout_is_read_whole(
    course: Path, small: Path, change: Callable[[str], str]
) -> None:
    few = content.compiled_bank(small, 40)
    (course / "bank-0001.json").write_text(change(few), encoding="utf-8")

    assert isinstance(compiled.read("bank-0001").items, tuple)
    assert compiled.read("bank-0001") == compiled.loads(few)


def test_the_import_brings_itself_alone_and_a_shown_quiz_no_link() -> None:
    code = (
        "import IPython, ipykernel.kernelapp, sys; before = set(sys.modules)\n"
        f"{FIRST}\nfirst = sorted(set(sys.modules) - before)\n"
        'load_quiz("mixed-precision").html("loss-scaling")\nprint(first, "SPLIT", *sorted(sys.modules))'
    )
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    first, _, after = ran.stdout.partition("SPLIT")
    unwanted = ["anywidget", "ipywidgets", "yaml", "markdown_it", "numpy", "matplotlib", "pygments.lexers._mapping"]
    unwanted += [f"quiz_widgets.{name}" for name in ("links", "attempt", "authoring", "markup", "grading", "demos")]

    assert [name for name in eval(first) if name.startswith("quiz_widgets")] == [
        "quiz_widgets",
        "quiz_widgets.api",
        "quiz_widgets.locales",
    ]
    assert set(unwanted).intersection(after.split()) == set()


@pytest.mark.slow
def test_the_import_and_the_first_quiz_take_a_part_of_what_any_widget_takes() -> None:
    widgets = content.in_kernel("import anywidget")

    assert content.in_kernel(FIRST) < widgets / 5
    assert content.in_kernel(SHOW) < widgets


def test_an_unknown_id_is_told_in_a_sentence_that_can_be_read(course: Path) -> None:
    with pytest.raises(QuizError) as error:
        load_quiz("bank-0001").text("item-05000x")

    assert "Did you mean 'item-05000'" in str(error.value)
    assert str(error.value).endswith("item-00048, item-00049 and 9950 more.")
    assert len(str(error.value)) < 1000


def test_a_translation_of_ids_that_a_large_quiz_lacks_is_told_quickly(tmp_path: Path) -> None:
    from quiz_widgets import authoring

    [path] = bank.write(tmp_path, 600)
    overlay = path.with_name("quiz.tr.yaml")
    right = content.smallest(lambda: authoring.check([path]), runs=2)
    overlay.write_text(overlay.read_text(encoding="utf-8").replace("  item-", "  former-"), encoding="utf-8")
    wrong = content.smallest(lambda: authoring.check([path]), runs=2)

    told = [problem for problem in authoring.check([path]).problems if problem.rule == "overlay-id"]
    assert len(told) == 600 / bank.TRANSLATED
    assert max(len(str(problem)) for problem in told) < 300
    assert wrong < 2 * right, (wrong, right)
