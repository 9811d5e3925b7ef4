"""A guide as its author wrote it: prose, sections, and the places of quizzes and demos in it.

Guides are MyST Markdown, of which this reader knows four things: the one ``# Title``; ``(section-id)=`` on the
line before a ``## Heading``; a fenced ``{quiz}`` with item ids (none: the whole quiz; ``:set: numbers``: that
set); a fenced ``{demo}`` with the name of a demo's cell. Everything else is prose and stays as written.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from quiz_widgets.authoring import scan
from quiz_widgets.problems import ContentError, Problem

IDENTIFIER = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")

_ANCHOR = re.compile(r"\((?P<id>[^()]*)\)=\s*")
_HEADING = re.compile(r" {0,3}(?P<marks>#{1,6})[ \t]+(?P<title>.*)")
_FENCE = re.compile(r" {0,3}(?P<fence>`{3,}|~{3,})(?P<info>.*)")
_DIRECTIVE = re.compile(r"[ \t]*\{(?P<name>[^}]*)\}(?P<arguments>.*)")
_OPTION = re.compile(r":(?P<name>[^:]*):(?P<value>.*)")
_WORD = re.compile(r"\S+")
_LINK = re.compile(r"\]\(#(?P<id>[^)\s\[\]]*)\)")
_CODE = re.compile(r"(?<!`)(`+)(?!`).+?(?<!`)\1(?!`)")


@dataclass(frozen=True, slots=True)
class Prose:
    """Markdown between two places, as written. `line` is its first line."""

    text: str
    line: int


@dataclass(frozen=True, slots=True)
class Section:
    """The anchor and the heading of a section. `title` is Markdown."""

    id: str
    title: str
    line: int


@dataclass(frozen=True, slots=True)
class Mention:
    """An item's id where a guide names it."""

    id: str
    line: int
    column: int


@dataclass(frozen=True, slots=True)
class QuizPlace:
    """Where items are shown: those mentioned, else the whole of `set` (``None``: the main set).

    `section` is the id of the section in which the place stands, if any.
    """

    items: tuple[Mention, ...]
    set: str | None
    section: str | None
    line: int
    column: int


@dataclass(frozen=True, slots=True)
class DemoPlace:
    """Where a demo's cell stands."""

    name: str
    line: int
    column: int


Block = Prose | Section | QuizPlace | DemoPlace


@dataclass(frozen=True, slots=True)
class GuideDocument:
    """A whole guide in one locale. `id` is the name of its folder; `blocks` follow the file's order."""

    file: str
    id: str
    locale: str
    title: str
    blocks: tuple[Block, ...]
    problems: tuple[Problem, ...]
    sections: Mapping[str, str] = field(default_factory=dict)

    @property
    def quiz_places(self) -> tuple[QuizPlace, ...]:
        """The places of items and quizzes, in order."""
        return tuple(block for block in self.blocks if isinstance(block, QuizPlace))

    @property
    def demo_places(self) -> tuple[DemoPlace, ...]:
        """The places of demos, in order."""
        return tuple(block for block in self.blocks if isinstance(block, DemoPlace))


def read(path: Path, locale: str) -> GuideDocument:
    """The guide in that file, with what is wrong in it alone; `ContentError` when it cannot be read as text."""
    try:
        text = path.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError as error:
        message = f"byte {error.start} is not UTF-8"
        raise ContentError([Problem(str(path), message=message, hint="save the file as UTF-8")]) from None
    except OSError as error:
        raise ContentError([Problem(str(path), message=f"cannot be read: {error.strerror}")]) from None
    return parse(text, file=str(path), guide_id=path.resolve().parent.name, locale=locale)


def parse(text: str, *, file: str, guide_id: str, locale: str) -> GuideDocument:
    """The guide in `text`; problems name `file`."""
    reader = _Reader(file, text.replace("\r\n", "\n").split("\n"))
    blocks = tuple(reader.blocks())
    if not reader.title:
        reader.problem(1, 1, "the guide has no title", "begin it with `# Title`", "guide-title")
    reader.check_links()
    reader.problems += scan.check(tuple(reader.lines), file)
    sections = {block.id: block.title for block in blocks if isinstance(block, Section)}
    return GuideDocument(file, guide_id, locale, reader.title, blocks, tuple(sorted(reader.problems)), sections)


