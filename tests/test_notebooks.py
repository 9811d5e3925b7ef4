"""The committed notebooks are those that the guides make, read well without a kernel, and run without PyTorch."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import nbformat
import pytest
from nbclient import NotebookClient

from quiz_widgets import authoring, build, lab, notebooks
from quiz_widgets.authoring import guides
from quiz_widgets.model import Quiz

ROOT = Path(__file__).resolve().parents[1]
COMMITTED = sorted((ROOT / "notebooks").glob("[!.]*/*.ipynb"))
SAMPLE = ROOT / "tests" / "cases" / "sample" / "quiz.yaml"
GUIDE = """\
# A sample

An introduction.

(first-steps)=
## First steps

Some *prose*.

```{demo} adam_bytes
```

More prose.

```{quiz} single-plain multiple-exact
```

(maths-and-code)=
## Maths and code

```{quiz}
:set: numbers
```

## Everything

```{quiz}
```
"""


def names(path: Path) -> str:
    return path.relative_to(ROOT / "notebooks").as_posix()


@pytest.fixture(scope="module")
def quiz() -> Quiz:
    return authoring.load(SAMPLE)


def made(source: str, quiz: Quiz, locale: str = "en") -> dict[str, Any]:
    guide = guides.parse(source, file="guide.md", guide_id="sample", locale=locale)
    assert guide.problems == ()
    document: dict[str, Any] = json.loads(notebooks.notebook(guide, quiz))
    return document


def source(cell: dict[str, Any]) -> str:
    return "".join(cell["source"])


def test_the_committed_files_are_those_that_build_makes() -> None:
    root = lab.checkout()
    assert root is not None

    stale = [str(file.path.relative_to(root)) for file in build.generate(root) if not file.fresh()]

    assert stale == [], "run `quiz-widgets build`"


def test_the_same_guide_makes_the_same_bytes(quiz: Quiz) -> None:
    guide = guides.parse(GUIDE, file="guide.md", guide_id="sample", locale="en")

    text = notebooks.notebook(guide, quiz)

    assert text == notebooks.notebook(guide, quiz)
    assert text.endswith("}\n")
    assert not text.endswith("\n\n")


def test_a_guide_becomes_title_set_up_prose_demos_and_quiz_cells(quiz: Quiz) -> None:
    cells = made(GUIDE, quiz)["cells"]

    assert [(cell["id"], cell["cell_type"]) for cell in cells] == [
        ("intro-text", "markdown"),
        ("set-up", "code"),
        ("first-steps", "markdown"),
        ("demo-adam_bytes", "code"),
        ("first-steps-text", "markdown"),
        ("quiz-single-plain-multiple-exact", "code"),
        ("maths-and-code", "markdown"),
        ("quiz-numbers", "code"),
        ("maths-and-code-text", "markdown"),
        ("quiz-all", "code"),
    ]
    by_id = {cell["id"]: source(cell) for cell in cells}
    assert by_id["set-up"] == 'from quiz_widgets import load_quiz\n\nquiz = load_quiz("sample", locale="en")'
    assert by_id["first-steps"] == (
        '<a id="first-steps"></a>\n\n## First steps\n\nSome *prose*.\n\n<a id="demo-adam_bytes"></a>'
    )
    assert by_id["quiz-single-plain-multiple-exact"] == 'quiz.show("single-plain", "multiple-exact")'
    assert by_id["quiz-numbers"] == 'quiz.show(set="numbers")'
    assert by_id["quiz-all"] == "quiz.show()"


def test_a_cell_keeps_its_id_when_prose_comes_before_it(quiz: Quiz) -> None:
    more = GUIDE.replace("(first-steps)=", "(before)=\n## Before\n\nNew prose.\n\n(first-steps)=")

    before = {cell["id"] for cell in made(GUIDE, quiz)["cells"]}

    assert before < {cell["id"] for cell in made(more, quiz)["cells"]}


def test_a_place_that_occurs_twice_gets_ids_of_its_own(quiz: Quiz) -> None:
    twice = made(GUIDE + "\n```{quiz}\n```\n", quiz)

    assert [cell["id"] for cell in twice["cells"]][-2:] == ["quiz-all", "quiz-all-2"]
    nbformat.validate(nbformat.from_dict(twice))


def test_words_of_another_locale_are_asked_for(quiz: Quiz, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(notebooks, "preview_html", lambda *_: "")  # its words may not be there
    monkeypatch.setattr(notebooks, "preview_text", lambda *_: "")

    cells = {cell["id"]: source(cell) for cell in made(GUIDE, quiz, locale="tr")["cells"]}

    assert cells["set-up"].endswith('load_quiz("sample", locale="tr")')
    assert '"tr"' in cells["demo-adam_bytes"]


def test_prose_from_right_to_left_says_so(quiz: Quiz, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(notebooks, "preview_html", lambda *_: "")
    monkeypatch.setattr(notebooks, "preview_text", lambda *_: "")

    for locale, boxed in (("ar", True), ("tr", False)):
        prose = [source(cell) for cell in made(GUIDE, quiz, locale)["cells"] if cell["cell_type"] == "markdown"]
        assert prose
        assert all(text.startswith('<div dir="rtl" lang="ar">\n\n') == boxed for text in prose)


def test_saving_a_notebook_does_not_make_it_stale_but_editing_does(quiz: Quiz) -> None:
    document = made(GUIDE, quiz)
    text = json.dumps(document)
    document["metadata"] = {"language_info": {"version": "3.13.1"}}
    document["cells"][1] |= {"id": "another", "execution_count": 3, "metadata": {"trusted": True}}

    assert notebooks.content(json.dumps(document)) == notebooks.content(text)

    document["cells"][1]["source"] = "quiz = None"
    assert notebooks.content(json.dumps(document)) != notebooks.content(text)


@pytest.mark.parametrize("path", COMMITTED, ids=names)
def test_a_committed_notebook_is_valid_and_tells_nothing_of_a_machine(path: Path) -> None:
    document = json.loads(path.read_text(encoding="utf-8"))

    nbformat.validate(nbformat.from_dict(document))
    assert set(document["metadata"]) == {"kernelspec", "language_info"}
    for cell in document["cells"]:
        assert cell["metadata"] == {}
        for output in cell.get("outputs", ()):
            assert source(cell).startswith("quiz.show(")
            assert set(output["data"]) == {"text/html", "text/plain"}
            assert "<script" not in "".join(output["data"]["text/html"])


WATCH = """\
import os
spent = []
def begin(*_): spent.append(-sum(os.times()[:4]))
def end(*_): spent[-1:] = [spent[-1] + sum(os.times()[:4])] if spent else []
get_ipython().events.register("pre_run_cell", begin)
get_ipython().events.register("post_run_cell", end)
"""  # CPU seconds of each cell, with those of its children


@pytest.fixture
def home(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("QUIZ_WIDGETS_HOME", str(tmp_path / "attempts"))
    monkeypatch.setenv("IPYTHONDIR", str(tmp_path / "ipython"))
    monkeypatch.setenv("MPLCONFIGDIR", str(tmp_path / "matplotlib"))


@pytest.fixture
def without_torch(home: None, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "torch.py").write_text('raise ImportError("there is no torch here")\n', encoding="utf-8")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))


def run(path: Path) -> None:
    """Execute a notebook; every cell has to end well, and none may take over 30 s of CPU."""
    notebook = nbformat.read(path, as_version=4)
    cells = list(notebook.cells)
    watch, told = (nbformat.v4.new_code_cell(code) for code in (WATCH, "print(max(spent[:-1]))"))
    notebook.cells = [watch, *cells, told]
    client = NotebookClient(notebook, timeout=240, kernel_name="python3", store_widget_state=False)

    client.execute()

    quiz_cells = [cell for cell in cells if cell.source.startswith("quiz.show(")]
    assert len(quiz_cells) >= 8
    for cell in cells:
        for output in cell.get("outputs", ()):
            assert output.output_type != "error"
            assert output.get("name") != "stderr", output.get("text")
    assert all("<script" in cell.outputs[0].data["text/html"] for cell in quiz_cells)
    assert 0 < float(told.outputs[0].text) < 30


@pytest.mark.slow
@pytest.mark.usefixtures("without_torch")
@pytest.mark.parametrize("path", COMMITTED, ids=names)
def test_a_notebook_runs_from_top_to_bottom_without_torch(path: Path) -> None:
    run(path)


@pytest.mark.slow
@pytest.mark.usefixtures("home")
@pytest.mark.parametrize("path", [path for path in COMMITTED if path.parent.name == "en"], ids=names)
def test_a_notebook_runs_from_top_to_bottom_with_torch(path: Path) -> None:
    pytest.importorskip("torch", reason="pip install torch")
    run(path)
