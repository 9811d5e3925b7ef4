"""Which evidence a course registers: that of the package, and that of the modules which its `pyproject.toml` names.

A check runs nobody's code unless it is asked to prove keys. So a course's own modules are read, not imported: every
``@evidence("name")`` in them counts. A name that only running them would tell makes the list incomplete.
"""

from __future__ import annotations

import ast
import os
import re
import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from quiz_widgets.problems import ContentError, Problem

_FILE = "pyproject.toml"
_MODULE = re.compile(r"[^\W\d]\w*(?:\.[^\W\d]\w*)*")


@dataclass(frozen=True, slots=True)
class Registered:
    """Names of evidence, and those whose functions this process has.

    Whether a course names modules of its own, and whether all their names could be read.
    """

    names: frozenset[str]
    imported: frozenset[str]
    modules: bool = False
    complete: bool = True
    problems: tuple[Problem, ...] = ()


def registered(folder: Path | None) -> Registered:
    """The evidence that the course in `folder` can name; without a folder that of the package and of this process."""
    known = _of_package()
    if folder is None:
        return Registered(known, known)
    try:
        project, modules = course_modules(folder)
    except ContentError as error:
        return Registered(known, known, modules=True, complete=False, problems=error.problems)
    names: set[str] = set()
    complete = True
    for module in modules:
        source = _source(project, module)
        found = None if source is None else _names(source)
        complete = complete and found is not None
        names |= found or set()
    return Registered(known | names, known, bool(modules), complete)


def course_modules(folder: Path) -> tuple[Path, tuple[str, ...]]:
    """The project's folder and the modules that register evidence, as the nearest `pyproject.toml` above names them.

    They stand in ``[tool.quiz_widgets]`` as ``evidence = ["my_course.evidence"]``. `ContentError` where the file
    cannot be read or says something else there.
    """
    project = _project(folder)
    if project is None:
        return folder, ()
    file = project / _FILE
    # Shown as the author gave the path: relative stays relative.
    return project, _modules(file if folder.is_absolute() else Path(os.path.relpath(file)))


def course_root(folder: Path) -> Path | None:
    """The root of the course in which `folder` lies: its `pyproject.toml` has a table ``[tool.quiz_widgets]``.

    `None` outside of one; `ContentError` where the nearest `pyproject.toml` is no TOML.
    """
    project = _project(folder)
    if project is None:
        return None
    tool = _settings(project / _FILE).get("tool")
    return project if isinstance(tool, dict) and "quiz_widgets" in tool else None


def demos_folder(folder: Path) -> Path | None:
    """Where the course in which `folder` lies has the cells of its demos: beside its `pyproject.toml`."""
    project = _project(folder)
    return None if project is None or not (project / "demos").is_dir() else project / "demos"


def source_file(project: Path, module: str) -> Path | None:
    """The file of a module that lies in the project or in its ``src``; `None` when it lies elsewhere."""
    path = Path(*module.split("."))
    for folder in (project, project / "src"):
        for file in (folder / path.with_suffix(".py"), folder / path / "__init__.py"):
            if file.is_file():
                return file
    return None


def _project(folder: Path) -> Path | None:
    here = folder.resolve()
    return next((place for place in (here, *here.parents) if (place / _FILE).is_file()), None)


def _settings(file: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(file.read_text(encoding="utf-8"))
    except (ValueError, RecursionError) as error:
        message = f"this is not TOML in UTF-8: {error}"
        raise ContentError([Problem(str(file), message=message, hint="correct it", rule="modules")]) from None


def _modules(file: Path) -> tuple[str, ...]:
    named: Any = _settings(file)
    for name, missing in (("tool", {}), ("quiz_widgets", {}), ("evidence", [])):
        named = named.get(name, missing) if isinstance(named, dict) else None
    if isinstance(named, list) and all(isinstance(name, str) and _MODULE.fullmatch(name) for name in named):
        return tuple(named)
    message = "the evidence under [tool.quiz_widgets] is no list of modules"
    hint = 'write it as `evidence = ["my_course.evidence"]`, with dotted names'
    raise ContentError([Problem(str(file), message=message, hint=hint, rule="modules")])


def _of_package() -> frozenset[str]:
    """Names that the package and this process register; none when the demos are not there."""
    try:
        from quiz_widgets.demos import registry

        return frozenset(registry.names())
    except ImportError:
        return frozenset()


def _source(project: Path, module: str) -> str | None:
    """The text of a module that lies in the project; `None` when it lies elsewhere or cannot be read."""
    file = source_file(project, module)
    try:
        return None if file is None else file.read_text(encoding="utf-8")
    except (OSError, ValueError):
        return None


def _names(source: str) -> set[str] | None:
    """The names that a module registers; `None` when they cannot be told without running it."""
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError, RecursionError):
        return None
    found: set[str] = set()
    for node in ast.walk(tree):
        if not isinstance(node, ast.Call) or _called(node.func) != "evidence":
            continue
        first = node.args[0] if node.args else None
        if not isinstance(first, ast.Constant) or not isinstance(first.value, str):
            return None
        found.add(first.value)
    return found


def _called(function: ast.expr) -> str:
    if isinstance(function, ast.Name):
        return function.id
    return function.attr if isinstance(function, ast.Attribute) else ""