class _Reader:
    """Reads the lines of one guide from top to bottom."""

    def __init__(self, file: str, lines: list[str]) -> None:
        self.file = file
        self.lines = lines
        self.title = ""
        self.problems: list[Problem] = []
        self.section: str | None = None
        self.seen: dict[str, int] = {}
        self.links: list[tuple[str, int, int]] = []

    def problem(self, line: int, column: int, message: str, hint: str, rule: str) -> None:
        self.problems.append(Problem(self.file, line, column, message=message, hint=hint, rule=rule))

    def blocks(self) -> Iterator[Block]:
        """Every block in order; runs of prose are joined."""
        prose: list[str] = []
        first = index = 0
        while index < len(self.lines):
            block, after = self._block_at(index)
            if block is None:
                if not prose:
                    first = index
                prose += self.lines[index:after]
            else:
                yield from _prose(prose, first)
                prose = []
                yield block
            index = after
        yield from _prose(prose, first)

    def _block_at(self, index: int) -> tuple[Block | None, int]:
        """The block that begins at a line (``None``: prose) and the index of the line after it."""
        line = self.lines[index]
        if fence := _FENCE.fullmatch(line):
            return self._fence(index, fence)
        if anchor := _ANCHOR.fullmatch(line):
            return self._section(index, anchor["id"])
        if heading := _HEADING.fullmatch(line):
            self._heading(index, len(heading["marks"]), _title(heading["title"]))
        blanked = _CODE.sub(lambda code: " " * len(code[0]), line)
        self.links += [(link["id"], index + 1, link.start("id") + 1) for link in _LINK.finditer(blanked)]
        return None, index + 1

    def _heading(self, index: int, level: int, title: str) -> None:
        if level == 1 and self.title:
            self.problem(index + 1, 1, "a second `# Title`", "a guide has one; sections begin with `##`", "guide-title")
        elif level == 1:
            self.title = title
        elif level == 2:
            self.section = None  # a section without an anchor: no feedback can link to it

    def _section(self, index: int, section_id: str) -> tuple[Block | None, int]:
        line = index + 1
        if not IDENTIFIER.fullmatch(section_id):
            message = f"`{section_id}` is no section id: allowed are a-z, 0-9 and single hyphens"
            self.problem(line, 2, message, "rename the anchor", "guide-anchor")
        following = self.lines[index + 1] if line < len(self.lines) else ""
        heading = _HEADING.fullmatch(following)
        if heading is None or len(heading["marks"]) != 2:
            message = f"the anchor `{section_id}` opens no section"
            self.problem(line, 1, message, "put `## Heading` on the very next line", "guide-anchor")
            return None, index + 1
        if section_id in self.seen:
            message = f"the anchor `{section_id}` stands on line {self.seen[section_id]} already"
            self.problem(line, 2, message, "give each section an id of its own", "guide-anchor")
        self.seen.setdefault(section_id, line)
        self.section = section_id
        return Section(section_id, _title(heading["title"]), line), index + 2

    def _fence(self, index: int, fence: re.Match[str]) -> tuple[Block | None, int]:
        mark = fence["fence"]
        closing = re.compile(rf" {{0,3}}{re.escape(mark[0])}{{{len(mark)},}}[ \t]*")
        end = next((at for at in range(index + 1, len(self.lines)) if closing.fullmatch(self.lines[at])), None)
        if end is None:
            message = "this fence is never closed: everything below it would be code"
            self.problem(index + 1, fence.start("fence") + 1, message, f"add a line `{mark}`", "guide-fence")
            end = len(self.lines)
        directive = _DIRECTIVE.fullmatch(fence["info"])
        if directive is None:
            return None, end + 1
        offset = fence.start("info") + directive.start("arguments")
        words = [(word[0], offset + word.start() + 1) for word in _WORD.finditer(directive["arguments"])]
        column = fence.start("info") + directive.start("name") + 1
        name = directive["name"]
        if name == "quiz":
            return self._quiz(index, end, column, words), end + 1
        if name == "demo":
            return self._demo(index, end, column, words), end + 1
        hint = "write it as plain Markdown, or correct the name"
        self.problem(
            index + 1, column, f"unknown directive `{name}`: allowed are quiz and demo", hint, "guide-directive"
        )
        return None, end + 1

    def _quiz(self, index: int, end: int, column: int, words: list[tuple[str, int]]) -> QuizPlace:
        chosen: str | None = None
        for at in range(index + 1, end):
            option = _OPTION.fullmatch(self.lines[at].strip())
            if option and option["name"] == "set" and option["value"].strip():
                chosen = option["value"].strip()
            elif self.lines[at].strip():
                message = f"`{self.lines[at].strip()}` does not belong here: allowed is `:set: NAME`"
                self.problem(at + 1, 1, message, "item ids stand behind `{quiz}`", "guide-directive")
        if chosen and words:
            message = "a place names either items or a set"
            self.problem(index + 1, column, message, "remove the ids or the `:set:` line", "guide-directive")
        mentions = tuple(Mention(word, index + 1, at) for word, at in words)
        return QuizPlace(mentions, chosen, self.section, index + 1, column)

    def _demo(self, index: int, end: int, column: int, words: list[tuple[str, int]]) -> DemoPlace:
        if len(words) != 1 or any(line.strip() for line in self.lines[index + 1 : end]):
            message = f"a demo's place holds one name and nothing else, found {len(words)}"
            self.problem(index + 1, column, message, "write ```{demo} name``` with an empty body", "guide-directive")
        name, at = words[0] if words else ("", column)
        return DemoPlace(name, index + 1, at)

    def check_links(self) -> None:
        """Report links inside the guide that lead nowhere."""
        for target, line, column in self.links:
            if target not in self.seen:
                allowed = ", ".join(self.seen) or "none"
                message = f"a link to `#{target}`, but the guide's sections are: {allowed}"
                self.problem(line, column, message, "correct the link or add the anchor", "guide-link")


def _title(written: str) -> str:
    """A heading without the spaces and signs that may close it; in steps, because a pattern would try every split."""
    text = written.rstrip(" \t")
    opened = text.rstrip("#")
    return opened.rstrip(" \t") if opened.endswith((" ", "\t")) else text


def _prose(lines: list[str], first: int) -> Iterator[Prose]:
    """The lines as one block without blank ones around it; nothing when all are blank."""
    blank = next((index for index, line in enumerate(lines) if line.strip()), len(lines))
    text = "\n".join(lines[blank:]).rstrip()
    if text:
        yield Prose(text, first + blank + 1)
