"""The page's JavaScript and CSS: plain ES modules joined into what a notebook carries. Stands on nothing else."""

from __future__ import annotations

import json
import re
from functools import cache
from importlib import resources
from typing import Literal

from quiz_widgets.frontend import esm


@cache
def css() -> str:
    """The style sheet of the player's shadow root, without comments and line breaks."""
    text = resources.files(__name__).joinpath("player.css").read_text(encoding="utf-8")
    text = re.sub(r"/\*.*?\*/", "", text, flags=re.DOTALL)
    text = re.sub(r"\s+", " ", text).replace(": ", ":").replace(", ", ",").replace(" > ", ">")
    return re.sub(r" ?([{};,]) ?", r"\1", text).replace(";}", "}").strip()


def source(file: str) -> str:
    """The text of one module; `FileNotFoundError` when there is none."""
    if file == "styles.js":  # no file of its own: what `player.css` is to JavaScript
        return f"export const css = {json.dumps(css(), ensure_ascii=False)};\n"
    return resources.files(__name__).joinpath(file).read_text(encoding="utf-8")


@cache
def script() -> str:
    """The classic script: an expression that takes the data, ``script() + "(" + json + ")"``; `css` is part of them."""
    return esm.classic("page.js", source)


@cache
def module(name: Literal["widget", "link"]) -> str:
    """The ES module text for anywidget's `_esm`: the displayable ``widget``, or the ``link`` that shows nothing."""
    return esm.standard(f"{name}.js", source)
