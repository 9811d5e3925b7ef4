"""What ties a page to its kernel: the link, which is never displayed, and the widget for layouts.

The only module that knows anywidget. It is imported when the first link is opened, after the quiz is on the page.
"""

from __future__ import annotations

import html
import threading
import time
from collections.abc import Mapping, Sequence
from typing import Any, cast
from weakref import WeakSet

import anywidget
import traitlets

from quiz_widgets import frontend, locales, model, packs, payload, preview
from quiz_widgets.attempt import refresh as refresh_attempts
from quiz_widgets.contract import (
    WRITERS,
    EventPayload,
    GradedRecorder,
    OutcomePayload,
    Recorder,
    ViewPayload,
)
from quiz_widgets.demos import registry
from quiz_widgets.locales import forms

UNASKED_S = (0.3, 1.0, 4.0)  # after these, a page that has not greeted is told what a graded link holds
TOLD = ("desk", "quiz", "practice", "packs", "attempt", "outcomes", "measured")
BURST_S = 3.0  # "Run all" shows a quiz in cell after cell: they share the link that the first of them opened
# The link of each quiz in this kernel, by quiz id, and everything that must hear of new outcomes.
_links: dict[str, Link] = {}
_listeners: dict[str, WeakSet[Link]] = {}
# JupyterLab may have a page's messages handled in a thread of their own while a cell runs in the main one.
_lock = threading.RLock()


class Link(anywidget.AnyWidget):
    """The state that one quiz's pages and this kernel share. Its module registers it with the page; it has no view.

    The page writes `events`, append-only; the kernel answers with `outcomes`, by event id, once they are on record.
    """

    _esm = frontend.module("link")

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
        with _lock:
            _listeners.setdefault(quiz_id, WeakSet()).add(self)

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
        with _lock:
            _listeners.get(self.quiz_id, WeakSet()).discard(self)
            if _links.get(self.quiz_id) is self:
                del _links[self.quiz_id]
            layout = self.layout
            super().close()
            if not isinstance(self, QuizWidget | GradedQuizWidget):
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
        with _lock:
            acknowledged = self._recorder.record(cast(Sequence[EventPayload], sent))
            for listener in list(_listeners.get(self.quiz_id, ())):
                listener.hear(acknowledged)
        refresh_attempts(self.quiz_id)  # last: what a notebook's own code does must not hold up the page


class QuizWidget(Link):
    """The same player as a displayable widget, for layouts, Voila, and hosts whose pages cannot find a link."""

    _esm = frontend.module("widget")

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


class GradedLink(Link):
    """The link of a graded quiz: its questions come over it, for its learner alone, and are in no output.

    `desk` says what the desk does; `quiz` holds the attempt's questions once it is open; `practice` holds the keys that
    the desk has revealed. All this goes in messages: JupyterLab can save the state of models in the notebook.
    The state has the number of the newest message, `turn`, so that a page can tell that it missed one.
    """

    graded = traitlets.Bool(default_value=True).tag(sync=True)
    turn = traitlets.Int().tag(sync=True)
    attempt = traitlets.Dict()
    outcomes = traitlets.Dict()
    measured = traitlets.Dict()
    events: traitlets.List[Any] = traitlets.List()
    quiz = traitlets.Dict()
    practice = traitlets.Dict(default_value=None, allow_none=True)
    packs = traitlets.Dict()
    desk = traitlets.Dict()

    def __init__(self, quiz_id: str, recorder: GradedRecorder, locale: str, **state: Any) -> None:
        self._locale = locale
        self._graded = recorder
        self._shown: object = None
        self._told: dict[str, Any] = {}
        self._greeted = threading.Event()
        super().__init__(quiz_id, recorder, **self._state(quiz_id), **state)
        self.on_msg(self._hear_page)
        threading.Thread(target=self._tell_unasked, name="quiz-link", daemon=True).start()

    def close(self) -> None:
        """Part from the page."""
        self._greeted.set()
        super().close()

    def hear(self, acknowledged: Mapping[str, OutcomePayload]) -> None:
        """Show the page the attempt and the desk's state as they are now; called from the sender's thread too."""
        with _lock:
            for name, value in self._state(self.quiz_id).items():
                setattr(self, name, value)
            super().hear(acknowledged)
            self._tell()

    def measure(self) -> None:
        """Show the page what demos have found."""
        with _lock:
            super().measure()
            self._tell()

    def _hear_page(self, _: object, content: Any, __: object) -> None:
        """A page has found this link and needs everything, with the desk's clock as it is now; or it has events."""
        kind = content.get("kind") if isinstance(content, dict) else None
        if kind == "hello":
            self._greeted.set()
            self._tell_all()
        elif kind == "state" and isinstance(content.get("state"), dict):
            self.set_state(content["state"])

    def _tell_unasked(self) -> None:
        """A page whose greeting waits behind a running cell would show the quiz only after it."""
        for pause in UNASKED_S:
            if self._greeted.wait(pause):
                return
            self._tell_all()

    def _tell_all(self) -> None:
        with _lock:
            self._told = {}
            self.hear({})

    def _tell(self) -> None:
        """Send the page what is not as it was when it was sent last."""
        known = {name: getattr(self, name) for name in TOLD}
        news = {name: value for name, value in known.items() if name not in self._told or self._told[name] != value}
        if not news:
            return
        self._told = known
        turn = self.turn + 1
        self.send({"kind": "state", "turn": turn, "whole": len(news) == len(known), "state": news})
        self.turn = turn  # after the message: who has this number and not the message has missed it

    def _state(self, quiz_id: str) -> dict[str, Any]:
        made: dict[str, Any] = {"desk": dict(self._graded.desk())}
        quiz, revealed = self._graded.quiz()
        title = self._graded.title
        if (shown := (quiz or title, revealed)) == self._shown:
            return made
        self._shown = shown
        if quiz is None:
            return made | {"quiz": payload.quiz_payload(payload.unopened(quiz_id, title), self._locale, mode="graded")}
        made["quiz"] = payload.quiz_payload(quiz, self._locale, mode="graded")
        keys: ViewPayload = {"items": [item.id for item in quiz.items if item.id in revealed]}
        made["packs"] = packs.packs(quiz, self._locale, mode="graded", keys=keys if revealed else False)
        made["practice"] = payload.practice_payload(quiz, self._locale, keys) if revealed else None
        return made


