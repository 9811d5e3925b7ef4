"""A class of thirty on a real Hub, as its instructor sees it: live counts, corrections, points, files, and a vote."""

from __future__ import annotations

import json
import os
import re
import secrets
import shutil
import tempfile
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.classroom.browsing import audit
from tests.classroom.hub.conftest import CANARY
from tests.classroom.hub.driving import MARKS, Seat, log_in
from tests.classroom.hub.whole_class import (
    NAMES,
    Learner,
    Taken,
    downloaded,
    expect_counts,
    points,
    press,
    together,
)
from tests.hosts.holding import Held
from tests.hosts.hosting import wait_until
from tools.classroom import environments
from tools.classroom.room import Room

RIGHT, WRONG = "The letter A", "The letter B"
VALUE, SLIP = "1026.55", "9"  # the first is right, and not the value as it is written
PARTS = ("people", "settings", "audit", "lti", "grades")
OF_EXAM = ("", "/live", "/keys", "/analysis", "/poll")
OF_POLL = ("", "/live", "/keys", "/analysis", "/poll", "/poll/screen")


@pytest.fixture(scope="module")
def hall() -> Iterator[Room]:
    """A room with thirty learners: ``demo/exam`` is open for an hour, ``demo/vote`` is a poll."""
    folder = Path(tempfile.mkdtemp(prefix="quiz-hall-"))
    made = Room(
        folder,
        environments.made(environments.HUBS[-1]),
        learners=NAMES,
        server_options=("--LabApp.expose_app_in_browser=True",),
        registrar=secrets.token_hex(32),
    )
    try:
        made.make()
        made.start_desk()
        made.start_hub()
        now = datetime.now(UTC)
        hour = (now + timedelta(hours=1)).isoformat()
        secret = folder / "desk" / "canary"
        shutil.copytree(CANARY, secret)
        made.publish(secret, "exam", "--opens", (now - timedelta(minutes=1)).isoformat(), "--due", hour)
        made.publish(secret, "vote")
        made.manage("set", "demo/vote", "--kind", "poll")
        yield made
    finally:
        made.stop()
        shutil.rmtree(folder)


@pytest.fixture(scope="module")
def learners(hall: Room) -> list[Learner]:
    return [Learner(hall, name) for name in NAMES]


@pytest.fixture(scope="module")
def prof(hall: Room, browser: Browser) -> Iterator[Page]:
    """The instructor's browser, in which they have logged in."""
    context = browser.new_context(locale="en", bypass_csp=True)
    page = context.new_page()
    page.goto(f"{hall.url}/services/quiz/")
    log_in(page, hall, "prof")
    expect(page.get_by_role("heading", name="Your courses")).to_be_visible()
    yield page
    context.close()


@pytest.fixture
def course(hall: Room) -> str:
    return f"{hall.url}/services/quiz/courses/demo"


def test_an_exam_is_watched_corrected_and_given_out(learners: list[Learner], prof: Page, course: str) -> None:
    watch(learners, prof, course)
    correct_all(prof, course)
    by_hand(prof, course, "bob", "0.5")
    expect_points(prof, course, dict.fromkeys(NAMES, 1.0) | {"bob": 0.5})
    give_out(prof, course)
    heard = "".join(text for learner in learners for text in learner.heard)
    assert [mark for mark in MARKS if mark in heard] == []


def watch(learners: list[Learner], prof: Page, course: str) -> None:
    """The class takes the exam, and the live page counts along; the last one gets another attempt meanwhile."""
    live = prof.context.new_page()
    live.goto(f"{course}/quizzes/exam/live")
    expect_counts(live, learners=30, opened=0, answered=0, finished=0, open=0)
    taken = together(lambda who: who.open("exam"), learners)
    expect_counts(live, opened=30, answered=0, open=60)
    answers = [RIGHT] * 18 + [WRONG] * 12
    verdicts = together(lambda two: two[0].answer("first-letter", two[1]), zip(taken, answers, strict=True))
    assert set(verdicts) == {"recorded"}
    expect_counts(live, answered=30, open=30)
    values = [VALUE] * 12 + [SLIP] * 12
    together(lambda two: two[0].answer("count", two[1]), zip(taken[:24], values, strict=True))
    expect_counts(live, answered=54, open=6)
    together(Taken.hand_in, taken[:20])
    expect_counts(live, finished=20, answered=54, open=6)
    assert not any(name in live.locator("main").inner_text() for name in ("ada", "bob", "w28"))
    live.get_by_role("button", name="Show names").click()
    expect(live.get_by_role("row").filter(has_text="w28")).to_contain_text("Answering")
    one_more_attempt(prof, course, learners[-1])
    together(Taken.hand_in, taken[20:])
    expect_counts(live, finished=30)
    live.close()


