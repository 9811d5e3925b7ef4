"""The page of item analysis: its figures are those of the hand-worked class, in every chart and its table."""

from __future__ import annotations

import dataclasses
import html
import json
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import httpx
import pytest
from playwright.sync_api import expect
from sqlalchemy import Connection, delete, insert, select, update

from quiz_widgets import compiled
from quiz_widgets.classroom.desk import publishing
from quiz_widgets.classroom.desk.analysis import reading, table
from quiz_widgets.classroom.desk.database import engine as engines
from quiz_widgets.classroom.desk.database.engine import writing
from quiz_widgets.classroom.desk.database.tables import attempt, membership, outcome, person, quiz, submission, version
from quiz_widgets.classroom.desk.exports import cells
from quiz_widgets.classroom.desk.library import Library
from quiz_widgets.classroom.desk.pages import charts
from quiz_widgets.model import Rendered, Text
from tests.classroom.browsing import Browsing, audit, classroom_pages
from tests.classroom.pressing import QUIZ, Desk, at_desk, text
from tests.classroom.small_class import EXAM, START, Class
from tests.classroom.test_pages import PREFIX, Pages, pages

__all__ = ["classroom_pages", "pages"]  # fixtures

ANALYSIS = f"{QUIZ}/analysis"
CASES: dict[str, Any] = json.loads(Path(__file__).with_name("analysis.json").read_text(encoding="utf-8"))
WHOLE = compiled.loads(EXAM.read_text(encoding="utf-8"))
CHOICES = [item for item in WHOLE.items if item.kind == "single"][:3]
HOSTILE = "<img src=x onerror=alert(1)>\"'"


def by_hand(connection: Connection, case: str, order: int = 1, times: int = 1) -> None:
    """The learners of that case of `analysis.json`, with its items and options under names of the class's quiz."""
    told = CASES[case]
    sheets = [one["cells"] for one in told["sheets"] for _ in range(one["times"])]
    names = dict(zip(told["items"], CHOICES, strict=False))
    [newest] = connection.execute(select(version.c.id).order_by(version.c.number.desc()).limit(1)).scalars()
    for place, sheet in enumerate(sheets[::order]):
        who = f"learner-{place}"
        connection.execute(insert(person).values(id=who, hub_name=who, display_name=f"Secret {place}", created=0))
        connection.execute(insert(membership).values(course="cs101", person=who, role="learner", active=True, since=0))
        for number in range(1, times + 1):
            run = f"{who}/{number}"
            connection.execute(
                insert(attempt).values(
                    id=run, quiz=Class().quiz(connection)["id"], version=newest, person=who, number=number, opened=0,
                    finished=1, finished_by="learner", scored=True,
                )
            )  # fmt: skip
            for name, (chosen, points) in sheet.items():
                keep(connection, run, who, names[name], options_of(told, name, chosen), str(points))


def options_of(told: dict[str, Any], name: str, chosen: str | None) -> Sequence[str] | None:
    """The item's own option that stands for that one of the case: a right one for a right one."""
    if chosen is None:
        return None
    item = dict(zip(told["items"], CHOICES, strict=False))[name]
    if not chosen:
        return ()
    given = told["items"][name]
    own = {option.id for option in item.options}
    wrong = sorted(own - set(item.key))
    pairs = dict(zip(given["right"], item.key, strict=False))
    pairs |= dict(zip([one for one in given["options"] if one not in given["right"]], wrong, strict=False))
    return (pairs[chosen],)


def keep(connection: Connection, run: str, who: str, item: Any, chosen: Sequence[str] | None, points: str) -> None:
    sequence = None
    if chosen is not None:
        sent = f"{run}/{item.id}"
        connection.execute(
            insert(submission).values(
                person=who, id=sent, attempt=run, item=item.id, response=json.dumps(chosen), digest="d",
                received=START, seconds=30_000, round=0, status="recorded",
            )
        )  # fmt: skip
        sequence = connection.execute(select(submission.c.sequence).where(submission.c.id == sent)).scalar_one()
    connection.execute(
        insert(outcome).values(attempt=run, item=item.id, submission=sequence, score=points, max_score="1", computed=1)
    )


