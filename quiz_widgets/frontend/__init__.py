"""The page's JavaScript and CSS: plain ES modules, joined into what a notebook carries. Stands on nothing else."""

from __future__ import annotations

import zlib
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Literal

Name = Literal["page.js", "rows.js", "graded.js", "widget.js", "link.js", "player.css"]

NAMES: tuple[Name, ...] = ("page.js", "rows.js", "graded.js", "widget.js", "link.js", "player.css")
_FOLDER = Path(__file__).parent
_JOINED = "joined"  # the folder for what `quiz-widgets build` has joined already
_ROWS = 'import "./rows.js";\n'
_GRADED = 'import "./graded.js";\n'
_CLASSIC = 'import { start } from "./page.js";\nstart(quizWidgetsData);\n'
_CHECKOUT = (_FOLDER.parents[1] / "package.json").is_file()  # elsewhere nobody edits the sources


@cache
def css() -> str:
    """The style sheet of the player's shadow root, without comments and line breaks."""
    return _ready("player.css")


@cache
def script() -> str:
    """The classic script: an expression that takes the data, ``script() + "(" + json + ")"``; `css` is part of them."""
    return _ready("page.js")


@cache
def rows() -> str:
    """A part that the classic script needs for items whose options stand in rows: ``rows() + "(0);"`` before it."""
    return _ready("rows.js")


@cache
def graded() -> str:
    """The part that the classic script needs for a graded quiz: ``graded() + "(0);"`` before it."""
    return _ready("graded.js")


@cache
def module(name: Literal["widget", "link"]) -> str:
    """The ES module text for anywidget's `_esm`: the displayable ``widget``, or the ``link`` that shows nothing."""
    return _ready("widget.js" if name == "widget" else "link.js")


def source(file: str) -> str:
    """The text of one module or style sheet; `FileNotFoundError` when there is none."""
    return (_FOLDER / file).read_text(encoding="utf-8")


def joined_files(changed: Mapping[str, str] = MappingProxyType({})) -> dict[Name, str]:
    """What stands in ``joined/``: the stamp of the sources, then the joined text; `bundle.BundleError` if it cannot.

    `changed` are texts of files that are about to be written.
    """
    from quiz_widgets.frontend import bundle

    entries = {"classic.js": _CLASSIC, "part.js": _ROWS, "desk.js": _GRADED}
    entries |= {name: changed.get(name, source(name)) for name in ("widget.js", "link.js")}
    texts = bundle.bundle(entries, changed)
    made: dict[Name, str] = {
        "page.js": texts["classic.js"],
        "rows.js": texts["part.js"],
        "graded.js": texts["desk.js"],
        "widget.js": texts["widget.js"],
        "link.js": texts["link.js"],
        "player.css": bundle.style(source("player.css")),
    }
    stamp = _stamp(changed)
    return {name: f"/* joined from sources {stamp} */\n{text.strip()}\n" for name, text in made.items()}


def _ready(name: Name) -> str:
    """What `quiz-widgets build` joined; in a checkout only if the sources are still the same, else joined anew."""
    try:
        first, _, text = (_FOLDER / _JOINED / name).read_text(encoding="utf-8").partition("\n")
    except FileNotFoundError:
        first = text = ""
    if not first or (_CHECKOUT and f" {_stamp()} " not in first):
        text = joined_files()[name].partition("\n")[2]
    return text.rstrip("\n")


def _stamp(changed: Mapping[str, str] = MappingProxyType({})) -> str:
    """Names the sources and the joiner as they are now, so that what runs is always what was edited."""
    found = 0
    for name in sorted({entry.name for entry in _FOLDER.iterdir()} | changed.keys()):
        if name.endswith((".js", ".css", ".py")):
            text = changed[name].encode() if name in changed else (_FOLDER / name).read_bytes()
            found = zlib.crc32(text.replace(b"\r\n", b"\n"), zlib.crc32(name.encode(), found))
    return f"{found:08x}"
