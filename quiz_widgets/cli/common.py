"""What the subcommands share: exit codes, wrong use, paths, and how problems are listed."""

from __future__ import annotations

import argparse
from collections.abc import Iterable
from difflib import get_close_matches
from pathlib import Path
from typing import TYPE_CHECKING, TextIO

from quiz_widgets.locales.reports import AnyOf, say
from quiz_widgets.problems import ContentError, Problem

if TYPE_CHECKING:
    Commands = argparse._SubParsersAction[argparse.ArgumentParser]  # noqa: SLF001 - no public name

FOUND, WRONG_USE = 1, 2


class UsageError(Exception):
    """The command cannot be carried out as it was given; the message says what to give instead."""


def folder(named: str) -> Path:
    """A folder that an option names; an empty name would silently mean the folder one stands in."""
    if not named:
        raise argparse.ArgumentTypeError("''")
    return Path(named)


def add_evidence(command: argparse.ArgumentParser) -> None:
    """The option that lets a course's own code run, for the numbers that it draws."""
    command.add_argument("--evidence", action="store_true", help="run the course's own code that draws numbers")


def include_evidence(path: Path) -> None:
    """Import the modules of evidence of the course in which a quiz or its folder lies; `ContentError` if that fails."""
    from quiz_widgets.evidence import modules

    problems = modules.include([path if path.is_dir() else path.parent])
    if problems:
        raise ContentError(problems)


def require(path: Path) -> None:
    """Refuse a path that does not exist, with names that are near it."""
    if path.exists():
        return
    missing = next(part for part in [*reversed(path.parents), path] if not part.exists())
    siblings = sorted(entry.name for entry in missing.parent.iterdir()) if missing.parent.is_dir() else []
    near = [missing.parent / name for name in get_close_matches(missing.name, siblings, n=3)]
    raise UsageError(say("no_path_near", path=path, names=AnyOf(tuple(near))) if near else say("no_path", path=path))


def list_problems(problems: Iterable[Problem], file: TextIO | None = None) -> None:
    """Print problems one a line. What a rule says is English; how much it weighs is said in the reader's language."""
    for problem in problems:
        if problem.severity == "error":
            print(problem, file=file)
        else:
            print(say(problem.severity, place=problem.place, text=problem.text), file=file)
