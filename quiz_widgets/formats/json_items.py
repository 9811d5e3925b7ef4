"""A JSON file that is a list, entry by entry with lines: numbers stay as they are written, nothing is raised."""

from __future__ import annotations

import json
import re
from typing import Any

from quiz_widgets.formats.base import Notices

_SPACE = re.compile(r"[ \t\n\r]*")


class Number(str):
    """A number as it is written; a text in quotes is an ordinary `str`."""

    __slots__ = ()


def entries(text: str, notices: Notices) -> list[tuple[int, Any]]:
    """The entries of the list that the text is, each with its line. What cannot be read is noted."""
    found: list[tuple[int, Any]] = []
    at = _after_space(text, 0)
    if text[at : at + 1] != "[":
        notices.add(1, "", "json", "this is no list of questions", "begin the file with `[`", severity="error")
        return found
    line, counted, at = 1, 0, _after_space(text, at + 1)
    while text[at : at + 1] != "]":
        line, counted = line + text.count("\n", counted, at), at
        doubled: list[str] = []
        try:
            entry, at = _decoder(doubled).raw_decode(text, at)
        except (ValueError, RecursionError) as error:
            _fault(error, line, notices)
            return found
        for name in doubled:
            message = f"the field `{name[:40]}` is here twice: the last one counts, as in every reader of JSON"
            notices.add(line, "", "json-twice", message, "remove one of them")
        found.append((line, entry))
        at = _after_space(text, at)
        if text[at : at + 1] == ",":
            at = _after_space(text, at + 1)
        elif text[at : at + 1] != "]":
            _fault(ValueError("a comma or `]` is missing"), line + text.count("\n", counted, at), notices)
            return found
    if text[at + 1 :].strip():
        notices.add(line, "", "json-after", "what follows the list is not read", "put all questions into one list")
    return found


def _after_space(text: str, at: int) -> int:
    found = _SPACE.match(text, at)
    return found.end() if found else at


def _decoder(doubled: list[str]) -> json.JSONDecoder:
    def pairs(entries: list[tuple[str, Any]]) -> dict[str, Any]:
        made: dict[str, Any] = {}
        for name, value in entries:
            if name in made:
                doubled.append(name)
            made[name] = value
        return made

    return json.JSONDecoder(object_pairs_hook=pairs, parse_float=Number, parse_int=Number, parse_constant=Number)


def _fault(error: Exception, line: int, notices: Notices) -> None:
    if isinstance(error, json.JSONDecodeError):
        line, reason = error.lineno, error.msg.removesuffix(" at")
    else:
        reason = str(error) if isinstance(error, ValueError) else "too many lists inside one another"
    message = f"this is not JSON: {reason}; what follows is not read"
    notices.add(line, "", "json", message, "mend it, and import the file again", severity="error")
