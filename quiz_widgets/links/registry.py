"""The links of this kernel: the one that is open for each quiz, and everything that must hear of new outcomes."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from typing import Protocol, TypeVar
from weakref import WeakSet

from quiz_widgets.attempt import refresh as refresh_attempts
from quiz_widgets.contract import OutcomePayload
from quiz_widgets.demos.registry import watch


class Listener(Protocol):
    """A link or a displayed widget, as far as this module knows it."""

    quiz_id: str

    def hear(self, acknowledged: Mapping[str, OutcomePayload]) -> None:
        """Show the page the record as it is now, and what was just acknowledged."""

    def measure(self) -> None:
        """Show the page what demos have found."""

    def close(self) -> None:
        """Part from the page, and `leave`."""


Opened = TypeVar("Opened", bound=Listener)

# JupyterLab may have a page's messages handled in a thread of their own while a cell runs in the main one.
lock = threading.RLock()
_links: dict[str, Listener] = {}
_listeners: dict[str, WeakSet[Listener]] = {}


def join(listener: Listener) -> None:
    """From now on it hears of what happens to its quiz."""
    with lock:
        _listeners.setdefault(listener.quiz_id, WeakSet()).add(listener)


def leave(listener: Listener) -> None:
    """It is closed: it hears of nothing more, and is the link of its quiz no longer."""
    with lock:
        _listeners.get(listener.quiz_id, WeakSet()).discard(listener)
        if _links.get(listener.quiz_id) is listener:
            del _links[listener.quiz_id]


def link_of(quiz_id: str) -> Listener | None:
    """The link that is open for a quiz."""
    return _links.get(quiz_id)


def replace(quiz_id: str, make: Callable[[], Opened]) -> Opened:
    """Make the next link of a quiz and close the former one, so that a cell run again leaves one link.

    In this order: JupyterLab ends the thread in which the kernel hears a page's widgets (a subshell) with the last of
    them, and the page of a link that is opened while that thread is only being made goes on to name it.
    """
    with lock:
        former = _links.get(quiz_id)
        link = _links[quiz_id] = make()
        if former is not None:
            former.close()
    return link


def tell(quiz_id: str, acknowledged: Mapping[str, OutcomePayload]) -> None:
    """Let every link of a quiz show its page what is on record."""
    with lock:
        for listener in list(_listeners.get(quiz_id, ())):
            listener.hear(acknowledged)


def hear(quiz_id: str) -> None:
    """The same, and a notebook's own code hears too: something came from elsewhere than a page."""
    tell(quiz_id, {})
    refresh_attempts(quiz_id)


def _show_measured() -> None:
    with lock:
        for listener in [listener for known in _listeners.values() for listener in known]:
            listener.measure()


watch(_show_measured)
