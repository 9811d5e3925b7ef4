"""A quiz as GIFT: plain texts where a text has no markup, else `[html]`; formulas as TeX in parentheses."""

from __future__ import annotations

import re
from collections.abc import Iterator
from decimal import Decimal

from quiz_widgets.formats import answers, losses, markdown
from quiz_widgets.formats.base import Notices
from quiz_widgets.formats.draft import DraftItem, DraftQuiz, Exported
from quiz_widgets.formats.gift.choices import GRADES
from quiz_widgets.formats.gift.signs import escaped
from quiz_widgets.locales.numbers import canonical

_HOLDS: frozenset[losses.Part] = frozenset(
    {"rationale", "explanation", "credit", "shares", "tolerance", "slips", "title", "patterns"}
)
_LIVE = re.compile(r"[<&]|\\[(\[]|\$|^\s*\[[a-z]+\]|\n")


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


def text(source: str) -> str:
    """A Markdown text for a place in GIFT."""
    plain = markdown.to_plain(source)
    if markdown.is_plain(source) and not _LIVE.search(plain) and plain == plain.strip():
        return escaped(plain)
    return "[html]" + escaped(markdown.to_html(source))


def _feedback(source: str) -> str:
    return f"#{text(source)}" if source else ""


def _lines(item: DraftItem, notices: Notices) -> Iterator[str]:
    if item.kind == "number":
        yield from _number(item, notices)
    elif item.kind == "text":
        yield from _text(item)
    elif item.kind == "match":
        yield from _match(item, notices)
    elif item.kind == "single":
        for option in item.options:
            yield f"{'=' if option.correct else '~'}{text(option.text)}{_feedback(option.rationale)}"
    else:
        yield from _multiple(item, notices)


def _multiple(item: DraftItem, notices: Notices) -> Iterator[str]:
    rights = sum(option.correct for option in item.options)
    wrongs = len(item.options) - rights
    if item.credit == "exact":
        message = "all or nothing is not exported: there a part of the right options earns a part of the points"
        notices.add(0, item.id, "lost", message)
    right = share(Decimal(100) / rights, item.id, notices)
    wrong = Decimal(100) if item.credit == "exact" else share(Decimal(100) / max(wrongs, 1), item.id, notices)
    for option in item.options:
        weight = canonical(right if option.correct else -wrong)
        yield f"~%{weight}%{text(option.text)}{_feedback(option.rationale)}"


def share(percent: Decimal, item: str, notices: Notices) -> Decimal:
    """The nearest share that Moodle knows; said where it is another."""
    nearest = min(GRADES, key=lambda grade: abs(grade - percent))
    if abs(nearest - percent) > Decimal("0.001"):
        message = f"a share of {round(percent, 2)} % becomes {nearest} %: Moodle knows no other near it"
        notices.add(0, item, "lost", message)
    return nearest


def absolute(item: DraftItem) -> Decimal:
    """The tolerance in the value's unit."""
    if item.tolerance is None or item.value is None:
        return Decimal(0)
    amount = item.tolerance.amount
    return amount * abs(item.value) if item.tolerance.kind == "relative" else amount


def _number(item: DraftItem, notices: Notices) -> Iterator[str]:
    if item.tolerance and item.tolerance.kind == "relative":
        message = (
            f"the tolerance of {canonical(item.tolerance.amount * 100)} % is written as {canonical(absolute(item))}"
        )
        notices.add(0, item.id, "tolerance", message, severity="note")
    yield f"#={canonical(item.value or Decimal(0))}:{canonical(absolute(item))}"
    for slip in item.slips:
        yield f"=%0%{canonical(slip.value)}:0{_feedback(slip.rationale)}"


def _text(item: DraftItem) -> Iterator[str]:
    for answer in item.accept:
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
        yield f"={text(option.text).replace('->', '-&gt;')} -> {texts.get(option.target, '')}"
    named = {option.target for option in item.options}
    for target in item.targets:
        if target.id not in named:
            yield f"= -> {texts[target.id]}"
