"""Proves keys: runs the evidence that items name, judges every item, and keeps what was found.

`run` computes and reports; `records.write` keeps the facts beside the quiz, and `records.problems` tells which of
those are missing or made by code that has changed since.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from quiz_widgets.demos import registry
from quiz_widgets.demos.registry import Facts
from quiz_widgets.evidence import modules as own
from quiz_widgets.evidence import workers
from quiz_widgets.evidence.judging import Finding, ItemReport, Outcome, Verdict, holds, judge
from quiz_widgets.locales import SOURCE_LOCALE
from quiz_widgets.locales.reports import message
from quiz_widgets.model import Item, Quiz
from quiz_widgets.problems import ContentError

__all__ = ["Finding", "ItemReport", "Outcome", "Report", "Verdict", "holds", "judge", "run"]


@dataclass(frozen=True, slots=True)
class Report:
    """What came of all items."""

    items: tuple[ItemReport, ...]

    def count(self, outcome: Outcome) -> int:
        """How many items came out so."""
        return sum(item.outcome == outcome for item in self.items)

    @property
    def contradicted(self) -> tuple[ItemReport, ...]:
        """The items that make a check fail."""
        return tuple(item for item in self.items if item.outcome == "contradicted")

    def last_line(self, locale: str = SOURCE_LOCALE) -> str:
        """The one line that sums the report up."""
        missing = tuple(sorted({package for item in self.items for package in item.missing}))
        counts: dict[str, object] = {
            "proved": self.count("proved"),
            "total": len(self.items),
            "cited": self.count("cited"),
            "contradicted": len(self.contradicted),
            "skipped": self.count("skipped"),
        }
        told = message("evidence_missing", packages=missing, **counts) if missing else message("evidence", **counts)
        return told.text(locale)

    def lines(self, locale: str = SOURCE_LOCALE) -> list[str]:
        """The whole report, ending with `last_line`."""
        return [line for item in self.items for line in item.lines(locale)] + [self.last_line(locale)]


def run(quizzes: Iterable[Quiz], *, modules: Sequence[str] = ()) -> Report:
    """Compute the evidence of every item of these quizzes, each function once, and judge the items.

    `modules` register evidence beside those that `modules.include` has imported; `ContentError` names those that
    cannot be imported.
    """
    problems = own.load(modules)
    if problems:
        raise ContentError(problems)
    pairs = [(quiz, item) for quiz in quizzes for item in quiz.own]
    needed = {item.evidence for _, item in pairs if item.evidence is not None}
    known = [registry.get(name) for name in sorted(needed & set(registry.names()))]
    results = workers.compute(
        [entry for entry in known if not entry.missing()], [*own.included, *modules], paths=own.paths
    )
    return Report(tuple(_report(quiz, item, results) for quiz, item in pairs))


def _report(quiz: Quiz, item: Item, results: Mapping[str, Facts | str]) -> ItemReport:
    name = item.evidence
    if name is None:
        return ItemReport(quiz.id, item.id, None, "cited" if item.source is not None else "open")
    if name not in registry.names():
        return ItemReport(quiz.id, item.id, name, "contradicted", message=message("unregistered", name=f"`{name}`"))
    missing = registry.get(name).missing()
    if missing:
        told = message("packages_missing", packages=" ".join(missing))
        return ItemReport(quiz.id, item.id, name, "skipped", message=told, missing=tuple(missing))
    found = results[name]
    if isinstance(found, str):
        told = message("uncomputed", name=f"`{name}`", reason=found)
        return ItemReport(quiz.id, item.id, name, "contradicted", message=told)
    return judge(quiz.id, item, found)
