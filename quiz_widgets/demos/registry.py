"""The register of evidence: functions that compute the facts on which answer keys rest.

A function becomes known when its module is imported, so only code decides what runs: content gives a name,
never a module. The course's own modules are imported when a name is first asked for.
"""

from __future__ import annotations

import ast
import functools
import hashlib
import importlib
import importlib.util
import inspect
import textwrap
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.abc import InspectLoader

Value = bool | int | float | str

MODULES: list[str] = [
    "quiz_widgets.demos.evidence_amp",
    "quiz_widgets.demos.evidence_numbers",
    "quiz_widgets.demos.evidence_offload",
    "quiz_widgets.demos.evidence_precision",
]
"""Modules whose import registers evidence; a course adds its own with `include`. They import demos only when called."""

_known: dict[str, Evidence] = {}
_loaded: set[str] = set()
_measured: dict[str, Facts] = {}
_watchers: list[Callable[[], None]] = []


@dataclass(frozen=True, slots=True)
class Fact:
    """One computed value and its unit (``""`` for a pure number, a truth or a text)."""

    value: Value
    unit: str = ""


@dataclass(frozen=True, slots=True)
class Facts:
    """What one evidence function found: facts by name, and one line that holds the numbers that matter."""

    facts: Mapping[str, Fact]
    summary: str


@dataclass(frozen=True, slots=True)
class Evidence:
    """A registered function with what it needs.

    `compute` may take parameters, all with defaults: a number item draws them. `requires` names packages that
    must be importable (``"torch"``); `seconds` is the CPU time to expect.
    """

    name: str
    compute: Callable[..., Facts]
    requires: tuple[str, ...] = ()
    seconds: float = 1.0

    def missing(self) -> tuple[str, ...]:
        """The required packages that this environment does not have."""
        return tuple(package for package in self.requires if importlib.util.find_spec(package) is None)

    def source_hash(self) -> str:
        """A short hash of the function and of every demo that it uses: another hash means its record is out of date."""
        digest = hashlib.sha256(_own_source(self.compute).encode())
        if not self.compute.__module__.startswith(f"{__name__.partition('.')[0]}."):
            digest.update(_module_source(self.compute.__module__).encode())  # a course's helpers stand beside it
        for module in sorted(_used(_own_source(self.compute))):
            digest.update(_module_source(module).encode())
        return digest.hexdigest()[:16]


def evidence(
    name: str, *, requires: Iterable[str] = (), seconds: float = 1.0
) -> Callable[[Callable[..., Facts]], Callable[..., Facts]]:
    """Register the decorated function, whose parameters all have defaults and which returns `Facts`, under `name`.

    Names are unique: registering another function under a taken name is a `ValueError`. What a call without
    parameters finds is kept for `measured`.
    """

    def register(function: Callable[..., Facts]) -> Callable[..., Facts]:
        taken = _known.get(name)
        if taken is not None and taken.compute.__module__ != function.__module__:
            raise ValueError(f"evidence {name!r} is already registered by {taken.compute.__module__}")

        @functools.wraps(function)
        def compute(*drawn: Value, **named: Value) -> Facts:
            found = function(*drawn, **named)
            if not drawn and not named:
                _measured[name] = found
                for call in _watchers:
                    call()
            return found

        _known[name] = Evidence(name, compute, tuple(requires), seconds)
        return compute

    return register


def include(modules: Iterable[str]) -> None:
    """Import modules (dotted names, from a course's own settings) that register evidence, and keep their names.

    Whatever their import raises is raised; such a module is not kept.
    """
    for module in modules:
        if module not in MODULES:
            importlib.import_module(module)
            MODULES.append(module)


def _load() -> None:
    for module in MODULES:
        if module not in _loaded:
            importlib.import_module(module)
            _loaded.add(module)


def names() -> tuple[str, ...]:
    """The names of all registered evidence, sorted."""
    _load()
    return tuple(sorted(_known))


def get(name: str) -> Evidence:
    """The evidence registered under `name`; `KeyError` when there is none."""
    _load()
    return _known[name]


def measure(name: str) -> Facts | None:
    """Compute evidence on this machine, for `measured`; `None` where a package that it needs is missing or broken."""
    entry = get(name)
    try:
        return None if entry.missing() else entry.compute()
    except ImportError:
        return None


def measured() -> Mapping[str, Facts]:
    """What this process has computed so far, by name of evidence."""
    return dict(_measured)


def watch(call: Callable[[], None]) -> None:
    """Have `call` called whenever something new is measured."""
    _watchers.append(call)


def _own_source(function: Callable[..., Facts]) -> str:
    return textwrap.dedent(inspect.getsource(function)).replace("\r\n", "\n")


@cache
def _module_source(name: str) -> str:
    # Read, not imported: a demo may need a package that is not here, and its record still has to be compared.
    spec = importlib.util.find_spec(name)
    source = spec.loader.get_source(name) if spec and isinstance(spec.loader, InspectLoader) else None
    return (source or "").replace("\r\n", "\n")


def _used(source: str) -> set[str]:
    """The demo modules that a piece of source imports, and those that these import in turn."""
    found: set[str] = set()
    waiting = list(_imported(source))
    while waiting:
        name = waiting.pop()
        if name not in found and name != __name__:
            found.add(name)
            waiting += _imported(_module_source(name))
    return found


def _imported(source: str) -> Iterator[str]:
    package = __name__.rpartition(".")[0]
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.ImportFrom) and node.module == package:
            yield from (f"{package}.{alias.name}" for alias in node.names if _is_module(f"{package}.{alias.name}"))
        elif isinstance(node, ast.ImportFrom) and (node.module or "").startswith(f"{package}."):
            yield str(node.module)


def _is_module(name: str) -> bool:
    return importlib.util.find_spec(name) is not None
