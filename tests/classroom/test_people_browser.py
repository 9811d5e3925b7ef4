"""People, settings and the audit log in a browser, by role and label; and in every language, light and dark."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from quiz_widgets.classroom.desk import courses, groups, people
from quiz_widgets.classroom.desk.database.engine import reading, writing
from quiz_widgets.classroom.desk.enrolling import Line
from tests.classroom.browsing import Browsing, audit, classroom_pages
from tests.classroom.small_class import START

__all__ = ["classroom_pages"]  # the fixture

pytestmark = pytest.mark.slow

LOOKS = [
    ("en", "light", 1200), ("en", "dark", 320), ("tr", "dark", 1200),
    ("tr", "light", 320), ("ar", "light", 1200), ("ar", "dark", 320),
]  # fmt: skip


def csv(text: str) -> dict[str, object]:
    return {"name": "roster.csv", "mimeType": "text/csv", "buffer": text.encode()}


def test_an_instructor_enrols_changes_finds_and_drops_somebody(classroom_pages: Browsing) -> None:
    page = classroom_pages.page
    page.goto(f"{classroom_pages.url}courses/cs101")
    page.get_by_role("link", name="People").click()
    form = page.get_by_role("form", name="Enrol one person")
    form.get_by_label("Name at the Hub").fill("ayse")
    form.get_by_label("Name", exact=True).fill("Ayşe Işık")
    form.get_by_label("Section").fill("B")
    form.get_by_role("button", name="Enrol").click()
    expect(page.get_by_role("status")).to_have_text("The person is enrolled so.")

    search = page.get_by_role("search")
    search.get_by_label("Name, number or e-mail").fill("isik")
    search.get_by_label("Section").select_option("B")
    search.get_by_role("button", name="Show these").click()
    expect(page.get_by_role("status")).to_contain_text("1 person fits.")
    row = page.get_by_role("row").filter(has=page.get_by_role("rowheader", name="Ayşe Işık"))
    expect(row).to_contain_text("in the course")
    row.get_by_role("link", name="Change: Ayşe Işık").click()

    changing = page.get_by_role("region", name="Change: Ayşe Işık")
    changing.get_by_label("Role").select_option("assistant")
    changing.get_by_role("button", name="Save").click()
    expect(row).to_contain_text("assistant")
    row.get_by_role("link", name="Change: Ayşe Işık").click()
    changing.get_by_role("button", name="Drop from the course").click()
    expect(page.get_by_role("status")).to_have_text("The person is no longer in the course.")
    expect(row).to_contain_text("dropped")

    page.get_by_role("link", name="Change: Prof").click()
    page.get_by_role("button", name="Drop from the course").click()
    expect(page.get_by_role("alert")).to_contain_text("a course keeps at least one instructor")


def test_a_roster_with_faults_and_then_without(classroom_pages: Browsing) -> None:
    page = classroom_pages.page
    page.goto(f"{classroom_pages.url}courses/cs101/people")
    form = page.get_by_role("form", name="Take in a roster")
    form.get_by_label("Roster").set_input_files(csv("name,role\nada,king\n,\nnur,learner,x\n"))  # type: ignore[arg-type]
    form.get_by_label("Drop learners who are not in the file").check()
    form.get_by_role("button", name="Enrol everybody in it").click()
    alert = page.get_by_role("alert")
    expect(alert).to_contain_text("Nobody was enrolled: the roster has 2 faults.")
    king = "line 2: `king` is no role; allowed are learner, assistant, instructor"
    expect(alert.get_by_role("listitem")).to_have_text([king, "line 4: there are more values than columns"])
    form.get_by_label("Roster").set_input_files(csv("name,section\nada,A\nnur,B\n"))  # type: ignore[arg-type]
    form.get_by_label("Drop learners who are not in the file").check()
    form.get_by_role("button", name="Enrol everybody in it").click()
    expect(page.get_by_role("status")).to_have_text("Everybody in the roster is enrolled.")
    with reading(classroom_pages.engine) as connection:
        found = {one["hub_name"]: one["active"] for one in people.members(connection, "cs101")}
    assert found == {"prof": True, "ada": True, "nur": True, "bob": False}


def test_a_language_is_chosen_with_the_keyboard_and_stays(classroom_pages: Browsing) -> None:
    page = classroom_pages.page
    page.goto(f"{classroom_pages.url}courses/cs101/people?text=ada")
    page.get_by_label("Language").focus()
    page.keyboard.type("Tür")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="Kişiler")).to_be_visible()
    assert page.url.endswith("people?text=ada")
    page.get_by_role("link", name="Dersleriniz").click()
    expect(page.locator("html")).to_have_attribute("lang", "tr")
    expect(page.get_by_label("Dil")).to_have_value("tr")


def test_settings_are_saved_deadlines_moved_and_a_group_let_in(classroom_pages: Browsing) -> None:
    page = classroom_pages.page
    page.goto(f"{classroom_pages.url}courses/cs101")
    page.get_by_role("link", name="Settings").click()
    form = page.get_by_role("form", name="The course")
    form.get_by_label("Title").fill("Renamed")
    form.get_by_label("What is left of erased learners is kept until the end of").fill("2030-06-30")
    form.get_by_role("button", name="Save").click()
    expect(page.get_by_role("status")).to_have_text("The settings are saved.")
    expect(page.get_by_role("heading", level=1)).to_contain_text("Renamed")
    expect(page.get_by_label("What is left of erased learners is kept until the end of")).to_have_value("2030-06-30")

    form = page.get_by_role("form", name="Move all deadlines")
    form.get_by_label("Minutes").fill("30")
    form.get_by_role("button", name="Move them").click()
    expect(page.get_by_role("status")).to_have_text("The deadlines that are still to come are moved.")

    form = page.get_by_role("form", name="Let a group be in the course")
    form.get_by_label("Group").fill("class-a")
    form.get_by_label("Role").select_option("assistant")
    form.get_by_role("button", name="Let it in").click()
    expect(page.get_by_role("row").filter(has_text="class-a")).to_contain_text("assistant")
    page.get_by_role("button", name="Remove: class-a").click()
    expect(page.get_by_text("No group is in this course.")).to_be_visible()


def test_the_log_is_filtered_and_downloaded(classroom_pages: Browsing) -> None:
    with writing(classroom_pages.engine) as connection:
        courses.enrol(connection, "cs101", Line("nur", "Nur", section="A"), "second", START)
    page = classroom_pages.page
    page.goto(f"{classroom_pages.url}courses/cs101")
    page.get_by_role("link", name="Audit log").click()
    expect(page.get_by_role("row")).to_have_count(3)
    search = page.get_by_role("search", name="Audit log")
    search.get_by_label("Who").select_option("second")
    search.get_by_role("button", name="Show these").click()
    row = page.get_by_role("row").nth(1)
    expect(row).to_contain_text("section: A")
    expect(page.get_by_role("row")).to_have_count(2)
    with page.expect_download() as download:
        page.get_by_role("link", name="Download these lines as CSV").click()
    assert download.value.suggested_filename == "cs101-audit.csv"
    assert download.value.path().read_text(encoding="utf-8").count("\n") == 2
    row.get_by_role("link", name="Nur").click()
    expect(page.get_by_role("heading", level=1)).to_contain_text("Nur")


@pytest.mark.parametrize(("language", "scheme", "width"), LOOKS)
def test_axe_finds_nothing_and_nothing_is_wider(
    classroom_pages: Browsing, language: str, scheme: str, width: int
) -> None:
    with writing(classroom_pages.engine) as connection:
        long = Line("x" * 60, "نورُ الهدى " * 6, "0" * 40, "S" * 64, email="nur@example.org", lti_sub="s-1")
        who = courses.enrol(connection, "cs101", long, "prof", START)
        groups.put(connection, "cs101", "G" * 255, "learner", "S" * 64, "prof", START)
    page = classroom_pages.open(locale=language, color_scheme=scheme, viewport={"width": width, "height": 900})
    for path in ("people", f"people?change={who}", "people?text=nobody", "settings", "audit", "audit?what=nothing"):
        page.goto(f"{classroom_pages.url}courses/cs101/{path}")
        assert page.locator("html").get_attribute("lang") == language
        assert audit(page) == []
    page.goto(f"{classroom_pages.url}courses/cs101/people")
    page.locator("input[type=file]").set_input_files(csv("name\n,\n\x00\n"))  # type: ignore[arg-type]
    page.locator("form", has=page.locator("input[type=file]")).get_by_role("button").last.click()
    expect(page.get_by_role("alert")).to_be_visible()
    assert audit(page) == []
