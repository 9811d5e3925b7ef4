"""A GIFT file as blocks, one for each question, as they are meant; where Moodle cuts otherwise, it is said."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from quiz_widgets.formats.base import Notices
from quiz_widgets.formats.gift import signs

_TAG = re.compile(r"\[(id|tag):([^\]]*)\]")
_CATEGORY = re.compile(r"\$CATEGORY:\s*(.*)")
MAX_BLOCK = 50_000
"""Signs of one question, above which a brace is surely not closed."""


@dataclass(slots=True)
class Block:
    """The text of one question with stand-ins (`signs`), the line on which it begins, and what comments say of it."""

    line: int
    text: str
    category: str = ""
    id: str = ""
    tags: tuple[str, ...] = ()

    def line_of(self, offset: int) -> int:
        """The file's line of a place in the text."""
        return self.line + self.text.count("\n", 0, offset)


@dataclass(slots=True)
class Cutter:
    """Reads lines, and gives blocks."""

    notices: Notices
    category: str = ""
    lines: list[str] = field(default_factory=list)
    start: int = 0
    id: str = ""
    tags: list[str] = field(default_factory=list)

    def cut(self, text: str) -> Iterator[Block]:
        """All blocks of a file."""
        lines = signs.clean(text).split("\n")
        number = 0
        while number < len(lines):
            line = lines[number].strip()
            number += 1
            if line.startswith("//"):
                self._comment(line, number)
            elif line and line != "0":
                found = _CATEGORY.fullmatch(line) if not any(self.lines) else None
                if found:
                    self._named(found[1], lines[number].strip() if number < len(lines) else "", number)
                    continue
                if not self.lines:
                    self.start = number
                self.lines.append(lines[number - 1])
            elif self.lines and self._inside(lines, number, line):
                self.lines.append("")
            elif line == "0" and self.lines:
                message = "a line that is only `0`: Moodle ends the question here; read as part of it"
                self.notices.add(number, "", "gift-zero", message, "write it on the line above")
                self.lines.append(line)
            else:
                yield from self._done()
        yield from self._done()

    def _comment(self, line: str, number: int) -> None:
        for kind, value in _TAG.findall(line):
            if kind == "id":
                self.id = value.strip()
            else:
                self.tags.append(value.strip())
        if self.lines:
            self.lines.append(signs.DROPPED)
            if not _TAG.search(line):
                message = f"`{line[:60]}` begins like a comment: Moodle drops the line"
                self.notices.add(
                    number, "", "gift-comment", message, "if it belongs to the question, begin it otherwise"
                )

    def _named(self, name: str, following: str, number: int) -> None:
        if following:
            message = f"no blank line after `$CATEGORY: {name[:60]}`: Moodle takes all up to the next one, question "
            message += "included, as the category's name"
            self.notices.add(number, "", "gift-category", message, "add a blank line; it is read as if it were there")
        self.category = name.strip()

    def _inside(self, lines: list[str], number: int, line: str) -> bool:
        """Whether an empty line stands within the braces of answers, which are closed further down."""
        so_far = signs.masked("\n".join(self.lines), lambda *_: None)
        if so_far.rfind("{") <= so_far.rfind("}"):
            return False
        size = 0
        for ahead in lines[number : number + 200]:
            size += len(ahead)
            shown = signs.masked(ahead, lambda *_: None)
            closing, opening = shown.find("}"), shown.find("{")
            if closing >= 0 and (opening < 0 or closing < opening):
                what = "a line that is only `0`" if line else "a blank line"
                message = f"{what} between the braces: Moodle ends the question here and reports a brace error twice"
                self.notices.add(number, "", "gift-blank", message, "remove it; it is read as one question")
                return True
            if opening >= 0 or shown.lstrip().startswith("::") or size > MAX_BLOCK:
                return False
        return False

    def _done(self) -> Iterator[Block]:
        if not self.lines:
            return
        raw = "\n".join(self.lines)
        line, found = self.start, Block(self.start, "", self.category, self.id, tuple(self.tags))
        self.lines, self.id, self.tags = [], "", []

        def say(ends: int, rule: str, message: str, hint: str) -> None:
            self.notices.add(line + ends, "", rule, message, hint)

        text = signs.masked(raw, say)
        if len(text) > MAX_BLOCK:
            message = f"{len(text)} signs without a blank line: not read"
            self.notices.add(line, "", "gift-long", message, "is this GIFT?", severity="error")
            return
        yield from self._split(text, found)

    def _split(self, text: str, found: Block) -> Iterator[Block]:
        """One block, or several where a second question follows without a blank line."""
        begin = 0
        lines = text.split("\n")
        offsets = [0]
        for line in lines:
            offsets.append(offsets[-1] + len(line) + 1)
        for index in range(1, len(lines)):
            so_far, rest = text[begin : offsets[index]], text[offsets[index] :]
            closed = re.search(rf"\}}[ \t]*\n[\s{signs.DROPPED}]*$", so_far) is not None and so_far.count(
                "{"
            ) <= so_far.count("}")
            if closed and lines[index].strip() and (lines[index].lstrip().startswith("::") or _has_answers(rest)):
                number = found.line + index
                message = "no blank line before this question: Moodle makes one of it and the question above"
                self.notices.add(number, "", "gift-two", message, "add one; they are read as two")
                yield Block(found.line + text.count("\n", 0, begin), so_far, found.category, found.id, found.tags)
                begin = offsets[index]
                found = Block(found.line, "", found.category)
        yield Block(found.line + text.count("\n", 0, begin), text[begin:], found.category, found.id, found.tags)


def _has_answers(rest: str) -> bool:
    """Whether a text holds braces that hold answers, or stand at the end of a line."""
    return re.search(r"\{\s*(?:[=~#]|T\b|F\b|TRUE\b|FALSE\b|\})|\{\s*$", rest, re.MULTILINE) is not None