class GradedQuizWidget(GradedLink):
    """The same as a displayable widget. Where its output is kept without its model, it says where to take the quiz.

    `shell` is what stands in its place before a page hears of the desk: the title.
    """

    _esm = frontend.module("widget")

    shell = traitlets.Dict().tag(sync=True)

    def __init__(self, quiz_id: str, recorder: GradedRecorder, locale: str) -> None:
        shell = payload.quiz_payload(payload.unopened(quiz_id, recorder.title), locale, mode="graded")
        super().__init__(quiz_id, recorder, locale, shell=shell)

    def _repr_mimebundle_(self, **options: Any) -> tuple[dict[str, Any], dict[str, Any]] | None:
        bundle = super()._repr_mimebundle_(**options)
        if bundle is None:
            return None
        data, metadata = bundle
        note = str(locales.words(self._locale)["static_graded"])
        heading = f"{self._graded.title} ({self.quiz_id})"
        shown = "".join(f"<div>{html.escape(line)}</div>" for line in (heading, note))
        direction = locales.direction(self._locale)
        fallback = {
            "text/plain": f"{heading}\n{note}",
            "text/html": f'<div class="quiz-widgets" lang="{self._locale}" dir="{direction}">{shown}</div>',
        }
        return data | fallback, metadata


def _measured() -> dict[str, dict[str, str]]:
    """What demos have found in this kernel, by name of evidence, written as recorded facts are."""
    return {
        name: {fact: forms.readable(known.value) for fact, known in found.facts.items()}
        for name, found in registry.measured().items()
    }


def _show_measured() -> None:
    with _lock:
        for listener in [listener for known in _listeners.values() for listener in known]:
            listener.measure()


registry.watch(_show_measured)


def open_link(quiz_id: str, recorder: Recorder) -> Link:
    """Open the link of a quiz and close the former one, so that a cell run again leaves one link.

    The former one stays when it is of the same record and was opened a moment ago: its page is the one at hand. An
    older one may be of a page that was closed since, and only opening another tells the page of now.
    """
    with _lock:
        former = _links.get(quiz_id)
        if former is not None and former.is_of(recorder) and time.monotonic() - former.opened < BURST_S:
            former.hear({})
            return former
        _close(quiz_id)
        link = _links[quiz_id] = Link(quiz_id, recorder)
    return link


def open_graded_link(quiz_id: str, recorder: GradedRecorder, locale: str) -> GradedLink:
    """The same for a graded quiz."""
    with _lock:
        _close(quiz_id)
        link = _links[quiz_id] = GradedLink(quiz_id, recorder, locale)
    return link


def hear(quiz_id: str) -> None:
    """Let every link of a quiz show its page what is on record: something came from elsewhere than a page."""
    with _lock:
        for listener in list(_listeners.get(quiz_id, ())):
            listener.hear({})
    refresh_attempts(quiz_id)


def _close(quiz_id: str) -> None:
    former = _links.pop(quiz_id, None)
    if former is not None:
        former.close()
