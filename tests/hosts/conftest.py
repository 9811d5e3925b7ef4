"""A real Jupyter server on the loopback, and a browser on it; nothing of the machine's own settings is used."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient
from playwright.sync_api import Browser

from tests.hosts.holding import Held
from tests.hosts.hosting import Host, Server
from tests.hosts.serving import jupyter

SUMS = Path(__file__).parent / "sums" / "quiz.yaml"


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """One server for the run, with a HOME of its own; it serves JupyterLab and Notebook 7."""
    with jupyter(tmp_path_factory.mktemp("jupyter")) as found:
        shutil.copytree(SUMS.parent, found.root / "sums")
        yield found


@pytest.fixture(params=["lab", "notebook"])
def host(request: pytest.FixtureRequest, server: Server, browser: Browser) -> Iterator[Host]:
    """A host with a browser profile of its own and an empty record; its kernels are shut down afterwards."""
    for folder in server.home.iterdir():
        shutil.rmtree(folder)
    context = browser.new_context(viewport={"width": 1200, "height": 1400})
    context.set_default_timeout(30_000)
    yield Host(request.param, server, context)
    context.close()
    for session in server.api("GET", "sessions"):
        server.api("DELETE", f"sessions/{session['id']}")


@pytest.fixture
def held(tmp_path: Path) -> Iterator[Held]:
    """A cell that runs until the test lets it end, and not longer than the test."""
    made = Held(tmp_path)
    yield made
    made.end()


@pytest.fixture(scope="session")
def notebook(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A notebook with one quiz cell, run by a kernel and saved."""
    folder = tmp_path_factory.mktemp("saved")
    source = f'import os\nos.environ["QUIZ_WIDGETS_HOME"] = {str(folder / "kept")!r}\n'
    source += f"from quiz_widgets import load_quiz\nload_quiz({str(SUMS)!r})"
    cells = [nbformat.v4.new_markdown_cell("# Guide"), nbformat.v4.new_code_cell(source)]
    made = nbformat.v4.new_notebook(cells=cells)
    NotebookClient(made, store_widget_state=False, kernel_name="python3").execute()
    path = folder / "guide.ipynb"
    nbformat.write(made, path)
    return path


@pytest.fixture
def write(server: Server, request: pytest.FixtureRequest) -> Callable[..., str]:
    """Write a notebook of these code cells where the server sees it; returns its path."""

    def write_cells(*sources: str) -> str:
        notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(source) for source in sources])
        notebook.metadata["kernelspec"] = {"name": "python3", "display_name": "Python 3", "language": "python"}
        name = "".join(char if char.isalnum() else "-" for char in request.node.name) + ".ipynb"
        nbformat.write(notebook, server.root / name)
        return name

    return write_cells
