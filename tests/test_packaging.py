"""The wheel holds everything a learner needs: it is built, installed in a clean environment, and used there."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from quiz_widgets import compiled
from tests.hosts.hosting import TOKEN, Host, Server, wait_until

ROOT = Path(__file__).resolve().parents[1]
BOOKS = sorted((ROOT / "notebooks" / "en").glob("*.ipynb"))
# What authors, CI and demos need, and a learner's page must not wait for.
HEAVY = ["yaml", "markdown_it", "mdit_py_plugins", "nh3", "latex2mathml", "numpy", "matplotlib", "torch"]
SHOW = """
import sys
from IPython.core.interactiveshell import InteractiveShell
shell = InteractiveShell.instance()
import quiz_widgets
from quiz_widgets import load_quiz
load_quiz("mixed-precision").show("loss-scaling")
import quiz_widgets.links.graded
print([name for name in sys.argv[1:] if name in sys.modules], file=sys.stderr)
"""


def test_showing_a_compiled_quiz_loads_nothing_of_authors_and_demos(tmp_path: Path) -> None:
    environment = {**os.environ, "QUIZ_WIDGETS_HOME": str(tmp_path), "IPYTHONDIR": str(tmp_path)}

    ran = subprocess.run(
        [sys.executable, "-c", SHOW, *HEAVY], env=environment, capture_output=True, text=True, timeout=120, check=True
    )

    assert ran.stderr.strip() == "[]"


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel, made from the source distribution: so that one is known to be whole, too."""
    target = tmp_path_factory.mktemp("dist")
    subprocess.run(
        [sys.executable, "-m", "build", "--no-isolation", "--outdir", target, ROOT], check=True, capture_output=True
    )
    return next(target.glob("*.whl"))


@pytest.mark.slow
def test_the_wheel_holds_the_course_and_the_page_and_nothing_else(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        held = set(archive.namelist())

    tracked = subprocess.run(["git", "ls-files", "quiz_widgets"], cwd=ROOT, check=True, capture_output=True, text=True)
    books = {f"quiz_widgets/_{path.relative_to(ROOT).as_posix()}" for path in (ROOT / "notebooks").glob("*/*.ipynb")}
    package = {name for name in held if ".dist-info/" not in name}
    assert len(books) >= 2
    assert package == {*tracked.stdout.split(), *books}


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of commands of a clean environment in which the wheel is installed for use, with `lab`."""
    place = tmp_path_factory.mktemp("clean") / "venv"
    subprocess.run([sys.executable, "-m", "venv", place], check=True)
    commands = place / "bin"
    pip: list[str | Path] = [commands / "python", "-m", "pip", "install", "--quiet", "--no-compile"]
    subprocess.run([*pip, "--constraint", ROOT / "constraints.txt", f"{wheel}[lab]"], check=True)
    return commands


@pytest.fixture
def served(installed: Path, tmp_path: Path) -> Iterator[Server]:
    """The course, served by the wheel's own command, without Node on the PATH and in a HOME of its own."""
    home, runtime, kept = (tmp_path / name for name in ("home", "runtime", "kept"))
    home.mkdir()
    environment = {
        "PATH": str(installed),
        "HOME": str(home),
        "JUPYTER_RUNTIME_DIR": str(runtime),
        "QUIZ_WIDGETS_HOME": str(kept),
    }
    command = [str(installed / "quiz-widgets"), "lab", "--no-browser", "--port=0", f"--IdentityProvider.token={TOKEN}"]
    log = tmp_path / "log"
    with log.open("w", encoding="utf-8") as output:
        process = subprocess.Popen(
            [*command, "--LabApp.expose_app_in_browser=True"],
            env=environment,
            cwd=home,
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
        )

        def address() -> str | None:
            assert process.poll() is None, log.read_text(encoding="utf-8")
            texts = [path.read_text(encoding="utf-8") for path in runtime.glob("jpserver-*.json")]
            return next((str(json.loads(text)["url"]) for text in texts if text), None)

        try:
            server = Server(
                wait_until("the server to start", address, 90), home / "quiz_widgets_course", kept, environment
            )
            wait_until("the server to answer", server.answers, 90)
            yield server
        finally:
            process.terminate()
            process.wait(30)


@pytest.mark.slow
def test_the_installed_wheel_makes_a_course_of_one_s_own(installed: Path, tmp_path: Path) -> None:
    for command in (["new", "my-own"], ["check", "--evidence", "my-own"]):
        done = subprocess.run([installed / "quiz-widgets", *command], cwd=tmp_path, check=False, capture_output=True)
        assert (done.returncode, done.stderr) == (0, b"")

    assert {"README.md", ".gitignore"} <= {path.name for path in (tmp_path / "my-own").iterdir()}
    assert (tmp_path / "my-own" / "notebooks" / "tr" / "my-own.ipynb").is_file()


@pytest.mark.slow
@pytest.mark.timeout(900)
def test_the_installed_wheel_serves_the_course_and_a_quiz_answers(served: Server, browser: Browser) -> None:
    assert {path.name for path in (served.root / "en").glob("*.ipynb")} == {path.name for path in BOOKS}
    item = compiled.read("mixed-precision").item("loss-scaling")
    [key] = [option.text.rendered("en").plain for option in item.options if option.correct]
    context = browser.new_context(viewport={"width": 1200, "height": 1400})
    host = Host("lab", served, context)

    host.open("en/mixed-precision.ipynb")
    sources = host.cells()
    for source in (sources[1], 'quiz.show("loss-scaling")'):
        host.run(sources.index(source))
    cell = host.page.locator(".jp-Notebook-cell").nth(sources.index('quiz.show("loss-scaling")'))
    cell.get_by_role("radio", name=key).click()
    cell.get_by_role("button", name="Check").click()

    expect(cell.get_by_role("status")).to_contain_text("Right.")
    expect(cell.get_by_text("Recorded at")).to_be_visible()
    expect(host.page.get_by_text("Jupyter news")).to_have_count(0)
    assert served.responses() == [("loss-scaling", list(item.key))]
    context.close()
