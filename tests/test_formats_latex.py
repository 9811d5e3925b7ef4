"""What is exported for LaTeX compiles with XeLaTeX in each language; the PDF's text tells the key only when asked."""

from __future__ import annotations

import dataclasses
import random
import re
import shutil
import subprocess
import unicodedata
from pathlib import Path

import pytest

from quiz_widgets import locales
from quiz_widgets.formats import latex, markdown
from quiz_widgets.formats.base import Printing
from quiz_widgets.formats.draft import DraftAnswer, DraftItem, DraftOption, DraftQuiz, DraftTarget
from tests.formats import strategies
from tests.test_formats_readers import long_words, secrets
from tests.test_formats_roundtrip import exported

pytestmark = pytest.mark.slow


def compiled(data: bytes, folder: Path) -> tuple[str, str]:
    """The text of the PDF that XeLaTeX makes, in reading order, and XeLaTeX's log."""
    for tool, package in (
        ("xelatex", "texlive-xetex texlive-latex-extra texlive-lang-arabic"),
        ("pdftotext", "poppler-utils"),
    ):
        if shutil.which(tool) is None:
            pytest.fail(f"{tool} is missing: apt-get install --no-install-recommends {package}")
    (folder / "test.tex").write_bytes(data)
    done = subprocess.run(
        ["xelatex", "-interaction=nonstopmode", "-halt-on-error", "-no-shell-escape", "test.tex"],
        cwd=folder,
        capture_output=True,
        check=False,
    )
    log = (folder / "test.log").read_text(encoding="utf-8", errors="replace")
    assert done.returncode == 0, re.findall(r"^!.*(?:\n.*){8}", log, re.MULTILINE)
    text = subprocess.run(["pdftotext", "test.pdf", "-"], cwd=folder, capture_output=True, check=True).stdout.decode()
    # Arabic letters come out in the shapes that they take in their word, and with their vowel signs.
    return unicodedata.normalize("NFKC", text), log


def bare_words(text: str) -> set[str]:
    """Long words without vowel signs, for PDFs lose and move them."""
    decomposed = unicodedata.normalize("NFKD", text)
    return long_words("".join(char for char in decomposed if not unicodedata.combining(char) and char != "\u0640"))


def joined(text: str) -> str:
    """A text without spaces and marks of direction."""
    return re.sub(r"[\s\u200e\u200f\u202a-\u202e\u2066-\u2069]+", "", text)


@pytest.mark.parametrize("locale", ["en", "tr", "ar"])
def test_an_exam_compiles_with_and_without_its_key(locale: str, tmp_path: Path) -> None:
    draft, _ = exported(latex.FORMAT, "mixed-precision", locale)
    asked, log = compiled(latex.printed(Printing(versions=2), draft).data, tmp_path)
    keyed, _ = compiled(latex.printed(Printing(key=True, versions=2), draft).data, tmp_path)
    stems = bare_words(" ".join(markdown.to_plain(item.stem) for item in draft.items))
    hidden = set().union(*(bare_words(word) for word in secrets(draft)))
    mark = joined(str(locales.words(locale)["static_print_key"]))

    assert "Missing character" not in log
    assert len(stems & bare_words(asked)) > 0.8 * len(stems)  # some are cut at the end of a line
    assert len(hidden & bare_words(keyed)) > 0.7 * len(hidden) > 20
    assert not hidden & bare_words(asked)
    assert (mark in joined(asked), mark in joined(keyed)) == (False, True)
    if locale == "ar":
        # Latin words in an Arabic line keep their order.
        assert "with torch.amp.autocast(" in asked


def generated(seed: int) -> str:
    """A text with the signs that formats fight over, from a number."""
    chance = random.Random(seed)
    parts = [
        *(markdown.escape(sign) for sign in (*strategies.SIGNS, *strategies.WORDS)),
        *strategies.FORMULAS,
        *strategies.CODES,
        "**one** *two*",
        "[web](https://example.org/a_b?c=d&e#f)",
    ]
    line = " ".join(chance.choice(parts) for _ in range(6))
    blocks = ["```python\nif x:\n\ty = {1} # % & ~\n```", "- one\n- `two`", "3. x\n4. y", "$$\\frac{a}{b}$$"]
    return f"{line}\n\n{chance.choice(blocks)}" if seed % 3 == 0 else line


@pytest.mark.parametrize("locale", ["en", "ar"])
def test_signs_of_tex_and_every_kind_of_question_compile(locale: str, tmp_path: Path) -> None:
    def options(seed: int, count: int = 3) -> tuple[DraftOption, ...]:
        return tuple(
            DraftOption(text=generated(seed + at), id=f"o{at}", correct=not at, rationale=generated(seed + 50 + at))
            for at in range(count)
        )

    items = [
        DraftItem(
            kind="single", id=f"s{seed}", stem=generated(seed), options=options(seed * 100), source=generated(seed)
        )
        for seed in range(30)
    ]
    targets = tuple(DraftTarget(id=f"t{at}", text=generated(900 + at)) for at in range(14))
    paired = tuple(dataclasses.replace(option, target="t1") for option in options(700, 4))
    items += [
        DraftItem(kind="multiple", id="many", stem="Many", options=options(600, 15)),
        DraftItem(kind="order", id="order", stem="Order", options=options(500)),
        DraftItem(kind="match", id="match", stem="Match", options=paired, targets=targets),
        DraftItem(kind="text", id="text", stem="Text", accept=(DraftAnswer(text=r"a\*b|c_d{$}"),)),
    ]
    quiz = DraftQuiz(
        items=tuple(items), title="50% & more_of #1 {x}", description=generated(3), id="q", language=locale
    )

    text, _ = compiled(latex.printed(Printing(key=True), quiz).data, tmp_path)

    assert "50% & more_of #1 {x}" in text
    assert "a*b" in text
