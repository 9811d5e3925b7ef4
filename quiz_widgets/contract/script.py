"""Writes the shapes that kernel and page share as types of the page: the text of ``frontend/contract.js``."""

from __future__ import annotations

import types
from typing import Any, Literal, NotRequired, Union, get_args, get_origin, get_type_hints, is_typeddict

from quiz_widgets import contract

_JS_NAMES = {str: "string", int: "number", float: "number", bool: "boolean", type(None): "null"}


def javascript() -> str:
    """Every shape of the contract as a JSDoc type, in its order, keys spelled the same; and its version."""
    parts = [
        "// Written by `python -m quiz_widgets.contract --write` from the shapes in Python; do not edit.",
        "/** @typedef {string | LocalText} TextPayload */",
    ]
    shapes = [
        value for value in vars(contract).values() if is_typeddict(value) and value.__module__ == contract.__name__
    ]
    for shape in shapes:
        about = (shape.__doc__ or "").strip().splitlines()[0]
        lines = [f"/**\n * {about}", f" * @typedef {{Object}} {shape.__name__}"]
        for name, hint in get_type_hints(shape, include_extras=True).items():
            optional = get_origin(hint) is NotRequired
            inner = get_args(hint)[0] if optional else hint
            lines.append(f" * @property {{{_js_type(inner)}}} {f'[{name}]' if optional else name}")
        parts.append("\n".join([*lines, " */"]))
    parts.append(
        f"/** The version of these shapes. Scripts of another version keep out of each other's way. */\n"
        f"export const CONTRACT = {contract.CONTRACT};"
    )
    return "\n\n".join(parts) + "\n"


def _js_type(hint: Any) -> str:
    origin, arguments = get_origin(hint), get_args(hint)
    if hint == contract.TextPayload:
        return "TextPayload"
    if origin is Literal:
        return " | ".join(f'"{value}"' for value in arguments)
    if origin in (Union, types.UnionType):
        return " | ".join(_js_type(argument) for argument in arguments)
    if origin is list:
        return f"Array<{_js_type(arguments[0])}>"
    if origin is dict:
        return f"Record<{_js_type(arguments[0])}, {_js_type(arguments[1])}>"
    return hint.__name__ if is_typeddict(hint) else _JS_NAMES[hint]
