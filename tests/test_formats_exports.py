"""QTI and H5P as exported, read by readers that are not ours: key, points and feedback, option by option."""

from __future__ import annotations

import json
import re
from decimal import Decimal
from xml.etree import ElementTree as ET

import pytest

from quiz_widgets import locales
from quiz_widgets.formats import h5p, markdown, moodle_grades, qti, qti_12
from quiz_widgets.formats.base import Format
from quiz_widgets.formats.draft import DraftQuiz
from quiz_widgets.locales.numbers import canonical
from tests.formats import published
from tests.test_formats_packages import unpacked
from tests.test_formats_roundtrip import COURSE, bare, exported


def members(known: Format, name: str, locale: str) -> tuple[DraftQuiz, dict[str, bytes]]:
    """A quiz of the course as it is exported, and the files in the archive."""
    draft, _ = exported(known, name, locale)
    return draft, unpacked(known, draft)


def words_of(element: ET.Element | None) -> str:
    """The words in an element; of a formula its TeX alone."""
    if element is None:
        return ""
    if element.tag == f"{{{published.MATHML}}}math":
        return element.attrib["alttext"]
    inner = "".join(words_of(child) + (child.tail or "") for child in element)
    apart = "" if published.old(element.tag) in {"em", "strong", "code", "a", "span"} else " "
    return apart + (element.text or "") + inner + apart


def plainly(source: str) -> str:
    """The words of a text, formulas as TeX."""
    return "".join(re.sub(r"\\[()\[\]]", "", bare(markdown.to_html(source))).split())


def same(found: str, source: str) -> bool:
    return "".join(found.split()) == plainly(source)


def first(element: ET.Element, name: str) -> ET.Element:
    return next(part for part in element.iter() if published.old(part.tag) == name)


def every(element: ET.Element, name: str) -> list[ET.Element]:
    return [part for part in element.iter() if published.old(part.tag) == name]


@pytest.mark.parametrize(("name", "locale"), COURSE)
@pytest.mark.parametrize("known", [qti.QTI_21, qti.QTI_30], ids=lambda known: known.id)
def test_qti_says_key_points_and_feedback_option_by_option(known: Format, name: str, locale: str) -> None:
    version = known.id.removeprefix("qti-")
    draft, files = members(known, name, locale)
    test = ET.fromstring(files["test.xml"])
    manifest = ET.fromstring(files["imsmanifest.xml"])

    assert published.qti(test, version) == []
    refs = [published.attributes(ref) for ref in every(test, "assessmentItemRef")]
    assert [ref["href"] for ref in refs] == [f"items/{item.id}.xml" for item in draft.items]
    hrefs = {part.attrib["href"] for part in manifest.iter() if part.tag.endswith("}resource")}
    assert hrefs == {"test.xml", *(ref["href"] for ref in refs)}
    for item in draft.items:
        root = ET.fromstring(files[f"items/{item.id}.xml"])
        assert published.qti(root, version) == []
        assert root.attrib[published.XML_LANG] == locale
        told = {part.attrib["identifier"]: words_of(part) for part in every(root, "modalFeedback")}
        body = first(root, "itemBody")
        assert same(words_of(body[0]), item.stem)
        assert body[0].get("dir") == (None if version == "2.1" else "rtl" if locale == "ar" else "ltr")
        assert same(told["EXPLANATION"], item.explanation)
        value = next(part.text for part in every(root, "value"))
        if item.kind == "number":
            assert Decimal(value or "") == item.value
            equal = published.attributes(first(root, "equal"))
            allowed = Decimal(equal.get("tolerance", "0").split()[0])
            if equal["toleranceMode"] == "relative":
                allowed = allowed * abs(item.value or Decimal(0)) / 100
            assert allowed == moodle_grades.absolute(item)
            known_numbers = [
                part.text for part in every(root, "baseValue") if part.attrib.get("baseType", "") == "float"
            ]
            known_numbers += [
                part.text for part in every(root, "baseValue") if part.attrib.get("base-type", "") == "float"
            ]
            for slip in item.slips:
                assert canonical(slip.value) in known_numbers
                assert same(told[slip.id], slip.rationale)
        else:
            choices = every(root, "simpleChoice")
            got = {part.attrib["identifier"]: (words_of(part), part.get("fixed")) for part in choices}
            assert value == next(option.id for option in item.options if option.correct)
            assert len(every(root, "value")) == 1
            for option in item.options:
                text, fixed = got[option.id]
                assert same(text, option.text)
                assert fixed == ("true" if option.pin else None)
                assert same(told.get(option.id, ""), option.rationale)


