"""The page of a course's grades: who is shown, what its files hold, and gradebooks that are final."""

from __future__ import annotations

import csv
import io
import json
import re
import tracemalloc
from collections.abc import Callable
from decimal import Decimal
from pathlib import Path
from typing import Any

import httpx
import pytest
from playwright.sync_api import expect
from sqlalchemy import Connection, insert, select, update

from quiz_widgets.classroom.desk.database.engine import reading, writing
from quiz_widgets.classroom.desk.database.tables import audit, exception, membership, person, quiz, score
from quiz_widgets.classroom.desk.exports import frozen, kept, sheets
from quiz_widgets.classroom.desk.library import Library
from quiz_widgets.classroom.desk.pages import downloads
from tests.classroom.browsing import Browsing, classroom_pages
from tests.classroom.browsing import audit as axe
from tests.classroom.marked_class import NOW
from tests.classroom.pressing import COURSE, Desk, at_desk, text
from tests.classroom.small_class import START, Class
from tests.classroom.test_pages import Pages, pages, word_of

__all__ = ["classroom_pages", "pages"]  # fixtures

GRADES = f"{COURSE}/grades"


@pytest.fixture
def marked(pages: Pages) -> Pages:
    """Ada has 3.5 points of 8, Bob none; both have a student number, and Cem is excused and has no number."""
    with writing(pages.engine) as connection:
        some_marks(connection)
    return pages


def some_marks(connection: Connection) -> None:
    found = Class().quiz(connection)
    cem = Class().enrol(connection, "cem", section="B")
    for name, number in [("ada", "0042"), ("bob", "=0007")]:
        connection.execute(update(person).where(person.c.hub_name == name).values(student_number=number))
    connection.execute(
        insert(score).values(
            quiz=found["id"], person=Class().who(connection, "ada")["person"], score="3.5", max_score="8", computed=1
        )
    )
    connection.execute(
        insert(exception).values(id="e", quiz=found["id"], person=cem, excused=True, made_by="prof", made=START)
    )


def cells(reply: httpx.Response) -> list[list[str]]:
    """The gradebook's rows, as they are read."""
    table = reply.text.partition("<tbody>")[2].partition("</tbody>")[0]
    return [
        [
            " ".join(re.sub(r"<[^>]+>", " ", cell).split())
            for cell in re.findall(r"<t[hd][^>]*>(.*?)</t[hd]>", row, re.DOTALL)
        ]
        for row in re.findall(r"<tr>(.*?)</tr>", table, re.DOTALL)
    ]


def test_names_are_hidden_until_they_are_asked_for(marked: Pages) -> None:
    async def work(desk: Desk) -> list[httpx.Response]:
        return [await desk.open(GRADES), await desk.open(f"{GRADES}?names=yes"), await desk.open(GRADES, "tr")]

    hidden, shown, turkish = at_desk(marked, work)
    assert cells(hidden) == [
        ["no number (1)", "B", "excused", "", ""],
        ["0042", "", "3.5", "3.5", "8"],
        ["=0007", "", "", "", ""],
    ]
    assert not any(name in hidden.text.lower() for name in ("ada", "bob", "cem"))
    assert [row[1] for row in cells(shown)] == ["Cem cem", "Ada ada", "Bob bob"]
    assert cells(turkish)[1][2:] == ["3,5", "3,5", "8"]


def test_a_quiz_that_is_over_counts_though_its_cell_is_blank(marked: Pages) -> None:
    marked.now = NOW
    rows = cells(at_desk(marked, lambda desk: desk.open(GRADES)))
    assert rows[0][2:] == ["excused", "", ""]
    assert rows[2][2:4] == ["", "0"]
    assert Decimal(rows[2][4]) > 0


