"""A quiz as jupyterquiz JSON: HTML texts whose dollars and brackets its script does not see."""

from __future__ import annotations

import json
import math
from decimal import Decimal
from typing import Any

from quiz_widgets.formats import answers, boxed, losses, markdown, moodle_grades
from quiz_widgets.formats.base import Notices
from quiz_widgets.formats.draft import DraftItem, DraftQuiz, Exported
from quiz_widgets.locales.numbers import canonical

_HOLDS: frozenset[losses.Part] = frozenset(
    ("rationale", "explanation", "tolerance", "slips", "match_case", "language", "unit", "markup")
)


def write(quiz: DraftQuiz) -> Exported:
    """The questions that can be chosen or typed; a list of objects."""
    kept, notices = losses.check(quiz, kinds={"single", "multiple", "number", "text"}, holds=_HOLDS)
    entries = [entry for item in kept.items if (entry := _Writer(quiz.language, notices).entry(item))]
    return Exported((json.dumps(entries, ensure_ascii=False, indent=2) + "\n").encode(), notices.done())


class _Writer:
    def __init__(self, language: str, notices: Notices) -> None:
        self.language = language
        self.notices = notices

    def html(self, source: str) -> str:
        """A text's HTML; as entities the script leaves ``$`` and ``[`` alone, and the page shows them."""
        return boxed.html(source, self.language).replace("$", "&#36;").replace("[", "&#91;")

    def entry(self, item: DraftItem) -> dict[str, Any] | None:
        """One question; `None`, said, when nothing of its key can be written."""
        stem = self.html(item.stem)
        if item.kind == "number":
            unit = f" ({markdown.to_html(item.unit)})" if item.unit else ""
            return {"question": stem + unit, "type": "numeric", "answers": list(self.numbers(item))}
        if item.kind == "text":
            written = self.texts(item)
            return {"question": stem, "type": "string", "answers": written} if written else None
        if item.explanation:
            self.notices.add(0, item.id, "lost", "not exported: the explanation")
        return {
            "question": stem,
            "type": "many_choice" if item.kind == "multiple" else "multiple_choice",
            "answers": [
                {"answer": self.html(option.text), "correct": option.correct, **self.feedback(option.rationale)}
                for option in item.options
            ],
        }

    def feedback(self, source: str) -> dict[str, str]:
        return {"feedback": self.html(source)} if source else {}

    def numbers(self, item: DraftItem) -> list[dict[str, Any]]:
        value, allowed = item.value or Decimal(0), moodle_grades.absolute(item)
        right: dict[str, Any] = {"type": "value", "value": float(value), "correct": True}
        if allowed:
            # The end of a range is outside it: the next number above lets the end itself count.
            top = math.nextafter(float(value + allowed), math.inf)
            right = {"type": "range", "range": [float(value - allowed), top], "correct": True, "feedback": ""}
        if float(value) != value:
            self.notices.add(0, item.id, "lost", f"{canonical(value)} has more digits than a page keeps")
        return [
            {**right, **self.feedback(item.explanation)},
            *(
                {"type": "value", "value": float(slip.value), "correct": False, **self.feedback(slip.rationale)}
                for slip in item.slips
            ),
        ]

    def texts(self, item: DraftItem) -> list[dict[str, Any]]:
        if item.explanation:
            self.notices.add(0, item.id, "lost", "not exported: the explanation")
        written: list[dict[str, Any]] = []
        for answer in item.accept:
            for text in answers.alternatives(answer.text):
                if "*" in text.replace(r"\*", ""):
                    message = f"the answer `{text}` is left out: `*` stands for nothing there"
                    self.notices.add(0, item.id, "pattern", message, "list what shall count")
                    continue
                case = {"match_case": True} if item.match_case else {}
                entry = {"answer": text.replace(r"\*", "*"), "correct": answer.credit == 1, **case}
                written.append({**entry, **self.feedback(answer.rationale)})
        if not any(entry["correct"] for entry in written):
            message = "the question is left out: no right answer of it can be written"
            self.notices.add(0, item.id, "pattern", message, "list what shall count", severity="error")
            return []
        return written
