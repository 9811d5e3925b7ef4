"""``quiz-widgets build``: the notebooks of a course, or everything that is generated in a checkout."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from quiz_widgets.cli.common import FOUND, UsageError, list_problems
from quiz_widgets.locales.reports import counted, say
from quiz_widgets.problems import ContentError

if TYPE_CHECKING:
    from quiz_widgets.cli.common import Commands


def add(commands: Commands) -> None:
    """Add the subcommand ``build``."""
    command = commands.add_parser(
        "build", help="write the notebooks of the course in which you stand", allow_abbrev=False
    )
    command.add_argument("--check", action="store_true", help="write nothing; list what is stale")
    command.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Carry it out."""
    from quiz_widgets import build, lab
    from quiz_widgets.authoring import registered
    from quiz_widgets.frontend.bundle import BundleError

    own = registered.course_root(Path.cwd())
    root = own or lab.checkout()
    if root is None:
        raise UsageError(say("no_checkout"))
    try:
        files = build.generate(root) if own is None else build.course(own)
    except ContentError as error:
        list_problems(error.problems)
        return FOUND
    except BundleError as error:
        print(error)
        return FOUND
    stale = [file for file in files if not file.fresh()]
    for file in stale:
        name = file.path.relative_to(root)
        if options.check:
            print(say("stale" if file.text is not None else "left_over", path=name))
        else:
            kept = build.set_aside(file.path) if own is not None else None
            if kept is not None:
                print(say("set_aside", path=name, kept=kept.relative_to(root)))
            file.write()
            print(say("written" if file.text is not None else "removed", path=name))
    if options.check and stale:
        print(say("run_build"))
        return FOUND
    made = counted("files", len(files))
    print(say("generated", files=made, changed=len(stale)) if stale else say("generated_fresh", files=made))
    return 0
