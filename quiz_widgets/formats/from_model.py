"""A quiz in one locale as a draft: what every exporter starts from, and what no other system can hold.

Drawn numbers become those of the first variant; proofs and records become a source. Each is said.
"""

from __future__ import annotations

from quiz_widgets.formats.base import Notices
from quiz_widgets.formats.draft import (
    DraftAnswer,
    DraftItem,
    DraftOption,
    DraftQuiz,
    DraftSlip,
    DraftTarget,
    DraftTolerance,
)
from quiz_widgets.model import Item, Quiz, Text
from quiz_widgets.payload import fill_numbers
from quiz_widgets.problems import Problem


def quiz(source: Quiz, locale: str) -> tuple[DraftQuiz, tuple[Problem, ...]]:
    """The quiz as a draft, and what of it is not in the draft."""
    notices = Notices(source.id)
    items = tuple(_item(item, locale, notices) for item in source.items)
    if source.guides:
        names = ", ".join(guide.id for guide in source.guides)
        notices.add(0, "", "guides", f"links to the guides are not exported ({names})", severity="note")
    for pool in source.pools:
        message = f"all {len(pool.items)} items of the pool `{pool.id}` are exported"
        notices.add(0, "", "pool", message, f"let the other system draw {pool.draw} of them")
    if source.confidence:
        notices.add(0, "", "confidence", "that learners are asked how sure they are is not exported", severity="note")
    draft = DraftQuiz(
        id=source.id,
        title=_text(source.title, locale),
        description=_text(source.description, locale),
        level=source.level,
        language=locale,
        items=items,
    )
    return draft, notices.done()


def _text(text: Text | None, locale: str) -> str:
    return text.rendered(locale).source if text is not None else ""


def _item(item: Item, locale: str, notices: Notices) -> DraftItem:
    variant = item.variants[0] if item.variants else None
    if variant is not None:
        message = f"one of its {len(item.variants)} sets of drawn numbers is exported"
        notices.add(0, item.id, "drawn", message, "the other system shows everybody the same numbers")
    if item.evidence is not None:
        notices.add(0, item.id, "evidence", f"the proof by `{item.evidence}` is not exported", severity="note")
    fallback = [text for text in (item.stem, *(option.text for option in item.options)) if locale not in text.forms]
    if fallback:
        notices.add(
            0, item.id, "untranslated", f"{len(fallback)} texts are not in `{locale}`: the source's stand there"
        )

    def text(source: Text | None) -> str:
        if source is None:
            return ""
        shown = source.rendered(locale).source
        return fill_numbers(shown, variant.numbers, source.resolve(locale), escape=False) if variant else shown

    return DraftItem(
        kind=item.kind,
        id=item.id,
        name=item.id,
        stem=text(item.stem),
        options=tuple(
            DraftOption(
                id=option.id,
                text=text(option.text),
                correct=option.correct,
                rationale=text(option.rationale),
                pin=option.pin,
                target=option.match or "",
            )
            for option in item.options
        ),
        targets=tuple(DraftTarget(id=target.id, text=text(target.text)) for target in item.targets),
        accept=tuple(
            DraftAnswer(
                id=known.id, text=_text(known.text, locale), credit=known.credit, rationale=text(known.rationale)
            )
            for known in item.accept
        ),
        match_case=item.match_case,
        value=variant.value if variant else item.value,
        tolerance=DraftTolerance(item.tolerance.kind, item.tolerance.amount) if item.tolerance else None,
        unit=text(item.unit),
        slips=tuple(
            DraftSlip(id=slip.id, value=value, rationale=text(slip.rationale))
            for slip in item.slips
            if (value := variant.slips.get(slip.id) if variant else slip.value) is not None
        ),
        credit=item.credit,
        points=item.points,
        tries=item.tries,
        hints=tuple(text(hint) for hint in item.hints),
        explanation=text(item.explanation),
        source=text(item.source),
        set=item.set or "",
        section=item.section or "",
    )
