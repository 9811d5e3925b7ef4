"""The course is served in place from a checkout, and as a copy that never loses the learner's work elsewhere."""

from __future__ import annotations

import json
import os
from pathlib import Path

import nbformat
import pytest
from nbformat.sign import NotebookNotary

from quiz_widgets import lab


@pytest.fixture(autouse=True)
def own_home(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    home = tmp_path / "home"
    home.mkdir()
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("JUPYTER_DATA_DIR", str(home / "jupyter"))
    return home


@pytest.fixture
def source(tmp_path: Path) -> Path:
    folder = tmp_path / "source"
    write(folder / "en" / "a-first.ipynb", "first")
    write(folder / "en" / "b-second.ipynb", "second")
    write(folder / "tr" / "a-first.ipynb", "ilk")
    return folder


def write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_markdown_cell(text, id="only")])
    nbformat.write(notebook, path)


def text(path: Path) -> str:
    cell = json.loads(path.read_text(encoding="utf-8"))["cells"][0]
    return "".join(cell["source"])


def test_a_checkout_is_served_in_place() -> None:
    root = lab.checkout()
    assert root is not None

    assert lab.course_folder() == root / "notebooks"


def test_a_copy_holds_every_notebook(source: Path, tmp_path: Path) -> None:
    assert lab.copy(source, tmp_path / "mine") == []

    assert text(tmp_path / "mine" / "en" / "a-first.ipynb") == "first"
    assert text(tmp_path / "mine" / "tr" / "a-first.ipynb") == "ilk"


def test_a_newer_course_replaces_only_what_the_learner_left_alone(source: Path, tmp_path: Path) -> None:
    mine = tmp_path / "mine"
    lab.copy(source, mine)
    write(mine / "en" / "a-first.ipynb", "my notes")
    write(source / "en" / "a-first.ipynb", "first, improved")
    write(source / "en" / "b-second.ipynb", "second, improved")

    assert lab.copy(source, mine) == [mine / "en" / "a-first.ipynb"]

    assert text(mine / "en" / "a-first.ipynb") == "my notes"
    assert text(mine / "en" / "b-second.ipynb") == "second, improved"


@pytest.mark.parametrize("manifest", ["", "[]", '{"en/a-first.ipynb": 1}'])
def test_a_damaged_list_of_copies_overwrites_nothing(source: Path, tmp_path: Path, manifest: str) -> None:
    mine = tmp_path / "mine"
    write(mine / "en" / "a-first.ipynb", "my notes")
    (mine / ".quiz_widgets.json").write_text(manifest, encoding="utf-8")

    assert lab.copy(source, mine) == [mine / "en" / "a-first.ipynb"]


def test_a_folder_that_cannot_be_made_is_named(tmp_path: Path) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("", encoding="utf-8")

    with pytest.raises(lab.LabError, match=r"file.*name another folder: quiz-widgets lab --to FOLDER"):
        lab.course_folder(blocked)


def test_signed_notebooks_are_trusted(source: Path) -> None:
    path = source / "en" / "a-first.ipynb"
    assert not NotebookNotary().check_signature(nbformat.read(path, as_version=4))

    lab.sign(source)

    assert NotebookNotary().check_signature(nbformat.read(path, as_version=4))


def test_a_damaged_notebook_is_named_and_the_others_are_signed(
    source: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (source / "en" / "a-first.ipynb").write_text("no notebook", encoding="utf-8")

    lab.sign(source)

    assert "a-first.ipynb: cannot be signed" in capsys.readouterr().err
    assert NotebookNotary().check_signature(nbformat.read(source / "en" / "b-second.ipynb", as_version=4))


def test_the_first_guide_of_the_locale_opens(source: Path) -> None:
    assert lab.first_notebook(source, "tr") == "tr/a-first.ipynb"
    assert lab.first_notebook(source, "fr") == "en/a-first.ipynb"
    assert lab.first_notebook(source / "en", "en") is None


def test_jupyterlab_is_told_to_stay_on_this_machine_and_the_user_has_the_last_word(source: Path) -> None:
    found = lab.arguments(source, "en", ["--no-browser", "--LabApp.default_url=/lab"])

    assert f"--ServerApp.root_dir={source.resolve()}" in found
    assert "--LabApp.default_url=/lab/tree/en/a-first.ipynb" in found
    assert "--LabApp.news_url=None" in found
    assert found[-2:] == ["--no-browser", "--LabApp.default_url=/lab"]
    assert ("--allow-root" in found) == (os.geteuid() == 0)


def test_a_missing_jupyterlab_is_named_with_its_install_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda _: None)

    with pytest.raises(lab.LabError, match=r"pip install 'quiz_widgets\[lab\]'"):
        lab.serve([])
