"""The texts of the question that is edited: one row each, in groups, so that an entry more leaves the others alone."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import ipywidgets

from quiz_widgets.locales.reports import message
from quiz_widgets.studio.editor.changes import value_at
from quiz_widgets.studio.editor.looking import Look, Place, places
from quiz_widgets.studio.editor.rows import Row, Shown, button, problem_list

Key = tuple[str, int | None, str]


class Texts:
    """The rows of one question. `box` is the widget; widgets that can stay do, with the focus in them."""

    def __init__(
        self,
        locale: str,
        write: Callable[[Place, str], None],
        translate: Callable[[Place, str], None],
        accept: Callable[[Place], None],
        move: Callable[[int, int], None],
    ) -> None:
        """The functions hear what the author does to the text at a place; `move` which option goes where."""
        self.locale = locale
        self.write = write
        self.translate = translate
        self.accept = accept
        self.move = move
        self.box = ipywidgets.VBox()
        self.rows: dict[Key, Row] = {}
        self.places: dict[Key, Place] = {}
        self.language = ""
        self.groups: dict[str, Any] = {}
        self.movers: dict[int, Any] = {}

    def show(self, look: Look, index: int, language: str) -> None:
        """Bring all rows up to date; `language` is the translation's, or empty."""
        if language != self.language:
            self.language = language
            self.rows = {}
        found = {key[:3]: key[3] for key in places(look, index)}
        self.places = found
        self.rows = {key: self.rows.get(key) or self._row(key) for key in found}
        self._lay_out()
        for key, place in found.items():
            self.rows[key].show(self._shown(look, key, place))

    def _shown(self, look: Look, key: Key, place: Place) -> Shown:
        where, number, field = key
        problems = look.at(place)
        if field in ("text", "stem"):  # what is wrong with the whole of it stands at its first text
            above = place.shown.rpartition(".")[0]
            problems = [one for one in look.problems if one.path == above and one.file == look.file] + problems
        text = value_at(look.value, place.path)
        name = f"edit_{where}_{field}" if where and field != "hint" else f"edit_{field}"
        return Shown(
            message(name, number=(number or 0) + 1).text(self.locale),
            text.rstrip("\n") if isinstance(text, str) else "",
            look.translated(place, self.language).rstrip("\n") if place.at and self.language else None,
            bool(self.language) and look.stale(place, self.language),
            problem_list(problems, self.locale, file=look.file),
        )

    def _row(self, key: Key) -> Row:
        return Row(
            self.locale,
            self.language or None,
            lambda new: self.write(self.places[key], new),
            lambda new: self.translate(self.places[key], new),
            lambda: self.accept(self.places[key]),
        )

    def _lay_out(self) -> None:
        """A box for each list, and the texts that stand alone between them."""
        groups: dict[str, list[Any]] = {}
        for (where, number, field), row in self.rows.items():
            group = groups.setdefault(where or field, [])
            group.append(row.box)
            if where == "options" and number is not None and field == "rationale":
                group.append(self._mover(number))
        for name, children in groups.items():
            box = self.groups.setdefault(name, ipywidgets.VBox())
            if list(box.children) != children:
                box.children = children
        boxes = [self.groups[name] for name in groups]
        if list(self.box.children) != boxes:
            self.box.children = boxes

    def _mover(self, number: int) -> Any:
        """The buttons that move an option."""
        if number not in self.movers:
            up = message("edit_up", number=number + 1).text(self.locale)
            down = message("edit_down", number=number + 1).text(self.locale)
            pair = [
                button(up, partial(self.move, number, number - 1)),
                button(down, partial(self.move, number, number + 1)),
            ]
            self.movers[number] = ipywidgets.HBox(pair, layout={"flex_flow": "row wrap"})
        first, second = self.movers[number].children
        first.disabled = number == 0
        second.disabled = ("options", number + 1, "text") not in self.rows
        return self.movers[number]
