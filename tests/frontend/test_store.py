"""One attempt on a page, in its tabs and towards kernels: every event once, none lost, records win."""

from __future__ import annotations

import dataclasses
import re
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from quiz_widgets import payload
from tests.frontend import sample_quiz as sample
from tests.frontend.mounting import Mounts, document, link, live

ONE = {"items": ["bytes"]}
ATTEMPT = {"id": "a" * 32, "started": 1000}


def choose(page: Page, option: str) -> None:
    page.get_by_role("radio", name=option).first.check()
    page.get_by_role("button", name="Check").first.click()


def kept(page: Page) -> dict[str, Any]:
    """What the page's storage holds of the one quiz."""
    state: dict[str, Any] = page.evaluate("JSON.parse(Object.values(localStorage)[0])")
    return state


def sent(page: Page) -> list[list[str]]:
    """Ids of what the page sent to the kernel, message by message."""
    ids: list[list[str]] = page.evaluate("model.sent.map((events) => events.map((event) => event.id))")
    return ids


def test_inline_item_and_whole_quiz_agree_at_once(mount: Mounts) -> None:
    page = mount.open(document(live(sample.quiz(), ONE), live(sample.quiz())))
    inline, whole = page.locator(".quiz").all()

    inline.get_by_role("radio", name="Four bytes").check()
    expect(whole.get_by_role("radio", name="Four bytes")).to_be_checked()
    whole.get_by_role("button", name="Check").click()

    expect(inline.get_by_role("status")).to_contain_text("Not quite.")
    assert len(kept(page)["events"]) == 1


def test_the_same_output_twice_on_a_page_works_twice(mount: Mounts) -> None:
    html = live(sample.quiz(), ONE)
    page = mount.open(document(f"<div>{html}</div><div>{html}</div>"))

    second = page.locator(".quiz").nth(1)
    second.get_by_role("radio", name="Two bytes").check()
    second.get_by_role("button", name="Check").click()

    expect(page.get_by_role("status").filter(has_text="Right.")).to_have_count(2)


def test_a_double_click_leaves_one_event(mount: Mounts) -> None:
    page = mount(sample.quiz(), ONE)

    page.get_by_role("radio", name="Four bytes").check()
    button = page.get_by_role("button", name="Check").element_handle()
    assert button
    for detail in (1, 2):  # both halves on the button, wherever the feedback has moved it
        button.dispatch_event("click", {"detail": detail})

    expect(page.get_by_role("status")).to_contain_text("Not quite.")
    expect(page.get_by_role("button", name="Try again")).to_be_visible()
    assert [event["kind"] for event in kept(page)["events"]] == ["submit"]


def test_a_held_key_leaves_one_event(mount: Mounts) -> None:
    page = mount(sample.quiz(), ONE)

    page.get_by_role("radio", name="Four bytes").check()
    page.get_by_role("button", name="Check").focus()
    for _ in range(4):
        page.keyboard.down("Enter")
    page.keyboard.up("Enter")

    expect(page.get_by_role("status")).to_contain_text("Not quite.")
    assert [event["id"].rpartition("/")[2] for event in kept(page)["events"]] == ["1"]


def test_answers_are_there_after_a_reload(mount: Mounts) -> None:
    page = mount(sample.quiz(), ONE)
    choose(page, "Two bytes")

    page.reload()

    expect(page.get_by_role("status")).to_contain_text("Right.")
    expect(page.get_by_role("radio", name="Two bytes")).to_be_checked()
    expect(page.get_by_text(re.compile(r"Kept in this browser at \d+:\d\d"))).to_be_visible()


@pytest.mark.parametrize(
    "written",
    [
        "5",
        '"x"',
        '{"attempt": {"id": "ID"}, "events": 5, "outcomes": 5}',
        '{"attempt": {"id": "ID"}, "events": [null, 5, {}, {"id": "x"}, {"id": 1, "response": 2}], "outcomes": null}',
        '{"attempt": {"id": "ID"}, "events": [], "outcomes": {"x": null, "ID/bytes/1": {"event": {"attempt": "ID"}}}}',
        '{"attempt": {"id": "ID"}, "events": {"length": 1}, "outcomes": [[]], "fresh": 5, "shown": "x"}',
    ],
)
def test_a_storage_that_something_else_has_written_stops_nothing(mount: Mounts, written: str) -> None:
    page = mount(sample.quiz(), ONE)
    choose(page, "Four bytes")
    expect(page.get_by_role("status")).to_contain_text("Not quite.")
    text = written.replace("ID", kept(page)["attempt"]["id"])
    page.evaluate("text => localStorage.setItem(Object.keys(localStorage)[0], text)", text)
    page.reload()

    choose(page, "Two bytes")

    expect(page.get_by_role("status")).to_contain_text("Right.")
    assert len(kept(page)["events"]) == 1


