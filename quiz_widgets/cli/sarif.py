"""SARIF 2.1.0, the form in which code hosts and editors take the findings of any checker (OASIS standard)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from importlib import metadata
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from quiz_widgets.problems import Problem

if TYPE_CHECKING:
    from quiz_widgets.authoring.severities import Accepted

VERSION = "2.1.0"
_LEVELS = {"error": "error", "warning": "warning", "note": "note"}


def log(problems: Sequence[Problem], accepted: Sequence[Accepted]) -> dict[str, Any]:
    """One run with every problem; those that authors accept are suppressed, with their reasons."""
    from quiz_widgets.authoring.rules import RULES

    named = sorted({problem.rule for problem in problems} | {one.problem.rule for one in accepted})
    rules = [rule for name, rule in RULES.items() if name in named]
    index = {rule.id: at for at, rule in enumerate(rules)}
    driver = {
        "name": "quiz-widgets",
        "semanticVersion": metadata.version("quiz_widgets"),
        "rules": [
            {
                "id": rule.id,
                "shortDescription": {"text": rule.finds},
                "fullDescription": {"text": rule.why},
                "defaultConfiguration": {"level": _LEVELS[rule.severity]},
            }
            for rule in rules
        ],
    }
    results = [*_results(problems, index)]
    for one, result in zip(accepted, _results([one.problem for one in accepted], index), strict=True):
        results.append({**result, "suppressions": [{"kind": "inSource", "justification": one.reason}]})
    run = {"tool": {"driver": driver}, "columnKind": "unicodeCodePoints", "results": results}
    return {"version": VERSION, "runs": [run]}


def _results(problems: Sequence[Problem], index: dict[str, int]) -> Iterator[dict[str, Any]]:
    for problem in problems:
        place: dict[str, Any] = {"artifactLocation": {"uri": _uri(problem.file)}}
        if problem.line:
            place["region"] = {"startLine": problem.line, "startColumn": max(1, problem.column)}
        location: dict[str, Any] = {"physicalLocation": place}
        if problem.path:
            location["logicalLocations"] = [{"fullyQualifiedName": problem.path}]
        yield {
            "ruleId": problem.rule,
            **({"ruleIndex": index[problem.rule]} if problem.rule in index else {}),
            "level": _LEVELS[problem.severity],
            "message": {"text": problem.message + (f" ({problem.hint})" if problem.hint else "")},
            "locations": [location],
        }


def _uri(file: str) -> str:
    """A reference to the file: relative as it was given, whole where it was given whole."""
    path = Path(file)
    return path.as_uri() if path.is_absolute() else quote(path.as_posix())
