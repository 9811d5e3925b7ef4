"""Everybody can use it: axe-core, the keyboard alone, narrow screens, forced colours, language and direction."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from quiz_widgets import frontend
from quiz_widgets import page as pages
from quiz_widgets.model import Item
from tests.frontend import sample_quiz as sample
from tests.frontend.mounting import Mounts, axe, document, live

KINDS = {"single": sample.single(), "multiple": sample.multiple(), "number": sample.number()}


def check(page: Page, *, right: bool) -> None:
    if page.get_by_role("textbox").count():
        page.get_by_role("textbox").fill("12.5" if right else "16")
    elif page.get_by_role("checkbox").count():
        for name in ("sum", "norm") if right else ("sum", "matmul"):
            page.get_by_role("checkbox", name=name).check()
    else:
        page.get_by_role("radio", name="Two bytes" if right else "Four bytes").check()
    page.get_by_role("button", name="Check").click()


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("kind", KINDS)
def test_axe_finds_nothing_on_the_standalone_page(mount: Mounts, kind: str, scheme: Any) -> None:
    item: Item = KINDS[kind]
    page = mount.open(pages.page_html(sample.quiz(item), "en"), color_scheme=scheme)
    found = {"untouched": axe(page)}

    page.get_by_text("Preview the question").click()
    if item.hints:
        page.get_by_role("button", name="Hint").click()
    check(page, right=False)
    found["wrong"] = axe(page)
    page.get_by_role("button", name="Show the answer").click()
    found["revealed"] = axe(page)
    page.get_by_role("button", name="See the summary").click()
    found["summary"] = axe(page)
    page.get_by_role("button", name="Start again").click()
    check(page, right=True)
    found["right"] = axe(page)

    assert [(state, rules) for state, rules in found.items() if rules] == []


# JupyterLab's and VS Code's own values, as their themes set them.
THEMES = {
    "lab light": (
        "light",
        "--jp-content-font-color1:rgba(0,0,0,.87);--jp-layout-color0:white;--jp-brand-color1:#1976d2",
    ),
    "lab dark": ("dark", "--jp-content-font-color1:white;--jp-layout-color0:#111;--jp-brand-color1:#2196f3"),
    "lab high contrast": ("dark", "--jp-content-font-color1:#fff;--jp-layout-color0:#000;--jp-brand-color1:#4dabf5"),
    "code dark": (
        "dark",
        "--vscode-editor-foreground:#d4d4d4;--vscode-editor-background:#1e1e1e;--vscode-textLink-foreground:#3794ff",
    ),
    "code light": (
        "light",
        "--vscode-editor-foreground:#3b3b3b;--vscode-editor-background:#fff;--vscode-textLink-foreground:#005fb8",
    ),
}


@pytest.mark.parametrize("theme", THEMES)
def test_contrast_holds_in_the_themes_of_hosts(mount: Mounts, theme: str) -> None:
    scheme, values = THEMES[theme]
    paper = re.search(r"(?:color0|background):([^;]+)", values)
    assert paper
    style = (
        f"<style>:root{{{values}}} html body{{color-scheme:{scheme};background:{paper[1]}}} h1{{color:gray}}</style>"
    )
    html = document(live(sample.quiz(sample.single(), sample.multiple())), style)
    page = mount.open(html)

    page.get_by_role("button", name="Question 2: not answered").click()
    check(page, right=False)
    wrong = axe(page)
    page.get_by_role("button", name="Show the answer").click()

    assert [found for found in wrong + axe(page) if "h1" not in found] == []


def test_code_colours_keep_their_contrast(mount: Mounts) -> None:
    code = "```python\nclass A(int):  # why\n    def f(self, x=1.5):\n        return f'{x}' if None else len('a')\n```"
    item = sample.single(stem=code)
    for scheme in ("light", "dark"):
        page = mount.open(pages.page_html(sample.quiz(item), "en"), color_scheme=scheme)

        assert axe(page) == []


def test_groups_are_named_by_their_stem_and_controls_by_their_text(mount: Mounts) -> None:
    page = mount(sample.quiz(), {"items": ["bytes"]})

    group = page.get_by_role("group", name="Question 1 of 3 of “Number formats” How many bytes does FP16 take?")

    expect(group.get_by_role("radio")).to_have_count(3)
    expect(group.get_by_role("radio", name="Two bytes", exact=True)).to_be_visible()
    assert page.locator("fieldset > :first-child").evaluate("(node) => node.localName") == "legend"


def test_the_status_region_is_there_from_the_start(mount: Mounts) -> None:
    page = mount(sample.quiz(), {"items": ["bytes"]})
    page.locator("[role=status]").evaluate("(node) => { globalThis.region = node; }")

    check(page, right=True)

    assert page.locator("[role=status]").evaluate("(node) => node === globalThis.region")
    expect(page.get_by_role("status")).to_contain_text("Right.")


def focused(page: Page) -> str:
    """The name of what has focus, across the shadow root."""
    name: str = page.evaluate(
        """() => { const at = document.querySelector(".quiz-widgets-live").shadowRoot.activeElement;
                   return !at ? "" : at.localName === "input" ? "input" : at.id.split("/").pop() || at.textContent; }"""
    )
    return name


def test_the_whole_quiz_by_keyboard_alone(mount: Mounts) -> None:
    page = mount(sample.quiz(sample.single(), sample.number(), sample.multiple()))
    keys = page.keyboard

    def tab_to(name: str) -> None:
        for _ in range(20):
            keys.press("Tab")
            if focused(page) == name:
                return
        raise AssertionError(f"no way to {name}")

    tab_to("input")
    keys.press("Space")
    keys.press("ArrowDown")
    keys.press("ArrowUp")
    for _ in range(3):
        if page.get_by_role("radio", name="Two bytes").is_checked():
            break
        keys.press("ArrowDown")
    tab_to("Check")
    keys.press("Enter")
    expect(page.get_by_role("status")).to_contain_text("Right.")
    assert focused(page) == "Next"
    keys.press("Enter")
    assert focused(page) == "stem"
    tab_to("input")
    keys.type("12,5x")
    keys.press("Enter")
    expect(page.get_by_role("status")).to_contain_text("not a number")
    assert focused(page) == "input"
    keys.press("Control+a")
    keys.type("12.5")
    keys.press("Enter")
    expect(page.get_by_role("status")).to_contain_text("Right.")
    tab_to("Next")
    keys.press("Space")
    assert focused(page) == "stem"
    for name in ("sum", "norm"):
        for _ in range(20):
            keys.press("Tab")
            if page.get_by_role("checkbox", name=name).evaluate("(node) => node.getRootNode().activeElement === node"):
                break
        keys.press("Space")
    tab_to("Check")
    keys.press("Enter")
    assert focused(page) == "See the summary"
    keys.press("Enter")

    expect(page.get_by_text("3 of 3", exact=True)).to_be_visible()
    assert focused(page) == "score"


def test_focus_is_never_lost(mount: Mounts) -> None:
    page = mount(sample.quiz())

    for name in ("Hint 1 of 2", "Hint 2 of 2", "Check", "Skip", "Back", "Check"):
        page.get_by_role("button", name=name).click()
        assert focused(page), name


def test_plain_keys_stay_inside_and_combinations_pass(mount: Mounts) -> None:
    page = mount(sample.quiz(), {"items": ["bytes", "adam"]})
    page.evaluate(
        """() => { globalThis.bubbled = []; globalThis.captured = [];
            document.addEventListener("keydown", (event) => bubbled.push(event.key));
            // as Notebook 7 does: capture phase, and only the attribute on the event's target counts
            document.addEventListener("keydown", (event) => {
              if (!event.target.hasAttribute("data-lm-suppress-shortcuts")) captured.push(event.key); }, true); }"""
    )

    page.get_by_role("radio").first.focus()
    for key in ("ArrowDown", "b", "x", "d", "d", "Enter", "Space"):
        page.keyboard.press(key)
    page.get_by_role("textbox").focus()
    for key in ("a", "Control+a", "Control+z", "1"):
        page.keyboard.press(key)
    page.keyboard.up("Control")
    assert set(page.evaluate("[...bubbled, ...captured]")) <= {"Control"}

    for key in ("Control+s", "Meta+s", "Shift+Enter", "Escape", "Tab"):
        page.keyboard.press(key)
    for heard in ("bubbled", "captured"):
        passed = [key for key in page.evaluate(heard) if key not in ("Control", "Meta", "Shift")]
        assert passed == ["s", "s", "Enter", "Escape", "Tab"]


def test_the_shield_leaves_keys_outside_alone(mount: Mounts) -> None:
    page = mount.open(document(live(sample.quiz(), {"items": ["bytes"]}), "<button>outside</button>"))
    page.evaluate("document.addEventListener('keydown', (event) => { globalThis.heard = event.key; })")

    page.get_by_role("button", name="outside").press("b")

    assert page.evaluate("heard") == "b"


@pytest.mark.parametrize("zoomed", [False, True])
def test_a_narrow_page_never_scrolls_sideways(mount: Mounts, zoomed: bool) -> None:
    long = "```python\n" + "x = 'a very long line of code that does not fit' + " * 4 + "''\n```\n\n" + "W" * 120
    quiz = sample.quiz(sample.single(stem=long), *(sample.single(f"i{n}", hints=0) for n in range(8)), sample.number())
    size = {"width": 320, "height": 640}
    page = mount.open(pages.page_html(quiz, "en"), viewport=size, device_scale_factor=4 if zoomed else 1)

    def fits() -> bool:
        return bool(page.evaluate("document.documentElement.scrollWidth <= innerWidth"))

    assert fits()
    check(page, right=False)
    page.get_by_role("button", name="Show the answer").click()
    assert fits()
    page.get_by_text("Preview all 10 questions").click()
    for _ in range(10):
        page.get_by_role("button", name=re.compile("^(Next|Skip|See the summary)$")).click()
        assert fits()


def test_targets_are_at_least_24_pixels(mount: Mounts) -> None:
    page = mount(sample.eight(), viewport={"width": 320, "height": 640})

    small = []
    for control in page.get_by_role("button").all():
        box = control.bounding_box()
        if box and min(box["width"], box["height"]) < 24:
            small.append(control.get_attribute("aria-label"))
    assert page.get_by_role("button").count() > 8
    assert small == []


def test_reduced_motion_and_forced_colours_are_obeyed(mount: Mounts) -> None:
    page = mount(sample.eight(), reduced_motion="reduce", forced_colors="active")
    moving = "(node) => getComputedStyle(node).transitionDuration"

    assert page.get_by_role("button", name="Check").evaluate(moving) == "0s"
    ink, paper = page.get_by_role("button", name="Check").evaluate(
        "(node) => [getComputedStyle(node).color, getComputedStyle(node).backgroundColor]"
    )
    assert ink != paper
    page.get_by_role("radio", name="Two bytes").check()
    expect(page.get_by_role("radio", name="Two bytes")).to_be_checked()
    assert page.locator(".picked").evaluate("(node) => getComputedStyle(node).outlineStyle") == "solid"


def test_print_leaves_out_buttons_and_keeps_questions(mount: Mounts) -> None:
    page = mount(sample.quiz())

    page.emulate_media(media="print")

    expect(page.get_by_role("button", name="Check")).to_be_hidden()
    expect(page.get_by_text("How many bytes does FP16 take?")).to_be_visible()


def test_an_untranslated_text_says_its_language_and_direction_on_its_box(mount: Mounts) -> None:
    html = live(sample.quiz(), {"items": ["bytes"]})
    html = html.replace('"locale":"en","dir":"ltr"', '"locale":"ar","dir":"rtl"')
    html = html.replace('"text":"Two bytes"', '"text":{"html":"Two bytes","lang":"en","dir":"ltr"}')
    html = html.replace(
        '"stem":"How many bytes does FP16 take?"', '"stem":{"html":"How many?","lang":"en","dir":"ltr"}'
    )
    page = mount.open(document(html))

    expect(page.locator(".quiz")).to_have_attribute("dir", "rtl")
    box = page.locator(".option").filter(has_text="Two bytes")
    expect(box).to_have_attribute("dir", "ltr")
    expect(page.locator(".stem")).to_have_attribute("lang", "en")
    expect(page.get_by_text("This question has not been translated yet")).to_be_visible()
    check(page, right=True)
    expect(page.get_by_role("status")).to_contain_text("Right.")
    expect(box.locator(".mark")).to_have_attribute("dir", "rtl")


def test_the_style_sheet_uses_logical_properties_only() -> None:
    names = re.findall(r"[{;]([a-z-]+):", frontend.css())
    sides = re.compile(r"(^|-)(left|right|top|bottom|width|height)$")

    assert "inline-size" in names
    assert [name for name in names if sides.search(name) and name != "line-height"] == []
