"""`check --fix` mends what is certain and leaves every other byte alone, as the pairs of files in `tests/fixes` say."""

from __future__ import annotations

import difflib
import shutil
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from quiz_widgets import authoring
from quiz_widgets.authoring import fixes, tree
from quiz_widgets.authoring.fixes.edits import Edit, splice
from quiz_widgets.authoring.rules import RULES
from tools import rule_pages

COURSE = Path(__file__).parent / "cases" / "course" / "formats"
CASES = sorted((Path(__file__).parent / "fixes").iterdir())
UNTOUCHED = {
    "letter-accepted",
    "letter-sentence",
    "invisible-kept",
    "nothing",
    "tab-and-code-with-a-tab",
    "tab-in-code",
    "tab-that-may-mean-either",
    "tex-and-newline",
}


def mended(path: Path) -> bytes:
    found = fixes.mend(authoring.check([path]).problems)
    return found[0].after if found else path.read_bytes()


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_a_file_is_mended_as_it_should_be(case: Path) -> None:
    before, after = (case / f"{name}.yaml" for name in ("before", "after"))

    assert mended(before) == after.read_bytes()
    assert (before.read_bytes() == after.read_bytes()) == (case.name in UNTOUCHED)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_what_is_mended_stays_as_it_is(case: Path) -> None:
    assert mended(case / "after.yaml") == (case / "after.yaml").read_bytes()


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_most_lines_are_the_same_bytes(case: Path) -> None:
    before, after = ((case / f"{name}.yaml").read_bytes().splitlines(keepends=True) for name in ("before", "after"))
    changed = [
        line for line in difflib.ndiff([repr(one) for one in before], [repr(one) for one in after]) if line[0] == "-"
    ]

    assert len(changed) <= 4
    assert [line for line in changed if line.startswith("- b'#")] == []


@pytest.mark.parametrize("rule", [rule.id for rule in RULES.values() if rule.fixed])
def test_the_pages_of_mended_rules_show_what_is_mended(rule: str) -> None:
    failing, passing = (rule_pages.fixture(rule, name) for name in ("fails", "passes"))

    assert mended(failing).replace(b"id: fails", b"id: passes") == passing.read_bytes()


def test_guides_and_translations_lose_their_invisible_signs(tmp_path: Path) -> None:
    folder = tmp_path / "formats"
    folder.mkdir()
    for file in COURSE.iterdir():
        text = (
            file.read_text(encoding="utf-8")
            .replace("Bir FP32", "Bir\u200b FP32")
            .replace("A byte has", "A\u00ad byte has")
        )
        (folder / file.name).write_text(text, encoding="utf-8")

    found = fixes.mend(authoring.check([folder]).problems)

    assert {one.path.name: one.places for one in found} == {"guide.en.md": 1, "quiz.tr.yaml": 1}
    assert all(one.after == (COURSE / one.path.name).read_bytes() for one in found)


@pytest.mark.parametrize("name", ["quiz.tr.yaml", "guide.en.md"])
def test_files_in_another_encoding_are_left_alone(tmp_path: Path, name: str) -> None:
    folder = Path(shutil.copytree(COURSE, tmp_path / "formats"))
    quiz = folder / "quiz.yaml"
    quiz.write_text(quiz.read_text(encoding="utf-8").replace("an FP32", "an\u200b FP32"), encoding="utf-8")
    (folder / name).write_bytes(b"\xff\xfe" + (folder / name).read_bytes() + "\u200b".encode())

    assert [one.path.name for one in fixes.mend(authoring.check([folder]).problems)] == ["quiz.yaml"]


def test_a_change_that_mends_nothing_is_not_kept() -> None:
    text = (rule_pages.FIXTURES / "letter-prefix" / "fails.yaml").read_bytes()
    path = Path("fails.yaml")
    document, known = tree.read(text, str(path)), fixes._problems(text, path)

    def helps(old: bytes, new: bytes) -> bool:
        return fixes._helps(document, known, text.replace(old, new), path)

    assert helps(b"A) 4", b"4")
    assert not helps(b"A) 4", b"D) 4")
    assert not helps(b"A) 4 bytes", b"B) 2 bytes")
    assert not helps(b"text: A) 4", b"text: [")


def test_an_edit_keeps_line_ends_and_the_mark_at_the_beginning() -> None:
    data = b"\xef\xbb\xbfone\r\ntwo\rthree"

    assert splice(data, [Edit(1, 1, 4, "1")]) == b"\xef\xbb\xbf1\r\ntwo\rthree"
    assert splice(data, [Edit(1, 4, 4, "\n!"), Edit(3, 6, 6, "\n!")]) == b"\xef\xbb\xbfone\r\n!\r\ntwo\rthree\r!"


SAMPLE = (Path(__file__).parent / "fixes" / "many" / "before.yaml").read_bytes()


@given(st.data())
@settings(max_examples=60, deadline=None)
def test_mending_any_file_never_makes_it_worse(data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(SAMPLE)))
    change = data.draw(st.text(st.sampled_from(list("\t \u200b\u00a0\"'\\\nA)$`#:-")), max_size=6)).encode()
    text = (
        SAMPLE[:start].decode("utf-8", "ignore").encode() + change + SAMPLE[start:].decode("utf-8", "ignore").encode()
    )
    path = Path("fixes.yaml")
    before = fixes._problems(text, path)

    after, places = fixes._mend(text, path)

    assert (after == text) == (places == 0)
    read = fixes._problems(after, path)
    if places and tree.read(text, str(path)).root is not None:
        assert len(read) < len(before)
