"""Optimizer state measured from real tensors equals the arithmetic, to the byte."""

import pytest

pytest.importorskip("torch", reason="pip install torch")

from quiz_widgets.demos import measured_adam
from quiz_widgets.demos.adam import Optimizer


@pytest.mark.parametrize("name", measured_adam.OPTIMIZERS)
def test_measured_is_arithmetic(name: Optimizer) -> None:
    found = measured_adam.measure(name)
    assert found.after == found.arithmetic
    assert found.tensors == len(measured_adam.SHAPES)


def test_adam_allocates_at_the_first_step() -> None:
    found = measured_adam.measure("adam")
    assert found.before == 0
    assert found.after == 8 * found.parameters + 4 * found.tensors
    assert found.per_parameter == pytest.approx(8, abs=0.01)


def test_moments_of_bfloat16_parameters_are_bfloat16() -> None:
    found = measured_adam.measure("adam", bf16=True)
    assert found.after == found.arithmetic == 4 * found.parameters + 4 * found.tensors


def test_mixed_recipe_to_the_byte() -> None:
    found = measured_adam.measure_mixed()
    assert found.state_per_parameter == 12
    assert found.total_per_parameter == 16
    assert found.counters == 4 * len(measured_adam.SHAPES)
    assert found.weights == found.gradients == 2 * found.parameters