def correct_all(prof: Page, course: str) -> None:
    """Each kind of correction, one after the other, and what each makes of everybody's points."""

    def points_are(first: int, count: int) -> None:
        """The first so many (from behind: negative) have the letter right, the first so many the number."""
        letter = range(first) if first >= 0 else range(len(NAMES) + first, len(NAMES))
        expect_points(prof, course, {name: float((i in letter) + (i < count)) for i, name in enumerate(NAMES)})

    points_are(18, 12)
    correct(prof, course, "first in the alphabet", "Another key: only this answer is right", WRONG)
    points_are(-12, 12)
    correct(prof, course, "How many letters", "Also accept this answer", SLIP)
    points_are(-12, 24)
    correct(prof, course, "first in the alphabet", "Full points for everybody", None)
    points_are(30, 24)
    correct(prof, course, "How many letters", "Drop the question: it counts for nobody", None)
    points_are(30, 0)


def give_out(prof: Page, course: str) -> None:
    """Every file, the final gradebook, the analysis, and the log of all that was done."""
    for form, titles in {"wide": 1, "long": 1, "canvas": 2, "moodle": 1, "nbgrader": 1}.items():
        lines = downloaded(prof, course, form, "exam")
        each = 2 if form == "long" else 1
        assert len(lines) == titles + each * len(NAMES), (form, lines[:4])
    prof.goto(f"{course}/grades")
    prof.get_by_label("The grades of all 30 learners are right as they stand now").check()
    press(prof, "Finalise the gradebook", "The gradebook is final")
    prof.goto(f"{course}/quizzes/exam/analysis")
    expect(prof.get_by_role("heading", level=1)).to_contain_text("Letters")
    prof.goto(f"{course}/audit")
    log = prof.get_by_role("main").inner_text()
    for done in ("exception", "points by hand", "key corrected", "finalised", "published"):
        assert done in log, done


def one_more_attempt(prof: Page, course: str, who: Learner) -> None:
    """An exception from the page of times, with a look at whom it is for."""
    prof.goto(f"{course}/quizzes/exam")
    form = prof.get_by_role("form", name="Make an exception")
    form.get_by_label("For", exact=True).select_option(label=who.name)
    form.get_by_label("Additional attempts").fill("1")
    form.get_by_label("Reason").fill("The fire alarm")
    form.get_by_role("button", name="Show whom it would be for").click()
    expect(prof.get_by_role("heading", name="This would be for 1 learner")).to_be_visible()
    press(prof, "Make the exception", "The exception is made.")
    assert who.ask("exam")["runs"] == 2


def correct(prof: Page, course: str, question: str, how: str, answer: str | None) -> None:
    """A correction from its page."""
    prof.goto(f"{course}/quizzes/exam/keys")
    prof.get_by_role("row").filter(has_text=question).get_by_role("link").click()
    form = prof.get_by_role("form", name="Correct this question")
    form.get_by_role("radio", name=how).check()
    if answer is not None:
        typed = form.get_by_label("The answer, for the first two; one a line")
        if typed.count():
            typed.fill(answer)
        else:
            form.get_by_role("radio", name=answer).check()
    form.get_by_label("Reason").fill("It was not taught")
    press(prof, "Make the correction", "The correction is made.")


def by_hand(prof: Page, course: str, who: str, given: str) -> None:
    """Points by hand, from the learner's page."""
    prof.goto(f"{course}/people")
    prof.get_by_role("link", name=who, exact=True).click()
    form = prof.get_by_role("form", name="Points by hand")
    form.get_by_label("Quiz").select_option("exam")
    form.get_by_label("Points").fill(given)
    form.get_by_label("Reason").fill("An oral answer")
    press(prof, "Set the points", "The points are set.")


def expect_points(prof: Page, course: str, earned: Mapping[str, float]) -> None:
    """The gradebook gets there: the desk scores within seconds."""

    def there() -> bool:
        return {name: float(cell or -1) for name, cell in points(prof, course, "exam").items()} == earned

    wait_until(f"points like {list(earned.items())[:3]}", there, 60)


