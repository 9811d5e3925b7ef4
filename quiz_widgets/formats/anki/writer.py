"""A quiz as flash cards: the question and its options on the front; the answer, and why, on the back."""

from __future__ import annotations

import csv
import io

from quiz_widgets import locales
from quiz_widgets.formats import answers, boxed, losses, markdown, moodle_grades, shuffled
from quiz_widgets.formats.base import Notices
from quiz_widgets.formats.draft import DraftItem, DraftKind, DraftQuiz, Exported
from quiz_widgets.locales.numbers import canonical

_KINDS: frozenset[DraftKind] = frozenset({"single", "multiple", "number", "text", "order", "match"})
_HOLDS: frozenset[losses.Part] = frozenset(
    ("rationale", "explanation", "tolerance", "unit", "pins", "language", "title", "section", "set", "ids", "markup")
)


def write(quiz: DraftQuiz) -> Exported:
    """One note of the type Basic for each question; its id lets a later import update the card."""
    kept, notices = losses.check(quiz, kinds=_KINDS, holds=_HOLDS)
    file = io.StringIO(newline="")
    deck = " ".join(markdown.to_plain(quiz.title).split()).replace("::", ":")
    for line in ("separator:tab", "html:true", "notetype:Basic", *([f"deck:{deck}"] if deck else [])):
        file.write(f"#{line}\n")
    file.write("#columns:GUID\tFront\tBack\tTags\n#guid column:1\n#tags column:4\n")
    rows = csv.writer(file, delimiter="\t", lineterminator="\n")
    cards = _Cards(quiz.language, notices)
    for item in kept.items:
        tags = [*item.tags, *([f"section:{item.section}"] if item.section else [])]
        tags += [f"set:{item.set}"] if item.set else []
        words = " ".join("_".join(tag.split()) for tag in tags)
        rows.writerow([f"{quiz.id or 'quiz'}/{item.id}", cards.front(item), cards.back(item), words])
    return Exported(file.getvalue().encode(), notices.done())


class _Cards:
    def __init__(self, language: str, notices: Notices) -> None:
        self.language = language
        self.notices = notices
        known = language if language in locales.available() else locales.SOURCE_LOCALE
        self.letters = str(locales.words(known)["static_letters"]).split()

    def html(self, source: str) -> str:
        return boxed.html(source, self.language)

    def letter(self, at: int) -> str:
        return self.letters[at] if at < len(self.letters) else str(at + 1)

    def front(self, item: DraftItem) -> str:
        """The question, and what can be chosen, in an order of its own."""
        parts = [self.html(item.stem)]
        if item.options:
            parts.append(self.listed([option.text for option in shuffled.options(item, item.id)], letters=True))
        if item.targets:
            parts.append(self.listed([target.text for target in shuffled.targets(item, item.id)], letters=False))
        return "<br>".join(parts)

    def listed(self, texts: list[str], *, letters: bool) -> str:
        marks = (f"<b>{self.letter(at)}</b> " if letters else "• " for at in range(len(texts)))
        inner = "".join(f"<div>{mark}{markdown.to_html(text)}</div>" for mark, text in zip(marks, texts, strict=True))
        if not self.language or self.language == locales.SOURCE_LOCALE:
            return inner
        return f'<div lang="{self.language}" dir="{locales.direction(self.language)}">{inner}</div>'

    def back(self, item: DraftItem) -> str:
        """The answer; below a line the reasons and the explanation."""
        reasons: list[str] = []
        shown = shuffled.options(item, item.id)
        if item.kind == "number":
            allowed = moodle_grades.absolute(item)
            answer = canonical(item.value) if item.value is not None else ""
            unit = f" {markdown.to_plain(item.unit)}" if item.unit else ""
            answer += f" ± {canonical(allowed)}{unit}" if allowed else unit
        elif item.kind == "text":
            answer = markdown.to_html(markdown.escape(self.typed(item)))
        elif item.kind == "order":
            answer = self.listed([option.text for option in item.options], letters=False)
        elif item.kind == "match":
            named = {target.id: target.text for target in item.targets}
            answer = self.listed([f"{option.text} → {named.get(option.target, '')}" for option in shown], letters=True)
        else:
            right = [
                f"<div><b>{self.letter(at)}</b> {self.html(option.text)}</div>"
                for at, option in enumerate(shown)
                if option.correct
            ]
            answer = "".join(right)
        reasons += [
            f"<div><b>{self.letter(at)}</b> {self.html(option.rationale)}</div>"
            for at, option in enumerate(shown)
            if option.rationale
        ]
        reasons += [f"<div>{self.html(known.rationale)}</div>" for known in item.accept if known.rationale]
        below = "".join([*reasons, self.html(item.explanation)])
        return f"{answer}<hr>{below}" if below else answer

    def typed(self, item: DraftItem) -> str:
        """The first accepted answer; the others are noted."""
        texts = [text for known in item.accept if known.credit == 1 for text in answers.alternatives(known.text)]
        if len(texts) > 1:
            message = f"other accepted answers are not exported: {', '.join(texts[1:])[:80]}"
            self.notices.add(0, item.id, "lost", message)
        return texts[0].replace(r"\*", "*") if texts else ""
