"""The page's copy of the shared shapes is written from Python's, and is never stale."""

from __future__ import annotations

from pathlib import Path

import pytest

from quiz_widgets import contract
from quiz_widgets.contract import __main__ as command
from quiz_widgets.contract import script


def test_contract_js_is_as_written() -> None:
    assert command.main(["--check"]) == 0


def test_a_stale_copy_is_reported_and_written_anew(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    copy = tmp_path / "contract.js"
    monkeypatch.setattr(command, "_SCRIPT", copy)

    assert command.main(["--check"]) == 1
    copy.write_text("old", encoding="utf-8")
    assert command.main(["--check"]) == 1
    assert "stale; run `python -m quiz_widgets.contract --write`" in capsys.readouterr().err
    assert command.main(["--write"]) == 0
    assert command.main(["--check"]) == 0


def test_wrong_use_says_what_is_allowed(capsys: pytest.CaptureFixture[str]) -> None:
    assert command.main([]) == 2
    assert "--write | --check" in capsys.readouterr().err


def test_shapes_keep_their_names_types_and_optional_keys() -> None:
    text = script.javascript()

    assert " * @property {SectionPayload} [section]\n" in text
    assert ' * @property {"single" | "multiple" | "number" | "text" | "order" | "match"} kind\n' in text
    assert " * @property {Record<string, string | Record<string, string>>} words\n" in text
    assert " * @property {Array<OptionPayload>} options\n" in text
    assert " * @property {TextPayload} stem\n" in text
    assert f"export const CONTRACT = {contract.CONTRACT};" in text
