"""A quiz written in a cell of a real notebook: it answers, keeps no record, and its mistakes have the cell's lines."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from tests.hosts.hosting import Host, quiz_in

CELL = """\
%%quiz --name mine
id: sums
title: Sums in a cell
items:
  - id: small
    stem: What is $1 + 1$?
    options:
      - {id: two, text: Two, correct: true, rationale: Yes.}
      - {id: one, text: One, rationale: No.}
      - {id: ten, text: Ten, rationale: Not in base ten.}
    explanation: Count them.
    source: A book
"""


@pytest.mark.slow
def test_a_quiz_in_a_cell_answers_and_is_recorded_nowhere(host: Host, write: Callable[..., str]) -> None:
    host.open(write("%load_ext quiz_widgets", CELL, CELL.replace("correct: true", "correct: yes")))
    for cell in range(3):
        host.run(cell)

    quiz = quiz_in(host.page, title="Sums in a cell")
    quiz.get_by_role("radio", name="Two").check()
    quiz.get_by_role("button", name="Check").click()
    expect(quiz.get_by_role("status")).to_contain_text("Right.")
    expect(quiz.get_by_text("Kept in this browser at")).to_be_visible()
    assert host.server.records() == []
    assert list(host.server.home.iterdir()) == []
    assert host.ask("print(mine.items[0].options[0].correct)") == "True"

    problems = host.output(2)
    expect(problems).to_contain_text("line 8, column 39")
    expect(problems.locator("mark")).to_have_text("yes")
