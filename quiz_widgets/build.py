"""Everything that is generated from content/ and from the contract: written, or compared with what is there.

`generate` makes what belongs to a checkout of this project; `course` the notebooks of a course of one's own, and keeps
beside them what somebody wrote into one.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from quiz_widgets import authoring, compiled, frontend, notebooks
from quiz_widgets.authoring import guides, places, registered, schema
from quiz_widgets.contract import script
from quiz_widgets.demos import cells, registry
from quiz_widgets.evidence import modules
from quiz_widgets.model import Quiz
from quiz_widgets.problems import ContentError, Problem


@dataclass(frozen=True, slots=True)
class Generated:
    """A file that is made from others: where it stands, and its whole text (``None``: it should not be there)."""

    path: Path
    text: str | None
    compared: Callable[[str], object] = str

    def fresh(self) -> bool:
        """Whether the file on disk says the same."""
        if self.text is None or not self.path.is_file():
            return self.text is None and not self.path.exists()
        try:
            return self.compared(self.path.read_text(encoding="utf-8")) == self.compared(self.text)
        except (ValueError, LookupError, TypeError):
            return False  # no JSON, no notebook: whatever it is, it is not what was generated

    def write(self) -> None:
        """Make the file say this, and leave it alone where it does."""
        if self.text is None:
            self.path.unlink(missing_ok=True)
        elif not self.path.is_file() or self.path.read_bytes() != self.text.encode():
            self.path.parent.mkdir(parents=True, exist_ok=True)
            self.path.write_text(self.text, encoding="utf-8", newline="\n")


def generate(root: Path) -> list[Generated]:
    """Every generated file of the checkout at `root`; `ContentError` with all problems when content is unfit.

    `BundleError` when the front end's modules do not join.
    """
    course, books = root / "quiz_widgets" / "course", root / "notebooks"
    page = root / "quiz_widgets" / "frontend"
    shapes = script.javascript()
    made = [Generated(page / "contract.js", shapes)]
    joined = frontend.joined_files({"contract.js": shapes})
    made += [Generated(page / "joined" / name, text) for name, text in joined.items()]
    docs = (root / "docs" / "authoring.md").read_text(encoding="utf-8")
    for kind in schema.NAMES:
        beside = root / schema.file(kind).relative_to(Path(__file__).parents[1])
        made.append(Generated(beside, schema.generate(kind, docs)))
    problems: list[Problem] = []
    for source in sorted((root / "content").glob("*/quiz.yaml")):
        try:
            made += _of_quiz(source, course, books)
        except ContentError as error:
            problems += error.problems
    if problems:
        raise ContentError(problems)
    expected = {file.path for file in made}
    left = [*sorted(course.glob("*.json")), *sorted(books.glob("[!.]*/*.ipynb"))]
    return made + [Generated(path, None) for path in left if path not in expected]


def course(root: Path) -> list[Generated]:
    """The notebooks of the course at `root`, of one's own: one for each guide of ``content/`` and each locale.

    Where its own code draws numbers, the modules of evidence that it names are imported: this runs its code.
    `ContentError` with all problems when content is unfit.
    """
    problems: list[Problem] = []
    made: list[Generated] = []
    sources = sorted((root / "content").glob("*/quiz.yaml"))
    if not sources:
        hint = "write content/ID/quiz.yaml"
        problems.append(Problem(str(root / "content"), message="there is no quiz", hint=hint, rule="file"))
    for source in sources:
        try:
            made += _of_own_quiz(source, root)
        except ContentError as error:
            problems += error.problems
    if problems:
        raise ContentError(problems)
    return made


def set_aside(path: Path) -> Path | None:
    """Rename a notebook of a course whose cells somebody changed since it was built; its new path, else `None`.

    Outputs do not count: running a cell is no change of it.
    """
    if not path.exists():
        return None
    try:
        text = path.read_text(encoding="utf-8")
        if json.loads(text)["metadata"]["quiz_widgets"]["cells"] == _digest(text):
            return None
    except (ValueError, LookupError, TypeError):
        pass  # whatever it is, it was not built here
    names = (path.with_suffix(f".yours{number}.ipynb") for number in ("", *(f"-{n}" for n in range(2, 1000))))
    kept = next(name for name in names if not name.exists())
    path.rename(kept)
    return kept


def _of_quiz(source: Path, course: Path, books: Path) -> Iterator[Generated]:
    """The compiled quiz and one notebook for each locale of its guide."""
    quiz = authoring.load(source)
    yield Generated(course / f"{quiz.id}.json", compiled.dump(quiz))
    for guide in _guides(source, quiz):
        target = books / guide.locale / f"{guide.id}.ipynb"
        yield Generated(target, notebooks.notebook(guide, quiz), notebooks.content)


def _of_own_quiz(source: Path, root: Path) -> Iterator[Generated]:
    """One notebook for each locale of the quiz's guide, with a mark by which changed ones are known."""
    quiz, runs = _drawn(source, root)
    demos = registered.demos_folder(root)
    for guide in _guides(source, quiz, demos):
        load = f'"../../content/{quiz.id}", locale="{guide.locale}"' + (", evidence=True" if runs else "")
        try:
            text = notebooks.notebook(guide, quiz, load=load, demos=demos)
        except (OSError, ValueError) as error:
            fault = Problem(str(demos), message=f"a demo cannot be read: {error}", rule="guide-demo")
            raise ContentError([fault]) from None
        document = json.loads(text)
        document["metadata"]["quiz_widgets"] = {"cells": _digest(text)}
        marked = json.dumps(document, ensure_ascii=False, indent=1, sort_keys=True) + "\n"
        yield Generated(root / "notebooks" / guide.locale / f"{guide.id}.ipynb", marked, notebooks.content)


def _drawn(source: Path, root: Path) -> tuple[Quiz, bool]:
    """The quiz, and whether the course's own code draws numbers of it."""
    try:
        quiz = authoring.load(source)
    except ContentError as error:
        if all(problem.rule != "undrawn" for problem in error.problems):
            raise
        problems = modules.include([root])
        if problems:
            raise ContentError(problems) from None
        quiz = authoring.load(source)
    drawing = [registry.get(item.evidence) for item in quiz.items if item.variants and item.evidence is not None]
    return quiz, any(entry.compute.__module__ in modules.included for entry in drawing)


def _guides(source: Path, quiz: Quiz, demos: Path | None = None) -> Iterator[guides.GuideDocument]:
    """The guide beside a quiz in each of its locales; `ContentError` where it does not fit the quiz."""
    for path in sorted(source.parent.glob("guide.*.md")):
        guide = guides.read(path, path.name.split(".")[1])
        problems = [*guide.problems, *places.check(guide, quiz, cells.names(demos))]
        if problems:
            raise ContentError(problems)
        yield guide


def _digest(notebook: str) -> str:
    """A hash of the kinds and sources of a notebook's cells."""
    compared = [cell[:2] for cell in notebooks.content(notebook)]
    return hashlib.sha256(json.dumps(compared).encode()).hexdigest()[:16]
