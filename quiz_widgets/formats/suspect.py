"""What a draft probably does not mean: feedback that contradicts the key, and "all of the above" that would move.

The words are those of English, Turkish, Arabic and French feedback, as real files have them.
"""

from __future__ import annotations

import dataclasses
import re
import unicodedata

from quiz_widgets.formats.base import Notices
from quiz_widgets.formats.draft import DraftItem, DraftOption
from quiz_widgets.formats.markdown import to_plain

_GOOD = (
    r"correct|right|good|great|well done|yes|exactly|bravo|excellent|perfect|true",
    r"dogru|evet|aferin|tebrikler|harika",
    r"صحيح|احسنت|نعم|اجابة صحيحة|ممتاز",
    r"bonne reponse|exact|juste|oui|correct",
)
_BAD = (
    r"incorrect|wrong|no|not quite|not correct|not right|false|sorry|mistake",
    r"yanlis|hayir|maalesef|dogru degil",
    r"خطا|غير صحيح|للاسف|لا|اجابة خاطئة",
    r"mauvaise reponse|faux|non|incorrect",
)
_STARTS_GOOD = re.compile(rf"\W*(?:{'|'.join(_GOOD)})(?!\w)")
_STARTS_BAD = re.compile(rf"\W*(?:that is |that's |this is |it is )?(?:{'|'.join(_BAD)})(?!\w)")
_EVERY_OR_NONE = re.compile(
    r"\W*(?:(?:none|all|neither|both)(?: of)?(?: the)? (?:above|these|them|answers|options)(?: \w+){0,3}"
    r"|(?:yukaridakilerin |bunlarin )?(?:hicbiri|hepsi|tamami)"
    r"|(?:جميع|كل) ?ما ?(?:سبق|ذكر)|لا ?شيء ?(?:مما|من) ?(?:سبق|ذكر|ما سبق))\W*"
)


def plain_words(text: str) -> str:
    """Small letters without marks, to compare words with."""
    lowered = text.replace("İ", "i").replace("I", "i").lower().replace("ı", "i")
    bare = "".join(char for char in unicodedata.normalize("NFKD", lowered) if not unicodedata.combining(char))
    return bare.replace("أ", "ا").replace("إ", "ا").replace("ـ", "")


def praises(text: str) -> bool:
    """Whether feedback reads as if the answer were right."""
    words = plain_words(to_plain(text))
    return _STARTS_GOOD.match(words) is not None and _STARTS_BAD.match(words) is None


def rejects(text: str) -> bool:
    """Whether feedback reads as if the answer were wrong."""
    return _STARTS_BAD.match(plain_words(to_plain(text))) is not None


def look(item: DraftItem, notices: Notices, name: str) -> DraftItem:
    """The item with pins where an option speaks of the others; what reads like a mistake is noted."""
    options = tuple(_option(option, item, notices, name) for option in item.options)
    return dataclasses.replace(item, options=options)


def _option(option: DraftOption, item: DraftItem, notices: Notices, name: str) -> DraftOption:
    if item.kind not in {"single", "multiple"}:
        return option
    line, shown = item.place.line, to_plain(option.text)[:60]
    if option.correct and rejects(option.rationale):
        message = (
            f"`{shown}` is right, and its feedback begins as if it were wrong: `{to_plain(option.rationale)[:60]}`"
        )
        notices.add(line, name, "feedback-contradicts", message, "is the key right? correct one of them")
    elif not option.correct and not option.weight and praises(option.rationale):
        message = (
            f"`{shown}` is wrong, and its feedback begins as if it were right: `{to_plain(option.rationale)[:60]}`"
        )
        notices.add(line, name, "feedback-contradicts", message, "is the key right? correct one of them")
    if option.pin is None and _EVERY_OR_NONE.fullmatch(plain_words(shown)):
        notices.add(line, name, "pinned", f"`{shown}` speaks of the other options: it is pinned last", severity="note")
        return dataclasses.replace(option, pin="last")
    return option
