"""The questions that every tool shows: eight in plain text, and as many as wanted made from them by numbering."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Question:
    """One question with a single right option; plain text, so that every tool can show it."""

    stem: str
    options: tuple[str, ...]
    right: int

    def feedback(self, index: int) -> str:
        """What a tool with a text for each option says of one; as long for all of them."""
        return "Yes, as the text says." if index == self.right else "No, the text says otherwise."


EIGHT = (
    Question("How many bits does a byte have?", ("Four", "Eight", "Ten", "Twelve"), 1),
    Question("Which number is prime?", ("Nine", "Fifteen", "Seventeen", "Twenty-one"), 2),
    Question("What is the boiling point of water at sea level?", ("100 °C", "90 °C", "80 °C", "120 °C"), 0),
    Question("Which planet is nearest to the sun?", ("Venus", "Mars", "Earth", "Mercury"), 3),
    Question("How many sides does a hexagon have?", ("Five", "Six", "Seven", "Nine"), 1),
    Question("Which metal is liquid at room temperature?", ("Iron", "Copper", "Mercury", "Zinc"), 2),
    Question("How many minutes are in two hours?", ("120", "90", "60", "200"), 0),
    Question("Which gas do plants take from the air?", ("Helium", "Argon", "Neon", "Carbon dioxide"), 3),
)
PER_QUESTION = 4  # options of each
PROBE = '<img src=x onerror="window.quizProbe = 1"> How many bits does a byte have?'


def numbered(count: int) -> tuple[Question, ...]:
    """The eight again and again, each with its number before it, so that no two are the same."""
    return tuple(
        Question(f"Question {number + 1}. {one.stem}", one.options, one.right)
        for number, one in ((number, EIGHT[number % len(EIGHT)]) for number in range(count))
    )


def with_probe() -> Sequence[Question]:
    """One question whose text tries to run script."""
    return (Question(PROBE, EIGHT[0].options, EIGHT[0].right),)
