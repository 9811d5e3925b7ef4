"""Questions to type, to order and to match: by mouse, by keyboard alone, by touch, and in every language."""

from __future__ import annotations

import dataclasses
import json
import re
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from quiz_widgets import frontend, locales, page, payload
from tests.frontend import kinds_quiz as spoken
from tests.frontend import sample_quiz as sample
from tests.frontend.mounting import Mounts, axe, document, link, live

ATTEMPT = {"id": "5" * 32, "started": 1}
KEYED = json.loads((Path(__file__).parents[1] / "cases" / "order.json").read_text(encoding="utf-8"))["keyed"][::3]
KEY = ["Forward pass", "Multiply the loss by 2^{16}", "Backward pass", "Optimizer step"]


def show(mount: Mounts, *items: Any, **options: Any) -> Page:
    """These items inline, one under the other."""
    quiz = sample.quiz(*items)
    view = {"items": [item.id for item in items]}
    return mount.open(document(live(quiz, view, attempt=ATTEMPT)), **options)


def check(page: Page) -> None:
    page.get_by_role("button", name="Check").click()


def status(page: Page) -> Locator:
    """The verdict, which is not the live region that tells where a row is."""
    return page.locator(".verdict")


def says(page: Page, *sentences: str) -> None:
    for sentence in sentences:
        expect(status(page)).to_contain_text(sentence)


def rows(page: Page) -> list[str]:
    """The names of the rows as they stand."""
    names = page.get_by_role("button", name=re.compile("^Move up: ")).all()
    return [str(name.get_attribute("aria-label"))[len("Move up: ") :] for name in names]


def move(page: Page, name: str, by: int) -> None:
    """Move a row with its buttons."""
    for _ in range(abs(by)):
        page.get_by_role("button", name=f"Move {'down' if by > 0 else 'up'}: {name}", exact=True).click()


def put(page: Page, wanted: list[str]) -> None:
    for place, name in enumerate(wanted):
        move(page, name, place - rows(page).index(name))


def drag(page: Page, name: str, to: str) -> None:
    """Drag a row by its text over another one's place with the mouse."""
    held, over = (page.get_by_role("listitem").nth(rows(page).index(row)) for row in (name, to))
    still = "(row) => Promise.allSettled(row.parentElement.getAnimations({ subtree: true }).map((one) => one.finished))"
    held.evaluate(still)  # rows that glide stand elsewhere
    start, end = held.bounding_box(), over.bounding_box()
    assert start
    assert end
    page.mouse.move(start["x"] + 90, start["y"] + start["height"] / 2)
    page.mouse.down()
    page.mouse.move(start["x"] + 90, (start["y"] + end["y"] + end["height"]) / 2, steps=4)
    page.mouse.move(start["x"] + 90, end["y"] + end["height"] / 2, steps=4)
    page.mouse.up()


def test_a_typed_text_is_graded_with_the_feedback_of_what_it_is(mount: Mounts) -> None:
    page = show(mount, sample.typed())
    field = page.get_by_role("textbox", name="Your answer")

    check(page)
    expect(status(page)).to_have_text("Nothing is typed yet. Type your answer, then check it.")
    expect(field).to_be_focused()
    expect(field).to_have_attribute("aria-invalid", "true")
    field.fill("gradient Clipping")
    field.press("Enter")
    says(page, "Not quite. One more try.", "Clipping bounds a norm.")
    expect(field).to_have_accessible_description("Clipping bounds a norm.")
    page.get_by_role("button", name="Try again").click()
    expect(field).to_be_focused()
    field.fill("  Accumulating   GRADIENTS ")
    check(page)

    says(page, "✓ Right.", "The answer is gradient accumulation.", "Gradients add up in .grad.")
    expect(field).to_have_value("Accumulating   GRADIENTS")
    expect(field).to_have_attribute("readonly", "")


def test_a_text_that_earns_a_part_says_so(mount: Mounts) -> None:
    page = show(mount, sample.typed())

    page.get_by_role("textbox").fill("accumulation")
    check(page)

    says(page, "Partly right. One more try.", "Accumulation of what?")


