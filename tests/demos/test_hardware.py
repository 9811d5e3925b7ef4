"""What only a real process shows: running out of memory under a cap, and speed by instruction set."""

import sys

import pytest

pytest.importorskip("torch", reason="pip install torch")

from quiz_widgets.demos import isa, oom

pytestmark = pytest.mark.slow


@pytest.mark.skipif(not oom.available(), reason="a process's memory can be capped on Linux only")
def test_out_of_memory_where_predicted() -> None:
    assert oom.run(*oom.CASES) == {
        "everything": "optimizer",
        "offloaded": "",
        "large_batch": "forward",
        "checkpointed": "",
        "wide": "weights",
    }


@pytest.mark.skipif("avx2" not in isa.cpu_flags(), reason="oneDNN's instruction sets are those of x86")
def test_sixteen_bits_are_slow_without_instructions_for_them() -> None:
    """No bound on the fast settings: they differ from machine to machine."""
    assert isa.settings()[0] == "AVX2"
    speed = isa.measure("AVX2")
    assert speed.bf16 < 0.5 * speed.fp32


def test_a_machine_without_x86_instructions_is_measured_as_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(isa, "cpu_flags", frozenset)
    assert len(isa.settings()) == 1
    assert sys.platform != "linux" or isa.settings()[0] not in {"AVX2", ""}
