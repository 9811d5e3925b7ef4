"""jupyterquiz: a list of questions in JSON. Format: the README of the PyPI package jupyterquiz.

What its script (2.9) makes of a file is the measure: the number of right options decides whether one or several are
asked for, texts are HTML with formulas between any two dollars, and a number may be a range or have a precision.
"""

from __future__ import annotations

import re

from quiz_widgets.formats import json_items
from quiz_widgets.formats.base import MAX_ITEMS, Format, Notices, Source
from quiz_widgets.formats.draft import DraftItem, DraftQuiz, Imported
from quiz_widgets.formats.jupyterquiz.reader import Reader
from quiz_widgets.formats.jupyterquiz.writer import write

_FIELDS = re.compile(r'"(?:question|answers|type|correct|answer_cols|feedback)"\s*:')
_TYPE = re.compile(r'"type"\s*:\s*"(?:multiple_choice|many_choice|numeric|string)"')


def recognise(source: Source) -> float:
    """Sure where a list of objects names one of its types and fields."""
    start = source.start(20_000).lstrip()
    if not re.match(r"\[\s*\{", start):
        return 0.0
    fields = len(set(_FIELDS.findall(start)))
    return 0.95 if _TYPE.search(start) and fields > 1 else 0.4 if fields > 2 else 0.0


def read(source: Source) -> Imported:
    """The questions of a file."""
    notices = Notices(source.name)
    reader = Reader(notices)
    items: list[DraftItem] = []
    entries = json_items.entries(source.text(notices), notices)
    for number, (line, entry) in enumerate(entries):
        source.tell(number, len(entries))
        if number == MAX_ITEMS:
            message = f"more than {MAX_ITEMS} questions: the rest is not read"
            notices.add(line, "", "many", message, "split the file", severity="error")
            break
        item = reader.item(entry, line)
        if item is not None:
            items.append(item)
    if not items:
        notices.add(1, "", "empty", "no question can be read", "is it in this format?", severity="error")
        return Imported((), notices.done())
    return Imported((DraftQuiz(items=tuple(items), language=reader.language()),), notices.done())


FORMAT = Format(id="jupyterquiz", title="jupyterquiz", suffix=".json", recognise=recognise, read=read, write=write)
