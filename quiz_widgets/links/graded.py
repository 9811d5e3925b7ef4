"""The link of a quiz that a desk grades, and the same as a widget."""

from __future__ import annotations

import html
import threading
from collections.abc import Mapping
from typing import Any

import traitlets

from quiz_widgets import frontend, locales, packs, payload
from quiz_widgets.contract import GradedRecorder, OutcomePayload, ViewPayload
from quiz_widgets.links import registry
from quiz_widgets.links.practice import Link

UNASKED_S = (0.3, 1.0, 4.0)  # after these, a page that has not greeted is told what a graded link holds
TOLD = ("desk", "quiz", "practice", "packs", "attempt", "outcomes", "measured")


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
        with registry.lock:
            for name, value in self._state(self.quiz_id).items():
                setattr(self, name, value)
            super().hear(acknowledged)
            self._tell()

    def measure(self) -> None:
        """Show the page what demos have found."""
        with registry.lock:
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
        with registry.lock:
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
    displayed = True

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


def open_graded_link(quiz_id: str, recorder: GradedRecorder, locale: str) -> GradedLink:
    """Open the link of a graded quiz and close the former one."""
    return registry.replace(quiz_id, lambda: GradedLink(quiz_id, recorder, locale))
