"""The answers of each type of question in Moodle XML."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from decimal import Decimal

from quiz_widgets.formats import answers, moodle_grades
from quiz_widgets.formats.base import Notices, decimal
from quiz_widgets.formats.draft import DraftAnswer, DraftItem, DraftOption, DraftSlip, DraftTarget, DraftTolerance
from quiz_widgets.formats.markdown import escape
from quiz_widgets.formats.moodle_xml.texts import Texts
from quiz_widgets.formats.xml_tree import Element
from quiz_widgets.model import Pin


@dataclass(frozen=True, slots=True)
class Question:
    """One question's element with its name and the makers of its texts and notices."""

    element: Element
    name: str
    texts: Texts
    notices: Notices

    def say(self, line: int, rule: str, message: str, hint: str = "", *, error: bool = False) -> None:
        """Note something about the question."""
        self.notices.add(line, self.name, rule, message, hint, severity="error" if error else "warning")

    def fraction(self, answer: Element) -> Decimal:
        """The share of an answer in percent; 0, said, where it is none."""
        written = answer.attributes.get("fraction", answer.value("fraction", default="0"))
        found = decimal(written)
        if found is None or not -100 <= found <= 100:
            message = f"`{written[:20]}` is no share of the points: 0 is taken"
            self.say(answer.line, "moodle-fraction", message, "−100 to 100", error=True)
            return Decimal(0)
        return found

    def truth(self, name: str, *, default: bool) -> bool:
        """The value of an element that says yes or no."""
        return self.element.value(name, default=str(default)).lower() in {"true", "1"}


def choice(question: Question) -> DraftItem:
    """`multichoice`: one or several right options with shares."""
    single = question.truth("single", default=True)
    weighted = [(answer, question.fraction(answer)) for answer in question.element.children("answer")]
    best = max((share for _, share in weighted), default=Decimal(0))
    if single and 0 < best < 100:
        message = f"the best answer earns {best:f} %: Moodle asks for one of 100 %"
        question.say(question.element.line, "moodle-best", message, "it is read as the right one")
    options = tuple(
        DraftOption(
            text=question.texts.markdown(answer),
            correct=share > 0 and (share == best or not single),
            weight=None if single and share in {0, 100} else share,
            rationale=question.texts.markdown(answer.child("feedback")),
        )
        for answer, share in weighted
    )
    shuffle = question.truth("shuffleanswers", default=True)
    if not shuffle:
        message = "its options keep their order there; here they are mixed"
        question.say(question.element.line, "moodle-order", message, "pin those that must not move: `pin: last`")
    if single:
        return DraftItem(kind="single", stem="", options=options, shuffle=shuffle)
    credit = moodle_grades.credit(options)
    return DraftItem(kind="multiple", stem="", options=options, credit=credit, shuffle=shuffle)


def truth(question: Question) -> DraftItem:
    """`truefalse`: two options that do not move."""
    options: list[DraftOption] = []
    for answer in question.element.children("answer"):
        word = question.texts.plain(answer).strip().lower()
        if word not in {"true", "false"}:
            question.say(answer.line, "moodle-truth", f"`{word[:20]}` is neither true nor false", "it is left out")
            continue
        rationale = question.texts.markdown(answer.child("feedback"))
        right = question.fraction(answer) > 0
        pin: Pin = "first" if word == "true" else "last"
        options.append(DraftOption(text=word.title(), id=word, correct=right, rationale=rationale, pin=pin))
    return DraftItem(kind="single", stem="", options=tuple(options))


def short(question: Question) -> DraftItem:
    """`shortanswer`: accepted texts with ``*``."""
    accept: list[DraftAnswer] = []
    for answer in question.element.children("answer"):
        share = question.fraction(answer)
        if share < 0:
            question.say(answer.line, "text-negative", f"{share:f} % became 0 %", "an answer here costs nothing")
        text = answers.to_pattern(question.texts.plain(answer))
        if not text:
            question.say(answer.line, "empty-answer", "an empty answer is left out")
            continue
        rationale = question.texts.markdown(answer.child("feedback"))
        accept.append(DraftAnswer(text=text, credit=max(share, Decimal(0)) / 100, rationale=rationale))
    case = question.truth("usecase", default=False)
    return DraftItem(kind="text", stem="", accept=tuple(accept), match_case=case)


