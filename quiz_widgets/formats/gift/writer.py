"""A quiz as GIFT: plain texts where a text has no markup, else `[html]`; formulas as TeX in parentheses."""

from __future__ import annotations

import re
from collections.abc import Iterator
from decimal import Decimal

from quiz_widgets.formats import answers, losses, markdown, moodle_grades
from quiz_widgets.formats.base import Notices
from quiz_widgets.formats.draft import DraftItem, DraftQuiz, Exported
from quiz_widgets.formats.gift.signs import escaped
from quiz_widgets.locales.numbers import canonical

_HOLDS: frozenset[losses.Part] = frozenset(
    {"rationale", "explanation", "credit", "shares", "tolerance", "slips", "title", "patterns"}
)
_LIVE = re.compile(r"[<&]|->|^\s*//|\\[(\[]|\$|^\s*\[[a-z]+\]|\n")


def write(quiz: DraftQuiz) -> Exported:
    """The quiz; `order` items are left out, since GIFT has none."""
    kept, notices = losses.check(quiz, kinds={"single", "multiple", "number", "text", "match"}, holds=_HOLDS)
    blocks = [f"$CATEGORY: {markdown.to_plain(quiz.title).replace('/', '//')}"] if quiz.title else []
    blocks += [_block(item, notices) for item in kept.items]
    return Exported(("\n\n".join(blocks) + "\n").encode(), notices.done())


def _block(item: DraftItem, notices: Notices) -> str:
    head = f"// [id:{item.id}]\n::{escaped(item.name or item.id)}::" if item.id else ""
    lines = list(_lines(item, notices))
    if item.explanation:
        lines.append(f"####{text(item.explanation)}")
    return f"{head}{text(item.stem)} {{\n" + "\n".join(lines) + "\n}"


def shown(source: str) -> str:
    """A Markdown text as plain text where it has no markup, else as HTML."""
    plain = markdown.to_plain(source)
    if markdown.is_plain(source) and not _LIVE.search(plain) and plain == plain.strip():
        return plain
    return markdown.to_html(source)


def text(source: str) -> str:
    """A Markdown text for a place in GIFT."""
    made = shown(source)
    return escaped(made) if made == markdown.to_plain(source) and not _LIVE.search(made) else "[html]" + escaped(made)


def _feedback(source: str) -> str:
    return f"#{text(source)}" if source else ""


def _lines(item: DraftItem, notices: Notices) -> Iterator[str]:
    if item.kind == "number":
        yield from _number(item, notices)
    elif item.kind == "text":
        yield from _text(item, notices)
    elif item.kind == "match":
        yield from _match(item, notices)
    elif item.kind == "single":
        for option in item.options:
            yield f"{'=' if option.correct else '~'}{text(option.text)}{_feedback(option.rationale)}"
    else:
        yield from _multiple(item, notices)


def _multiple(item: DraftItem, notices: Notices) -> Iterator[str]:
    right, wrong = moodle_grades.shares(item, notices)
    for option in item.options:
        weight = canonical(right if option.correct else wrong)
        yield f"~%{weight}%{text(option.text)}{_feedback(option.rationale)}"


def _number(item: DraftItem, notices: Notices) -> Iterator[str]:
    if item.tolerance and item.tolerance.kind == "relative":
        moodle_grades.say_tolerance(item, notices)
    yield f"#={canonical(item.value or Decimal(0))}:{canonical(moodle_grades.absolute(item))}"
    for slip in item.slips:
        yield f"=%0%{canonical(slip.value)}:0{_feedback(slip.rationale)}"


def _text(item: DraftItem, notices: Notices) -> Iterator[str]:
    for answer in item.accept:
        if "->" in answer.text:
            message = "`->` in an answer makes a matching question of it there: write the arrow otherwise"
            notices.add(0, item.id, "lost", message)
        weight = "" if answer.credit == 1 else f"%{canonical(round(answer.credit * 100, 5))}%"
        for alternative in answers.alternatives(answer.text):
            yield f"={weight}{escaped(alternative)}{_feedback(answer.rationale)}"


def _match(item: DraftItem, notices: Notices) -> Iterator[str]:
    if any(option.rationale for option in item.options):
        notices.add(0, item.id, "lost", "not exported: the rationales of pairs")
    if item.credit == "exact":
        notices.add(0, item.id, "lost", "all or nothing is not exported: there each pair earns its share")
    texts = {target.id: text(target.text) for target in item.targets}
    for option in item.options:
        yield f"={text(option.text)} -> {texts.get(option.target, '')}"
    named = {option.target for option in item.options}
    for target in item.targets:
        if target.id not in named:
            yield f"= -> {texts[target.id]}"
