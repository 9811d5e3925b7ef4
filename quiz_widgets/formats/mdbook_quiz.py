"""mdbook-quiz: questions in TOML with Markdown texts. Format: the crate mdbook-quiz-schema.

Options are shown in a random order unless `answerIndex` or `sortAnswers` fixes it; typed answers are compared without
regard to capital letters. A program to trace becomes a question to type.
"""

from __future__ import annotations

import dataclasses
import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any

from quiz_widgets.formats import answers, foreign, markdown
from quiz_widgets.formats.base import MAX_ITEMS, Format, Notices, Source
from quiz_widgets.formats.draft import DraftAnswer, DraftItem, DraftOption, DraftQuiz, Imported
from quiz_widgets.markup import code

_QUESTION = re.compile(r"^[ \t]*\[\[[ \t]*[\"']?questions[\"']?[ \t]*\]\]", re.MULTILINE)
_TYPE = re.compile(r"^[ \t]*type[ \t]*=[ \t]*[\"'](?:ShortAnswer|MultipleChoice|Tracing)[\"']", re.MULTILINE)
_KNOWN = {"id", "type", "multipart", "prompt", "answer", "context", "promptExplanation"}
_TRACE = "Does this program compile? If it does, type what it prints, its lines one after another; if not, type `no`."


def recognise(source: Source) -> float:
    """Sure where a table of questions names one of its types."""
    start = source.start(20_000)
    if not _QUESTION.search(start):
        return 0.0
    return 0.98 if _TYPE.search(start) else 0.5 if source.suffix == ".toml" else 0.3


def read(source: Source) -> Imported:
    """The questions of a file."""
    notices = Notices(source.name)
    text = source.text(notices)
    found = _parsed(text, notices)
    entries = found.get("questions", [])
    if not isinstance(entries, list):
        entries = []
    lines = [text.count("\n", 0, place.start()) + 1 for place in _QUESTION.finditer(text)]
    if len(lines) != len(entries):
        lines = [0] * len(entries)
    reader = _Reader(notices, found.get("multipart", {}))
    items: list[DraftItem] = []
    for number, (line, entry) in enumerate(zip(lines, entries, strict=True)):
        source.tell(number, len(entries))
        if number == MAX_ITEMS:
            message = f"more than {MAX_ITEMS} questions: the rest is not read"
            notices.add(line, "", "many", message, "split the file", severity="error")
            break
        item = reader.item(entry, line)
        if item is not None:
            items.append(item)
    if not items:
        notices.add(1, "", "empty", "no question can be read", "is it in this format?", severity="error")
        return Imported((), notices.done())
    return Imported((DraftQuiz(items=tuple(items)),), notices.done())


def _parsed(text: str, notices: Notices) -> dict[str, Any]:
    """The file's tables; what is wrong is noted."""
    try:
        return tomllib.loads(text, parse_float=Decimal)
    except (ValueError, ArithmeticError, RecursionError) as error:
        where = re.search(r"\(at line (\d+), column \d+\)", str(error))
        reason = str(error).partition(" (at ")[0] if isinstance(error, ValueError) else "lists too deep, or a number"
        message = f"this is not TOML: {reason}; nothing of it is read"
        notices.add(int(where[1]) if where else 1, "", "toml", message, "mend it", severity="error")
        return {}


