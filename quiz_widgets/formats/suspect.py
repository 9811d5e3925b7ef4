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

# The first words judge alone; the others begin ordinary sentences as well, and judge only with a stop after them.
_GOOD = r"well done|bravo|bonne reponse|dogru cevap|aferin|tebrikler|احسنت|اجابة صحيحة"
_GOOD_STOPPED = (
    r"correct|right|good|great|yes|exactly|excellent|perfect|exact|juste|oui|dogru|evet|harika|صحيح|نعم|ممتاز"
)
_BAD = (
    r"incorrect|wrong|not quite|not correct|not right|yanlis|dogru degil|خطا|غير صحيح|اجابة خاطئة|mauvaise reponse|faux"
)
_BAD_STOPPED = r"no|false|sorry|mistake|hayir|maalesef|لا|للاسف|non"
_STOP = r"(?=\s*(?:[.,!:;…،؛-]|$))"
_STARTS_GOOD = re.compile(rf"\W*(?:(?:{_GOOD})(?!\w)|(?:{_GOOD_STOPPED}){_STOP})")
_STARTS_BAD = re.compile(rf"\W*(?:that is |that's |this is |it is )?(?:(?:{_BAD})(?!\w)|(?:{_BAD_STOPPED}){_STOP})")
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
