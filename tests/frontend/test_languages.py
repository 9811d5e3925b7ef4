"""Languages in the page: the switch, what is not translated, both directions, and numbers as they are written."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from quiz_widgets import page as pages
from quiz_widgets import preview
from quiz_widgets.model import Item
from tests.frontend import languages_quiz as sample
from tests.frontend import sample_quiz
from tests.frontend.mounting import Mounts, document, link, live

ONE: dict[str, Any] = {"items": ["bytes"]}


def switch(page: Page, name: str) -> None:
    page.get_by_role("combobox").first.select_option(label=name)


def test_the_switch_changes_every_word_and_keeps_answers_choices_and_focus(mount: Mounts) -> None:
    page = mount.open(document(live(sample.quiz()), live(sample.quiz(), ONE)))
    whole, inline = page.locator(".quiz").nth(0), page.locator(".quiz").nth(1)
    whole.get_by_role("radio", name="Four bytes").check()
    whole.get_by_role("button", name="Check").click()
    whole.get_by_role("button", name="Skip").click()
    whole.get_by_role("checkbox", name="a + b").check()

    language = whole.get_by_role("combobox", name="Language")
    assert language.locator("option").all_inner_texts() == ["العربية", "English", "Türkçe"]
    language.focus()
    language.select_option(label="Türkçe")

    expect(whole).to_have_attribute("lang", "tr")
    expect(whole.get_by_role("group", name="Soru 2 / 3 Bunlardan hangileri toplamdır?")).to_be_visible()
    expect(whole.get_by_role("checkbox", name="a + b")).to_be_checked()
    expect(whole.get_by_role("combobox", name="Dil")).to_be_focused()
    expect(inline.get_by_role("radio", name="Dört bayt")).to_be_checked()
    expect(inline.get_by_role("status")).to_contain_text("O FP32'dir.")
    expect(inline.get_by_role("combobox")).to_have_value("tr")
    expect(whole.get_by_text(re.compile("Check|Question|Number formats"))).to_have_count(0)
    switch(page, "العربية")
    expect(whole).to_have_attribute("dir", "rtl")
    expect(whole.get_by_role("checkbox", name="a + b")).to_be_checked()
    switch(page, "English")
    expect(whole.get_by_role("button", name="Check")).to_be_visible()
    expect(inline.get_by_role("radio", name="Four bytes")).to_be_checked()


def test_a_typed_number_is_written_as_the_language_does(mount: Mounts) -> None:
    page = mount(sample.quiz(sample.STATE))
    page.get_by_role("textbox").fill("1.608")

    switch(page, "Türkçe")
    expect(page.get_by_role("textbox")).to_have_value("1,608")
    switch(page, "English")
    expect(page.get_by_role("textbox")).to_have_value("1.608")
    switch(page, "Türkçe")
    page.get_by_role("button", name="Kontrol et").click()

    expect(page.get_by_role("status")).to_contain_text("Doğru.")
    expect(page.get_by_role("status")).to_contain_text("1,608 GB")


@pytest.mark.parametrize(
    ("locale", "typed", "both"), [("tr", "1.608", ("1608", "1,608")), ("ar", "1,608", ("1608", "1.608"))]
)
def test_a_number_that_may_be_two_is_asked_about_and_costs_no_try(
    mount: Mounts, locale: str, typed: str, both: tuple[str, str]
) -> None:
    page = mount.open(document(live(sample.quiz(sample.STATE), locale=locale)))

    page.get_by_role("textbox").fill(typed)
    page.get_by_role("textbox").press("Enter")

    for number in both:
        expect(page.get_by_role("status")).to_contain_text(number)
    expect(page.get_by_role("textbox")).to_be_focused()
    expect(page.get_by_role("textbox")).to_have_attribute("aria-invalid", "true")
    assert "sample" not in page.evaluate(
        "JSON.stringify(Object.values(localStorage).map((kept) => JSON.parse(kept).events))"
    )
    page.get_by_role("textbox").fill(both[1])
    page.get_by_role("textbox").press("Enter")
    expect(page.get_by_role("status")).to_contain_text("✓")


def test_documents_of_one_page_have_languages_of_their_own(mount: Mounts) -> None:
    notebooks = [f'<div class="jp-Notebook">{live(sample.quiz(), ONE, locale=locale)}</div>' for locale in ("en", "tr")]
    page = mount.open(document(*notebooks))

    page.get_by_role("combobox", name="Language").select_option(label="العربية")

    expect(page.locator(".quiz").nth(0)).to_have_attribute("lang", "ar")
    expect(page.locator(".quiz").nth(1)).to_have_attribute("lang", "tr")


def test_where_packs_cannot_be_opened_there_is_no_switch(mount: Mounts) -> None:
    page = mount.open(document(live(sample.quiz()), head="<script>delete globalThis.DecompressionStream</script>"))

    expect(page.get_by_role("button", name="Check")).to_be_visible()
    expect(page.get_by_role("combobox")).to_have_count(0)
    expect(mount(sample_quiz.quiz()).get_by_role("combobox")).to_have_count(0)


def test_what_is_not_translated_says_its_language_and_the_reader_is_told(mount: Mounts) -> None:
    page = mount.open(document(live(sample.quiz(), locale="ar")))

    expect(page.get_by_role("group", name="كم بايتًا")).to_have_accessible_description(re.compile("الإنجليزية"))
    expect(page.get_by_text("لم تُترجم بعض أجزاء هذا السؤال بعد")).to_be_visible()
    box = page.locator(".option").filter(has_text="Eight bytes")
    assert [box.get_attribute(name) for name in ("lang", "dir")] == ["en", "ltr"]
    assert page.locator(".option").filter(has_text="بايتان").get_attribute("lang") is None
    page.get_by_role("radio", name="Eight bytes").check()
    page.get_by_role("button", name="تحقّق").click()
    why = page.locator(".why").filter(has_text="That is FP64.").first
    assert [why.get_attribute(name) for name in ("lang", "dir")] == ["en", "ltr"]
    page.get_by_role("button", name="تخطّي السؤال").click()
    expect(page.get_by_text("لم يُترجم هذا السؤال بعد")).to_be_visible()
    assert [page.locator(".stem").first.get_attribute(name) for name in ("lang", "dir")] == ["en", "ltr"]


def test_the_preview_and_the_page_from_a_file_say_the_same(mount: Mounts) -> None:
    html = preview.preview_html(sample.quiz(), "ar", {})
    text = preview.preview_text(sample.quiz(), "ar", {})

    assert '<div lang="en" dir="ltr">Which of these are sums?</div>' in html
    assert re.search('<div lang="en" dir="ltr"><strong>.*Eight bytes</div>', html)
    assert html.count("الإنجليزية") == text.count("الإنجليزية") == 2
    assert "\u2066Which of these are sums?\u2069" in text
    assert "\u2067كم بايتًا يشغل النوع float16؟\u2069" in text
    page = mount.open(pages.page_html(sample.quiz(), "ar"))
    assert page.locator("html").get_attribute("dir") == "rtl"
    expect(page.get_by_text("لم تُترجم بعض أجزاء هذا السؤال بعد")).to_be_visible()
    with mount.browser.new_context(java_script_enabled=False) as context:
        plain = context.new_page()
        plain.set_content(pages.page_html(sample.quiz(), "ar"))
        expect(plain.get_by_text("لم يُترجم هذا السؤال بعد")).to_be_visible()


def place(page: Page, text: str) -> float:
    """Where the middle of the first occurrence of a text is painted, from the left."""
    found: float = page.evaluate(
        """(text) => { const walk = (root) => { for (const node of root.childNodes) {
              if (node.nodeType === 3 && node.data.includes(text)) {
                const range = new Range(); const at = node.data.indexOf(text);
                range.setStart(node, at); range.setEnd(node, at + text.length);
                const box = range.getBoundingClientRect(); if (box.width) return box.x + box.width / 2; }
              const inner = node.localName === "style" ? null : walk(node.shadowRoot ?? node);
              if (inner !== null) return inner; } return null; };
            return walk(document.body); }""",
        text,
    )
    return found


def test_numbers_code_and_maths_run_left_to_right_in_arabic_text(mount: Mounts) -> None:
    stem = sample.text("x", "x", "يحتاج 14 GB أو 3–5 وC++ وsoftmax() و`a + b`.")
    item = Item(id="bytes", stem=stem, options=sample.BYTES.options)
    page = mount.open(document(live(sample.quiz(item), ONE, locale="ar")))

    assert place(page, "14") < place(page, "GB")
    assert place(page, "3–") < place(page, "–5")
    assert place(page, "C+") < place(page, "++")
    assert place(page, "softmax") < place(page, "()")
    assert place(page, "a +") < place(page, "+ b")
    assert place(page, "يحتاج") > place(page, "14")


def test_progress_and_layout_are_mirrored_and_signs_are_not(mount: Mounts) -> None:
    page = mount.open(document(live(sample.quiz(), locale="ar")), viewport={"width": 800, "height": 900})
    page.get_by_role("radio", name="بايتان").check()
    page.get_by_role("button", name="تحقّق").click()

    steps = [box["x"] for step in page.locator(".step").all() if (box := step.bounding_box())]
    assert steps == sorted(steps, reverse=True)
    radio, words = (
        page.get_by_role("radio", name="بايتان").bounding_box(),
        page.get_by_text("بايتان", exact=True).bounding_box(),
    )
    assert radio is not None
    assert words is not None
    assert radio["x"] > words["x"]
    assert page.locator(".step").first.evaluate("(node) => getComputedStyle(node).scale") == "-1 1"
    assert page.locator(".mark").first.evaluate("(node) => getComputedStyle(node).scale") == "none"


def test_evidence_shows_the_record_then_what_this_kernel_has_measured(mount: Mounts) -> None:
    page = mount.open(
        document(
            live(sample.quiz(), ONE), '<div style="height:2000px"></div><a id="demo-number_formats"></a><p>Demo</p>'
        )
    )
    link(page, measured={})
    page.get_by_role("radio", name="Two bytes").check()
    page.get_by_role("button", name="Check").click()

    expect(page.get_by_text("Measured, Nov 30, 2026, x86_64 CPU")).to_be_visible()
    expect(page.get_by_text("Measured: 2 bytes, 0.5 of FP32.")).to_be_visible()
    switch(page, "Türkçe")
    expect(page.get_by_text("Ölçülen: 2 bayt, FP32'nin 0,5 katı.")).to_be_visible()
    page.evaluate("model.put({measured: {bytes: {count: '3', share: '0.75'}}})")
    expect(page.get_by_text("Burada ölçüldü")).to_be_visible()
    expect(page.get_by_text("Ölçülen: 3 bayt, FP32'nin 0,75 katı.")).to_be_visible()
    page.get_by_role("link", name="Göster").click()
    expect(page.locator("#demo-number_formats")).to_be_focused()
    expect(page.get_by_text("Demo", exact=True)).to_be_in_viewport()
    page.evaluate("model.leave()")
    expect(page.get_by_text("Ölçülen: 2 bayt, FP32'nin 0,5 katı.")).to_be_visible()


def test_a_cited_question_shows_its_source_with_the_key(mount: Mounts) -> None:
    item = replace(
        sample.BYTES, evidence=None, evidence_text=None, recorded=None, source=sample_quiz.text("A paper, 2020.")
    )
    page = mount.open(document(live(sample.quiz(item), ONE, locale="ar")))

    expect(page.get_by_text("A paper, 2020.")).to_have_count(0)
    page.get_by_role("radio", name="بايتان").check()
    page.get_by_role("button", name="تحقّق").click()

    source = page.get_by_text("A paper, 2020.")
    expect(source).to_be_visible()
    assert [source.get_attribute(name) for name in ("lang", "dir")] == ["en", "ltr"]
    expect(page.get_by_text("المصدر")).to_be_visible()


def test_without_the_demo_cell_nothing_leads_there(mount: Mounts) -> None:
    page = mount(sample.quiz(), ONE)
    page.get_by_role("radio", name="Two bytes").check()
    page.get_by_role("button", name="Check").click()

    expect(page.get_by_text("Measured: 2 bytes")).to_be_visible()
    expect(page.get_by_role("link")).to_have_count(0)
