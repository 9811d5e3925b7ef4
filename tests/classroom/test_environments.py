"""Environments of real Hubs: made once whoever asks at the same time, and their tests kept with one worker."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from tools.classroom import environments

CONFTEST = Path(__file__).parents[1] / "conftest.py"
FILES = tuple(
    f"tests/{name}"
    for name in ("classroom/hub/test_one.py", "classroom/hub/test_two.py", "classroom/test_three.py", "test_four.py")
)

# What asks for an environment. Pip and what it stands on are in the way of nobody here: each step takes a moment, notes
# when it began and ended, and does nothing.
ASKING = """
import os, sys, time, zipfile
from pathlib import Path
from tools.classroom import environments

def noted(what, folder):
    with open(os.environ["NOTES"], "a") as notes:
        print(what, "begins", file=notes, flush=True)
        time.sleep(0.5)
        folder.mkdir(exist_ok=True)
        print(what, "ends", file=notes, flush=True)

def wheel(folder):
    with zipfile.ZipFile(folder / "one.whl", "w") as made:
        made.writestr("text", sys.argv[1])
    return folder / "one.whl"

environments._wheel = wheel
environments._make = lambda folder, work, wheel, pins: noted("making", folder)
environments._pip = lambda folder, *options: noted("installing", folder)
print(environments.made(environments.HUBS[0]))
"""


@pytest.mark.parametrize(
    ("held", "wheels", "steps"),
    [(None, ["a", "a"], ["making"]), ("a", ["a", "a"], []), ("a", ["b", "b"], ["installing"])],
    ids=["missing", "there", "other wheel"],
)
def test_two_at_once_make_an_environment_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, held: str | None, wheels: list[str], steps: list[str]
) -> None:
    notes = tmp_path / "notes"
    monkeypatch.setenv("NOTES", str(notes))
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    if held is not None:
        ask(held)
        notes.unlink()

    begun = [asking(wheel) for wheel in wheels]
    told = {process.communicate(timeout=60)[0] for process in begun}

    assert [process.returncode for process in begun] == [0, 0]
    assert len(told) == 1
    assert (notes.read_text() if notes.exists() else "") == "".join(f"{one} begins\n{one} ends\n" for one in steps)


def test_an_environment_that_cannot_be_made_says_why(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    monkeypatch.setattr(environments, "ROOT", tmp_path)
    for name in ("constraints.txt", "pyproject.toml"):
        shutil.copy(CONFTEST.parents[1] / name, tmp_path)

    # An `Exception`: pytest keeps one of a fixture for all its tests, and stumbles over its own feet at a `SystemExit`.
    with pytest.raises(environments.MakingError, match="-m build --wheel …:\n"):
        environments.made(environments.HUBS[0])


def test_one_worker_takes_all_that_start_a_hub_and_every_file_whole(tmp_path: Path) -> None:
    (tmp_path / "pytest.ini").write_text("[pytest]\n")
    (tmp_path / "tests").mkdir()
    shutil.copy(CONFTEST, tmp_path / "tests")
    for name in FILES:
        file = tmp_path / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(
            "import pytest, time\n\n@pytest.mark.parametrize('one', range(6))\ndef test(one): time.sleep(0.05)\n"
        )
    distribution = re.findall(
        r"--numprocesses=\$\(WORKERS\) (--dist=\w+)", (CONFTEST.parents[1] / "Makefile").read_text()
    )
    command = [sys.executable, "-m", "pytest", "--numprocesses=2", *distribution, "--verbose", "-p", "no:cacheprovider"]

    ran = subprocess.run([*command, "tests"], cwd=tmp_path, capture_output=True, text=True, check=False)

    found = re.findall(r"^\[(gw\d)\].* PASSED ([^:]+)::", ran.stdout, re.MULTILINE)
    assert len(found) == 6 * len(FILES), ran.stdout
    took = {name: {worker for worker, file in found if file == name} for name in FILES}
    assert all(len(workers) == 1 for workers in took.values())
    assert took[FILES[0]] == took[FILES[1]]
    assert len(set.union(*took.values())) == 2


def ask(wheel: str) -> None:
    process = asking(wheel)
    process.communicate(timeout=60)
    assert process.returncode == 0


def asking(wheel: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-c", ASKING, wheel], cwd=CONFTEST.parents[1], stdout=subprocess.PIPE, text=True
    )
