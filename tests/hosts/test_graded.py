"""A graded quiz in real JupyterLab, with a desk on loopback: taken, kept, passed on, and through every outage."""

from __future__ import annotations

import json
import re
import shutil
import time
from collections.abc import Iterator
from dataclasses import dataclass

import nbformat
import pytest
from playwright.sync_api import Browser, Locator, expect
from sqlalchemy import Engine, select

from benchmarks.hall.stack import PREFIX, Stack, running
from quiz_widgets import compiled
from quiz_widgets.classroom.desk import publishing, rosters, schedules
from quiz_widgets.classroom.desk.database.engine import connect, writing
from quiz_widgets.classroom.desk.database.migrations import migrate
from quiz_widgets.classroom.desk.database.tables import attempt, outcome, score, submission
from quiz_widgets.classroom.desk.identity import tokens
from quiz_widgets.classroom.desk.library import Library
from quiz_widgets.classroom.desk.polls import kinds, steps
from tests.classroom.small_class import EXAM, HOUR, Class, a_single
from tests.hosts.holding import Held
from tests.hosts.hosting import Host, Server, wait_until
from tests.hosts.serving import jupyter

pytestmark = pytest.mark.slow

WHOLE = compiled.loads(EXAM.read_text(encoding="utf-8"))
ASKED = a_single(WHOLE)
SHOW = 'from quiz_widgets import load_quiz\nload_quiz("cs101/week-3")'
SHOW_POLL = SHOW.replace("week-3", "lecture")
SHOW_WIDGET = SHOW + ".widget()"
SHOW_EXAM = SHOW.replace("week-3", "exam")
RIGHT = re.compile(
    "|".join(
        re.escape(option.text.rendered("en").plain) for item in WHOLE.items for option in item.options if option.correct
    )
)
RECORDED = re.compile(r"Recorded \d+:\d\d:\d\d")
LATE = re.compile("Arrived late: not counted")


@dataclass(frozen=True)
class Desk:
    """The desk's processes, its database, and the token of everybody in the class."""

    stack: Stack
    engine: Engine
    tokens: dict[str, str]

    def step(self, step: str, item: str | None = None) -> None:
        """What the instructor does with the poll."""
        with writing(self.engine) as connection:
            found = rosters.quiz_of(connection, "cs101", "lecture")
            known = steps.state(connection, found["id"])["sequence"]
            steps.take(connection, Library(), found, step, item, known, "prof", lambda: time.time_ns() // 1_000_000)

    def end_exam(self) -> None:
        """The instructor ends the exam now."""
        with writing(self.engine) as connection:
            now = time.time_ns() // 1_000_000
            schedules.change(connection, rosters.quiz_of(connection, "cs101", "exam"), {"due": now}, "prof", now)

    def exam(self) -> tuple[list[tuple[str, bool]], list[str]]:
        """The status of each answer to the exam and whether it counts, and the scores of the learners, once scored."""
        with self.engine.connect() as connection:
            found = rosters.quiz_of(connection, "cs101", "exam")["id"]
            answers = (
                select(submission.c.status, outcome.c.submission)
                .join(attempt, attempt.c.id == submission.c.attempt)
                .join(outcome, outcome.c.submission == submission.c.sequence, isouter=True)
                .where(attempt.c.quiz == found)
                .order_by(submission.c.sequence)
            )
            scored = select(score.c.score).where(score.c.quiz == found)
            return [(status, counts is not None) for status, counts in connection.execute(answers)], list(
                connection.scalars(scored)
            )

    def variables(self, who: str) -> dict[str, str]:
        """What the environment of a learner's kernels says."""
        url = f"http://127.0.0.1:{self.stack.desk_port}{PREFIX}"
        return {"QUIZ_WIDGETS_DESK": url, "QUIZ_WIDGETS_DESK_TOKEN": self.tokens[who]}


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Desk]:
    """A class with a quiz that is open now, which each learner may take ten times, and with a poll."""
    folder = tmp_path_factory.mktemp("desk")
    database = f"sqlite:///{folder / 'desk.sqlite'}"
    engine = connect(database)
    migrate(engine)
    now = time.time_ns() // 1_000_000
    with writing(engine) as connection:
        Class().make(connection, opens=now - HOUR, due=now + HOUR, runs=10)
        publishing.publish(connection, "cs101", "lecture", EXAM.read_text(encoding="utf-8"), "prof", now)
        kinds.change(connection, rosters.quiz_of(connection, "cs101", "lecture"), "poll", "prof", now)
        publishing.publish(connection, "cs101", "exam", EXAM.read_text(encoding="utf-8"), "prof", now)
        limits = {"opens": now - HOUR, "due": now + HOUR, "grace": 0, "reveal": "manual"}
        schedules.change(connection, rosters.quiz_of(connection, "cs101", "exam"), limits, "prof", now)
        given = {name: tokens.give(connection, name, "submit", now, lifetime=None) for name in ("ada", "bob")}
    with running(Stack(database, folder=folder)) as stack:
        yield Desk(stack, engine, given)
    engine.dispose()


