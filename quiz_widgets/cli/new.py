"""``quiz-widgets new``: a small working course of one's own, to be changed until it is somebody's subject."""

from __future__ import annotations

import argparse
import re
from importlib import resources
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import TYPE_CHECKING

from quiz_widgets.cli.common import UsageError
from quiz_widgets.locales.reports import counted, say

if TYPE_CHECKING:
    from quiz_widgets.cli.common import Commands

_NAME = re.compile(r"[a-z][a-z0-9]*(?:-[a-z0-9]+)*")
_TRANSLATIONS = ("tr", "ar")


def add(commands: Commands) -> None:
    """Add the subcommand ``new``."""
    command = commands.add_parser(
        "new",
        help="make a small course of your own",
        description="Write a small course that works into a new folder: a quiz, its guide, a translation, code that "
        "proves a key, and the notebooks.",
        allow_abbrev=False,
    )
    command.add_argument("course", type=Path, metavar="COURSE", help="the folder to make; its name is the quiz's id")
    command.add_argument("--locale", choices=_TRANSLATIONS, default="tr", help="the translation (default: tr)")
    command.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Carry it out. Nothing that is there already is touched."""
    target: Path = options.course
    name = target.resolve().name
    if not _NAME.fullmatch(name):
        raise UsageError(say("new_name", name=name or target))
    if target.exists() and (not target.is_dir() or any(target.iterdir())):
        raise UsageError(say("new_taken", path=target))
    prefix = name.replace("-", "_")  # modules and evidence of two courses must not have the same names
    words = {"COURSE": name, "MODULE": f"{prefix}_evidence", "PREFIX": prefix, "LOCALE": options.locale}
    left_out = tuple(f".{locale}." for locale in _TRANSLATIONS if locale != options.locale)
    template = resources.files("quiz_widgets").joinpath("templates", "course")
    files = [path for path, _ in _files(template, Path()) if not any(mark in path.name for mark in left_out)]
    for path, entry in _files(template, Path()):
        if path in files:
            written = target / _filled(path.as_posix(), words)
            written.parent.mkdir(parents=True, exist_ok=True)
            written.write_text(_filled(entry.read_text(encoding="utf-8"), words), encoding="utf-8", newline="\n")

    from quiz_widgets import authoring, build

    notebooks = build.course(target.resolve())
    for notebook in notebooks:
        notebook.write()
    report = authoring.check([target])
    counts = {"quizzes": report.quizzes, "items": report.items, "files": len(files) + len(notebooks)}
    print(say("new_made", path=target, **{key: counted(key, count) for key, count in counts.items()}))
    print(say("new_next", path=target, name=name))
    return 0


def _files(folder: Traversable, below: Path) -> list[tuple[Path, Traversable]]:
    """The files of the template by their paths. A name that begins with ``dot-`` stands for a hidden one."""
    found: list[tuple[Path, Traversable]] = []
    for entry in sorted(folder.iterdir(), key=lambda entry: entry.name):
        path = below / re.sub("^dot-", ".", entry.name)
        if entry.is_dir():
            found += _files(entry, path) if entry.name != "__pycache__" else []
        else:
            found.append((path, entry))
    return found


def _filled(text: str, words: dict[str, str]) -> str:
    for word, meaning in words.items():
        text = text.replace(word, meaning)
    return text
