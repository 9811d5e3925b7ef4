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

_ROUNDS = 20  # of one file: mended YAML may show what the parser did not get to


@dataclass(frozen=True, slots=True)
class Mended:
    """A file before and after, and at how many places it was mended."""

    path: Path
    before: bytes
    after: bytes
    places: int

    def diff(self) -> str:
        """What changes, as a unified diff."""
        old, new = (data.decode("utf-8").splitlines(keepends=True) for data in (self.before, self.after))
        lines = difflib.unified_diff(old, new, str(self.path), str(self.path))
        return "".join(line if line.endswith("\n") else f"{line}\n" for line in lines)


def mend(problems: Iterable[Problem]) -> list[Mended]:
    """What can be mended in the files of these problems. Nothing is written."""
    files = {Path(problem.file) for problem in problems if problem.rule in RULES and RULES[problem.rule].fixed}
    # Translations of a quiz with errors are not read by a check, and may want mending as well.
    files |= {beside for file in files for beside in reader.beside(file)}
    found = []
    for path in sorted(files):
        before = path.read_bytes()
        after, count = _mend(before, path) if _readable(before) else (before, 0)
        if after != before:
            found.append(Mended(path, before, after, count))
    return found


def _readable(data: bytes) -> bool:
    """Whether it is text in UTF-8; bytes of another encoding are the author's to save anew."""
    try:
        data.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True


def _mend(data: bytes, path: Path) -> tuple[bytes, int]:
    count = 0
    for _ in range(_ROUNDS):
        better = _better(data, path)
        if better is None:
            break
        data, places = better
        count += places
    return data, count


def _better(data: bytes, path: Path) -> tuple[bytes, int] | None:
    """The file with all edits at once; where these do not go together, with the first that helps."""
    document, known = tree.read(data, str(path)), _problems(data, path)
    edits = {edit for problem in known if (edit := edit_for(document, problem)) is not None}
    for some in (edits, *({edit} for edit in sorted(edits))):
        made = splice(data, some)
        if made != data and _helps(document, known, made, path):
            return made, len(some)
    if any(problem.rule == "yaml" for problem in known):
        spaced, lines = tabs.spaced(data)
        if spaced is not None and _helps(document, known, spaced, path):
            return spaced, lines
    return None


def _helps(document: tree.Document, known: list[Problem], made: bytes, path: Path) -> bool:
    """Whether less is wrong in the mended file, and nothing new that could not be mended as well."""
    after = tree.read(made, str(path))
    if path.suffix != ".md" and document.root is None:  # the parser gets further now, and may find more
        return after.root is not None or _stopped(after) > _stopped(document)
    if path.suffix != ".md" and after.root is None:
        return False
    before, left = (Counter(one.rule for one in some) for some in (known, _problems(made, path)))
    return left.total() < before.total() and all(RULES[rule].fixed for rule in left - before)


def _stopped(document: tree.Document) -> tuple[int, int]:
    """Where the parser gave up."""
    return max(((one.line, one.column) for one in document.problems), default=(0, 0))


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