def tables(reply: httpx.Response) -> list[list[list[str]]]:
    """The rows of each table's body, as they are read."""
    return [
        [
            [
                " ".join(html.unescape(re.sub(r"<[^>]+>", " ", cell)).split())
                for cell in re.findall(r"<t[hd][^>]*>(.*?)</t[hd]>", row, re.DOTALL)
            ]
            for row in re.findall(r"<tr>(.*?)</tr>", body, re.DOTALL)
        ]
        for body in re.findall(r"<tbody>(.*?)</tbody>", reply.text, re.DOTALL)
    ]


def main_of(reply: httpx.Response) -> str:
    return reply.text.partition("<main")[2]


THREE, WRONG = "three items, worked by hand", "a key that is wrong"


def test_the_page_tells_the_figures_worked_by_hand(pages: Pages) -> None:
    with writing(pages.engine) as connection:
        by_hand(connection, THREE)
    reply = at_desk(pages, lambda desk: desk.open(ANALYSIS))
    overview, *options = tables(reply)

    # facility 3/4, 1/2, 1/2; r² 1/18, 25/51, 1/99: analysis.json
    assert [row[3:7] for row in overview] == [
        ["36", "36", "75% 59% to 86%", "0.24 \u2066−0.10\u2069 to 0.52"],
        ["36", "33", "50% 34% to 66%", "0.70 0.48 to 0.84"],
        ["36", "36", "50% 34% to 66%", "0.10 \u2066−0.24\u2069 to 0.42"],
    ]
    assert [row[2] for row in overview] == ["", "", "says little about the rest"]
    assert "Reliability (KR-20): 0.49" in text(reply)  # 24/49
    told = {row[2]: row[3:7] for row in options[1]}
    assert told == {
        "18": ["50%", "", "29%", "100%"],
        "9": ["25%", "", "43%", "0%"],
        "6": ["17%", "", "29%", "0%"],
        "0": ["0%", "", "0%", "0%"],
    }


def test_a_suspect_key_leads_to_where_it_is_corrected(pages: Pages) -> None:
    with writing(pages.engine) as connection:
        by_hand(connection, WRONG)
    reply = at_desk(pages, lambda desk: desk.open(ANALYSIS))
    assert tables(reply)[0][0][2] == "suspect key"
    assert f'href="{QUIZ}/keys?version=1&item={CHOICES[0].id}"' in reply.text
    assert "1 question is answered rightly more by those who do worse elsewhere" in text(reply)
    assert "Reliability is not told" in text(reply)


@pytest.mark.parametrize("query", ["", "?version=1&attempts=later"])
def test_below_ten_attempts_only_their_number_is_told(pages: Pages, query: str) -> None:
    with writing(pages.engine) as connection:
        by_hand(connection, WRONG, times=2)
        for table in (outcome, submission, attempt):  # not only unscored: a desk that runs scores it meanwhile
            name = table.c.id if table is attempt else table.c.attempt
            connection.execute(delete(table).where(name.startswith("learner-0/")))
    reply = at_desk(pages, lambda desk: desk.open(ANALYSIS + query))
    assert [row[2:4] for row in tables(reply)[0]] == [["too few", "9"]] * 3
    assert "9 attempts showed this question: figures are told from 10" in text(reply)
    assert "%" not in main_of(reply)
    assert '<svg class="chart"' not in reply.text


