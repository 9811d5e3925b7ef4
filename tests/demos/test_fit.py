"""The fit calculator: parameters and bytes exactly, and the cases that still do not fit."""

import pytest

from quiz_widgets.demos import fit
from quiz_widgets.demos.adam import GB, Role

STATE: tuple[Role, ...] = ("master", "moments")
STATE_AND_GRADIENTS: tuple[Role, ...] = ("gradients", *STATE)


def test_parameters_of_known_models() -> None:
    assert fit.GPT2.parameters == 124_439_808
    assert fit.GPT3.parameters == pytest.approx(174.6e9, rel=1e-3)


@pytest.mark.parametrize(("model", "share"), [((2048, 96, 12288), 80), ((2048, 128, 20480), 64)])
def test_attention_share_of_the_formula(model: tuple[int, int, int], share: int) -> None:
    length, heads, hidden = model
    full = fit.activation_bytes(length, 1, hidden, heads)
    assert full - fit.activation_bytes(length, 1, hidden, heads, "flash") == share * length * hidden
    assert fit.activation_bytes(length, 1, hidden, heads, "checkpoint") == 2 * length * hidden


def test_offloading_the_state_is_not_enough() -> None:
    found = fit.fit(fit.LARGE, 24 * GB, batch=8, offload=STATE)
    assert found.optimizer == 0
    assert found.activations / GB == pytest.approx(91.8, abs=0.05)
    assert not found.fits
    assert fit.fit(fit.LARGE, 24 * GB, batch=8, offload=STATE, keep="checkpoint").fits


def test_weights_alone_may_be_too_many() -> None:
    found = fit.fit(fit.THIRTEEN, 24 * GB, offload=STATE_AND_GRADIENTS, keep="checkpoint")
    assert found.weights > 24 * GB
    assert not found.fits


@pytest.mark.parametrize(
    ("memory", "offload", "batches"),
    [
        (24, (), (0, 0, 0)),
        (24, STATE, (0, 0, 0)),
        (24, STATE_AND_GRADIENTS, (0, 1, 5)),
        (80, (), (0, 0, 0)),
        (80, STATE, (1, 5, 28)),
    ],
)
def test_largest_batch(memory: int, offload: tuple[Role, ...], batches: tuple[int, int, int]) -> None:
    keeps: tuple[fit.Keep, ...] = ("everything", "flash", "checkpoint")
    found = tuple(fit.largest_batch(fit.SEVEN, memory * GB, keep=keep, offload=offload) for keep in keeps)
    assert found == batches


def test_nothing_is_counted_twice() -> None:
    found = fit.fit(fit.SEVEN, 80 * GB)
    whole = 16 * fit.SEVEN.parameters
    assert found.weights + found.gradients + found.optimizer == whole
    assert found.total == whole + found.activations + found.logits
