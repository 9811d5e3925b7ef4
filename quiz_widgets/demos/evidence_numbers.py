"""Evidence of the number items: the value, and beside it the value that each known slip leads to.

A drawn item gives its own parameters; the defaults are one example. The fact ``value`` is graded, facts named as
slips are, with ``_`` for ``-``, are known mistakes, and the rest are steps of the calculation, for the texts.
"""

from __future__ import annotations

import math

from quiz_widgets.demos.registry import Fact, Facts, evidence


def _numbers(unit: str, summary: str, **values: float) -> Facts:
    return Facts({name: Fact(value, unit) for name, value in values.items()}, summary)


@evidence("weight_memory")
def weight_memory(billions: float = 7) -> Facts:
    """Memory of bfloat16 weights."""
    from quiz_widgets.demos.adam import GB, GIB
    from quiz_widgets.demos.formats import FORMATS

    parameters = billions * GB
    size = parameters * FORMATS["bf16"].bits / 8
    return _numbers(
        "GiB",
        f"{billions:g} billion bfloat16 weights take {size / GIB:.2f} GiB",
        value=size / GIB,
        gb_for_gib=size / GB,
        four_bytes=parameters * FORMATS["fp32"].bits / 8 / GIB,
        bits=8 * size / GIB,
    )


@evidence("smallest_loss_scale")
def smallest_loss_scale(power: int = -30) -> Facts:
    """The smallest scale that keeps a gradient of 2**power from becoming zero in FP16, found by rounding."""
    from quiz_widgets.demos.formats import FORMATS
    from quiz_widgets.demos.scaling import smallest_saving_scale

    gradient = 2.0**power
    exponent = smallest_saving_scale(gradient)
    return _numbers(
        "",
        f"2^{power} survives FP16 from loss scale {2**exponent} on",
        value=2**exponent,
        tie=2 ** (exponent - 1),
        normal_range=FORMATS["fp16"].smallest_normal / gradient,
        exponent=exponent,
    )


@evidence("largest_loss_scale")
def largest_loss_scale(gradient: float = 3) -> Facts:
    """The largest power of two by which a gradient can be multiplied in FP16."""
    from quiz_widgets.demos.formats import FORMATS
    from quiz_widgets.demos.scaling import largest_scale

    power = largest_scale([gradient])
    return _numbers(
        "",
        f"a gradient of {gradient:g} bears a loss scale of {2**power}",
        value=2**power,
        rounded_up=2 ** (power + 1),
        no_power=FORMATS["fp16"].largest // gradient,
        bound=FORMATS["fp16"].largest / gradient,
        scaled=gradient * 2**power,
        doubled=gradient * 2 ** (power + 1),
    )


@evidence("scaler_trace")
def scaler_trace(clean_steps: int = 4000) -> Facts:
    """The scale of a dynamic scaler with PyTorch's defaults after clean steps and one overflow."""
    from quiz_widgets.demos.scaling import DynamicScaler

    start = DynamicScaler().scale
    moves = DynamicScaler().run([False] * clean_steps + [True])
    return _numbers(
        "",
        f"after {clean_steps} clean steps and an overflow the scale is {moves[-1].next_scale:g}",
        value=moves[-1].next_scale,
        no_backoff=moves[-1].scale,
        reset=start,
        one_doubling=start / 2,
        doublings=math.log2(moves[-1].scale / start),
    )


@evidence("repeated_updates")
def repeated_updates(updates: int = 4096, exponent: int = -12) -> Facts:
    """A weight of 1 to which 2**exponent is added many times, rounded to FP16 each time."""
    from quiz_widgets.demos.formats import FORMATS
    from quiz_widgets.demos.master import add_repeatedly

    single = add_repeatedly(2.0**exponent, updates, "fp32")
    half = add_repeatedly(2.0**exponent, updates, "fp16")
    return _numbers(
        "",
        f"{updates} additions of 2^{exponent} to 1 make {half:g} in FP16 and {single:g} in FP32",
        value=half,
        exact=single,
        one_gap=1 + FORMATS["fp16"].epsilon,
    )


@evidence("mixed_state_size")
def mixed_state_size(billions: float = 1.5) -> Facts:
    """Memory of everything but activations in mixed-precision Adam."""
    from quiz_widgets.demos.adam import GB, GIB, RECIPES

    parameters = billions * GB
    size = float(RECIPES["mixed_adam"].total) * parameters
    return _numbers(
        "GB",
        f"{billions:g} billion parameters with mixed-precision Adam take {size / GB:g} GB",
        value=size / GB,
        twelve_bytes=float(RECIPES["mixed_adam"].state) * parameters / GB,
        gib_for_gb=size / GIB,
        gradient_copy=float(RECIPES["mixed_adam_both_gradients"].total) * parameters / GB,
        bits=8 * size / GB,
    )


@evidence("stalled_sum")
def stalled_sum(ones: int = 10000) -> Facts:
    """A running sum of ones, rounded after every addition."""
    from quiz_widgets.demos.accumulation import count_ones
    from quiz_widgets.demos.formats import FORMATS

    half = count_ones(ones, "fp16")
    return _numbers(
        "",
        f"{ones} ones add up to {half:g} in FP16",
        value=half,
        exact=count_ones(ones, "fp32"),
        one_bit_less=2.0 ** FORMATS["fp16"].mantissa_bits,
        bfloat16=count_ones(ones, "bf16"),
    )