@pytest.fixture(scope="module")
def ada_s(desk: Desk, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """The server on which Ada works. Her notebooks are saved with the state of their widgets."""
    settings = {"@jupyter-widgets/jupyterlab-manager/plugin": '{"saveState": true}'}
    with jupyter(tmp_path_factory.mktemp("ada"), settings, **desk.variables("ada")) as server:
        yield server


@pytest.fixture(scope="module")
def bob_s(desk: Desk, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """The server on which Bob works."""
    with jupyter(tmp_path_factory.mktemp("bob"), **desk.variables("bob")) as server:
        yield server


@pytest.fixture
def ada(ada_s: Server, browser: Browser) -> Iterator[Host]:
    yield from sitting(ada_s, browser)


@pytest.fixture(params=["lab", "notebook"])
def ada_in_each(ada_s: Server, browser: Browser, request: pytest.FixtureRequest) -> Iterator[Host]:
    """Her browser, in JupyterLab and in Notebook 7."""
    yield from sitting(ada_s, browser, request.param)


@pytest.fixture
def bob(bob_s: Server, browser: Browser) -> Iterator[Host]:
    yield from sitting(bob_s, browser)


def sitting(server: Server, browser: Browser, name: str = "lab") -> Iterator[Host]:
    """Somebody's browser; their kernels are shut down afterwards."""
    context = browser.new_context(viewport={"width": 1200, "height": 1400})
    context.set_default_timeout(30_000)
    yield Host(name, server, context)
    context.close()
    for session in server.api("GET", "sessions"):
        server.api("DELETE", f"sessions/{session['id']}")


def write(server: Server, name: str, *sources: str) -> str:
    made = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(source) for source in sources])
    made.metadata["kernelspec"] = {"name": "python3", "display_name": "Python 3", "language": "python"}
    nbformat.write(made, server.root / name)
    return name


def begin(host: Host, name: str, *more: str) -> Locator:
    """Open a notebook of its own, run the cell, start an attempt or go on with the open one."""
    host.open(write(host.server, name, SHOW, *more))
    host.run(0)
    quiz = host.output(0)
    start, main = quiz.get_by_role("button", name=re.compile("^Start")), quiz.get_by_role("button", name="Save answer")
    expect(start.or_(main)).to_be_visible()
    if start.is_visible():
        start.click()
    expect(main).to_be_visible()
    return quiz


def save(quiz: Locator) -> tuple[str, str]:
    """Choose the first option and save it; the name of the question's step, and the option's text."""
    place = quiz.get_by_text(re.compile(r"^Question \d+ of")).first.inner_text()
    option = quiz.get_by_role("radio").first
    option.click()
    text: str = option.evaluate("(radio) => radio.closest('label').innerText.trim()")
    quiz.get_by_role("button", name="Save answer").click()
    return f"{place.partition(' of')[0]}: answered", text


def test_a_quiz_is_taken_kept_and_passed_on_without_anything_of_its_learner(ada: Host, bob: Host) -> None:
    quiz = begin(ada, "taken.ipynb")
    expect(quiz.get_by_text("Logged in as ada")).to_be_visible()
    step, chosen = save(quiz)
    expect(quiz.get_by_text(RECORDED)).to_be_visible()
    ada.save()

    ada.restart_kernel()
    ada.reload()
    expect(ada.output(0).get_by_text("To take this quiz, open this notebook on the course's Hub")).to_be_visible()
    ada.run(0)
    quiz = ada.output(0)
    quiz.get_by_role("button", name=step).click()
    expect(quiz.get_by_role("radio", name=chosen)).to_be_checked()
    expect(quiz.get_by_text(RECORDED)).to_be_visible()
    ada.save()
    saved = ada.server.root / "taken.ipynb"
    assert not secrets_in(saved.read_bytes(), ada)

    shutil.copyfile(saved, bob.server.root / "from-ada.ipynb")
    bob.open("from-ada.ipynb")
    expect(bob.output(0).get_by_text("cs101/week-3").first).to_be_visible()
    assert "ada" not in bob.output(0).inner_text()
    bob.run(0)
    quiz = bob.output(0)
    expect(quiz.get_by_text("Logged in as bob")).to_be_visible()
    expect(quiz.get_by_role("button", name="Start")).to_be_visible()
    expect(quiz.get_by_role("radio")).to_have_count(0)
    assert "ada" not in quiz.inner_text()


