"""H5P archives: the multiple-choice and true/false questions in them, alone, in a question set or in other content."""

from __future__ import annotations

import html
import json
import posixpath
from collections.abc import Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any
from urllib.parse import unquote

from quiz_widgets.authoring.fields import ID
from quiz_widgets.formats import archives, html_text, markdown
from quiz_widgets.formats.base import MAX_ITEMS, Notices, Source
from quiz_widgets.formats.draft import DraftCredit, DraftItem, DraftOption, DraftQuiz, Imported
from quiz_widgets.formats.h5p import data
from quiz_widgets.formats.h5p.data import Content
from quiz_widgets.formats.images import reference
from quiz_widgets.formats.pictures import Pictures
from quiz_widgets.model import Pin

CONTENT = "content/content.json"
_QUIET = frozenset({"H5P.Image", "H5P.Text", "H5P.AdvancedText", "H5P.Column", "H5P.Row", "H5P.RowColumn"})


def read(source: Source) -> Imported:
    """The quiz in an archive, or in its `content.json` alone."""
    notices = Notices(source.name)
    members: Mapping[str, bytes] = {}
    about: dict[str, Any] = {}
    content = source
    if archives.is_archive(source.data):
        members = archives.read(source.data, notices).members
        notices = Notices(f"{source.name}/{CONTENT}", notices.problems)
        if CONTENT not in members:
            notices.add(0, "", "h5p-content", f"the archive holds no {CONTENT}", "is it H5P?", severity="error")
            return Imported((), notices.done())
        about = data.load(Source("h5p.json", members.get("h5p.json", b"{}")), notices) or {}
        content = Source(CONTENT, members[CONTENT], source.encoding)
    params = data.load(content, notices)
    if params is None:
        return Imported((), notices.done())
    inside = {name.removeprefix("content/"): member for name, member in members.items()}
    reader = _Reader(notices, Pictures(inside), content.text(Notices("")), source)
    quiz = reader.quiz(params, about)
    if not quiz.items and not any(problem.severity == "error" for problem in notices.problems):
        message = "no multiple-choice or true/false question"
        notices.add(1, "", "empty", message, "other content of H5P has no place in a quiz", severity="error")
    return Imported((quiz,) if quiz.items else (), notices.done())


