"""A learner takes the exam in the page, and everything that this learner gets meanwhile is searched for secrets."""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Callable
from pathlib import Path

from playwright.sync_api import Browser, Locator, expect

from tests.classroom.hub.driving import MARKS, STEM, Seat
from tools.classroom.room import Room

STORED = """() => JSON.stringify([{...localStorage}, {...sessionStorage}, document.cookie])"""
RECORDED = re.compile(r"Recorded \d\d?:\d\d")


def test_an_exam_is_taken_in_the_page_and_no_secret_gets_out(
    room: Room, browser: Browser, seats: Callable[[str], Seat], tmp_path: Path
) -> None:
    har = tmp_path / "har.json"
    context = browser.new_context(
        viewport={"width": 1200, "height": 1400}, record_har_path=har, record_har_content="embed"
    )
    bob = Seat(room, "bob", context)
    bob.sit_down()
    bob.run(0)
    quiz = bob.output(0)
    start = quiz.get_by_role("button", name="Start", exact=True)
    expect(start).to_be_visible()
    expect(quiz.get_by_text("Logged in as bob")).to_be_visible()
    bob.save()
    before = gathered(bob)

    start.click()
    answer(quiz)
    quiz.get_by_role("button", name="Hand in").click()
    expect(quiz.get_by_text("Handed in at").first).to_be_visible()
    bob.save()
    after = gathered(bob)
    context.close()
    after += har.read_text(encoding="utf-8")

    assert STEM not in before
    assert STEM in after
    assert [mark for mark in MARKS if mark in after] == []
    assert sorted(item for name, item, _ in room.stored("exam") if name == "bob") == ["count", "first-letter"]

    notebook = room.home("bob") / "quiz.ipynb"
    assert STEM not in notebook.read_text(encoding="utf-8")
    passed_on(room, notebook, seats("ada"))


def answer(quiz: Locator) -> None:
    """Answer both questions, whichever comes first."""
    for _ in range(2):
        radio, field = quiz.get_by_role("radio", name="The letter A"), quiz.get_by_role("textbox")
        expect(radio.or_(field)).to_be_visible()
        if radio.is_visible():
            radio.check()
        else:
            field.fill("12")
        quiz.get_by_role("button", name="Save answer").click()
        expect(quiz.get_by_text(RECORDED)).to_be_visible()
        quiz.get_by_role("button", name=re.compile("^(Next|To the overview)$")).click()


def gathered(seat: Seat) -> str:
    """Page, storage, what the kernel has sent, files, and what the desk and the Hub have logged."""
    files = [path.read_bytes() for path in seat.room.home(seat.who).rglob("*") if path.is_file()]
    told = [seat.page.content(), seat.page.evaluate(STORED), seat.room.log("desk"), seat.room.log("hub")]
    return b"\n".join([*seat.frames, *files]).decode("utf-8", "replace") + "\n".join(told)


def passed_on(room: Room, notebook: Path, ada: Seat) -> None:
    """Ada opens and runs bob's saved notebook: nothing in it is bob's, and all that she does is hers."""
    copy = room.home("ada") / "from-bob.ipynb"
    shutil.copyfile(notebook, copy)
    if (uid := room.uid("ada")) is not None:
        os.chown(copy, uid, uid)
    earlier = ada.path
    ada.page.goto(f"{room.url}/user/ada/lab/tree/{copy.name}?reset")
    ada.wait_ready()
    output = ada.output(0)
    expect(output.get_by_text("Open this notebook on the course's Hub").first).to_be_visible()
    assert output.get_by_text("bob").count() == 0
    ada.run(0)
    expect(output.get_by_text("Logged in as ada")).to_be_visible()
    assert output.get_by_text("bob").count() == 0
    ada.path = earlier
