"""`quiz-widgets import` and `export`: what is written, what is said before, and that nothing that exists is touched."""

from __future__ import annotations

import dataclasses
import json
from pathlib import Path
from typing import Any

import pytest

from quiz_widgets import authoring, cli, compiled
from quiz_widgets.formats import base, registry

CASES = json.loads((Path(__file__).parent / "formats" / "cases" / "reports.json").read_text(encoding="utf-8"))["cases"]
NO_KEY = "no option is right: nobody could answer (mark the key with `correct: true`)"
AIKEN = "Which is a vowel?\nA. b\nB. a\nC. c\nANSWER: B\n\nNo key?\nA. x\nB. y\nANSWER: Q\n"


@pytest.fixture(autouse=True)
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("QUIZ_WIDGETS_LOCALE", "en")
    monkeypatch.chdir(tmp_path)
    Path("vowels.txt").write_text(AIKEN, encoding="utf-8")
    Path("notes.txt").write_text("Buy milk.\n", encoding="utf-8")
    Path("essay.gift").write_text("Why? {}\n", encoding="utf-8")
    return tmp_path


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, list[str], str]:
    try:
        code = cli.main(arguments)
    except SystemExit as stop:  # argparse
        code = int(stop.code or 0)
    printed = capsys.readouterr()
    return code, printed.out.splitlines(), printed.err


def test_a_file_becomes_a_quiz_and_the_rest_is_kept_apart(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = run(capsys, "import", "vowels.txt", "--to", "made")

    assert code == 1
    assert out == [
        "vowels.txt: read as Aiken",
        "vowels.txt:10:1: No key?: the key `Q` is no letter of an option (the options are A, B)",
        f"vowels.txt:7:1: No key?: left out: {NO_KEY}",
        "made/vowels/quiz.yaml: written, 1 item",
        "made/vowels/left-out.txt: 1 item left out, with what they lack",
        "imported: 1 quiz, 1 item, 2 problems",
    ]
    quiz = authoring.load("made/vowels")
    assert [(item.id, item.key) for item in quiz.items] == [("which-is-a-vowel", ("a",))]
    assert "No key?" in Path("made/vowels/left-out.txt").read_text(encoding="utf-8")


def test_nothing_that_exists_is_touched(capsys: pytest.CaptureFixture[str]) -> None:
    Path("made/vowels").mkdir(parents=True)
    Path("made/vowels/quiz.yaml").write_text("mine", encoding="utf-8")
    code, out, _ = run(capsys, "import", "vowels.txt", "--to", "made")

    assert code == 1
    assert any("made/vowels is there already" in line for line in out)
    assert [path.name for path in Path("made/vowels").iterdir()] == ["quiz.yaml"]
    assert Path("made/vowels/quiz.yaml").read_text(encoding="utf-8") == "mine"


def test_a_report_as_data(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = run(capsys, "import", "vowels.txt", "essay.gift", "--to", "made", "--report", "json")
    report = json.loads("\n".join(out))

    assert code == 1
    assert [(file["file"], file["format"]) for file in report["files"]] == [
        ("vowels.txt", "aiken"),
        ("essay.gift", "gift"),
    ]
    assert report["files"][0]["quizzes"] == [{"id": "vowels", "path": "made/vowels", "items": 1, "left_out": 1}]
    assert report["files"][1]["quizzes"] == []
    assert {problem["rule"] for problem in report["files"][1]["problems"]} == {"gift-essay", "empty"}
    assert report["files"][0]["problems"][0]["line"] == 10


def test_a_file_in_a_code_page_is_read_as_it_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    Path("tr.txt").write_bytes("Hangisi ünlüdür?\nA. ş\nB. ı\nANSWER: B\n".encode("windows-1254"))
    code, out, _ = run(capsys, "import", "tr.txt", "--to", "made", "--encoding", "windows-1254", "--from", "aiken")

    assert (code, out[-1]) == (0, "imported: 1 quiz, 1 item, 0 problems")
    assert authoring.load("made/tr").items[0].stem.rendered("en").plain == "Hangisi ünlüdür?"


def test_a_file_that_is_too_large_is_not_read(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(base, "MAX_BYTES", 10)
    code, out, _ = run(capsys, "import", "vowels.txt", "--to", "made")

    assert code == 1
    assert out[0] == "vowels.txt: larger than 0 MB"
    assert not Path("made").exists()


def test_a_bar_is_drawn_on_terminals_only(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    _, _, quiet = run(capsys, "import", "vowels.txt", "--to", "made")
    monkeypatch.setattr("sys.stderr.isatty", lambda: True, raising=False)
    _, _, loud = run(capsys, "import", "vowels.txt", "--to", "other")

    assert quiet == ""
    assert "vowels.txt: 50 %" in loud


def test_losses_are_said_before_anything_is_written(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = run(capsys, "export", "mixed-precision", "--to", "aiken", "-o", "out.txt")

    assert code == 1  # questions were left out
    assert any("not exported: the rationales" in line for line in out[:-1])
    assert out[-1].startswith("out.txt: written, 8 items as Aiken, ")
    assert Path("out.txt").read_text(encoding="utf-8").count("\nANSWER: ") == 8


@pytest.mark.parametrize("locale", ["en", "tr", "ar"])
def test_the_course_is_exported_in_its_languages(capsys: pytest.CaptureFixture[str], locale: str) -> None:
    code, _, _ = run(capsys, "export", "mixed-precision", "--to", "moodle-xml", "--locale", locale, "-o", "out.xml")
    text = Path("out.xml").read_text(encoding="utf-8")

    assert code == 0
    assert text.count('<question type="multichoice">') == 8
    quiz = compiled.read("mixed-precision")
    assert bool(quiz.items[0].options[0].text.forms.get(locale))
    assert quiz.items[0].options[0].text.rendered(locale).plain in text
    assert (f'<div lang="{locale}"' in text) == (locale != "en")


def test_a_quiz_is_named_by_its_file_its_folder_or_its_name(capsys: pytest.CaptureFixture[str]) -> None:
    run(capsys, "import", "vowels.txt", "--to", "made")
    for named in ("made/vowels", "made/vowels/quiz.yaml"):
        code, out, _ = run(capsys, "export", named, "--to", "gift")
        assert (code, out[-1].split(",")[0]) == (0, "vowels.gift: written")
    code, out, _ = run(capsys, "export", "mixed-precisoin", "--to", "gift")
    assert code == 1
    assert "did you mean mixed-precision?" in out[0]


@pytest.mark.parametrize("locale", ["en", "tr", "ar"])
@pytest.mark.parametrize("case", CASES, ids=lambda case: case["name"])
def test_what_is_said_is_in_the_reader_s_language(
    case: dict[str, Any], locale: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("QUIZ_WIDGETS_LOCALE", locale)
    code, out, err = run(capsys, *case["arguments"])

    assert code == case["code"]
    printed = [*out, *err.splitlines()]
    assert [line for line in case[locale] if line not in printed] == []


def test_formats_that_are_only_read_or_unknown_are_refused(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    only_in = dataclasses.replace(registry.FORMATS[0], id="only-in", write=None)
    monkeypatch.setattr(registry, "FORMATS", (only_in, *registry.FORMATS))
    code, _, err = run(capsys, "export", "mixed-precision", "--to", "only-in")

    assert code == 2
    assert err.startswith("quiz-widgets: only-in is imported only; exported are ")