@evidence("step_speed_up")
def step_speed_up(percent: float = 60, factor: float = 4) -> Facts:
    """The speed-up of a step of which only a part gets faster."""
    share = percent / 100
    new = 1 - share + share / factor
    return _numbers(
        "times as fast",
        f"{percent:g}% of a step at {factor:g} times the speed makes the step {1 / new:.3f} times as fast",
        value=1 / new,
        part_only=factor,
        averaged_factors=share * factor + (1 - share),
        inverted=new,
        share=share,
        fast=share / factor,
        rest=1 - share,
        limit=1 / (1 - share),
    )


@evidence("state_size")
def state_size(billions: float = 7) -> Facts:
    """Memory of two moments and a master copy."""
    from quiz_widgets.demos.adam import GB, GIB, RECIPES

    parameters, recipe = billions * GB, RECIPES["mixed_adam"]
    size = float(recipe.state) * parameters
    return _numbers(
        "GiB",
        f"{billions:g} billion parameters have {size / GIB:.2f} GiB of FP32 optimizer state",
        value=size / GIB,
        gb_for_gib=size / GB,
        no_master=float(recipe.moments) * parameters / GIB,
        all_sixteen=float(recipe.total) * parameters / GIB,
        bits=8 * size / GIB,
    )


@evidence("gpu_weights")
def gpu_weights(billions: float = 13) -> Facts:
    """Memory that ZeRO-Offload leaves on the GPU."""
    from quiz_widgets.demos.adam import GB, GIB, RECIPES, place

    parameters, recipe = int(billions * GB), RECIPES["mixed_adam"]
    stays = place(recipe, parameters, offload=("gradients", "master", "moments")).gpu
    return _numbers(
        "GB",
        f"of {billions:g} billion parameters {stays / GB:g} GB of FP16 weights stay on the GPU",
        value=stays / GB,
        with_gradients=place(recipe, parameters, offload=("master", "moments")).gpu / GB,
        everything=place(recipe, parameters).gpu / GB,
        gib_for_gb=stays / GIB,
    )


@evidence("host_update_time")
def host_update_time(billions: float = 1.5, bandwidth: float = 42) -> Facts:
    """Time of a fused Adam whose pace the memory sets: gradient, weight and moments in, weight and moments out."""
    read, written = 4 * 4, 3 * 4
    gigabytes = billions * (read + written)
    return _numbers(
        "s",
        f"28 bytes for each of {billions:g} billion parameters take {gigabytes / bandwidth:g} s at {bandwidth:g} GB/s",
        value=gigabytes / bandwidth,
        reads_only=billions * read / bandwidth,
        state_only=billions * written / bandwidth,
        bits=8 * gigabytes / bandwidth,
        gigabytes=gigabytes,
    )


@evidence("pcie_time")
def pcie_time(billions: float = 3, bandwidth: float = 12) -> Facts:
    """Time to send 16-bit gradients down and 16-bit weights up."""
    from quiz_widgets.demos.offload import STATE_BYTES, Job, Machine, phase_seconds

    phases = phase_seconds(Job(parameters=billions * 1e9), Machine(link=bandwidth * 1e9))
    both = phases["down"] + phases["up"]
    return _numbers(
        "s",
        f"gradients and weights of {billions:g} billion parameters take {both:g} s at {bandwidth:g} GB/s",
        value=both,
        one_way=phases["down"],
        state_moved=2 * STATE_BYTES * billions / bandwidth,
        full_precision=2 * both,
        bits=8 * both,
        gigabytes_down=phases["down"] * bandwidth,
        gigabytes=both * bandwidth,
    )


@evidence("nvme_time")
def nvme_time(billions: float = 2, read: float = 3.2, write: float = 3.0) -> Facts:
    """Time to read all optimizer state from a drive and to write it back."""
    from quiz_widgets.demos.offload import Job, Machine, phase_seconds

    machine = Machine(nvme_read=read * 1e9, nvme_write=write * 1e9)
    phases = phase_seconds(Job(parameters=billions * 1e9, nvme=True), machine)
    both = phases["read"] + phases["write"]
    return _numbers(
        "s",
        f"the state of {billions:g} billion parameters takes {both:g} s to read and to write",
        value=both,
        read_only=phases["read"],
        overlapped=max(phases["read"], phases["write"]),
        no_master=both * 8 / 12,
        gigabytes=phases["read"] * read,
        write_only=phases["write"],
    )


@evidence("overlapped_time")
def overlapped_time(chunks: int = 20, read: float = 10, compute: float = 12, write: float = 9) -> Facts:
    """Time of a pipeline of three stages, by simulating it chunk by chunk."""
    from quiz_widgets.demos.pipeline import pipeline_seconds

    stages = (read, compute, write)
    piped = pipeline_seconds(stages, chunks)
    return _numbers(
        "ms",
        f"{chunks} chunks through stages of {read:g}, {compute:g} and {write:g} ms take {piped:g} ms",
        value=piped,
        serial=chunks * sum(stages),
        no_fill=chunks * max(stages),
        one_too_many=sum(stages) + chunks * max(stages),
        first_chunk=sum(stages),
        slowest=max(stages),
        others=chunks - 1,
    )


@evidence("faster_host")
def faster_host(
    forward: float = 0.38, backward: float = 0.76, down: float = 0.56, adam: float = 7.0, up: float = 0.56
) -> Facts:
    """The speed-up of a serial step when host Adam doubles its speed."""
    old = forward + backward + down + adam + up
    return _numbers(
        "times as fast",
        f"an update twice as fast turns {old:.2f} s into {old - adam / 2:.2f} s",
        value=old / (old - adam / 2),
        part_only=2,
        transfers=old / (old - (down + up) / 2),
        inverted=(old - adam / 2) / old,
        old=old,
        new=old - adam / 2,
        half=adam / 2,
    )
