"""Takes from JavaScript what means nothing, so that a notebook carries less: never a name, a string or a value.

- comments, indentation and spaces beside marks;
- a line break where the language sets no semicolon for it whatever follows: after a mark that ends no expression,
  before one that begins no statement, and after a method or a block; between top-level declarations it stays;
- a semicolon before a closing brace, unless it is a statement of its own;
- the brackets around the only parameter of an arrow function;
- ``const`` where it follows a statement that began with it: ``const a = 1; const b = 2`` is ``const a=1,b=2``.

Strings, template literals and regular expressions stay as they are.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from quiz_widgets.frontend.lexer import Token

_GLUE = frozenset("+-/<!")  # marks that would run together, or begin a comment, without the space between them
_ENDS_NOTHING = frozenset("{([,;=&|?:!~") | {"=>", "..."}  # a line break after these means nothing
_BEGINS_NOTHING = frozenset("})],;.&|?:")  # nor does one before these
_BEFORE_EMPTY = frozenset({"else", "do", ";", "{", ":", "=>"})  # a semicolon after these is a statement of its own
_BLOCK_HEADS = frozenset({"if", "for", "while", "switch", "catch"})
_HEADS = frozenset({"if", "for", "while", "with", "await"})  # and after brackets that these words open
_NOTHING = Token("space", "", 0, "")


def compact(kept: Sequence[Token]) -> str:
    """The tokens as text that means the same, with one line break at its end."""
    parts: list[str] = []
    before = _NOTHING
    depth = 0
    blocks = _block_ends(kept)
    for token in _without_needless(_with_constants_together(kept)):
        marks = {near.text for near in (before, token) if near.kind == "mark"}
        glued = before.text in _GLUE and token.text[0] in _GLUE
        if token.gap == "\n":
            free = depth and (id(before) in blocks or _free(before, token)) and not glued
            parts.append("" if free else "\n")
        else:
            parts.append(token.gap if glued or not marks else "")
        parts.append(token.text)
        before = token
        depth += nesting(token)
    return "".join(parts).strip() + "\n"


def nesting(token: Token) -> int:
    """By how much a token changes the depth of brackets."""
    return {"(": 1, "[": 1, "{": 1, ")": -1, "]": -1, "}": -1}.get(token.text, 0) if token.kind == "mark" else 0


def _free(before: Token, after: Token) -> bool:
    """Whether a line break between these never stands for a semicolon."""
    ends = before.kind == "mark" and before.text in _ENDS_NOTHING
    return ends or (after.kind == "mark" and after.text in _BEGINS_NOTHING)


def _block_ends(kept: Sequence[Token]) -> set[int]:
    """The closing braces (their `id`) of methods and of blocks after ``if``, ``for``, ``else`` and the like."""
    ends: set[int] = set()
    heads: list[str] = []  # the word before each open bracket
    kinds: list[str] = []  # what each open brace holds
    head, before = "", _NOTHING
    for index, token in enumerate(kept):
        if token.kind == "mark" and token.text == "(":
            heads.append(before.text)
        elif token.kind == "mark" and token.text == ")":
            head = heads.pop() if heads else ""
        elif token.kind == "mark" and token.text == "{":
            words = [near.text for near in kept[max(0, index - 4) : index] if near.kind == "word"]
            if before.text == ")" and (kinds[-1:] == ["class"] or head in _BLOCK_HEADS):
                kinds.append("block")
            elif before.kind != "word":
                kinds.append("")
            else:
                kinds.append(
                    "block" if before.text in ("else", "try", "finally") else "class" if "class" in words else ""
                )
        elif token.kind == "mark" and token.text == "}" and kinds and kinds.pop() == "block":
            ends.add(id(token))
        before = token
    return ends


def _with_constants_together(kept: Sequence[Token]) -> list[Token]:
    """The tokens, with a comma where one declaration of constants follows another; not between top-level ones."""
    made: list[Token] = []
    starts: list[str | None] = [None]  # how the current statement began, at each depth
    skip = False
    for index, token in enumerate(kept):
        following = [*kept[index + 1 : index + 3], _NOTHING, _NOTHING]
        if skip:  # the `const` that a comma stands for
            skip = False
            continue
        if starts[-1] is None:
            starts[-1] = "const" if _declares(token, following[0]) else ""
        elif token.gap == "\n" and not _free(kept[index - 1], token):
            starts[-1] = ""  # a semicolon may be meant here
        if token.kind == "mark" and token.text == ";":
            if len(starts) > 1 and starts[-1] == "const" and _declares(*following[:2]):
                made.append(Token("mark", ",", token.line, ""))
                skip = True
                continue
            starts[-1] = None
        made.append(token)
        if nesting(token) > 0:
            starts.append(None)
        elif nesting(token) < 0 and len(starts) > 1:
            starts.pop()
    return made


def _declares(token: Token, after: Token) -> bool:
    return token.kind == "word" and token.text == "const" and (after.kind == "word" or after.text in ("{", "["))


def _without_needless(kept: Sequence[Token]) -> Iterator[Token]:
    """All tokens but semicolons that a closing brace makes needless, and brackets around an arrow's only parameter."""
    heads: list[str] = []  # the word before each open bracket
    head, before, skipped = "", Token("mark", ";", 0, ""), -1
    for index, token in enumerate(kept):
        after = [later.text for later in kept[index + 1 : index + 4]]
        if token.kind == "mark" and token.text == "(":
            heads.append(before.text)
            if after[1:] == [")", "=>"] and kept[index + 1].kind == "word" and before.kind != "word":
                skipped = index + 2
                before = token
                continue
        elif token.kind == "mark" and token.text == ")":
            head = heads.pop() if heads else ""
        needless = token.text == ";" and after[:1] == ["}"] and before.text not in _BEFORE_EMPTY
        empty = before.text == ")" and head in _HEADS
        if index != skipped and (empty or not needless):
            yield token
        before = token