def test_a_question_is_voted_on_discussed_and_voted_on_again(
    hall: Room, learners: list[Learner], prof: Page, course: str, browser: Browser
) -> None:
    held = Held(hall.home("ada"))
    ada = sit_in_the_lecture(hall, browser, held)
    others = together(lambda who: who.open("vote"), learners[1:])
    assert all(not taken.quiz.items for taken in others)
    screen = prof.context.new_page()
    screen.goto(f"{course}/quizzes/vote/poll/screen")
    prof.goto(f"{course}/quizzes/vote/poll")
    first_vote(ada, others, prof, held)
    expect(screen.get_by_text("30 of 30 voted")).to_be_visible()
    nothing_out(learners, ada, screen)
    second_vote(ada, others, prof)
    nothing_out(learners, ada, screen)
    show(ada, others, prof)
    expect(screen.get_by_role("table", name="Votes")).to_be_visible()
    heard = "".join(text for learner in learners for text in learner.heard)
    assert "explanation-mark-1" in heard
    assert not any(mark in heard for mark in ("explanation-mark-2", "slip-mark", "1026.53"))
    screen.close()

    end(ada, prof)
    ended = {"ada": 1.0, "bob": 1.0, "w28": 0.0}
    wait_until("points of the poll", lambda: ended.items() <= scored(prof, course).items(), 60)
    ada.save()
    assert "stem-mark" not in (hall.home("ada") / "vote.ipynb").read_text(encoding="utf-8")
    ada.context.close()


def sit_in_the_lecture(hall: Room, browser: Browser, held: Held) -> Seat:
    """Ada's JupyterLab with the poll open in her notebook."""
    write_notebook(hall, held)
    ada = Seat(hall, "ada", browser.new_context(viewport={"width": 1200, "height": 1400}))
    ada.sit_down()
    ada.path = "vote.ipynb"
    ada.page.goto(f"{hall.url}/user/ada/lab/tree/vote.ipynb?reset")
    ada.wait_ready()
    ada.run(0)
    ada.output(0).get_by_role("button", name="Start").click()
    expect(ada.output(0).get_by_text("Waiting for the first question.")).to_be_visible()
    return ada


def first_vote(ada: Seat, others: list[Taken], prof: Page, held: Held) -> None:
    """All vote; ada changes hers while a cell of her notebook runs, and the vote is closed before it ends."""
    quiz = ada.output(0)
    prof.get_by_role("button", name="Open the first question").click()
    expect(prof.get_by_role("status").filter(has_text="Vote 1 is open.")).to_be_visible()
    together(Taken.again, others)
    answers = [RIGHT] * 14 + [WRONG] * 15
    votes = together(lambda two: two[0].answer("first-letter", two[1], 1), zip(others, answers, strict=True))
    assert set(votes) == {"recorded"}
    expect(quiz.get_by_text("Question 1: voting is open.")).to_be_visible()
    vote(ada, WRONG)
    expect(quiz.get_by_text(re.compile("Your vote: The letter B, recorded"))).to_be_visible()
    expect(prof.get_by_text("30 of 30 voted")).to_be_visible()
    held.run(ada, 1)
    vote(ada, RIGHT)
    expect(quiz.get_by_text("Waiting for the running cell.")).to_be_visible()
    prof.get_by_role("button", name="Close the vote").click()
    expect(prof.get_by_role("heading", name="46 % were right")).to_be_visible()
    expect(prof.get_by_text("Let them discuss it in pairs")).to_be_visible()
    held.end()
    expect(quiz.get_by_text("Your vote came after the vote was closed; it does not count")).to_be_visible(
        timeout=60_000
    )
    together(Taken.again, others)
    assert others[0].answer("first-letter", WRONG, 1) == "late"


def second_vote(ada: Seat, others: list[Taken], prof: Page) -> None:
    """After the discussion."""
    prof.get_by_role("button", name="Vote again").click()
    expect(ada.output(0).get_by_text("voting is open again, round 2")).to_be_visible()
    together(Taken.again, others)
    answers = [RIGHT] * 25 + [WRONG] * 4
    together(lambda two: two[0].answer("first-letter", two[1], 2), zip(others, answers, strict=True))
    vote(ada, RIGHT)
    expect(prof.get_by_text("30 of 30 voted")).to_be_visible()
    prof.get_by_role("button", name="Close the vote").click()
    expect(prof.get_by_role("heading", name="86 % were right")).to_be_visible()
    together(Taken.again, others)


