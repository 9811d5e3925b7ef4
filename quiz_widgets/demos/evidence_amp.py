"""Evidence on automatic mixed precision, asked of PyTorch itself."""

from __future__ import annotations

from quiz_widgets.demos.registry import Fact, Facts, evidence


@evidence("sixteen_bit_benefit", requires=("torch",), seconds=12)
def sixteen_bit_benefit() -> Facts:
    """Bytes and speed of 16 bits, at several batch sizes and under every instruction set of this machine."""
    import torch

    from quiz_widgets.demos import autocast, isa
    from quiz_widgets.demos.activations import by_batch

    saved = {entry.batch: entry.ratio for entry in by_batch((16, 4096))}
    step = autocast.step()
    speeds = [isa.measure(setting) for setting in isa.settings()]
    ratios = [speed.bf16 / speed.fp32 for speed in speeds]
    facts = {
        "tensor_bytes_ratio": Fact(torch.bfloat16.itemsize / torch.float32.itemsize),
        "saved_bytes_ratio_large": Fact(saved[4096]),
        "saved_bytes_ratio_small": Fact(saved[16]),
        "slowest_speed_ratio": Fact(min(ratios)),
        "fastest_speed_ratio": Fact(max(ratios)),
        "output_difference": Fact(step.largest_relative_difference),
        "gradient_bytes": Fact(step.gradient_bytes, "bytes per parameter"),
    }
    speeds_told = ", ".join(f"{ratio:.2g} under {speed.setting}" for speed, ratio in zip(speeds, ratios, strict=True))
    return Facts(
        facts,
        f"bytes kept for backward: {saved[4096]:.2f} of FP32's at batch 4096, {saved[16]:.1f} times as many at batch "
        f"16; speed of a bfloat16 product relative to FP32 on this CPU: {speeds_told}",
    )


@evidence("pytorch_amp_api", requires=("torch",), seconds=1)
def pytorch_amp_api() -> Facts:
    """Which names warn that they are deprecated, and which of the offered ones choose a dtype at all."""
    import torch

    from quiz_widgets.demos.amp_api import ask, changes_dtype

    names = ask()
    facts = {
        "amp_autocast_deprecated": Fact(names["torch.amp.autocast"].deprecated),
        "amp_scaler_deprecated": Fact(names["torch.amp.GradScaler"].deprecated),
        "cuda_autocast_deprecated": Fact(names["torch.cuda.amp.autocast"].deprecated),
        "cuda_scaler_deprecated": Fact(names["torch.cuda.amp.GradScaler"].deprecated),
        "autocast_changes_dtype": Fact(changes_dtype("torch.amp.autocast")),
        "save_changes_dtype": Fact(changes_dtype("torch.save and torch.load")),
        "parallel_changes_dtype": Fact(changes_dtype("torch.nn.DataParallel and torch.manual_seed")),
        "torch_version": Fact(torch.__version__.split("+")[0]),
    }
    old = [name for name, entry in names.items() if entry.deprecated]
    return Facts(facts, f"PyTorch {torch.__version__.split('+')[0]} deprecates {', '.join(old)}")


@evidence("autocast", requires=("torch",), seconds=2)
def autocast() -> Facts:
    """The dtype of each operation's result on CUDA and on the CPU, and what stays as it was."""
    from quiz_widgets.demos import autocast as demo

    cuda, cpu, step = demo.op_table("cuda"), demo.op_table("cpu"), demo.step()
    operations = ("linear", "matmul", "relu", "softmax", "layer_norm", "cross_entropy")
    facts = {
        **{f"cuda_{name}": Fact(cuda[name]) for name in operations},
        **{f"cpu_{name}": Fact(cpu[name]) for name in operations},
        "parameter_dtype": Fact(step.parameter_dtype),
        "gradient_dtype": Fact(step.gradient_dtype),
        "optimizer_replaced": Fact(step.optimizer != "Adam"),
        "bitwise_equal": Fact(step.bitwise_equal),
        "output_difference": Fact(step.largest_relative_difference),
    }
    return Facts(
        facts,
        f"on CUDA matmul gives {cuda['matmul']} and softmax {cuda['softmax']}, on the CPU matmul {cpu['matmul']} and "
        f"softmax {cpu['softmax']}; parameters stay {step.parameter_dtype}, and outputs are up to "
        f"{step.largest_relative_difference:.1%} off FP32's",
    )


@evidence("grad_scaler", requires=("torch",), seconds=1)
def grad_scaler() -> Facts:
    """`torch.amp.GradScaler` beside the small scaler of this course, at every step."""
    from quiz_widgets.demos.torch_scaler import defaults, trace

    found = trace([step in (25, 26, 40) for step in range(51)])
    facts = {
        **{name: Fact(value) for name, value in defaults().items()},
        "equal": Fact(found.equal),
        "skipped": Fact(len(found.unchanged)),
        "last_scale": Fact(found.torch_scales[-1]),
    }
    return Facts(facts, f"51 steps with 3 overflows: {len(found.unchanged)} left the weights alone, both scalers agree")
