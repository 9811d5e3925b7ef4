"""Every kind of question in QTI and H5P, read as plain XML and JSON; what is expected is written by hand."""

from __future__ import annotations

import json
from decimal import Decimal
from xml.etree import ElementTree as ET

import pytest

from quiz_widgets.formats import h5p, qti, qti_12
from quiz_widgets.formats.base import Format
from quiz_widgets.formats.draft import DraftAnswer, DraftItem, DraftOption, DraftQuiz, DraftTarget
from tests.formats.published import attributes, old
from tests.formats.published import qti as faults
from tests.test_formats_packages import unpacked

PRIMES = DraftItem(
    kind="multiple",
    id="primes",
    stem="Which are prime?",
    options=(
        DraftOption(id="none", text="None of these", pin="last"),
        DraftOption(id="2", text="2", correct=True, rationale="The only even one."),
        DraftOption(id="3", text="3", correct=True),
        DraftOption(id="4", text="4"),
        DraftOption(id="all", text="All of these", pin="first"),
    ),
    credit="partial",
    points=Decimal(3),
)
TOWN = DraftItem(
    kind="text",
    id="town",
    stem="The largest town?",
    accept=(
        DraftAnswer(id="full", text="İstanbul|Istanbul"),
        DraftAnswer(id="old", text="Byzantium", credit=Decimal("0.5"), rationale="Long ago."),
        DraftAnswer(id="capital", text="Ankara", credit=Decimal(0), rationale="That is the capital."),
        DraftAnswer(id="wild", text="Const*", credit=Decimal("0.5")),
    ),
    match_case=True,
    points=Decimal(2),
)
SIGNS = DraftItem(
    kind="match",
    id="signs",
    stem="Match them.",
    options=(
        DraftOption(id="power", text="power", target="watt"),
        DraftOption(id="force", text="force", target="newton"),
    ),
    targets=tuple(DraftTarget(id=name, text=name) for name in ("newton", "power", "watt")),
    credit="partial",
)
STEPS = DraftItem(
    kind="order",
    id="steps",
    stem="From the shortest",
    options=tuple(DraftOption(id=name, text=name) for name in ("mm", "cm", "km")),
)
QUIZ = DraftQuiz(items=(PRIMES, TOWN, SIGNS, STEPS), title="Kinds", id="kinds", language="en")
VERSIONS = pytest.mark.parametrize("known", [qti.QTI_21, qti.QTI_30], ids=lambda known: known.id)


def every(element: ET.Element, name: str) -> list[dict[str, str]]:
    """The attributes of all elements of a name, as QTI 2 has it."""
    return [attributes(part) for part in element.iter() if old(part.tag) == name]


def texts(element: ET.Element, name: str) -> list[str]:
    return [(part.text or "").strip() for part in element.iter() if old(part.tag) == name]


def document(known: Format, item: str) -> ET.Element:
    root = ET.fromstring(unpacked(known, QUIZ)[f"items/{item}.xml"])
    assert faults(root, known.id.removeprefix("qti-")) == []
    return root


@VERSIONS
def test_several_right_options_in_qti(known: Format) -> None:
    root = document(known, "primes")

    # Ids that begin with a digit are no names there.
    assert [(one["identifier"], one.get("fixed")) for one in every(root, "simpleChoice")] == [
        ("all", "true"),
        ("_2", None),
        ("_3", None),
        ("_4", None),
        ("none", "true"),
    ]
    assert texts(root, "value") == ["_2", "_3"]
    assert {one["mapKey"]: one["mappedValue"] for one in every(root, "mapEntry")} == {
        "_2": "1.5",
        "_3": "1.5",
        "_4": "-1",
        "all": "-1",
        "none": "-1",
    }
    [mapping] = every(root, "mapping")
    assert mapping == {"defaultValue": "0", "lowerBound": "0", "upperBound": "3"}
    [interaction] = every(root, "choiceInteraction")
    assert interaction == {"responseIdentifier": "RESPONSE", "shuffle": "true", "maxChoices": "0"}
    assert [one["identifier"] for one in every(root, "modalFeedback")] == ["_2"]


