"""Moodle XML to drafts: what all questions have, and the categories between them."""

from __future__ import annotations

import dataclasses
import math
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from decimal import Decimal

from quiz_widgets.authoring.fields import ID
from quiz_widgets.formats import xml_tree
from quiz_widgets.formats.base import MAX_ITEMS, Notices, Source, decimal
from quiz_widgets.formats.draft import DraftItem, DraftQuiz, Imported
from quiz_widgets.formats.markdown import escape
from quiz_widgets.formats.moodle_xml.answers import READERS, Question
from quiz_widgets.formats.moodle_xml.texts import Texts
from quiz_widgets.formats.xml_tree import Element

_COMBINED = ("correctfeedback", "partiallycorrectfeedback", "incorrectfeedback")
# What Moodle writes into every question by itself.
_DEFAULT = re.compile(r"Your answer is (?:partially )?(?:in)?correct\.?")


def read(source: Source) -> Imported:
    """The questions of a file."""
    notices = Notices(source.name)
    root = xml_tree.parse(source, notices)
    if root is None:
        return Imported((), notices.done())
    reader = _Reader(notices, source)
    items = tuple(reader.items(root))
    if not items:
        message = "no question that can be read"
        notices.add(root.line, "", "empty", message, "is it an export of Moodle's question bank?", severity="error")
        return Imported((), notices.done())
    languages = set(reader.languages)
    return Imported((_titled(items, reader.kept, languages.pop() if len(languages) == 1 else ""),), notices.done())


def _titled(items: tuple[DraftItem, ...], files: dict[str, bytes], language: str) -> DraftQuiz:
    """The quiz; one category of all questions is its title."""
    quiz = DraftQuiz(items=items, files=files, language=language)
    if len({item.category for item in items}) > 1 or not items[0].category:
        return quiz
    path = [part.strip().replace("//", "/") for part in re.split(r"(?<!/)/(?!/)", items[0].category)]
    names = [part for part in path if part not in {"$course$", "$system$", "$module$", "top", ""}]
    if len(names) < 2:
        quiz = dataclasses.replace(quiz, items=tuple(dataclasses.replace(item, category="") for item in items))
    return dataclasses.replace(quiz, title=escape(names[-1]) if names else "")


@dataclass(slots=True)
class _Reader:
    notices: Notices
    source: Source
    kept: dict[str, bytes] = field(default_factory=dict)
    languages: list[str] = field(default_factory=list)

    def items(self, root: Element) -> Iterator[DraftItem]:
        category, count = "", 0
        questions = list(root.children("question")) if root.name != "question" else [root]
        for index, element in enumerate(questions):
            self.source.tell(index + 1, len(questions))
            if element.attributes.get("type") == "category":
                category = element.value("category", "text")
                if told := Texts(self.notices, category, self.kept).markdown(element.child("info")):
                    message = f"what is told of a category is not carried: {told[:80]}"
                    self.notices.add(element.line, category, "moodle-category", message, severity="note")
                continue
            if count == MAX_ITEMS:
                message = f"more than {MAX_ITEMS} questions: the rest is not read"
                self.notices.add(element.line, "", "many", message, "split the file", severity="error")
                return
            item = self.item(element)
            if item is not None:
                count += 1
                yield dataclasses.replace(item, category=category)

    def item(self, element: Element) -> DraftItem | None:
        """One question; `None` (said) where nothing here grades its type."""
        kind = element.attributes.get("type", "")
        name = " ".join(element.value("name").split())
        texts = Texts(self.notices, name, self.kept, self.languages)
        question = Question(element, name, texts, self.notices)
        if kind not in READERS:
            shown = f"the type `{kind[:30]}`" if kind else "a question without a type"
            if kind == "description":
                self.notices.add(element.line, name, "moodle-type", "a description is left out", severity="note")
            else:
                question.say(
                    element.line, "moodle-type", f"{shown}: nothing here grades it", "it is left out", error=True
                )
            return None
        made = READERS[kind](question)
        own = element.value("idnumber")
        tags = tuple(text for tag in element.all("tag") if (text := tag.value("text")))
        sets = [
            tag.removeprefix("set:")
            for tag in tags
            if ID.fullmatch(tag.removeprefix("set:")) and tag.startswith("set:")
        ]
        hints = tuple(hint for part in element.children("hint") if (hint := texts.markdown(part)))
        explained = [made.explanation, texts.markdown(element.child("generalfeedback"))]
        self.feedback(question)
        if element.value("hidden") in {"1", "true"}:
            question.say(
                element.line, "moodle-hidden", "it is hidden in Moodle's bank (an old version?)", "is it meant?"
            )
        return dataclasses.replace(
            made,
            stem=texts.markdown(element.child("questiontext")),
            id=own if ID.fullmatch(own) else "",
            name=name,
            points=self.points(question),
            tries=self.tries(question, len(hints)),
            hints=hints,
            explanation="\n\n".join(part for part in explained if part),
            tags=tuple(tag for tag in tags if tag not in {f"set:{name}" for name in sets[:1]}),
            set=sets[0] if sets else "",
            place=self.notices.place(element.line),
        )

    def points(self, question: Question) -> Decimal:
        written = question.element.value("defaultgrade", default="1")
        found = decimal(written)
        if found is None:
            question.say(question.element.line, "points", f"`{written[:20]}` points: 1 is taken")
        return Decimal(1) if found is None else found

    def tries(self, question: Question, hints: int) -> int | None:
        """How many tries may still earn points: each wrong one costs the penalty, here it costs nothing."""
        penalty = decimal(question.element.value("penalty", default="0"))
        if not penalty or penalty < 0:
            return max(hints + 1, 2) if hints > 1 else None
        tries = max(1, min(10, math.ceil(1 / penalty - Decimal("0.001"))))
        if tries > 1:
            message = f"the penalty of {penalty:f} for each wrong try became {tries} tries without one"
            self.notices.add(question.element.line, question.name, "moodle-penalty", message, severity="note")
        return tries

    def feedback(self, question: Question) -> None:
        """Say what is told there for right, partly right and wrong answers as such."""
        for name in _COMBINED:
            text = question.texts.markdown(question.element.child(name))
            if text and not _DEFAULT.fullmatch(text):
                line = question.element.child(name)
                message = f"feedback for every answer of a kind is not carried (`{name}`): {text[:80]}"
                hint = "put what it says into rationales or the explanation"
                question.say(line.line if line else 0, "moodle-feedback", message, hint)
