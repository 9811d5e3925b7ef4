"""Somebody known, and what they may do here."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Scope = Literal["submit", "teach"]
Source = Literal["hub", "ticket", "token", "browser"]


@dataclass(frozen=True, slots=True)
class Who:
    """A person by their Hub name. `source` says how they are known: a kernel's token never teaches.

    `course` narrows a token that was given out for one course. `groups` are those of the Hub, where it told them just
    now; `None` where it did not.
    """

    name: str
    scopes: frozenset[Scope]
    source: Source
    course: str | None = None
    groups: frozenset[str] | None = None
