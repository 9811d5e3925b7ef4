"""``classroom lti``: a course's learning platform, what is sent there, and the desk's keys for it."""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

from quiz_widgets.cli.classroom import place
from quiz_widgets.cli.common import FOUND, UsageError

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from quiz_widgets.classroom.desk.database.rows import Row
    from quiz_widgets.cli.common import Commands


def add(commands: Commands) -> None:
    """Add these subcommands."""
    parent = commands.add_parser("lti", help="send grades to a learning platform (LTI 1.3)", allow_abbrev=False)
    inner = parent.add_subparsers(dest="lti_command", metavar="COMMAND", required=True)

    command = inner.add_parser("set", help="set a course's platform, or send a quiz's scores", allow_abbrev=False)
    command.add_argument("name", metavar="C|C/QUIZ", help="the course, or one of its quizzes")
    command.add_argument("--issuer", metavar="TEXT", help="C: the platform's issuer")
    command.add_argument("--client", metavar="ID", help="C: the client id that it gave the desk")
    command.add_argument("--token-url", metavar="URL", help="C: where it gives tokens")
    command.add_argument("--audience", metavar="TEXT", help="C: whom tokens are asked of (default: the token URL)")
    command.add_argument("--line-items-url", metavar="URL", help="C: where the course's line items are")
    command.add_argument("--label", metavar="TEXT", help="C/QUIZ: its name there (default: the quiz's title)")
    command.add_argument("--max-score", metavar="N", help="C/QUIZ: its points there (default: the quiz's)")
    switch = command.add_mutually_exclusive_group()
    switch.add_argument("--on", action="store_true", help="send (again)")
    switch.add_argument("--off", action="store_true", help="send nothing for now")
    place.add_option(command)
    command.set_defaults(act=_set)

    command = inner.add_parser("show", help="tell what is set, sent and wrong", allow_abbrev=False)
    _of_course(command)
    command.set_defaults(act=_show)

    command = inner.add_parser("dry-run", help="list what would be sent, and send nothing", allow_abbrev=False)
    _of_course(command)
    command.set_defaults(act=_dry_run)

    command = inner.add_parser("send", help="send what is due now, beside a desk or without one", allow_abbrev=False)
    _of_course(command)
    command.add_argument("--retry", action="store_true", help="also what failed, or waits after something failed")
    command.set_defaults(act=_send)

    command = inner.add_parser("keys", help="print the desk's public keys; make and change them", allow_abbrev=False)
    what = command.add_mutually_exclusive_group()
    what.add_argument("--new", action="store_true", help="make a key; the first one signs, later ones are published")
    what.add_argument("--sign", metavar="KID", help="let this key sign")
    what.add_argument("--drop", metavar="KID", help="forget this key")
    place.add_option(command)
    command.set_defaults(act=_keys)


def _of_course(command: argparse.ArgumentParser) -> None:
    command.add_argument("course", metavar="C", help="the course")
    place.add_option(command)


def _set(options: argparse.Namespace) -> int:
    of_course = ("issuer", "client", "token_url", "audience", "line_items_url")
    of_quiz = ("label", "max_score")
    is_quiz = "/" in options.name
    other, kind = (of_course, "a course") if is_quiz else (of_quiz, "a quiz")
    if unfit := [name for name in other if getattr(options, name) is not None]:
        raise UsageError(f"--{unfit[0].replace('_', '-')} is for {kind}; {options.name} is none")
    with place.writing(options) as connection:
        if is_quiz:
            _set_quiz(connection, options)
        else:
            place.course(connection, options.name)
            given = {name: getattr(options, name) for name in of_course if getattr(options, name) is not None}
            _set_course(connection, options, given)
    print(f"{options.name}: set")
    return 0


def _set_course(connection: Connection, options: argparse.Namespace, given: dict[str, Any]) -> None:
    from quiz_widgets.classroom.desk.clock import now
    from quiz_widgets.classroom.desk.lti import platforms

    if options.on or options.off:
        given["active"] = not options.off
    platforms.change(connection, options.name, given, place.me(), now(), loopback=True)


def _set_quiz(connection: Connection, options: argparse.Namespace) -> None:
    from quiz_widgets.classroom.desk.clock import now
    from quiz_widgets.classroom.desk.library import Library
    from quiz_widgets.classroom.desk.lti import platforms

    found = place.quiz(connection, options.name)
    former = platforms.lines(connection, found["course"]).get(found["id"])
    label = options.label or (former["label"] if former else "")
    most = options.max_score or (former["max_score"] if former else platforms.most(connection, Library(), found))
    platforms.send_quiz(connection, found, label, most, place.me(), now(), active=not options.off)