def secrets_in(saved: bytes, host: Host) -> list[str]:
    """What stands in a saved notebook and must not: questions, options, ids that an attempt shows, names, tokens."""
    texts = [
        text.rendered(locale).plain.splitlines()[0]
        for item in WHOLE.items
        for text in (item.stem, *(option.text for option in item.options))
        for locale in WHOLE.locales
    ]
    token = host.server.environment["QUIZ_WIDGETS_DESK_TOKEN"]
    kept = b"".join(path.read_bytes() for path in host.server.home.rglob("*.jsonl")).decode()
    attempts = re.findall(r'"attempt":"([0-9a-f]{32})"', kept)
    assert attempts
    ids = re.findall(r'"(o[0-9a-f]{12})"', kept)
    names = ["Logged in as ada", '"ada"', token, "desk-", "ticket-", *attempts, *ids]
    text = saved.decode("utf-8")
    return [secret for secret in (*(text for text in texts if len(text) > 12), *names) if secret in text]


def test_nothing_of_a_learner_is_in_the_saved_state_of_widgets_and_pages_find_it_again(ada_in_each: Host) -> None:
    host = ada_in_each
    begin(host, f"state-{host.name}.ipynb", SHOW_WIDGET)
    host.run(1)
    shown = host.output(1)
    step, chosen = save(shown)
    for cell in (0, 1):
        expect(host.output(cell).get_by_text(RECORDED)).to_be_visible()
    assert not secrets_in(saved_state(host), host)

    host.reload()
    found_again(host, step, chosen)
    other = host.second_tab()
    found_again(other, step, chosen)
    other.output(0).get_by_role("radio").last.click()
    other.output(0).get_by_role("button", name="Save answer").click()
    expect(other.output(0).get_by_text(RECORDED)).to_be_visible()
    for cell in (0, 1):
        expect(host.output(cell).get_by_role("radio").last).to_be_checked()
    assert not secrets_in(saved_state(host), host)
    other.page.close()

    host.restart_kernel()
    host.reload()
    for cell in (0, 1):
        expect(host.output(cell).get_by_text("To take this quiz, open this notebook").first).to_be_visible()


def saved_state(host: Host) -> bytes:
    """The notebook as it is saved, with the state of the widgets of its kernel."""
    host.save()
    found = (host.server.root / host.path).read_bytes()
    states = json.loads(found)["metadata"]["widgets"]["application/vnd.jupyter.widget-state+json"]["state"]
    assert "cs101/week-3" in [made["state"].get("quiz_id") for made in states.values()]
    return found


def found_again(host: Host, step: str, chosen: str) -> None:
    """What was saved stands in the page that the cell shows, and in the widget."""
    shown = [host.output(0), host.output(1)]
    for quiz in shown:
        expect(quiz.get_by_text("Logged in as ada")).to_be_visible()
    for quiz in shown:
        quiz.get_by_role("button", name=step).click()
        expect(quiz.get_by_role("radio", name=chosen)).to_be_checked()
        expect(quiz.get_by_text(RECORDED)).to_be_visible()


def test_a_running_cell_is_waited_for_and_nothing_is_lost(ada: Host, held: Held) -> None:
    quiz = begin(ada, "busy.ipynb", held.source)
    held.run(ada, 1)
    save(quiz)

    expect(quiz.get_by_text("Waiting for the running cell.")).to_be_visible()
    held.end()
    expect(quiz.get_by_text(RECORDED)).to_be_visible(timeout=60_000)


def test_a_desk_that_is_killed_is_waited_for_and_nothing_is_lost(ada: Host, desk: Desk) -> None:
    quiz = begin(ada, "killed.ipynb")
    desk.stack.kill_desk()
    try:
        save(quiz)
        expect(quiz.get_by_text("Sent, waiting for the course (1 waiting)")).to_be_visible()
        expect(quiz.get_by_text("The course cannot be reached now.")).to_be_visible()
        assert not re.search("Right|Not quite", quiz.inner_text())
    finally:
        desk.stack.start_desk()
    expect(quiz.get_by_text(RECORDED)).to_be_visible(timeout=60_000)
    expect(quiz.get_by_text("The course cannot be reached now.")).to_have_count(0)


