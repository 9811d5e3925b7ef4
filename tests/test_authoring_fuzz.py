"""No bytes make the reader of quizzes, translations and guides fail, hang or take memory without bound.

`FUZZ_SECONDS=60` (as `make fuzz` has it) goes on for so long with each of the three.
"""

from __future__ import annotations

import os
import random
import subprocess
import sys

import pytest

from tests.fuzz import reader

SECONDS = float(os.environ.get("FUZZ_SECONDS", "0"))
EXAMPLES = 250  # some seconds


@pytest.mark.parametrize("kind", reader.KINDS)
def test_no_bytes_make_the_reader_fail(kind: str) -> None:
    run = [sys.executable, "-m", "tests.fuzz.reader", kind, str(EXAMPLES), str(SECONDS)]

    # The process ends by itself; only a hang inside compiled code, which no alarm interrupts, would get to the limit.
    done = subprocess.run(run, capture_output=True, text=True, timeout=SECONDS + 900, check=False)

    assert (done.returncode, done.stderr) == (0, "")
    print(done.stdout)


def test_what_is_tried_differs_and_can_be_made_again() -> None:
    known = reader.seeds("quiz")
    tried = [reader.example("quiz", known, number) for number in range(100)]

    assert len(known) > 50
    assert len(set(tried)) > 90
    assert tried == [reader.example("quiz", known, number) for number in range(100)]


def test_a_replaced_value_leaves_a_file_well_formed() -> None:
    seed = reader.seeds("quiz")[0]

    assert {reader.replaced(seed, random.Random(number)) != seed for number in range(5)} == {True}