def test_half_a_character_is_never_sent(mount: Mounts) -> None:
    page = show(mount, sample.typed())
    link(page)

    page.get_by_role("textbox").evaluate(
        r"(field) => { field.value = 'accumulat\ud83d gradients 🙂'; field.dispatchEvent(new Event('input')); }"
    )
    check(page)

    expect(status(page)).to_contain_text("Not quite.")
    assert page.evaluate("model.sent.at(-1)[0].response[0].isWellFormed()") is True
    assert page.evaluate("model.sent.at(-1)[0].response") == ["accumulat gradients 🙂"]


def test_rows_are_moved_by_buttons_and_keep_focus(mount: Mounts) -> None:
    page = show(mount, sample.ordered())
    first = rows(page)
    down = page.get_by_role("button", name=f"Move down: {first[0]}", exact=True)

    check(page)
    expect(status(page)).to_have_text("Nothing has been moved yet. Put the rows in order, then check them.")
    down.click()
    expect(page.get_by_text(f"{first[0]}: now 2 of 4")).to_have_role("status")
    expect(status(page)).to_be_empty()
    expect(down).to_be_focused()
    down.click()
    down.click()
    expect(page.get_by_text(f"{first[0]}: now 4 of 4")).to_have_count(1)
    assert rows(page) == [*first[1:], first[0]]
    expect(down).to_have_attribute("aria-disabled", "true")
    page.keyboard.press("Enter")

    expect(down).to_be_focused()
    assert rows(page) == [*first[1:], first[0]]


def test_an_order_is_graded_and_shown_right_when_it_is_over(mount: Mounts) -> None:
    page = show(mount, sample.ordered())

    put(page, [KEY[1], KEY[2], KEY[3], KEY[0]])
    check(page)
    says(page, "Partly right. One more try.", "There is no loss before it.")
    marked = page.get_by_role("listitem").filter(has_text="✗ Belongs elsewhere")
    expect(marked).to_have_count(1)
    expect(marked).to_contain_text("Forward pass")
    expect(page.get_by_text("✓")).to_have_count(0)
    expect(page.get_by_text("Small gradients survive")).to_have_count(0)
    page.get_by_role("button", name="Try again").click()
    put(page, [KEY[0], KEY[2], KEY[1], KEY[3]])
    check(page)

    says(page, "The rows now stand in the right order.", "Scale, run backward, step.")
    texts = page.get_by_role("listitem").all_inner_texts()
    assert [text.splitlines()[0] for text in texts if "Hint" not in text] == [
        *("Forward pass", "Multiply the loss by ", "Backward pass", "Optimizer step")
    ]
    expect(page.get_by_text("✓ Right", exact=True)).to_have_count(2)
    expect(page.get_by_text("✗ You had it at 3")).to_have_count(1)
    expect(page.get_by_role("button", name=re.compile("^Move"))).to_have_count(0)


@pytest.mark.parametrize("case", KEYED, ids=lambda case: case["attempt"][-4:])
def test_the_right_order_is_never_shown_before_it_is_found(mount: Mounts, case: dict[str, Any]) -> None:
    """Neither in the question nor in the list of all questions, also where the hash would have it."""
    options = tuple(sample.option(name, name, "Why.") for name in case["options"])
    item = dataclasses.replace(sample.ordered(), id=case["item"], options=options)
    page = mount.open(document(live(sample.quiz(item), attempt={"id": case["attempt"], "started": 1})))

    page.locator("summary").click()

    assert rows(page) == page.locator(".contents ul li").all_inner_texts() == case["order"] != case["options"]


def test_the_right_order_earns_all_points(mount: Mounts) -> None:
    page = show(mount, sample.ordered(credit="exact"))

    put(page, KEY)
    check(page)

    expect(status(page)).to_contain_text("✓ Right.")
    expect(page.get_by_text("✓ Right", exact=True)).to_have_count(4)


