"""Puts the tables of the kept figures into README.md and docs/benchmarks.md, and tells whether they are there."""

from __future__ import annotations

import re
from pathlib import Path

from benchmarks.compared import table
from benchmarks.compared.figures import Figures

ROOT = Path(__file__).resolve().parents[2]
PAGES = ("README.md", "docs/benchmarks.md")
BEGIN, END = "<!-- peers: written by benchmarks/peers.py -->", "<!-- peers: end -->"


def filled(text: str, figures: Figures, *, short: bool) -> str:
    """The page with the figures' table between its markers; `ValueError` without them."""
    between = re.compile(f"{re.escape(BEGIN)}.*?{re.escape(END)}", re.DOTALL)
    parts = [table.markdown(figures, short=short)]
    if not short:
        parts.append(table.aims(figures))
    written = "\n\n".join([BEGIN, *parts, END])
    made, count = between.subn(lambda _found: written, text)
    if count != 1:
        raise ValueError(f"the page needs one place for the table: {BEGIN} … {END}")
    return made


def write(figures: Figures, root: Path = ROOT) -> None:
    """Write the tables into the pages."""
    for name in PAGES:
        page = root / name
        text = page.read_text(encoding="utf-8")
        page.write_text(filled(text, figures, short=name == "README.md"), encoding="utf-8")


def stale(figures: Figures, root: Path = ROOT) -> list[str]:
    """The pages whose tables are not those of the figures."""
    texts = {name: (root / name).read_text(encoding="utf-8") for name in PAGES}
    return [name for name, text in texts.items() if filled(text, figures, short=name == "README.md") != text]