def test_first_attempts_and_versions_stand_apart(pages: Pages) -> None:
    with writing(pages.engine) as connection:
        by_hand(connection, WRONG, times=2)
        changed = dataclasses.replace(WHOLE, confidence=True)
        publishing.publish(connection, "cs101", "week-3", compiled.dump(changed), "prof", START)
        latest = connection.execute(select(version.c.id).where(version.c.number == 2)).scalar_one()
        connection.execute(update(attempt).where(attempt.c.number == 2).values(version=latest))

    async def work(desk: Desk) -> list[httpx.Response]:
        asked = ["", "?version=1", "?version=2&attempts=later", "?version=2&attempts=first", "?version=7"]
        return [await desk.open(ANALYSIS + one) for one in asked]

    chosen = [re.findall(r'aria-current="page">(Version[^<]+)<', reply.text) for reply in at_desk(pages, work)]
    assert chosen == [
        ["Version 2, later attempts"], ["Version 1, first attempts"], ["Version 2, later attempts"], [], [],
    ]  # fmt: skip


@pytest.mark.parametrize("query", ["?version=x", "?version=-1", "?version=٣", f"?version={'9' * 30}", "?attempts=all"])
def test_what_is_asked_wrongly_is_said(pages: Pages, query: str) -> None:
    async def work(desk: Desk) -> list[int]:
        return [(await desk.open(f"{ANALYSIS}{tail}{query}")).status_code for tail in ("", ".csv")]

    assert at_desk(pages, work) == [422, 422]


def test_the_order_of_learners_changes_nothing_on_the_page(pages: Pages, tmp_path: Path) -> None:
    from tests.classroom import fresh

    with writing(pages.engine) as connection:
        by_hand(connection, THREE)
    other = Pages(fresh.sqlite(tmp_path / "other.sqlite"), pages.hub)
    with writing(other.engine) as connection:
        by_hand(connection, THREE, order=-1)
    one, two = (main_of(at_desk(made, lambda desk: desk.open(ANALYSIS))) for made in (pages, other))
    other.engine.dispose()
    assert one == two


def test_nobody_s_name_is_on_the_page_or_in_its_file(pages: Pages) -> None:
    with writing(pages.engine) as connection:
        by_hand(connection, THREE)

    async def work(desk: Desk) -> list[httpx.Response]:
        return [await desk.open(ANALYSIS), await desk.open(f"{ANALYSIS}.csv")]

    for reply in at_desk(pages, work):
        assert reply.status_code == 200
        assert "Secret" not in reply.text
        assert "learner-" not in reply.text


def test_the_file_holds_the_same_figures_all_or_of_one_chart(pages: Pages) -> None:
    with writing(pages.engine) as connection:
        by_hand(connection, THREE, times=2)

    async def work(desk: Desk) -> list[httpx.Response]:
        asked = ["", "?version=1&attempts=first", f"?version=1&attempts=later&item={CHOICES[1].id}", "?item=none"]
        return [await desk.open(f"{ANALYSIS}.csv{one}") for one in asked]

    every, first, one, none = at_desk(pages, work)
    with engines.reading(pages.engine) as connection:
        groups = reading.reports(connection, Library(), Class().quiz(connection))
    assert every.text == "".join(cells.lines(table.table("week-3", groups)))
    assert first.text == "".join(cells.lines(table.table("week-3", groups[:1])))
    lines = one.text.splitlines()
    assert len(lines) == 1 + 1 + 1 + len(CHOICES[1].options)
    assert all('"later"' in line for line in lines[1:])
    assert len(none.text.splitlines()) == 3
    assert every.headers["content-disposition"] == 'attachment; filename="cs101-week-3-analysis.csv"'


@pytest.mark.parametrize("language", ["en", "tr", "ar"])
def test_every_number_of_a_chart_stands_in_a_table_and_a_file_beside_it(pages: Pages, language: str) -> None:
    with writing(pages.engine) as connection:
        by_hand(connection, THREE)
    reply = at_desk(pages, lambda desk: desk.open(ANALYSIS, language))
    behind = "end" if language == "ar" else "start"
    drawn = [
        [html.unescape(one) for one in re.findall(rf'text-anchor="{behind}"[^>]*>([^<]+)<', chart)]
        for chart in re.findall(r'<svg class="chart".*?</svg>', reply.text, re.DOTALL)
    ]
    overview, *options = tables(reply)

    assert drawn[0] == [row[5].split()[0] for row in overview]
    assert drawn[1] == [row[6].split()[0] for row in overview]
    assert drawn[2:] == [[cell for row in one for cell in row[4:7] if cell] for one in options]
    assert len(options) == 3
    assert reply.text.count("analysis.csv?version=1&attempts=first") == 1 + 3


