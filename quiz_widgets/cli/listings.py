"""How a check lists its problems: as text, as JSON, as GitHub's workflow commands. SARIF has a file of its own."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from quiz_widgets.cli import sarif
from quiz_widgets.cli.common import list_problems
from quiz_widgets.problems import Problem

if TYPE_CHECKING:
    from quiz_widgets.authoring.severities import Accepted

FORMATS = ("text", "json", "github", "sarif")
VERSION = 1
"""Of the JSON's shape: new fields may be added to a version, none is removed or gets another meaning."""
_COMMANDS = {"error": "error", "warning": "warning", "note": "notice"}


def show(form: str, problems: Sequence[Problem], accepted: Sequence[Accepted], counts: dict[str, int]) -> None:
    """Print the problems of one check. `counts` are of quizzes and items."""
    if form == "text":
        list_problems(problems)
    elif form == "github":
        for problem in problems:
            print(github(problem))
    else:
        made = sarif.log(problems, accepted) if form == "sarif" else as_json(problems, accepted, counts)
        print(json.dumps(made, indent=2, ensure_ascii=False))


def as_json(problems: Sequence[Problem], accepted: Sequence[Accepted], counts: dict[str, int]) -> dict[str, Any]:
    """The whole report; `docs/checking.md` describes it."""
    severities = [problem.severity for problem in problems]
    return {
        "version": VERSION,
        "problems": [_entry(problem) for problem in problems],
        "accepted": [{**_entry(one.problem), "reason": one.reason} for one in accepted],
        "counts": {
            **counts,
            "errors": severities.count("error"),
            "warnings": severities.count("warning"),
            "notes": severities.count("note"),
        },
    }


def github(problem: Problem) -> str:
    """One workflow command, which puts the problem beside the line of a pull request."""
    place = {"file": problem.file}
    if problem.line:
        place |= {"line": str(problem.line), "col": str(problem.column)}
    properties = ",".join(f"{name}={_property(value)}" for name, value in (place | {"title": problem.rule}).items())
    return f"::{_COMMANDS[problem.severity]} {properties}::{_data(problem.text)}"


def _data(text: str) -> str:
    """As the toolkit of GitHub's actions escapes it: a line feed would end the command."""
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")


def _entry(problem: Problem) -> dict[str, Any]:
    return {
        "file": problem.file,
        "line": problem.line,
        "column": problem.column,
        "path": problem.path,
        "rule": problem.rule,
        "severity": problem.severity,
        "message": problem.message,
        "hint": problem.hint,
    }
