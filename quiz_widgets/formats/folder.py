"""Drafts to a quiz's folder: quiz.yaml without an error, its pictures, and, apart, the questions that lack something.

Our own reader judges what is written. A question that it refuses goes to ``left-out.txt`` with the reason, so that
nothing broken is in the quiz and nothing is lost.
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from quiz_widgets.authoring import quizzes
from quiz_widgets.formats import complete, emit
from quiz_widgets.formats.base import Notices, silent
from quiz_widgets.formats.draft import DraftItem, DraftQuiz
from quiz_widgets.problems import Problem

LEFT_OUT = "left-out.txt"
_INDEX = re.compile(r"items\[(\d+)\]")


@dataclass(frozen=True, slots=True)
class Prepared:
    """What would be written: the files of the folder `id` by name, and all that there is to say about them."""

    id: str
    files: Mapping[str, bytes]
    items: int
    left_out: int
    problems: tuple[Problem, ...]


def prepare(draft: DraftQuiz, file: str, origin: str, to: Path, tell: Callable[[int, int], None] = silent) -> Prepared:
    """The folder's files, with a quiz.yaml that `check` accepts; none of them when no question can be kept."""
    ready, notices = complete.quiz(draft, file, origin, tell)
    items, refused = list(ready.items), list[tuple[DraftItem, list[Problem]]]()
    while items:
        text = emit.head(ready) + "\n".join(emit.item(item) for item in items)
        faults = _errors(text, to / ready.id / quizzes.QUIZ_FILE)
        if not faults:
            break
        bad = {index: found for index, found in faults.items() if 0 <= index < len(items)}
        if not bad:
            refused += [(item, faults.get(-1, [])) for item in items]  # the heading itself: nothing can be kept
            items.clear()
            break
        refused += [(items[index], found) for index, found in sorted(bad.items())]
        items = [item for index, item in enumerate(items) if index not in bad]
    for item, found in refused:
        _refused(item, found, notices)
    files: dict[str, bytes] = {}
    if items:
        files = {quizzes.QUIZ_FILE: text.encode(), **_used(ready.files, text)}
    if refused:
        files[LEFT_OUT] = _left_out(refused).encode()
    return Prepared(ready.id, files, len(items), len(refused), tuple(sorted(set(notices.problems))))


def _used(files: Mapping[str, bytes], text: str) -> dict[str, bytes]:
    """The pictures that the written questions name."""
    return {name: content for name, content in files.items() if name in text}


def write(prepared: Prepared, to: Path) -> Path:
    """Write the folder; `FileExistsError` when it is there already. Returns its path."""
    target = to / prepared.id
    target.mkdir(parents=True)
    for name, content in prepared.files.items():
        (target / name).write_bytes(content)
    return target


def _errors(text: str, path: Path) -> dict[int, list[Problem]]:
    """What our reader refuses, by the index of the item; −1 for what is of no item."""
    found: dict[int, list[Problem]] = {}
    for problem in quizzes.parse(text.encode(), path).problems:
        if problem.severity == "error":
            index = _INDEX.match(problem.path)
            found.setdefault(int(index[1]) if index else _item_of_line(text, problem.line), []).append(problem)
    return found


def _item_of_line(text: str, line: int) -> int:
    """The item in which a line stands; −1 for the heading."""
    starts = [number for number, found in enumerate(text.split("\n"), start=1) if found.startswith("  - id: ")]
    return sum(start <= line for start in starts) - 1


def _refused(item: DraftItem, faults: Sequence[Problem], notices: Notices) -> None:
    local = Notices(item.place.file or notices.file, notices.problems)
    name = item.name or " ".join(item.stem.split())[:40]
    for fault in faults:
        rule = f"refused-{fault.rule}"
        local.add(item.place.line, name, rule, f"left out: {fault.message}", fault.hint, severity="error")


def _left_out(refused: Sequence[tuple[DraftItem, list[Problem]]]) -> str:
    def parts() -> Iterator[str]:
        yield "# Questions that lack something. Mend them, and put them into quiz.yaml under `items:`.\n"
        for item, faults in refused:
            for fault in faults:
                yield f"\n  # {' '.join(fault.text.split())}"
            yield "\n" + emit.item(dataclasses.replace(item))

    return "".join(parts())
