"""Whether a translated guide has the same sections and places as its source, in the same order, and keeps its code."""

from __future__ import annotations

import re
from collections.abc import Iterator

from quiz_widgets.authoring.guides import Block, DemoPlace, GuideDocument, Prose, QuizPlace, Section
from quiz_widgets.authoring.overlays import fidelity
from quiz_widgets.problems import Problem

_COMMENT = re.compile(r"<!--.*?-->", re.DOTALL)
KEPT = ("code", "maths", "script", "punctuation", "unchanged")


def check(source: GuideDocument, translated: GuideDocument) -> Iterator[Problem]:
    """The first difference in structure; without one, every section whose code or maths differs."""
    wanted = [block for block in source.blocks if not isinstance(block, Prose)]
    found = [block for block in translated.blocks if not isinstance(block, Prose)]
    for index in range(max(len(wanted), len(found))):
        expected = wanted[index] if index < len(wanted) else None
        actual = found[index] if index < len(found) else None
        if _same(expected, actual):
            continue
        line, column = _place(actual)
        message = f"{_named(actual)} stands where the source has {_named(expected)}"
        hint = "keep the source's sections and places, in its order"
        yield Problem(translated.file, line, column, message=message, hint=hint, rule="guide-structure")
        return
    parts, own = _shown(translated), _shown(source)
    for section, (text, line) in parts.items():
        for fault in fidelity.check(own[section][0], text, translated.locale, may_equal=False):
            if fault.rule in KEPT:
                before = text[: fault.at or 0]
                at = line + before.count("\n")
                column = (fault.at - before.rfind("\n")) if fault.at is not None else 1
                yield Problem(
                    translated.file, at, column, section, fault.message, fault.hint, rule=f"guide-{fault.rule}"
                )


def _shown(guide: GuideDocument) -> dict[str, tuple[str, int]]:
    """The prose of each section with its comments blanked out, so that places stay."""
    return {
        section: (_COMMENT.sub(lambda found: re.sub(r"[^\n]", " ", found[0]), text), line)
        for section, (text, line) in sections(guide).items()
    }


def sections(guide: GuideDocument) -> dict[str, tuple[str, int]]:
    """The prose of each section (the part before the first one under ``""``) with its first line."""
    found: dict[str, tuple[str, int]] = {}
    current = ""
    for block in guide.blocks:
        if isinstance(block, Section):
            current = block.id
            found[current] = (f"{block.title}", block.line + 1)
        elif isinstance(block, Prose):
            text, line = found.get(current, ("", block.line))
            gap = "\n" * max(1, block.line - line - text.count("\n")) if text else ""
            found[current] = (text + gap + block.text, line)
    return found


def _same(one: Block | None, other: Block | None) -> bool:
    if isinstance(one, Section) and isinstance(other, Section):
        return one.id == other.id
    if isinstance(one, DemoPlace) and isinstance(other, DemoPlace):
        return one.name == other.name
    if isinstance(one, QuizPlace) and isinstance(other, QuizPlace):
        return [item.id for item in one.items] == [item.id for item in other.items] and one.set == other.set
    return one is None and other is None


def _named(block: Block | None) -> str:
    if isinstance(block, Section):
        return f"the section `{block.id}`"
    if isinstance(block, DemoPlace):
        return f"the demo `{block.name}`"
    if isinstance(block, QuizPlace):
        ids = ", ".join(item.id for item in block.items)
        return f"the place of `{ids or block.set or 'the whole quiz'}`"
    return "the end"


def _place(block: Block | None) -> tuple[int, int]:
    if block is None or isinstance(block, Prose):
        return 0, 0
    return block.line, 1 if isinstance(block, Section) else block.column
