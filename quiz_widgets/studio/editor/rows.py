"""The parts of the form: a text with its translation and its problems, and what surrounds them."""

from __future__ import annotations

import html
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import ipywidgets

from quiz_widgets import locales
from quiz_widgets.locales.reports import message
from quiz_widgets.problems import Problem
from quiz_widgets.studio.excerpts import code

STYLE = """<style>
.quiz-editor { gap: .75rem; }
.quiz-editor .widget-textarea, .quiz-editor .widget-select {
  flex-direction: column; height: auto; width: auto; flex: 1 1 12em; margin: 2px; }
.quiz-editor .widget-vbox > :is(.widget-textarea, .widget-select) { flex: none; }
.quiz-editor .widget-textarea > label, .quiz-editor .widget-select > label, .quiz-editor .widget-radio > label {
  width: auto; max-width: none; text-align: start; white-space: normal; line-height: 1.4; height: auto; }
.quiz-editor .widget-radio { flex-direction: column; width: auto; height: auto; }
.quiz-editor .widget-radio-box { width: auto; max-width: none; }
.quiz-editor .widget-radio-box label { white-space: normal; height: auto; }
.quiz-editor textarea { width: 100%; direction: ltr; field-sizing: content; min-height: 2.4em; resize: vertical; }
.quiz-editor .quiz-editor-rtl textarea { direction: rtl; text-align: right; }
.quiz-editor-ui-rtl { direction: rtl; }
.quiz-editor .jupyter-button { width: auto; height: auto; white-space: normal; }
.quiz-editor ul { margin: .2em 0; padding-inline-start: 1.4em; line-height: 1.4; }
.quiz-editor pre { margin: 0; white-space: pre-wrap; }
.quiz-editor :is(textarea, select, button, input):focus-visible { outline: 2px solid; outline-offset: 1px; }
</style>"""
# JupyterLab takes plain keys, arrows among them, before a radio button or a list hears them, and runs the cell anew on
# Shift+Enter. It leaves an element alone that bears this attribute; each field gets it while a plain key is handled.
KEYS = (
    '<script>(() => { const once = Symbol.for("quiz_widgets.editor"); if (window[once]) return; window[once] = true;'
    'addEventListener("keydown", (event) => { const field = event.target;'
    "if (event.ctrlKey || event.metaKey || event.altKey) return;"
    'if (!field.matches?.(".quiz-editor :is(input, select, textarea)")) return;'
    'field.setAttribute("data-lm-suppress-shortcuts", "true");'
    'setTimeout(() => field.removeAttribute("data-lm-suppress-shortcuts")); }, true); })()</script>'
)
_WEIGHTS = {"error": "preview_error", "warning": "preview_warning", "note": "preview_note"}


def words_html(text: str, locale: str, role: str = "") -> str:
    """A sentence of the interface as HTML, with its language."""
    named = f' role="{role}"' if role else ""
    return f'<div{named} lang="{locale}" dir="{locales.direction(locale)}">{html.escape(text)}</div>'


def problem_list(problems: Sequence[Problem], locale: str, *, file: str = "") -> str:
    """Problems as a list of HTML with their lines; those of other files than `file` with the file's name."""
    entries = []
    for one in problems:
        place = message("cell_place", line=one.line, column=one.column).text(locale) if one.line else ""
        name = one.file.replace("\\", "/").rsplit("/", maxsplit=1)[-1] if one.file != file else ""
        where = html.escape(", ".join(part for part in (name, place) if part))
        weight = html.escape(message(_WEIGHTS[one.severity]).text(locale))
        text = code(one.message) + (f" <em>{code(one.hint)}</em>" if one.hint else "")
        entries.append(f'<li><strong>{where} ({weight}):</strong> <span lang="en" dir="ltr">{text}</span></li>')
    return f'<ul lang="{locale}" dir="{locales.direction(locale)}">{"".join(entries)}</ul>' if entries else ""


def button(text: str, pressed: Callable[[], None]) -> Any:
    """A button that calls a function."""
    made = ipywidgets.Button(description=text)
    made.on_click(lambda _: pressed())
    return made


@dataclass(frozen=True, slots=True)
class Shown:
    """What a row shows: its label, the text, the translation (`None`: it has none) with its state, and problems."""

    label: str
    text: str
    translated: str | None = None
    stale: bool = False
    problems: str = ""


class Row:
    """One text, with its translation beside it if one is edited."""

    def __init__(
        self,
        locale: str,
        language: str | None,
        written: Callable[[str], None],
        translated: Callable[[str], None],
        accepted: Callable[[], None],
    ) -> None:
        """`locale` is the interface's, `language` the translation's; the functions hear what the author does."""
        self.locale = locale
        self.language = language
        self.source = _area(written)
        self.notes = ipywidgets.HTML()
        columns = [self.source]
        if language is not None:
            self.target = _area(translated)
            if locales.direction(language) == "rtl":
                self.target.add_class("quiz-editor-rtl")
            self.stale = ipywidgets.HTML()
            self.accept = button(message("edit_accept").text(locale), accepted)
            self.waiting = ipywidgets.VBox([self.stale, self.accept])
            beside = ipywidgets.VBox([self.target, self.waiting], layout={"flex": "1 1 12em"})
            columns.append(beside)
        box = ipywidgets.HBox(columns, layout={"flex_flow": "row wrap", "width": "100%"})
        self.box = ipywidgets.VBox([box, self.notes])

    def show(self, shown: Shown) -> None:
        """Bring the row up to date."""
        self.source.description = shown.label
        self.source.value = shown.text
        self.notes.value = shown.problems
        if self.language is not None:
            named = language_name(self.language, self.locale)
            beside = message("edit_translated", label=shown.label, language=named)
            self.target.description = beside.text(self.locale)
            self.target.value = shown.translated or ""
            self.target.layout.display = "none" if shown.translated is None else None
            self.stale.value = words_html(message("edit_stale").text(self.locale), self.locale)
            self.waiting.layout.display = None if shown.stale else "none"


def language_name(language: str, locale: str) -> str:
    """What a language is called in another."""
    return str(locales.words(locale).get(f"static_language_{language}", language))


def _area(heard: Callable[[str], None]) -> Any:
    made = ipywidgets.Textarea(continuous_update=False, rows=2)
    made.observe(lambda change: heard(change["new"]), names="value")
    return made
