"""Whether a guide and its quiz fit together: every item stands in its section, and every name is known."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from difflib import get_close_matches

from quiz_widgets.authoring.guides import GuideDocument, QuizPlace
from quiz_widgets.demos import cells
from quiz_widgets.model import Item, Quiz
from quiz_widgets.problems import Problem


def check(guide: GuideDocument, quiz: Quiz, demos: Collection[str] | None = None) -> list[Problem]:
    """Every fault in how `guide` places the items of `quiz` and the `demos` (``None``: those of the package)."""
    known = cells.names() if demos is None else demos
    found = list(_unknown_demos(guide, known))
    for place in guide.quiz_places:
        found += _place(guide, quiz, place)
    found += _never_placed(guide, quiz)
    return sorted(found)


def _unknown_demos(guide: GuideDocument, known: Collection[str]) -> Iterator[Problem]:
    for place in guide.demo_places:
        if place.name not in known:
            message = f"unknown demo `{place.name}`: {_allowed(place.name, known)}"
            hint = "correct the name, or add demos/NAME.py beside the course's pyproject.toml"
            yield Problem(guide.file, place.line, place.column, message=message, hint=hint, rule="guide-demo")


def _place(guide: GuideDocument, quiz: Quiz, place: QuizPlace) -> Iterator[Problem]:
    items = {item.id: item for item in quiz.items}
    sets = sorted({item.set for item in quiz.items if item.set})
    if place.set is not None and place.set not in sets:
        message = f"unknown set `{place.set}`: {_allowed(place.set, sets)}"
        hint = f"the sets are those that {quiz.id}/quiz.yaml names"
        yield Problem(guide.file, place.line, place.column, message=message, hint=hint, rule="guide-set")
    for mention in place.items:
        item = items.get(mention.id)
        if item is None:
            message = f"unknown item `{mention.id}`: {_allowed(mention.id, items)}"
            hint = f"the ids are those in {quiz.id}/quiz.yaml"
        elif item.section is not None and item.section != place.section:
            message = f"`{item.id}` belongs to the section `{item.section}`, but stands in {_named(place.section)}"
            hint = "move the place, or change `section:` of the item"
        else:
            continue
        yield Problem(guide.file, mention.line, mention.column, message=message, hint=hint, rule="guide-place")


def _never_placed(guide: GuideDocument, quiz: Quiz) -> Iterator[Problem]:
    """Items of the guide's sections must be named there; the rest must be part of a set that is shown whole.

    Those of pools may be named, and need not: an attempt may not show them.
    """
    named = {mention.id for place in guide.quiz_places for mention in place.items}
    shown = {place.set for place in guide.quiz_places if not place.items}
    named |= {item_id for pool in quiz.pools for item_id in pool.items}
    for item in quiz.items:
        if item.id in named or not _belongs(item, guide, shown):
            continue
        message = f"the item `{item.id}` is never placed"
        place = f"```{{quiz}} {item.id}```" if item.section in guide.sections else "a `{quiz}` of its set"
        hint = f"add {place} to {_named(item.section)}"
        yield Problem(guide.file, message=message, hint=hint, rule="guide-place")


def _belongs(item: Item, guide: GuideDocument, shown: set[str | None]) -> bool:
    """Whether the guide must name this item."""
    if item.set is not None or item.section is None:
        return item.set not in shown
    return item.section in guide.sections


def _named(section: str | None) -> str:
    return f"the section `{section}`" if section else "no section"


def _allowed(found: str, known: Collection[str]) -> str:
    """The near matches, or everything that is allowed."""
    near = get_close_matches(found, list(known), n=3)
    if near:
        return f"did you mean {' or '.join(f'`{name}`' for name in near)}?"
    return f"allowed are {', '.join(known)}" if known else "there is none"
