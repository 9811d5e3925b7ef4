"""Questions of jupyterquiz as drafts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any

from quiz_widgets.formats import answers, html_text, markdown, suspect
from quiz_widgets.formats.base import Notices
from quiz_widgets.formats.draft import DraftAnswer, DraftItem, DraftOption
from quiz_widgets.formats.json_items import Number
from quiz_widgets.formats.jupyterquiz import numbers, texts

_CHOICES = ("multiple_choice", "many_choice")
_QUESTION = {"question", "type", "answers", "code", "precision", "answer_cols", "points", "input_width", "hide"}
_ANSWER = {"answer", "code", "correct", "feedback", "type", "value", "range", "match_case", "fuzzy_threshold", "hide"}


@dataclass(slots=True)
class Question:
    """One question's fields, and the maker of its notices and texts."""

    fields: Mapping[str, Any]
    line: int
    name: str
    notices: Notices
    languages: list[str]

    def say(self, rule: str, message: str, hint: str = "", *, error: bool = False) -> None:
        """Note something about it."""
        self.notices.add(self.line, self.name, rule, message, hint, severity="error" if error else "warning")

    def note(self, rule: str, message: str, hint: str = "") -> None:
        """Note something that makes no difference to who answers."""
        self.notices.add(self.line, self.name, rule, message, hint, severity="note")

    def text(self, value: Any) -> str:
        """A field's text as Markdown; what is no text is taken as it is written."""
        if value is None or isinstance(value, (dict, list, bool)):
            if value is not None:
                self.say("jupyterquiz-text", f"`{str(value)[:40]}` stands where a text is expected: it is left out")
            return ""
        if language := html_text.language(str(value)):
            self.languages.append(language)
        return texts.to_markdown(str(value), self.say)

    def code(self, value: Any) -> str:
        """A `code` field as a block."""
        return texts.code(value, self.say) if isinstance(value, str) else ""

    def doubt(self, rationale: str, shown: str, *, right: bool) -> None:
        """Note feedback that contradicts the key; of options this is found for every format."""
        if (suspect.rejects if right else suspect.praises)(rationale):
            told = " ".join(markdown.to_plain(rationale).split())[:60]
            word = "right" if right else "wrong"
            message = f"`{shown}` is marked as {word} there, and told: `{told}`"
            self.say("feedback-contradicts", message, "is the key right? correct one of them")

    def right(self, answer: Mapping[str, Any]) -> bool:
        """Whether an answer is right, as the script sees it."""
        found = answer.get("correct", False)
        if isinstance(found, bool):
            return found
        right = str(found) == "true"
        message = (
            f"`correct` is `{str(found)[:20]}`: the script counts it, and takes it as {'right' if right else 'wrong'}"
        )
        self.say("jupyterquiz-correct", message, "write true or false without quotes", error=not right)
        return right


@dataclass(slots=True)
class Reader:
    """Makes drafts of questions, one after another."""

    notices: Notices
    languages: list[str] = field(default_factory=list)

    def language(self) -> str:
        """The language that the texts name, when it is one."""
        named = set(self.languages)
        return named.pop() if len(named) == 1 else ""

    def item(self, entry: Any, line: int) -> DraftItem | None:
        """The draft of one entry of the list; `None`, said, when it is no question."""
        if not isinstance(entry, dict):
            message = f"`{str(entry)[:40]}` is no question: it is left out"
            self.notices.add(line, "", "jupyterquiz-question", message, "a question is an object", severity="error")
            return None
        name = " ".join(str(entry.get("question", "")).split())[:40]
        question = Question(entry, line, name, self.notices, self.languages)
        kind = entry.get("type")
        found = entry.get("answers")
        given = [answer for answer in found if isinstance(answer, dict)] if isinstance(found, list) else []
        if not isinstance(found, list) or len(given) < len(found):
            question.say(
                "jupyterquiz-answers", "`answers` is no list of objects", "what is none is left out", error=True
            )
        _unknown(question, given)
        if kind in _CHOICES:
            made = _choice(question, given)
        elif kind == "numeric":
            made = numbers.number(question, given)
        elif kind == "string":
            made = _text(question, given)
        else:
            message = f"the type `{str(kind)[:30]}` is left out: the script knows none of that name"
            question.say("jupyterquiz-type", message, f"{', '.join(_CHOICES)}, numeric or string", error=True)
            return None
        stem = [question.text(entry.get("question")), question.code(entry.get("code"))]
        points = Decimal(str(entry["points"])) if numbers.is_number(entry.get("points")) else Decimal(1)
        return DraftItem(
            kind=made.kind,
            stem="\n\n".join(part for part in stem if part),
            options=made.options,
            accept=made.accept,
            match_case=made.match_case,
            value=made.value,
            tolerance=made.tolerance,
            slips=made.slips,
            explanation=made.explanation,
            points=points,
            place=self.notices.place(line),
        )


