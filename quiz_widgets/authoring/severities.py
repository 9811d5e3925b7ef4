"""How much problems weigh: as their rules say, less where an author accepts them, more where a quiz is strict."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from difflib import get_close_matches

from quiz_widgets.authoring.fields import Fields, listed
from quiz_widgets.authoring.rules import RULES
from quiz_widgets.authoring.rules.exceptions import STALE, UNACCEPTABLE, UNKNOWN
from quiz_widgets.authoring.tree import Mapping, Node, Scalar, Sequence
from quiz_widgets.problems import Problem

FIELD = "exceptions"


@dataclass(slots=True)
class _Exception:
    """One entry of `exceptions:`; `prefixes` are the paths that it covers (none: everything of the quiz)."""

    rule: str
    reason: str
    place: Node
    path: str
    prefixes: tuple[str, ...]
    used: bool = False

    def covers(self, problem: Problem) -> bool:
        """Whether it accepts the problem."""
        inside = not self.prefixes or problem.path in self.prefixes or problem.path.startswith(self._below)
        return self.rule == problem.rule and inside

    @property
    def _below(self) -> tuple[str, ...]:
        return tuple(f"{prefix}." for prefix in self.prefixes)


@dataclass(frozen=True, slots=True)
class Accepted:
    """A problem that its author accepts, and why."""

    problem: Problem
    reason: str


@dataclass(slots=True)
class Weighing:
    """Weighs the problems of one quiz by its `strict` and its `exceptions`."""

    strict: bool = False
    file: str = ""
    entries: list[_Exception] = field(default_factory=list)
    accepted: list[Accepted] = field(default_factory=list)

    def weigh(self, problems: Iterable[Problem]) -> Iterator[Problem]:
        """The problems that remain, as severe as they are for this quiz."""
        for problem in problems:
            rule = RULES.get(problem.rule)
            severity = rule.severity if rule else problem.severity
            entry = next((one for one in self.entries if one.covers(problem)), None)
            if entry is not None:
                entry.used = True
                self.accepted.append(Accepted(problem, entry.reason))
                continue
            if severity == "warning" and self.strict and (rule is None or rule.id != "stale"):
                severity = "error"
            yield problem if severity == problem.severity else dataclasses.replace(problem, severity=severity)

    def stale(self) -> Iterator[Problem]:
        """The exceptions that accepted nothing. Those from rules of the whole course depend on what is checked."""
        for entry in self.entries:
            if not entry.used and not RULES[entry.rule].course:
                message = f"`{entry.rule}` finds nothing here"
                place = (self.file, entry.place.line, entry.place.column, entry.path)
                yield Problem(*place, message, "remove the exception", STALE.severity, STALE.id)


def read(fields: Fields) -> Weighing:
    """How a quiz's own fields weigh its problems; faults in them are reported."""
    weighing = Weighing(fields.truth("strict"), fields.sink.document.file)
    weighing.entries += _entries(fields, ())
    items = fields.node.entries.get("items")
    for index, node in enumerate(items.items if isinstance(items, Sequence) else ()):
        if isinstance(node, Mapping) and FIELD in node.entries:
            item = node.entries.get("id")
            path = f"items[{index}]"
            prefixes = (path, *((f"items.{item.text.strip()}",) if isinstance(item, Scalar) else ()))
            weighing.entries += _entries(Fields(node, path, fields.sink), prefixes)
    return weighing


def _entries(fields: Fields, prefixes: tuple[str, ...]) -> Iterator[_Exception]:
    inner = fields.mapping(FIELD)
    for name in inner.node.entries if inner is not None else ():
        if inner is None:
            return
        reason = inner.word(name)
        key, rule = inner.key(name), RULES.get(name)
        if rule is None:
            near = get_close_matches(name, list(RULES), n=3)
            hint = (
                f"did you mean {listed(near, 'or')}?" if near else "the problem's rule stands in `check --format json`"
            )
            inner.sink.add(key, inner.path, UNKNOWN.id, f"unknown rule `{name}`", hint)
        elif not rule.acceptable:
            message = f"`{name}` finds errors, and these cannot be accepted"
            inner.sink.add(key, inner.path, UNACCEPTABLE.id, message, "mend what it finds, and remove the exception")
        elif reason is not None:
            yield _Exception(name, reason, key, inner.path, prefixes)