@pytest.mark.parametrize(("name", "locale"), COURSE)
def test_qti_1_says_key_points_and_feedback_option_by_option(name: str, locale: str) -> None:
    draft, files = members(qti_12.FORMAT, name, locale)
    space = "{http://www.imsglobal.org/xsd/ims_qtiasiv1p2}"
    root = ET.fromstring(files[f"{name}/{name}.xml"])
    meta = ET.fromstring(files[f"{name}/assessment_meta.xml"])
    manifest = ET.fromstring(files["imsmanifest.xml"])

    assert meta.attrib["identifier"] == root.find(f"{space}assessment").get("ident") == draft.id  # type: ignore[union-attr]
    named = {part.attrib["href"] for part in manifest.iter() if part.tag.endswith("}file")}
    assert named == {member for member in files if member != "imsmanifest.xml"}
    items = list(root.iter(f"{space}item"))
    assert [element.attrib["ident"] for element in items] == [item.id for item in draft.items]
    for element, item in zip(items, draft.items, strict=True):
        # The order that the specification's document type sets.
        order = [child.tag.removeprefix(space) for child in element]
        assert order[:3] == ["itemmetadata", "presentation", "resprocessing"]
        assert set(order[3:]) <= {"itemfeedback"}
        assert element.attrib[published.XML_LANG] == locale
        fields = {
            part.findtext(f"{space}fieldlabel"): part.findtext(f"{space}fieldentry")
            for part in element.iter(f"{space}qtimetadatafield")
        }
        assert fields["points_possible"] == canonical(item.points)
        told = {part.attrib["ident"]: "".join(part.itertext()) for part in element.iter(f"{space}itemfeedback")}
        stem = element.findtext(f"{space}presentation/{space}material/{space}mattext") or ""
        assert bare(stem) == bare(markdown.to_html(item.stem))
        assert stem.startswith(f'<div lang="{locale}" dir="' if locale != "en" else "")
        assert bare(told["general_fb"]) == bare(markdown.to_html(item.explanation))
        links: dict[str, str] = {}
        key: list[str] = []
        for condition in element.iter(f"{space}respcondition"):
            values = [part.text or "" for part in condition.iter(f"{space}varequal")]
            shown = condition.find(f"{space}displayfeedback")
            if shown is not None and values:
                links[values[0]] = told[shown.attrib["linkrefid"]]
            if condition.findtext(f"{space}setvar") == "100":
                key = values
        if item.kind == "number":
            assert fields["question_type"] == "numerical_question"
            assert [Decimal(value) for value in key] == [item.value]
            low, high = (Decimal(element.findtext(f".//{space}{end}") or "") for end in ("vargte", "varlte"))
            allowed = moodle_grades.absolute(item)
            assert (low, high) == (item.value - allowed, item.value + allowed)  # type: ignore[operator]
            for slip in item.slips:
                assert bare(links[canonical(slip.value)]) == bare(markdown.to_html(slip.rationale))
        else:
            assert fields["question_type"] == "multiple_choice_question"
            assert key == [option.id for option in item.options if option.correct]
            labels = {
                part.attrib["ident"]: ("".join(part.itertext()), part.get("rshuffle"))
                for part in element.iter(f"{space}response_label")
            }
            for option in item.options:
                text, moves = labels[option.id]
                assert bare(text) == bare(markdown.to_html(option.text))
                assert moves == ("No" if option.pin else None)
                assert bare(links.get(option.id, "")) == bare(markdown.to_html(option.rationale))


@pytest.mark.parametrize(("name", "locale"), COURSE)
def test_h5p_keeps_to_its_libraries_rules_and_says_key_and_feedback(name: str, locale: str) -> None:
    draft, files = members(h5p.FORMAT, name, locale)
    about, content = json.loads(files["h5p.json"]), json.loads(files["content/content.json"])

    assert published.h5p(content, published.RULES["H5P.QuestionSet"]) == []
    libraries = {
        f"{part['machineName']} {part['majorVersion']}.{part['minorVersion']}"
        for part in about["preloadedDependencies"]
    }
    assert {question["library"] for question in content["questions"]} < libraries
    assert (about["mainLibrary"], about["language"]) == ("H5P.QuestionSet", locale)
    assert about["embedTypes"] == ["iframe"]
    assert about["license"] == "U"
    kept = [item for item in draft.items if item.kind in {"single", "multiple"}]
    assert [question["metadata"]["title"] for question in content["questions"]] == [item.id for item in kept]
    for question, item in zip(content["questions"], kept, strict=True):
        params = question["params"]
        assert plainly_html(params["question"]) == plainly(item.stem)
        assert params["question"].startswith(f'<div lang="{locale}" dir="{"rtl" if locale == "ar" else "ltr"}">')
        assert params["behaviour"]["type"] == "single"
        assert params["behaviour"]["randomAnswers"] is not any(option.pin for option in item.options)
        got = [
            (plainly_html(answer["text"]), answer["correct"], plainly_html(answer["tipsAndFeedback"]["chosenFeedback"]))
            for answer in params["answers"]
        ]
        wanted = [(plainly(option.text), option.correct, plainly(option.rationale)) for option in item.options]
        assert sorted(got) == sorted(wanted)
        assert params["UI"]["checkAnswerButton"] == locales.words(locale)["check"]


def plainly_html(made: str) -> str:
    return "".join(re.sub(r"\\[()\[\]]", "", bare(made)).split())