def show(ada: Seat, others: list[Taken], prof: Page) -> None:
    """The answer and both votes, to all: to each by the ids that their own attempt shows."""
    prof.get_by_role("button", name="Show the answer and the votes").click()
    expect(prof.get_by_role("status").filter(has_text="The answer is shown.")).to_be_visible()
    shown = ada.output(0).get_by_role("table", name="How the class voted")
    expect(shown.get_by_role("columnheader", name=re.compile("Round 1.*30 votes"))).to_be_visible()
    expect(shown.get_by_role("row").filter(has_text="The letter A")).to_contain_text("26")
    together(Taken.again, others)
    for taken in others:
        first, second = taken.reply["rounds"]["first-letter"]
        right, wrong = taken.option("first-letter", RIGHT), taken.option("first-letter", WRONG)
        assert (first["voters"], first["counts"][right], first["counts"][wrong]) == (30, 14, 16)
        assert (second["voters"], second["counts"][right], second["counts"][wrong]) == (30, 26, 4)
        assert [item.id for item in taken.quiz.items] == ["first-letter"]


def end(ada: Seat, prof: Page) -> None:
    """A second question, on which nobody votes, and the end."""
    prof.get_by_role("button", name="Open the next question").click()
    expect(ada.output(0).get_by_text("Question 2: voting is open.")).to_be_visible()
    prof.get_by_role("button", name="Close the vote").click()
    prof.get_by_label("Yes, the poll is over").check()
    prof.get_by_role("button", name="End the poll and score it").click()
    expect(prof.get_by_role("status").filter(has_text="The poll is over.")).to_be_visible()


def scored(prof: Page, course: str) -> dict[str, float]:
    return {name: float(cell or -1) for name, cell in points(prof, course, "vote").items()}


def vote(ada: Seat, name: str) -> None:
    """Choose and press what is there: the first time "Vote", then "Change my vote"."""
    quiz = ada.output(0)
    quiz.get_by_role("radio", name=name).click()
    quiz.get_by_role("button", name=re.compile("^(Vote|Change my vote)$")).click()


def nothing_out(learners: list[Learner], ada: Seat, screen: Page) -> None:
    """Before the reveal nobody has heard of a key, nor of how others voted."""
    told = ["".join(text for learner in learners for text in learner.heard), screen.content(), ada.page.content()]
    told.append(b"\n".join(ada.frames).decode("utf-8", "replace"))
    for text in told:
        assert [mark for mark in MARKS if mark in text] == []
        assert '"rounds": {"first' not in text
        assert '"counts"' not in text
    assert not any(name in screen.locator("main").inner_text() for name in NAMES)


def write_notebook(hall: Room, held: Held) -> None:
    """Ada's notebook of the lecture: the poll, and a cell beside which nothing else of the kernel runs."""
    sources = ['from quiz_widgets import load_quiz\n\nload_quiz("demo/vote")', held.source]
    made = json.loads((hall.home("ada") / "quiz.ipynb").read_text(encoding="utf-8"))
    [cell] = made["cells"]
    made["cells"] = [{**cell, "id": f"cell-{index}", "source": source} for index, source in enumerate(sources)]
    file = hall.home("ada") / "vote.ipynb"
    file.write_text(json.dumps(made), encoding="utf-8")
    if (uid := hall.uid("ada")) is not None:
        os.chown(file, uid, uid)


@pytest.mark.parametrize("language", ["en", "tr", "ar"])
def test_axe_finds_nothing_on_any_page(hall: Room, browser: Browser, course: str, language: str) -> None:
    context = browser.new_context(locale=language, bypass_csp=True, viewport={"width": 320, "height": 800})
    page = context.new_page()
    page.goto(course)
    log_in(page, hall, "prof")
    paths = ["", *(f"/{part}" for part in PARTS), *(f"/quizzes/exam{part}" for part in OF_EXAM)]
    paths += [f"/quizzes/vote{part}" for part in OF_POLL]
    for path in paths:
        reply = page.goto(course + path)
        assert reply is not None
        assert reply.status == 200, path
        assert page.locator("html").get_attribute("lang") == language
        assert audit(page) == [], path
    context.close()