def test_a_draft_is_kept_as_long_as_its_tab_and_apart_from_its_quiz(mount: Mounts) -> None:
    draft = dataclasses.replace(sample.quiz(), id="draft:sample")
    hub = '<script id="jupyter-config-data" type="application/json">{"baseUrl": "/"}</script>'
    page = mount.open(document(live(draft, ONE), live(sample.quiz(), ONE), head=hub))
    link(page, "sample")

    choose(page, "Two bytes")
    page.reload()

    first, second = page.get_by_role("status").all()
    expect(first).to_contain_text("Right.")
    expect(page.get_by_text(re.compile("^Kept in this browser at"))).to_be_visible()
    expect(second).to_be_empty()
    assert page.evaluate("Object.keys(sessionStorage)") == ["quiz_widgets/draft:sample//"]
    assert len(kept(page)["events"]) == 0


def test_two_tabs_keep_one_record(mount: Mounts) -> None:
    context = mount.context()
    html = document(live(sample.quiz(), ONE))
    first, second = mount.open(html, context=context), mount.open(html, context=context)

    choose(first, "Four bytes")
    expect(second.get_by_role("status")).to_contain_text("Not quite.")
    second.get_by_role("button", name="Try again").click()
    choose(second, "Two bytes")

    expect(first.get_by_role("status")).to_contain_text("Right.")
    assert [event["id"].rpartition("/")[2] for event in kept(first)["events"]] == ["1", "2"]


def test_pages_at_other_addresses_keep_attempts_of_their_own(mount: Mounts) -> None:
    context = mount.context()
    html = document(live(sample.quiz(), ONE))
    first, second = (mount.open(html, context=context, path=path) for path in ("/one.html", "/two.html"))

    choose(first, "Two bytes")

    second.reload()
    expect(second.get_by_role("status")).to_be_empty()


def test_a_page_without_storage_works_and_says_that_nothing_is_kept(mount: Mounts) -> None:
    forbid = (
        "<script>Object.defineProperty(window, 'localStorage', {get() { throw new Error('forbidden'); }});</script>"
    )
    page = mount.open(document(live(sample.quiz(), ONE), head=forbid))

    choose(page, "Two bytes")

    expect(page.get_by_role("status")).to_contain_text("Right.")
    expect(page.get_by_text("Not kept: this page may not store anything")).to_be_visible()


def test_in_a_sandboxed_frame_the_quiz_answers(mount: Mounts) -> None:
    inner = document(live(sample.quiz(), ONE)).replace("&", "&amp;").replace('"', "&quot;")
    page = mount.open(f'<!doctype html><title>x</title><iframe sandbox="allow-scripts" srcdoc="{inner}"></iframe>')
    frame = page.frame_locator("iframe")

    frame.get_by_role("radio", name="Two bytes").check()
    frame.get_by_role("button", name="Check").click()

    expect(frame.get_by_role("status")).to_contain_text("Right.")


def test_events_go_to_a_kernel_and_its_record_is_shown(mount: Mounts) -> None:
    page = mount.open(document(live(sample.quiz(), ONE, attempt=ATTEMPT)))
    link(page, attempt=ATTEMPT)

    choose(page, "Four bytes")
    expect(page.get_by_text("Saving…")).to_be_visible()
    assert sent(page) == [[f"{'a' * 32}/bytes/1"]]
    assert page.evaluate("model.state.events[0]") | {"at": 0, "seconds": 0} == {
        "id": f"{'a' * 32}/bytes/1", "attempt": "a" * 32, "kind": "submit", "item": "bytes",
        "round": 0, "response": ["four"], "seconds": 0, "at": 0,
    }  # fmt: skip
    page.evaluate("model.record()")

    expect(page.get_by_text(re.compile(r"Recorded at \d+:\d\d"))).to_be_visible()