@dataclass(slots=True)
class _Reader:
    notices: Notices
    multipart: Any
    line: int = 0
    name: str = ""
    told: set[str] = field(default_factory=set)

    def say(self, rule: str, message: str, hint: str = "") -> None:
        self.notices.add(self.line, self.name, rule, message, hint)

    def error(self, rule: str, message: str, hint: str = "") -> None:
        self.notices.add(self.line, self.name, rule, message, hint, severity="error")

    def note(self, rule: str, message: str, hint: str = "") -> None:
        self.notices.add(self.line, self.name, rule, message, hint, severity="note")

    def text(self, table: Mapping[str, Any], name: str) -> str:
        """A Markdown field; empty where it is missing, noted where it is no text."""
        value = table.get(name)
        if value is None:
            return ""
        if not isinstance(value, str):
            self.error("mdbook-text", f"`{name}` is `{str(value)[:40]}`, and no text: it is left out")
            return ""
        return foreign.to_ours(value, self.say)

    def table(self, entry: Mapping[str, Any], name: str) -> Mapping[str, Any]:
        value = entry.get(name)
        if not isinstance(value, dict):
            self.error("mdbook-table", f"`{name}` is missing or no table", f"write `{name}.{name} = …`")
            return {}
        return value

    def item(self, entry: Any, line: int) -> DraftItem | None:
        self.line, self.name = line, ""
        if not isinstance(entry, dict):
            self.error("mdbook-question", f"`{str(entry)[:40]}` is no question: it is left out")
            return None
        prompt, answer = self.table(entry, "prompt"), self.table(entry, "answer")
        named, written = entry.get("id"), prompt.get("prompt", prompt.get("program", ""))
        self.name = " ".join(str(written).split())[:40]
        kind = entry.get("type")
        if kind == "MultipleChoice":
            made = self.choice(prompt, answer)
        elif kind == "ShortAnswer":
            made = self.short(prompt, answer)
        elif kind == "Tracing":
            made = self.trace(prompt, answer)
        else:
            self.error("mdbook-type", f"the type `{str(kind)[:30]}` is left out: mdbook-quiz refuses the file")
            return None
        if entry.get("promptExplanation") is True:
            self.note("mdbook-explain", "it asks for a justification in words there; here it does not")
        if unknown := [str(name)[:30] for name in entry if name not in _KNOWN]:
            self.note("mdbook-field", f"mdbook-quiz has no field {', '.join(unknown[:8])}: left out")
        parts = [self.part(entry), self.text(prompt, "prompt") or made.stem]
        return DraftItem(
            kind=made.kind,
            id=named if isinstance(named, str) else "",
            stem="\n\n".join(part for part in parts if part),
            options=made.options,
            accept=made.accept,
            match_case=made.match_case,
            explanation=self.text(entry, "context"),
            shuffle=made.shuffle,
            place=self.notices.place(line),
        )

    def part(self, entry: Mapping[str, Any]) -> str:
        """What stands above all questions of a group."""
        group = entry.get("multipart")
        if group is None:
            return ""
        if not isinstance(group, str) or not isinstance(self.multipart, dict) or group not in self.multipart:
            self.error("mdbook-multipart", f"the group `{str(group)[:30]}` is nowhere described", "add it to multipart")
            return ""
        message = f"the text of the group `{group[:30]}` stands above each of its questions"
        self.note("mdbook-multipart", message)
        return self.text(self.multipart, group)

    def choice(self, prompt: Mapping[str, Any], answer: Mapping[str, Any]) -> DraftItem:
        given = answer.get("answer")
        several = isinstance(given, list)
        right = self.options(given if several else [given], correct=True)
        wrong = self.options(prompt.get("distractors", []), correct=False)
        place = prompt.get("answerIndex")
        options = (*right, *wrong)
        if isinstance(place, int) and not isinstance(place, bool):
            at = max(0, min(place, len(wrong)))
            last = at == len(wrong) and len(right) == 1
            right = tuple(dataclasses.replace(option, pin="last" if last else None) for option in right)
            options = (*wrong[:at], *right, *wrong[at:])
            mixed = "the others are mixed here, and the last is pinned" if last else "here they are mixed"
            message = f"`answerIndex = {str(place)[:9]}` keeps the options in their order there; {mixed}"
            self.say("mdbook-order", message, "pin those that must not move: `pin: last`")
        elif prompt.get("sortAnswers") is True:
            self.say(
                "mdbook-order", "`sortAnswers` sorts the options there; here they are mixed", "pin what must not move"
            )
        if several and len(right) == 1:
            self.note("mdbook-several", "any number of options may be chosen, and one is right")
        return DraftItem(kind="multiple" if several else "single", stem="", options=options, shuffle=place is None)

    def options(self, texts: Any, *, correct: bool) -> tuple[DraftOption, ...]:
        if not isinstance(texts, list):
            texts = [texts]
        made: list[DraftOption] = []
        for text in texts:
            if isinstance(text, str):
                made.append(DraftOption(text=foreign.to_ours(text, self.say), correct=correct))
            else:
                which = "right option" if correct else "distractor"
                self.error(
                    "mdbook-option", f"a {which} is `{str(text)[:30]}`, and no text: mdbook-quiz refuses the file"
                )
        return tuple(made)

    def short(self, prompt: Mapping[str, Any], answer: Mapping[str, Any]) -> DraftItem:
        if prompt.get("response") in {"long", "code"}:
            message = f'it is answered in several lines there (`response = "{prompt["response"]}"`), and in one here'
            self.say("mdbook-response", message, "ask for something shorter")
        others = answer.get("alternatives", [])
        texts = [answer.get("answer"), *(others if isinstance(others, list) else [others])]
        accept: list[DraftAnswer] = []
        for text in texts:
            if isinstance(text, str) and text.strip():
                accept.append(DraftAnswer(text=answers.literal(text)))
            else:
                self.error("mdbook-option", f"the answer `{str(text)[:30]}` is no text: it is left out")
        return DraftItem(kind="text", stem="", accept=tuple(accept))

    def trace(self, prompt: Mapping[str, Any], answer: Mapping[str, Any]) -> DraftItem:
        """A program: whether it compiles, and what it prints."""
        program, printed = prompt.get("program"), answer.get("stdout")
        language = "rust" if code.highlight("", "rust") is not None else ""
        stem = f"{_TRACE}\n\n{markdown.fence(str(program or ''), language)}"
        compiles = answer.get("doesCompile")
        if not isinstance(compiles, bool) or (compiles and not isinstance(printed, str)):
            message = "the key is incomplete: `doesCompile`, and `stdout` where it is true"
            self.error("mdbook-trace", message, "add them")
            return DraftItem(kind="text", stem=stem)
        message = "a program to trace became a question to type: whether it compiles, or what it prints"
        if not compiles and answer.get("lineNumber") is not None:
            message += f"; that line {str(answer['lineNumber'])[:9]} is at fault is not asked"
        self.say("mdbook-trace", message, "word it as you like")
        key = answers.literal(str(printed)) if compiles else "no"
        if not key:
            self.error("mdbook-trace", "the program prints nothing: there is nothing to type", "ask it as a choice")
            return DraftItem(kind="text", stem=stem)
        return DraftItem(kind="text", stem=stem, accept=(DraftAnswer(text=key),), match_case=compiles)


FORMAT = Format(id="mdbook-quiz", title="mdbook-quiz", suffix=".toml", recognise=recognise, read=read)
