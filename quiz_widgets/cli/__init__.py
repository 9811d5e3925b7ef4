"""The ``quiz-widgets`` command: each subcommand does one thing and says in words what is wrong.

Exit codes: 0 all is well; 1 something was found (problems in content, stale files); 2 wrong use.
One file holds one subcommand: ``add`` tells argparse what it takes, ``run`` carries it out.
"""

from __future__ import annotations

import argparse
import io
import os
import sys
from collections.abc import Sequence

from quiz_widgets.cli import build, check, classroom, export, import_, lab, new, preview, progress, schema, translate
from quiz_widgets.cli.common import FOUND, WRONG_USE, UsageError, list_problems
from quiz_widgets.locales.reports import say
from quiz_widgets.problems import ContentError

# In the order of `--help`.
_COMMANDS = (lab, new, check, translate, import_, export, preview, schema, build, progress, classroom)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")  # a terminal may lack the letters of a language or of a path
    parser = _parser()
    known, extra = parser.parse_known_args(arguments)
    if extra and known.run is not lab.run:
        parser.error(say("unknown_arguments", arguments=" ".join(extra)))
    known.extra = extra
    try:
        code: int = known.run(known)
        if sys.stdout is not None:  # None where it was closed before the start
            sys.stdout.flush()
    except UsageError as error:
        print(f"quiz-widgets: {error}", file=sys.stderr)
        return WRONG_USE
    except ContentError as error:
        list_problems(error.problems)
        return FOUND
    except KeyboardInterrupt:
        return 130
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # or Python complains while it exits
        return FOUND
    except OSError as error:
        print(f"quiz-widgets: {error.filename or ''}: {error.strerror or error}", file=sys.stderr)
        return FOUND
    return code


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="quiz-widgets",
        description="Quizzes in Jupyter notebooks, beside the guide they test.",
        allow_abbrev=False,
    )
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", required=True)
    for command in _COMMANDS:
        command.add(commands)
    return parser
