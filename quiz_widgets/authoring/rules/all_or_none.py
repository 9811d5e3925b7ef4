"""The rule about “all of the above” and “none of the above” that shuffling would put above."""

from __future__ import annotations

import re
import unicodedata

from quiz_widgets.authoring.rules.base import warning
from quiz_widgets.authoring.rules.context import QuizContext

UNPINNED = warning(
    "all-or-none-unpinned",
    "“All of the above”, “none of the above” and their like, in English, Turkish or Arabic, without `pin: last`.",
    "Options are shuffled: above it might stand nothing. Of eleven such options in a published book ten were not "
    "pinned.",
    fixed=True,
)
RULES = (UNPINNED,)
_ENGLISH = (
    r"(?:all|none|any|neither|both|each) of (?:the |these |those )?"
    r"(?:above|answers|options|choices|others?|these|them)(?: (?:above|(?:are|is) (?:correct|right|true)))?"
    r"|(?:all|none) (?:are|is) (?:correct|right|true)|all the above"
    r"|no(?:ne)? (?:correct )?(?:answer|option)s?(?: (?:above|is correct|is right))?"
)
_TURKISH = (
    r"(?:yukarıdakilerin |bunların |seçeneklerin |şıkların )?(?:hepsi|tümü|tamamı|hiçbiri|hiç biri)"
    r"(?: doğru(?:dur)?| yanlış(?:tır)?| değil(?:dir)?)?"
)
_ARABIC = (
    r"(?:كل|جميع|لا شيء|لا شيئ|ليس اي|لا احد|لا واحد) ?(?:من )?(?:ما|مما|الخيارات|الاجابات|الاجوبه|هذه)"
    r"(?: ?(?:سبق|ذكر|تقدم|السابقه|اعلاه|صحيحه?))*"
)
_ALL = re.compile(rf"(?:{_ENGLISH}|{_TURKISH}|{_ARABIC})", re.IGNORECASE)
_MARKS = re.compile("[\u064b-\u0652\u0670\u0640]")  # vowel signs and the stroke that only stretches a word


def says_all_or_none(text: str) -> bool:
    """Whether a text is “all of the above”, “none of these” or their like."""
    folded = unicodedata.normalize("NFKC", text).replace("İ", "i").replace("I", "ı" if "ş" in text else "i").casefold()
    folded = _MARKS.sub("", folded)
    for variant, letter in (("أ", "ا"), ("إ", "ا"), ("آ", "ا"), ("ة", "ه"), ("ى", "ي")):
        folded = folded.replace(variant, letter)
    return _ALL.fullmatch(" ".join(folded.strip(" .!:;،؛*_\"'()").split())) is not None


def check_quiz(context: QuizContext) -> None:
    """Report such options that may be moved."""
    for entry in context.items:
        if entry.item.kind not in ("single", "multiple"):
            continue
        for option, fields in entry.options():
            if option.pin is None and any(says_all_or_none(form.plain) for form in option.text.forms.values()):
                plain = option.text.forms[option.text.source_locale].plain
                message = f"“{plain}” is shuffled with the other options"
                context.report(UNPINNED, fields.place("text"), fields.at("text"), message, "add `pin: last`")
