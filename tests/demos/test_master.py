"""Master weights and accumulation: exact where rounding decides, inequalities with room where training does."""

import pytest

from quiz_widgets.demos import accumulation, formats, master


@pytest.mark.parametrize(("name", "total"), [("fp16", 1.0), ("bf16", 1.0), ("fp32", 2.0)])
def test_many_small_updates(name: formats.Name, total: float) -> None:
    assert master.add_repeatedly(2.0**-12, 4096, name) == total


@pytest.mark.parametrize(("name", "total"), [("fp16", 2048.0), ("bf16", 256.0), ("fp32", 4096.0)])
def test_counting_ones(name: formats.Name, total: float) -> None:
    assert accumulation.count_ones(4096, name) == total


def test_spacing_near_one() -> None:
    spacing = {name: master.smallest_change(1.0, name) for name in ("fp16", "bf16", "fp32")}
    assert spacing == {"fp16": 2.0**-10, "bf16": 2.0**-7, "fp32": 2.0**-23}
    assert master.smallest_change(0.75, "fp16") == 2.0**-11


def test_a_master_copy_thaws_what_16_bits_froze() -> None:
    runs = master.train()
    start = runs["fp32", 3e-4].losses[0]
    assert runs["bf16", 3e-4].loss == start  # not one weight moved
    assert runs["bf16", 3e-4].lost == 1.0
    assert runs["fp16", 1e-4].loss == start
    assert runs["fp16", 3e-4].loss > start / 2
    for storage in ("fp32", "fp16_master", "bf16_master"):
        assert runs[storage, 3e-4].loss < start / 50
        assert runs[storage, 3e-4].lost < 0.01
    assert master.frozen(master.RATES, runs, "bf16")[:3] == (1e-4, 2e-4, 3e-4)


def test_bfloat16_needs_the_master_copy_more_than_fp16() -> None:
    runs = master.train()
    assert all(runs["bf16", rate].lost >= runs["fp16", rate].lost for rate in master.RATES)


def test_error_of_long_sums() -> None:
    found = accumulation.measure()
    last = {name: errors[-1] for name, errors in found.errors.items()}
    assert found.lengths[-1] == 2**14
    assert last["fp16"] == pytest.approx(0.5, abs=0.01)  # stuck at 2048 of about 4096
    assert last["bf16"] == pytest.approx(0.9375, abs=0.005)  # stuck at 256
    assert found.stuck_at["fp16"] == 2048.0
    assert found.stuck_at["bf16"] == 256.0
    assert last["fp32_fp16_out"] < 2.0**-11  # one rounding to FP16 and nothing else
    assert last["fp32"] < 1e-5
    assert max(found.errors["fp32_fp16_out"]) < 4 * min(found.errors["fp32_fp16_out"])
