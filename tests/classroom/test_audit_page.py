"""The audit log as instructors read it: newest first, by who and what, in words; and as a file that no sheet runs."""

from __future__ import annotations

import ast
import csv
import io
import json
import re
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote

import httpx
import pytest
from sqlalchemy import Engine, insert, select

from quiz_widgets.classroom.desk import auditing, audits, courses, enrolling, schedules
from quiz_widgets.classroom.desk.auditing import Wanted
from quiz_widgets.classroom.desk.database.engine import reading, writing
from quiz_widgets.classroom.desk.database.tables import audit, person
from quiz_widgets.classroom.desk.enrolling import Line
from quiz_widgets.classroom.desk.exports import frozen
from quiz_widgets.classroom.desk.pages import saying
from quiz_widgets.classroom.desk.polls import steps
from tests.classroom.small_class import HOUR, START, Class
from tests.classroom.test_pages import COURSE, TO_PAGE, Pages, Visit, pages

__all__ = ["pages"]  # the fixture

AUDIT = f"{COURSE}/audit"
DESK = Path(audits.__file__).parent


def shown(made: Pages, *paths: str, language: str = "en") -> list[httpx.Response]:
    async def work(go: Visit) -> list[httpx.Response]:
        await made.log_in(go)
        return [await go(path, headers={**TO_PAGE, "Accept-Language": language}) for path in paths]

    found: list[httpx.Response] = made.run(work)
    return found


def numbers(page: httpx.Response) -> list[int]:
    return [int(one) for one in re.findall(r'class="number">(\d+)</th>', page.text)]


def test_lines_come_newest_first_and_fifty_at_once(pages: Pages) -> None:
    with writing(pages.engine) as connection:
        for number in range(120):
            audits.note(connection, START + number, "prof" if number % 2 else "second", "cs101", "reveal", f"q{number}")
        audits.note(connection, START, "rival", "other", "reveal", "theirs")
        every = connection.execute(select(audit.c.sequence).where(audit.c.course == "cs101")).scalars().all()
    seen: list[int] = []
    path = AUDIT
    while path:
        [page] = shown(pages, path)
        seen += numbers(page)
        assert len(numbers(page)) <= 50
        assert "rival" not in page.text
        older = re.search(r'href="([^"]+)">Older lines', page.text)
        path = older[1].replace("&amp;", "&") if older else ""
    assert seen == sorted(every, reverse=True)


def test_lines_are_found_by_who_and_what(pages: Pages) -> None:
    with writing(pages.engine) as connection:
        for who, what in (("a&b=c", "reveal"), ("a&b=c", "publish"), ("prof", "reveal")):
            audits.note(connection, START, who, "cs101", what, "week-3")
    by, both, none, odd = shown(
        pages, f"{AUDIT}?who={quote('a&b=c')}", f"{AUDIT}?who={quote('a&b=c')}&what=reveal",
        f"{AUDIT}?what=nothing", f"{AUDIT}?before=x&who=&what=",
    )  # fmt: skip
    assert [len(numbers(page)) for page in (by, both, none)] == [2, 1, 0]
    assert 'value="a&amp;b=c" selected' in both.text
    assert "audit.csv?who=a%26b%3Dc&amp;what=reveal" in both.text
    assert "There is no such line." in none.text
    assert len(numbers(odd)) >= 3


TOLD = {
    "en": [
        "2027-01-15 11:00", "closes: 2027-01-15 13:00", "time limit: 45 min", "time limit: none",
        "in the course: yes", "enrolled by: roster", "enrolled by: group of the Hub", "person: Ada",
        "more attempts: 1", "student number", "settings of a quiz",
    ],
    "tr": ["süre sınırı: 45 dk", "kaydeden: Hub grubu", "derste: evet", "sınav ayarları", "rol: öğrenci"],
    "ar": ["حد الوقت: 45 دقيقة", "الدور: متعلّم", "في المقرر: نعم", "سُجّل عبر: مجموعة في Hub"],
}  # fmt: skip