def _show(options: argparse.Namespace) -> int:
    from quiz_widgets.classroom.desk.database.engine import reading
    from quiz_widgets.classroom.desk.lti import listing, platforms

    with place.database(options) as engine, reading(engine) as connection:
        place.course(connection, options.course)
        platform = platforms.of(connection, options.course)
        if platform is None:
            print(f"{options.course}: no platform; set one with `lti set {options.course} --issuer …`")
            return 0
        for name in platforms.SETTINGS:
            print(f"{name}\t{platform[name]}")
        if platform["trouble"]:
            print(f"trouble\t{platform['trouble']}")
        counts = listing.counts(connection, options.course)
        for line in listing.quizzes(connection, options.course):
            told = counts.get(line["id"], dict.fromkeys(listing.STATES, 0))
            states = ", ".join(f"{told[state]} {state}" for state in listing.STATES)
            print(f"{line['slug']}\t{_switched(line)}\t{states}")
        for one in listing.problems(connection, options.course):
            print(f"{one['slug']}\t{one['hub_name']}\t{one['state']}\t{one['last_error']}")
    return 0


def _switched(line: Row) -> str:
    if line["label"] is None:
        return "not sent"
    return f"{'on' if line['active'] else 'off'}, {line['max_score']} points as {line['label']!r}"


def _dry_run(options: argparse.Namespace) -> int:
    from quiz_widgets.classroom.desk.database.engine import reading
    from quiz_widgets.classroom.desk.lti import listing

    with place.database(options) as engine, reading(engine) as connection:
        place.course(connection, options.course)
        lines = list(listing.dry_run(connection, options.course))
        for line in lines:
            given = "withdrawn" if line.given is None else f"{line.given:g} of {line.most:g}"
            waits = "after the keys are shown" if line.held else line.problem or "now"
            print(f"{line.quiz}\t{line.name}\t{line.subject or '-'}\t{given}\t{line.handed_in or '-'}\t{waits}")
    print(f"{options.course}: {len(lines)} scores would be sent; nothing was")
    return 0


def _send(options: argparse.Namespace) -> int:
    import asyncio

    from quiz_widgets.classroom.desk.clock import now
    from quiz_widgets.classroom.desk.database.engine import reading, writing
    from quiz_widgets.classroom.desk.lti import listing, platforms, web, worker

    settings = place.settings(options)

    with place.database(options) as engine:
        with writing(engine) as connection:
            place.course(connection, options.course)
            if options.retry:
                platforms.again(connection, options.course, place.me(), now())

        async def read(work: worker.Work) -> Any:
            with reading(engine) as connection:
                return work(connection)

        async def write(work: worker.Work) -> Any:
            with writing(engine) as connection:
                return work(connection)

        async def send() -> int:
            async with web.client() as client:
                return await worker.Worker(client, settings.lti_keys, now, read, write).send_due(options.course)

        tried = asyncio.run(send())
        with reading(engine) as connection:
            wrong = listing.problems(connection, options.course)
            platform = platforms.of(connection, options.course)
    print(f"{options.course}: {tried} scores were tried")
    for one in wrong:
        print(f"{one['slug']}\t{one['hub_name']}\t{one['state']}\t{one['last_error']}")
    if platform is not None and platform["trouble"]:
        print(f"the platform: {platform['trouble']}")
    return FOUND if wrong or (platform is not None and platform["trouble"]) else 0


def _keys(options: argparse.Namespace) -> int:
    from quiz_widgets.classroom.desk.lti import keys

    file: Path | None = place.settings(options).lti_keys
    if file is None:
        raise UsageError(f"{keys.VARIABLE} is not set: let it name a file that only the desk may read")
    try:
        if options.new:
            print(f"{file}: key {keys.make(file)} is made")
        elif options.sign is not None:
            keys.sign_with(file, options.sign)
            print(f"{file}: key {options.sign} signs")
        elif options.drop is not None:
            keys.drop(file, options.drop)
            print(f"{file}: key {options.drop} is dropped")
        else:
            print(json.dumps(keys.public(keys.read(file)), indent=2))
    except ImportError:
        raise UsageError("PyJWT is missing: pip install 'quiz_widgets[lti]'") from None
    return 0
