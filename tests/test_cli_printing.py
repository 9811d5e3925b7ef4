"""`quiz-widgets export` on paper: with the key or without, in so many versions; and what it says when it cannot."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from quiz_widgets import cli


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("QUIZ_WIDGETS_LOCALE", "en")
    monkeypatch.chdir(tmp_path)


def export(*arguments: str) -> int:
    return cli.main(("export", "mixed-precision", *arguments))


@pytest.mark.parametrize("format", ["html", "latex"])
@pytest.mark.parametrize(("options", "keys", "sheets"), [((), 0, 0), (("--no-key",), 0, 0), (("--key",), 1, 0)])
def test_the_key_is_there_when_it_is_asked_for(
    format: str, options: tuple[str, ...], keys: int, sheets: int, capsys: pytest.CaptureFixture[str]
) -> None:
    assert export("--to", format, *options, "-o", "made") == 0

    text = Path("made").read_text(encoding="utf-8")
    assert (text.count("Answer key"), text.count("Answer sheet")) == (keys, sheets)
    assert ("note: no answers and no reasons are in the file" in capsys.readouterr().out) is (not keys)


@pytest.mark.parametrize(("format", "suffix"), [("html", ".html"), ("latex", ".tex")])
def test_versions_have_letters_sheets_and_keys(format: str, suffix: str) -> None:
    assert export("--to", format, "--versions", "3", "--key", "--locale", "tr") == 0

    text = Path(f"mixed-precision.tr{suffix}").read_text(encoding="utf-8")
    found = re.findall(r"Cevap kâğıdı · [^<}\n]+ · Kitapçık (\w)", text)
    assert found == ["A", "B", "C"]
    assert text.count("Cevap anahtarı") == 3


@pytest.mark.parametrize("given", ["0", "27", "-1"])
def test_versions_out_of_range_are_refused(given: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert export("--to", "html", f"--versions={given}") == 2
    assert f"--versions takes 1 to 26, not {given}" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("locale", "said"),
    [
        ("en", "gift is no format to print: --key and --versions are for html, latex"),
        ("tr", "gift yazdırılacak bir biçim değil: --key ve --versions şunlar içindir: html, latex"),
        ("ar", "ليست صيغة للطباعة؛ الخياران"),
    ],
)
def test_formats_for_other_systems_have_no_printing(
    locale: str, said: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("QUIZ_WIDGETS_LOCALE", locale)

    assert export("--to", "gift", "--key") == 2
    assert said in capsys.readouterr().err
