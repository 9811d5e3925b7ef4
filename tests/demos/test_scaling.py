"""Loss scaling: closed forms exactly, real gradients and the stall by inequalities with room on both sides."""

import math

import numpy as np
import pytest
from hypothesis import given, strategies

from quiz_widgets.demos import formats, gradients, scaling, stall


@pytest.mark.parametrize(("vocabulary", "tokens"), [(50257, 667), (32000, 1048), (128256, 261), (65, 516_222)])
def test_tokens_until_underflow(vocabulary: int, tokens: int) -> None:
    assert int(scaling.tokens_until_underflow(vocabulary)) == tokens


def test_the_closed_form_is_where_rounding_happens() -> None:
    for vocabulary in (32000, 50257):
        tokens = int(scaling.tokens_until_underflow(vocabulary))
        assert formats.fate(1 / vocabulary / (tokens + 1), "fp16") == "zero"
        assert formats.fate(1 / vocabulary / tokens, "fp16") == "subnormal"


@pytest.mark.parametrize(
    ("gradient", "power"), [(1.0, 0), (2.0**-25, 1), (1.01 * 2.0**-25, 0), (2.0**-30, 6), (1e-9, 5)]
)
def test_smallest_saving_scale(gradient: float, power: int) -> None:
    assert scaling.smallest_saving_scale(gradient) == power


@given(strategies.floats(min_value=1e-20, max_value=1.0))
def test_the_smallest_saving_scale_saves_and_half_of_it_does_not(gradient: float) -> None:
    power = scaling.smallest_saving_scale(gradient)
    assert formats.fate(gradient * 2.0**power, "fp16") != "zero"
    assert power == 0 or float(formats.to_fp16(gradient * 2.0 ** (power - 1))) == 0


def test_largest_scale_is_the_last_without_overflow() -> None:
    values = np.array([3.0, -5.5], np.float32)
    power = scaling.largest_scale(values)
    assert math.isfinite(float(formats.to_fp16(5.5 * 2.0**power)))
    assert math.isinf(float(formats.to_fp16(5.5 * 2.0 ** (power + 1))))


def test_real_gradients_lie_in_the_dead_zone_until_scaled() -> None:
    found = gradients.train()
    assert found.loss < 0.1  # it has learned its text: then gradients are small
    by_scale = scaling.shares_by_scale(found.logits, (0, 8, 24))
    assert by_scale[0].zero > 0.5
    assert by_scale[8].zero < by_scale[0].zero
    assert by_scale[24].zero < 0.02
    assert formats.shares(found.logits, "bf16").zero == 0


def test_scaling_by_a_power_of_two_is_undone_exactly() -> None:
    """While nothing underflows or overflows, the scale changes no bit of the step."""
    values = np.random.default_rng(0).uniform(2.0**-10, 1, 1000).astype(np.float32)
    scaled = formats.to_fp16(values * np.float32(2.0**8)) / np.float32(2.0**8)
    assert np.array_equal(scaled, formats.to_fp16(values))


def test_unscaled_training_stands_still_with_every_gradient_zero() -> None:
    plain, scaled = stall.train("fp16"), stall.train("fp16", scale=2.0**16)
    assert plain.zero_share == 1.0
    assert plain.losses[-1] == plain.losses[-5]
    assert math.sqrt(plain.loss) < stall.stalls_below("fp16")
    assert scaled.loss < plain.loss / 1000
    assert stall.train("bf16").loss < plain.loss / 1000


def test_a_scale_too_large_skips_every_step_and_without_skipping_ruins_the_weights() -> None:
    skipped = stall.train("fp16", scale=2.0**32)
    assert skipped.skipped == 30
    assert skipped.losses[0] == skipped.losses[-1]
    assert math.isnan(stall.train("fp16", scale=2.0**32, skip=False).loss)


def test_dynamic_scaling_finds_its_way_down() -> None:
    run = stall.train("fp16", scale=2.0**36, dynamic=True)
    assert 0 < run.skipped < 10
    assert run.loss < 1e-6


def test_staircase_of_the_dynamic_scaler() -> None:
    moves = scaling.DynamicScaler(2.0**16, interval=10).run(step in (25, 26, 40) for step in range(51))
    changes = {move.step: math.log2(move.next_scale) for move in moves if move.next_scale != move.scale}
    assert changes == {9: 17, 19: 18, 25: 17, 26: 16, 36: 17, 40: 16, 50: 17}
    assert [move.step for move in moves if move.skipped] == [25, 26, 40]


def test_at_least_one_step() -> None:
    with pytest.raises(ValueError, match="at least 1"):
        gradients.train(0)
