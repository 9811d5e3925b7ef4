"""Bytes per parameter by arithmetic: every figure is exact."""

import pytest

from quiz_widgets.demos import adam

SHAPES = [(33, 57), (57,), (129, 33), (33,), (5, 7, 11), (1,), (127, 121)]
COUNT = sum(adam._product(shape) for shape in SHAPES)


@pytest.mark.parametrize(
    ("recipe", "total", "state"),
    [
        ("fp32_adam", 16, 8),
        ("autocast_adam", 16, 8),
        ("mixed_adam", 16, 12),
        ("mixed_adam_fp32_gradients", 18, 12),
        ("mixed_adam_both_gradients", 20, 12),
        ("fp32_sgd", 8, 0),
        ("fp32_momentum", 12, 4),
        ("fp32_rmsprop", 12, 4),
        ("fp32_adagrad", 12, 4),
        ("fp32_adam_8bit", 10.03125, 2.03125),
        ("bf16_adam", 8, 4),
    ],
)
def test_bytes_per_parameter(recipe: str, total: float, state: float) -> None:
    kept = adam.RECIPES[recipe]
    assert (float(kept.total), float(kept.state)) == (total, state)


@pytest.mark.parametrize(
    ("recipe", "gigabytes"),
    [
        ("fp32_adam", 120),
        ("mixed_adam", 120),
        ("mixed_adam_fp32_gradients", 135),
        ("fp32_momentum", 90),
        ("fp32_adam_8bit", 75.234375),
        ("bf16_adam", 60),
    ],
)
def test_seven_and_a_half_billion_parameters(recipe: str, gigabytes: float) -> None:
    assert adam.RECIPES[recipe].bytes(7_500_000_000) == gigabytes * adam.GB


@pytest.mark.parametrize(
    ("optimizer", "per_parameter", "per_tensor"),
    [("adam", 8, 4), ("adamw", 8, 4), ("amsgrad", 12, 4), ("sgd", 0, 0), ("momentum", 4, 0), ("rmsprop", 4, 4),
     ("adagrad", 4, 4)],
)  # fmt: skip
def test_state_bytes(optimizer: adam.Optimizer, per_parameter: int, per_tensor: int) -> None:
    assert adam.state_bytes(optimizer, SHAPES) == per_parameter * COUNT + per_tensor * len(SHAPES)


def test_state_in_the_parameters_own_type() -> None:
    assert adam.state_bytes("adam", SHAPES, element_bytes=2) == 4 * COUNT + 4 * len(SHAPES)


def test_adafactor_keeps_rows_and_columns() -> None:
    assert adam.state_bytes("adafactor", [(100, 20)]) == 4 * (100 + 20) + 4
    assert adam.state_bytes("adafactor", [(100,)]) == 4 * 100 + 4


def test_eight_bit_adam() -> None:
    assert adam.state_bytes("adam_8bit", [(256, 256)]) == 133_120
    assert adam.state_bytes("adam_8bit", [(4095,)]) == 8 * 4095


def test_offloading_moves_twelve_of_sixteen_bytes() -> None:
    placed = adam.place(adam.RECIPES["mixed_adam"], 1000, offload=("master", "moments"))
    assert (placed.gpu, placed.host) == (4000, 12000)
    assert placed.fits(4000)
    assert not placed.fits(3999)
