"""Activation bytes: the published formula holds to the byte, and autocast saves memory only past a batch size."""

import pytest

pytest.importorskip("torch", reason="pip install torch")

from quiz_widgets.demos import activations


@pytest.mark.parametrize(
    ("length", "batch", "hidden", "heads"),
    [(64, 2, 64, 4), (32, 1, 64, 8), (128, 2, 32, 2), (48, 3, 96, 6), (256, 2, 256, 8)],
)
def test_formula_to_the_byte(length: int, batch: int, hidden: int, heads: int) -> None:
    found = activations.check_formula(length, batch, hidden, heads)
    assert found.formula == length * batch * (34 * hidden + 5 * heads * length)
    assert found.saved == found.formula + found.statistics
    assert found.statistics == 8 * length * batch
    assert found.checkpointed == 2 * length * batch * hidden


def test_known_size() -> None:
    found = activations.check_formula(256, 2, 256, 8)
    assert (found.formula, found.saved, found.checkpointed) == (9_699_328, 9_703_424, 262_144)


def test_autocast_saves_more_bytes_at_a_small_batch_and_fewer_at_a_large_one() -> None:
    small, equal, large = activations.by_batch((16, 256, 1024))
    assert small.ratio == pytest.approx(8.388, abs=0.001)
    assert equal.fp32 == equal.autocast == 4_524_036
    assert (large.fp32, large.autocast) == (18_096_132, 11_411_460)