def test_the_answer_is_shown_without_marks_for_who_gave_none(mount: Mounts) -> None:
    page = show(mount, sample.ordered())

    put(page, [KEY[1], KEY[0], KEY[2], KEY[3]])
    check(page)
    page.get_by_role("button", name="Show the answer").click()
    page.get_by_role("button", name="Try again").click()

    assert rows(page) != KEY
    expect(page.get_by_role("button", name=re.compile("^Move down")).first).to_be_focused()


def test_rows_are_dragged_with_the_mouse(mount: Mounts) -> None:
    page = show(mount, sample.ordered())
    first = rows(page)

    drag(page, first[0], first[2])
    assert rows(page) == [first[1], first[2], first[0], first[3]]
    expect(page.get_by_text(f"{first[0]}: now 3 of 4")).to_have_role("status")
    drag(page, first[3], first[1])
    assert rows(page) == [first[3], first[1], first[2], first[0]]
    expect(page.locator(".held")).to_have_count(0)
    page.get_by_role("button", name="Clear").click()

    assert rows(page) == first
    expect(page.get_by_role("button", name=f"Move down: {first[0]}")).to_be_focused()


def test_a_row_dropped_where_it_was_is_no_response(mount: Mounts) -> None:
    page = show(mount, sample.ordered())
    row = page.get_by_role("listitem").first
    box = row.bounding_box()
    assert box

    page.mouse.move(box["x"] + 90, box["y"] + 20)
    page.mouse.down()
    expect(page.locator(".held")).to_have_count(1)
    page.mouse.move(box["x"] + 90, box["y"] + 28)
    page.mouse.up()

    expect(page.get_by_role("button", name="Clear")).to_be_hidden()
    expect(page.locator(".held")).to_have_count(0)


def test_a_finger_drags_by_the_handle_and_scrolls_elsewhere(mount: Mounts) -> None:
    page = show(mount, sample.ordered(), has_touch=True, viewport={"width": 400, "height": 800})
    first = rows(page)
    tools = page.context.new_cdp_session(page)

    def swipe(what: Locator, by: float) -> None:
        box = what.bounding_box()
        assert box
        x, y = box["x"] + 8, box["y"] + box["height"] / 2
        for kind, at in (("touchStart", 0.0), ("touchMove", by / 2), ("touchMove", by), ("touchEnd", None)):
            points = [] if at is None else [{"x": x, "y": y + at}]
            tools.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})

    swipe(page.locator(".lane .text").first, 120)
    assert rows(page) == first
    swipe(page.locator(".grip").first, 120)

    assert rows(page) == [first[1], first[2], first[0], first[3]]


def test_rows_glide_unless_nothing_is_to_move(mount: Mounts) -> None:
    counted = """() => { let count = 0; const animate = Element.prototype.animate;
        Element.prototype.animate = function (...how) { count++; return animate.apply(this, how); };
        globalThis.glided = () => count; }"""
    found = []
    for motion in ("no-preference", "reduce"):
        page = show(mount, sample.ordered(), reduced_motion=motion)
        page.evaluate(counted)
        move(page, rows(page)[0], 2)
        found.append(page.evaluate("glided()"))

    assert found == [2, 0]


def test_prompts_are_matched_with_native_selects(mount: Mounts) -> None:
    page = show(mount, sample.matched())
    for name in ("FP16", "FP32", "bfloat16"):
        expect(page.get_by_role("combobox", name=name, exact=True).get_by_role("option")).to_have_count(4)

    page.get_by_role("combobox", name="FP32").select_option("8 bits")
    check(page)
    expect(status(page)).to_have_text("2 rows have no choice yet. Choose, then check.")
    expect(page.get_by_role("combobox", name="FP32")).not_to_have_attribute("aria-invalid", "true")
    expect(page.locator("[aria-invalid=true]:focus")).to_have_count(1)
    page.get_by_role("combobox", name="FP16").select_option("11 bits")
    expect(status(page)).to_be_empty()
    page.get_by_role("combobox", name="bfloat16").select_option("8 bits")
    check(page)

    says(page, "Partly right. One more try.", "FP16 has a small range.")
    expect(page.get_by_text("✗ Your choice, not right")).to_have_count(1)
    expect(page.get_by_text("✓")).to_have_count(0)
    expect(page.get_by_role("combobox", name="FP16")).to_have_accessible_description("FP16 has a small range.")
    page.get_by_role("button", name="Show the answer").click()
    expect(page.get_by_role("combobox")).to_have_count(0)
    row = page.locator(".option").filter(has_text="FP16")
    expect(row).to_contain_text("11 bits✗ Your choice, not right5 bits✓ The answer")
    expect(page.get_by_text("✓ Your choice, right")).to_have_count(2)


