"""A poll in the page: vote, discuss, vote, and the reveal; a stand-in for the kernel tells where it stands."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.frontend import desk_link as desk
from tests.frontend.desk_link import NAME, RUN, polled
from tests.frontend.mounting import Mounts, axe, link

AT = 1_800_000_000_000  # 11:00:00 in the course's zone
VOTES = [{"two": 3, "four": 6, "eight": 1}, {"two": 8, "four": 1}]
SHOWN = {"bytes": VOTES}
FIRST = desk.recorded("bytes", "four", at=AT, turn=1)
BOTH = FIRST | desk.recorded("bytes", "two", number=2, at=AT + 9000, turn=2)
KEY = re.compile("Right|Not quite|Your choice|The answer|Sixteen bits|How the class voted|%")
FOCUSED = (
    "() => document.activeElement.shadowRoot?.activeElement?.closest('label, button, .stem, summary, h2')?.innerText"
)


def show(mount: Mounts, state: dict[str, Any], locale: str = "en", **options: Any) -> Page:
    """A page with a link that tells this."""
    return desk.show(mount, locale, **state, **options)


def stands(page: Page) -> Locator:
    """The sentence on where the poll stands."""
    return page.locator(".poll > [role=status]")


def own(page: Page) -> Locator:
    """What is said of the learner's votes on the last question."""
    return page.locator(".own").last


def vote(page: Page, name: str) -> None:
    page.get_by_role("radio", name=name).last.click()
    page.get_by_role("button", name="Vote", exact=True).click()


def test_until_a_question_is_opened_it_waits_and_then_follows_by_itself(mount: Mounts) -> None:
    page = show(mount, polled("waiting", turn=0))
    expect(stands(page)).to_have_text("Waiting for the first question. It appears here by itself.")
    expect(page.get_by_role("radio")).to_have_count(0)
    desk.put(page, **polled("open", "bytes"))

    expect(stands(page)).to_have_text("Question 1: voting is open. You may change your vote until it is closed.")
    expect(page.get_by_role("radio")).to_have_count(3)
    expect(page.get_by_role("button", name="Vote", exact=True)).to_be_visible()
    expect(page.get_by_role("button", name=re.compile("Hand in|Next|overview"))).to_have_count(0)


def test_a_vote_is_said_to_be_recorded_only_by_the_desk_s_receipt(mount: Mounts) -> None:
    page = show(mount, polled("open", "bytes", 1))
    page.get_by_role("button", name="Vote", exact=True).click()
    expect(page.get_by_text("Nothing is chosen yet. Choose an answer, then vote.")).to_be_visible()
    page.get_by_role("radio", name="Four bytes").click()
    expect(page.get_by_text("Not voted yet")).to_be_visible()
    vote(page, "Four bytes")

    [event] = desk.sent(page)
    assert (event["id"], event["round"], event["response"]) == (f"{RUN}/bytes/1", 1, ["four"])
    expect(own(page)).to_have_text("Your vote: Four bytes. Sending…")
    desk.put(page, outcomes=desk.recorded("bytes", "four", turn=1, verdict="waiting"))
    expect(own(page)).to_have_text("Your vote: Four bytes. Sent, waiting for the course (0 waiting)")
    desk.put(page, outcomes=FIRST)
    expect(own(page)).to_have_text(re.compile(r"^Your vote: Four bytes, recorded 11:00:00\sAM$"))
    assert not KEY.search(page.locator(".poll").inner_text())


def test_a_vote_may_be_changed_until_it_is_closed(mount: Mounts) -> None:
    page = show(mount, polled("open", "bytes") | {"outcomes": FIRST})
    page.get_by_role("button", name="Change my vote").click()
    vote(page, "Two bytes")
    assert [(event["id"], event["round"]) for event in desk.sent(page)] == [(f"{RUN}/bytes/2", 1)]
    expect(own(page)).to_contain_text("Your vote: Four bytes, recorded")
    expect(own(page)).to_contain_text("Your vote: Two bytes. Sending…")
    desk.put(page, outcomes=FIRST | desk.recorded("bytes", "two", number=2, at=AT, turn=1))
    expect(own(page)).to_have_text(re.compile("^Your vote: Two bytes, recorded"))

    desk.put(page, **polled("closed", "bytes", sequence=1))
    expect(stands(page)).to_have_text("Question 1: voting is closed. This page goes on by itself.")
    expect(page.get_by_role("button", name=re.compile("vote", re.IGNORECASE))).to_have_count(0)
    page.get_by_role("radio", name="Eight bytes").click(force=True)
    expect(page.get_by_role("radio", name="Two bytes")).to_be_checked()
    assert not KEY.search(page.locator(".poll").inner_text())


