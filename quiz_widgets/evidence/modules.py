"""Imports the modules with which courses register evidence. This runs a course's code: only where it was asked for.

They lie beside the course's `pyproject.toml` or in `src`, which need not be installed, or anywhere Python finds them.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable
from pathlib import Path

from quiz_widgets.demos import registry
from quiz_widgets.problems import ContentError, Problem

_HINT = "correct the module, or its name in pyproject.toml; Python must find it: install it, or set PYTHONPATH"

included: list[str] = []
"""What `include` imported: a worker has to import it, too."""
paths: list[str] = []
"""Where it was found, if not on Python's own path."""


def include(folders: Iterable[Path]) -> list[Problem]:
    """Import what the `pyproject.toml` above each of these folders names under ``[tool.quiz_widgets]``.

    What cannot be imported is returned, not raised.
    """
    from quiz_widgets.authoring import registered  # for authors: judging and reading records need it not

    problems: list[Problem] = []
    for folder in dict.fromkeys(folders):
        try:
            project, modules = registered.course_modules(folder)
        except ContentError as error:
            problems += error.problems
            continue
        for module in modules:
            problems += _import(module, registered.source_file(project, module), project)
    return list(dict.fromkeys(problems))


def _import(module: str, file: Path | None, project: Path) -> list[Problem]:
    if file is not None:
        place = str(project / "src" if file.is_relative_to(project / "src") else project)
        if place not in sys.path:
            sys.path.append(place)  # behind the others: a course's file hides no package
            paths.append(place)
    faults = load([module])
    if faults:
        return faults
    found = getattr(sys.modules.get(module), "__file__", None)
    if file is not None and found is not None and Path(found).resolve() != file.resolve():
        message = f"another module of this name is imported, {found}"
        return [Problem(module, message=message, hint="give the course's module another name", rule="modules")]
    if module not in included:
        included.append(module)
    return []


def load(modules: Iterable[str]) -> list[Problem]:
    """Import modules by their names; a problem for each that fails."""
    problems = []
    for module in modules:
        try:
            registry.include([module])
        except Exception as error:  # noqa: BLE001 - an author's own code: it may raise anything
            told = f"this module of evidence cannot be imported ({type(error).__name__}: {error})"
            problems.append(Problem(module, message=told, hint=_HINT, rule="modules"))
    return problems
