"""Evidence on optimizer offload: bytes, the disk-offloaded Adam at work, and what still does not fit."""

from __future__ import annotations

from quiz_widgets.demos.registry import Fact, Facts, evidence


@evidence("offload_purpose", seconds=1)
def offload_purpose() -> Facts:
    """Memory of a 1.3-billion-parameter model on a 16 GB GPU with and without offload, and what it costs."""
    from quiz_widgets.demos.adam import GB
    from quiz_widgets.demos.fit import LARGE, fit
    from quiz_widgets.demos.offload import GRADIENT_BYTES, Job, Machine, phase_seconds, simulate
    from quiz_widgets.demos.overlap import streamed_difference

    memory = 16 * GB
    here = fit(LARGE, memory, length=1024, keep="checkpoint")
    offloaded = fit(LARGE, memory, length=1024, keep="checkpoint", offload=("master", "moments"))
    job, machine = Job(parameters=LARGE.parameters, tokens=4096), Machine(adam=1e9, link=12e9)
    phases = phase_seconds(job, machine)
    before = phases["forward"] + phases["backward"]
    after = simulate(job, machine).seconds
    facts = {
        "gpu_gb": Fact(memory / GB, "GB"),
        "needed_gb": Fact(here.total / GB, "GB"),
        "needed_gb_offloaded": Fact(offloaded.total / GB, "GB"),
        "slow_down": Fact(after / before),
        "weight_difference": Fact(streamed_difference()),
        "gradient_bytes": Fact(GRADIENT_BYTES, "bytes per parameter"),
    }
    return Facts(
        facts,
        f"a model of 1.3 billion parameters needs {here.total / GB:.1f} GB of a 16 GB GPU, and "
        f"{offloaded.total / GB:.1f} GB with its state on the host; the step takes {after / before:.1f} times as long, "
        "and the weights are the same",
    )


@evidence("adam_state_bytes", requires=("torch",), seconds=0.5)
def adam_state_bytes() -> Facts:
    """Bytes of real tensors: two moments and a master copy, then everything."""
    from quiz_widgets.demos import cuda
    from quiz_widgets.demos.measured_adam import measure, measure_mixed

    mixed, adam = measure_mixed(), measure("adam")
    kept = {"cuda_bytes_per_parameter": cuda.state_memory().kept / 10_000_000} if cuda.available() else {}
    facts = {
        "state_bytes_per_parameter": Fact(mixed.state_per_parameter, "bytes per parameter"),
        "total_bytes_per_parameter": Fact(mixed.total_per_parameter, "bytes per parameter"),
        "counter_bytes": Fact(mixed.counters, "bytes"),
        "tensors": Fact(adam.tensors),
        "bytes_before_first_step": Fact(adam.before, "bytes"),
        "moment_bytes_per_parameter": Fact(mixed.moments / mixed.parameters, "bytes per parameter"),
        **{name: Fact(value, "bytes per parameter") for name, value in kept.items()},
    }
    return Facts(
        facts,
        f"master copy and two moments measure {mixed.state_per_parameter:g} bytes per parameter, with FP16 weights and "
        f"gradients {mixed.total_per_parameter:g}, and {mixed.counters} bytes of step counters in all",
    )


@evidence("offload_cost", seconds=3)
def offload_cost() -> Facts:
    """An Adam step in memory and from a slower place, measured and in the model of a step."""
    from quiz_widgets.demos.offload import Job, Machine, phase_seconds, simulate
    from quiz_widgets.demos.overlap import cost, streamed_difference

    rate = 0.1e9
    found = cost(rate)
    phases = phase_seconds(Job(), Machine())
    step = simulate(Job(), Machine())
    facts = {
        "file_gb_per_second": Fact(rate / 1e9, "GB/s"),
        "memory_ms": Fact(1000 * found.memory, "ms"),
        "file_ms": Fact(1000 * found.disk_serial, "ms"),
        "measured_slow_down": Fact(found.disk_serial / found.memory),
        "model_slow_down": Fact(step.seconds / (phases["forward"] + phases["backward"])),
        "weight_difference": Fact(streamed_difference()),
    }
    return Facts(
        facts,
        f"an Adam step over 2.1 million parameters takes {1000 * found.memory:.0f} ms in memory and "
        f"{1000 * found.disk_serial:.0f} ms from a file throttled to {rate / 1e9:g} GB/s; the weights are the same",
    )


@evidence("hiding_latency", seconds=2)
def hiding_latency() -> Facts:
    """A throttled disk-offloaded Adam with and without prefetch and write-back beside the update."""
    from quiz_widgets.demos.offload import GRADIENT_BYTES
    from quiz_widgets.demos.overlap import CHUNKS, compare, small_transfers, streamed_difference

    found = compare(12e6, 1e6)  # stages of equal length: overlap has most to hide
    facts = {
        "chunks": Fact(CHUNKS),
        "serial_seconds": Fact(found.serial.wall, "s"),
        "overlapped_seconds": Fact(found.overlapped.wall, "s"),
        "predicted_seconds": Fact(found.predicted, "s"),
        "speed_up": Fact(found.speed_up),
        "weight_difference": Fact(streamed_difference()),
        "small_transfer_slow_down": Fact(small_transfers()),
        "fp32_transfer_ratio": Fact(4 / GRADIENT_BYTES),
    }
    return Facts(
        facts,
        f"{CHUNKS} chunks take {found.serial.wall:.2f} s one after another and {found.overlapped.wall:.2f} s with "
        f"prefetch and write-back beside the update; a pipeline of these stages would take {found.predicted:.2f} s",
    )