def test_a_choice_that_was_not_sent_is_none_once_voting_is_closed(mount: Mounts) -> None:
    page = show(mount, polled("open", "bytes"))
    page.get_by_role("radio", name="Two bytes").click()
    desk.put(page, **polled("closed", "bytes", sequence=1))

    expect(page.get_by_role("radio", checked=True)).to_have_count(0)
    expect(own(page)).to_have_text("You did not vote in this round.")


def test_a_second_round_is_a_fresh_choice_beside_the_first_vote(mount: Mounts) -> None:
    page = show(mount, polled("closed", "bytes") | {"outcomes": FIRST})
    desk.put(page, **polled("open", "bytes", 2, sequence=1))

    expect(stands(page)).to_have_text("Question 1: voting is open again, round 2. Choose afresh.")
    expect(page.get_by_role("radio", checked=True)).to_have_count(0)
    expect(own(page)).to_have_text(re.compile(r"^Your vote in round 1: Four bytes, recorded 11:00:00\sAM$"))
    vote(page, "Two bytes")
    assert [(event["id"], event["round"]) for event in desk.sent(page)] == [(f"{RUN}/bytes/2", 2)]
    desk.put(page, outcomes=BOTH)
    expect(own(page)).to_contain_text("Your vote in round 1: Four bytes")
    expect(own(page)).to_contain_text(re.compile(r"Your vote: Two bytes, recorded 11:00:09\sAM"))


def test_a_vote_that_was_held_back_beyond_the_closing_is_said_not_to_count(mount: Mounts) -> None:
    late = desk.recorded("bytes", "two", number=2, at=AT, turn=2, verdict="late")
    page = show(mount, polled("open", "bytes", 2) | {"outcomes": FIRST})
    vote(page, "Two bytes")
    desk.put(page, **polled("closed", "bytes", 2, sequence=1))
    expect(own(page)).to_contain_text("Your vote: Two bytes. Sending…")
    desk.put(page, outcomes=FIRST | late)

    said = re.compile(r"Your vote came after the vote was closed; it does not count: Two bytes, 11:00:00\sAM")
    expect(own(page)).to_contain_text(said)
    expect(own(page)).to_contain_text("Your vote in round 1: Four bytes, recorded")
    expect(page.get_by_role("radio", checked=True)).to_have_count(0)
    again = show(mount, polled("revealed", "bytes", 2, votes=SHOWN) | {"outcomes": FIRST | late})
    expect(own(again)).to_contain_text(said)


def test_the_reveal_brings_key_explanation_evidence_and_both_histograms(mount: Mounts) -> None:
    page = show(mount, polled("closed", "bytes", 2) | {"outcomes": BOTH})
    desk.put(page, **polled("revealed", "bytes", 2, votes=SHOWN, sequence=1))

    expect(stands(page)).to_have_text("Question 1: the answer is shown.")
    for text in ("Your choice, right", "Sixteen bits.", "Measured: 2 bytes, 0.5 of FP32.", "Right."):
        expect(page.get_by_text(text).first).to_be_visible()
    table = page.get_by_role("table", name="How the class voted")
    assert [cell.strip().split() for cell in table.get_by_role("columnheader").all_inner_texts()] == [
        ["Option"],
        ["Round", "1", "10", "votes"],
        ["Round", "2", "9", "votes"],
    ]
    rows = {row.split("\n")[-1]: row for row in table.get_by_role("rowheader").all_inner_texts()}
    assert rows["Two bytes"].startswith("✓ The answer")
    assert not rows["Four bytes"].startswith("✓")
    cells = {
        name: table.get_by_role("row").filter(has_text=name).get_by_role("cell").all_inner_texts() for name in rows
    }
    assert {name: [cell.strip() for cell in row] for name, row in cells.items()} == {
        "Two bytes": ["3 (30%)", "8 (89%)"],
        "Four bytes": ["6 (60%)", "1 (11%)"],
        "Eight bytes": ["1 (10%)", "0 (0%)"],
    }
    bars = table.get_by_role("row").filter(has_text="Two bytes").locator(".share")
    first, second = (bar.bounding_box() for bar in bars.all())
    assert first
    assert second
    assert 2.5 < second["width"] / first["width"] < 3.5
    expect(page.get_by_role("button", name=re.compile("Try again|Hint|vote", re.IGNORECASE))).to_have_count(0)


