"""A stand-in for the kernel of a graded quiz: what its link would tell a page, and pages that hear it."""

from __future__ import annotations

import dataclasses
import time
from collections.abc import Collection, Mapping, Sequence
from typing import Any, cast

from playwright.sync_api import Page

from quiz_widgets import page, payload
from quiz_widgets.classroom.client.told import away
from quiz_widgets.contract import DeskPayload, EventPayload, OutcomePayload, ViewPayload
from quiz_widgets.model import Option, Quiz
from quiz_widgets.packs import packs
from tests.frontend import kinds_quiz, languages_quiz
from tests.frontend.mounting import Mounts, document, link

NAME = "cs101/week-3"
RUN = "a1" * 16
MINUTE = 60_000
HOUR = 60 * MINUTE


def whole() -> Quiz:
    """A quiz of every kind but numbers, in three languages, with its keys: what the desk has."""
    items = (languages_quiz.BYTES, *kinds_quiz.quiz().items)
    plain = (dataclasses.replace(item, section=None, set=None, tries=2) for item in items)
    return dataclasses.replace(languages_quiz.quiz(), id=NAME, items=tuple(plain), guides=())


def public() -> Quiz:
    """The same as the desk lets it out: no key, no rationale, no explanation, no hint."""
    items = []
    for item in whole().items:
        options = tuple(Option(id=option.id, text=option.text, pin=option.pin) for option in item.options)
        bare = {"explanation": None, "hints": (), "accept": (), "evidence": None, "source": None, "tries": 1}
        items.append(dataclasses.replace(item, options=options, **cast(Any, bare)))
    return dataclasses.replace(whole(), items=tuple(items))


def now() -> int:
    """This machine's clock in ms."""
    return time.time_ns() // 1_000_000


def desk(**changes: Any) -> DeskPayload:
    """A desk at which Ada may open the quiz; `changes` make it another."""
    told = dict(away("", 0)) | {
        "phase": "open",
        "who": "ada",
        "course": "Computing 101",
        "zone": "Europe/Istanbul",
        "now": now(),
        "opens": now() - HOUR,
        "due": now() + 48 * HOUR,
        "closes": now() + 48 * HOUR,
        "left": 2,
    }
    return cast(DeskPayload, told | changes)


def shell(locale: str = "en") -> dict[str, Any]:
    """What a link holds before an attempt is opened."""
    unopened = payload.unopened(NAME, "Memory and numbers")
    return {"quiz": payload.quiz_payload(unopened, locale, mode="graded"), "practice": None, "packs": {}}


def opened(locale: str = "en", *, revealed: bool = False) -> dict[str, Any]:
    """What it holds of an open attempt, and of one whose keys are shown."""
    quiz = whole() if revealed else public()
    return {
        "quiz": payload.quiz_payload(quiz, locale, mode="graded"),
        "practice": payload.practice_payload(quiz, locale) if revealed else None,
        "packs": packs(quiz, locale, mode="graded", keys=revealed),
        "attempt": {"id": RUN, "started": 1},
    }


def polled(
    phase: str,
    item: str | None = None,
    turn: int = 1,
    *,
    opened: Sequence[str] | None = None,
    votes: Mapping[str, Sequence[Mapping[str, int]]] | None = None,
    locale: str = "en",
    **more: Any,
) -> dict[str, Any]:
    """What a link holds of a poll: the items `opened` so far, and those with their keys on which there are `votes`."""
    names = ([] if item is None else [item]) if opened is None else opened
    rounds = {
        name: [
            {"number": number, "voters": sum(counts.values()), "counts": counts}
            for number, counts in enumerate(told, start=1)
        ]
        for name, told in (votes or {}).items()
    }
    sequence = more.pop("sequence", 0)
    poll = {"sequence": sequence, "phase": phase, "item": item, "round": turn, "rounds": rounds}
    return _items(names, locale, rounds) | {"desk": desk(left=0, number=1, poll=poll, **more)}


def _items(names: Sequence[str], locale: str, revealed: Collection[str]) -> dict[str, Any]:
    keyed = {item.id: item for item in whole().items}
    known = {item.id: item for item in public().items}
    shown = tuple(keyed[name] if name in revealed else known[name] for name in names)
    quiz = dataclasses.replace(whole(), items=shown)
    view: ViewPayload = {"items": [name for name in names if name in revealed]}
    return {
        "quiz": payload.quiz_payload(quiz, locale, mode="graded"),
        "practice": payload.practice_payload(quiz, locale, view) if revealed else None,
        "packs": packs(quiz, locale, mode="graded", keys=view if revealed else False),
        "attempt": {"id": RUN, "started": 1},
    }


def recorded(
    item: str, *response: str, number: int = 1, at: int = 0, turn: int = 0, **more: Any
) -> dict[str, OutcomePayload]:
    """One submission that the kernel tells of, of a poll's round `turn`; `verdict` says what the desk did with it."""
    event = EventPayload(
        id=f"{RUN}/{item}/{number}",
        attempt=RUN,
        kind="submit",
        item=item,
        round=turn,
        response=list(response),
        at=at or now(),
    )
    return {event["id"]: cast(OutcomePayload, {"event": event, "at": event["at"], **more})}


def output(locale: str = "en", title: str = "Memory and numbers") -> str:
    """The saved output of the cell."""
    return page.graded_html(NAME, title, locale)


def show(mounts: Mounts, locale: str = "en", *, linked: bool = True, **options: Any) -> Page:
    """A page with the output, and a link to a kernel of which `options` tell."""
    page_options = {name: options.pop(name) for name in ("viewport", "color_scheme", "context") if name in options}
    shown = mounts.open(document(output(locale)), **page_options)
    if linked:
        told = {"desk": desk(**options.pop("desk", {}))} | shell(locale) | {"attempt": {"id": "", "started": 0}}
        link(shown, NAME, **cast(Any, told | options))
    return shown


def put(shown: Page, **changes: Any) -> None:
    """The kernel tells something new."""
    shown.evaluate("(changes) => model.put(changes)", changes)


def sent(shown: Page) -> list[dict[str, Any]]:
    """The newest list of events that the page gave its kernel."""
    found: list[dict[str, Any]] = shown.evaluate("() => model.sent.at(-1) ?? []")
    return found
