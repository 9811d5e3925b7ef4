"""Results that need torch: measured where it is, otherwise the recorded ones, with their date and how to install it."""

import json
import sys
from pathlib import Path
from typing import Any

import pytest

from quiz_widgets.demos import cells, recorded
from quiz_widgets.demos.progress import progress
from quiz_widgets.demos.words import words


@pytest.fixture(autouse=True)
def fresh(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(recorded, "_live", {})


@pytest.mark.parametrize("name", recorded.NAMES)
def test_without_torch_the_record_is_shown_with_its_date(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "torch", None)
    found = recorded.result(name)
    assert not found.live
    assert found.data
    note = found.note(words("en"))
    assert found.date in note
    assert note.endswith("pip install torch")


@pytest.mark.parametrize("name", ["autocast_table", "measured_gains"])
def test_cells_that_need_torch_run_without_it(
    name: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, "torch", None)
    exec(compile(cells.source(name), f"{name}.py", "exec"), {})
    assert "To measure it here: pip install torch" in capsys.readouterr().out


def test_the_record_says_what_torch_says() -> None:
    pytest.importorskip("torch", reason="pip install torch")
    found = recorded.result("autocast")
    assert found.live
    assert found.data == recorded.recorded("autocast").data
    assert "Measured here" in found.note(words("en"))


def test_recording_writes_what_was_measured(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    target = tmp_path / "recorded.json"
    monkeypatch.setattr(recorded, "_FILE", target)
    monkeypatch.setattr(recorded, "_DEMOS", dict.fromkeys(recorded.NAMES, lambda _label: {"a": 1}))
    recorded.record()
    kept = json.loads(target.read_text(encoding="utf-8"))
    assert set(kept) == set(recorded.NAMES)
    assert kept["autocast"]["data"] == {"a": 1}
    assert recorded.recorded("autocast").machine == recorded.machine()


def test_a_progress_bar_moves_and_goes(monkeypatch: pytest.MonkeyPatch) -> None:
    shown: list[Any] = []
    monkeypatch.setattr("IPython.core.getipython.get_ipython", object)
    monkeypatch.setattr("IPython.display.display", shown.append)
    with progress("Measuring", 3) as advance:
        advance()
        advance()
        assert (shown[0].value, shown[0].max, shown[0].description) == (2, 3, "Measuring")
    assert shown[0].comm is None  # closed


def test_outside_a_notebook_nothing_is_shown() -> None:
    with progress("Measuring", 3) as advance:
        advance()
