"""The page's copy of the shared shapes is written from Python's, and is never stale."""

from __future__ import annotations

from pathlib import Path

import pytest

from quiz_widgets import contract


def test_contract_js_is_as_written() -> None:
    assert contract.main(["--check"]) == 0


def test_a_stale_copy_is_reported_and_written_anew(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    script = tmp_path / "contract.js"
    monkeypatch.setattr(contract, "_SCRIPT", script)

    assert contract.main(["--check"]) == 1
    script.write_text("old", encoding="utf-8")
    assert contract.main(["--check"]) == 1
    assert "stale; run `python -m quiz_widgets.contract --write`" in capsys.readouterr().err
    assert contract.main(["--write"]) == 0
    assert contract.main(["--check"]) == 0


def test_wrong_use_says_what_is_allowed(capsys: pytest.CaptureFixture[str]) -> None:
    assert contract.main([]) == 2
    assert "--write | --check" in capsys.readouterr().err


def test_shapes_keep_their_names_types_and_optional_keys() -> None:
    text = contract.javascript()

    assert " * @property {SectionPayload} [section]\n" in text
    assert ' * @property {"single" | "multiple" | "number" | "text" | "order" | "match"} kind\n' in text
    assert " * @property {Record<string, string | Record<string, string>>} words\n" in text
    assert " * @property {Array<OptionPayload>} options\n" in text
    assert " * @property {TextPayload} stem\n" in text
    assert f"export const CONTRACT = {contract.CONTRACT};" in text
