"""Rules about rationales and explanations: they are there, and do not contradict the key."""

from __future__ import annotations

import re
from collections.abc import Iterator

from quiz_widgets.authoring.rules.base import warning
from quiz_widgets.authoring.rules.context import QuizContext, Shown

CONTRADICTION = warning(
    "rationale-verdict",
    "A rationale that begins with the other verdict: “Wrong …” at a right option, “Correct …” at a wrong one, in "
    "English, Turkish or Arabic.",
    "Either the rationale or the key is wrong, and the learner sees both at once. In 494 questions of a textbook this "
    "was found five times.",
)
RULES = (
    warning(
        "rationale",
        "An option, or an accepted text that does not earn all points, without a `rationale`.",
        "Feedback that says only right or wrong hardly teaches: an effect of 0.05, against 0.49 of explanations (Van "
        "der Kleij, Feskens and Eggen, 2015).",
    ),
    warning(
        "explanation",
        "An item without an `explanation`.",
        "It helps with new questions, also those who were right (Butler et al., 2013).",
    ),
    CONTRADICTION,
)
# "True, but …" and "It is true that …" grant something; they do not judge the option.
_AFTER = (
    r"(?=\s*(?:[.:;؛!؟…—–]|-\s|$|[,،](?!\s*(?:but|yet|however|ama|ancak|fakat|لكن|ولكن))"
    r"|(?:because|since|answer|option|çünkü|cevap|yanıt|seçenek|لأن|الإجابة)\b))"
)
_IT = (
    r"(?:(?:that(?:'s| is)|th(?:is|e|at) (?:answer |option |one )?is|yes,?|no,?|evet,?|hayır,?|bu (?:cevap|seçenek|şık)"
    r"|نعم،?|لا،?|(?:هذه )?الإجابة|(?:هذا )?الخيار)\s+)?"
)
_RIGHT = re.compile(rf"{_IT}(?:correct|right|true|doğru(?:dur)?|صحيحة?|صواب){_AFTER}", re.IGNORECASE)
_WRONG = re.compile(
    rf"{_IT}(?:incorrect|wrong|not\s+(?:correct|right|true)|false|yanlış(?:tır)?|doğru\s+değil(?:dir)?"
    rf"|خطأ|خاطئة?|غير\s+صحيحة?|ليست?\s+صحيح[ةاً]*){_AFTER}",
    re.IGNORECASE,
)
_LEADING = "*_ \t\n“\"'«(¡"


def check_quiz(context: QuizContext) -> None:
    """Report rationales that begin with the verdict of the other options."""
    for right, shown in _rationales(context):
        text = shown.text.lstrip(_LEADING)
        word = _WRONG.match(text) if right else _RIGHT.match(text)
        if word:
            at = len(shown.text) - len(shown.text.lstrip(_LEADING))
            verdict = "right" if right else "wrong"
            message = f"it begins “{word[0].strip()}”, but the option is {verdict}"
            context.problems.append(shown.problem(CONTRADICTION, at, message, "correct the rationale or the key"))


def _rationales(context: QuizContext) -> Iterator[tuple[bool, Shown]]:
    """Every rationale of options in every language, with whether its option is right."""
    verdicts: dict[str, bool] = {}
    for entry in context.items:
        if entry.item.kind not in ("single", "multiple"):
            continue
        for option, fields in entry.options():
            verdicts[fields.at("rationale")] = option.correct
            verdicts[f"items.{entry.item.id}.options.{option.id}.rationale"] = option.correct
    for shown in context.texts:
        if shown.path in verdicts:
            yield verdicts[shown.path], shown
