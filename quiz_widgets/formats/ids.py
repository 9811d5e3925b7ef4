"""Ids from texts: the first words in plain letters, the same for the same text, and telling nothing about order."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence

from quiz_widgets.formats.markdown import to_plain
from quiz_widgets.ordering import hash32

MAX_WORDS = 6
MAX_LENGTH = 40
_LETTERS = str.maketrans("ıøłđßæœþ", "iold    ") | {ord("ß"): "ss", ord("æ"): "ae", ord("œ"): "oe", ord("þ"): "th"}


def slug(text: str, *, words: int = MAX_WORDS) -> str:
    """The first words of a plain text as an id; empty when no Latin letter or digit is in it."""
    lowered = text.replace("İ", "i").lower().translate(_LETTERS)
    bare = "".join(char for char in unicodedata.normalize("NFKD", lowered) if not unicodedata.combining(char))
    parts = re.findall(r"[a-z0-9]+", re.sub(r"['’]", "", bare))
    if len("".join(parts)) * 2 < sum(char.isalnum() for char in bare):
        return ""  # most of it is in letters that have no place in an id
    made = ""
    for part in parts[:words]:
        longer = f"{made}-{part}" if made else part[:MAX_LENGTH]
        if len(longer) > MAX_LENGTH:
            break
        made = longer
    return made


def unique(texts: Sequence[str], given: Sequence[str], prefix: str) -> list[str]:
    """An id for each text: the given one where it is an id and free, else one made of the Markdown text.

    Texts that begin alike are told apart by a hash of the whole text, so that adding one renames no other.
    """
    plains = [to_plain(text) for text in texts]
    slugs = [slug(name) if name else slug(plain) for name, plain in zip(given, plains, strict=True)]
    made: list[str] = []
    for plain, short in zip(plains, slugs, strict=True):
        name = short
        if not short or slugs.count(short) > 1:
            name = f"{short or prefix}-{hash32(plain):08x}"
        candidate, number = name, 2
        while candidate in made:
            candidate, number = f"{name}-{number}", number + 1
        made.append(candidate)
    return made
