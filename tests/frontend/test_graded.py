"""A graded quiz in the page: its states, with a stand-in for the kernel that tells what a desk would say."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from quiz_widgets import locales
from tests.frontend import desk_link as desk
from tests.frontend.desk_link import HOUR, MINUTE, NAME, RUN
from tests.frontend.mounting import Mounts, axe, document, link

STORED = "() => Object.entries(localStorage).filter(([name]) => name.startsWith('quiz_widgets/'))"
SCORES = {"bytes": [1, 1], "typed": [0, 1], "ordered": [0.5, 1], "matched": [0, 1]}
RIGHTNESS = re.compile("Right|Not quite|Not right|Your choice|The answer|points|Partly")


def quiz_in(page: Page) -> Locator:
    return page.get_by_role("group").first


def told(page: Page) -> Locator:
    """What is said of the whole quiz."""
    return page.get_by_role("status").first


def save(page: Page, name: str) -> None:
    page.get_by_role("radio", name=name).click()
    page.get_by_role("button", name="Save answer").click()


def test_without_a_link_it_says_where_to_take_it_and_holds_nothing(mount: Mounts) -> None:
    page = desk.show(mount, linked=False)

    expect(page.get_by_role("heading", name="Memory and numbers")).to_be_visible()
    expect(page.get_by_text(NAME)).to_be_visible()
    expect(told(page)).to_have_text("To take this quiz, open this notebook on the course's Hub and run the cell.")
    expect(page.get_by_role("button")).to_have_count(0)
    assert page.evaluate(STORED) == []


def test_without_a_script_the_output_says_the_same() -> None:
    shown = desk.output().partition("<script>")[0]

    assert NAME in shown
    assert "Memory and numbers" in shown
    assert "Open this notebook on the course&#x27;s Hub" in shown


CLOSED_DOORS: dict[str, tuple[dict[str, Any], str]] = {
    "not open yet": ({"phase": "before", "opens": desk.now() + 48 * HOUR}, "This quiz is not open yet."),
    "closed": ({"phase": "closed", "due": desk.now() - HOUR, "closes": desk.now() - HOUR}, "This quiz is closed."),
    "excused": ({"excused": True}, "You are excused from this quiz."),
    "no attempt left": ({"left": 0}, "You have used all your attempts."),
    "not in the course": ({"phase": "away", "trouble": "unknown", "who": ""}, "There is no such quiz in your courses."),
    "not logged in": ({"phase": "away", "trouble": "who", "who": ""}, "does not know who you are any more"),
    "no desk": ({"phase": "away", "trouble": "no_desk", "who": ""}, "knows no course"),
    "away": ({"phase": "away", "trouble": "unreachable", "who": ""}, "cannot be reached now"),
    "a word of a later desk": ({"phase": "away", "trouble": "martian", "who": ""}, "The course refused this"),
}


@pytest.mark.parametrize("case", CLOSED_DOORS)
def test_what_keeps_a_learner_out_is_said_and_nothing_can_be_started(mount: Mounts, case: str) -> None:
    changes, sentence = CLOSED_DOORS[case]
    page = desk.show(mount, desk=changes)

    expect(told(page)).to_contain_text(sentence)
    expect(page.get_by_role("button")).to_have_count(0)


def test_before_opening_name_times_and_limits_are_told(mount: Mounts) -> None:
    at = 1_800_000_000_000
    page = desk.show(
        mount, desk={"opens": at, "due": at + HOUR, "closes": at + 3 * HOUR, "now": at + 1, "time_limit": 90 * MINUTE}
    )

    for text in ("Logged in as ada", "Computing 101", "Graded quiz cs101/week-3", "2 attempts left"):
        expect(page.get_by_text(text)).to_be_visible()
    times = [text.replace("\u202f", " ") for text in page.get_by_role("listitem").all_inner_texts()]
    assert times[:5] == [
        "Opens: Friday, January 15, 2027 at 11:00 AM",
        "Due: Friday, January 15, 2027 at 12:00 PM",
        "Closes: Friday, January 15, 2027 at 2:00 PM",
        "Times are those of the course (Europe/Istanbul).",
        "Time limit: 1 hour, 30 minutes",
    ]


def test_a_start_without_a_limit_asks_the_kernel_at_once(mount: Mounts) -> None:
    page = desk.show(mount)
    page.get_by_role("button", name="Start").click()

    [event] = desk.sent(page)
    assert (event["kind"], event["attempt"]) == ("start", "")
    expect(told(page)).to_have_text("Opening the quiz…")
    desk.put(page, **desk.opened(), desk=desk.desk(left=1))
    expect(page.get_by_text("Question 1 of 4").first).to_be_visible()
    # Focus goes on where the questions are: the button is gone.
    assert "float16" in page.evaluate("() => document.activeElement.shadowRoot.activeElement.textContent")


def test_a_time_limit_is_said_before_the_clock_runs(mount: Mounts) -> None:
    page = desk.show(mount, desk={"time_limit": 45 * MINUTE})
    page.get_by_role("button", name="Start").press("Enter")

    expect(page.get_by_role("group", name="Once you start you have 45 minutes")).to_be_visible()
    page.get_by_role("button", name="Not yet").press("Enter")
    assert desk.sent(page) == []
    expect(page.get_by_role("button", name="Start")).to_be_focused()
    page.get_by_role("button", name="Start").press("Enter")
    page.keyboard.press("Enter")
    assert [event["kind"] for event in desk.sent(page)] == ["start"]


def test_a_refused_start_says_why(mount: Mounts) -> None:
    page = desk.show(mount)
    page.get_by_role("button", name="Start").click()
    desk.put(page, desk=desk.desk(trouble="closed"))

    expect(told(page)).to_contain_text("This quiz is closed.")


def test_an_answer_is_recorded_only_when_the_kernel_says_so(mount: Mounts) -> None:
    page = desk.show(mount, **desk.opened())
    save(page, "Two bytes")

    status = page.get_by_role("status").last
    expect(status).to_have_text("Sending…")
    [event] = desk.sent(page)
    assert (event["id"], event["response"]) == (f"{RUN}/bytes/1", ["two"])
    desk.put(page, outcomes=desk.recorded("bytes", "two", verdict="waiting"), desk=desk.desk(waiting=3))
    expect(status).to_have_text("Sent, waiting for the course (3 waiting)")
    desk.put(page, outcomes=desk.recorded("bytes", "two", at=1_800_000_000_000), desk=desk.desk())
    expect(status).to_have_text(re.compile(r"Recorded 11:00:00\sAM"))
    assert not RIGHTNESS.search(quiz_in(page).inner_text())
    assert page.locator(".right, .wrong, .ok, .no").count() == 0


def test_an_answer_may_be_changed_until_the_end(mount: Mounts) -> None:
    page = desk.show(mount, **desk.opened(), outcomes=desk.recorded("bytes", "two"))
    page.get_by_role("button", name="Question 1: answered").click()

    expect(page.get_by_role("radio", name="Two bytes")).to_be_checked()
    page.get_by_role("button", name="Change the answer").click()
    page.get_by_role("radio", name="Four bytes").click()
    expect(page.get_by_text("Not saved yet")).to_be_visible()
    page.get_by_role("button", name="Save answer").click()
    [event] = desk.sent(page)
    assert (event["id"], event["response"]) == (f"{RUN}/bytes/2", ["four"])


def test_a_busy_kernel_is_waited_for_in_words(mount: Mounts) -> None:
    page = desk.show(mount, **desk.opened())
    page.clock.install()
    save(page, "Two bytes")
    page.clock.run_for(6000)

    expect(page.get_by_role("status").last).to_contain_text("Waiting for the running cell.")


VERDICTS = {
    "late": "Arrived late: not counted",
    "finished": "Arrived after you had handed in: not counted",
    "reused": "Another answer to this question was recorded first.",
    "unfit": "Not accepted by the course: not counted",
    "unknown": "Not accepted by the course: not counted",
}


@pytest.mark.parametrize("verdict", VERDICTS)
def test_what_does_not_count_is_said_beside_what_does(mount: Mounts, verdict: str) -> None:
    both = desk.recorded("bytes", "two") | desk.recorded("bytes", "four", number=2, verdict=verdict)
    page = desk.show(mount, **desk.opened(), outcomes=both)
    page.get_by_role("button", name="Question 1").click()

    expect(page.get_by_role("status").last).to_contain_text(VERDICTS[verdict])
    expect(page.get_by_role("status").last).to_contain_text("Recorded")
    expect(page.get_by_role("radio", name="Two bytes")).to_be_checked()
    page.get_by_role("button", name="Change the answer").click()
    save(page, "Eight bytes")
    assert desk.sent(page)[0]["id"] == f"{RUN}/bytes/3"


def test_handing_in_lists_what_is_open_and_then_nothing_changes(mount: Mounts) -> None:
    page = desk.show(mount, **desk.opened(), outcomes=desk.recorded("bytes", "two"))
    for _ in range(3):
        page.get_by_role("button", name=re.compile("^(Next|To the overview)$")).click()

    expect(page.get_by_text("3 questions are not answered.")).to_be_visible()
    page.get_by_role("button", name="Answer question 3").click()
    expect(page.get_by_text("In which order does a step run?").first).to_be_focused()
    page.get_by_role("button", name="Next").click()
    page.get_by_role("button", name="To the overview").click()
    page.get_by_role("button", name="Hand in").click()
    assert [(event["kind"], event["id"]) for event in desk.sent(page)] == [("finish", f"{RUN}/finish/1")]
    expect(told(page)).to_contain_text("You are handing in.")
    expect(page.get_by_role("button", name="Hand in")).to_have_count(0)
    desk.put(page, desk=desk.desk(finished=1_800_000_000_000, left=0))
    expect(told(page)).to_have_text(re.compile(r"Handed in at 11:00:00\sAM\."))
    page.get_by_role("button", name="See question 1").click()
    page.get_by_role("radio", name="Four bytes").click(force=True)
    expect(page.get_by_role("radio", name="Two bytes")).to_be_checked()
    expect(page.get_by_role("button", name=re.compile("Save|Change"))).to_have_count(0)
    for _ in range(3):
        assert not RIGHTNESS.search(quiz_in(page).inner_text())
        assert page.locator(".right, .wrong, .ok, .no").count() == 0
        page.get_by_role("button", name="Next").click()


def test_a_choice_that_was_not_saved_is_named_before_handing_in(mount: Mounts) -> None:
    page = desk.show(mount, **desk.opened())
    page.get_by_role("radio", name="Two bytes").click()
    for _ in range(4):
        page.get_by_role("button", name=re.compile("^(Next|To the overview)$")).click()

    expect(page.get_by_text("At 1 question your choice is not saved.")).to_be_visible()
    expect(page.get_by_role("listitem").filter(has_text="float16")).to_contain_text("Not saved yet")


def test_after_handing_in_another_attempt_may_be_started(mount: Mounts) -> None:
    page = desk.show(mount, desk={"finished": desk.now(), "left": 1}, **desk.opened())
    expect(page.get_by_text("Your answers")).to_be_visible()
    page.get_by_role("button", name="Start another attempt").click()

    assert [(event["kind"], event["attempt"]) for event in desk.sent(page)] == [("start", RUN)]
    second = desk.opened() | {"attempt": {"id": "b2" * 16, "started": 2}}
    second["quiz"] = second["quiz"] | {"hash": "another"}
    desk.put(page, **second, desk=desk.desk(left=0, number=2), outcomes={})
    expect(page.get_by_text("Question 1 of 4").first).to_be_visible()


def test_the_time_that_is_left_is_shown_and_said_at_five_and_one_minute(mount: Mounts) -> None:
    page = mount.open(document(desk.output()))
    page.clock.install()
    at = page.evaluate("() => Date.now()")
    state = desk.desk(now=at, due=at + 7 * MINUTE, closes=at + 7 * MINUTE)
    link(page, NAME, **({"desk": state} | desk.opened()))
    timer, spoken = page.get_by_role("timer"), page.get_by_role("status").nth(1)
    radio = page.get_by_role("radio", name="Two bytes")
    radio.focus()
    said = []
    shown = []
    for _ in range(7 * 12):
        page.clock.run_for(5000)
        said.append(spoken.text_content())
        shown.append(timer.text_content() if timer.count() else "")

    assert list(dict.fromkeys(said)) == ["", "Time left: 5 minutes", "Time left: 1 minute"]
    assert "Time left: 6 minutes" in shown
    # The clock also runs by itself between two looks, so no single second is sure to be seen.
    assert any(re.fullmatch(r"Time left: [0-9]+ seconds", one or "") for one in shown)
    expect(radio).to_be_focused()
    page.clock.run_for(2000)
    expect(told(page)).to_contain_text("Time is over.")
    expect(page.get_by_role("button", name="Save answer")).to_have_count(0)


def test_the_end_of_the_time_takes_no_focus_with_it(mount: Mounts) -> None:
    page = mount.open(document(desk.output()))
    page.clock.install()
    at = page.evaluate("() => Date.now()")
    state = desk.desk(now=at, due=at + MINUTE, closes=at + MINUTE)
    link(page, NAME, **({"desk": state} | desk.opened()))
    page.get_by_role("button", name="Save answer").focus()
    page.clock.run_for(MINUTE + 5000)

    expect(told(page)).to_contain_text("Time is over.")
    expect(page.get_by_text("How many bytes does").first).to_be_focused()


def test_the_desk_s_clock_counts_and_not_the_computer_s(mount: Mounts) -> None:
    page = desk.show(mount, **desk.opened())
    desk.put(page, desk=desk.desk(now=10 * HOUR, due=10 * HOUR + 30 * MINUTE, closes=10 * HOUR + 30 * MINUTE))

    expect(page.get_by_role("timer")).to_have_text(re.compile("Time left: (30|29) minutes"))


def test_keys_and_scores_are_shown_once_they_are_revealed(mount: Mounts) -> None:
    outcomes = desk.recorded("bytes", "two", score=1, max_score=1) | desk.recorded(
        "typed", "disk", score=0, max_score=1
    )
    state = {"phase": "closed", "finished": desk.now(), "revealed": True, "scores": SCORES}
    page = desk.show(mount, desk=state, **desk.opened(revealed=True), outcomes=outcomes)

    expect(page.get_by_text("1.5 of 4")).to_be_visible()
    expect(page.get_by_role("listitem").filter(has_text="order")).to_contain_text("Partly right · 0.5 of 1")
    page.get_by_role("button", name="See question 1").click()
    expect(page.get_by_text("Your choice, right")).to_be_visible()
    expect(page.get_by_text("Sixteen bits.").first).to_be_visible()
    page.get_by_role("button", name="Next").click()
    expect(page.get_by_text("Not quite.")).to_be_visible()
    expect(page.get_by_role("textbox", name="Your answer")).to_have_js_property("readOnly", True)
    expect(page.get_by_role("button", name=re.compile("Try again|Start|Hint|Save"))).to_have_count(0)


def test_the_reveal_changes_an_open_page_without_losing_focus(mount: Mounts) -> None:
    page = desk.show(
        mount, desk={"finished": desk.now(), "left": 0}, **desk.opened(), outcomes=desk.recorded("bytes", "two")
    )
    page.get_by_role("button", name="See question 1").click()
    assert not RIGHTNESS.search(quiz_in(page).inner_text())
    state = desk.desk(finished=desk.now(), revealed=True, phase="closed", scores=SCORES)
    desk.put(page, **desk.opened(revealed=True), desk=state)

    expect(page.get_by_text("Your choice, right")).to_be_visible()
    assert page.evaluate("() => document.activeElement.shadowRoot.activeElement !== null")


def test_what_the_kernel_has_not_taken_waits_in_the_page_and_is_sent_after_a_reload(mount: Mounts) -> None:
    context = mount.context()
    page = desk.show(mount, **desk.opened(), context=context)
    save(page, "Two bytes")
    [[name, kept]] = page.evaluate(STORED)
    assert f"{NAME}/ada/{RUN}/" in name
    page.close()

    again = desk.show(mount, **desk.opened(), context=context)
    assert [event["id"] for event in desk.sent(again)] == [f"{RUN}/bytes/1"]
    assert desk.sent(again) == json.loads(kept)["events"]
    desk.put(again, outcomes=desk.recorded("bytes", "two"))
    assert again.evaluate(STORED) == []


def test_another_learner_in_the_same_browser_neither_sees_nor_sends_it(mount: Mounts) -> None:
    context = mount.context()
    page = desk.show(mount, **desk.opened(), context=context)
    save(page, "Two bytes")
    page.close()
    bob = {**desk.opened(), "attempt": {"id": "b0" * 16, "started": 2}}
    again = desk.show(mount, desk={"who": "bob"}, **bob, context=context)

    expect(again.get_by_text("Logged in as bob")).to_be_visible()
    expect(again.get_by_role("radio", checked=True)).to_have_count(0)
    assert desk.sent(again) == []


def test_another_learner_s_link_on_the_same_page_clears_everything(mount: Mounts) -> None:
    page = desk.show(mount, **desk.opened(), outcomes=desk.recorded("bytes", "two"))
    desk.put(page, desk=desk.desk(who="bob"), **desk.shell(), attempt={"id": "", "started": 0}, outcomes={})

    expect(page.get_by_text("Logged in as bob")).to_be_visible()
    expect(page.get_by_role("button", name="Start")).to_be_visible()
    expect(page.get_by_text("float16")).to_have_count(0)


def test_a_kernel_that_began_anew_without_a_desk_takes_nothing_from_the_page(mount: Mounts) -> None:
    page = desk.show(mount, **desk.opened())
    page.evaluate("() => model.leave()")
    expect(told(page)).to_contain_text("No kernel is connected")
    expect(page.get_by_role("button", name="Save answer")).to_have_count(0)
    away = desk.desk(phase="away", trouble="unreachable", who="", now=0)
    link(page, NAME, name="second", **({"desk": away} | desk.shell() | {"attempt": {"id": "", "started": 0}}))

    expect(told(page)).to_contain_text("The course cannot be reached now.")
    save(page, "Two bytes")
    assert [event["id"] for event in page.evaluate("() => second.sent.at(-1)")] == [f"{RUN}/bytes/1"]


def test_a_second_tab_shows_what_the_first_saved(mount: Mounts) -> None:
    context = mount.context()
    first, second = (desk.show(mount, **desk.opened(), context=context) for _ in range(2))
    save(first, "Two bytes")
    desk.put(second, outcomes=desk.recorded("bytes", "two"))

    expect(second.get_by_role("radio", name="Two bytes")).to_be_checked()
    desk.put(first, outcomes=desk.recorded("bytes", "two"))
    assert first.evaluate(STORED) == []


def test_the_language_can_be_changed_while_it_is_taken(mount: Mounts) -> None:
    page = desk.show(mount, **desk.opened())
    page.get_by_role("combobox", name="Language").select_option("tr")

    expect(page.get_by_role("button", name="Yanıtı kaydet")).to_be_visible()
    expect(page.get_by_text("Oturum: ada")).to_be_visible()


def test_everything_goes_by_keyboard(mount: Mounts) -> None:
    page = desk.show(mount)
    page.get_by_role("button", name="Start").focus()
    page.keyboard.press("Enter")
    desk.put(page, **desk.opened(), desk=desk.desk(left=1))
    expect(page.get_by_role("radio")).to_have_count(3)
    for key in ("Tab", "Space"):
        page.keyboard.press(key)
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    assert desk.sent(page)[0]["item"] == "bytes"
    expect(page.get_by_role("button", name="Change the answer")).to_be_focused()


@pytest.mark.parametrize("locale", ["en", "tr", "ar"])
@pytest.mark.parametrize("look", ["light", "dark"])
def test_no_state_has_a_fault_that_axe_knows_and_all_fit_a_narrow_screen(mount: Mounts, locale: str, look: str) -> None:
    waiting = desk.recorded("bytes", "two", verdict="waiting") | desk.recorded("typed", "disk", verdict="late")
    revealed = {"phase": "closed", "finished": desk.now(), "revealed": True, "scores": SCORES}
    states: list[dict[str, Any]] = [
        {"linked": False},
        {"desk": {"time_limit": 45 * MINUTE}},
        {"desk": {"closes": desk.now() + 4 * MINUTE}, **desk.opened(locale)},
        {"desk": {"trouble": "unreachable", "waiting": 2}, **desk.opened(locale), "outcomes": waiting},
        {"desk": {"finished": desk.now()}, **desk.opened(locale), "outcomes": desk.recorded("bytes", "two")},
        {"desk": revealed, **desk.opened(locale, revealed=True), "outcomes": desk.recorded("bytes", "two")},
    ]
    for state in states:
        page = desk.show(mount, locale, viewport={"width": 320, "height": 800}, color_scheme=look, **state)
        expect(page.get_by_role("heading", level=2)).to_be_visible()
        assert axe(page) == []
        assert page.evaluate("() => document.documentElement.scrollWidth") == 320
        for region in page.get_by_role("group").first.all():
            assert not re.search(r"\{\w+\}|undefined|graded_|trouble_", region.inner_text())


def test_a_page_that_has_missed_a_message_asks_for_everything(mount: Mounts) -> None:
    page = desk.show(mount)
    expect(page.get_by_role("button", name="Start")).to_be_visible()
    page.evaluate("() => { model.greetings = 0; }")
    desk.put(page, desk=desk.desk(left=1))
    assert page.evaluate("() => model.greetings") == 0
    page.evaluate("([changes]) => { model.deaf = true; model.put(changes); model.deaf = false; }", [desk.opened()])
    expect(page.get_by_role("button", name="Start")).to_be_visible()
    desk.put(page, desk=desk.desk(left=0))
    expect(page.get_by_text("Question 1 of 4").first).to_be_visible()
    assert page.evaluate("() => model.greetings") == 1

    changes = {"desk": desk.desk(trouble="unreachable"), **desk.opened()}
    page.evaluate("([changes]) => { model.deaf = true; model.put(changes); model.deaf = false; }", [changes])
    expect(page.get_by_text("The course cannot be reached now.")).to_have_count(0)
    page.evaluate("() => model.fire('change:turn')")  # as when a lost connection is there again
    expect(page.get_by_text("The course cannot be reached now.")).to_be_visible()
    assert page.evaluate("() => model.greetings") == 2


def test_the_widget_shows_the_same(mount: Mounts) -> None:
    page = mount.open(document())
    state = {"desk": desk.desk(), "shell": desk.shell()["quiz"], "attempt": {"id": "", "started": 0}}
    link(page, NAME, module="widget", **(state | desk.shell()))
    page.evaluate("() => model.module.render({ model, el: document.querySelector('main') })")
    page.get_by_role("button", name="Start").click()
    assert [event["kind"] for event in desk.sent(page)] == ["start"]
    desk.put(page, **desk.opened(), desk=desk.desk(left=1))
    save(page, "Two bytes")

    assert [event["item"] for event in desk.sent(page)] == ["bytes"]


def test_every_word_that_the_page_says_is_there_in_every_language() -> None:
    names = {name for name in locales.words("en") if name.startswith("graded_")}

    for locale in ("tr", "ar"):
        assert {name for name in locales.words(locale) if name.startswith("graded_")} == names
