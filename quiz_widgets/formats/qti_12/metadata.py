"""What the metadata of QTI 1.2 tell of an item: its type, by Canvas' names, and its points."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal

from quiz_widgets.formats.base import decimal
from quiz_widgets.formats.qti_12.conditions import Condition
from quiz_widgets.formats.qti_12.item import Question
from quiz_widgets.formats.xml_tree import Element

_PROFILES = {
    "cc.multiple_choice": "multiple_choice_question",
    "cc.multiple_response": "multiple_answers_question",
    "cc.true_false": "true_false_question",
    "cc.fib": "short_answer_question",
    "cc.pattern_match": "short_answer_question",
    "cc.essay": "essay_question",
}


def fields_of(element: Element) -> dict[str, str]:
    """The metadata of an element itself, by small letters."""
    holders = [part for part in element.children() if part.name in {"itemmetadata", "qtimetadata"}]
    found: dict[str, str] = {}
    for holder in holders:
        for entry in holder.all("qtimetadatafield"):
            found[entry.value("fieldlabel").lower()] = entry.value("fieldentry")
        for entry in holder.children():
            if entry.name.startswith("qmd_"):
                found[entry.name] = entry.text().strip()
    return found


def kind_of(question: Question, fields: Mapping[str, str]) -> str:
    """Canvas' name of the type; where none is given, by what is asked."""
    profile = next((name for start, name in _PROFILES.items() if fields.get("cc_profile", "").startswith(start)), "")
    if stated := fields.get("question_type", profile):
        return stated
    responses = question.responses
    if not responses:
        return "text_only_question"
    first = responses[0]
    if len(responses) > 1:
        return "matching_question" if all(part.name == "response_lid" for part in responses) else "several responses"
    if first.name == "response_lid":
        kinds = {"Multiple": "multiple_answers_question", "Ordered": "ordering_question"}
        return kinds.get(first.attributes.get("rcardinality", "Single"), "multiple_choice_question")
    fib = next(first.all("render_fib"), None)
    if first.name == "response_num" or (fib is not None and fib.attributes.get("fibtype") in {"Decimal", "Integer"}):
        return "numerical_question"
    scored = any(condition.equal for condition in question.scored)
    return "short_answer_question" if first.name == "response_str" and scored else "essay_question"


def points_of(fields: Mapping[str, str], found: list[Condition]) -> Decimal:
    """The points of an item; one where only shares of a hundred are told."""
    stated = decimal(
        fields.get("points_possible", "") or fields.get("cc_weighting", "") or fields.get("qmd_weighting", "")
    )
    if stated is not None:
        return stated
    best = max((condition.points for condition in found if condition.points), default=Decimal(1))
    return best if best != 100 and not any(condition.adds for condition in found) else Decimal(1)
