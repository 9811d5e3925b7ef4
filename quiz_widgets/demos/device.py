"""What a CUDA device adds to a cell: figures measured on it, or in plain words that there is none and what stands in.

Nothing here needs torch to be installed: without it there is no CUDA device either.
"""

from __future__ import annotations

from quiz_widgets.demos.missing import COURSE, in_browser
from quiz_widgets.demos.words import Words


def autocast(say: Words) -> str:
    """Whether CUDA's dtypes were found on a device, or by its rules alone."""
    name = _name()
    return say["device.no_autocast"] if name is None else say.say("device.autocast", device=name)


def adam_state(say: Words, parameters: int = 10_000_000) -> str:
    """Memory that Adam's first step allocates on the device; without one, the bytes of its tensors on the CPU."""
    name = _name()
    if name is not None:
        from quiz_widgets.demos import cuda

        found = cuda.state_memory(parameters)
        kept, peak = (say.number(size / parameters) for size in (found.kept, found.peak))
        return say.say("device.memory", device=name, bytes=kept, peak=peak)
    try:
        from quiz_widgets.demos.measured_adam import measure
    except ImportError:
        if in_browser():
            return say.say("device.browser", command=COURSE)
        return say.say("device.no_torch", command="pip install torch")
    return say.say("device.no_memory", bytes=say.number(measure("adam").per_parameter))


def transfer(say: Words) -> str:
    """Speed of copies from pinned and from pageable memory to the device, and what overlap with computing hides."""
    name = _name()
    if name is None:
        return say["device.no_transfer"]
    from quiz_widgets.demos import cuda

    found = cuda.transfer()
    numbers = {
        "pinned": found.pinned,
        "pageable": found.pageable,
        "serial": 1000 * found.serial_seconds,
        "overlapped": 1000 * found.overlapped_seconds,
    }
    return say.say("device.transfer", device=name, **{key: say.number(value) for key, value in numbers.items()})


def _name() -> str | None:
    """The kind of the CUDA device; `None` where there is none."""
    try:
        from quiz_widgets.demos import cuda
    except ImportError:
        return None
    return cuda.device_name() if cuda.available() else None
