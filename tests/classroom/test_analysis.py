"""Item analysis: against tables worked by hand, against published figures, and whatever order learners come in."""

from __future__ import annotations

import json
from collections.abc import Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sqlalchemy import Engine, update

from quiz_widgets import compiled
from quiz_widgets.classroom.desk import attempts, gradebook, regrading
from quiz_widgets.classroom.desk.analysis import formulas, reading, table
from quiz_widgets.classroom.desk.analysis.items import FEWEST, Cell, Options, Report, Sheet, analyse
from quiz_widgets.classroom.desk.database.engine import writing
from quiz_widgets.classroom.desk.database.tables import quiz
from quiz_widgets.classroom.desk.library import Library
from quiz_widgets.classroom.desk.submissions import keep
from tests.classroom.small_class import EXAM, START, Class, a_single, sent

HERE = Path(__file__).parent
CASES: dict[str, Any] = json.loads((HERE / "analysis.json").read_text(encoding="utf-8"))
LSAT: dict[str, Any] = json.loads((HERE / "lsat6.json").read_text(encoding="utf-8"))
WHOLE = compiled.loads(EXAM.read_text(encoding="utf-8"))


def sheets_of(case: dict[str, Any]) -> list[Sheet]:
    return [
        {name: cell(*told) for name, told in one["cells"].items()}
        for one in case["sheets"]
        for _ in range(one["times"])
    ]


def cell(chosen: str | None, score: str | int) -> Cell:
    return Cell(None if chosen is None else (chosen,), Fraction(score), Fraction(1))


def options_of(case: dict[str, Any]) -> dict[str, Options]:
    return {name: Options(tuple(one["options"]), frozenset(one["right"])) for name, one in case["items"].items()}


def fraction(text: str | None) -> Fraction | None:
    return None if text is None else Fraction(text)


@pytest.mark.parametrize("case", CASES)
def test_items_are_analysed_as_worked_by_hand(case: str) -> None:
    told = CASES[case]
    report = analyse(sheets_of(told), options_of(told))

    assert report.reliability == fraction(told["reliability"])
    assert report.coefficient == told["coefficient"]
    for one in report.items:
        wanted = told["reports"][one.item]
        assert [one.n, one.answered, one.facility] == [wanted["n"], wanted["answered"], fraction(wanted["facility"])]
        assert list(one.flags) == wanted["flags"]
        if wanted["r_squared"] is None:
            assert one.correlation is None
        else:
            assert one.correlation is not None
            assert one.correlation**2 == pytest.approx(float(Fraction(wanted["r_squared"])), abs=1e-12)
            assert (one.correlation < 0) is wanted.get("negative", False)


@pytest.mark.parametrize("case", CASES)
def test_options_are_counted_as_worked_by_hand(case: str) -> None:
    told = CASES[case]
    report = analyse(sheets_of(told), options_of(told))
    found = {
        one.item: {
            option.option: {
                "count": option.count,
                "share": option.share,
                "thirds": None if option.thirds is None else list(option.thirds),
                "flags": list(option.flags),
            }
            for option in one.options
        }
        for one in report.items
    }

    for item, options in told["options"].items():
        assert found[item] == {
            name: {
                **one,
                "share": Fraction(one["share"]),
                "thirds": None if one["thirds"] is None else [fraction(third) for third in one["thirds"]],
            }
            for name, one in options.items()
        }


def test_the_figures_of_lsat_6_are_those_that_were_published() -> None:
    patterns, published = LSAT["patterns"], LSAT["published"]
    assert len(patterns) == 32
    assert sum(patterns.values()) == 1000
    told = [
        {str(place): cell("", int(digit)) for place, digit in enumerate(pattern)}
        for pattern, times in patterns.items()
        for _ in range(times)
    ]
    totals = [sum(one.score for one in sheet.values()) for sheet in told]
    report = analyse(told, {str(place): Options() for place in range(5)})

    assert [totals.count(Fraction(score)) for score in range(6)] == published["totals"]
    assert [one.facility for one in report.items] == [Fraction(str(share)) for share in published["facility"]]
    assert [round(one.correlation or 0, 4) for one in report.items] == published["correlation"]
    assert report.coefficient == "KR-20"
    assert round(float(report.reliability or 0), 4) == published["alpha"]


