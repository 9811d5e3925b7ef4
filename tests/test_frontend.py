"""What a notebook carries of the page: joined from the sources as they are, small, and fit to stand in a script."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from quiz_widgets import frontend
from quiz_widgets.frontend import bundle

LOADED = """
import sys
from quiz_widgets import frontend
frontend.script(), frontend.css(), frontend.module("link"), frontend.module("widget")
print("quiz_widgets.frontend.bundle" in sys.modules, "subprocess" in sys.modules)
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The front end in a folder of its own, with fresh joined texts."""
    joined = frontend.joined_files()
    copied = shutil.copytree(Path(frontend.__file__).parent, tmp_path / "quiz_widgets" / "frontend")
    (tmp_path / "node_modules").symlink_to(Path("node_modules").resolve(), target_is_directory=True)
    monkeypatch.setattr(frontend, "_FOLDER", copied)
    monkeypatch.setattr(bundle, "_FOLDER", copied)
    for name, text in joined.items():
        (copied / "joined" / name).write_text(text, encoding="utf-8", newline="\n")
    return copied


def joined_again(changed: object = None) -> dict[str, str]:
    return dict.fromkeys(frontend.NAMES, "stamp\njoined again\n")


def test_what_lies_ready_is_used_without_joining(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(frontend, "joined_files", lambda: pytest.fail("joined again"))

    assert frontend._ready("page.js").startswith("(quizWidgetsData=>{")


@pytest.mark.parametrize("changed", ["store.js", "player.css", "bundle.py"])
def test_an_edited_source_is_what_runs(folder: Path, monkeypatch: pytest.MonkeyPatch, changed: str) -> None:
    (folder / changed).write_text((folder / changed).read_text(encoding="utf-8") + "\n", encoding="utf-8")
    monkeypatch.setattr(frontend, "joined_files", joined_again)

    assert frontend._ready("page.js") == "joined again"


def test_an_installed_package_takes_what_lies_ready(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (folder / "store.js").write_text("edited", encoding="utf-8")
    monkeypatch.setattr(frontend, "_CHECKOUT", False)
    monkeypatch.setattr(frontend, "joined_files", lambda: pytest.fail("joined again"))

    assert frontend._ready("link.js")


def test_without_ready_texts_the_modules_are_joined(folder: Path) -> None:
    ready = {name: frontend._ready(name) for name in frontend.NAMES}
    shutil.rmtree(folder / "joined")

    assert {name: frontend._ready(name) for name in frontend.NAMES} == ready


def test_a_file_about_to_be_written_counts_as_written(folder: Path) -> None:
    contract = (folder / "contract.js").read_text(encoding="utf-8") + "\nconsole.log('later');\n"

    announced = frontend.joined_files({"contract.js": contract})
    (folder / "contract.js").write_text(contract, encoding="utf-8")

    assert "later" in announced["page.js"]
    assert announced == frontend.joined_files()


def test_a_checkout_as_it_is_joins_nothing_at_run_time() -> None:
    ran = subprocess.run([sys.executable, "-c", LOADED], capture_output=True, text=True, timeout=60, check=True)

    assert ran.stdout.strip() == "False False", "run `make build`"


REFUSED = {
    "an import that leads nowhere": ('import { a } from "./gone.js"; a();', 'Could not resolve "./gone.js"'),
    "a name that is not exported": ('import { gone } from "./dom.js"; gone();', 'No matching export in "dom.js"'),
    "a package": ('import { a } from "lodash"; a();', 'Could not resolve "lodash"'),
    "what is no JavaScript": ("const = 1;", 'Expected identifier but found "="'),
    "a text that ends the script": ('document.title = "<" + "!--x";', "'<!--' would end the script"),
}


@pytest.mark.parametrize("case", REFUSED)
def test_modules_that_do_not_join_are_refused_with_their_place(case: str) -> None:
    text, message = REFUSED[case]

    with pytest.raises(bundle.BundleError, match=re.escape(message)) as refused:
        bundle.bundle({"entry.js": text})

    assert "entry.js" in str(refused.value)
    assert "/tmp" not in str(refused.value)


def test_without_esbuild_the_mend_is_named(folder: Path) -> None:
    (folder.parents[1] / "node_modules").unlink()

    with pytest.raises(bundle.BundleError, match="run `make setup`"):
        bundle.style("a{}")


def test_script_and_style_stay_small() -> None:
    assert len(frontend.script().encode()) <= 40_000
    assert len(frontend.css().encode()) <= 10_000
    assert len(frontend.rows().encode()) <= 11_000
    assert len(frontend.graded().encode()) <= 25_000


def test_nothing_is_fetched_from_anywhere() -> None:
    everything = frontend.script() + frontend.css() + frontend.module("widget") + frontend.module("link")

    assert not re.search(r"https?:|//[a-z]+\.|url\(|@import|\bfetch\(|XMLHttpRequest|import\(", everything)