def test_where_nothing_is_chosen_the_reveal_has_no_table_and_the_vote_is_told_in_words(mount: Mounts) -> None:
    mine = desk.recorded("matched", "half:two", "full:four", turn=1)
    page = show(mount, polled("revealed", "matched", votes={"matched": [{}]}) | {"outcomes": mine})

    expect(page.locator(".explanation")).to_be_visible()
    expect(page.get_by_role("table")).to_have_count(0)
    expect(own(page)).to_have_text(re.compile("^Your vote: float16 → Two bytes, float32 → Four bytes, recorded"))


def test_the_second_vote_is_the_one_that_is_judged(mount: Mounts) -> None:
    changed = FIRST | desk.recorded("bytes", "eight", number=2, at=AT, turn=2)
    page = show(mount, polled("revealed", "bytes", 2, votes=SHOWN) | {"outcomes": changed})

    expect(page.get_by_text("Not quite.")).to_be_visible()
    expect(page.get_by_role("radio", name="Eight bytes")).to_be_checked()
    expect(page.get_by_role("radio", name="Two bytes ✓ The answer")).to_be_visible()
    expect(page.locator(".explanation")).to_be_visible()


def test_a_learner_who_did_not_vote_again_is_told_so(mount: Mounts) -> None:
    page = show(mount, polled("revealed", "bytes", 2, votes=SHOWN) | {"outcomes": FIRST})

    expect(own(page)).to_contain_text("Your vote in round 1: Four bytes")
    expect(own(page)).to_contain_text("You did not vote in this round.")


def test_earlier_questions_stay_in_order_and_can_be_read(mount: Mounts) -> None:
    page = show(mount, polled("revealed", "bytes", 2, votes=SHOWN) | {"outcomes": BOTH})
    desk.put(page, **polled("open", "typed", opened=["bytes", "typed"], votes=SHOWN, sequence=1))

    summaries = page.locator("summary")
    assert [re.sub(r"\s+", " ", text) for text in summaries.all_inner_texts()] == [
        "Question 1 answer shown How many bytes does float16 take?",
        "Question 2 voting is open, round 1",
    ]
    expect(page.get_by_role("table")).to_have_count(0)
    summaries.first.click()
    expect(page.get_by_role("table", name="How the class voted")).to_be_visible()
    page.get_by_role("textbox", name="Your answer").fill("disk")
    page.get_by_role("button", name="Vote", exact=True).click()
    assert [(event["item"], event["round"]) for event in desk.sent(page)] == [("typed", 1)]
    desk.put(page, **polled("waiting", opened=["bytes", "typed"], votes=SHOWN, sequence=2))
    expect(stands(page)).to_have_text("Waiting for the next question. It appears here by itself.")


STEPS: dict[str, tuple[dict[str, Any], dict[str, Any]]] = {
    "a vote is opened again": (polled("closed", "bytes"), polled("open", "bytes", 2, sequence=1)),
    "it is closed": (polled("open", "bytes"), polled("closed", "bytes", sequence=1)),
    "the answer is shown": (polled("closed", "bytes"), polled("revealed", "bytes", votes=SHOWN, sequence=1)),
    "the next question comes": (
        polled("revealed", "bytes", votes=SHOWN),
        polled("open", "typed", opened=["bytes", "typed"], votes=SHOWN, sequence=1),
    ),
}


@pytest.mark.parametrize("step", STEPS)
@pytest.mark.parametrize("where", ["radio", "summary", "title", "language"])
@pytest.mark.parametrize("tongue", ["en", "tr"])
def test_focus_stays_where_it_is_when_the_page_follows(mount: Mounts, step: str, where: str, tongue: str) -> None:
    before, after = STEPS[step]
    page = show(mount, before)
    if tongue != "en":
        page.get_by_role("combobox").first.select_option(tongue)
        expect(page.get_by_text("Oturum: ada")).to_be_visible()
    target = {"radio": "input >> nth=1", "summary": "summary", "title": "h2", "language": ".tongue"}[where]
    page.locator(target).first.evaluate("(node) => { node.tabIndex = 0; node.focus(); }")
    said = page.evaluate(FOCUSED)
    told = stands(page).inner_text()
    stands(page).evaluate("(node) => { globalThis.region = node; }")
    desk.put(page, **after)

    expect(stands(page)).not_to_have_text(told)
    assert (page.evaluate(FOCUSED) or "").split("\n")[0] == (said or "").split("\n")[0]
    expect(page.locator(target).first).to_be_focused()
    assert page.evaluate("() => globalThis.region.isConnected"), "a region that is made anew is not heard"


