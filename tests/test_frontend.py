"""The joined texts that lie ready: used while they are made from the sources as they are, and never else."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from quiz_widgets import frontend

LOADED = """
import sys
from quiz_widgets import frontend
frontend.script(), frontend.module("link"), frontend.module("widget")
print([name for name in ("quiz_widgets.frontend.esm", "quiz_widgets.frontend.lexer") if name in sys.modules])
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The front end in a folder of its own, with fresh joined texts."""
    copied = shutil.copytree(Path(frontend.__file__).parent, tmp_path / "frontend")
    monkeypatch.setattr(frontend, "_FOLDER", copied)
    for name in frontend.NAMES:
        (copied / "joined" / f"{name}.js").write_text(frontend.joined_file(name), encoding="utf-8")
    return copied


def test_what_lies_ready_is_what_joining_gives(folder: Path) -> None:
    for name in frontend.NAMES:
        assert frontend._ready(name) == frontend.join(name)


def test_what_lies_ready_is_used_without_joining(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(frontend, "join", lambda _: pytest.fail("joined again"))

    assert frontend._ready("page").startswith("(data => {")


@pytest.mark.parametrize("changed", ["store.js", "player.css", "esm.py"])
def test_an_edited_source_is_what_runs(folder: Path, monkeypatch: pytest.MonkeyPatch, changed: str) -> None:
    (folder / changed).write_text((folder / changed).read_text(encoding="utf-8") + "\n", encoding="utf-8")
    monkeypatch.setattr(frontend, "join", lambda _: "joined again")

    assert frontend._ready("page") == "joined again"


def test_without_ready_texts_the_modules_are_joined(folder: Path) -> None:
    shutil.rmtree(folder / "joined")

    assert frontend._ready("link") == frontend.join("link")


def test_a_file_about_to_be_written_counts_as_written(folder: Path) -> None:
    contract = (folder / "contract.js").read_text(encoding="utf-8") + "\nexport const LATER = 1;\n"

    announced = frontend.joined_file("link", {"contract.js": contract})
    (folder / "contract.js").write_text(contract, encoding="utf-8")

    assert "LATER" in announced
    assert announced == frontend.joined_file("link")


def test_an_unchanged_checkout_joins_nothing_at_run_time() -> None:
    ran = subprocess.run([sys.executable, "-c", LOADED], capture_output=True, text=True, timeout=60, check=True)

    assert ran.stdout.strip() == "[]", "run `make build`"