@pytest.mark.parametrize(
    ("asked", "first", "count", "told"),
    [
        ("", "p000", 100, "Page 1 of 3"),
        ("?page=3", "p200", 5, "Page 3 of 3"),
        ("?page=4", "p200", 5, "Page 3 of 3"),
        ("?page=0", "p000", 100, "Page 1 of 3"),
        ("?page=-1", "p000", 100, "Page 1 of 3"),
        ("?page=٢", "p000", 100, "Page 1 of 3"),
        ("?page=" + "9" * 5000, "p000", 100, "Page 1 of 3"),
    ],
    ids=lambda value: str(value)[:12],
)
def test_a_hundred_learners_stand_on_a_page(pages: Pages, asked: str, first: str, count: int, told: str) -> None:
    with writing(pages.engine) as connection:
        connection.execute(update(membership).where(membership.c.role == "learner").values(active=False))
        people = [{"id": f"p{number:03}", "hub_name": f"p{number:03}", "created": 0} for number in range(205)]
        connection.execute(insert(person), [{**one, "student_number": one["id"]} for one in people])
        connection.execute(
            insert(membership),
            [{"course": "cs101", "person": one["id"], "role": "learner", "active": True, "since": 0} for one in people],
        )
    reply = at_desk(pages, lambda desk: desk.open(GRADES + asked))
    rows = cells(reply)
    assert (rows[0][0], len(rows)) == (first, count)
    assert told in text(reply)


@pytest.mark.parametrize("form", sheets.FORMATS)
def test_a_file_holds_what_the_command_writes(marked: Pages, form: str) -> None:
    marked.now = NOW
    reply = at_desk(marked, lambda desk: desk.open(f"{GRADES}.csv?format={form}&quiz=week-3"))
    with reading(marked.engine) as connection:
        lines = list(sheets.gradebook(connection, Library(), "cs101", form, NOW, ["week-3"]))

    assert reply.content.decode("utf-8") == "".join(lines)
    assert reply.headers["content-disposition"] == f'attachment; filename="cs101-{form}.csv"'
    assert reply.headers["content-type"] == "text/csv; charset=utf-8"
    assert reply.headers["cache-control"] == "no-store"
    assert int(reply.headers["content-length"]) == len(reply.content)


def test_a_file_has_the_chosen_quizzes_and_no_other_s(marked: Pages) -> None:
    with writing(marked.engine) as connection:
        connection.execute(insert(quiz).values(id="q2", course="cs101", slug="week-4", title="Week 4", created=START))
        newest = "insert into version select 'v2', 'q2', 1, hash, published, publisher from version limit 1"
        connection.exec_driver_sql(newest)
        connection.exec_driver_sql("insert into version_key select 'v2', compiled from version_key limit 1")

    async def work(desk: Desk) -> list[httpx.Response]:
        asked = ["", "?quiz=week-4", "?quiz=week-3&quiz=week-4", "?quiz=theirs", "?format=pdf"]
        return [await desk.open(f"{GRADES}.csv{one}") for one in asked]

    every, second, both, gone, form = at_desk(marked, work)
    headings = [next(csv.reader(io.StringIO(one.text.lstrip("\ufeff")))) for one in (every, second, both)]
    assert [len(one) for one in headings] == [8, 7, 8]
    assert headings[1][4] == "Week 4"
    assert (gone.status_code, form.status_code) == (404, 422)
    assert "wide, long, canvas, moodle, nbgrader" in text(form)


def test_a_large_file_arrives_whole(marked: Pages, monkeypatch: pytest.MonkeyPatch) -> None:
    lines = [f'"line {number}"\r\n' for number in range(200_000)]
    monkeypatch.setattr(sheets, "gradebook", lambda *_: iter(lines))
    assert at_desk(marked, lambda desk: desk.open(f"{GRADES}.csv")).text == "".join(lines)


def test_a_file_is_not_in_memory_whole() -> None:
    tracemalloc.start()
    made, length = downloads._written(f'"line {number:06}"\r\n' for number in range(200_000))
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    made.close()
    assert length == 3_000_000
    assert peak < 2 * 1024 * 1024


