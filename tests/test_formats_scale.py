"""A file of 5,000 questions with pictures is imported in bounded memory; `benchmarks/formats.py` prints the figures."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks import formats
from quiz_widgets.formats import images

COUNT = 5000


def test_the_pictures_are_pictures_and_differ() -> None:
    made = [formats.png(number) for number in (0, 1, 1)]

    assert images.check(made[0]) == (".png", "")
    assert made[0] != made[1]
    assert made[1] == made[2]


@pytest.mark.slow
@pytest.mark.timeout(900)
def test_a_large_file_with_pictures_is_imported_in_bounded_memory(tmp_path: Path) -> None:
    path = tmp_path / "bank.xml"
    formats.write(path, COUNT)
    size = path.stat().st_size / 1e6

    found = formats.run(path, tmp_path / "made")

    assert 45 < size < 64  # MB; more than 64 MiB are refused
    assert (found["code"], found["items"]) == (0, COUNT)
    # Measured: 246 MB, which are 4.9 times the file, and 13 s.
    assert found["peak"] < 400
    assert found["peak"] < 8 * size
    assert found["cpu"] < 60