@pytest.mark.parametrize("language", TOLD)
def test_before_and_after_are_told_in_words(pages: Pages, language: str) -> None:
    with writing(pages.engine) as connection:
        found = Class().quiz(connection)
        schedules.change(connection, found, {"time_limit": 45 * 60_000, "closes": START + 2 * HOUR}, "prof", START)
        ada = enrolling.enrol(connection, "cs101", Line("ada", student_number="1"), "prof", START, source="hub_group")
        enrolling.drop_all(connection, "cs101", [ada], "prof", START)
        schedules.except_(
            connection, Class().quiz(connection), {"person": ada}, {"extra_runs": 1, "reason": "ill"}, "prof", START
        )
        audits.note(connection, START, "prof", "cs101", "something new", "x", before="not {json", after='["a"]')
    [page] = shown(pages, AUDIT, language=language)
    text = re.sub(r"</?bdi>", "", page.text)
    assert [told for told in TOLD[language] if told not in text] == []
    assert (text.count("role: learner"), text.count("section: none")) == ((1, 0) if language == "en" else (0, 0))
    assert ada in page.text  # in the link to their page
    assert f">{ada}<" not in page.text
    assert "something new" in page.text
    assert "not {json" in page.text
    assert "ill" not in re.findall(r"<bdi>(.*?)</bdi>", page.text)


def test_the_file_holds_every_line_and_no_formula(pages: Pages) -> None:
    with writing(pages.engine) as connection:
        ada = Class().who(connection, "ada")["person"]
        connection.execute(insert(person).values(id="f" * 32, hub_name="formula", display_name="+1", created=START))
        audits.note(
            connection, START + 1, "=cmd()", "cs101", "enrol", ada, before="@x", after=json.dumps({"due": START})
        )
        audits.note(connection, START + 2, "prof", "cs101", "reveal", '-1+2,"q"\n=3')
        for number in range(200):
            audits.note(connection, START, "prof", "cs101", "publish", f"q{number}")
        audits.note(connection, START, "rival", "other", "reveal", "theirs")
    whole, some = shown(pages, f"{AUDIT}.csv", f"{AUDIT}.csv?who={quote('=cmd()')}")
    assert whole.headers["content-type"] == "text/csv; charset=utf-8"
    assert whole.headers["content-disposition"] == 'attachment; filename="cs101-audit.csv"'
    assert whole.text.startswith("\ufeff")
    found = list(csv.DictReader(io.StringIO(whole.text.removeprefix("\ufeff"))))
    assert len(found) == 203  # with the publishing of the class's quiz
    assert [int(one["sequence"]) for one in found] == sorted((int(one["sequence"]) for one in found), reverse=True)
    assert not any((value or "").startswith(("=", "+", "-", "@")) for one in found for value in one.values())
    [one] = csv.DictReader(io.StringIO(some.text.removeprefix("\ufeff")))
    assert (one["who"], one["name"], one["before"]) == ("'=cmd()", "Ada", "'@x")
    assert one["at"] == "2027-01-15T11:00:00.001+03:00"
    assert json.loads(one["after"]) == {"due": START}


def test_the_log_is_read_alike_on_both_databases(engine: Engine) -> None:
    with writing(engine) as connection:
        Class().make(connection)
        courses.enrol(connection, "cs101", Line("eve", "Eve"), "prof", START)
    with reading(engine) as connection:
        first, second = auditing.newest(connection, "cs101", Wanted())
        assert (first["what"], second["what"]) == ("enrol", "publish")
        assert auditing.newest(connection, "cs101", Wanted(), before=first["sequence"]) == [second]
        assert auditing.newest(connection, "cs101", Wanted(what="enrol", who="prof"), most=1) == [first]
        assert auditing.filters(connection, "cs101") == (["prof"], ["enrol", "publish"])
        assert auditing.names(connection, "cs101")[first["object"]] == "Eve"
        assert len(list(auditing.table(connection, "cs101", "UTC", Wanted()))) == 3


def _kinds() -> Iterator[str]:
    """What the desk's code notes, as far as it is written there."""
    named = {
        "frozen.FINALISED": [frozen.FINALISED],
        "frozen.ERASED": [frozen.ERASED],
        "f'poll {step}'": [f"poll {step}" for step in steps.STEPS],
    }
    for path in DESK.rglob("*.py"):
        text = path.read_text(encoding="utf-8")
        at = {"audits.note": 4} | ({"Told": 0} if "audits import Told" in text else {})
        for call in ast.walk(ast.parse(text)):
            if isinstance(call, ast.Call) and (name := ast.unparse(call.func)) in at:
                what = call.args[at[name]]
                yield from [str(what.value)] if isinstance(what, ast.Constant) else named[ast.unparse(what)]


def test_every_kind_of_line_has_words() -> None:
    found = set(_kinds()) - {"erase"}  # of no course
    assert len(found) > 15
    assert {f"what_{what.replace(' ', '_')}" for what in found} <= set(saying.words("audit"))
