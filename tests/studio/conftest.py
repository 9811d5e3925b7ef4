"""A course of one quiz in three languages that a test may write into, and the preview of it."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from quiz_widgets.authoring.overlays import translate
from quiz_widgets.studio.server import Preview

SOURCE = """\
id: sums
title: Sums
level: easy
description: Two questions.
items:
  - id: small
    stem: What is $1 + 1$?
    options:
      - {id: two, text: Two things, correct: true, rationale: Yes.}
      - {id: one, text: One thing, rationale: No.}
    explanation: Count them.
    source: A book
  - id: large
    kind: number
    stem: What is 1000 + 1?
    value: 1001
    explanation: One more.
    source: A book
"""
ARABIC = """\
locale: ar
title: جمع
description: سؤالان.
items:
  small:
    stem: كم يساوي $1 + 1$؟
    options:
      two: {text: شيئان, rationale: نعم.}
      one: {text: شيء واحد, rationale: لا.}
    explanation: عدّها.
"""


@pytest.fixture
def quiz(tmp_path: Path) -> Path:
    """The file of a sound quiz, with a translation beside it."""
    folder = tmp_path / "course" / "sums"
    folder.mkdir(parents=True)
    (folder / "quiz.yaml").write_text(SOURCE, encoding="utf-8")
    (folder / "quiz.ar.yaml").write_text(ARABIC, encoding="utf-8")
    compared = translate.overlay(folder, "ar", accept=True)
    compared.path.write_text(compared.text, encoding="utf-8")
    return folder / "quiz.yaml"


@pytest.fixture
def save(quiz: Path) -> Callable[..., None]:
    """Replace one text in the quiz's file (or another's), as an editor saves it."""

    def saved(old: str, new: str, file: Path = quiz) -> None:
        text = file.read_text(encoding="utf-8")
        assert old in text
        file.write_text(text.replace(old, new, 1), encoding="utf-8")

    return saved


@pytest.fixture
def preview(quiz: Path) -> Iterator[Preview]:
    """A running preview."""
    served = Preview(quiz, "en")
    thread = threading.Thread(target=served.serve)
    thread.start()
    yield served
    served.stop()
    thread.join(timeout=30)
    assert not thread.is_alive()