def test_a_button_that_is_gone_hands_focus_to_its_question(mount: Mounts) -> None:
    page = show(mount, polled("open", "bytes"))
    page.get_by_role("button", name="Vote", exact=True).focus()
    desk.put(page, **polled("closed", "bytes", sequence=1))

    expect(page.locator(".stem")).to_be_focused()


def test_without_a_link_nothing_can_be_voted_and_the_page_says_why(mount: Mounts) -> None:
    page = show(mount, polled("open", "bytes") | {"outcomes": FIRST})
    page.evaluate("() => model.leave()")

    expect(page.get_by_text("No kernel is connected, so nothing can be changed now.")).to_be_visible()
    expect(stands(page)).to_have_text("")
    expect(page.get_by_role("button", name=re.compile("vote", re.IGNORECASE))).to_have_count(0)


def test_a_running_cell_is_waited_for_in_words(mount: Mounts) -> None:
    page = show(mount, polled("open", "bytes"))
    page.clock.install()
    vote(page, "Two bytes")
    page.clock.run_for(6000)

    expect(own(page)).to_contain_text("Your vote: Two bytes. Waiting for the running cell.")


def test_a_second_kernel_that_knows_less_takes_the_page_back_no_step(mount: Mounts) -> None:
    page = show(mount, polled("open", "bytes", 2, sequence=7))
    link(page, NAME, name="second", **polled("closed", "bytes", sequence=6))

    expect(stands(page)).to_have_text("Question 1: voting is open again, round 2. Choose afresh.")
    expect(page.get_by_role("button", name="Vote", exact=True)).to_be_visible()


def test_after_its_end_everything_stays_to_be_read(mount: Mounts) -> None:
    page = show(mount, polled("revealed", "bytes", 2, votes=SHOWN) | {"outcomes": BOTH})
    ended = polled("waiting", None, 0, opened=["bytes"], votes=SHOWN, sequence=1, closes=AT, due=None, finished=AT)
    desk.put(page, **ended)

    expect(page.get_by_role("status").first).to_have_text("The poll has ended.")
    expect(stands(page)).to_have_text("")
    expect(page.get_by_role("table", name="How the class voted")).to_be_visible()


def test_the_start_opens_the_poll_with_focus_on_what_is_at_hand(mount: Mounts) -> None:
    page = desk.show(mount, desk={"poll": polled("open", "bytes")["desk"]["poll"]})
    expect(page.locator(".poll")).to_have_count(0)
    expect(page.get_by_text("attempts left")).to_have_count(0)
    page.get_by_role("button", name="Start").click()
    desk.put(page, **polled("open", "bytes"))

    expect(page.locator(".stem")).to_be_focused()


@pytest.mark.parametrize("locale", ["en", "tr", "ar"])
@pytest.mark.parametrize("look", ["light", "dark"])
def test_no_phase_has_a_fault_that_axe_knows_and_all_fit_a_narrow_screen(mount: Mounts, locale: str, look: str) -> None:
    late = desk.recorded("bytes", "two", number=2, at=AT, turn=2, verdict="late")
    two: dict[str, Any] = {"opened": ["bytes", "typed"], "votes": SHOWN, "locale": locale}
    states = [
        polled("waiting", locale=locale),
        polled("open", "bytes", locale=locale) | {"outcomes": FIRST},
        polled("open", "bytes", 2, locale=locale) | {"outcomes": FIRST},
        polled("closed", "bytes", 2, locale=locale) | {"outcomes": FIRST | late},
        polled("revealed", "bytes", 2, votes=SHOWN, locale=locale) | {"outcomes": BOTH},
        polled("open", "typed", **two) | {"outcomes": BOTH},
    ]
    for state in states:
        page = show(mount, state, locale, viewport={"width": 320, "height": 800}, color_scheme=look)
        expect(stands(page)).to_be_visible()
        assert axe(page) == []
        assert page.evaluate("() => document.documentElement.scrollWidth") == 320
        assert not re.search(r"\{\w+\}|undefined|poll_|vote_", page.locator("main").inner_text())