def number(question: Question) -> DraftItem:
    """`numerical`: one value with its tolerance; others are known mistakes where they earn nothing."""
    value, tolerance, feedback = None, None, ""
    slips: list[DraftSlip] = []
    for answer in question.element.children("answer"):
        share, written = question.fraction(answer), question.texts.plain(answer).strip()
        found, allowed = decimal(written), decimal(answer.value("tolerance", default="0") or "0")
        rationale = question.texts.markdown(answer.child("feedback"))
        if written == "*":
            message = "feedback for any other number is not carried"
            question.say(answer.line, "number-other", message, "put it into the explanation")
        elif found is None or allowed is None:
            question.say(answer.line, "moodle-number", f"`{written[:30]}` is no number", "write 3.14", error=True)
        elif value is None and share == 100:
            value, feedback = found, rationale
            tolerance = DraftTolerance("absolute", abs(allowed)) if allowed else None
        elif not share and not allowed and rationale:
            slips.append(DraftSlip(value=found, rationale=rationale))
        else:
            message = f"`{written[:30]}` (± {allowed:f}) earns {share:f} % there: a number has one right value here"
            question.say(answer.line, "number-second", message, "ask it as a text, or drop it", error=share == 100)
    return DraftItem(
        kind="number",
        stem="",
        value=value,
        tolerance=tolerance,
        slips=tuple(slips),
        unit=_unit(question),
        explanation=feedback,
    )


def _unit(question: Question) -> str:
    """The unit of multiplier 1."""
    units = [unit for group in question.element.children("units") for unit in group.children("unit")]
    names = {unit.value("unit_name"): decimal(unit.value("multiplier", default="1")) for unit in units}
    base = next((name for name, factor in names.items() if factor == 1), "")
    if others := [name for name in names if name != base and name]:
        message = f"other units are not carried: {', '.join(others)[:60]}"
        question.say(question.element.line, "moodle-units", message, "say in the question which unit is asked for")
    return escape(base)


def match(question: Question) -> DraftItem:
    """`matching`: prompts and targets; a target without a prompt is a distractor."""
    targets: dict[str, DraftTarget] = {}
    options: list[DraftOption] = []
    for pair in question.element.children("subquestion"):
        text = question.texts.markdown(pair.child("answer"), "plain_text")
        if not text:
            question.say(pair.line, "empty-answer", "a pair without its right side is left out")
            continue
        target = targets.setdefault(text, DraftTarget(id=f"t{len(targets) + 1}", text=text))
        if prompt := question.texts.markdown(pair):
            options.append(DraftOption(text=prompt, target=target.id))
    return DraftItem(kind="match", stem="", options=tuple(options), targets=tuple(targets.values()), credit="partial")


def order(question: Question) -> DraftItem:
    """`ordering`: the steps in their order."""

    def rank(answer: Element) -> Decimal:
        return decimal(answer.attributes.get("fraction", "")) or Decimal(0)

    steps = sorted(question.element.children("answer"), key=rank)
    exact = question.element.value("gradingtype", default="0") in {"-1", "ALL_OR_NOTHING"}
    if question.element.value("selecttype", default="0") not in {"0", "ALL"}:
        question.say(question.element.line, "moodle-select", "it shows some of its steps; here all are shown")
    options = tuple(DraftOption(text=question.texts.markdown(step)) for step in steps)
    return DraftItem(kind="order", stem="", options=options, credit="exact" if exact else "partial")


READERS: dict[str, Callable[[Question], DraftItem]] = {
    "multichoice": choice,
    "truefalse": truth,
    "shortanswer": short,
    "numerical": number,
    "matching": match,
    "match": match,
    "ordering": order,
}
"""What reads each type."""
