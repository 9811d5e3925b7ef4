"""Nothing that an author or a record writes becomes live, and nothing gives the key away before it is due."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from typing import Any

from playwright.sync_api import Page

from quiz_widgets import locales, payload, preview
from quiz_widgets import page as pages
from quiz_widgets.model import Guide, Item, Quiz, Rendered, Text, Variant
from tests.frontend import sample_quiz as sample
from tests.frontend.mounting import Mounts, document, live

ATTACKS = [
    "<script>hit()</script>",
    "<img src=x onerror=hit()>",
    "<svg onload=hit()><circle/></svg>",
    "</script><script>hit()</script>",
    "<!--<script>hit()",
    "[go](javascript:hit())",
    "$\\text{<img src=x onerror=hit()>}$",
    "$\\href{javascript:hit()}{x}$",
    "`</code><img src=x onerror=hit()>`",
    "```python\n</pre></script><script>hit()</script>\n```",
    "\u2028hit()\u2029",
    "<iframe srcdoc='<script>parent.hit()</script>'></iframe>",
    "<math><mtext><style><img src=x onerror=hit()></style></mtext></math>",
    '" onfocus=hit() autofocus x="',
]
ATTACK = "\n\n".join(ATTACKS)
HIT = "<script>globalThis.hits = 0; globalThis.hit = () => { globalThis.hits++; };</script>"


def poisoned() -> Quiz:
    """A quiz with every attack in every text."""

    def poison(text: Text | None) -> Text | None:
        return text and sample.text(ATTACK)

    def item(old: Item) -> Item:
        return replace(
            old,
            stem=sample.text(ATTACK),
            options=tuple(replace(o, text=sample.text(ATTACK), rationale=sample.text(ATTACK)) for o in old.options),
            hints=tuple(sample.text(ATTACK) for _ in old.hints),
            explanation=poison(old.explanation),
            source=sample.text(ATTACK),
            unit=poison(old.unit),
            slips=tuple(replace(slip, rationale=sample.text(ATTACK)) for slip in old.slips),
        )

    quiz = sample.quiz()
    guide = Guide("guide", sample.text(ATTACK), {"formats": sample.text(ATTACK)})
    return replace(
        quiz,
        title=sample.text(ATTACK),
        description=sample.text(ATTACK),
        guides=(guide,),
        items=tuple(map(item, quiz.items)),
    )


def hits(page: Page) -> int:
    page.wait_for_timeout(200)
    for handler in page.locator("a").all():
        assert not (handler.get_attribute("href") or "").strip().lower().startswith("javascript")
    return int(page.evaluate("globalThis.hits"))


def walk(page: Page) -> None:
    """Show everything that an item can show."""
    for quiz in page.locator(".quiz").all():
        for name in ("Hint 1 of 2", "Hint 2 of 2"):
            if quiz.get_by_role("button", name=name).count():
                quiz.get_by_role("button", name=name).click()
        for _ in range(2):
            if quiz.get_by_role("textbox").count():
                quiz.get_by_role("textbox").fill("16")
            else:
                quiz.locator("input").nth(1).check()
            quiz.get_by_role("button", name="Check").click()
            if quiz.get_by_role("button", name="Show the answer").is_visible():
                quiz.get_by_role("button", name="Show the answer").click()
                break
            if not quiz.get_by_role("button", name="Check").is_visible():
                break  # right at once: the order of options is another in each attempt


def test_attacks_in_every_text_are_dead_after_the_real_pipeline(mount: Mounts) -> None:
    quiz = poisoned()
    views: list[dict[str, Any]] = [{"items": [item.id]} for item in quiz.items]
    page = mount.open(document(*(live(quiz, view) for view in views), '<h2 id="formats">F</h2>', head=HIT))

    walk(page)
    whole = mount.open(pages.page_html(quiz, "en").replace("<head>", "<head>" + HIT))
    for summary in whole.locator("summary").all():
        summary.click()

    assert page.locator(".quiz").count() == len(views)
    assert hits(page) == 0
    assert hits(whole) == 0


def test_attacks_are_dead_in_the_static_preview(mount: Mounts) -> None:
    quiz = poisoned()
    html = preview.preview_html(quiz, "en", {})

    page = mount.open(document(html, head=HIT))

    assert hits(page) == 0
    assert not re.search(r"<(script|style|iframe|img|svg|math)\b", html, re.IGNORECASE)
    assert not re.search(r"<[^>]*\s(id|data-[\w-]+|on\w+|style)=", html)


def test_attacks_are_dead_where_the_page_takes_text(mount: Mounts) -> None:
    """Words, drawn numbers, ids, dates and records are text, whatever a broken sender puts there."""
    raw = "<img src=x onerror=hit()></script>"
    quiz = sample.quiz(
        replace(sample.drawn(), set=None, variants=(replace(sample.drawn().variants[0], numbers={"billions": raw}),)),
        replace(sample.single(), hints=()),
    )
    html = live(quiz)
    words = dict.fromkeys(payload.quiz_payload(quiz, "en")["words"], raw)
    old = pages.script_json(payload.quiz_payload(quiz, "en")["words"])
    assert old in html
    html = html.replace(old, pages.script_json(words))
    evidence = {"text": "{x}", "name": raw, "facts": {"x": raw}, "date": raw, "machine": raw}
    html = html.replace('"key":["two"]', f'"key":["two"],"evidence":{pages.script_json(evidence)}')
    page = mount.open(document(html, head=HIT))

    page.get_by_role("textbox").fill("84")
    page.locator("button.main").click()
    page.locator("button.main").click()
    page.get_by_role("radio").first.check()
    page.locator("button.main").click()
    page.locator("summary").click()

    assert page.get_by_text(raw).count() > 3
    assert hits(page) == 0


def test_a_poisoned_record_is_dead(mount: Mounts) -> None:
    raw = "<img src=x onerror=hit()>"
    event = {"id": raw, "attempt": "a", "kind": "submit", "item": "bytes", "round": 0, "response": [raw], "at": 1}
    html = live(
        sample.quiz(),
        {"items": ["bytes"]},
        attempt={"id": "a", "started": 1},
        outcomes={raw: {"event": event, "at": 1}},
    )

    assert hits(mount.open(document(html, head=HIT))) == 0


def canary_quiz() -> Quiz:
    """Texts that only the practice part may hold carry the word CANARY."""
    secret = sample.text("CANARY")
    items = []
    for item in sample.quiz().items:
        options = tuple(replace(option, rationale=secret) for option in item.options)
        slips = tuple(replace(slip, rationale=secret) for slip in item.slips)
        items.append(
            replace(
                item,
                options=options,
                slips=slips,
                explanation=secret,
                hints=(secret,),
                source=secret,
                evidence="CANARY",
            )
        )
    return sample.quiz(*items)


def test_preview_and_public_payload_hold_no_key_no_key_count_and_no_rationale() -> None:
    quiz = canary_quiz()
    public = [
        preview.preview_html(quiz, "en", {}),
        preview.preview_text(quiz, "en", {}),
        preview.preview_html(quiz, "en", {"set": "numbers"}),
        json.dumps(payload.quiz_payload(quiz, "en")),
    ]

    for text in public:
        assert "CANARY" not in text
        assert "12.5" not in text
        assert "84" not in text
    # The same quiz with other keys, another number of keys, other values: not a byte of difference.
    turned = [
        replace(
            item,
            options=tuple(replace(option, correct=not option.correct) for option in item.options),
            value=None,
            tolerance=None,
            variants=tuple(Variant(variant.value + 1, {}, variant.numbers) for variant in item.variants),
        )
        for item in quiz.items
    ]
    other = sample.quiz(*turned)
    assert public == [
        preview.preview_html(other, "en", {}),
        preview.preview_text(other, "en", {}),
        preview.preview_html(other, "en", {"set": "numbers"}),
        json.dumps(payload.quiz_payload(other, "en")),
    ]


def test_the_author_s_order_of_options_shows_nowhere_in_public() -> None:
    item = sample.single()
    turned = replace(item, options=item.options[::-1])

    assert payload.quiz_payload(sample.quiz(item), "en") == payload.quiz_payload(sample.quiz(turned), "en")
    assert preview.preview_html(sample.quiz(item), "en", {}) == preview.preview_html(sample.quiz(turned), "en", {})


def test_the_static_preview_survives_an_untrusted_notebook_s_sanitiser() -> None:
    """What JupyterLab lets through is more than this list; everything that the preview uses must be on it."""
    html = preview.preview_html(sample.quiz(), "en", {})

    tags = set(re.findall(r"</?([a-z0-9]+)", html))
    attributes = set(re.findall(r'<[^>]*?\s([a-z-]+)="', html))

    assert tags <= {"div", "p", "strong", "em", "bdi", "ol", "ul", "li", "code", "pre", "span"}
    assert attributes <= {"class", "lang", "dir"}
    assert locales.words("en")["static_run"] in html
    assert html.startswith('<div class="quiz-widgets mathjax_ignore tex2jax_ignore"')


def test_rendered_forms_may_be_missing_a_locale() -> None:
    """A text of another language says so in the preview, too."""
    forms = {"en": Rendered("x", "x", "x", "x"), "tr": Rendered("y", "y", "y", "y")}
    item = replace(sample.single(), stem=Text(forms, source_locale="tr"))

    assert "<div>x</div>" in preview.preview_html(sample.quiz(item), "en", {"items": ["bytes"]})
    only = replace(item, stem=Text({"tr": forms["tr"]}, source_locale="tr"))
    assert '<div lang="tr" dir="ltr">y</div>' in preview.preview_html(sample.quiz(only), "en", {"items": ["bytes"]})