@pytest.mark.parametrize("fault", [OSError(28, "No space left on device"), None])
def test_no_half_of_a_file_is_given_out(marked: Pages, monkeypatch: pytest.MonkeyPatch, fault: OSError | None) -> None:
    def broken(*_: Any) -> Any:
        yield "a line\r\n"
        if fault is not None:
            raise fault

    monkeypatch.setattr(sheets, "gradebook", broken)
    reply = at_desk(marked, lambda desk: desk.open(f"{GRADES}.csv"))
    assert reply.status_code == (200 if fault is None else 503)
    assert ("a line" in reply.text) is (fault is None)


def test_a_gradebook_becomes_final_with_a_tick(marked: Pages) -> None:
    async def work(desk: Desk) -> list[httpx.Response]:
        refused = await desk.send(f"{COURSE}/finalise")
        listed = await desk.done(f"{COURSE}/finalise", sure="yes")
        [address] = re.findall(r'href="([^"]+/final/[0-9a-f]{32})"', listed.text)
        return [refused, listed, await desk.open(address)]

    refused, listed, file = at_desk(marked, work)
    assert refused.status_code == 422
    with reading(marked.engine) as connection:
        [row] = kept.listed(connection, "cs101")
        assert file.text == kept.text(connection, "cs101", row["id"])
        noted = connection.execute(select(audit.c.who, audit.c.after).where(audit.c.what == frozen.FINALISED)).one()
    assert row["sha256"] in listed.text
    assert "2027-01-15 11:00" in text(listed)
    assert tuple(noted) == ("prof", row["sha256"])
    assert file.headers["content-disposition"].startswith('attachment; filename="cs101-final-')


def test_nothing_becomes_final_while_an_attempt_is_open(marked: Pages) -> None:
    with writing(marked.engine) as connection:
        Class().opened(connection, "bob")

    async def work(desk: Desk) -> list[httpx.Response]:
        return [await desk.open(GRADES), await desk.send(f"{COURSE}/finalise", sure="yes")]

    page, refused = at_desk(marked, work)
    assert "1 attempt is open or not scored yet" in text(page)
    assert "Finalise the gradebook" not in page.text
    assert refused.status_code == 409
    with reading(marked.engine) as connection:
        assert kept.listed(connection, "cs101") == []


def resealed(change: Callable[[dict[str, Any]], object]) -> Callable[[str], str]:
    """The file changed by somebody who knows how hashes are made."""

    def made(file: str) -> str:
        found = json.loads(file)
        change(found)
        found["sha256"] = frozen.digest(found)
        return json.dumps(found)

    return made


CHECKS: dict[str, tuple[Callable[[str], str], str]] = {
    "as it is": (lambda file: file, "unchanged"),
    "laid out anew": (lambda file: json.dumps(json.loads(file), indent=4), "unchanged"),
    "a point more": (lambda file: file.replace('"3.5"', '"8"'), "changed"),
    "sealed anew": (resealed(lambda found: found.update(by="ada")), "unknown"),
    "another course": (resealed(lambda found: found.update(course="other")), "unknown"),
    "no course": (resealed(lambda found: found.pop("course")), "unknown"),
    "no JSON": (lambda _: "grades", "bad_file"),
    "no text": (lambda _: "\udcff", "bad_file"),
    "too deep": (lambda _: "[" * 100_000, "bad_file"),
    "as deep as can be read": (lambda _: f'{{"format": "{frozen.FORMAT}", "a": {"[" * 900}{"]" * 900}}}', "changed"),
}
SAID = {
    "unchanged": "is a final gradebook of this course, unchanged",
    "changed": "was changed after it was finalised",
    "unknown": "this desk finalised no such gradebook",
    "bad_file": "is no final gradebook",
}