def test_targets_with_formulas_stand_above_under_their_numbers(mount: Mounts) -> None:
    page = show(mount, sample.matched(rich=True))

    listed = page.locator(".targets li")
    expect(listed).to_have_count(3)
    at = next(place for place, text in enumerate(listed.all()) if text.locator("math").count())
    expect(page.get_by_role("option", name=f"{at + 1}. 2^2 + 1 bits")).to_have_count(3)
    plain = show(mount, sample.matched())
    expect(plain.locator(".targets")).to_have_count(0)


def test_a_wrong_order_and_match_earn_their_share(mount: Mounts) -> None:
    page = mount(sample.quiz(sample.ordered(), sample.matched()))

    put(page, [KEY[1], KEY[2], KEY[3], KEY[0]])
    check(page)
    page.get_by_role("button", name="Show the answer").click()
    page.get_by_role("button", name="Next").click()
    for name, target in (("FP16", "5 bits"), ("FP32", "8 bits"), ("bfloat16", "5 bits")):
        page.get_by_role("combobox", name=name, exact=True).select_option(target)
    check(page)
    page.get_by_role("button", name="Show the answer").click()
    page.get_by_role("button", name="See the summary").click()

    expect(page.get_by_text("1.33 of 2", exact=True)).to_be_visible()


def test_all_three_agree_with_a_second_mount_and_survive_a_reload(mount: Mounts) -> None:
    quiz = sample.quiz(sample.typed(), sample.ordered(), sample.matched())
    view = {"items": ["name", "step", "bits"]}
    html = document(live(quiz, view), live(quiz, view))
    context = mount.context()
    page = mount.open(html, context=context)
    one, two = (page.locator(".quiz-widgets-live").nth(place) for place in (0, 1))

    one.get_by_role("textbox").fill("clipping")
    one.get_by_role("button", name=re.compile("^Move down")).first.click()
    one.get_by_role("combobox", name="FP16").select_option("5 bits")
    expect(two.get_by_role("textbox")).to_have_value("clipping")
    expect(two.get_by_role("combobox", name="FP16")).to_have_value("five")
    for name in ("FP32", "bfloat16"):
        one.get_by_role("combobox", name=name).select_option("8 bits")
    for _ in range(3):
        one.get_by_role("button", name="Check").first.click()
    names = [one.locator("li .text").all_inner_texts(), two.locator("li .text").all_inner_texts()]
    assert names[0] == names[1]
    expect(two.get_by_role("button", name="Try again")).to_have_count(3)
    again = mount.open(html, context=context)

    expect(again.get_by_role("textbox").first).to_have_value("clipping")
    expect(again.get_by_text("✓ Your choice, right")).to_have_count(6)
    assert again.locator(".quiz-widgets-live").first.locator("li .text").all_inner_texts() == names[0]


def test_several_items_in_one_output_keep_their_names_apart(mount: Mounts) -> None:
    page = show(mount, sample.typed(), sample.single(), sample.number(), sample.matched())

    for name in (
        "gradients are summed up",
        "How many bytes does FP16 take",
        "How many bytes?",
        "How many exponent bits",
    ):
        expect(page.get_by_role("group", name=name)).to_have_count(1)
    page.get_by_role("group", name="How many bytes?").get_by_text("Your answer").click()
    expect(page.get_by_role("group", name="How many bytes?").get_by_role("textbox")).to_be_focused()
    assert axe(page) == []


