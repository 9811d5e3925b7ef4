"""The rules that QTI's and H5P's published descriptions set for a document, written down again; faults as a list.

The schemas themselves are in no registry. Of QTI the rules are those on the order of elements, required attributes,
identifiers and what they refer to, and on where blocks may stand.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

NCNAME = re.compile(r"[^\W\d][\w.-]*")
XML_LANG = "{http://www.w3.org/XML/1998/namespace}lang"
SPACES = {"2.1": "http://www.imsglobal.org/xsd/imsqti_v2p1", "3.0": "http://www.imsglobal.org/xsd/imsqtiasi_v3p0"}
MATHML = "http://www.w3.org/1998/Math/MathML"
# Which attributes each element must have; and, after `>`, what may stand in it in this order (`*`: any number).
QTI = {
    "assessmentItem": "identifier title adaptive timeDependent > responseDeclaration* outcomeDeclaration* itemBody "
    "responseProcessing modalFeedback*",
    "responseDeclaration": "identifier cardinality baseType > correctResponse mapping",
    "correctResponse": "> value*",
    "mapping": "defaultValue > mapEntry*",
    "mapEntry": "mapKey mappedValue >",
    "outcomeDeclaration": "identifier cardinality baseType >",
    "choiceInteraction": "responseIdentifier shuffle maxChoices > simpleChoice*",
    "orderInteraction": "responseIdentifier shuffle > simpleChoice*",
    "matchInteraction": "responseIdentifier shuffle maxAssociations > simpleMatchSet*",
    "simpleMatchSet": "> simpleAssociableChoice*",
    "simpleChoice": "identifier > div",
    "simpleAssociableChoice": "identifier matchMax > div",
    "textEntryInteraction": "responseIdentifier >",
    "modalFeedback": "outcomeIdentifier identifier showHide > div contentBody",
    "contentBody": "> div",
    "rubricBlock": "view > div contentBody",
    "responseProcessing": "> responseCondition* setOutcomeValue*",
    "responseCondition": "> responseIf responseElse",
    "setOutcomeValue": "identifier > variable baseValue mapResponse",
    "baseValue": "baseType >",
    "variable": "identifier >",
    "correct": "identifier >",
    "mapResponse": "identifier >",
    "match": "> variable correct",
    "equal": "toleranceMode > variable correct baseValue",
    "stringMatch": "caseSensitive > variable baseValue",
    "assessmentTest": "identifier title > testPart",
    "testPart": "identifier navigationMode submissionMode > assessmentSection",
    "assessmentSection": "identifier title visible > rubricBlock* assessmentItemRef*",
    "assessmentItemRef": "identifier href > itemSessionControl",
}
BLOCKS = {"p", "pre", "ul", "ol", "div", "blockquote"}
INLINE = {"p", "em", "strong", "code", "a", "span", "pre"}  # hold words, and no blocks


def old(name: str) -> str:
    """A name of QTI 3 as QTI 2 has it."""
    bare = name.rpartition("}")[2]
    if bare.startswith("qti-"):
        head, *rest = bare.removeprefix("qti-").split("-")
        return head + "".join(part.title() for part in rest)
    return bare


def attributes(element: ET.Element) -> dict[str, str]:
    """Attributes by their names of QTI 2."""
    made = {}
    for name, value in element.attrib.items():
        head, *rest = name.split("-")
        made[head + "".join(part.title() for part in rest)] = value
    return made


def qti(root: ET.Element, version: str) -> list[str]:
    """What a document of QTI 2.1 or 3.0 has against the rules."""
    faults: list[str] = []
    for element in root.iter():
        space, _, bare = element.tag[1:].partition("}")
        name = old(bare)
        if space == MATHML:
            continue
        if space != SPACES[version]:
            faults.append(f"{name}: namespace {space}")
        if version == "2.1" and "dir" in element.attrib:
            faults.append(f"{name}: 2.1 has no dir")
        if version == "3.0" and not bare.startswith("qti-") and name in QTI:
            faults.append(f"{bare}: without qti-")
        if name in QTI:
            faults += list(_element(element, name))
        children = {old(child.tag) for child in element}
        if name in INLINE and children & BLOCKS:
            faults.append(f"{name} holds {sorted(children & BLOCKS)}")
        if name == "itemBody" and (element.text or "").strip():
            faults.append("loose text in itemBody")
    return faults + list(_identifiers(root))


def _element(element: ET.Element, name: str) -> Iterator[str]:
    required, _, content = QTI[name].partition(">")
    found = attributes(element)
    yield from (f"{name} lacks {wanted}" for wanted in required.split() if wanted not in found)
    order = [part.removesuffix("*") for part in content.split()]
    children = [old(child.tag) for child in element]
    yield from (f"{name} holds {child}" for child in children if child not in order)
    places = [order.index(child) for child in children if child in order]
    if places != sorted(places) and name != "responseProcessing":
        yield f"{name}: {children} are not in order"
    many = {part.removesuffix("*") for part in content.split() if part.endswith("*")}
    yield from (f"{name} holds {child} twice" for child in set(children) - many if children.count(child) > 1)


def _identifiers(root: ET.Element) -> Iterator[str]:
    """Identifiers are names, each once, and what refers to one finds it."""
    names = [(old(element.tag), attributes(element)) for element in root.iter()]
    own = [
        found["identifier"]
        for name, found in names
        if "identifier" in found
        and not name.startswith(("setOutcome", "variable", "correct", "mapResponse", "modalFeedback"))
    ]
    yield from (f"`{one}` is no identifier" for one in own if not NCNAME.fullmatch(one))
    yield from (f"`{one}` is there twice" for one in set(own) if own.count(one) > 1)
    outcomes = {found["identifier"] for name, found in names if name == "outcomeDeclaration"}
    for name, found in names:
        if name == "setOutcomeValue" and found["identifier"] not in outcomes:
            yield f"{found['identifier']} is not declared"
        if name == "modalFeedback" and found["outcomeIdentifier"] not in outcomes:
            yield f"{found['outcomeIdentifier']} is not declared"
    choices = {found["identifier"] for name, found in names if name in {"simpleChoice", "simpleAssociableChoice"}}
    for element in root.iter():
        if old(element.tag) == "responseDeclaration" and attributes(element)["baseType"] in {
            "identifier",
            "directedPair",
        }:
            values = [value.text or "" for part in element for value in part if old(value.tag) == "value"]
            values += [attributes(entry)["mapKey"] for entry in element.iter() if old(entry.tag) == "mapEntry"]
            yield from (
                f"the key `{word}` is no choice" for value in values for word in value.split() if word not in choices
            )


RULES: dict[str, Any] = json.loads(Path(__file__).with_name("h5p_rules.json").read_text(encoding="utf-8"))


class _Tags(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.found: set[str] = set()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:  # noqa: ARG002 - names of the base
        self.found.add(tag)


def h5p(value: Any, rules: dict[str, Any], path: str = "") -> list[str]:
    """What content of H5P has against the semantics of its library."""
    if not isinstance(value, dict):
        return [f"{path} is no group"]
    known = {name.removesuffix("?"): rule for name, rule in rules.items()}
    faults = [f"{path}.{name} is not known" for name in value if name not in known]
    faults += [f"{path}.{name} is missing" for name in rules if not name.endswith("?") and name not in value]
    for name, rule in known.items():
        if name in value:
            faults += _field(value[name], rule, f"{path}.{name}")
    return faults


def _field(value: Any, rule: list[Any], path: str) -> list[str]:
    kind, *more = rule
    if kind == "group":
        return h5p(value, more[0], path)
    if kind == "list":
        return [fault for index, entry in enumerate(value) for fault in h5p(entry, more[0], f"{path}[{index}]")]
    if kind == "library":
        return [fault for index, entry in enumerate(value) for fault in _library(entry, f"{path}[{index}]")]
    if kind == "boolean":
        return [] if isinstance(value, bool) else [f"{path} is no boolean"]
    if kind == "number":
        return [] if type(value) is int and more[0] <= value <= more[1] else [f"{path} is no number in its range"]
    if not isinstance(value, str):
        return [f"{path} is no text"]
    if kind == "select":
        return [] if value in more[0].split() else [f"{path} is `{value}`"]
    tags = _Tags()
    tags.feed(value)
    strange = tags.found - {*more[0].split(), *(("p", "br", "div", "span") if more[0] else ())}
    return [f"{path} holds {sorted(strange)}"] if strange else []


def _library(entry: Any, path: str) -> list[str]:
    missing = [
        f"{path}.{name} is missing" for name in ("library", "params", "subContentId", "metadata") if name not in entry
    ]
    if missing or not re.fullmatch(r"H5P\.MultiChoice 1\.\d+", entry["library"]):
        return [*missing, f"{path}.library"]
    return h5p(entry["params"], RULES["H5P.MultiChoice"], f"{path}.params")
