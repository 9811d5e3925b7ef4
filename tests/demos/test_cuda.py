"""CUDA's figures. Where there is no GPU, torch.cuda is a stand-in that counts real tensors and reads the host's clock.

The stand-in shows that calls are made, in which order, and what is told; only a GPU shows that the figures are right.
"""

import gc
import importlib
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from quiz_widgets.demos import cells, device
from quiz_widgets.demos.words import words

torch = pytest.importorskip("torch", reason="pip install torch")
cuda = importlib.import_module("quiz_widgets.demos.cuda")

HERE = bool(torch.cuda.is_available())
SAY = words("en")


class Event:
    def __init__(self, *, enable_timing: bool) -> None:
        assert enable_timing

    def record(self) -> None:
        self.at = time.perf_counter()

    def elapsed_time(self, end: "Event") -> float:
        return 1000 * (end.at - self.at)  # milliseconds, as CUDA's


@pytest.fixture
def calls(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """A torch.cuda whose device is the CPU, and what was asked of it."""
    made: list[str] = []
    inside: list[str] = ["main"]

    class Stream:
        def __init__(self, name: str = "side") -> None:
            self.name = name

        def wait_stream(self, other: "Stream") -> None:
            made.append(f"{self.name} waits for {other.name}")

    @contextmanager
    def stream(used: Stream) -> Iterator[None]:
        inside.append(used.name)
        yield
        inside.pop()

    class Target(torch.Tensor):  # type: ignore[misc, name-defined, unused-ignore]
        def copy_(self, source: Any, non_blocking: bool = False) -> Any:
            kind = "pinned" if hasattr(source, "was_pinned") else "pageable"
            made.append(f"{inside[-1]} copies {kind}{' without waiting' if non_blocking else ''}")
            return self

    plain = torch.empty

    def empty(size: int, *, dtype: Any, device: Any = None, pin_memory: bool = False) -> Any:
        made_tensor = plain(size, dtype=dtype)
        if pin_memory:
            made_tensor.was_pinned = True
        return made_tensor.as_subclass(Target) if device else made_tensor

    def allocated() -> int:
        tensors = [thing for thing in gc.get_objects() if type(thing) in (torch.Tensor, torch.nn.Parameter)]
        return sum({tensor.data_ptr(): tensor.untyped_storage().nbytes() for tensor in tensors}.values())

    stand_ins = {
        "is_available": lambda: True,
        "get_device_name": lambda: "Stand-in",
        "synchronize": lambda: None,
        "reset_peak_memory_stats": lambda: made.append("peak reset"),
        "memory_allocated": allocated,
        "max_memory_allocated": allocated,
        "Event": Event,
        "Stream": Stream,
        "stream": stream,
        "current_stream": lambda: Stream("main"),
    }
    for name, stand_in in stand_ins.items():
        monkeypatch.setattr(torch.cuda, name, stand_in)
    monkeypatch.setattr(torch, "empty", empty)
    for name, value in {"DEVICE": "cpu", "SIZE": 64, "REPEATS": 1}.items():
        monkeypatch.setattr(cuda, name, value)
    return made


def test_state_is_what_the_first_step_allocates(calls: list[str]) -> None:
    found = cuda.state_memory(1_000_000)
    assert 8_000_000 <= found.kept < 8_001_000
    assert found.peak >= found.kept
    assert calls == ["peak reset"]
    assert device.adam_state(SAY, 100_000) == (
        "Measured on a Stand-in: Adam's first step took 8 bytes of its memory per parameter, 8 at the peak"
    )


def test_overlap_copies_pinned_memory_on_a_stream_of_its_own(calls: list[str]) -> None:
    found = cuda.transfer(2**16)
    assert min(found.pinned, found.pageable, found.serial_seconds, found.overlapped_seconds) > 0
    assert "main copies pageable" in calls  # pageable memory cannot be copied without waiting
    assert calls[-3:] == ["side waits for main", "side copies pinned without waiting", "main waits for side"]


def test_a_cell_on_a_machine_with_cuda_shows_its_figures(
    calls: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(cuda, "transfer", lambda: cuda.Transfer(6.0, 25.0, 0.020, 0.011))
    exec(compile(cells.source("disk_adam"), "disk_adam.py", "exec"), {})
    assert (
        "Measured on a Stand-in: 25 GB/s from pinned memory, 6 GB/s from pageable; copying and computing take 20 ms "
        "one after another and 11 ms overlapped"
    ) in capsys.readouterr().out
    assert device.autocast(SAY) == "CUDA's dtypes were measured here, on a Stand-in."


@pytest.mark.skipif(HERE, reason="there is a CUDA device")
@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("adam_bytes", "No CUDA device here: on the CPU Adam's tensors measure 8 bytes"),
        ("disk_adam", "No CUDA device here: no copy to a GPU can be measured. The overlap above is the CPU's"),
        ("autocast_table", "No CUDA device here: CUDA's dtypes come from its rules"),
    ],
)
def test_a_cell_without_a_device_says_so_and_shows_the_cpu(
    name: str, told: str, capsys: pytest.CaptureFixture[str]
) -> None:
    exec(compile(cells.source(name), f"{name}.py", "exec"), {})
    assert told in capsys.readouterr().out


def test_without_torch_there_is_no_device_either(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("cuda", "measured_adam"):
        monkeypatch.delattr(f"quiz_widgets.demos.{name}", raising=False)
        monkeypatch.delitem(sys.modules, f"quiz_widgets.demos.{name}", raising=False)
    monkeypatch.setitem(sys.modules, "torch", None)
    assert device.adam_state(SAY).endswith("To measure Adam's tensors: pip install torch")
    assert device.transfer(SAY).startswith("No CUDA device here")


@pytest.mark.parametrize("locale", ["tr", "ar"])
def test_every_locale_has_these_words(locale: str) -> None:
    own, english = words(locale), words("en")
    keys = [key for key in english if key.startswith("device.")]
    assert len(keys) == 8
    assert [key for key in keys if own[key] == english[key]] == []


@pytest.mark.slow
def test_on_a_device_the_figures_are_its_own_and_without_one_there_are_none() -> None:
    if not HERE:
        for measure in (cuda.state_memory, cuda.matmul_speed, cuda.transfer):
            with pytest.raises((AssertionError, RuntimeError), match=r"CUDA|NVIDIA"):  # torch's own words
                measure()
        return
    found = cuda.state_memory()
    assert 8 * 10_000_000 <= found.kept <= found.peak < 8.1 * 10_000_000
    speed, copied = cuda.matmul_speed(), cuda.transfer()
    assert speed.fp16 > speed.fp32
    assert copied.pinned > 0
    assert copied.overlapped_seconds < copied.serial_seconds
