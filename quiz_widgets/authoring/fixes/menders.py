"""The edit that mends one problem, for each rule whose problems can be mended with certainty."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Mapping

from quiz_widgets.authoring.fields import Sink, place_in
from quiz_widgets.authoring.fixes.edits import Edit
from quiz_widgets.authoring.rules.letters import prefix
from quiz_widgets.authoring.tree import Document, Node, Scalar, Sequence
from quiz_widgets.authoring.tree import Mapping as Entries
from quiz_widgets.markup import tex
from quiz_widgets.problems import Problem

_SPECIAL = frozenset("[]{}`'\"&*!|>%@#,?:-")
_STEP = re.compile(r"\.?([^.\[\]]+)|\[(\d+)\]")
_QUOTED = re.compile(r'"(?:[^"\\]|\\.)*"')
_ESCAPE = re.compile(r"\\(\\|\"|[A-Za-z]+|.)")


def edit_for(document: Document, problem: Problem) -> Edit | None:
    """What mends the problem; `None` where nothing does for certain."""
    mender = _MENDERS.get(problem.rule)
    return mender(document, problem) if mender and 0 < problem.line <= len(document.lines) else None


def _invisible(document: Document, problem: Problem) -> Edit | None:
    """Signs without any width go; control characters and odd line ends may stand for something that is lost."""
    char = document.lines[problem.line - 1][problem.column - 1 : problem.column]
    if not char or unicodedata.category(char) != "Cf":
        return None
    return Edit(problem.line, problem.column, problem.column + 1, "")


def _indentation(document: Document, problem: Problem) -> Edit | None:
    """Each wide sign becomes one space; if that is not what it stood for, the YAML will not fit."""
    line = document.lines[problem.line - 1]
    width = len(line) - len(line.lstrip())
    return None if "\t" in line[:width] else Edit(problem.line, 1, width + 1, " " * width)


def _tex(document: Document, problem: Problem) -> Edit | None:
    """A text in double quotes gets single ones, if every escape in it is TeX, a backslash or a quotation mark."""
    line = document.lines[problem.line - 1]
    found = next((one for one in _QUOTED.finditer(line) if one.start() < problem.column <= one.end()), None)
    if found is None:
        return None
    inner = found[0][1:-1]
    for escape in _ESCAPE.finditer(inner):
        if escape[1] not in tex.COMMANDS and escape[1] not in tex.ESCAPES and escape[1] != '"':
            return None
    # A doubled backslash was written by someone who knew the quotes: it means one, before a letter or a sign alike.
    plain = _ESCAPE.sub(lambda escape: escape[1] if escape[1] in ("\\", '"') else escape[0], inner)
    quoted = plain.replace("'", "''")
    return Edit(problem.line, found.start() + 1, found.end() + 1, f"'{quoted}'")


def _letter(document: Document, problem: Problem) -> Edit | None:
    """The letter goes, with the space after it."""
    node = _node(document, problem.path)
    found = prefix(node.text.strip("\n"), likely=True) if isinstance(node, Scalar) else None
    if not isinstance(node, Scalar) or found is None:
        return None
    line, column = place_in(node, 1, 1, Sink(document))
    if not document.lines[line - 1].startswith(found[0], column - 1):
        return None
    rest = node.text[len(found[0]) :]
    if node.style == "plain" and rest[0] in _SPECIAL and node.line == node.end_line:
        return Edit(line, column, column + len(node.text), "'" + rest.replace("'", "''") + "'")
    return Edit(line, column, column + len(found[0]), "")


def _pin(document: Document, problem: Problem) -> Edit | None:
    """`pin: last` gets a line of its own below the option's text or id, or a place behind the id within braces."""
    option = _node(document, problem.path.rsplit(".", maxsplit=1)[0])
    if not isinstance(option, Entries) or "pin" in option.entries:
        return None
    name, text = option.entries.get("id"), option.entries.get("text")
    if not isinstance(name, Scalar) or not isinstance(text, Scalar) or name.style != "plain":
        return None
    if document.lines[option.line - 1][option.column - 1 : option.column] == "{":
        end = name.column + len(name.text)
        return Edit(name.line, end, end, ", pin: last")
    above = text if text.style in ("plain", "single", "double") else name
    end = len(document.lines[above.end_line - 1]) + 1
    return Edit(above.end_line, end, end, "\n" + " " * (option.column - 1) + "pin: last")


_MENDERS: Mapping[str, Callable[[Document, Problem], Edit | None]] = {
    "invisible": _invisible,
    "indentation": _indentation,
    "tex-escape": _tex,
    "letter-prefix": _letter,
    "all-or-none-unpinned": _pin,
}


def _node(document: Document, path: str) -> Node | None:
    """What stands at a path such as ``items[0].options[1].text``."""
    node: Node | None = document.root
    for step in _STEP.finditer(path):
        if step[1] is not None:
            node = node.entries.get(step[1]) if isinstance(node, Entries) else None
        else:
            index = int(step[2])
            node = node.items[index] if isinstance(node, Sequence) and index < len(node.items) else None
    return node
