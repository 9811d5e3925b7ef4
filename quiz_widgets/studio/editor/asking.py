"""What the form asks the author: whether to go on with a draft, and whose files to take when they have changed."""

from __future__ import annotations

import html
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

import ipywidgets

from quiz_widgets.locales.reports import message
from quiz_widgets.studio.editor import drafts
from quiz_widgets.studio.editor.rows import button, words_html
from quiz_widgets.studio.editor.session import ChangedMeanwhile, Session


class Asker:
    """A question with its answers as buttons. `box` is the widget, seen as long as a question is open."""

    def __init__(self, session: Session, locale: str, refresh: Callable[[], None]) -> None:
        self.session = session
        self.locale = locale
        self.refresh = refresh
        self.box: Any = ipywidgets.VBox(layout={"display": "none"})

    @property
    def offering(self) -> bool:
        """Whether a draft waits for a word: a change made before it would write over the draft."""
        return self.session.offered is not None

    def offer(self) -> None:
        """Ask what to do with a draft that was found, if there is one."""
        draft = self.session.offered
        if draft is None:
            return
        text = self._word("offer", time=drafts.clock(draft), count=draft.done)
        outside = self.session.outside(draft)
        if outside:
            text += " " + self._word("offer_changed")
        self._ask(text, outside, {"continue": self.session.take_offer, "discard": self.session.refuse_offer})

    def conflict(self, changed: ChangedMeanwhile) -> None:
        """Show what somebody else has changed, and ask whose files to go on with."""
        text = self._word("conflict", files=tuple(changed.files))
        self._ask(text, self.session.outside(), {"reload": self.session.reload, "keep": lambda: None})

    def _word(self, key: str, **values: object) -> str:
        return message(f"edit_{key}", **values).text(self.locale)

    def _ask(self, text: str, diffs: Mapping[str, str], answers: Mapping[str, Callable[[], None]]) -> None:
        shown = "".join(f'<pre dir="ltr" tabindex="0">{html.escape(diff)}</pre>' for diff in diffs.values())
        buttons = [button(self._word(key), partial(self._answered, do)) for key, do in answers.items()]
        self.box.children = [
            ipywidgets.HTML(words_html(text, self.locale, "alert") + shown),
            ipywidgets.HBox(buttons, layout={"flex_flow": "row wrap"}),
        ]
        self.box.layout.display = None

    def _answered(self, do: Callable[[], None]) -> None:
        self.box.layout.display = "none"
        self.box.children = ()
        do()
        self.refresh()
