"""``classroom init``, ``migrate``, ``serve`` and ``hub-config``: from nothing to a desk that runs."""

from __future__ import annotations

import argparse
import os
import re
import socket
import sys
from importlib import resources
from pathlib import Path
from string import Template
from typing import TYPE_CHECKING

from quiz_widgets.cli.classroom import place
from quiz_widgets.cli.common import FOUND, UsageError, folder

if TYPE_CHECKING:
    from quiz_widgets.classroom.desk.identity.who import Scope
    from quiz_widgets.classroom.desk.settings import Settings
    from quiz_widgets.cli.common import Commands

PORT = 10301
MOST_WORKERS = 64
_URL = re.compile(r"https?://[A-Za-z0-9.:\[\]/_~-]+")


def add(commands: Commands) -> None:
    """Add these subcommands."""
    command = commands.add_parser(
        "init", help="make a folder with the desk's settings and database", allow_abbrev=False
    )
    command.add_argument("folder", type=folder, metavar="FOLDER", help="made if it is missing, closed to others")
    command.add_argument("--database", metavar="URL", help="another database (default: SQLite in FOLDER)")
    command.set_defaults(act=_init)

    command = commands.add_parser("migrate", help="bring the database to this release", allow_abbrev=False)
    place.add_option(command)
    command.set_defaults(act=_migrate)

    command = commands.add_parser("serve", help="run the desk", allow_abbrev=False)
    place.add_option(command)
    command.add_argument("--host", default="127.0.0.1", help="the address to listen at (default: 127.0.0.1)")
    command.add_argument("--port", type=int, default=PORT, help=f"the port (default: {PORT})")
    command.add_argument("--workers", type=int, default=1, metavar="N", help="processes; SQLite takes one (default: 1)")
    command.add_argument(
        "--standalone", action="store_true", help="without a Hub: print a token for each line of the roster"
    )
    command.add_argument("--course", metavar="C", help="with --standalone: the course that the roster is of")
    command.add_argument("--roster", type=Path, metavar="FILE", help="with --standalone: CSV with a column `name`")
    command.set_defaults(act=_serve)

    command = commands.add_parser("hub-config", help="print what jupyterhub_config.py needs", allow_abbrev=False)
    command.add_argument(
        "--hub-url", default="http://127.0.0.1:8000", metavar="URL", help="where kernels reach the Hub's proxy"
    )
    command.add_argument("--desk-url", default=f"http://127.0.0.1:{PORT}", metavar="URL", help="where the desk listens")
    command.set_defaults(act=_hub_config)


def _init(options: argparse.Namespace) -> int:
    from sqlalchemy.exc import SQLAlchemyError

    from quiz_widgets.classroom.desk.database.engine import DatabaseError, connect
    from quiz_widgets.classroom.desk.database.migrations import migrate

    file = place.write(options.folder, options.database)
    options.env = file
    try:
        with place.for_me_alone():
            engine = connect(place.settings(options).database)
            revision = migrate(engine)
            engine.dispose()
    except (SQLAlchemyError, DatabaseError):
        file.unlink()  # or a second try, with another database, would be refused
        raise
    print(f"{file}: written; the database has revision {revision}")
    print(f"next: quiz-widgets classroom course create COURSE --tz ZONE --instructor NAME --env {file}")
    return 0


def _migrate(options: argparse.Namespace) -> int:
    from quiz_widgets.classroom.desk.database.engine import connect
    from quiz_widgets.classroom.desk.database.migrations import migrate

    with place.for_me_alone():
        engine = connect(place.settings(options).database)
        print(f"the database has revision {migrate(engine)}")
        engine.dispose()
    return 0


