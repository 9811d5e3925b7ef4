"""The page's JavaScript and CSS: plain ES modules joined into what a notebook carries. Stands on nothing else."""

from __future__ import annotations

import json
import re
import zlib
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Literal

Name = Literal["page", "widget", "link"]

NAMES: tuple[Name, ...] = ("page", "widget", "link")
_FOLDER = Path(__file__).parent
_JOINED = "joined"  # the folder for what `quiz-widgets build` has joined already


@cache
def css() -> str:
    """The style sheet of the player's shadow root, without comments and line breaks."""
    text = (_FOLDER / "player.css").read_text(encoding="utf-8")
    text = re.sub(r"/\*.*?\*/", "", text, flags=re.DOTALL)
    text = re.sub(r"\s+", " ", text).replace(": ", ":").replace(", ", ",").replace(" > ", ">")
    text = (
        text.replace(" + .", "+.")
        .replace(" + *", "+*")
        .replace("@media (", "@media(")
        .replace(" !important", "!important")
    )
    return re.sub(r" ?([{};,]) ?", r"\1", text).replace(";}", "}").strip()


def source(file: str) -> str:
    """The text of one module; `FileNotFoundError` when there is none."""
    if file == "styles.js":  # no file of its own: what `player.css` is to JavaScript
        return f"export const css = {json.dumps(css(), ensure_ascii=False)};\n"
    return (_FOLDER / file).read_text(encoding="utf-8")


@cache
def script() -> str:
    """The classic script: an expression that takes the data, ``script() + "(" + json + ")"``; `css` is part of them."""
    return _ready("page")


@cache
def module(name: Literal["widget", "link"]) -> str:
    """The ES module text for anywidget's `_esm`: the displayable ``widget``, or the ``link`` that shows nothing."""
    return _ready(name)


def join(name: Name, changed: Mapping[str, str] = MappingProxyType({})) -> str:
    """One entry and all that it imports in one text, made from the modules; `esm.JoinError` when they do not join.

    `changed` are texts of files that are about to be written.
    """
    from quiz_widgets.frontend import esm

    def read(file: str) -> str:
        return changed[file] if file in changed else source(file)

    return esm.classic("page.js", read) if name == "page" else esm.standard(f"{name}.js", read)


def joined_file(name: Name, changed: Mapping[str, str] = MappingProxyType({})) -> str:
    """What stands in ``joined/<name>.js``: the stamp of the sources, then the joined text."""
    return f"{_stamp(changed)}\n{join(name, changed)}"


def _ready(name: Name) -> str:
    """What `quiz-widgets build` joined, if the sources are still the same: joining takes longer than all the rest."""
    try:
        stamp, _, text = (_FOLDER / _JOINED / f"{name}.js").read_text(encoding="utf-8").partition("\n")
    except FileNotFoundError:
        return join(name)
    return text if stamp == _stamp() else join(name)


def _stamp(changed: Mapping[str, str] = MappingProxyType({})) -> str:
    """Names the sources and the joiner as they are now, so that what runs is always what was edited."""
    found = 0
    for name in sorted({entry.name for entry in _FOLDER.iterdir()} | changed.keys()):
        if name.endswith((".js", ".css", ".py")):
            text = changed[name].encode() if name in changed else (_FOLDER / name).read_bytes()
            found = zlib.crc32(text.replace(b"\r\n", b"\n"), zlib.crc32(name.encode(), found))
    return f"// joined from sources {found:08x}"