def test_plain_keys_stay_in_selects_and_fields(mount: Mounts) -> None:
    page = show(mount, sample.typed(), sample.ordered(), sample.matched())
    page.evaluate(
        """() => { globalThis.heard = [];
            document.addEventListener("keydown", (event) => heard.push(event.key));
            // as Notebook 7 does: capture phase, and only the attribute on the event's target counts
            document.addEventListener("keydown", (event) => {
              if (!event.target.hasAttribute("data-lm-suppress-shortcuts")) heard.push(event.key); }, true); }"""
    )

    page.get_by_role("combobox", name="FP16").focus()
    for key in ("b", "ArrowDown", "x", "d", "d"):
        page.keyboard.press(key)
    page.get_by_role("textbox").focus()
    for key in ("b", "ArrowUp", "Enter"):
        page.keyboard.press(key)
    page.get_by_role("button", name=re.compile("^Move down")).first.focus()
    for key in ("ArrowDown", "Enter", "b", "Space"):
        page.keyboard.press(key)

    assert page.evaluate("heard") == []
    page.keyboard.press("Control+s")
    assert "s" in page.evaluate("heard")


def test_the_page_carries_the_part_for_rows_only_if_it_shows_some() -> None:
    part = frontend.rows()
    without = live(sample.quiz(sample.single(), sample.typed()))
    quiz = sample.quiz(sample.single(), sample.ordered())

    assert part not in without
    assert part in live(quiz)
    assert part not in live(quiz, {"items": ["bytes"]})
    assert page.page_html(quiz, "en").count(part) == 1


def misplace(opened: Page, locale: str) -> None:
    """Move a row, but not to where all are right: pages of their own have an attempt by chance."""
    key = [option.text.rendered(locale).plain for option in spoken.ORDERED.options]
    opened.locator(".arrow").nth(1).click()
    if opened.locator("li .text").all_inner_texts() == key:
        opened.locator(".arrow").nth(1).click()


def test_the_widget_brings_the_part_for_rows_along(mount: Mounts) -> None:
    quiz = sample.quiz(sample.ordered(), sample.matched())
    opened = mount.open(document("<section></section>"))
    state: dict[str, Any] = {
        "quiz_id": "sample",
        "quiz": payload.quiz_payload(quiz, "en"),
        "practice": payload.practice_payload(quiz, "en"),
        "view": {"items": ["step", "bits"]},
        "packs": {},
        "attempt": ATTEMPT,
        "outcomes": {},
        "events": [],
    }
    link(opened, module="widget", **state)

    opened.evaluate("model.module.render({ model, el: document.querySelector('section') })")

    expect(opened.get_by_role("button", name=re.compile("^Move down"))).to_have_count(4)
    expect(opened.get_by_role("combobox")).to_have_count(3)


def answer_all(opened: Page, locale: str, look: Any) -> None:
    """Each of the three wrongly, then revealed; `look` is called at each state."""
    words = locales.words(locale)

    def press(name: str) -> None:
        opened.get_by_role("button", name=str(words[name]), exact=True).click()

    def wrong(act: Any) -> None:
        look("untouched")
        act()
        press("check")
        look("wrong")
        press("show_answer")
        look("revealed")

    wrong(lambda: opened.get_by_role("textbox").fill("disk"))
    press("next")
    wrong(lambda: misplace(opened, locale))
    press("next")
    wrong(lambda: [row.select_option("eight") for row in opened.locator(".lane select").all()])
    press("to_summary")
    look("summary")


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("locale", ["en", "tr", "ar"])
def test_axe_finds_nothing_in_any_language_and_theme(mount: Mounts, locale: str, scheme: Any) -> None:
    opened = mount.open(page.page_html(spoken.quiz(), locale), color_scheme=scheme)
    opened.locator("summary").click()
    found: list[tuple[str, list[str]]] = []

    answer_all(opened, locale, lambda state: found.append((state, axe(opened))))

    assert [entry for entry in found if entry[1]] == []
    assert len(found) == 10


