"""What torch itself says about scaling, autocast and rounding: exact where it is exact."""

import random

import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="pip install torch")

from quiz_widgets.demos import amp_api, autocast, formats, torch_scaler  # noqa: E402  # needs torch


@pytest.fixture(autouse=True)
def one_thread() -> None:
    torch.set_num_threads(1)


def test_defaults_of_the_scaler() -> None:
    assert torch_scaler.defaults() == {
        "scale": 65536.0, "growth_factor": 2.0, "backoff_factor": 0.5, "growth_interval": 2000.0,
    }  # fmt: skip


def test_own_scaler_equals_torch_for_400_random_steps() -> None:
    chance = random.Random(7)
    overflows = [chance.random() < 0.07 for _ in range(400)]
    found = torch_scaler.trace(overflows)
    assert found.equal
    assert len(set(found.own_scales)) > 3
    assert set(found.unchanged) == {step for step, overflow in enumerate(overflows) if overflow}


def test_steps_that_overflow_change_no_weight() -> None:
    found = torch_scaler.trace([step in (25, 26, 40) for step in range(51)])
    assert found.unchanged == (25, 26, 40)
    assert found.torch_scales[24:27] == (2.0**18, 2.0**17, 2.0**16)


def test_numpy_bfloat16_is_torchs() -> None:
    rng = np.random.default_rng(0)
    patterns = rng.integers(0, 2**32, 200_000, dtype=np.uint64).astype(np.uint32)
    # Ties, and their neighbours, for every exponent.
    ties = (np.arange(0, 2**16, 7, dtype=np.uint32) << 16) | 0x8000
    values = np.concatenate([patterns, ties - 1, ties, ties + 1]).view(np.float32)
    values = values[np.isfinite(values)]
    ours = formats.to_bf16(values)
    theirs = torch.from_numpy(values.copy()).to(torch.bfloat16).float().numpy()
    assert np.array_equal(ours.view(np.uint32), theirs.view(np.uint32))


def test_which_names_are_deprecated() -> None:
    names = amp_api.ask()
    assert {name for name, entry in names.items() if entry.deprecated} == {
        "torch.cuda.amp.autocast", "torch.cuda.amp.GradScaler", "torch.cpu.amp.autocast", "torch.cpu.amp.GradScaler",
    }  # fmt: skip
    assert "torch.amp.autocast('cuda', args...)" in names["torch.cuda.amp.autocast"].warning


def test_only_autocast_changes_a_dtype() -> None:
    assert amp_api.changes_dtype("torch.amp.autocast")
    assert not amp_api.changes_dtype("torch.save and torch.load")
    assert not amp_api.changes_dtype("torch.nn.DataParallel and torch.manual_seed")
    with pytest.raises(ValueError, match="none of the names"):
        amp_api.changes_dtype("torch.jit")


LOW = ("linear", "matmul", "bmm", "conv1d", "attention", "relu", "gelu", "add", "mean")
SAFER_ON_CUDA = ("softmax", "log_softmax", "layer_norm", "exp", "log", "pow", "sum", "cumsum", "norm")
ALWAYS_FP32 = ("cross_entropy", "mse_loss", "l1_loss", "bce_with_logits", "add fp32", "mul fp32", "cat fp32")


def test_rules_of_the_cpu() -> None:
    table = autocast.op_table("cpu")
    assert table == {
        **dict.fromkeys(LOW, "bf16"), **dict.fromkeys(SAFER_ON_CUDA, "bf16"), **dict.fromkeys(ALWAYS_FP32, "fp32"),
        "bce": "fp32",
    }  # fmt: skip


def test_rules_of_cuda_run_without_a_gpu() -> None:
    table = autocast.op_table("cuda", fake=True)
    assert table == {
        **dict.fromkeys(LOW, "fp16"), **dict.fromkeys(SAFER_ON_CUDA, "fp32"), **dict.fromkeys(ALWAYS_FP32, "fp32"),
        "bce": "refused",
    }  # fmt: skip


def test_autocast_is_off_again_afterwards() -> None:
    autocast.op_table("cuda", fake=True)
    assert not torch.is_autocast_enabled("cuda")
    assert (torch.ones(2, 2) @ torch.ones(2, 2)).dtype == torch.float32


def test_parameters_and_gradients_stay_fp32() -> None:
    found = autocast.step()
    assert (found.parameter_dtype, found.gradient_dtype, found.output_dtype) == ("fp32", "fp32", "bf16")
    assert (found.parameter_bytes, found.gradient_bytes, found.state_bytes) == (4, 4, 8)
    assert not found.bitwise_equal
    assert 0 < found.largest_relative_difference < 0.02  # about 2^-8, the rounding of one bfloat16 number
    assert found.loss == pytest.approx(found.loss_fp32, rel=1e-3)
