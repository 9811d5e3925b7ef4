"""The register of evidence: functions that compute the facts on which answer keys rest.

A function becomes known when its module is imported, so only code decides what runs: content gives a name,
never a module. The course's own modules are imported when a name is first asked for.
"""

from __future__ import annotations

import hashlib
import importlib
import importlib.util
import inspect
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field

Value = bool | int | float | str

MODULES: list[str] = []
"""Modules whose import registers evidence; a course adds its own with `include`."""

_known: dict[str, Evidence] = {}
_loaded: set[str] = set()


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
    """A registered function with what it needs: optional packages, platforms, and other sources it rests on.

    `requires` names packages that must be importable (``"torch"``); `seconds` is the CPU time to expect;
    `modules` are the demo modules whose source belongs to the result, beside the function's own module.
    """

    name: str
    compute: Callable[[], Facts]
    requires: tuple[str, ...] = ()
    seconds: float = 1.0
    modules: tuple[str, ...] = field(default=())

    def missing(self) -> tuple[str, ...]:
        """The required packages that this environment does not have."""
        return tuple(package for package in self.requires if importlib.util.find_spec(package) is None)

    def source_hash(self) -> str:
        """A short hash over the sources that make the result: another hash means the record is out of date."""
        digest = hashlib.sha256()
        for module in sorted({self.compute.__module__, *self.modules}):
            source = inspect.getsource(importlib.import_module(module))
            digest.update(source.replace("\r\n", "\n").encode())
        return digest.hexdigest()[:16]


def evidence(
    name: str, *, requires: Iterable[str] = (), seconds: float = 1.0, modules: Iterable[str] = ()
) -> Callable[[Callable[[], Facts]], Callable[[], Facts]]:
    """Register the decorated function, which takes nothing and returns `Facts`, under `name`.

    Names are unique: registering another function under a taken name is a `ValueError`.
    """

    def register(function: Callable[[], Facts]) -> Callable[[], Facts]:
        taken = _known.get(name)
        if taken is not None and taken.compute.__module__ != function.__module__:
            raise ValueError(f"evidence {name!r} is already registered by {taken.compute.__module__}")
        _known[name] = Evidence(name, function, tuple(requires), seconds, tuple(modules))
        return function

    return register


def include(modules: Iterable[str]) -> None:
    """Add modules (dotted names, from a course's own settings) that register evidence when imported."""
    MODULES.extend(module for module in modules if module not in MODULES)


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
