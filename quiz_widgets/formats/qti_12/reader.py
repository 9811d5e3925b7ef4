"""Files of QTI 1.2: assessments, banks and items, alone or in the packages that Canvas exports."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from quiz_widgets.formats import archives, html_text, markdown, xml_tree
from quiz_widgets.formats.base import MAX_ITEMS, Notices, Source
from quiz_widgets.formats.draft import DraftItem, DraftQuiz, Imported
from quiz_widgets.formats.pictures import Pictures
from quiz_widgets.formats.qti_12 import conditions
from quiz_widgets.formats.qti_12.answers import READERS, own_id
from quiz_widgets.formats.qti_12.item import GENERAL, Question
from quiz_widgets.formats.qti_12.metadata import fields_of, kind_of, points_of
from quiz_widgets.formats.xml_tree import Element

_START = re.compile(r"<(?:\w+:)?questestinterop\b")
_IDENT = re.compile(r"<assessment\b[^>]*?\bident\s*=\s*[\"']([^\"']*)")


def is_start(text: str) -> bool:
    """Whether a document that begins so is one of QTI 1."""
    return _START.search(text) is not None


def read(source: Source) -> Imported:
    """The quizzes of a file: one for each assessment or bank."""
    notices = Notices(source.name)
    members = archives.read(source.data, notices).members if archives.is_archive(source.data) else {}
    reader = _Reader(source, members)
    quizzes: list[DraftQuiz] = []
    if members:
        for name in _documents(members):
            quizzes += reader.document(Source(name, members[name]), Notices(f"{source.name}/{name}", notices.problems))
    else:
        quizzes += reader.document(source, notices)
    if not quizzes and not any(problem.severity == "error" for problem in notices.problems):
        notices.add(1, "", "empty", "no question that can be read", "is it QTI 1.2?", severity="error")
    return Imported(tuple(quizzes), notices.done())


def _documents(members: Mapping[str, bytes]) -> list[str]:
    """The documents of QTI in a package. Canvas writes each quiz twice; the second has all types, and is read."""
    found: dict[str, str] = {}
    for name, data in members.items():
        if name.lower().endswith((".xml", ".qti", ".dat")):
            start = Source(name, data).start()
            if is_start(start):
                ident = _IDENT.search(start)
                key = ident[1] if ident else name
                if key not in found or name.lower().endswith(".qti"):
                    found[key] = name
    return list(found.values())


@dataclass(slots=True)
class _Reader:
    source: Source
    members: Mapping[str, bytes]
    count: int = 0
    kept: dict[str, bytes] = field(default_factory=dict)
    languages: list[str] = field(default_factory=list)

    def document(self, source: Source, notices: Notices) -> Iterator[DraftQuiz]:
        """The quizzes of one document."""
        root = xml_tree.parse(source, notices)
        if root is None:
            return
        if root.name != "questestinterop":
            message = f"`<{root.name[:40]}>` is no document of QTI 1.2"
            notices.add(root.line, "", "qti-root", message, severity="error")
            return
        groups = [part for part in root.children() if part.name in {"assessment", "objectbank", "section"}]
        for group in groups or [root]:
            self.languages.clear()
            items = tuple(self.items(group, notices, ""))
            if items:
                yield self.quiz(group, items, notices)

    def quiz(self, group: Element, items: tuple[DraftItem, ...], notices: Notices) -> DraftQuiz:
        meta = self.meta(group.attributes.get("ident", ""))
        fields = fields_of(group)
        title = group.attributes.get("title", "") or fields.get("bank_title", "")
        for label, what in (("cc_maxattempts", "how often it may be taken"), ("qmd_timelimit", "the limit of time")):
            if fields.get(label, "1") not in {"1", "", "unlimited"}:
                notices.add(
                    group.line, "", "qti-setting", f"{what} is not carried: {fields[label][:20]}", severity="note"
                )
        about = ""
        if meta is not None:

            def report(rule: str, message: str, hint: str) -> None:
                notices.add(group.line, "", rule, message, hint)

            about = html_text.to_markdown(meta.value("description"), report, Pictures(self.members, self.kept))
            if meta.value("shuffle_answers") == "false":
                message = "options keep their order there; here they are mixed"
                notices.add(group.line, "", "qti-order", message, "pin those that must not move: `pin: last`")
                items = tuple(dataclasses.replace(item, shuffle=False) for item in items)
        languages = set(self.languages)
        return DraftQuiz(
            items=items,
            title=markdown.escape(" ".join(title.split())),
            description=about,
            language=languages.pop() if len(languages) == 1 else "",
            files=self.kept,
        )

    def meta(self, ident: str) -> Element | None:
        """What Canvas keeps of the quiz in another file."""
        for name, data in self.members.items():
            if name.rpartition("/")[2] == "assessment_meta.xml" and ident:
                root = xml_tree.parse(Source(name, data), Notices(name))
                if root is not None and root.attributes.get("identifier") == ident:
                    return root
        return None

    def items(self, group: Element, notices: Notices, label: str) -> Iterator[DraftItem]:
        """The items of a group and of the sections in it."""
        for part in group.children():
            if part.name == "item":
                self.count += 1
                self.source.tell(self.count, max(self.count, MAX_ITEMS))
                if self.count == MAX_ITEMS + 1:
                    message = f"more than {MAX_ITEMS} items: the rest is not read"
                    notices.add(part.line, "", "many", message, "split the file", severity="error")
                if self.count <= MAX_ITEMS and (item := self.item(part, notices)) is not None:
                    yield dataclasses.replace(item, category=label)
            elif part.name == "section":
                title = part.attributes.get("title", "")
                self.selection(part, notices, title)
                yield from self.items(part, notices, title or label)

    def selection(self, section: Element, notices: Notices, title: str) -> None:
        chosen = section.child("selection_ordering")
        if chosen is None:
            return
        if bank := next(chosen.all("sourcebank_ref"), None):
            message = f"its questions stand in the bank `{bank.text().strip()[:40]}`, which this export has not"
            notices.add(section.line, title, "qti-bank", message, "export the course, or the bank", severity="error")
        elif next(chosen.all("selection_number"), None):
            notices.add(
                section.line, title, "qti-selection", "some of its questions are drawn there; here all are asked"
            )

    def item(self, element: Element, notices: Notices) -> DraftItem | None:
        """One item; `None` (said) where nothing here grades it."""
        fields = fields_of(element)
        ident = element.attributes.get("ident", "")
        name = " ".join(element.attributes.get("title", "").split()) or ident
        found = conditions.read(element)
        question = Question(element, name, notices, Pictures(self.members, self.kept), found, self.languages)
        question.canvas = "question_type" in fields
        kind = kind_of(question, fields)
        if kind == "text_only_question":
            notices.add(element.line, name, "qti-text", "it asks nothing: it is left out", severity="note")
            return None
        if kind not in READERS or not question.responses:
            message = f"the type `{kind[:40]}`: nothing here grades it"
            notices.add(element.line, name, "qti-type", message, "it is left out", severity="error")
            return None
        if language := element.attributes.get("lang"):
            self.languages.append(language)
        hints, solutions = _feedback(question)
        made = READERS[kind](question)
        explained = [made.explanation, question.take(GENERAL), *solutions]
        _left(question)
        return dataclasses.replace(
            made,
            stem=question.text(element.child("presentation")),
            id=own_id(ident),
            name=name,
            points=points_of(fields, found),
            hints=hints,
            explanation="\n\n".join(part for part in explained if part),
            set=own_id(fields.get("set", "")),
            tags=(f"section:{fields['section']}",) if fields.get("section") else (),
            source=markdown.from_plain(fields.get("source", "")),
            place=notices.place(element.line),
        )


def _feedback(question: Question) -> tuple[tuple[str, ...], list[str]]:
    """Keep the feedback by its names; hints and solutions are given."""
    hints: list[str] = []
    solutions: list[str] = []
    for part in question.element.children("itemfeedback"):
        for child in part.children():
            if child.name == "hint":
                hints += [text for one in child.all("hintmaterial") if (text := question.text(one))]
            elif child.name == "solution":
                solutions += [text for one in child.all("solutionmaterial") if (text := question.text(one))]
        told = Element(
            part.name, {}, part.line, [one for one in part.children() if one.name not in {"hint", "solution"}]
        )
        if text := question.text(told):
            question.feedback[part.attributes.get("ident", "")] = text
    return tuple(hints), solutions


def _left(question: Question) -> None:
    """Say what feedback is not carried, and what of the conditions is not followed."""
    for name, text in question.feedback.items():
        shown = markdown.to_plain(text)[:80]
        message = f"feedback for every answer of a kind is not carried (`{name[:40]}`): {shown}"
        hint = "put what it says into rationales or the explanation"
        question.say(question.element.line, "qti-feedback", message, hint)
    for part in question.element.children("rubric"):
        shown = markdown.to_plain(question.text(part))[:80]
        question.say(part.line, "qti-rubric", f"a remark is not carried: {shown}", "put it into the question")
    strange = set().union(*(condition.strange for condition in question.conditions)) if question.conditions else set()
    if strange:
        message = f"conditions are not followed: {', '.join(sorted(strange))[:80]}"
        question.say(question.element.line, "qti-program", message, "look whether the key is right")
