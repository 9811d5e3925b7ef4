"""The rules of good content: every id that a problem can have, and the checks that look at a whole quiz.

One file holds one rule or a small family. Rules of reading (YAML, fields, guides, translations) are found where the
text is read, and only described here; the others are functions of a `context.QuizContext`.
"""

from __future__ import annotations

from collections.abc import Mapping

from quiz_widgets.authoring.rules import (
    alike,
    all_or_none,
    counts,
    duplicates,
    evidence,
    exceptions,
    fields,
    files,
    guides,
    images,
    keys,
    lengths,
    letters,
    numbers,
    positions,
    rationales,
    references,
    sections,
    signs,
    translations,
    words,
)
from quiz_widgets.authoring.rules.base import Rule
from quiz_widgets.authoring.rules.context import ItemContext, QuizContext
from quiz_widgets.problems import Problem

__all__ = ["FAMILIES", "OF_TEXTS", "RULES", "ItemContext", "QuizContext", "Rule", "check_quiz"]

FAMILIES: Mapping[str, tuple[Rule, ...]] = {
    "Files": files.RULES,
    "Fields": fields.RULES,
    "Key and options": (
        *keys.RULES,
        *alike.RULES,
        *counts.RULES,
        *letters.RULES,
        *all_or_none.RULES,
        *references.RULES,
        *lengths.RULES,
        *positions.RULES,
    ),
    "Rationales and explanations": rationales.RULES,
    "Evidence": evidence.RULES,
    "Numbers": numbers.RULES,
    "Texts": signs.RULES,
    "Sections and guides": (*sections.RULES, *guides.RULES, *images.RULES),
    "The whole course": duplicates.RULES,
    "Translations": (*translations.RULES, *words.RULES),
    "Exceptions": exceptions.RULES,
}
"""All rules by the heading under which they are listed."""

RULES: Mapping[str, Rule] = {rule.id: rule for family in FAMILIES.values() for rule in family}

OF_TEXTS = frozenset(rule.id for rule in signs.RULES)
"""Rules that look at the signs of a text."""

_CHECKS = (
    alike.check_quiz,
    all_or_none.check_quiz,
    counts.check_quiz,
    evidence.check_quiz,
    images.check_quiz,
    keys.check_quiz,
    lengths.check_quiz,
    letters.check_quiz,
    positions.check_quiz,
    rationales.check_quiz,
    references.check_quiz,
    sections.check_quiz,
    signs.check_quiz,
)


def check_quiz(context: QuizContext) -> list[Problem]:
    """What the rules find in one quiz, its guides and its translations."""
    for check in _CHECKS:
        check(context)
    return context.problems