@VERSIONS
def test_texts_in_qti(known: Format) -> None:
    root = document(known, "town")

    assert texts(root, "value") == ["İstanbul"]
    assert {one["mapKey"]: (one["mappedValue"], one["caseSensitive"]) for one in every(root, "mapEntry")} == {
        "İstanbul": ("2", "true"),
        "Istanbul": ("2", "true"),
        "Byzantium": ("1", "true"),
    }
    assert [text for text in texts(root, "baseValue") if text] == ["Byzantium", "old", "Ankara", "capital"]
    assert known.write is not None
    lost = [problem.message for problem in known.write(QUIZ).problems if problem.path == "town"]
    assert lost == ["not exported: the answer `Const*`, since `*` stands for any signs"]


@VERSIONS
def test_pairs_and_steps_in_qti(known: Format) -> None:
    signs, steps = document(known, "signs"), document(known, "steps")

    # The target `power` may not have the name of the row.
    assert texts(signs, "value") == ["power watt", "force newton"]
    assert [one["identifier"] for one in every(signs, "simpleAssociableChoice")] == [
        "power",
        "force",
        "newton",
        "power.target",
        "watt",
    ]
    assert {one["mapKey"]: one["mappedValue"] for one in every(signs, "mapEntry")} == {
        "power watt": "0.5",
        "force newton": "0.5",
    }
    assert texts(steps, "value") == ["mm", "cm", "km"]
    assert [one["identifier"] for one in every(steps, "simpleChoice")] == ["cm", "km", "mm"]


def test_every_kind_in_qti_1() -> None:
    root = ET.fromstring(unpacked(qti_12.FORMAT, QUIZ)["kinds/kinds.xml"])
    items = {item.attrib["ident"]: item for item in root.iter() if item.tag.endswith("}item")}

    primes = items["primes"]
    assert [(one["ident"], one.get("rshuffle")) for one in every(primes, "response_label")] == [
        ("all", "No"),
        ("2", None),
        ("3", None),
        ("4", None),
        ("none", "No"),
    ]
    assert texts(primes, "not/varequal") == []
    wrong = [texts(part, "varequal")[0] for part in primes.iter() if part.tag.endswith("}not")]
    assert wrong == ["all", "4", "none"]
    assert texts(primes, "setvar") == ["100"]
    town = items["town"]
    scores = [
        (texts(part, "varequal"), texts(part, "setvar")) for part in town.iter() if part.tag.endswith("}respcondition")
    ]
    assert scores == [
        (["Byzantium"], []),
        (["Ankara"], []),
        (["İstanbul", "Istanbul"], ["100"]),
        (["Byzantium"], ["50"]),
    ]
    assert {one.get("case") for one in every(town, "varequal")} == {"Yes"}
    signs = [(one["respident"]) for one in every(items["signs"], "varequal")]
    assert list(zip(signs, texts(items["signs"], "varequal"), texts(items["signs"], "setvar"), strict=True)) == [
        ("response_power", "watt", "50"),
        ("response_force", "newton", "50"),
    ]
    assert texts(items["steps"], "varequal") == ["mm", "cm", "km"]
    assert qti_12.FORMAT.write is not None
    passed = {
        problem.path: problem.message for problem in qti_12.FORMAT.write(QUIZ).problems if problem.rule == "canvas"
    }
    assert passed == {
        "primes": "written, but Canvas passes over it: pins: which options do not move",
        "town": "written, but Canvas passes over it: that capital letters count; "
        "answers that earn a part of the points",
        "steps": "written, but Canvas passes over it: steps in order (New Quizzes alone has them)",
    }


def test_several_right_options_in_h5p_and_what_it_has_not() -> None:
    content = json.loads(unpacked(h5p.FORMAT, QUIZ)["content/content.json"])
    [question] = content["questions"]

    behaviour = question["params"]["behaviour"]
    assert (behaviour["type"], behaviour["singlePoint"], behaviour["randomAnswers"]) == ("multi", False, False)
    assert [answer["correct"] for answer in question["params"]["answers"]] == [False, True, True, False, False]
    assert h5p.FORMAT.write is not None
    problems = h5p.FORMAT.write(QUIZ).problems
    assert [problem.path for problem in problems if problem.rule == "kind"] == ["signs", "steps", "town"]
    assert [problem.message for problem in problems if problem.path == "primes" and problem.rule != "kind"] == [
        "a wrong option costs there what a right one earns; here it costs a share of the wrong ones",
        "no option of it is mixed there, since 2 must not move: H5P mixes all or none",
        "not exported: the points",
    ]
