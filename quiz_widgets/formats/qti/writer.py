"""A quiz as a package of QTI 2.1 or 3.0: a manifest, a test, and a document for each item."""

from __future__ import annotations

from xml.sax.saxutils import quoteattr

from quiz_widgets import locales
from quiz_widgets.formats import losses, markdown, named
from quiz_widgets.formats.archives import pack
from quiz_widgets.formats.base import Notices
from quiz_widgets.formats.draft import DraftItem, DraftQuiz, Exported
from quiz_widgets.formats.qti.answers import WRITERS, Answers, Writer, identifier
from quiz_widgets.formats.qti.names import Dialect, Version
from quiz_widgets.locales.numbers import canonical

_HEAD = '<?xml version="1.0" encoding="UTF-8"?>\n'
_EXPLANATION = "EXPLANATION"  # in capital letters, which no id has
_HOLDS: frozenset[losses.Part] = frozenset(
    (
        *("rationale", "explanation", "hints", "tries", "points", "credit", "shares", "unit", "tolerance", "slips"),
        *("pins", "match_case", "language", "title", "description", "source", "set", "section", "ids", "markup"),
    )
)
_SCHEMA = {"2.1": ("QTIv2.1 Package", "1.0.0"), "3.0": ("QTI Package", "3.0.0")}
_MANIFEST = {
    "2.1": "http://www.imsglobal.org/xsd/imscp_v1p1",
    "3.0": "http://www.imsglobal.org/xsd/qti/qtiv3p0/imscp_v1p1",
}
_TYPES = {"2.1": "xmlv2p1", "3.0": "xmlv3p0"}


def write(version: Version, quiz: DraftQuiz) -> Exported:
    """The package; every kind has its interaction."""
    kept, notices = losses.check(quiz, kinds=set(WRITERS), holds=_HOLDS)
    items = named.quiz(kept).items
    writer = Writer(Dialect(version), quiz.language, notices)
    files = {f"items/{item.id}.xml": _item(writer, item) for item in items}
    files["test.xml"] = _test(writer, quiz, items)
    if version == "2.1" and locales.direction(quiz.language or locales.SOURCE_LOCALE) == "rtl":
        message = "2.1 has no direction of text: there it follows from the language, which is written"
        notices.add(0, "", "direction", message, "export qti-3.0 where that is not enough", severity="note")
    return Exported(pack({"imsmanifest.xml": _manifest(version, files), **files}), notices.done())


def _item(writer: Writer, item: DraftItem) -> str:
    """The document of one item."""
    dialect, element = writer.dialect, writer.dialect.element
    _say_losses(dialect.version, item, writer.notices)
    made = WRITERS[item.kind](writer, item)
    outcome = {"cardinality": "single", "baseType": "float"}
    several = "multiple" if item.kind == "multiple" else "single"
    told = [*made.told, *([(_EXPLANATION, item.explanation)] if item.explanation else [])]
    attributes = {
        "xmlns": dialect.namespace,
        "identifier": identifier(item.id),
        "title": item.name or item.id,
        "adaptive": "false",
        "timeDependent": "false",
        "xml:lang": writer.language,
    }
    parts = [
        made.declaration,
        element("outcomeDeclaration", {"identifier": "SCORE", **outcome, "normalMaximum": canonical(item.points)}),
    ]
    if made.told:
        kinds = {"identifier": "FEEDBACK", "cardinality": several, "baseType": "identifier"}
        parts.append(element("outcomeDeclaration", kinds))
    if item.explanation:
        kinds = {"identifier": _EXPLANATION, "cardinality": "single", "baseType": "identifier"}
        parts.append(element("outcomeDeclaration", kinds))
    parts += [_body(writer, item, made), _processing(writer, item, made)]
    for name, text in told:
        shown = {"outcomeIdentifier": _EXPLANATION if name == _EXPLANATION else "FEEDBACK"}
        shown |= {"identifier": name, "showHide": "show"}
        parts.append(element("modalFeedback", shown, _blocks(writer, text)))
    return _HEAD + element("assessmentItem", attributes, *parts) + "\n"


def _blocks(writer: Writer, text: str) -> str:
    """A text where QTI 3 wants its blocks in an element of their own."""
    made = writer.text(text)
    return writer.dialect.element("contentBody", {}, made) if writer.dialect.version == "3.0" else made


def _body(writer: Writer, item: DraftItem, made: Answers) -> str:
    element = writer.dialect.element
    asides: list[str] = []
    for hint in item.hints:
        if writer.dialect.version == "2.1":
            asides.append(_control(writer, hint, item.id))
        else:
            asides.append(_remark(writer, "hint", "tutor", hint))
    if item.source:
        asides.append(_remark(writer, "source", "author", item.source))
    asked = f"<p>{made.interaction}</p>" if made.inline else made.interaction
    return element("itemBody", {}, writer.text(item.stem), asked, *asides)


