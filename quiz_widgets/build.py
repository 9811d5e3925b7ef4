"""Everything that is generated from content/ and from the contract: written, or compared with what is there."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from quiz_widgets import authoring, compiled, contract, frontend, notebooks
from quiz_widgets.authoring import guides, places, schema
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
    shapes = contract.javascript()
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


def _of_quiz(source: Path, course: Path, books: Path) -> Iterator[Generated]:
    """The compiled quiz and one notebook for each locale of its guide."""
    quiz = authoring.load(source)
    yield Generated(course / f"{quiz.id}.json", compiled.dump(quiz))
    for path in sorted(source.parent.glob("guide.*.md")):
        guide = guides.read(path, path.name.split(".")[1])
        problems = [*guide.problems, *places.check(guide, quiz)]
        if problems:
            raise ContentError(problems)
        target = books / guide.locale / f"{guide.id}.ipynb"
        yield Generated(target, notebooks.notebook(guide, quiz), notebooks.content)