def _serve(options: argparse.Namespace) -> int:
    import uvicorn

    settings = place.settings(options)
    if settings.sqlite_file is not None and options.workers > 1:
        raise UsageError("SQLite takes one worker: leave --workers out, or use PostgreSQL")
    _require_usable(options, settings)
    if options.standalone:
        if options.host not in ("127.0.0.1", "::1", "localhost"):
            raise UsageError("without a Hub the desk listens on this machine only: leave --host out")
        if code := _give_tokens(options):
            return code
    elif settings.hub_api is None:
        raise UsageError(
            "no Hub: JUPYTERHUB_API_URL is not set. Start the desk as `hub-config` says, or give --standalone"
        )
    elif options.course or options.roster:
        raise UsageError("--course and --roster belong to --standalone; enrol with `quiz-widgets classroom roster`")
    os.environ.update(place.of_file(options))  # the desk itself reads them from there
    if options.standalone:  # started in a notebook's terminal: that Hub is not this desk's
        for name in [name for name in os.environ if name.startswith("JUPYTERHUB_")]:
            del os.environ[name]
    os.environ["QUIZ_DESK_DATABASE"] = settings.database
    os.environ["QUIZ_DESK_SECRETS"] = ",".join(settings.secrets)
    uvicorn.run(
        "quiz_widgets.classroom.desk.app:application",
        factory=True,
        host=options.host,
        port=options.port,
        workers=options.workers if options.workers > 1 else None,
        access_log=False,  # addresses would name learners
        proxy_headers=False,  # addresses decide nothing here
        timeout_graceful_shutdown=5,  # answers take milliseconds; whoever only waits for news would hold it up for long
        timeout_keep_alive=75,  # the Hub's proxy keeps idle connections; a shorter time here cuts them under it
        log_level="warning",
    )
    return 0


def _require_usable(options: argparse.Namespace, settings: Settings) -> None:
    """Say what stops the desk before anything is printed or changed; uvicorn would say it with a traceback."""
    from quiz_widgets.classroom.desk.database import alone

    with place.database(options):
        if settings.sqlite_file is not None:
            os.close(alone.claim(settings.sqlite_file))
    if not 1 <= options.workers <= MOST_WORKERS:
        raise UsageError(f"--workers {options.workers}: 1 to {MOST_WORKERS}")
    family = socket.AF_INET6 if ":" in options.host else socket.AF_INET
    with socket.socket(family) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((options.host, options.port))
        except (OSError, OverflowError) as error:
            raise UsageError(
                f"the desk cannot listen at {options.host} port {options.port}: "
                f"{getattr(error, 'strerror', None) or error}"
            ) from None


def _give_tokens(options: argparse.Namespace) -> int:
    """Enrol the roster and print one token for each line: kept nowhere, so new ones at each start."""
    from quiz_widgets.classroom.desk import courses
    from quiz_widgets.classroom.desk.clock import now
    from quiz_widgets.classroom.desk.identity import tokens

    if not options.course or not options.roster:
        raise UsageError("--standalone needs --course C and --roster FILE")
    lines, faults = courses.roster(place.text_of(options.roster))
    if faults:
        for fault in faults:
            print(f"{options.roster}: {fault}", file=sys.stderr)
        return FOUND
    host = f"[{options.host}]" if ":" in options.host else options.host
    print(f"The desk: http://{host}:{options.port}  (learners set QUIZ_WIDGETS_DESK to it)")
    with place.writing(options) as connection:
        for line in lines:
            courses.enrol(connection, options.course, line, place.me(), now())
            tokens.revoke(connection, line.name, now(), course=options.course)
            scope: Scope = "submit" if line.role == "learner" else "teach"
            made = tokens.give(connection, line.name, scope, now(), lifetime=None, course=options.course)
            print(f"{line.name}\t{line.role}\t{made}", flush=True)
    return 0


def _hub_config(options: argparse.Namespace) -> int:
    for url in (options.hub_url, options.desk_url):
        if not _URL.fullmatch(url):
            raise UsageError(f"{url!r} is no address of a server; give one such as http://127.0.0.1:8000")
    text = resources.files("quiz_widgets.cli.classroom").joinpath("hub_config.txt").read_text(encoding="utf-8")
    print(Template(text).substitute(hub_url=options.hub_url.rstrip("/"), desk_url=options.desk_url), end="")
    return 0
