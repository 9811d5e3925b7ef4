"""`check --fix`: mends what is certain, by exchanging single spans; every other byte of a file stays as it is."""

from __future__ import annotations

import difflib
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from quiz_widgets.authoring import guides, quizzes, tree
from quiz_widgets.authoring.fixes import tabs
from quiz_widgets.authoring.fixes.edits import splice
from quiz_widgets.authoring.fixes.menders import edit_for
from quiz_widgets.authoring.overlays import reader
from quiz_widgets.authoring.rules import RULES
from quiz_widgets.problems import Problem

__all__ = ["Mended", "mend"]

_ROUNDS = 8  # of one file: mended YAML may show what the parser did not get to
_SYNTAX = frozenset({"yaml", "tex-escape", "indentation"})


@dataclass(frozen=True, slots=True)
class Mended:
    """A file before and after, and how many problems are gone."""

    path: Path
    before: bytes
    after: bytes
    problems: int

    def diff(self) -> str:
        """What changes, as a unified diff."""
        old, new = (data.decode("utf-8").splitlines(keepends=True) for data in (self.before, self.after))
        lines = difflib.unified_diff(old, new, str(self.path), str(self.path))
        return "".join(line if line.endswith("\n") else f"{line}\n" for line in lines)


def mend(problems: Iterable[Problem]) -> list[Mended]:
    """What can be mended in the files of these problems. Nothing is written."""
    files = sorted({problem.file for problem in problems if problem.rule in RULES and RULES[problem.rule].fixed})
    found = []
    for file in files:
        path = Path(file)
        before = path.read_bytes()
        after, count = _mend(before, path)
        if after != before:
            found.append(Mended(path, before, after, count))
    return found


def _mend(data: bytes, path: Path) -> tuple[bytes, int]:
    count = 0
    for _ in range(_ROUNDS):
        known = _problems(data, path)
        better = _better(data, path, known)
        if better is None:
            break
        data, fewer = better
        count += fewer
    return data, count


def _better(data: bytes, path: Path, known: list[Problem]) -> tuple[bytes, int] | None:
    """The file with all edits at once; where these do not go together, with the first that helps."""
    document = tree.read(data, str(path))
    edits = [edit for problem in known if (edit := edit_for(document, problem)) is not None]
    for some in (edits, *([one] for one in edits)):
        if some and (made := _checked(data, path, known, splice(data, some))):
            return made
    if any(problem.rule == "yaml" for problem in known):
        spaced = tabs.spaced(data)
        return None if spaced is None else _checked(data, path, known, spaced)
    return None


def _checked(data: bytes, path: Path, known: list[Problem], made: bytes) -> tuple[bytes, int] | None:
    """The mended file and how many problems are gone; `None` when something else would be wrong in it."""
    if made == data:
        return None
    before, after = (Counter(one.rule for one in some) for some in (known, _problems(made, path)))
    unread = sum(before[rule] for rule in _SYNTAX)
    if unread:  # the parser gets further now, and may find more
        fewer = unread - sum(after[rule] for rule in _SYNTAX)
        return (made, fewer) if fewer > 0 else None
    fewer = before.total() - after.total()
    return (made, fewer) if fewer > 0 and not after - before else None


def _problems(data: bytes, path: Path) -> list[Problem]:
    """What is wrong in this file alone."""
    if path.suffix == ".md":
        text = data.decode("utf-8-sig", errors="replace")
        found = guides.parse(text, file=str(path), guide_id=path.resolve().parent.name, locale="en").problems
    elif reader.NAME.fullmatch(path.name):
        found = tree.read(data, str(path)).problems
    else:
        found = quizzes.parse(data, path).problems
    return [problem for problem in found if problem.file == str(path)]
