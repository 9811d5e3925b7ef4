"""Joins plain ES modules into one text, without Node: a file that loads in a browser is a file that joins.

The modules share one scope in the joined text, so it is small and reads like the sources. What makes that
safe is refused where it is missing, with file and line:

- imports are named, not renamed, on one line: ``import { a, b } from "./x.js";``
- exports are declarations: ``export function``, ``export async function``, ``export class``, ``export const``,
  ``export let``; ``export default`` only in the entry of an ES module;
- every top-level name is unique among all joined modules, and declared one at a time;
- no cycles, no dynamic ``import()``, and no ``</script``, ``<script`` or ``<!--`` anywhere, because the text
  stands inside a script element.

What means nothing is dropped, see `compact`. There are no npm packages and no re-exports.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field

from quiz_widgets.frontend.compact import compact, nesting
from quiz_widgets.frontend.lexer import JoinError, Token, tokens

__all__ = ["JoinError", "Module", "classic", "modules", "parse", "standard"]

Read = Callable[[str], str]

_DECLARATIONS = frozenset({"const", "let", "var", "function", "class"})
_IMPORT = re.compile(r'import\{([\w$,]+)\}from"\./([\w.-]+\.js)";')
_ENDS_SCRIPT = re.compile(r"</?script|<!--", re.IGNORECASE)


@dataclass(slots=True)
class Module:
    """One file, ready to join: imports (file -> names with their lines), top-level names, exports, bare text."""

    file: str
    imports: dict[str, dict[str, int]] = field(default_factory=dict)
    names: dict[str, int] = field(default_factory=dict)
    exports: set[str] = field(default_factory=set)
    default: bool = False
    kept: list[Token] = field(default_factory=list)

    @property
    def text(self) -> str:
        """The code without imports, ``export`` and whatever means nothing."""
        return compact(self.kept)


def parse(source: str, file: str) -> Module:
    """Read one module; `JoinError` for anything whose meaning the joined text could not keep."""
    for number, line in enumerate(source.split("\n"), 1):
        if _ENDS_SCRIPT.search(line):
            raise JoinError(
                file, number, "'</script', '<script' and '<!--' would end the script; build them from parts"
            )
    module = Module(file)
    found = tokens(source, file)
    depth = index = 0
    while index < len(found):
        token = found[index]
        depth += nesting(token)
        if depth == 0:
            index = _top_level(module, found, index)
        else:
            if token.text == "import" and token.kind == "word":
                raise JoinError(file, token.line, "a dynamic import cannot be joined")
            module.kept.append(token)
            index += 1
    return module


def _top_level(module: Module, found: list[Token], index: int) -> int:
    """Take the token at `index`, which stands outside all brackets, and what belongs to it; where to go on."""
    token = found[index]
    if token.text == "import":
        return _import(module, found, index)
    if token.text == "export":
        return _export(module, found, index)
    if token.text == "," and token.kind == "mark":
        raise JoinError(module.file, token.line, "top-level names are declared one at a time")
    module.kept.append(token)
    if token.kind == "word" and token.text in _DECLARATIONS:
        name = found[index + 1] if index + 1 < len(found) else token
        if name.kind != "word":
            raise JoinError(module.file, token.line, "a top-level declaration needs one name, without a pattern")
        if name.text in module.names:
            raise JoinError(module.file, name.line, f"'{name.text}' is declared twice")
        module.names[name.text] = name.line
        module.kept.append(name)
        return index + 2
    return index + 1


def _import(module: Module, found: list[Token], index: int) -> int:
    line = [token for token in found[index:] if token.line == found[index].line]
    match = _IMPORT.match("".join(token.text for token in line))
    if not match:
        form = '`import { name, name } from "./file.js";` on one line'
        raise JoinError(module.file, found[index].line, f"an import that cannot be joined; allowed is {form}")
    names = [name for name in match[1].split(",") if name]
    module.imports.setdefault(match[2], {}).update(dict.fromkeys(names, found[index].line))
    while found[index].text != ";":
        index += 1
    return index + 1


def _export(module: Module, found: list[Token], index: int) -> int:
    token = found[index]
    following = [later.text for later in found[index + 1 : index + 4]]
    if following[:1] == ["default"]:
        if module.default:
            raise JoinError(module.file, token.line, "a second `export default`")
        module.default = True
        module.kept += found[index : index + 2]
        return index + 2
    if following[:1] == ["async"]:
        following.pop(0)
    if len(following) < 2 or following[0] not in _DECLARATIONS:
        raise JoinError(
            module.file, token.line, "only declarations are exported (`export function f`, `export const c`)"
        )
    module.exports.add(following[1])
    after = found[index + 1]
    found[index + 1] = Token(after.kind, after.text, after.line, token.gap)
    return index + 1


def modules(entry: str, read: Read) -> list[Module]:
    """The entry and everything that it imports, each after what it needs."""
    done: dict[str, Module] = {}
    _visit(entry, read, done, (), (entry, 1))
    owners: dict[str, str] = {}
    for module in done.values():
        for name, line in module.names.items():
            if name in owners:
                raise JoinError(
                    module.file, line, f"'{name}' is a top-level name of {owners[name]} too; names are unique"
                )
            owners[name] = module.file
        if module.default and module.file != entry:
            raise JoinError(module.file, 1, "`export default` stands in an entry only")
    return list(done.values())


def _visit(file: str, read: Read, done: dict[str, Module], above: tuple[str, ...], at: tuple[str, int]) -> None:
    if file in above:
        raise JoinError(*at, f"a cycle of imports: {' -> '.join([*above[above.index(file) :], file])}")
    if file in done:
        return
    try:
        source = read(file)
    except (KeyError, FileNotFoundError):
        raise JoinError(*at, f"there is no ./{file}") from None
    module = parse(source, file)
    for needed, names in module.imports.items():
        _visit(needed, read, done, (*above, file), (file, next(iter(names.values()))))
        for name, line in names.items():
            if name not in done[needed].exports:
                raise JoinError(file, line, f"{needed} does not export '{name}'")
    done[file] = module


def classic(entry: str, read: Read) -> str:
    """A script expression ``(data => {…})``: append ``(JSON)`` and it runs. The entry exports ``start(data)``."""
    joined = modules(entry, read)
    if joined[-1].default or "start" not in joined[-1].exports:
        raise JoinError(entry, 1, "the entry of a classic script exports `start` and has no default")
    return '(data => {\n"use strict";\n' + "".join(module.text for module in joined) + "start(data);\n})"


def standard(entry: str, read: Read) -> str:
    """An ES module whose only export is the entry's default."""
    joined = modules(entry, read)
    if not joined[-1].default:
        raise JoinError(entry, 1, "the entry of an ES module has an `export default`")
    return "".join(module.text for module in joined)
