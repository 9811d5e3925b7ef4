"""One assessment item of QTI 2 or 3 as a draft: its body, points, feedback and hints around the interaction."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Mapping
from decimal import Decimal

from quiz_widgets.formats import markdown
from quiz_widgets.formats.base import Notices, decimal
from quiz_widgets.formats.draft import DraftItem
from quiz_widgets.formats.pictures import Pictures
from quiz_widgets.formats.qti import html, processing
from quiz_widgets.formats.qti.interactions import READERS
from quiz_widgets.formats.qti.item import FEEDBACK, Question, declared, own_id
from quiz_widgets.formats.xml_tree import Element

_BLOCKS = frozenset({"choiceInteraction", "orderInteraction", "matchInteraction", "associateInteraction"})
_HINT = re.compile(r"hint", re.IGNORECASE)
_ASIDE = frozenset({"infoControl", "rubricBlock", "endAttemptInteraction", "printedVariable", *FEEDBACK})


def read(
    root: Element, notices: Notices, pictures: Pictures, stimuli: Mapping[str, str] | None = None
) -> DraftItem | None:
    """The item; `None` (said) where it asks nothing that can be graded here. `stimuli` are HTML by name."""
    identifier = root.attributes.get("identifier", "")
    name = " ".join(root.attributes.get("title", "").split()) or identifier
    body = root.child("itemBody") or root
    asked = [part for part in _interactions(body) if part.name != "endAttemptInteraction"]

    def left_out(rule: str, message: str, hint: str = "it is left out") -> None:
        notices.add(root.line, name, rule, message, hint, severity="error")

    if root.child("templateDeclaration") is not None or root.child("templateProcessing") is not None:
        left_out("qti-template", "its values are drawn by a program (`templateDeclaration`), which is not run")
        return None
    if not asked:
        notices.add(root.line, name, "qti-text", "it asks nothing: it is left out", severity="note")
        return None
    if len(asked) > 1:
        left_out("qti-several", f"{len(asked)} interactions in one item: here a question has one")
        return None
    interaction = asked[0]
    if interaction.name not in READERS:
        left_out("qti-interaction", f"`{interaction.name[:40]}`: nothing here grades it")
        return None
    if root.attributes.get("adaptive") == "true":
        message = "it may be answered again there until it ends (`adaptive`); here tries are counted"
        notices.add(root.line, name, "qti-adaptive", message, severity="note")
    response = declared(root, interaction.attributes.get("responseIdentifier", ""))
    done = processing.read(root.child("responseProcessing"), response.identifier)
    question = Question(root, interaction, response, done, name, notices, pictures)
    return _item(question, body, stimuli or {}, own_id(identifier))


def _interactions(body: Element) -> list[Element]:
    """All interactions in a body, in order."""
    found: list[Element] = []
    stack = [body]
    while stack:
        part = stack.pop()
        if part.name.endswith("Interaction"):
            found.append(part)
        stack.extend(reversed(list(part.children())))
    return found


def _item(question: Question, body: Element, stimuli: Mapping[str, str], name: str) -> DraftItem:
    root = question.element
    hints, inside = _asides(question, body)
    for part in root.children("modalFeedback"):
        question.tell(part)
    made = READERS[question.interaction.name](question)
    shared = [
        stimuli[ref.attributes.get("identifier", "")]
        for ref in root.children("assessmentStimulusRef")
        if ref.attributes.get("identifier", "") in stimuli
    ]
    stem = question.from_html("".join(shared) + _stem(question, body), body.line)
    explained = [made.explanation, question.take(*question.shown("always"))]
    hints += [
        text
        for told in list(question.feedback)
        if _HINT.search(told.identifier + told.outcome) and (text := question.take(told.identifier))
    ]
    unit = inside.get("unit", "") if made.kind == "number" else ""
    _left(question)
    points = _points(question)
    if strange := question.processing.strange:
        message = (
            f"points or feedback are computed by a program, which is not followed: {', '.join(sorted(strange))[:80]}"
        )
        question.say(
            root.line, "qti-program", message, "the key is what the item declares as right; look whether it is"
        )
    return dataclasses.replace(
        made,
        stem=stem,
        id=name,
        name=question.name,
        points=points,
        hints=tuple(hints),
        unit=unit,
        explanation="\n\n".join(part for part in explained if part),
        source=inside.get("source", ""),
        place=question.notices.place(root.line),
    )


def _asides(question: Question, body: Element) -> tuple[list[str], dict[str, str]]:
    """Hints, and what marks with a class as unit or source; feedback in the body is kept, other asides are noted."""
    hints: list[str] = []
    marked: dict[str, str] = {}
    options = {"simpleChoice", "simpleAssociableChoice"}
    stack = [body]
    while stack:
        part = stack.pop()
        kind = part.attributes.get("class", "")
        if part.name in FEEDBACK:
            question.tell(part)
        elif part.name == "infoControl" or (part.name == "rubricBlock" and kind == "hint"):
            hints.append(question.markdown(part))
        elif part.name == "rubricBlock" and kind == "source":
            marked["source"] = question.markdown(part)
        elif part.name == "rubricBlock" and "candidate" not in part.attributes.get("view", "candidate").split():
            shown = markdown.to_plain(question.markdown(part))[:80]
            message = f"a remark for {part.attributes.get('view', '')[:40]} is not carried: {shown}"
            question.say(part.line, "qti-rubric", message)
        elif part.name == "printedVariable":
            question.say(part.line, "qti-variable", "a value that the other system prints is not carried")
        elif kind == "unit":
            marked["unit"] = question.markdown(part)
        elif part.name not in options:
            stack.extend(reversed(list(part.children())))
    return [hint for hint in hints if hint], marked


def _stem(question: Question, body: Element) -> str:
    """The body's HTML; where the interaction stands, its prompt, or a gap where text goes on around it."""
    alone = _alone(body, question.interaction)

    def replace(part: Element) -> str | None:
        if part is question.interaction:
            prompt = part.child("prompt")
            if prompt is not None:
                return f"<div>{html.of(prompt)}</div>"
            return "" if alone or part.name in _BLOCKS else html.GAP
        if part.attributes.get("class") == "unit":
            return ""
        if part.name == "rubricBlock" and "candidate" in part.attributes.get("view", "candidate").split():
            return None if part.attributes.get("class") not in {"hint", "source"} else ""
        return "" if part.name in _ASIDE else None

    return html.of(body, replace)


