"""GIFT, Moodle's format for questions in plain text. Format: https://docs.moodle.org/en/GIFT_format.

What Moodle's own code makes of a file is the measure. Where it surely is not what the author means, the mended reading
is taken and both are said; `tests/formats/gift` has a file for each case.
"""

from __future__ import annotations

import dataclasses
import re

from quiz_widgets.formats.base import MAX_ITEMS, Format, Notices, Source
from quiz_widgets.formats.draft import DraftItem, DraftQuiz, Imported
from quiz_widgets.formats.gift.blocks import Cutter
from quiz_widgets.formats.gift.reader import Reader
from quiz_widgets.formats.gift.writer import write
from quiz_widgets.formats.markdown import escape

_ANSWERS = re.compile(r"\{\s*(?:#|[=~]|(?:T|F|TRUE|FALSE)\s*[#}])")


def recognise(source: Source) -> float:
    """Sure where braces hold answers; the file's name says it, too."""
    start = source.start(20_000)
    if start.lstrip().startswith(("<", "[", "PK")) or (start.lstrip().startswith("{") and '"' in start[:200]):
        return 0.0
    found = len(_ANSWERS.findall(start)) + len(re.findall(r"^\s*::.+?::|^\$CATEGORY:", start, re.MULTILINE))
    if source.suffix == ".gift":
        return 1.0 if found else 0.6
    return min(0.4 + 0.2 * found, 0.95) if found else 0.0


def read(source: Source) -> Imported:
    """The questions of a file."""
    notices = Notices(source.name)
    text = source.text(notices)
    lines = text.count("\n") + 1
    items: list[DraftItem] = []
    for block in Cutter(notices).cut(text):
        source.tell(block.line, lines)
        if len(items) == MAX_ITEMS:
            message = f"more than {MAX_ITEMS} questions: the rest is not read"
            notices.add(block.line, "", "many", message, "split the file", severity="error")
            break
        item = Reader(block, notices).read()
        if item is not None:
            items.append(item)
    source.tell(lines, lines)
    if not items:
        notices.add(1, "", "empty", "no question with answers in braces", "is it in this format?", severity="error")
        return Imported((), notices.done())
    return Imported((_titled(items),), notices.done())


def _titled(items: list[DraftItem]) -> DraftQuiz:
    """The quiz; one category of all questions is its title."""
    categories = {item.category for item in items}
    if len(categories) > 1 or not items[0].category:
        return DraftQuiz(items=tuple(items))
    path = [part.strip().replace("//", "/") for part in re.split(r"(?<!/)/(?!/)", items[0].category)]
    names = [part for part in path if part not in {"$course$", "$system$", "top"}]
    if len(names) < 2:  # the title says all of it
        items = [dataclasses.replace(item, category="") for item in items]
    return DraftQuiz(title=escape(names[-1]) if names else "", items=tuple(items))


FORMAT = Format(id="gift", title="GIFT", suffix=".gift", recognise=recognise, read=read, write=write)
