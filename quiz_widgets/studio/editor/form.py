"""The form: a list of questions, the texts of one, and the live question. Every change goes through one function."""

from __future__ import annotations

import html
import time
from collections.abc import Callable
from typing import Any

import ipywidgets

from quiz_widgets import locales
from quiz_widgets.authoring import splices
from quiz_widgets.authoring.splices import SpliceError
from quiz_widgets.locales.reports import counted, message
from quiz_widgets.studio.editor import changes
from quiz_widgets.studio.editor.asking import Asker
from quiz_widgets.studio.editor.changes import value_at
from quiz_widgets.studio.editor.looking import Look, Place, look
from quiz_widgets.studio.editor.rows import KEYS, STYLE, button, language_name, problem_list, words_html
from quiz_widgets.studio.editor.session import ChangedMeanwhile, Session
from quiz_widgets.studio.editor.texts import Texts

# A quiz is written in English; other languages are translations.
_NEW = {"stem": "Write the question here.", "option": "Option"}
_CHOICES = ("single", "multiple")


class Form:
    """The editor of one session. `box` is the widget."""

    def __init__(self, session: Session, locale: str) -> None:
        self.session = session
        self.locale = locale
        self.look: Look = look(session)
        self.drawing = False
        self.asker = Asker(session, locale, self.refresh)
        self._controls()
        self.refresh()
        self.asker.offer()

    def word(self, key: str, **values: object) -> str:
        """A word of the interface."""
        return message(f"edit_{key}", **values).text(self.locale)

    def _controls(self) -> None:
        self.status = ipywidgets.HTML()
        self.save = button(self.word("save"), self.pressed_save)
        self.undo = button(self.word("undo"), lambda: self.step(self.session.undo))
        self.redo = button(self.word("redo"), lambda: self.step(self.session.redo))
        names = [name for name in locales.available() if name != locales.SOURCE_LOCALE]
        shown = [(language_name(name, self.locale), name) for name in names]
        self.language = ipywidgets.Dropdown(
            description=self.word("language"), options=[(self.word("none"), ""), *shown], value=""
        )
        self.language.observe(lambda _: self.refresh(), names="value")
        self.items = ipywidgets.Select(description=self.word("questions"), rows=8, options=[])
        self.items.observe(lambda _: self.refresh(), names="value")
        self.item_buttons = [
            button(self.word("item_up"), lambda: self.move_item(-1)),
            button(self.word("item_down"), lambda: self.move_item(1)),
            button(self.word("add_item"), self.add_item),
        ]
        self.right = ipywidgets.RadioButtons(description=self.word("key"), options=[])
        self.right.observe(lambda _: self.pressed_key(), names="value")
        self.ticks = ipywidgets.VBox()
        self.add_option_button = button(self.word("add_option"), self.add_option)
        self.texts = Texts(self.locale, self.write, self.translate, self.accept, self.move_option)
        self.live = ipywidgets.Output()
        self.problems = ipywidgets.HTML()
        wide = {"flex_flow": "row wrap", "width": "100%", "align_items": "flex-start"}
        form = ipywidgets.VBox(
            [self.right, self.ticks, self.texts.box, self.add_option_button], layout={"flex": "3 1 24em"}
        )
        side = ipywidgets.VBox([self.items, *self.item_buttons], layout={"flex": "1 1 14em"})
        beside = ipywidgets.VBox([self.live], layout={"flex": "3 1 24em"})
        top = ipywidgets.HBox([self.save, self.undo, self.redo, self.language], layout=wide)
        parts = [ipywidgets.HTML(STYLE), top, self.status, self.asker.box]
        self.body = ipywidgets.HBox([side, form, beside], layout=wide)
        self.box = ipywidgets.VBox([*parts, self.body, self.problems])
        self.box.add_class("quiz-editor")
        if locales.direction(self.locale) == "rtl":
            self.box.add_class("quiz-editor-ui-rtl")

    # What is seen

    def refresh(self) -> None:
        """Show the files as they are now; widgets that show it already are left alone, with the focus in them."""
        if self.drawing:
            return
        self.drawing = True
        try:
            self.look = look(self.session)
            self._head()
            if self.look.items:
                self._list()
                self._key()
                self.texts.show(self.look, self.index, self.language.value)
                self._live()
        finally:
            self.drawing = False

    @property
    def index(self) -> int:
        """The question that is edited."""
        return self.items.value or 0

    def _head(self) -> None:
        editable = bool(self.look.items)
        self.body.layout.display = None if editable and not self.asker.offering else "none"
        errors = sum(one.severity == "error" for one in self.look.problems)
        head = (
            f'<p lang="{self.locale}"><strong>{html.escape(counted("problems", errors).text(self.locale))}</strong></p>'
        )
        self.problems.value = head + problem_list(self.look.problems, self.locale, file=self.look.file)
        self.undo.disabled = not self.session.done
        self.redo.disabled = self.session.done == len(self.session.steps)
        self.save.disabled = not self.session.changed
        if not editable:
            self.say("unreadable", file=self.session.path.name)
        elif self.session.done:
            self.say("kept", count=self.session.done)
        else:
            self.say("unchanged")

    def say(self, key: str, **values: object) -> None:
        """Tell something in the line below the buttons."""
        self.status.value = words_html(self.word(key, **values), self.locale, "status")

    def _list(self) -> None:
        options = []
        for number, item in enumerate(self.look.items):
            errors = any(one.severity == "error" for one in self.look.of_item(number))
            stem = " ".join(str(value_at(item, ("stem",)) or value_at(item, ("id",)) or "").split())
            options.append((f"{number + 1}. {'⚠ ' if errors else ''}{stem[:48]}", number))
        if list(self.items.options) != options:
            chosen = min(self.index, len(options) - 1)
            self.items.options = options
            self.items.value = chosen
        elif self.items.value is None:
            self.items.value = 0
        self.item_buttons[0].disabled = self.index == 0
        self.item_buttons[1].disabled = self.index == len(options) - 1

    def _key(self) -> None:
        item = self.look.items[self.index]
        kind = value_at(item, ("kind",)) or "single"
        found = value_at(item, ("options",))
        options = found if kind in _CHOICES and isinstance(found, list) else []
        right = [number for number, one in enumerate(options) if value_at(one, ("correct",)) == "true"]
        self.add_option_button.layout.display = None if kind in (*_CHOICES, "order") else "none"
        self.right.layout.display = None if kind == "single" and options else "none"
        self.ticks.layout.display = None if kind == "multiple" and options else "none"
        shown = [(self._option(number, one), number) for number, one in enumerate(options)]
        if kind == "single":
            if list(self.right.options) != shown:
                self.right.options = shown
            self.right.value = right[0] if right else None
            return
        if len(self.ticks.children) != len(options):
            self.ticks.children = [self._tick() for _ in options]
        for number, box in enumerate(self.ticks.children):
            box.description = self.word("right", number=number + 1)
            box.value = number in right

    def _tick(self) -> Any:
        box = ipywidgets.Checkbox(indent=False)
        box.observe(lambda _: self.pressed_key(), names="value")
        return box

    def _option(self, number: int, option: Any) -> str:
        text = " ".join(str(value_at(option, ("text",)) or "").split())
        return f"{self.word('options_text', number=number + 1)}: {text[:60]}"

    def _live(self) -> None:
        shown = [locales.SOURCE_LOCALE, *([self.language.value] if self.language.value else ())]
        bundles = [self.look.live(self.index, locale) for locale in shown]
        bundles[0]["text/html"] += KEYS
        outputs = tuple({"output_type": "display_data", "data": one, "metadata": {}} for one in bundles)
        if self.live.outputs != outputs:
            self.live.outputs = outputs

    # What the author does

    def edit(self, name: str, made: Callable[[], bytes]) -> None:
        """Make one change; what cannot be written is told, and stays in its field."""
        if self.drawing:
            return
        try:
            data = made()
        except SpliceError as error:
            self.say("not_written", reason=str(error))
            return
        reason = ""
        try:
            self.session.change(name, data)
        except OSError as error:
            reason = error.strerror or str(error)
        self.refresh()
        if reason:
            self.say("no_draft", reason=reason)

    def edit_quiz(self, made: Callable[[bytes], bytes]) -> None:
        """Make one change of the quiz's own file."""
        self.edit(self.session.path.name, lambda: made(self.session.quiz))

    def write(self, place: Place, new: str) -> None:
        """Another text."""
        self.edit_quiz(lambda data: changes.text(data, place.path, new))

    def translate(self, place: Place, new: str, *, accept: bool = False) -> None:
        """Another translation, or the same once more after its source has changed."""
        language = self.language.value
        name = self.session.overlay_name(language)
        sources = self.look.sources
        self.edit(
            name,
            lambda: changes.translation(self.session.files.get(name), language, place.at, new, sources, accept=accept),
        )

    def accept(self, place: Place) -> None:
        """Say that a translation fits its changed source."""
        self.translate(place, self.look.translated(place, self.language.value), accept=True)

    def pressed_key(self) -> None:
        """Other right options."""
        if self.drawing:
            return
        kind = value_at(self.look.items[self.index], ("kind",)) or "single"
        right = [number for number, box in enumerate(self.ticks.children) if box.value]
        if kind == "single":
            right = [] if self.right.value is None else [self.right.value]
        self.edit_quiz(lambda data: changes.key(data, self.index, right))

    def add_option(self) -> None:
        """One more option."""
        self.edit_quiz(lambda data: changes.add_option(data, self.index, _NEW))

    def move_option(self, old: int, new: int) -> None:
        """An option at another place."""
        self.edit_quiz(lambda data: splices.move(data, ("items", self.index, "options"), old, new))

    def add_item(self) -> None:
        """A new question below this one, which is then edited."""
        index, count = self.index, len(self.look.items)
        self.edit_quiz(lambda data: changes.add_item(data, index + 1, _NEW))
        if len(self.look.items) > count:
            self.items.value = index + 1

    def move_item(self, by: int) -> None:
        """This question at another place."""
        old, done = self.index, self.session.done
        self.edit_quiz(lambda data: splices.move(data, ("items",), old, old + by))
        if self.session.done > done:
            self.items.value = old + by

    def step(self, taken: Callable[[], None]) -> None:
        """Undo or redo."""
        try:
            taken()
        except OSError as error:
            self.refresh()
            self.say("no_draft", reason=error.strerror or str(error))
        else:
            self.refresh()

    def pressed_save(self) -> None:
        """Write the files, or say why not."""
        try:
            self.session.save()
        except ChangedMeanwhile as changed:
            self.asker.conflict(changed)
        except OSError as error:
            self.say("not_saved", reason=error.strerror or str(error))
        else:
            self.refresh()
            self.say("saved", time=time.strftime("%H:%M"))
