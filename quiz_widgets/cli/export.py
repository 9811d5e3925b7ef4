"""``quiz-widgets export``: a quiz in another system's format, after saying what that format cannot hold."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from quiz_widgets.cli.common import FOUND, UsageError, add_evidence, include_evidence, list_problems
from quiz_widgets.locales.reports import counted, say

if TYPE_CHECKING:
    from quiz_widgets import model
    from quiz_widgets.cli.common import Commands
    from quiz_widgets.formats.base import Format
    from quiz_widgets.formats.draft import DraftQuiz, Exported


def add(commands: Commands) -> None:
    """Add the subcommand ``export``."""
    command = commands.add_parser(
        "export",
        help="write a quiz in another system's format",
        description="Write QUIZ, a quiz of the course, a quiz.yaml or its folder, in another system's format. What "
        "that format cannot hold is listed first.",
        allow_abbrev=False,
    )
    command.add_argument("quiz", metavar="QUIZ", help="a quiz of the course, a quiz.yaml or the folder that holds it")
    command.add_argument("--to", required=True, dest="format", metavar="FORMAT", help="the format, such as moodle-xml")
    command.add_argument("--locale", default="en", metavar="L", help="the language of the texts (default: en)")
    command.add_argument(
        "-o", "--output", type=Path, metavar="FILE", help="the file to write (default: named after the quiz)"
    )
    command.add_argument(
        "--key",
        action=argparse.BooleanOptionalAction,
        help="for html and latex: with the answers and their reasons, or without (default: without)",
    )
    command.add_argument(
        "--versions",
        type=int,
        metavar="N",
        help="for html and latex: so many versions, mixed differently, each with a sheet for answers (default: 1)",
    )
    add_evidence(command)
    command.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Carry it out."""
    from quiz_widgets.formats import from_model, registry

    chosen = registry.get(options.format)
    writable = tuple(known.id for known in registry.FORMATS if known.write is not None)
    if chosen is None:
        raise UsageError(say("no_format", name=options.format, formats=writable))
    if chosen.write is None:
        raise UsageError(say("no_format_out", name=options.format, formats=writable))
    as_is = options.key is None and options.versions is None
    write = chosen.write if as_is else _printer(chosen, options)
    quiz = _quiz(options.quiz, evidence=options.evidence)
    if options.locale not in quiz.locales:
        raise UsageError(say("no_quiz_locale", quiz=quiz.id, locale=options.locale, locales=tuple(quiz.locales)))
    draft, before = from_model.quiz(quiz, options.locale)
    exported = write(draft)
    losses = [*before, *exported.problems]
    list_problems(losses)
    lost = {problem.path for problem in exported.problems if problem.severity == "error" and problem.path}
    kept = len(draft.items) - len(lost & {item.id for item in draft.items})
    if not kept:
        raise UsageError(say("nothing_to_export", quiz=quiz.id, format=chosen.title))
    suffix = chosen.suffix if options.locale == "en" else f".{options.locale}{chosen.suffix}"
    target = options.output or Path(quiz.id + suffix)
    target.write_bytes(exported.data)
    counts = {"items": counted("items", kept), "losses": counted("losses", len(losses))}
    print(say("exported", path=target, format=chosen.title, **counts))
    return FOUND if lost else 0


def _printer(chosen: Format, options: argparse.Namespace) -> Callable[[DraftQuiz], Exported]:
    """What writes the quiz as the options say that it is to be printed."""
    from quiz_widgets.formats import registry
    from quiz_widgets.formats.base import MOST_VERSIONS, Printing

    if chosen.printed is None:
        printable = tuple(known.id for known in registry.FORMATS if known.printed is not None)
        raise UsageError(say("no_printing", name=chosen.id, formats=printable))
    versions = 1 if options.versions is None else options.versions
    if not 1 <= versions <= MOST_VERSIONS:
        raise UsageError(say("versions", given=versions, least=1, most=MOST_VERSIONS))
    return partial(chosen.printed, Printing(key=bool(options.key), versions=versions))


def _quiz(named: str, *, evidence: bool) -> model.Quiz:
    """The quiz that the argument names: a file or folder if it is one, else a quiz of the course."""
    from quiz_widgets import authoring, compiled

    path = Path(named)
    if path.is_file() or (path.is_dir() and (path / "quiz.yaml").is_file()):
        if evidence:
            include_evidence(path)
        return authoring.load(path)
    return compiled.read(named)
