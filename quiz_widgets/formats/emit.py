"""Drafts as the text of a quiz.yaml that people go on writing: plain texts where they can be, blocks where not."""

from __future__ import annotations

import re
from collections.abc import Iterator
from decimal import Decimal

from quiz_widgets.formats.draft import DraftItem, DraftOption, DraftQuiz
from quiz_widgets.locales.numbers import canonical

WIDTH = 110
_PLAIN = re.compile(r"[^\W_](?:[^\n\t:#]|:(?=[^\s])|(?<=[^\s])#)*")
# Our reader takes every scalar as text; other YAML tools would make something else of these.
_TYPED = re.compile(r"(?i)true|false|yes|no|on|off|null|y|n|[\d_.:+-]+(?:e\d+)?|0[xob]\w+|\d{4}-\d\d-\d\d.*")


def scalar(text: str, indent: int) -> str:
    """A text after ``name:`` at that indentation, in the form that is easiest to read and means exactly it."""
    text = text.strip("\n")
    if "\n" in text:
        mark = "|2" if text[0] == " " else "|"
        return mark + "".join(f"\n{' ' * (indent + 2)}{line}" if line.strip() else "\n" for line in text.split("\n"))
    if len(text) + indent > WIDTH - 10 and "  " not in text and text == text.strip():
        lines = list(_folded(text, WIDTH - indent - 2))
        return ">-" + "".join(f"\n{' ' * (indent + 2)}{line}" for line in lines)
    plain = _PLAIN.fullmatch(text) and text == text.strip() and not text.endswith(":") and "\x7f" not in text
    if plain and not _TYPED.fullmatch(text):
        return text
    return "'" + text.replace("'", "''") + "'"


def _folded(text: str, width: int) -> Iterator[str]:
    line = ""
    for word in text.split(" "):
        if line and len(line) + 1 + len(word) > width:
            yield line
            line = word
        else:
            line = f"{line} {word}" if line else word
    yield line


def head(quiz: DraftQuiz) -> str:
    """The heading of the file, up to its items."""
    lines = [
        f"id: {quiz.id}",
        f"title: {scalar(quiz.title, 0)}",
        f"level: {quiz.level}",
        f"description: {scalar(quiz.description, 0)}",
        "items:",
    ]
    return "\n".join(lines) + "\n"


def item(draft: DraftItem) -> str:
    """One item, with what has no field here as comments above it."""
    lines = [f"  # {name}: {' '.join(value.split())[:200]}" for name, value in _comments(draft)]
    fields = list(_fields(draft))
    lines += [f"  {'-' if index == 0 else ' '} {field}" for index, field in enumerate(fields)]
    return "\n".join(lines) + "\n"


def _comments(draft: DraftItem) -> Iterator[tuple[str, str]]:
    if draft.name and draft.name != draft.id:
        yield "Name", draft.name
    if draft.category:
        yield "Category", draft.category
    if draft.tags:
        yield "Tags", ", ".join(draft.tags)


def _fields(draft: DraftItem) -> Iterator[str]:  # noqa: C901, PLR0912 - one line a field, in the order of the format's pages
    yield f"id: {draft.id}"
    for name, word in (("section", draft.section), ("set", draft.set)):
        if word:
            yield f"{name}: {word}"
    if draft.kind != "single":
        yield f"kind: {draft.kind}"
    yield f"stem: {scalar(draft.stem, 4)}"
    if draft.kind in {"multiple", "order", "match"} and draft.credit != "exact":
        yield f"credit: {draft.credit}"
    if draft.kind == "text":
        yield from _accept(draft)
    if draft.kind == "number":
        yield from _number(draft)
    if draft.options:
        yield "options:"
        for option in draft.options:
            yield from _entry(_option(draft, option))
    if draft.kind == "match":
        yield "targets:"
        for target in draft.targets:
            yield from _entry([f"id: {target.id}", f"text: {scalar(target.text, 8)}"])
    if draft.points != 1:
        yield f"points: {canonical(draft.points)}"
    if draft.tries is not None and draft.tries != 2:
        yield f"tries: {draft.tries}"
    if draft.hints:
        yield "hints:"
        for hint in draft.hints:
            yield f"  - {scalar(hint, 6)}"
    if draft.explanation:
        yield f"explanation: {scalar(draft.explanation, 4)}"
    yield f"source: {scalar(draft.source, 4)}"


def _entry(fields: list[str]) -> Iterator[str]:
    for index, field in enumerate(fields):
        yield f"  {'-' if index == 0 else ' '} {field}"


def _option(draft: DraftItem, option: DraftOption) -> list[str]:
    fields = [f"id: {option.id}", f"text: {scalar(option.text, 8)}"]
    if option.correct and draft.kind in {"single", "multiple"}:
        fields.append("correct: true")
    if draft.kind == "match":
        fields.append(f"match: {option.target}")
    if option.rationale:
        fields.append(f"rationale: {scalar(option.rationale, 8)}")
    if option.pin and draft.kind != "order":
        fields.append(f"pin: {option.pin}")
    return fields


def _accept(draft: DraftItem) -> Iterator[str]:
    yield "accept:"
    for answer in draft.accept:
        fields = [f"id: {answer.id}", f"text: {scalar(answer.text, 8)}"]
        if answer.credit != 1:
            fields.append(f"credit: {_share(answer.credit)}")
        if answer.rationale:
            fields.append(f"rationale: {scalar(answer.rationale, 8)}")
        yield from _entry(fields)
    if draft.match_case:
        yield "match_case: true"


def _share(credit: Decimal) -> str:
    return f"{canonical(credit * 100)}%" if credit * 100 == round(credit * 100, 6) else canonical(credit)


def _number(draft: DraftItem) -> Iterator[str]:
    if draft.value is not None:
        yield f"value: {canonical(draft.value)}"
    if draft.tolerance is not None:
        yield f"tolerance: {{{draft.tolerance.kind}: {canonical(draft.tolerance.amount)}}}"
    if draft.unit:
        yield f"unit: {scalar(draft.unit, 4)}"
    if draft.slips:
        yield "slips:"
        for slip in draft.slips:
            yield from _entry(
                [f"id: {slip.id}", f"value: {canonical(slip.value)}", f"rationale: {scalar(slip.rationale, 8)}"]
            )
