"""A quiz in a text of its own, such as a notebook's cell: whole, or only its items, or only one of them."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from typing import TypeGuard

from quiz_widgets import locales
from quiz_widgets.authoring import quizzes, tree
from quiz_widgets.authoring.overlays.texts import rebuild
from quiz_widgets.authoring.tree import Mapping, Node, Scalar, Sequence
from quiz_widgets.locales.reports import message
from quiz_widgets.model import Quiz, Text
from quiz_widgets.problems import Problem


@dataclass(frozen=True, slots=True)
class Cell:
    """What came of a cell: the quiz as far as it could be read, what is wrong with it, and whether it has a title."""

    quiz: Quiz | None
    problems: tuple[Problem, ...]
    headed: bool


def read(text: str, name: str, locale: str) -> Cell:
    """The quiz in `text`, whose language is `locale`, with a heading where it has none; problems call it `name`.

    Nothing outside the text is read: no guides, no recorded results, no translations.
    """
    document = tree.read(text.encode("utf-8", "surrogatepass"), name)
    root: Node | None = document.root
    alone = _is_item(root)
    if _is_item(root):
        root = Sequence(root.line, root.column, (root,))
    if isinstance(root, Sequence):
        root = Mapping(root.line, root.column, {"items": root})
    headed = isinstance(root, Mapping) and "title" in root.entries
    if isinstance(root, Mapping):
        root = _headed(root, locale)
    reading = quizzes.of_document(dataclasses.replace(document, root=root), None)
    problems = reading.problems
    if alone:
        problems = tuple(
            dataclasses.replace(one, path=one.path.removeprefix("items[0]").lstrip(".")) for one in problems
        )
    quiz = None if reading.quiz is None else _written_in(reading.quiz, locale)
    return Cell(quiz, problems, headed)


def _is_item(root: Node | None) -> TypeGuard[Mapping]:
    return (
        isinstance(root, Mapping)
        and "items" not in root.entries
        and any(name in root.entries for name in ("stem", "options", "kind"))
    )


def _headed(root: Mapping, locale: str) -> Mapping:
    heading = {
        "id": "cell",
        "title": locales.words(locale)["static_page"],
        "level": "medium",
        "description": message("cell_about").text(locale),
    }
    missing: dict[str, Node] = {
        name: Scalar(root.line, root.column, str(text), end_line=root.line)
        for name, text in heading.items()
        if name not in root.entries
    }
    return dataclasses.replace(root, entries={**missing, **root.entries})


def _written_in(quiz: Quiz, locale: str) -> Quiz:
    """The quiz with its texts taken for texts of that language."""

    def taken(_: str, text: Text) -> Text:
        return Text({locale: text.forms[text.source_locale]}, locale)

    return dataclasses.replace(rebuild(quiz, taken), locales=(locale,))