@pytest.mark.parametrize("case", CHECKS)
def test_a_file_is_checked(marked: Pages, case: str) -> None:
    change, said = CHECKS[case]
    with writing(marked.engine) as connection:
        file = frozen.make(connection, Library(), "cs101", "prof", START)
        kept.keep(connection, "cs101", kept.packed(file), "prof", START)

    async def work(go: Any) -> httpx.Response:
        word = word_of(await marked.log_in(go))
        sent = {"file": change(file).encode("utf-8", "surrogateescape")}
        found: httpx.Response = await go(f"{COURSE}/final", "POST", data={"word": word}, files=sent, headers={})
        return found

    reply = marked.run(work)
    assert reply.status_code == 200
    assert SAID[said] in text(reply)
    assert (json.loads(file)["sha256"] in reply.text.partition("<h2")[0]) is (said == "unchanged")


def test_a_file_that_is_too_large_to_check_is_refused_unread(marked: Pages) -> None:
    async def work(go: Any) -> httpx.Response:
        word = word_of(await marked.log_in(go))
        headers = {"Content-Length": str(2**30)}
        found: httpx.Response = await go(f"{COURSE}/final", "POST", data={"word": word}, headers=headers)
        return found

    assert marked.run(work).status_code == 413


WORDS = {"en": ("Grades", "Show names"), "tr": ("Notlar", "Adları göster"), "ar": ("الدرجات", "أظهر الأسماء")}


@pytest.mark.parametrize("locale", WORDS)
def test_grades_are_read_in_a_browser(classroom_pages: Browsing, locale: str) -> None:
    heading, show = WORDS[locale]
    with writing(classroom_pages.engine) as connection:
        some_marks(connection)
        made = kept.packed(frozen.make(connection, Library(), "cs101", "prof", START))
        kept.keep(connection, "cs101", made, "prof", START)
    page = classroom_pages.open(locale=locale, viewport={"width": 320, "height": 800})
    page.goto(f"{classroom_pages.url}courses/cs101/grades")

    expect(page.get_by_role("heading", name=f"{heading}: A course")).to_be_visible()
    expect(page.get_by_role("rowheader", name="0042")).to_be_visible()
    assert page.get_by_text("Ada", exact=True).count() == 0
    assert axe(page) == []
    page.get_by_role("link", name=show).click()
    expect(page.get_by_role("cell", name="Ada ada")).to_be_visible()
    assert axe(page) == []


def test_a_gradebook_is_downloaded_made_final_and_checked(classroom_pages: Browsing, tmp_path: Path) -> None:
    with writing(classroom_pages.engine) as connection:
        some_marks(connection)
    page = classroom_pages.page
    page.goto(f"{classroom_pages.url}courses/cs101")
    page.get_by_role("link", name="Grades", exact=True).click()
    page.get_by_label("Format").select_option(label="Canvas")
    with page.expect_download() as download:
        page.get_by_role("button", name="Download").click()
    assert download.value.suggested_filename == "cs101-canvas.csv"
    assert '"\'=0007"' in Path(download.value.path()).read_text(encoding="utf-8-sig")

    page.get_by_label("The grades of all 3 learners are right").check()
    page.get_by_role("button", name="Finalise the gradebook").click()
    expect(page.get_by_role("status")).to_contain_text("The gradebook is final")
    with page.expect_download() as download:
        page.get_by_role("link", name="Download: 2027-01-15 11:00").click()
    file = tmp_path / "final.json"
    download.value.save_as(file)
    page.get_by_label("File of a final gradebook").set_input_files(file)
    page.get_by_role("button", name="Check").click()
    expect(page.get_by_role("status")).to_contain_text("unchanged")
    assert axe(page) == []


def test_an_assistant_reads_grades_and_finalises_none(marked: Pages) -> None:
    async def work(desk: Desk) -> httpx.Response:
        with writing(marked.engine) as connection:
            connection.execute(update(membership).where(membership.c.role == "instructor").values(role="assistant"))
        return await desk.open(GRADES)

    page = at_desk(marked, work)
    assert "0042" in page.text
    assert "finalise" not in page.text.partition('<h2 id="final"')[2].partition("<h3")[0]