def test_a_kernel_that_is_restarted_takes_no_saved_answer_with_it(ada: Host) -> None:
    quiz = begin(ada, "restarted.ipynb")
    step, chosen = save(quiz)
    expect(quiz.get_by_text(RECORDED)).to_be_visible()
    ada.restart_kernel()
    ada.run(0)

    quiz = ada.output(0)
    quiz.get_by_role("button", name=step).click()
    expect(quiz.get_by_role("radio", name=chosen)).to_be_checked()
    expect(quiz.get_by_text(RECORDED)).to_be_visible()


def test_an_answer_that_a_running_cell_holds_over_the_deadline_is_late_also_after_a_reload(
    ada: Host, desk: Desk, held: Held
) -> None:
    ada.open(write(ada.server, "exam.ipynb", SHOW_EXAM, held.source))
    ada.run(0)
    quiz = ada.output(0)
    quiz.get_by_role("button", name="Start").click()
    expect(quiz.get_by_text("Question 1 of").first).to_be_visible()

    held.run(ada, 1)
    quiz.get_by_role("radio", name=RIGHT).click()
    quiz.get_by_role("button", name="Save answer").click()
    expect(quiz.get_by_text("Waiting for the running cell.")).to_be_visible()
    desk.end_exam()
    held.end()
    expect(quiz.get_by_text(LATE)).to_be_visible(timeout=60_000)
    expect(quiz.get_by_text(RECORDED)).to_have_count(0)
    wait_until("it is scored", lambda: desk.exam()[1])
    assert desk.exam() == ([("late", False)], ["0.0000"])

    ada.reload()
    ada.run(0)
    quiz = ada.output(0)
    expect(quiz.get_by_text(LATE)).to_be_visible()
    quiz.get_by_role("button", name="See question 1", exact=True).click()
    expect(quiz.get_by_text(LATE)).to_be_visible()
    expect(quiz.get_by_text(RECORDED)).to_have_count(0)
    expect(quiz.get_by_role("radio", checked=True)).to_have_count(0)
    assert desk.exam() == ([("late", False)], ["0.0000"])


def test_a_vote_that_a_running_cell_holds_beyond_the_closing_is_late_also_after_a_reload(
    ada: Host, desk: Desk, held: Held
) -> None:
    said = "Your vote came after the vote was closed; it does not count"
    ada.open(write(ada.server, "lecture.ipynb", SHOW_POLL, held.source))
    ada.run(0)
    quiz = ada.output(0)
    quiz.get_by_role("button", name="Start").click()
    expect(quiz.get_by_text("Waiting for the first question.")).to_be_visible()
    desk.step("open", ASKED.id)
    expect(quiz.get_by_text("Question 1: voting is open.")).to_be_visible()

    held.run(ada, 1)
    quiz.get_by_role("radio").first.click()
    quiz.get_by_role("button", name="Vote", exact=True).click()
    expect(quiz.get_by_text("Waiting for the running cell.")).to_be_visible()
    desk.step("close")
    held.end()
    expect(quiz.get_by_text(said)).to_be_visible(timeout=60_000)
    expect(quiz.get_by_text("Question 1: voting is closed.")).to_be_visible()
    expect(quiz.get_by_role("radio", checked=True)).to_have_count(0)

    ada.save()
    assert not secrets_in((ada.server.root / "lecture.ipynb").read_bytes(), ada)
    ada.reload()
    ada.run(0)
    quiz = ada.output(0)
    expect(quiz.get_by_text(said)).to_be_visible()
    desk.step("open", ASKED.id)
    expect(quiz.get_by_text("Question 1: voting is open again, round 2.")).to_be_visible()
    quiz.get_by_role("radio").first.click()
    quiz.get_by_role("button", name="Vote", exact=True).click()
    expect(quiz.get_by_text(re.compile(r"Your vote: .+, recorded \d+:\d\d:\d\d"))).to_be_visible()
    desk.step("close")
    desk.step("reveal", ASKED.id)
    votes = quiz.get_by_role("table", name="How the class voted")
    expect(votes.get_by_role("columnheader", name=re.compile("Round 1.*0 votes"))).to_be_visible()
    expect(votes.get_by_role("columnheader", name=re.compile("Round 2.*1 vote"))).to_be_visible()
    expect(quiz.get_by_text(said)).to_be_visible()
    ada.save()
    assert not secrets_in((ada.server.root / "lecture.ipynb").read_bytes(), ada)