@pytest.mark.parametrize(
    ("right", "n", "low", "high"),
    # R. G. Newcombe (1998), Statistics in Medicine 17, 857-872, table I, method 3
    [(81, 263, 0.2553, 0.3662), (15, 148, 0.0624, 0.1605), (0, 20, 0.0, 0.1611), (1, 29, 0.0061, 0.1718)],
)
def test_wilson_s_interval_is_the_published_one(right: int, n: int, low: float, high: float) -> None:
    found = formulas.wilson(Fraction(right, n), n)

    assert (round(found.low, 4), round(found.high, 4)) == (low, high)


def test_fisher_s_interval_is_the_one_worked_by_hand() -> None:
    found = formulas.fisher(0.5, 28)

    assert found is not None
    assert (round(found.low, 4), round(found.high, 4)) == (0.1560, 0.7358)
    assert formulas.fisher(0.5, 3) is None
    assert formulas.fisher(1.0, 28) is None


def test_an_item_that_counts_for_nobody_is_no_part_of_the_others_rest() -> None:
    told = CASES["three items, worked by hand"]
    plain = analyse(sheets_of(told), options_of(told))
    dropped = [
        {**sheet, "d": Cell(("x",), Fraction(0), Fraction(0))} if place % 2 else sheet
        for place, sheet in enumerate(sheets_of(told))
    ]
    report = analyse(dropped, {**options_of(told), "d": Options()})

    assert report.items[:3] == plain.items
    assert report.items[3].n == 0
    assert report.reliability == plain.reliability


OPTIONS = ("p", "q", "r")
SHEETS = st.lists(
    st.fixed_dictionaries(
        {
            name: st.builds(
                lambda chosen, score, ms: Cell(chosen, score, Fraction(2), ms),
                st.none() | st.sampled_from([(), ("p",), ("q",), ("p", "r")]),
                st.sampled_from([Fraction(0), Fraction(1, 3), Fraction(2)]),
                st.none() | st.integers(0, 10_000_000),
            )
            for name in "abc"
        }
    ),
    min_size=FEWEST,
    max_size=24,
)


def asked(order: Sequence[str] = OPTIONS) -> dict[str, Options]:
    return {name: Options(tuple(order), frozenset("p")) for name in "abc"}


@given(SHEETS, st.randoms(use_true_random=False))
def test_the_order_of_learners_changes_nothing(sheets: list[Sheet], random: Any) -> None:
    mixed = list(sheets)
    random.shuffle(mixed)

    assert analyse(mixed, asked()) == analyse(sheets, asked())


@given(SHEETS, st.permutations(OPTIONS))
def test_the_order_of_options_changes_nothing(sheets: list[Sheet], order: list[str]) -> None:
    def by_name(report: Report) -> list[Any]:
        return [{option.option: option for option in one.options} for one in report.items]

    mixed = [
        {name: Cell(one.chosen and tuple(reversed(one.chosen)), one.score, one.most, one.ms) for name, one in s.items()}
        for s in sheets
    ]

    assert by_name(analyse(mixed, asked(order))) == by_name(analyse(sheets, asked()))


@given(SHEETS)
def test_every_figure_is_within_its_bounds(sheets: list[Sheet]) -> None:
    for one in analyse(sheets, asked()).items:
        assert one.facility is not None
        assert one.facility_interval is not None
        assert 0 <= one.facility_interval.low <= one.facility <= one.facility_interval.high <= 1
        assert one.correlation is None or -1 - 1e-12 <= one.correlation <= 1 + 1e-12
        assert all(0 <= option.share <= 1 for option in one.options)


@given(st.lists(st.integers(0, 5).map(Fraction), min_size=1, max_size=60))
def test_equal_scores_stand_in_the_same_third_and_higher_ones_in_no_lower(scores: list[Fraction]) -> None:
    placed = formulas.thirds(scores)

    for one, third in zip(scores, placed, strict=True):
        for other, other_third in zip(scores, placed, strict=True):
            assert one > other or third <= other_third