def test_events_made_without_a_kernel_are_sent_when_one_appears(mount: Mounts) -> None:
    page = mount.open(document(live(sample.quiz(), ONE, attempt=ATTEMPT)))
    page.get_by_role("button", name="Hint").click()
    choose(page, "Two bytes")

    page.reload()
    link(page, attempt=ATTEMPT, auto=True)

    assert sent(page) == [[f"{'a' * 32}/bytes/hint/1", f"{'a' * 32}/bytes/1"]]
    expect(page.get_by_text(re.compile("Recorded at"))).to_be_visible()
    page.reload()
    link(page, attempt=ATTEMPT, auto=True)
    assert sent(page) == []


def test_a_link_that_comes_before_the_quiz_is_joined(mount: Mounts) -> None:
    page = mount.open(document())
    link(page, attempt=ATTEMPT)

    page.evaluate(
        """(html) => { const out = document.createElement("div"); document.body.append(out); out.innerHTML = html;
            for (const old of out.querySelectorAll("script")) {
              const script = document.createElement("script"); script.textContent = old.textContent;
              old.replaceWith(script); } }""",
        live(sample.quiz(), ONE, attempt=ATTEMPT),
    )
    choose(page, "Two bytes")

    assert sent(page) == [[f"{'a' * 32}/bytes/1"]]


def test_without_an_answer_from_the_kernel_events_are_sent_again_and_the_learner_is_told(mount: Mounts) -> None:
    page = mount.open(document(live(sample.quiz(), ONE, attempt=ATTEMPT)))
    page.clock.install()
    link(page, attempt=ATTEMPT)

    choose(page, "Two bytes")
    page.clock.run_for(5100)

    expect(page.get_by_text(re.compile("Kept in this browser at .*; run the cell to record it"))).to_be_visible()
    assert sent(page) == [[f"{'a' * 32}/bytes/1"]] * 2


def test_every_link_gets_every_event_and_one_acknowledgement_is_enough(mount: Mounts) -> None:
    page = mount.open(document(live(sample.quiz(), ONE, attempt=ATTEMPT)))
    link(page, attempt=ATTEMPT)
    link(page, attempt=ATTEMPT, name="other")

    choose(page, "Two bytes")
    assert page.evaluate("other.sent.length") == 1
    page.evaluate("other.record()")

    expect(page.get_by_text(re.compile("Recorded at"))).to_be_visible()


def test_a_record_wins_over_what_the_page_believes(mount: Mounts) -> None:
    page = mount.open(document(live(sample.quiz(), ONE, attempt=ATTEMPT)))
    choose(page, "Four bytes")
    identity = f"{'a' * 32}/bytes/1"
    event = {
        "id": identity,
        "attempt": "a" * 32,
        "kind": "submit",
        "item": "bytes",
        "round": 0,
        "response": ["two"],
        "at": 5,
    }

    link(page, attempt=ATTEMPT, outcomes={identity: {"event": event, "at": 9, "score": 1.0, "max_score": 1.0}})

    expect(page.get_by_role("status")).to_contain_text("Right.")
    expect(page.get_by_role("radio", name="Two bytes")).to_be_checked()


def test_an_output_brings_its_record_with_it(mount: Mounts) -> None:
    identity = f"{'a' * 32}/bytes/1"
    event = {
        "id": identity,
        "attempt": "a" * 32,
        "kind": "submit",
        "item": "bytes",
        "round": 0,
        "response": ["two"],
        "at": 5,
    }
    outcomes = {identity: {"event": event, "at": 9, "score": 1.0, "max_score": 1.0}}

    page = mount.open(document(live(sample.quiz(), ONE, attempt=ATTEMPT, outcomes=outcomes)))

    expect(page.get_by_role("status")).to_contain_text("Right.")


def test_mounts_follow_the_newest_attempt(mount: Mounts) -> None:
    page = mount.open(document(live(sample.quiz(), ONE, attempt=ATTEMPT)))
    choose(page, "Four bytes")

    link(page, attempt={"id": "b" * 32, "started": 2000})

    expect(page.get_by_role("status")).to_be_empty()
    expect(page.get_by_role("radio", checked=True)).to_have_count(0)
    # what the older attempt still owed is handed over once
    assert sent(page) == [[f"{'a' * 32}/bytes/1"]]


