"""What leaves the desk of a quiz: built field by field from an allow-list, so that nothing is let out by forgetting it.

The result is a quiz of the model again: pages, previews and notebooks show it like any other. Its keys, rationales,
explanations, hints, claims, evidence, tolerances and accepted texts are empty; two quizzes that differ only in these
give the same bytes.
"""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal

from quiz_widgets import compiled
from quiz_widgets.classroom.desk.drawing import Drawing
from quiz_widgets.model import Item, Option, Quiz, Rendered, Target, Text, Variant

_NO_TEXT = Text({"en": Rendered("", "", "", "")})


def around(whole: Quiz, name: str, items: tuple[Item, ...]) -> Quiz:
    """These items as one attempt may see them, under what may be known of the quiz itself.

    `name` is that by which the class knows it (``course/quiz``).
    """
    made = Quiz(
        id=name,
        title=whole.title,
        level="medium",
        description=_NO_TEXT,
        items=items,
        locales=whole.locales,
        confidence=whole.confidence,
    )
    return replace(made, hash=compiled.quiz_hash(made))


def item(item: Item, drawing: Drawing) -> Item:
    """The item as one attempt may see it before its reveal."""
    options, targets = drawing.options(item), drawing.targets(item)
    # Sorted by the drawn ids: the author's order may be the key, and says where the key mostly stands.
    shown = sorted(
        (Option(id=options[option.id], text=option.text, pin=option.pin) for option in item.options),
        key=lambda option: option.id,
    )
    named = sorted(
        (Target(id=targets[target.id], text=target.text) for target in item.targets), key=lambda target: target.id
    )
    index = drawing.variant(item)
    made = Item(
        id=item.id,
        kind=item.kind,
        stem=item.stem,
        set=item.set,
        options=tuple(shown),
        points=item.points,
        tries=1,
        unit=item.unit,
        variants=() if index is None else (Variant(Decimal(0), {}, _shown_numbers(item, item.variants[index])),),
        targets=tuple(named),
    )
    return replace(made, hash=compiled.item_hash(made))


def _shown_numbers(item: Item, variant: Variant) -> dict[str, str]:
    """The numbers of a drawn variant that the learner's texts name: others may tell the value."""
    texts = [item.stem, *([item.unit] if item.unit else [])]
    sources = [form.source for text in texts for form in text.forms.values()]
    return {
        name: number
        for name, number in sorted(variant.numbers.items())
        if any(f"{{{name}}}" in source for source in sources)
    }