@evidence("host_adam", requires=("torch",), seconds=4)
def host_adam() -> Facts:
    """The update on the CPU beside `torch.optim.Adam`, and the bytes that cross the link for it."""
    from quiz_widgets.demos.offload import GRADIENT_BYTES, STATE_BYTES, WEIGHT_BYTES
    from quiz_widgets.demos.overlap import identity

    found = identity(count=65536, chunk=16384)
    facts = {
        "update_device": Fact(found.device),
        "identical": Fact(found.equal and found.overlapped_equal and found.fused_equal),
        "link_bytes": Fact(GRADIENT_BYTES + WEIGHT_BYTES, "bytes per parameter"),
        "link_bytes_if_gpu_updates": Fact(2 * STATE_BYTES, "bytes per parameter"),
        "file_bytes_read": Fact(found.moved_bytes / found.count, "bytes per parameter"),
    }
    return Facts(
        facts,
        f"the update on the {found.device.upper()}, from a file, equals torch.optim.Adam's bit for bit; "
        f"{GRADIENT_BYTES + WEIGHT_BYTES} bytes per parameter cross PCIe, and {2 * STATE_BYTES} would if the GPU "
        "updated",
    )


@evidence("still_out_of_memory", requires=("torch",), seconds=15)
def still_out_of_memory() -> Facts:
    """A fit calculator, its formula checked to the byte, and a real run in a capped process where that is possible."""
    from quiz_widgets.demos import oom
    from quiz_widgets.demos.activations import check_formula
    from quiz_widgets.demos.adam import GB
    from quiz_widgets.demos.fit import LARGE, fit

    memory = 24 * GB
    state = ("master", "moments")
    full = fit(LARGE, memory, batch=8, offload=state)  # type: ignore[arg-type]
    again = fit(LARGE, memory, batch=8, offload=state, keep="checkpoint")  # type: ignore[arg-type]
    checked = check_formula()
    ended = oom.run("offloaded", "large_batch", "checkpointed") if oom.available() else {}
    facts = {
        "gpu_gb": Fact(memory / GB, "GB"),
        "needed_gb": Fact(full.total / GB, "GB"),
        "activation_gb": Fact(full.activations / GB, "GB"),
        "fits": Fact(full.fits),
        "needed_gb_checkpointed": Fact(again.total / GB, "GB"),
        "fits_checkpointed": Fact(again.fits),
        "formula_misses_bytes": Fact(checked.saved - checked.statistics - checked.formula, "bytes"),
        "real_run": Fact(bool(ended)),
        **({"real_run_failed_in": Fact(ended["large_batch"])} if ended else {}),
        **({"real_run_checkpointed_fits": Fact(ended["checkpointed"] == "")} if ended else {}),
    }
    real = (
        f"; a real run with capped memory failed in the {ended['large_batch']} pass, and not with checkpointing"
        if ended.get("large_batch") and not ended["checkpointed"]
        else ""
    )
    return Facts(
        facts,
        f"1.3 billion parameters at batch 8 need {full.total / GB:.0f} GB of a 24 GB GPU with all optimizer state "
        f"offloaded, {full.activations / GB:.0f} GB of it activations{real}",
    )


@evidence("bottleneck_measurement", seconds=0.5)
def bottleneck_measurement() -> Facts:
    """Stage times of an overlapped step with a slow host, and what a faster host or a faster disk would change."""
    from quiz_widgets.demos.fit import LARGE
    from quiz_widgets.demos.overlap import diagnose

    found = diagnose()
    base = found.base
    facts = {
        "update_seconds": Fact(base.compute, "s"),
        "read_seconds": Fact(base.read, "s"),
        "write_seconds": Fact(base.write, "s"),
        "step_seconds": Fact(base.wall, "s"),
        "update_share": Fact(base.compute / base.wall),
        "speed_up_from_host": Fact(base.wall / found.faster_host.wall),
        "speed_up_from_disk": Fact(base.wall / found.faster_disk.wall),
        "weight_difference": Fact(found.weight_difference),
        "share_of_1000_classes": Fact(1000 * LARGE.hidden / LARGE.parameters),
    }
    return Facts(
        facts,
        f"at the stated rates the update takes {base.compute:.2f} s of a step of {base.wall:.2f} s; a host twice as "
        f"fast makes it {base.wall / found.faster_host.wall:.2f} times as fast, a disk twice as fast "
        f"{base.wall / found.faster_disk.wall:.2f}",
    )
