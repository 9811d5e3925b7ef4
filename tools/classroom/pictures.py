"""Pictures of the pages for instructors: a class at work, a vote and its screen, item analysis.

The class is made up, with a seed, and answers through the desk's own rules; whoever knows more is right more often.
"""

from __future__ import annotations

import random
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from playwright.sync_api import Browser, Page, expect
from sqlalchemy import Connection

from quiz_widgets import compiled
from quiz_widgets.classroom.desk import attempts, contacts, gradebook, publishing
from quiz_widgets.classroom.desk.contacts import Heard
from quiz_widgets.classroom.desk.database.engine import writing
from quiz_widgets.classroom.desk.library import Library
from quiz_widgets.classroom.desk.submissions import digest, keep
from quiz_widgets.classroom.names import Name
from quiz_widgets.model import Item
from tests.classroom import fake_hub, fresh
from tests.classroom.browsing import Browsing, serving
from tests.classroom.small_class import EXAM, Class, sent

LIVE, VOTE, PAST = (replace(Class(), slug=slug) for slug in ("week-4", "vote", "week-2"))
NAMES = tuple(f"learner-{number:02}" for number in range(48))
WHOLE = compiled.loads(EXAM.read_text(encoding="utf-8"))
CHOICES = tuple(item for item in WHOLE.items if item.kind == "single")


def make(browser: Browser, images: Path) -> None:
    """Write the pictures, ``classroom-….png``."""
    with tempfile.TemporaryDirectory() as folder, fake_hub.running() as hub:
        engine = fresh.sqlite(Path(folder) / "desk.sqlite")
        made = Browsing(browser, engine, hub)
        made.made.now = int(time.time() * 1000)  # by which the page tells how long ago something was
        learners = Learners(made.made.now)
        with writing(engine) as connection:
            learners.enrol(connection)
        with serving(made):
            page = made.open(viewport={"width": 900, "height": 700}, device_scale_factor=1.5)
            page.goto(f"{made.url}courses/cs101/quizzes/week-4/live")
            expect(page.locator("#source")).to_have_text("Follows the class live.")
            _shoot(page, images / "classroom-live.png")
            _vote(made, page, learners, images)
            page.goto(f"{made.url}courses/cs101/quizzes/week-2/analysis")
            _shoot(page, images / "classroom-analysis.png")
            made.close()
        engine.dispose()


def _vote(made: Browsing, page: Page, learners: Learners, images: Path) -> None:
    """Two votes on one question, of which the second is better."""
    here = f"{made.url}courses/cs101/quizzes/vote/poll"
    page.goto(here)
    page.get_by_role("button", name="Open the first question").click()
    for round_, known in ((1, 0.15), (2, 0.5)):
        with writing(made.engine) as connection:
            for name in NAMES:
                learners.answer(connection, VOTE, name, CHOICES[:1], known, round_)
        page.get_by_role("button", name="Close the vote").click()
        if round_ == 1:
            _shoot(page, images / "classroom-poll.png")
            page.get_by_role("button", name="Vote again").click()
    page.get_by_role("button", name="Show the answer and the votes").click()
    page.goto(f"{here}/screen")
    _shoot(page, images / "classroom-screen.png")


def _shoot(page: Page, file: Path) -> None:
    """One window of the page, from its heading on."""
    page.locator("h1").evaluate("(heading) => heading.scrollIntoView()")
    page.mouse.move(0, 0)
    page.screenshot(path=file, animations="disabled")
    print(f"docs/images/{file.name}")


@dataclass
class Learners:
    """Those of `NAMES`, the later ones of whom know more."""

    now: int
    chance: random.Random = field(default_factory=lambda: random.Random(3))

    def enrol(self, connection: Connection) -> None:
        """Let them be in the course: somewhere in this week's quiz, in a poll, and done with last week's."""
        text = compiled.dump(replace(WHOLE, items=CHOICES))
        for one in (LIVE, VOTE, PAST):
            publishing.publish(connection, one.course, one.slug, text, "prof", self.now, poll=one is VOTE)
        for place, name in enumerate(NAMES):
            LIVE.enrol(connection, name)
            if place % 8 != 7:
                self.answer(connection, LIVE, name, CHOICES[: self.chance.randint(1, len(CHOICES))])
                heard = Heard(self.now - self.chance.randint(0, 40_000), waiting=place % 9 // 8)
                contacts.write(connection, {(Name(LIVE.course, LIVE.slug), name): heard})
            VOTE.opened(connection, name, self.now)
            self.answer(connection, PAST, name, CHOICES)
            run = PAST.opened(connection, name, self.now)
            attempts.finish(connection, run["id"], run["person"], self.now)
        gradebook.score_finished(connection, Library(), self.now)

    def answer(
        self,
        connection: Connection,
        quiz: Class,
        name: str,
        items: Sequence[Item],
        known: float = 0.2,
        round_: int = 0,
    ) -> None:
        """Open the quiz, or go on with it, and answer; `known`: how much those know who know least."""
        run = quiz.opened(connection, name, self.now)
        answers = []
        for item in items:
            wrong = [option.id for option in item.options if option.id not in item.key]
            knows = self.chance.random() < known + (1 - known) * NAMES.index(name) / len(NAMES)
            response = tuple(item.key) if knows else (self.chance.choice(wrong),)
            one = sent(run, item.id, response, number=round_ + 1, arrived=self.now)
            said = digest(item.id, response, None, round_)
            answers.append(replace(one, round=round_, digest=said, seconds=self.chance.randint(8, 90) * 1000))
        verdicts = {kept.verdict for kept in keep(connection, answers)}
        if verdicts != {"recorded"}:
            raise RuntimeError(f"{quiz.slug}: {verdicts}")