def _alone(body: Element, interaction: Element) -> bool:
    """Whether nothing but a unit stands beside the interaction in its paragraph."""
    stack = [body]
    while stack:
        part = stack.pop()
        if any(child is interaction for child in part.children()):
            beside = [
                other
                for other in part.content
                if other is not interaction
                and not (isinstance(other, Element) and other.attributes.get("class") == "unit")
            ]
            return part is not body and not any(
                (other if isinstance(other, str) else other.text()).strip() for other in beside
            )
        stack.extend(part.children())
    return False


def _points(question: Question) -> Decimal:
    """The points of a right response."""
    declared_points: dict[str, Decimal | None] = {}
    for part in question.element.children("outcomeDeclaration"):
        identifier = part.attributes.get("identifier", "")
        maximum = decimal(part.attributes.get("normalMaximum", ""))
        default = decimal(part.value("defaultValue", "value"))
        declared_points[identifier] = maximum if identifier == "SCORE" else default
    found = declared_points.get("SCORE") or declared_points.get("MAXSCORE") or question.processing.right
    if not found and question.processing.maps:
        found = question.response.most
    return found or Decimal(1)


def _left(question: Question) -> None:
    """Say what feedback is not carried."""
    for told in question.feedback:
        shown = markdown.to_plain(told.text)[:80]
        message = f"feedback for every answer of a kind is not carried (`{told.identifier[:40]}`): {shown}"
        question.say(told.line, "qti-feedback", message, "put what it says into rationales or the explanation")