def _unknown(question: Question, given: list[dict[str, Any]]) -> None:
    names = [name for name in question.fields if name not in _QUESTION]
    names += sorted({name for answer in given for name in answer if name not in _ANSWER})
    if names:
        shown = ", ".join(f"`{name[:30]}`" for name in names[:8])
        question.note("jupyterquiz-field", f"the script has no use for {shown}: left out")


def _choice(question: Question, given: list[dict[str, Any]]) -> DraftItem:
    options: list[DraftOption] = []
    for answer in given:
        parts = [question.text(answer.get("answer")), question.code(answer.get("code"))]
        text = "\n\n".join(part for part in parts if part)
        rationale = question.text(answer.get("feedback"))
        options.append(DraftOption(text=text, correct=question.right(answer), rationale=rationale))
    right = sum(option.correct for option in options)
    several = question.fields.get("type") == "many_choice"
    if right > 1 and not several:
        message = f"`multiple_choice` with {right} right options: the script asks for all of them, and so it is read"
        question.say("jupyterquiz-several", message, "is one `correct` too many? else write `many_choice`")
    elif right == 1 and several:
        message = "`many_choice` with one right option: the script asks for one there, here any number may be chosen"
        question.note("jupyterquiz-one", message, "write `multiple_choice`")
    elif not right:
        message = "no option is right: the script marks every choice as wrong"
        question.say("jupyterquiz-no-key", message, "set `correct` of the right one to true", error=True)
    return DraftItem(kind="multiple" if several or right > 1 else "single", stem="", options=tuple(options))


def _text(question: Question, given: list[dict[str, Any]]) -> DraftItem:
    accept: list[DraftAnswer] = []
    cases: set[bool] = set()
    for answer in given:
        rationale = question.text(answer.get("feedback"))
        if answer.get("type") == "default":
            question.say("jupyterquiz-default", f"feedback for any other answer is not carried: {rationale[:80]}")
            continue
        written = answer.get("answer")
        if not isinstance(written, str) or not written.strip():
            question.say("jupyterquiz-answer", "an answer without a text is left out", error=True)
            continue
        if isinstance(written, Number):
            question.say("jupyterquiz-answer", f"the script fails at the number `{written}`", "put it in quotes")
        if numbers.is_number(answer.get("fuzzy_threshold")):
            message = (
                f"`{written[:30]}` is accepted there when {answer['fuzzy_threshold']} of it is right, and here exactly"
            )
            question.say("jupyterquiz-fuzzy", message, "add the spellings that shall count")
        cases.add(answer.get("match_case") is True)
        right = question.right(answer)
        question.doubt(rationale, written[:30], right=right)
        accept.append(DraftAnswer(text=answers.literal(written), credit=Decimal(int(right)), rationale=rationale))
    if len(cases) > 1:
        message = "`match_case` of some answers: here capital letters count in all of them"
        question.say("jupyterquiz-case", message, "write down each spelling that shall count")
    return DraftItem(kind="text", stem="", accept=tuple(accept), match_case=True in cases)
