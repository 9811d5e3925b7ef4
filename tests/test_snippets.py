"""What the pages for authors show works as it stands: every command, change and piece of code is done in order."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests import snippets

DOCS = Path(__file__).resolve().parents[1] / "docs"
HOW_TOS = sorted(path for path in (DOCS / "howto").glob("*.md") if path.stem != "index")


def follow(page: Path, reader: snippets.Reader) -> None:
    """Do everything on a page; a failure names its line."""
    for block in snippets.blocks(page):
        try:
            reader.do(block)
        except AssertionError as error:
            raise AssertionError(f"{page.name}:{block.line}: {error}") from error


def test_the_tutorial_works(tmp_path: Path) -> None:
    follow(DOCS / "tutorial.md", snippets.Reader(tmp_path))


@pytest.mark.parametrize("page", HOW_TOS, ids=lambda path: path.stem)
def test_a_how_to_works_in_a_new_course(page: Path, tmp_path: Path) -> None:
    reader = snippets.Reader(tmp_path)
    reader.do(snippets.Block("console", "$ quiz-widgets new my-course\n…\n", 0))
    reader.folder /= "my-course"

    follow(page, reader)


@pytest.mark.parametrize("page", [DOCS / "tutorial.md", *HOW_TOS], ids=lambda path: path.stem)
def test_every_block_is_of_a_kind_that_is_done(page: Path) -> None:
    found = snippets.blocks(page)

    assert len(found) > 0
    assert {block.kind for block in found} <= set(snippets.KINDS)


WRONG = {
    "output": ("console", "$ quiz-widgets new another\nnothing\n"),
    "command": ("console", "$ quiz-widgets nwe x\n"),
    "line": ("diff", "--- there.yaml\n-a: 2\n+a: 3\n"),
    "items": ("yaml", "  - id: one\n    kind: nubmer\n"),
    "code": ("python", "1 / 0\n"),
}


@pytest.mark.parametrize(("kind", "text"), WRONG.values(), ids=WRONG)
def test_what_does_not_work_is_found(kind: str, text: str, tmp_path: Path) -> None:
    (tmp_path / "there.yaml").write_text("a: 1\n", encoding="utf-8")

    with pytest.raises(AssertionError):
        snippets.Reader(tmp_path).do(snippets.Block(kind, text, 1))
