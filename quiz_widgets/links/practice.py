"""The link of a quiz that the kernel itself grades, and the same as a widget."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from typing import Any, cast

import anywidget
import traitlets

from quiz_widgets import frontend, model, packs, payload, preview
from quiz_widgets.attempt import refresh as refresh_attempts
from quiz_widgets.contract import WRITERS, EventPayload, OutcomePayload, Recorder, ViewPayload
from quiz_widgets.demos import registry as evidence
from quiz_widgets.links import registry
from quiz_widgets.links.hearing import hear_in_a_thread_that_is_there
from quiz_widgets.locales import forms

BURST_S = 3.0  # "Run all" shows a quiz in cell after cell: they share the link that the first of them opened


class Link(anywidget.AnyWidget):
    """The state that one quiz's pages and this kernel share. Its module registers it with the page; it has no view.

    The page writes `events`, append-only; the kernel answers with `outcomes`, by event id, once they are on record.
    """

    _esm = frontend.module("link")
    displayed = False

    quiz_id = traitlets.Unicode().tag(sync=True)
    attempt = traitlets.Dict().tag(sync=True)
    outcomes = traitlets.Dict().tag(sync=True)
    measured = traitlets.Dict().tag(sync=True)
    events: traitlets.List[Any] = traitlets.List().tag(sync=True, echo_update=False)

    def __init__(self, quiz_id: str, recorder: Recorder, **state: Any) -> None:
        self._recorder = recorder
        self.opened = time.monotonic()
        super().__init__(
            quiz_id=quiz_id, attempt=recorder.attempt(), outcomes=recorder.outcomes(), measured=_measured(), **state
        )
        hear_in_a_thread_that_is_there(self.comm)
        registry.join(self)

    def set_state(self, sync_data: Mapping[str, Any]) -> None:
        """Take what the page may write, and drop everything else: a forged outcome goes nowhere.

        Events are handed on even when the list is the one that was sent before: a page that was not answered
        sends it again.
        """
        allowed = {name: value for name, value in sync_data.items() if WRITERS.get(name) == "page"}
        if not isinstance(allowed.get("events", []), list):
            return
        super().set_state(allowed)
        self._receive(allowed.get("events", []))

    def close(self) -> None:
        """Part from the page; events that it still holds wait for the next link."""
        with registry.lock:
            registry.leave(self)
            layout = self.layout
            super().close()
            if not self.displayed:
                layout.close()  # made with the link, shown nowhere, and nobody else's

    def is_of(self, recorder: Recorder) -> bool:
        """Whether it writes to that record, and is open."""
        return self._recorder is recorder and self.comm is not None

    def hear(self, acknowledged: Mapping[str, OutcomePayload]) -> None:
        """Show the page the record as it is now, and what was just acknowledged for attempts that are not open."""
        with self.hold_sync():
            self.attempt = dict(self._recorder.attempt())
            self.outcomes = dict(acknowledged) | self._recorder.outcomes()

    def measure(self) -> None:
        """Show the page what demos have found."""
        self.measured = _measured()

    def _receive(self, sent: Sequence[Any]) -> None:
        with registry.lock:
            registry.tell(self.quiz_id, self._recorder.record(cast(Sequence[EventPayload], sent)))
        refresh_attempts(self.quiz_id)  # last: what a notebook's own code does must not hold up the page


class QuizWidget(Link):
    """The same player as a displayable widget, for layouts, Voila, and hosts whose pages cannot find a link."""

    _esm = frontend.module("widget")
    displayed = True

    quiz = traitlets.Dict().tag(sync=True)
    practice = traitlets.Dict(default_value=None, allow_none=True).tag(sync=True)
    packs = traitlets.Dict().tag(sync=True)
    view = traitlets.Dict().tag(sync=True)

    def __init__(self, quiz: model.Quiz, recorder: Recorder, *, locale: str, view: ViewPayload) -> None:
        # Where the output is kept without its model, a reader still gets the static preview.
        self._fallback = {
            "text/html": preview.preview_html(quiz, locale, view),
            "text/plain": preview.preview_text(quiz, locale, view),
        }
        attempt = recorder.attempt()["id"]
        carried = view if quiz.pools and "items" in view else None  # a named item may be none that the pages carry
        super().__init__(
            quiz.id,
            recorder,
            quiz=payload.quiz_payload(quiz, locale, carried, attempt=attempt),
            practice=payload.practice_payload(quiz, locale, carried, attempt=attempt),
            packs=packs.packs(quiz, locale, carried, attempt=attempt),
            view=view,
        )

    def _repr_mimebundle_(self, **options: Any) -> tuple[dict[str, Any], dict[str, Any]] | None:
        bundle = super()._repr_mimebundle_(**options)
        if bundle is None:
            return None
        data, metadata = bundle
        return data | self._fallback, metadata


def open_link(quiz_id: str, recorder: Recorder) -> Link:
    """Open the link of a quiz and close the former one, so that a cell run again leaves one link.

    The former one stays when it is of the same record and was opened a moment ago: its page is the one at hand. An
    older one may be of a page that was closed since, and only opening another tells the page of now.
    """
    with registry.lock:
        former = registry.link_of(quiz_id)
        if isinstance(former, Link) and former.is_of(recorder) and time.monotonic() - former.opened < BURST_S:
            former.hear({})
            return former
        return registry.replace(quiz_id, lambda: Link(quiz_id, recorder))


def _measured() -> dict[str, dict[str, str]]:
    """What demos have found in this kernel, by name of evidence, written as recorded facts are."""
    return {
        name: {fact: forms.readable(known.value) for fact, known in found.facts.items()}
        for name, found in evidence.measured().items()
    }