def test_an_older_attempt_changes_nothing(mount: Mounts) -> None:
    page = mount.open(document(live(sample.quiz(), ONE, attempt=ATTEMPT)))
    choose(page, "Two bytes")

    link(page, attempt={"id": "b" * 32, "started": 500})

    expect(page.get_by_role("status")).to_contain_text("Right.")


def test_a_restart_is_sent_and_the_kernel_follows(mount: Mounts) -> None:
    page = mount.open(document(live(sample.quiz(sample.single()), attempt=ATTEMPT)))
    link(page, attempt=ATTEMPT, auto=True)
    choose(page, "Two bytes")
    page.get_by_role("button", name="See the summary").click()

    page.get_by_role("button", name="Start again").click()
    choose(page, "Four bytes")

    state = kept(page)
    restart = page.evaluate("model.sent.flat().find((event) => event.kind === 'restart')")
    assert restart["id"] == f"{'a' * 32}/restart"
    assert restart["response"] == [state["attempt"]["id"]]
    assert re.fullmatch("[0-9a-f]{32}", state["attempt"]["id"])
    assert [event["attempt"] for event in state["events"]] == [state["attempt"]["id"]]
    kinds = page.evaluate("[...new Set(model.sent.flat().map((event) => event.kind))]")
    assert kinds == ["submit", "finish", "restart"]


def test_a_dead_kernel_does_not_break_the_page(mount: Mounts) -> None:
    page = mount.open(document(live(sample.quiz(), ONE, attempt=ATTEMPT)))
    link(page, attempt=ATTEMPT)
    page.evaluate("() => { model.save_changes = () => { throw new Error('comm is closed'); }; }")

    choose(page, "Two bytes")

    expect(page.get_by_role("status")).to_contain_text("Right.")


def test_a_closed_link_is_not_written_to(mount: Mounts) -> None:
    page = mount.open(document(live(sample.quiz(), ONE, attempt=ATTEMPT)))
    link(page, attempt=ATTEMPT)

    page.evaluate("model.leave()")
    choose(page, "Two bytes")

    assert sent(page) == []


def test_the_displayable_widget_shows_the_same_player_and_joins_its_kernel(mount: Mounts) -> None:
    quiz = sample.quiz()
    state: dict[str, Any] = {
        "quiz": payload.quiz_payload(quiz, "en"),
        "practice": payload.practice_payload(quiz, "en"),
        "view": {"items": ["bytes"]},
        "attempt": ATTEMPT,
    }
    page = mount.open(document('<div id="place"></div>', live(quiz, ONE, attempt=ATTEMPT)))
    link(page, auto=True, module="widget", **state)
    page.evaluate("() => { model.end = model.module.render({ model, el: document.querySelector('#place') }); }")

    inside = page.locator("#place")
    inside.get_by_role("radio", name="Two bytes").check()
    inside.get_by_role("button", name="Check").click()

    expect(inside.get_by_role("status")).to_contain_text("Right.")
    expect(inside.get_by_text(re.compile("Recorded at"))).to_be_visible()
    expect(page.get_by_role("status")).to_have_count(2)
    assert sent(page) == [[f"{'a' * 32}/bytes/1"]]
    page.evaluate("() => { model.end(); model.leave(); }")


def test_a_view_that_is_gone_is_let_go(mount: Mounts) -> None:
    page = mount(sample.quiz(), ONE)
    page.evaluate("() => { document.querySelector('.quiz-widgets-live').remove(); }")
    session = page.context.new_cdp_session(page)
    session.send("HeapProfiler.enable")

    def mounted() -> int:
        session.send("HeapProfiler.collectGarbage")
        return int(
            page.evaluate(
                """() => { const [store] = globalThis[Symbol.for("quiz_widgets")].stores.values();
                           store.tell(); return store.listeners.size; }"""
            )
        )

    for _ in range(20):
        if not mounted():
            return
        page.wait_for_timeout(100)
    raise AssertionError("the store still holds the view")