@dataclass(slots=True)
class _Reader:
    notices: Notices
    pictures: Pictures
    raw: str
    source: Source
    at: int = 0
    name: str = ""
    line: int = 0
    hints: list[str] = field(default_factory=list)

    def say(self, rule: str, message: str, hint: str = "") -> None:
        """Note something about the question at hand."""
        self.notices.add(self.line, self.name, rule, message, hint)

    def quiz(self, params: dict[str, Any], about: dict[str, Any]) -> DraftQuiz:
        main = data.text(about, "mainLibrary")
        found = list(data.contents(params))
        if not found or main in data.QUESTIONS:
            library = main or ("H5P.MultiChoice" if "answers" in params else "H5P.TrueFalse")
            found = [Content(library, params, data.text(about, "title"))]
        items: list[DraftItem] = []
        for index, content in enumerate(found):
            self.source.tell(index + 1, len(found))
            if len(items) == MAX_ITEMS:
                message = f"more than {MAX_ITEMS} questions: the rest is not read"
                self.notices.add(0, "", "many", message, "split the file", severity="error")
                break
            if (item := self.item(content)) is not None:
                items.append(item)
        self.line, self.name = 0, ""
        if "poolSize" in params:
            self.say("h5p-pool", "some of its questions are drawn there; here all are asked")
        if any(data.text(one, "feedback") for one in data.entries(data.group(params, "endGame"), "overallFeedback")):
            self.say("h5p-feedback", "feedback on the whole score is not carried")
        language = data.text(about, "language")
        return DraftQuiz(
            items=tuple(items),
            title=markdown.escape(" ".join(data.text(about, "title").split())),
            description=self.text(data.text(data.group(params, "introPage"), "introduction")),
            language="" if language == "und" else language,
            files=self.pictures.kept,
        )

    def text(self, written: str) -> str:
        """HTML as Markdown."""
        return html_text.to_markdown(written, self.say, self.pictures) if written else ""

    def place(self, question: str) -> int:
        """The line of a question in the file, which its text shows; 0 where it does not."""
        for plain in (False, True):
            shown = json.dumps(question, ensure_ascii=plain)[1:-1][:60].rstrip("\\")
            at = self.raw.find(shown, self.at) if shown else -1
            if at >= 0:
                self.at = at
                return self.raw.count("\n", 0, at) + 1
        return 0

    def item(self, content: Content) -> DraftItem | None:
        """One question; `None` where it is none, or (said) of another kind."""
        question = data.text(content.params, "question")
        self.line = self.place(question)
        plain = " ".join(markdown.to_plain(html_text.to_markdown(question, lambda *_: None)).split())
        self.name = " ".join(content.title.split()) or plain[:40]
        if content.library in _QUIET:
            return None
        if content.library not in data.QUESTIONS:
            message = f"`{content.library[:40]}`: nothing here grades it"
            self.notices.add(self.line, self.name, "h5p-library", message, "it is left out", severity="error")
            return None
        self.hints = []
        stem = [self.media(content.params), self.text(question)]
        made = self.choice(content.params) if content.library == "H5P.MultiChoice" else self.truth(content.params)
        told = data.entries(content.params, "overallFeedback")
        told += data.entries(data.group(content.params, "overallFeedback"), "overallFeedback")
        explanation = ""
        ranges = [one for one in told if data.text(one, "feedback")]
        if len(ranges) == 1 and str(ranges[0].get("from")) == "0" and str(ranges[0].get("to")) == "100":
            explanation = markdown.from_plain(html.unescape(data.text(ranges[0], "feedback")))
        elif ranges:
            shown = "; ".join(data.text(one, "feedback") for one in ranges)[:80]
            self.say("h5p-feedback", f"feedback by score is not carried: {shown}", "put it into rationales")
        retry = data.truth(data.group(content.params, "behaviour"), "enableRetry", default=True)
        return DraftItem(
            kind=made.kind,
            stem="\n\n".join(part for part in stem if part),
            id=content.title if ID.fullmatch(content.title) else "",
            name=self.name,
            options=made.options,
            credit=made.credit,
            points=made.points,
            shuffle=made.shuffle,
            tries=None if retry else 1,
            hints=tuple(self.hints),
            explanation=explanation,
            place=self.notices.place(self.line),
        )

    def media(self, params: dict[str, Any]) -> str:
        """The picture above a question."""
        media = data.group(data.group(params, "media"), "type") or data.group(params, "media")
        inner = data.group(media, "params")
        path = data.text(data.group(inner, "file"), "path")
        if not path:
            if inner:
                self.say("h5p-media", f"`{data.text(media, 'library')[:30]}` above the question is left out")
            return ""
        kept, fault = self.pictures.take(posixpath.normpath(unquote(path)).removesuffix("#tmp"))
        alt = data.text(inner, "alt")
        if fault:
            self.say("picture", f"the picture `{path[:80]}` is left out: {fault}", "its description stays")
            return markdown.escape(f"({alt})") if alt else ""
        return reference(kept, alt)

    def choice(self, params: dict[str, Any]) -> DraftItem:
        """`H5P.MultiChoice`: one or several right options; each right one earns a point, each wrong one costs one."""
        answers, behaviour = data.entries(params, "answers"), data.group(params, "behaviour")
        rights = sum(data.truth(answer, "correct") for answer in answers)
        kind = data.text(behaviour, "type") or "auto"
        single = kind == "single" or (kind != "multi" and rights <= 1)
        partial = not single and not data.truth(behaviour, "singlePoint")
        written = params.get("answers")
        if isinstance(written, list) and len(written) > len(answers):
            self.say("h5p-option", f"{len(written) - len(answers)} of its options are no groups, and are left out")
        if not rights and answers:
            self.say("h5p-none", "no option is right: in H5P it is right to choose none", "add a right option")
        shuffle = data.truth(behaviour, "randomAnswers", default=True)
        if not shuffle:
            message = "its options keep their order there; here they are mixed"
            self.say("h5p-order", message, "pin those that must not move: `pin: last`")
        passed = str(behaviour.get("passPercentage", "100"))
        if not single and not partial and passed != "100":
            self.say(
                "h5p-pass", f"{passed[:5]} % are enough for the point there; here all right options must be chosen"
            )
        share = round(Decimal(100) / max(rights, 1), 5)
        options = tuple(
            self.option(answer, (share if data.truth(answer, "correct") else -share) if partial else None)
            for answer in answers
        )
        credit: DraftCredit = "partial" if partial else "exact"
        points = Decimal(max(rights, 1)) if partial else Decimal(1)
        made = "single" if single else "multiple"
        if made == "single":
            return DraftItem(kind="single", stem="", options=options, shuffle=shuffle)
        return DraftItem(kind="multiple", stem="", options=options, credit=credit, points=points, shuffle=shuffle)

    def option(self, answer: dict[str, Any], weight: Decimal | None) -> DraftOption:
        """One option; its tip becomes a hint."""
        told = data.group(answer, "tipsAndFeedback")
        text = self.text(data.text(answer, "text"))
        right = data.truth(answer, "correct")
        chosen, missed = self.text(data.text(told, "chosenFeedback")), self.text(data.text(told, "notChosenFeedback"))
        if missed and not chosen and right:
            self.say("h5p-missed", "what is told of a right option that was not chosen is told of it in any case here")
            chosen = missed
        elif missed:
            shown = markdown.to_plain(missed)[:80]
            self.say("h5p-missed", f"what is told of an option that was not chosen is not carried: {shown}")
        if tip := self.text(data.text(told, "tip")):
            self.say("h5p-tip", f"the tip at `{markdown.to_plain(text)[:40]}` became a hint of the question")
            self.hints.append(f"{text}: {tip}" if "\n" not in text + tip else f"{text}\n\n{tip}")
        return DraftOption(text=text, correct=right, rationale=chosen, weight=weight)

    def truth(self, params: dict[str, Any]) -> DraftItem:
        """`H5P.TrueFalse`: two options that do not move."""
        behaviour, words = data.group(params, "behaviour"), data.group(params, "l10n")
        written = params.get("correct")
        right = written if isinstance(written, bool) else str(written).lower() == "true"
        told = {True: data.text(behaviour, "feedbackOnCorrect"), False: data.text(behaviour, "feedbackOnWrong")}
        places: tuple[tuple[str, str, Pin], ...] = (("true", "True", "first"), ("false", "False", "last"))
        options = tuple(
            DraftOption(
                text=markdown.escape(data.text(words, f"{name}Text") or word),
                id=name,
                correct=(name == "true") == right,
                rationale=self.text(told[(name == "true") == right]),
                pin=pin,
            )
            for name, word, pin in places
        )
        return DraftItem(kind="single", stem="", options=options)