def test_what_a_bundle_holds_is_text(pages: Pages) -> None:
    form = Rendered(HOSTILE, HOSTILE, HOSTILE, HOSTILE)
    mine = [
        dataclasses.replace(one, stem=Text({"en": form})) if one.id == CHOICES[0].id else one for one in WHOLE.items
    ]
    with writing(pages.engine) as connection:
        hostile = compiled.dump(dataclasses.replace(WHOLE, items=tuple(mine)))
        publishing.publish(connection, "cs101", "week-3", hostile, "prof", START)
        connection.execute(update(quiz).where(quiz.c.course == "cs101").values(title=HOSTILE))
        by_hand(connection, WRONG)
        hostile_version = connection.execute(select(version.c.id).where(version.c.number == 2)).scalar_one()
        connection.execute(update(attempt).values(version=hostile_version))
    reply = at_desk(pages, lambda desk: desk.open(ANALYSIS))
    assert "&lt;img src=x" in main_of(reply)
    assert "<img" not in reply.text


def test_charts_run_in_the_reader_s_direction_and_hold_text_as_text() -> None:
    rows = [charts.Row("<b>", (charts.Bar(0.5, "50%", "dots", (0.25, 0.75)), charts.Bar(None, "")))]
    scale = charts.Scale(0, 1, [(0, "0"), (1, "1")])
    left, right = (charts.bars('a "chart"', rows, scale, direction) for direction in ("ltr", "rtl"))
    assert 'aria-label="a &#34;chart&#34;"' in left
    assert "&lt;b&gt;" in left
    [one, other] = (re.search(r'<rect x="([^"]+)" y="[^"]+" width="([^"]+)"', drawn) for drawn in (left, right))
    assert one is not None
    assert other is not None
    assert float(one[1]) + float(other[1]) + float(one[2]) == pytest.approx(360, abs=0.02)
    assert one[2] == other[2]
    assert left.count("<rect") == 1


WORDS = {
    "en": ("Item analysis", "Look at the key of question 1"),
    "tr": ("Soru çözümlemesi", "1. sorunun anahtarına bak"),
    "ar": ("تحليل الأسئلة", "انظر في مفتاح السؤال 1"),
}


@pytest.mark.parametrize("locale", WORDS)
@pytest.mark.parametrize("case", [THREE, WRONG])
def test_the_analysis_is_read_in_a_browser(classroom_pages: Browsing, locale: str, case: str) -> None:
    heading, suspect = WORDS[locale]
    with writing(classroom_pages.engine) as connection:
        by_hand(connection, case)
    page = classroom_pages.open(locale=locale, color_scheme="dark", viewport={"width": 320, "height": 800})
    page.goto(f"{classroom_pages.url}courses/cs101/quizzes/week-3/analysis")

    expect(page.get_by_role("heading", level=1)).to_contain_text(heading)
    assert page.get_by_role("img").count() >= 2
    assert page.get_by_role("link", name=suspect).count() == (case == WRONG)
    assert audit(page) == []
    with page.expect_download() as download:
        page.get_by_role("link", name="CSV").first.click()
    assert download.value.suggested_filename == "cs101-week-3-analysis.csv"


def test_before_anybody_answered_the_page_says_so(pages: Pages) -> None:
    reply = at_desk(pages, lambda desk: desk.open(ANALYSIS))
    assert "Nobody’s answers are scored yet." in reply.text
    assert ANALYSIS.startswith(PREFIX)
