"""The module that carries a quiz: what a book's page may ask of it, beside others like it on the same page."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Error, Locator, Page, expect

from quiz_widgets import page as pages
from quiz_widgets.model import Quiz
from tests.frontend import languages_quiz as translated
from tests.frontend import sample_quiz as sample
from tests.frontend.mounting import Mounts, document

# As @myst-theme/anywidget does it: a model made of the directive's body, of which no more than `get` works.
SHOW = """async ([text, body]) => {
    const { default: widget } = await import(URL.createObjectURL(new Blob([text], { type: "text/javascript" })));
    const model = { get: (name) => body[name] };
    await widget.initialize({ model });
    const el = document.querySelector("main").appendChild(document.createElement("section"));
    await widget.render({ model, el: el.attachShadow({ mode: "open" }).appendChild(document.createElement("div")) });
}"""


def show(page: Page, quiz: Quiz, **body: Any) -> Locator:
    """What one directive puts on the page."""
    page.evaluate(SHOW, [pages.module_text(quiz, "en"), body])
    return page.locator("section").nth(page.locator("section").count() - 1)


def test_a_page_gets_the_items_and_the_set_that_it_asks_for(mount: Mounts) -> None:
    page = mount.open(document())

    items = show(page, sample.quiz(), items=["adam", "bytes"])
    one = show(page, sample.quiz(), items="bytes")
    numbers = show(page, sample.quiz(), set="numbers")
    main = show(page, sample.quiz())

    expect(items.get_by_role("button", name="Check")).to_have_count(2)
    expect(one.get_by_role("button", name="Check")).to_have_count(1)
    expect(numbers.get_by_text("Question 1 of 1").first).to_be_visible()
    expect(main.get_by_text("Question 1 of 3").first).to_be_visible()


def test_two_quizzes_on_a_page_keep_to_themselves(mount: Mounts) -> None:
    page = mount.open(document())
    one, other = show(page, sample.quiz()), show(page, translated.quiz())

    expect(one.get_by_role("group", name="Number formats", exact=True)).to_have_count(1)
    expect(other.get_by_role("radio", name="Two bytes")).to_be_visible()
    other.get_by_role("combobox", name="Language").select_option(label="Türkçe")
    expect(other.get_by_role("radio", name="İki bayt")).to_be_visible()


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ({"items": ["bytes", "nothing"]}, "quiz sample: there is no item nothing; it has bytes, fp32-ops, adam, state"),
        ({"items": "nothing"}, "there is no item nothing"),
        ({"set": "words"}, "quiz sample: there is no set words; it has numbers"),
    ],
)
def test_a_name_that_is_not_there_is_told(mount: Mounts, body: dict[str, Any], said: str) -> None:
    page = mount.open(document())
    with pytest.raises(Error, match=said):
        show(page, sample.quiz(), **body)
