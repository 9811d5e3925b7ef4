"""How a problem reads."""

from __future__ import annotations

from quiz_widgets.problems import ContentError, Problem


def test_a_problem_says_where_what_and_what_to_do() -> None:
    problem = Problem(
        "quiz.yaml", 3, 8, "items[0]", "unknown field `stm`", "did you mean `stem`?", rule="unknown-field"
    )

    assert str(problem) == "quiz.yaml:3:8: items[0]: unknown field `stm` (did you mean `stem`?)"


def test_what_a_problem_does_not_have_is_left_out() -> None:
    assert str(Problem("quiz.yaml", message="missing", severity="note")) == "quiz.yaml: note: missing"


def test_an_error_holds_all_problems_in_the_order_of_the_files() -> None:
    later, earlier = Problem("b.yaml", 1, 1, message="two"), Problem("a.yaml", 9, 1, message="one")

    error = ContentError([later, earlier])

    assert error.problems == (earlier, later)
    assert str(error) == "a.yaml:9:1: one\nb.yaml:1:1: two"


def test_a_notebook_shows_the_problems_and_no_frames() -> None:
    one, two = Problem("a.yaml", message="one"), Problem("b.yaml", message="two")

    assert ContentError([one])._render_traceback_() == ["1 problem in the quiz:", "  a.yaml: one"]
    assert ContentError([one, two])._render_traceback_()[0] == "2 problems in the quiz:"
