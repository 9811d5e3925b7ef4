"""A desk whose disk is full acknowledges nothing that is not stored, and goes on once there is room again.

Not run where this account may not mount a disk of its own: see `tests/classroom/conftest.py`.
"""

from __future__ import annotations

import re
import subprocess
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import httpx
import pytest

from benchmarks import classroom
from benchmarks.audit import audit
from benchmarks.hall import exam
from benchmarks.hall.learners import Hall
from benchmarks.hall.stack import PREFIX, Stack, running
from quiz_widgets.classroom.desk.database.engine import connect
from quiz_widgets.classroom.desk.database.migrations import migrate
from tests.classroom import loops

LEARNERS = 40
TOKEN = "ab" * 32


@pytest.fixture
def disk(tmp_path: Path) -> Iterator[Path]:
    """A disk of four megabytes, in memory."""
    place = tmp_path / "disk"
    place.mkdir()
    subprocess.run(["mount", "-t", "tmpfs", "-o", "size=4m,mode=0700", "desk", str(place)], check=True)
    try:
        yield place
    finally:
        subprocess.run(["umount", str(place)], check=True)


def fill(disk: Path) -> Path:
    """Leave the disk no room; the file whose removal makes some."""
    filler = disk / "filler"
    with filler.open("wb", buffering=0) as opened, suppress(OSError):
        while True:
            opened.write(bytes(4096))
    return filler


@pytest.mark.slow
@pytest.mark.classroom
def test_a_full_disk_acknowledges_nothing_that_is_not_stored(
    tmp_path: Path, disk: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("QUIZ_DESK_METRICS_TOKEN", TOKEN)
    url = classroom.sqlite(disk)
    engine = connect(url)
    migrate(engine)
    learners = exam.make(engine, LEARNERS)
    engine.dispose()
    receipts = tmp_path / "receipts.jsonl"
    receipts.touch()
    with running(Stack(url, folder=tmp_path)) as stack:
        hall = Hall(learners, stack.port, PREFIX, receipts, connections=8, tries=2)
        loops.run(hall.open_all())
        desk = f"http://127.0.0.1:{stack.port}{PREFIX}"
        ada = {"Authorization": f"token {learners[0].token}"}

        filler = fill(disk)
        with pytest.raises(RuntimeError, match="no answer"):
            loops.run(hall.answer_at_once())
        found = audit(url, receipts)
        assert (found["lost"], found["doubled"]) == (0, 0)
        assert found["stored"] < LEARNERS * 8
        metrics = httpx.get(f"{desk}/metrics", headers={"Authorization": f"Bearer {TOKEN}"}).text
        assert set(re.findall(r'requests_total\{route="submit",status="(\d+)"', metrics)) - {"200"} == {"503"}
        assert httpx.get(f"{desk}{exam.PATH}", headers=ada).status_code == 200  # what is there can be read

        filler.unlink()
        hall.tries = 60
        loops.run(hall.answer_at_once())
        found = audit(url, receipts)
    assert (found["lost"], found["doubled"], found["stored"]) == (0, 0, LEARNERS * 8)