ITEM = a_single(WHOLE)
WRONG = tuple(option.id for option in ITEM.options if not option.correct)[:1]
LEARNERS = tuple(f"learner-{number:02}" for number in range(12))


def take(engine: Engine, right: int) -> dict[str, Any]:
    """Everybody answers one item, so many rightly; one opens the quiz and answers nothing, the instructor tries it."""
    everybody = Class(learners=(*LEARNERS, "silent"))
    with writing(engine) as connection:
        found = everybody.make(connection)
        for place, name in enumerate(LEARNERS):
            run = everybody.opened(connection, name)
            keep(connection, [sent(run, ITEM.id, ITEM.key if place < right else WRONG)])
            attempts.finish(connection, run["id"], run["person"], START + 2)
        tried = everybody.opened(connection, "prof")
        keep(connection, [sent(tried, ITEM.id, ITEM.key)])
        attempts.finish(connection, tried["id"], tried["person"], START + 2)
        idle = everybody.opened(connection, "silent")
        attempts.finish(connection, idle["id"], idle["person"], START + 2)
        score(connection)
    return found


def score(connection: Any) -> None:
    while gradebook.score_finished(connection, Library(), START + 3):
        pass


def test_the_desk_s_answers_are_analysed_by_version(engine: Engine) -> None:
    found = take(engine, right=9)
    with writing(engine) as connection:
        [group] = reading.reports(connection, Library(), found)

    assert (group.version, group.first, group.report.n) == (1, True, 12)
    by_item = {one.item: one for one in group.report.items}
    assert by_item[ITEM.id].facility == Fraction(9, 12)
    assert by_item[ITEM.id].answered == 12
    assert {one.option: one.count for one in by_item[ITEM.id].options if one.count} == {ITEM.key[0]: 9, WRONG[0]: 3}
    assert all(one.answered == 0 and one.facility == 0 for name, one in by_item.items() if name != ITEM.id)


def test_later_attempts_are_told_apart_from_first_ones(engine: Engine) -> None:
    found = take(engine, right=0)
    with writing(engine) as connection:
        connection.execute(update(quiz).values(runs=2))
        run = Class().opened(connection, LEARNERS[0], START + 5)
        keep(connection, [sent(run, ITEM.id, ITEM.key, arrived=START + 6)])
        attempts.finish(connection, run["id"], run["person"], START + 7)
        score(connection)
        groups = reading.reports(connection, Library(), found)

    assert [(group.first, group.report.n) for group in groups] == [(True, 12), (False, 1)]
    assert {one.facility for one in groups[1].report.items} == {None}


def test_a_corrected_key_is_the_one_that_answers_are_held_against(engine: Engine) -> None:
    found = take(engine, right=2)
    with writing(engine) as connection:
        change = regrading.Change(item=ITEM.id, kind="key", responses=(WRONG,), reason="the key was wrong")
        regrading.change_key(connection, Library(), found, change, "prof", START + 4)
        score(connection)
        [group] = reading.reports(connection, Library(), found)
    one = next(one for one in group.report.items if one.item == ITEM.id)

    assert one.facility == Fraction(10, 12)
    assert [option.option for option in one.options if option.right] == list(WRONG)


def test_the_table_has_a_row_for_each_item_and_option(engine: Engine) -> None:
    found = take(engine, right=6)
    with writing(engine) as connection:
        groups = reading.reports(connection, Library(), found)
    told = [dict(zip(table.HEADER, row, strict=True)) for row in table.table("week-3", groups)][1:]
    [whole] = [row for row in told if row["item"] is None]
    [item] = [row for row in told if row["item"] == ITEM.id and row["option"] is None]

    assert whole["n"] == 12
    assert [str(item[name]) for name in ("n", "share", "share_low", "share_high")] == [
        "12",
        "0.5000",
        "0.2538",
        "0.7462",
    ]
    assert [row["option"] for row in told if row["item"] == ITEM.id and row["option"]] == [
        option.id for option in ITEM.options
    ]
