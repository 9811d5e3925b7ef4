"""A guide as a notebook: the same bytes from the same guide, so that a change in one is a small diff in the other.

Quiz cells carry the static preview as their output: GitHub, an untrusted notebook and a printout show the
questions, and running the cell makes them live. Demo cells carry no output. Cell ids come from sections, items
and demos, never from positions, and nothing of any machine or widget is written.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from quiz_widgets.authoring.guides import DemoPlace, GuideDocument, Prose, QuizPlace, Section
from quiz_widgets.contract import ViewPayload
from quiz_widgets.demos import cells
from quiz_widgets.locales import direction
from quiz_widgets.locales.bidi import isolated_markdown
from quiz_widgets.model import Quiz
from quiz_widgets.preview import preview_html, preview_text

Cell = dict[str, Any]

_METADATA = {
    "kernelspec": {"display_name": "Python 3 (ipykernel)", "language": "python", "name": "python3"},
    "language_info": {"name": "python"},
}
_ID_LENGTH = 64  # nbformat 4.5 allows no more


def notebook(guide: GuideDocument, quiz: Quiz, *, load: str | None = None, demos: Path | None = None) -> str:
    """The notebook's text: nbformat 4.5, keys sorted, one trailing newline.

    Its first cell loads the quiz with the arguments `load`, as they are written (default: its id and the locale).
    `demos` is the folder of a course's own demo cells.
    """
    written = list(_cells(guide, quiz, load or f'"{quiz.id}", locale="{guide.locale}"', demos))
    document = {"cells": written, "metadata": _METADATA, "nbformat": 4, "nbformat_minor": 5}
    return json.dumps(document, ensure_ascii=False, indent=1, sort_keys=True) + "\n"


def content(text: str) -> list[Any]:
    """What of a notebook's text is compared: its cells' kinds, sources and outputs.

    Metadata, cell ids and execution counts differ as soon as somebody saves the notebook, and say nothing.
    """
    compared = []
    for cell in json.loads(text)["cells"]:
        outputs = [{**output, "metadata": {}, "execution_count": None} for output in cell.get("outputs", ())]
        compared.append([cell["cell_type"], "".join(cell["source"]), outputs])
    return compared


def _cells(guide: GuideDocument, quiz: Quiz, load: str, demos: Path | None) -> Iterator[Cell]:
    """The first prose with the title, the set-up, then every block."""
    ids = _Ids()
    set_up = False
    groups = list(_grouped(guide))
    for group, after in zip(groups, [*groups[1:], None], strict=True):
        if isinstance(group, list):
            yield _markdown(group, guide.locale, ids, after)
        else:
            if not set_up:
                yield _set_up(load)
            if isinstance(group, QuizPlace):
                yield _quiz(group, quiz, guide.locale, ids)
            else:
                yield _demo(group, guide, ids, demos)
        if not set_up:
            set_up = True
            if isinstance(group, list):
                yield _set_up(load)


def _grouped(guide: GuideDocument) -> Iterator[list[Section | Prose] | QuizPlace | DemoPlace]:
    """Blocks with a section's heading and the prose under it in one group."""
    run: list[Section | Prose] = []
    for block in guide.blocks:
        if isinstance(block, QuizPlace | DemoPlace):
            if run:
                yield run
            run = []
            yield block
        elif isinstance(block, Section):
            if run:
                yield run
            run = [block]
        else:
            run.append(block)
    if run:
        yield run


def _markdown(group: list[Section | Prose], locale: str, ids: _Ids, after: object) -> Cell:
    parts: list[str] = []
    for block in group:
        if isinstance(block, Section):
            ids.section = block.id
            # An anchor of our own: hosts make ids of headings each in its way, and translations change headings.
            parts += [f'<a id="{block.id}"></a>', f"## {block.title}"]
        else:
            parts.append(block.text)
    if isinstance(after, DemoPlace):
        parts.append(f'<a id="demo-{after.name}"></a>')  # where "Show me" of a question leads
    kind = ids.section if isinstance(group[0], Section) else f"{ids.section}-text"
    text = "\n\n".join(parts)
    if direction(locale) == "rtl":  # no host finds that out by itself
        text = isolated_markdown(text, locale)
    return {"cell_type": "markdown", "id": ids.unique(kind), "metadata": {}, "source": _lines(text)}


def _set_up(load: str) -> Cell:
    return _code("set-up", f"from quiz_widgets import load_quiz\n\nquiz = load_quiz({load})")


def _quiz(place: QuizPlace, quiz: Quiz, locale: str, ids: _Ids) -> Cell:
    named = [mention.id for mention in place.items]
    view: ViewPayload = {}
    if named:
        view["items"] = named
        arguments = ", ".join(f'"{item}"' for item in named)
    elif place.set is not None:
        view["set"] = place.set
        arguments = f'set="{place.set}"'
    else:
        arguments = ""
    data = {
        "text/html": _lines(preview_html(quiz, locale, view)),
        "text/plain": _lines(preview_text(quiz, locale, view)),
    }
    output = {"output_type": "display_data", "data": data, "metadata": {}}
    cell_id = ids.unique("-".join(["quiz", *(named or [place.set or "all"])]))
    return _code(cell_id, f"quiz.show({arguments})", [output])


def _demo(place: DemoPlace, guide: GuideDocument, ids: _Ids, demos: Path | None) -> Cell:
    return _code(ids.unique(f"demo-{place.name}"), cells.source(place.name, guide.locale, demos).strip())


def _code(cell_id: str, source: str, outputs: Iterable[dict[str, Any]] = ()) -> Cell:
    return {
        "cell_type": "code",
        "execution_count": None,
        "id": cell_id,
        "metadata": {},
        "outputs": list(outputs),
        "source": _lines(source),
    }


def _lines(text: str) -> list[str]:
    """The text as nbformat keeps it on disk; only line feeds end a line there."""
    return re.findall(r"[^\n]*\n|[^\n]+", text)


class _Ids:
    """Cell ids of one notebook, and the section in which its writer is."""

    def __init__(self) -> None:
        self.section = "intro"
        self._used = {"set-up"}

    def unique(self, wanted: str) -> str:
        """`wanted`, with a number behind it where it is taken."""
        base = wanted[: _ID_LENGTH - 3]
        found, number = base, 1
        while found in self._used:
            number += 1
            found = f"{base}-{number}"
        self._used.add(found)
        return found
