"""Typed texts: which two writings count as the same text, whatever keyboard, phone or spell checker made them.

`tests/cases/text-normalisation.json` holds the golden cases that this module and the page's script pass. The rules:

* Unicode's NFKC: composed and decomposed letters, full-width signs, ligatures and Arabic presentation forms look alike.
* What nobody sees is left out: soft hyphens, joiners, zero-width spaces and direction marks, which keyboards and copied
  text bring along. Control characters count as spaces; runs of spaces are one, and none stands at either end.
* Typographic quotes and dashes become ``'``, ``"`` and ``-``, which phones replace without asking.
* Arabic: no tashkeel and no tatweel, which are optional; the forms of alef, ``ى`` and ``ة`` as in Lucene's
  ArabicNormalizer, and the seats of hamza, because readers write them either way; Arabic-Indic and Persian digits and
  the Arabic comma, semicolon, question mark and decimal sign become the Latin ones.
* Unless case matters, letters are compared without it, one by one, so that neither ``ß`` nor a final sigma makes a
  difference. In Turkish ``I`` belongs to ``ı`` and ``İ`` to ``i``; everywhere else the four are one letter, because a
  Turkish keyboard writes ``İ`` where others write ``I``.
"""

from __future__ import annotations

import re
import unicodedata

MAX_LENGTH = 1000  # characters of a response; accepted texts are phrases, and a longer one is none of them

_UNSEEN = re.compile("[\u00ad\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufe00-\ufe0f\ufeff]")
_MARKS = re.compile("[\u0610-\u061a\u0640\u064b-\u065f\u0670\u06d6-\u06dc\u06df-\u06e8\u06ea-\u06ed]")
_SPACES = re.compile("[\u0000-\u0020\u0085\u00a0\u1680\u2028\u2029]+")
_ALIKE = {
    "'": "\u2018\u2019\u201a\u201b\u2032\u02b9\u02bb\u02bc\u0060\u00b4",
    '"': "\u201c\u201d\u201e\u201f\u2033\u00ab\u00bb",
    "-": "\u2010\u2011\u2012\u2013\u2014\u2015\u2212",
    "/": "\u2044\u2215",
    ",": "\u060c\u066c",
    ".": "\u066b",
    ";": "\u061b",
    "?": "\u061f",
    "\u0627": "\u0622\u0623\u0625\u0671",
    "\u0648": "\u0624",
    "\u064a": "\u0626\u0649\u06cc",
    "\u0643": "\u06a9",
    "\u0647": "\u0629",
    **{str(digit): chr(0x660 + digit) + chr(0x6F0 + digit) for digit in range(10)},
}
_SAME = {ord(sign): same for same, signs in _ALIKE.items() for sign in signs}
_TURKISH = {ord("I"): "\u0131", ord("\u0130"): "i"}
_OTHERS = {ord("\u0131"): "i", ord("\u0130"): "i"}


def normalised(text: str, locale: str, *, match_case: bool = False) -> str:
    """The text as it is compared with accepted ones under the rules of a locale."""
    # Signs are replaced before NFKC, which would make a space of `´`, and after it, for what it takes apart.
    plain = unicodedata.normalize("NFKC", _UNSEEN.sub("", text).translate(_SAME))
    plain = _MARKS.sub("", plain).translate(_SAME)
    plain = _SPACES.sub(" ", plain).strip(" ")
    return plain if match_case else _folded(plain, locale)


def _folded(text: str, locale: str) -> str:
    """Without case. Upper case first, then lower: so `ß` is `ss`, and each sigma the same."""
    turkish = locale.split("-", maxsplit=1)[0] == "tr"
    letters = text.translate(_TURKISH if turkish else _OTHERS)
    # `ı` has no capital of its own: it would come back as `i`.
    folded = (letter if letter == "\u0131" else letter.upper().lower() for letter in letters)
    return unicodedata.normalize("NFKC", "".join(folded))
