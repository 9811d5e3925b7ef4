"""Anki's notes in plain text: tab-separated fields below lines that begin with ``#``, HTML in the fields.

Format: "Text files" in Anki's manual. A card has a front and a back and no wrong options: a short back becomes an
answer to type, and options of a quiz go to the front of a card.
"""

from __future__ import annotations

import re

from quiz_widgets.formats.anki.reader import read
from quiz_widgets.formats.anki.writer import write
from quiz_widgets.formats.base import Format, Source

_HEADER = re.compile(r"^#(?:separator|html|columns|notetype|deck|tags|guid column|tags column|deck column)[ \w]*:")


def recognise(source: Source) -> float:
    """Sure where one of Anki's header lines stands at the top; likely where most lines have a tab."""
    start = source.start()
    if _HEADER.match(start):
        return 0.97
    lines = [line for line in start.split("\n") if line.strip()][:20]
    tabs = [line.count("\t") for line in lines]
    if lines and start[:1] not in "<[{" and min(tabs) >= 1 and max(tabs) <= 8:
        return 0.35
    return 0.0


FORMAT = Format(id="anki", title="Anki", suffix=".txt", recognise=recognise, read=read, write=write)
