"""The hall's benchmark, small: the desk loses and doubles nothing, and its audit finds it out when one does."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from benchmarks.hall import page

ROOT = Path(__file__).parents[2]


def test_the_page_holds_the_table_of_the_kept_figures() -> None:
    assert not page.is_stale(), "run `.venv/bin/python benchmarks/classroom.py --quick --learners 300 --keep`"
    kept = json.loads(page.RESULTS.read_text(encoding="utf-8"))
    assert [(one["lost"], one["doubled"]) for one in kept["runs"]] == [(0, 0)] * len(kept["runs"])


def run(*options: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(ROOT / "benchmarks" / "classroom.py"), "--quick", "--learners", "25", *options]
    return subprocess.run(command, capture_output=True, text=True, cwd=ROOT, timeout=280, check=False)


@pytest.mark.slow
@pytest.mark.classroom
def test_a_hall_loses_nothing_while_the_desk_is_killed(tmp_path: Path) -> None:
    figures = tmp_path / "figures.json"

    ran = run("--json", str(figures))

    assert ran.stdout.splitlines()[-1] == "lost: 0, doubled: 0", ran.stdout + ran.stderr
    assert ran.returncode == 0
    found = json.loads(figures.read_text(encoding="utf-8"))
    assert [one["stored"] for one in found] == [one["sent"] for one in found] == [200] * len(found)
    names = [one["name"] for one in found]
    assert {"SQLite, 1 worker", "PostgreSQL, 2 workers", "SQLite, 1 worker, proxy", "SQLite, desk killed twice"} <= set(
        names
    )
    assert next(one for one in found if "killed" in one["name"])["retries"] > 0


@pytest.mark.slow
@pytest.mark.classroom
@pytest.mark.parametrize(("sabotage", "what"), [("ack-early", "lost"), ("no-unique", "doubled")])
def test_a_desk_broken_on_purpose_is_found_out(tmp_path: Path, sabotage: str, what: str) -> None:
    figures = tmp_path / "figures.json"

    ran = run("--sabotage", sabotage, "--json", str(figures))

    assert ran.returncode == 1, ran.stdout + ran.stderr
    [found] = json.loads(figures.read_text(encoding="utf-8"))
    assert found[what] > 0


@pytest.mark.slow
@pytest.mark.classroom
@pytest.mark.parametrize("database", [[], ["--postgres"]], ids=["sqlite", "postgresql"])
def test_a_class_is_watched_and_no_stream_misses_the_last_state(database: list[str]) -> None:
    command = [sys.executable, str(ROOT / "benchmarks" / "classroom.py"), "--dashboard", "--learners", "30"]
    command += ["--items", "10", "--streams", "20", *database]
    ran = subprocess.run(command, capture_output=True, text=True, cwd=ROOT, timeout=280, check=False)

    assert re.fullmatch(
        r"dashboard: \d+ first bytes in \d+ ms, rows exported 300 = 300 in the database, streams: 20, missed: 0",
        ran.stdout.splitlines()[-1] if ran.stdout else "",
    ), ran.stdout + ran.stderr
    assert ran.returncode == 0
