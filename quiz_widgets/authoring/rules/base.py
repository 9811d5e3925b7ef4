"""What a rule is: an id that stays for ever, how much it weighs, and what its page says."""

from __future__ import annotations

from dataclasses import dataclass

from quiz_widgets.problems import Severity


@dataclass(frozen=True, slots=True)
class Rule:
    """One rule of good content.

    `finds` says what it reports and `why` what would go wrong, both in Markdown; `fixed` says that `check --fix`
    can mend it. `course` rules compare the quizzes of one check with each other.
    """

    id: str
    severity: Severity
    finds: str
    why: str
    fixed: bool = False
    course: bool = False

    @property
    def acceptable(self) -> bool:
        """Whether `exceptions:` may accept what it finds. An error leaves nothing that could be shown."""
        return self.severity != "error"


def error(id: str, finds: str, why: str, *, fixed: bool = False) -> Rule:
    """A rule whose problems make a quiz unfit."""
    return Rule(id, "error", finds, why, fixed)


def warning(id: str, finds: str, why: str, *, fixed: bool = False) -> Rule:
    """A rule of good questions: what it finds can be shown, and may be accepted with a reason."""
    return Rule(id, "warning", finds, why, fixed)
