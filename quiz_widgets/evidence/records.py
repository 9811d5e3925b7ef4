"""Recorded evidence: what was found, when, and on what kind of machine, kept beside the quiz as `evidence.json`.

A page shows these numbers to readers who have not run the demo. Each record holds the hash of the source that made
it, so that a record whose demo has changed is reported instead of believed.
"""

from __future__ import annotations

import json
import platform
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from importlib import metadata
from pathlib import Path
from typing import Any

from quiz_widgets.demos import registry
from quiz_widgets.demos.registry import Fact, Facts
from quiz_widgets.evidence import ItemReport
from quiz_widgets.model import Quiz
from quiz_widgets.problems import Problem

FILE = "evidence.json"
PACKAGES = ("numpy", "torch")


@dataclass(frozen=True, slots=True)
class Record:
    """One recorded result: its facts, the day, the kind of machine, and the versions and source that made it."""

    facts: Facts
    date: str
    machine: str
    versions: Mapping[str, str]
    source: str


def read(folder: Path) -> dict[str, Record]:
    """The records beside the quiz in `folder`, by name of evidence; none when there is no file.

    A file that is no such record raises `ValueError` with the place of the fault.
    """
    path = folder / FILE
    if not path.is_file():
        return {}
    try:
        return {name: _record(entry) for name, entry in json.loads(path.read_text(encoding="utf-8")).items()}
    except (OSError, ValueError, LookupError, TypeError, AttributeError, RecursionError) as error:
        raise ValueError(f"{path}: no record of evidence ({error}); write it again with --record") from error


def _record(entry: Mapping[str, Any]) -> Record:
    facts = {name: Fact(fact["value"], fact.get("unit", "")) for name, fact in entry["facts"].items()}
    return Record(
        Facts(facts, entry["summary"]), entry["date"], entry["machine"], dict(entry["versions"]), entry["source"]
    )


def write(folder: Path, items: Iterable[ItemReport], *, today: str | None = None) -> Path:
    """Keep what was found for these items of one quiz. Records of skipped items stay as they are.

    A result that has not changed keeps its date, so that recording again changes no file without a reason.
    """
    records = {}
    kept = _kept(folder / FILE)
    for item in items:
        if item.evidence is None:
            continue
        if item.facts is None:
            if item.evidence in kept:
                records[item.evidence] = kept[item.evidence]
            continue
        entry = _entry(item.evidence, item.facts, today or datetime.now(UTC).date().isoformat())
        old = kept.get(item.evidence, {})
        same = {key: value for key, value in old.items() if key != "date"} == {
            key: value for key, value in entry.items() if key != "date"
        }
        records[item.evidence] = old if same else entry
    path = folder / FILE
    text = json.dumps(records, indent=2, ensure_ascii=False, sort_keys=True)
    path.write_text(text + "\n", encoding="utf-8", newline="\n")
    return path


def _kept(path: Path) -> dict[str, dict[str, Any]]:
    """The entries that stand in a file as they are; none where it cannot be read: then it is written anew."""
    if not path.is_file():
        return {}
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
    except (ValueError, RecursionError):
        return {}
    entries = found.items() if isinstance(found, dict) else ()
    return {name: entry for name, entry in entries if isinstance(entry, dict)}


def _entry(name: str, found: Facts, today: str) -> dict[str, Any]:
    entry = registry.get(name)
    return {
        "facts": {key: {"value": fact.value, "unit": fact.unit} for key, fact in found.facts.items()},
        "summary": found.summary,
        "date": today,
        "machine": machine_kind(),
        "versions": {"python": platform.python_version(), **_versions(entry.requires)},
        "source": entry.source_hash(),
    }


def _versions(requires: Iterable[str]) -> dict[str, str]:
    return {package: metadata.version(package) for package in PACKAGES if package == "numpy" or package in requires}


def machine_kind() -> str:
    """What sort of machine this is, in words that name nobody's: architecture and widest vector instructions."""
    flags: set[str] = set()
    cpuinfo = Path("/proc/cpuinfo")
    if cpuinfo.is_file():
        for line in cpuinfo.read_text(encoding="utf-8", errors="replace").splitlines():
            if line.startswith("flags"):
                flags = set(line.split())
                break
    kinds = {"amx_bf16": "AMX", "avx512_bf16": "AVX-512 with bfloat16", "avx512f": "AVX-512", "avx2": "AVX2"}
    vectors = next((kind for flag, kind in kinds.items() if flag in flags), "")
    return f"{platform.machine()} CPU" + (f" with {vectors}" if vectors else "")


def problems(quiz: Quiz, folder: Path) -> list[Problem]:
    """What is wrong with the records of a quiz: missing, made by other source, or of no item."""
    path = folder / FILE
    if not path.is_file():
        return []  # nothing is recorded here, and no page will show anything
    hint = "run `quiz-widgets check --evidence --record` on the quiz"
    try:
        records = read(folder)
    except ValueError as error:
        return [Problem(str(path), message=str(error), rule="record")]
    # What a course's own modules register is known only where they were imported: of the rest only the names are.
    named = {item.evidence for item in quiz.own if item.evidence is not None}
    found = []
    for name in sorted(named & set(registry.names())):
        if name not in records:
            found.append(Problem(str(path), path=name, message="no result is recorded", hint=hint, rule="record"))
        elif records[name].source != registry.get(name).source_hash():
            message = "the recorded result was made by other code than there is now"
            found.append(Problem(str(path), path=name, message=message, hint=hint, rule="record"))
    for name in sorted(set(records) - named):
        message = "a recorded result that no item names"
        found.append(Problem(str(path), path=name, message=message, hint=hint, rule="record"))
    return found