def _remark(writer: Writer, kind: str, view: str, text: str) -> str:
    """A text that not the learner sees, but who teaches or writes."""
    use = "instructions" if writer.dialect.version == "3.0" else ""
    return writer.dialect.element("rubricBlock", {"class": kind, "use": use, "view": view}, _blocks(writer, text))


def _control(writer: Writer, hint: str, item: str) -> str:
    """What a learner may open. 2.1's schema allows no elements of QTI in it, so that it is plain text."""
    if not markdown.is_plain(hint):
        writer.notices.add(0, item, "lost", "not exported: layout and code of hints, which are plain text there")
    attributes = {"title": _hint(writer.language), "xml:lang": writer.language}
    return writer.dialect.value("infoControl", markdown.to_plain(hint), attributes)


def _hint(language: str) -> str:
    """The word on what opens a hint."""
    known = language if language in locales.available() else locales.SOURCE_LOCALE
    return str(locales.words(known)["hint"])


def _processing(writer: Writer, item: DraftItem, made: Answers) -> str:
    element = writer.dialect.element

    def show(outcome: str, value: str) -> str:
        return element("setOutcomeValue", {"identifier": outcome}, value)

    steps = [made.scored]
    if made.told and made.by_choice:
        steps.append(show("FEEDBACK", element("variable", {"identifier": "RESPONSE"})))
    for test, name in made.known:
        if any(name == known for known, _ in made.told):
            told = show("FEEDBACK", writer.base("identifier", name))
            steps.append(element("responseCondition", {}, element("responseIf", {}, test, told)))
    if item.explanation:
        steps.append(show(_EXPLANATION, writer.base("identifier", _EXPLANATION)))
    return element("responseProcessing", {}, *steps)


def _say_losses(version: Version, item: DraftItem, notices: Notices) -> None:
    """Note what the kind of an item cannot hold."""
    if version == "3.0" and item.hints:
        message = "hints are shown to tutors only: 3.0 has nothing that a learner may open without ending the attempt"
        notices.add(0, item.id, "lost", message)
    if item.kind in {"order", "match"} and any(option.rationale for option in item.options):
        notices.add(0, item.id, "lost", "not exported: the rationales of its parts")
    if item.kind == "order" and item.credit == "partial":
        notices.add(0, item.id, "lost", "partial credit is not exported: all or nothing there")


def _test(writer: Writer, quiz: DraftQuiz, items: tuple[DraftItem, ...]) -> str:
    """The test that puts the items in order. Set and section of an item are categories: ``set.numbers``."""
    element = writer.dialect.element

    def ref(item: DraftItem) -> str:
        control = element("itemSessionControl", {"maxAttempts": str(item.tries)}) if item.tries else ""
        places = (("set", item.set), ("section", item.section))
        category = " ".join(f"{name}.{value}" for name, value in places if value)
        attributes = {"identifier": identifier(item.id), "href": f"items/{item.id}.xml", "category": category}
        return element("assessmentItemRef", attributes, control)

    title = " ".join(markdown.to_plain(quiz.title).split()) or "Quiz"
    about = _remark(writer, "", "candidate", quiz.description) if quiz.description else ""
    section = {"identifier": "section", "title": title, "visible": "true"}
    part = {"identifier": "part", "navigationMode": "nonlinear", "submissionMode": "individual"}
    head = {"xmlns": writer.dialect.namespace, "identifier": identifier(quiz.id or "quiz"), "title": title}
    made = element("testPart", part, element("assessmentSection", section, about, *map(ref, items)))
    return _HEAD + element("assessmentTest", head, made) + "\n"


def _manifest(version: Version, files: dict[str, str]) -> str:
    """The list of the package's documents."""
    name, number = _SCHEMA[version]
    lines = [
        f'<manifest xmlns="{_MANIFEST[version]}" identifier="manifest">',
        f"<metadata><schema>{name}</schema><schemaversion>{number}</schemaversion></metadata>",
        "<organizations/>",
        "<resources>",
    ]
    for index, path in enumerate(sorted(files, reverse=True)):
        kind = "test" if path == "test.xml" else "item"
        href = quoteattr(path)
        lines.append(
            f'<resource identifier="resource-{index}" type="imsqti_{kind}_{_TYPES[version]}" href={href}>'
            f"<file href={href}/></resource>"
        )
    return _HEAD + "\n".join([*lines, "</resources>", "</manifest>"]) + "\n"
