"""A quiz as it is printed: its versions with their questions numbered and their options lettered, and their keys.

What a version shows follows from ids, so that the same file comes of the same quiz: a key printed later fits.
"""

from __future__ import annotations

import string
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from quiz_widgets import locales
from quiz_widgets.formats import answers, losses, markdown, moodle_grades, shuffled
from quiz_widgets.formats.base import Format, Notices, Printing
from quiz_widgets.formats.draft import DraftItem, DraftKind, DraftOption, DraftQuiz, DraftTarget, Exported
from quiz_widgets.locales.forms import local_number
from quiz_widgets.locales.numbers import canonical

KINDS: frozenset[DraftKind] = frozenset({"single", "multiple", "number", "text", "order", "match"})
_ALWAYS: frozenset[losses.Part] = frozenset(
    (
        "points",
        "pins",
        "unit",
        "language",
        "title",
        "description",
        "markup",
        "credit",
        "shares",
        "match_case",
        "tries",
        "section",
        "set",
    )
)
_KEYED: frozenset[losses.Part] = frozenset(("rationale", "explanation", "tolerance", "source", "patterns", "slips"))
Printer = Callable[[Printing, DraftQuiz], Exported]


@dataclass(frozen=True, slots=True)
class Question:
    """A question of a version: what can be chosen stands in its order, with letters."""

    number: int
    item: DraftItem
    options: tuple[tuple[str, DraftOption], ...]
    targets: tuple[tuple[str, DraftTarget], ...]


@dataclass(frozen=True, slots=True)
class Version:
    """One version; the name is empty where there is one only."""

    name: str
    questions: tuple[Question, ...]


@dataclass(frozen=True, slots=True)
class Paper:
    """Everything that is printed, with the words of its language."""

    quiz: DraftQuiz
    locale: str
    words: Mapping[str, Any]
    versions: tuple[Version, ...]
    key: bool

    def word(self, name: str, /, **values: object) -> str:
        """An interface word."""
        return str(self.words[name]).format_map(values)

    def number(self, value: Decimal) -> str:
        """A number with the decimal sign of the language."""
        return local_number(canonical(value), self.locale)

    def heading(self, version: Version) -> str:
        """The title, with the version's name."""
        title = markdown.to_plain(self.quiz.title)
        return f"{title} · {self.word('static_print_version', name=version.name)}" if version.name else title

    def asked(self, item: DraftItem) -> str:
        """What is to be done, where the question alone does not say it."""
        name = {
            "multiple": "choose_several",
            "number": "static_number",
            "text": "static_text",
            "order": "static_order",
            "match": "match_from",
        }.get(item.kind)
        return self.word(name) if name else ""

    def points(self, item: DraftItem) -> str:
        """The points of a question that has more or less than one."""
        return self.word("static_print_points", count=self.number(item.points)) if item.points != 1 else ""

    def answer(self, question: Question) -> str:
        """The key of a question as Markdown: letters, or what is to be typed."""
        item = question.item
        letters = {option.id: letter for letter, option in question.options}
        if item.kind == "number":
            value = "" if item.value is None else self.number(item.value)
            allowed = moodle_grades.absolute(item)
            shown = f"{value} ± {self.number(allowed)}" if allowed else value
            return f"{markdown.escape(shown)} {item.unit}".strip()
        if item.kind == "text":
            texts = [text for known in item.accept if known.credit for text in answers.alternatives(known.text)]
            return " / ".join(markdown.inline_code(text.replace(r"\*", "*")) for text in texts)
        if item.kind == "order":
            return " ".join(letters[option.id] for option in item.options)
        if item.kind == "match":
            named = {target.id: letter for letter, target in question.targets}
            return " ".join(named.get(option.target, "–") for _, option in question.options)
        return " ".join(letter for letter, option in question.options if option.correct)

    def reasons(self, question: Question) -> list[tuple[str, str]]:
        """Marks and Markdown of what is said of the answers: rationales by letter or answer, then the explanation."""
        item = question.item
        told = [(f"{letter})", option.rationale) for letter, option in question.options if option.rationale]
        told += [
            (f"{answers.alternatives(known.text)[0]}:", known.rationale) for known in item.accept if known.rationale
        ]
        told += [(f"{self.number(slip.value)}:", slip.rationale) for slip in item.slips]
        return told + ([("", item.explanation)] if item.explanation else [])


def paper(quiz: DraftQuiz, printing: Printing) -> tuple[Paper, Notices]:
    """The quiz to be printed, and what is not on paper."""
    kept, notices = losses.check(quiz, kinds=KINDS, holds=_ALWAYS | _KEYED)
    if not printing.key:
        message = "no answers and no reasons are in the file"
        notices.add(0, "", "no-key", message, "--key writes them", severity="note")
    locale = quiz.language if quiz.language in locales.available() else locales.SOURCE_LOCALE
    words = locales.words(locale)
    letters = str(words["static_letters"]).split()
    several = printing.versions > 1
    made = tuple(
        _version(kept, string.ascii_uppercase[at] if several else "", letters) for at in range(printing.versions)
    )
    return Paper(kept, locale, words, made, printing.key), notices


def printer(lines: Callable[[Paper], Iterable[str]]) -> Printer:
    """Prints a quiz as it is asked for, of whatever lines a format makes of it."""

    def printed(printing: Printing, quiz: DraftQuiz) -> Exported:
        made, notices = paper(quiz, printing)
        return Exported(("\n".join(lines(made)) + "\n").encode(), notices.done())

    return printed


def on_paper(*, id: str, title: str, suffix: str, printed: Printer) -> Format:
    """A format for paper: nothing is read from it, and `write` gives one version without the key."""
    return Format(
        id=id,
        title=title,
        suffix=suffix,
        recognise=lambda _source: 0.0,
        write=lambda quiz: printed(Printing(), quiz),
        printed=printed,
    )


def _version(quiz: DraftQuiz, name: str, letters: list[str]) -> Version:
    seed = f"{quiz.id}/{name}"
    items = shuffled.items(quiz.items, seed) if name else quiz.items

    def letter(at: int) -> str:
        return letters[at] if at < len(letters) else str(at + 1)

    return Version(
        name,
        tuple(
            Question(
                number,
                item,
                tuple((letter(at), option) for at, option in enumerate(shuffled.options(item, seed))),
                tuple((letter(at), target) for at, target in enumerate(shuffled.targets(item, seed))),
            )
            for number, item in enumerate(items, start=1)
        ),
    )
