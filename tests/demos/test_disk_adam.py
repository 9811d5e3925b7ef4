"""The disk-offloaded Adam: exact results, memory set by the chunk, faults told, overlap as the formula says."""

import mmap
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, strategies

from quiz_widgets.demos import chunk_file, disk_adam, overlap, pipeline
from quiz_widgets.demos.chunk_file import ChunkFile
from quiz_widgets.demos.disk_adam import DiskAdam


def test_streaming_changes_no_bit(tmp_path: Path) -> None:
    assert overlap.streamed_difference() == 0


def test_identical_to_torch() -> None:
    pytest.importorskip("torch", reason="pip install torch")
    found = overlap.identity(count=70_007, chunk=16384)
    assert (found.equal, found.overlapped_equal, found.fused_equal) == (True, True, True)
    assert found.numpy_difference < 1e-6
    assert found.resident_bytes == 3 * 12 * 16384
    assert found.state_bytes == 12 * 70_007
    assert found.device == "cpu"


@pytest.mark.parametrize("count", [1000, 5000, 50_000])
def test_memory_is_set_by_the_chunk(count: int, tmp_path: Path) -> None:
    with DiskAdam(tmp_path / "state", np.ones(count, np.float32), chunk=1024, direct=False) as optimizer:
        assert optimizer.resident_bytes == 3 * 12 * 1024
        assert optimizer.moved_bytes == 12 * 1024 * -(-count // 1024)
        assert optimizer.state_bytes == 12 * count


def test_new_weights_come_out_in_16_bits_or_where_they_are_wanted(tmp_path: Path) -> None:
    start, gradients = np.ones(3000, np.float32), np.ones(3000, np.float32)
    own = np.empty_like(start)
    with (
        DiskAdam(tmp_path / "a", start, chunk=1024) as half,
        DiskAdam(tmp_path / "b", start, chunk=1024, out=own) as full,
    ):
        half.step(gradients)
        full.step(gradients, overlap=False)
        assert half.weights.dtype == np.float16
        assert np.array_equal(full.state()[0], own)
        assert np.array_equal(half.weights, own.astype(np.float16))
        assert np.allclose(own, 1 - 1e-3)  # the first step moves every weight by the learning rate


def test_counters_name_the_bottleneck() -> None:
    assert disk_adam.Times(1.0, 3.0, 2.0, 4.0).bottleneck == "compute"
    assert disk_adam.Times(3.0, 1.0, 2.0, 4.0).bottleneck == "read"


@pytest.mark.parametrize("stage", ["read", "write"])
def test_a_fault_in_any_stage_is_raised_and_ends_the_step(
    stage: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with DiskAdam(tmp_path / "state", np.ones(20_000, np.float32), chunk=1024, direct=False) as optimizer:

        def broken(index: int, buffer: mmap.mmap) -> None:
            raise OSError("no such device")

        monkeypatch.setattr(optimizer._file, stage, broken)
        with pytest.raises(OSError, match="no such device"):
            optimizer.step(np.ones(20_000, np.float32))


def test_a_fault_while_computing_is_raised(tmp_path: Path) -> None:
    def broken(*_arguments: object) -> None:
        raise ZeroDivisionError("in the update")

    with DiskAdam(tmp_path / "state", np.ones(20_000, np.float32), chunk=1024, direct=False) as optimizer:
        optimizer._update = broken
        with pytest.raises(ZeroDivisionError, match="in the update"):
            optimizer.step(np.ones(20_000, np.float32))


def test_there_is_a_gradient_for_each_weight(tmp_path: Path) -> None:
    with (
        DiskAdam(tmp_path / "state", np.ones(2000, np.float32), chunk=1024, direct=False) as optimizer,
        pytest.raises(ValueError, match="1999 gradients for 2000 weights"),
    ):
        optimizer.step(np.ones(1999, np.float32))


def test_sizes_that_direct_io_cannot_do_are_refused(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="multiple of 1024"):
        DiskAdam(tmp_path / "state", np.ones(10, np.float32), chunk=1000)
    with pytest.raises(ValueError, match="multiple of 4096"):
        ChunkFile(tmp_path / "state", 1000, 1)


@pytest.mark.parametrize("direct", [True, False])
def test_chunks_come_back_as_written(direct: bool, tmp_path: Path) -> None:
    with ChunkFile(tmp_path / "state", 8192, 3, direct=direct) as file:
        buffer = file.buffer()
        for index in range(3):
            buffer[:] = bytes([index + 1]) * 8192
            file.write(index, buffer)
        for index in (2, 0, 1):
            file.read(index, buffer)
            assert buffer[:] == bytes([index + 1]) * 8192
        assert direct or not file.direct


def test_where_direct_io_is_refused_the_page_cache_is_used_and_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(chunk_file, "_works", lambda _descriptor: False)
    with ChunkFile(tmp_path / "state", 4096, 1) as file:
        assert not file.direct


def test_a_short_read_is_an_error(tmp_path: Path) -> None:
    with ChunkFile(tmp_path / "state", 4096, 1, direct=False) as file:
        (tmp_path / "state").write_bytes(b"short")
        with pytest.raises(OSError, match="read 5 of 4096 bytes"):
            file.read(0, file.buffer())


def test_overlap_matches_the_formula_under_throttle() -> None:
    """Stages sleep to a stated rate, so nothing is faster than that; late wake-ups of a busy machine add to it."""
    found = overlap.compare(tries=4)
    assert found.speed_up > 1.8
    assert found.overlapped.wall >= 0.999 * found.predicted
    assert found.error < 0.4


def test_the_right_measurement_tells_what_to_improve() -> None:
    """From counted bytes and stated rates, so exact: what a text says of these figures holds on every machine."""
    found = overlap.diagnose()
    assert found.base.bottleneck == "compute"
    assert found.base.compute == pytest.approx(8 * 16384 / 0.4e6)
    assert found.base.read == found.base.write == pytest.approx(12 * 8 * 16384 / 9e6)
    assert found.base.compute / found.base.wall == pytest.approx(0.882, abs=0.001)
    assert found.base.wall / found.faster_host.wall == pytest.approx(1.711, abs=0.001)
    assert found.base.wall / found.faster_disk.wall == pytest.approx(1 / (1 - 0.06), abs=0.002)  # it saves 6 %
    assert found == overlap.diagnose()
    assert found.weight_difference == 0


TIMES = strategies.floats(min_value=0.01, max_value=100)


@given(strategies.lists(TIMES, min_size=1, max_size=5), strategies.integers(1, 30))
def test_closed_form_of_a_pipeline(stages: list[float], chunks: int) -> None:
    expected = sum(stages) + (chunks - 1) * max(stages)
    assert pipeline.pipeline_seconds(stages, chunks) == pytest.approx(expected)
    assert pipeline.pipeline_seconds(stages, chunks, buffers=len(stages)) >= expected * (1 - 1e-9)
    assert pipeline.pipeline_seconds(stages, chunks, buffers=1) == pytest.approx(chunks * sum(stages))


def test_an_empty_pipeline_takes_no_time() -> None:
    assert pipeline.pipeline_seconds((1.0, 2.0), 0) == 0
