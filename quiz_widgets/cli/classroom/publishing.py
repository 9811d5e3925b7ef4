"""``classroom publish``: check and compile a quiz, and hand it to the desk, or write it for the desk's upload page."""

from __future__ import annotations

import argparse
import getpass
import os
import stat
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from quiz_widgets.cli.classroom import place
from quiz_widgets.cli.common import FOUND, UsageError, list_problems, require

if TYPE_CHECKING:
    from quiz_widgets.cli.common import Commands
    from quiz_widgets.model import Quiz


def add(commands: Commands) -> None:
    """Add this subcommand."""
    command = commands.add_parser(
        "publish",
        help="publish a quiz to a course",
        description="Check and compile QUIZ, and hand it to the desk with a token that teaches: from --token-file, "
        "which only you may read, or asked for. Never do this in an account in which learners' notebooks are opened.",
        allow_abbrev=False,
    )
    command.add_argument("quiz", type=Path, metavar="QUIZ", help="a quiz.yaml or the folder that holds it")
    command.add_argument("--course", required=True, metavar="C", help="the course")
    command.add_argument("--as", dest="slug", metavar="NAME", help="its name in the course (default: the quiz's id)")
    command.add_argument("--desk", metavar="URL", help="the desk's address (default: QUIZ_WIDGETS_DESK)")
    command.add_argument("--token-file", type=Path, metavar="FILE", help="holds the token (default: you are asked)")
    command.add_argument("--poll", action="store_true", help="its instructor opens one question at a time for votes")
    command.add_argument("-o", dest="output", type=Path, metavar="FILE", help="write the bundle and publish nothing")
    command.set_defaults(act=_publish)


def _publish(options: argparse.Namespace) -> int:
    from quiz_widgets import authoring, compiled
    from quiz_widgets.classroom.names import ALLOWED, SLUG

    require(options.quiz)
    report = authoring.check([options.quiz])
    list_problems(report.problems)
    if len(report.found) > 1:
        raise UsageError(f"{options.quiz} holds {len(report.found)} quizzes; name one of them")
    if report.errors or not report.found:
        print("nothing was published", file=sys.stderr)
        return FOUND
    [(_, quiz)] = report.found
    slug = options.slug or quiz.id
    for name in (options.course, slug):
        if not SLUG.fullmatch(name):
            raise UsageError(f"{name!r} is no name; allowed are {ALLOWED}")
    if shipped := _shipped(quiz):
        print(f"{options.quiz}: this is no exam: {shipped}. Learners have that with its key; write items of your own.")
        return FOUND
    if options.poll and quiz.pools:
        raise UsageError(f"--poll: everybody votes on the same questions, but `{quiz.pools[0].id}` is a pool")
    text = compiled.dump(quiz)
    if options.output is not None:
        place.new_file(options.output, text)
        print(f"{options.output}: written. It holds the keys: keep it to yourself, and upload it on the desk's page.")
        if options.poll:
            print("Tick the box for a poll there.")
        return 0
    return _send(options, slug, text)


def _shipped(quiz: Quiz) -> str | None:
    """What of this quiz learners hold already: in the installed course every key can be read."""
    from quiz_widgets import compiled

    ids = {item.id for item in quiz.items}
    stems = {_plain(item.stem.rendered("en").plain): item.id for item in quiz.items}
    for name in compiled.names():
        for item in compiled.read(name).items:
            if item.id in ids:
                return f"the course's quiz `{name}` has an item `{item.id}`"
            if (twin := stems.get(_plain(item.stem.rendered("en").plain))) is not None:
                return f"the course's quiz `{name}` asks what `{twin}` asks"
    return None


def _plain(text: str) -> str:
    return " ".join("".join(letter if letter.isalnum() else " " for letter in text.casefold()).split())


def _send(options: argparse.Namespace, slug: str, text: str) -> int:
    from quiz_widgets.classroom.client.environment import DESK, Place
    from quiz_widgets.classroom.client.transport import Refusal, Transport, Undelivered

    url = options.desk or os.environ.get(DESK)
    if not url:
        raise UsageError(f"where is the desk? give --desk URL, or set {DESK}")
    token = _token(options.token_file)
    sent = {"compiled": text, **({"poll": True} if options.poll else {})}
    transport = Transport(Place(url.rstrip("/"), ""), lambda: token, largest=2 * len(text.encode()) + 1024)
    try:
        made = transport.ask("POST", f"/courses/{options.course}/quizzes/{slug}/versions", sent)
    except Undelivered as error:
        print(f"quiz-widgets: {url}: {error.why}; nothing can be said of what it did: publish again, it is safe")
        return FOUND
    except Refusal as refusal:
        print(f"quiz-widgets: {url}: {refusal.message}")
        return FOUND
    print(f"{options.course}/{slug}: version {made['number']} is published")
    return 0


def _token(file: Path | None) -> str:
    """The token that teaches: never from argv, which every account of a machine can read."""
    if file is None:
        found = getpass.getpass("Token: ") if sys.stdin.isatty() else sys.stdin.readline()
    else:
        require(file)
        if os.name == "posix" and stat.S_IMODE(file.stat().st_mode) & 0o077:
            raise UsageError(f"others may read {file}: chmod 600 {file}")
        found = file.read_text(encoding="utf-8")
    if not found.strip():
        raise UsageError("no token was given")
    return found.strip()
