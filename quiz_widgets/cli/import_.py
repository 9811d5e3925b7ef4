"""``quiz-widgets import``: quizzes of other systems as quiz.yaml, with all that could not be carried over."""

from __future__ import annotations

import argparse
import dataclasses
import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from quiz_widgets.cli.common import FOUND, UsageError, folder, list_problems, require
from quiz_widgets.locales.reports import counted, say

if TYPE_CHECKING:
    from quiz_widgets.cli.common import Commands
    from quiz_widgets.formats.base import Format, Source
    from quiz_widgets.problems import Problem


def add(commands: Commands) -> None:
    """Add the subcommand ``import``."""
    command = commands.add_parser(
        "import",
        help="make quizzes of other systems' files",
        description="Write DIR/ID/quiz.yaml for each quiz in the files. What could not be carried over, and what means "
        "something else there than it seems, is listed with its line. Nothing that exists is touched.",
        allow_abbrev=False,
    )
    command.add_argument("files", nargs="+", type=Path, metavar="FILE", help="files exported by another system")
    command.add_argument("--to", required=True, type=folder, metavar="DIR", help="the folder for the quizzes' folders")
    command.add_argument("--from", dest="format", metavar="FORMAT", help="the format (default: it is recognised)")
    command.add_argument(
        "--encoding", metavar="E", help="the files' encoding, such as windows-1254 (default: it is found)"
    )
    command.add_argument("--report", choices=("text", "json"), default="text", help="how to report (default: text)")
    command.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Carry it out."""
    from quiz_widgets.formats import encodings, registry

    for file in options.files:
        require(file)
    chosen = registry.get(options.format) if options.format else None
    readable = tuple(known.id for known in registry.FORMATS if known.read is not None)
    if options.format and (chosen is None or chosen.read is None):
        raise UsageError(say("no_format", name=options.format, formats=readable))
    if options.encoding and not encodings.known(options.encoding):
        raise UsageError(say("no_encoding", name=options.encoding))
    talk = options.report == "text"
    reports = [_file(file, chosen, readable, options, talk=talk) for file in options.files]
    problems = [problem for report in reports for problem in report["problems"]]
    errors = sum(problem["severity"] == "error" for problem in problems)
    quizzes = [quiz for report in reports for quiz in report["quizzes"] if quiz["path"]]
    if talk:
        found = {
            "quizzes": len(quizzes),
            "items": sum(quiz["items"] for quiz in quizzes),
            "problems": errors,
        }
        print(say("imported", **{name: counted(name, count) for name, count in found.items()}))
    else:
        print(json.dumps({"files": reports}, ensure_ascii=False, indent=2))
    return FOUND if errors else 0


def _file(
    file: Path, chosen: Format | None, readable: tuple[str, ...], options: argparse.Namespace, *, talk: bool
) -> dict[str, Any]:
    """Import one file; what is said of it as data."""
    from quiz_widgets.formats import registry
    from quiz_widgets.formats.base import MAX_BYTES, Source
    from quiz_widgets.problems import Problem

    report: dict[str, Any] = {"file": str(file), "format": None, "quizzes": [], "problems": []}

    def tell(problems: list[Problem] | tuple[Problem, ...]) -> None:
        report["problems"] += [dataclasses.asdict(problem) for problem in problems]
        if talk:
            list_problems(problems)

    def failed(message: str) -> dict[str, Any]:
        tell([Problem(str(file), message=message.removeprefix(f"{file}: "), rule="file")])
        return report

    if file.is_file() and file.stat().st_size > MAX_BYTES:
        return failed(say("too_large", file=file, limit=MAX_BYTES >> 20))
    source = Source(str(file), file.read_bytes(), options.encoding, _bar(str(file)))
    found = chosen or next(iter(registry.recognise(source)), None)
    if found is None or found.read is None:
        return failed(say("unrecognised", file=file, formats=readable))
    report["format"] = found.id
    if talk:
        print(say("importing", file=file, format=found.title))
    imported = found.read(source)
    tell(imported.problems)
    kept = [
        _quiz(index, imported.quizzes, source, found, options, tell, talk=talk)
        for index in range(len(imported.quizzes))
    ]
    report["quizzes"] = kept
    if not any(quiz["path"] for quiz in kept) and not any(p["severity"] == "error" for p in report["problems"]):
        return failed(say("imported_none", file=file))
    return report


def _quiz(
    index: int,
    drafts: Any,
    source: Source,
    found: Format,
    options: argparse.Namespace,
    tell: Callable[[list[Problem]], None],
    *,
    talk: bool,
) -> dict[str, Any]:
    """Write one quiz; what is said of it as data. `path` is `None` when it was not written."""
    from quiz_widgets.formats import folder as folders
    from quiz_widgets.problems import Problem

    origin = f"Imported from {Path(source.name).name} ({found.title})"
    prepared = folders.prepare(drafts[index], source.name, origin, options.to, source.tell)
    tell(list(prepared.problems))
    made: dict[str, Any] = {"id": prepared.id, "path": None, "items": prepared.items, "left_out": prepared.left_out}
    target = options.to / prepared.id
    if not prepared.files:
        return made
    try:
        folders.write(prepared, options.to)
    except FileExistsError:
        message = say("folder_there", path=target)
        tell([Problem(source.name, path=prepared.id, message=message, rule="exists")])
        return made
    made["path"] = str(target)
    if talk:
        if prepared.items:
            print(say("imported_quiz", path=target / "quiz.yaml", items=counted("items", prepared.items)))
        if prepared.left_out:
            print(say("left_out", path=target / folders.LEFT_OUT, items=counted("items", prepared.left_out)))
    return made


def _bar(name: str) -> Callable[[int, int], None]:
    """A line on the terminal that says how much is done; nothing where the output goes into a file."""

    def tell(done: int, total: int) -> None:
        if sys.stderr is not None and sys.stderr.isatty():
            end = "\r\033[K" if done >= total else ""
            print(f"\r{name}: {100 * done // max(total, 1)} %{end}", end="", file=sys.stderr, flush=True)

    return tell