@pytest.mark.parametrize("locale", ["en", "ar"])
def test_a_narrow_page_fits_and_targets_are_large_enough(mount: Mounts, locale: str) -> None:
    opened = mount.open(page.page_html(spoken.quiz(), locale), viewport={"width": 320, "height": 700})
    found: list[str] = []

    def look(state: str) -> None:
        if not opened.evaluate("document.documentElement.scrollWidth <= innerWidth"):
            found.append(f"{state}: wide")
        for control in opened.locator("button, select, input, a, summary, .grip").all():
            box = control.bounding_box()
            if box and min(box["width"], box["height"]) < 24:
                found.append(f"{state}: {control.get_attribute('class')} {control.inner_text()}")

    answer_all(opened, locale, look)

    assert found == []


@pytest.mark.parametrize(
    ("locale", "typed"), [("en", "ذاكرة"), ("en", "BELLEK"), ("tr", "memory"), ("ar", "ذاكِـرة"), ("ar", "ram")]
)
def test_a_text_is_right_in_any_language_whichever_is_shown(mount: Mounts, locale: str, typed: str) -> None:
    words = locales.words(locale)
    opened = mount.open(document(live(spoken.quiz(), {"items": ["typed"]}, locale=locale)))
    field = opened.get_by_role("textbox", name=str(words["typed_label"]))

    expect(field).to_have_attribute("dir", locales.direction(locale))
    field.fill(typed)
    field.press("Enter")

    expect(status(opened)).to_contain_text(str(words["right"]))


def test_a_field_for_code_runs_from_left_to_right_in_arabic(mount: Mounts) -> None:
    code = spoken.TYPED.accept[0].__class__("code", spoken.pattern("torch.compile", "torch.compile", "torch.compile"))
    item = spoken.TYPED.__class__(id="code", kind="text", stem=spoken.TYPED.stem, accept=(code,))
    opened = mount.open(document(live(spoken.quiz(item), locale="ar")))

    expect(opened.get_by_role("textbox")).to_have_attribute("dir", "ltr")


def test_choosing_another_language_keeps_what_was_typed_put_and_chosen(mount: Mounts) -> None:
    opened = mount.open(document(live(spoken.quiz(), {"items": ["typed", "ordered", "matched"]}, attempt=ATTEMPT)))
    opened.get_by_role("textbox").fill("disk")
    opened.get_by_role("button", name=re.compile("^Move down")).first.click()
    opened.get_by_role("combobox", name="float32").select_option("Four bytes")
    before = opened.locator("li .text").all_inner_texts()
    names = {"Forward": "إلى الأمام", "Backward": "إلى الخلف", "Step opt": "خطوة opt"}

    opened.get_by_role("combobox", name="Language").select_option("ar")

    expect(opened.get_by_role("textbox", name="إجابتك")).to_have_value("disk")
    expect(opened.get_by_role("combobox", name="float32")).to_have_value("four")
    assert opened.locator("li .text").all_inner_texts() == [names[name] for name in before]
    opened.get_by_role("button", name=re.compile("^انقل إلى أسفل")).first.click()
    expect(opened.get_by_text("الآن في الموضع")).to_have_role("status")


def test_forced_colours_and_print(mount: Mounts) -> None:
    opened = mount.open(page.page_html(spoken.quiz(), "en"), forced_colors="active")
    opened.get_by_role("button", name="Skip").click()
    box = opened.get_by_role("listitem").filter(has_text="Forward").bounding_box()
    assert box

    opened.mouse.move(box["x"] + 90, box["y"] + 20)
    opened.mouse.down()
    held = opened.locator(".held")
    assert held.evaluate("(node) => getComputedStyle(node).outlineStyle") == "solid"
    opened.mouse.up()
    opened.emulate_media(media="print", forced_colors="none")

    expect(opened.locator(".arrow").first).to_be_hidden()
    expect(opened.get_by_text("Forward", exact=True)).to_be_visible()
