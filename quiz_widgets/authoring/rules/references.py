"""The rule about texts that name an option by its place, which shuffling changes."""

from __future__ import annotations

import re

from quiz_widgets.authoring.rules.all_or_none import says_all_or_none
from quiz_widgets.authoring.rules.base import warning
from quiz_widgets.authoring.rules.context import QuizContext, Shown
from quiz_widgets.authoring.rules.prose import blanked

REFERENCE = warning(
    "place-reference",
    "A text that names an option by its place: “the first option”, “option B”, “both A and C”, in English, Turkish or "
    "Arabic.",
    "Options are shuffled, so another option stands there. Say what the option says.",
)
RULES = (REFERENCE,)
_ORDINAL = "first|second|third|fourth|fifth|last"
_THING = "options?|answers?|choices?|alternatives?|distractors?"
_LETTER = r"(?:\(?(?-i:[A-E])\)?|\(?[a-e]\))"
_END = r"(?=[\s.,:;!?)،؛؟]|$)"
_ANYWHERE = re.compile(
    rf"\b(?:the\s+)?(?:{_ORDINAL})\s+(?:{_THING})\b|\b(?:option|choice|answer|distractor)s?\s+{_LETTER}{_END}"
    rf"|\b(?:the\s+)?(?:{_THING})\s+(?:above|below)\b(?!\s+[\d$])|\b(?:above|preceding|previous|following)\s+(?:{_THING})\b"
    r"|\b(?:ilk|birinci|ikinci|üçüncü|dördüncü|beşinci|son)\s+(?:seçene[kğ]|şık|şıkk|cevap|cevab)\w*"
    rf"|\b(?-i:[A-E])\s+(?:şıkkı|seçeneği|cevabı)\w*|\b(?:seçenek|şık|doğru\s+cevap:?|cevap:?)\s+{_LETTER}{_END}"
    r"|\b(?:yukarıdaki|aşağıdaki)\s+(?:seçene[kğ]|şık|cevap)\w*"
    r"|(?:الخيار|الجواب|الإجابة|الاختيار)\s+(?:الأول|الأولى|الثاني|الثانية|الثالث|الثالثة|الرابع|الرابعة|الخامس|الأخير|الأخيرة)"
    rf"|(?:الخيار|الجواب|الإجابة|الاختيار)\s+\(?[أبجده]\)?{_END}"
    r"|(?:الخيارات?|الإجابات?)\s+(?:أعلاه|أدناه|السابقة?)",
    re.IGNORECASE,
)
# Most texts speak of no option at all: this is found out much faster.
_NAMES = (
    *("option", "choice", "answer", "alternative", "distractor", "seçene", "şık", "cevap", "cevab"),
    *("خيار", "جواب", "إجاب", "اختيار", "above", "yukarıdaki", "أعلاه"),
)
_SHORT = 40
_ONE = r"\(?[A-E]\)?"
_WHOLE = re.compile(
    rf"(?:(?i:both|only|either|neither)\s+)?{_ONE}(?:\s*,\s*{_ONE})*,?\s+(?:and|or|nor|ve|veya)\s+{_ONE}(?:\s+only)?"
    rf"|(?i:yalnızca|sadece|only)\s+{_ONE}(?:\s+ve\s+{_ONE})?"
    r"|\(?[أبجده]\)?\s+(?:و|أو)\s*\(?[أبجده]\)?(?:\s+معا|\s+معًا)?"
)
_ABOVE = re.compile(
    r"\b(?:as|the|see|listed|mentioned|stated|any of the)\s+above\b|\babove\s*\W*$|\byukarıdaki\w*|أعلاه", re.IGNORECASE
)


def check_quiz(context: QuizContext) -> None:
    """Report the first such reference of each text."""
    shuffled = {
        owner
        for entry in context.items
        if entry.item.kind in ("single", "multiple")
        for owner in (entry.fields.path, f"items.{entry.item.id}")
    }
    for shown in context.texts:
        if shown.name in ("title", "description", "source", "evidence_text", "unit"):
            continue
        if shown.owner not in shuffled:
            continue
        found = _reference(shown)
        if found is not None:
            message = f"“{found[0].strip()}” names an option by its place"
            context.problems.append(shown.problem(REFERENCE, found.start(), message, "say what the option says"))


def _reference(shown: Shown) -> re.Match[str] | None:
    small = shown.text.lower()
    if not (shown.name == "text" and len(small) < _SHORT) and not any(name in small for name in _NAMES):
        return None
    prose = blanked(shown.text)
    if found := _ANYWHERE.search(prose):
        return found
    if shown.name != "text" or says_all_or_none(prose):
        return None
    whole = _WHOLE.fullmatch(prose.strip(" .\n"))
    return _WHOLE.search(prose) if whole else _ABOVE.search(prose)
