"""Markdown, code and maths to safe HTML: golden forms, faults at their places, and nothing alive."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from playwright.sync_api import Browser

from quiz_widgets import markup
from quiz_widgets.markup import safe, tex

FOLDER = Path(__file__).parent / "cases"
CASES = json.loads((FOLDER / "markup.json").read_text(encoding="utf-8"))
PAYLOADS: list[str] = json.loads((FOLDER / "xss.json").read_text(encoding="utf-8"))["texts"]

ARGUMENTS = {"frac": 2, "tfrac": 2, "dfrac": 2, "binom": 2, "overset": 2, "underset": 2} | dict.fromkeys(
    re.findall(
        r"\w+",
        "mathrm operatorname text sqrt hat bar tilde vec dot ddot overline underline widehat widetilde underbrace "
        "overbrace mathbf mathbb mathcal mathit",
    ),
    1,
)

NAMED = set(re.findall(r"\w+", "arctan cos cosh det dim exp gcd inf ker lim ln log max min Pr sin sinh sup tan tanh"))


@pytest.mark.parametrize("case", CASES["cases"], ids=lambda case: case["name"])
def test_golden_forms(case: dict[str, Any]) -> None:
    forms = markup.render(case["source"])

    assert (forms.html, forms.preview, forms.plain, forms.faults) == (case["html"], case["preview"], case["plain"], ())


@pytest.mark.parametrize("case", CASES["faults"], ids=lambda case: ascii(case["source"]))
def test_a_fault_has_its_place_and_says_what_to_do(case: dict[str, Any]) -> None:
    fault = markup.render(case["source"]).faults[0]

    assert (fault.line, fault.column, fault.message) == (case["line"], case["column"], case["message"])
    assert fault.hint


def test_one_line_has_no_blocks() -> None:
    forms = markup.render("# of *steps*, $n$", block=False)

    assert forms.html.startswith("# of <em>steps</em>, <math")
    assert forms.plain == "# of steps, n"


@pytest.mark.parametrize("command", sorted(tex.COMMANDS - {"left", "right", "begin", "end"}))
def test_every_listed_command_becomes_maths(command: str) -> None:
    formula = f"\\{command}" + "{a}" * ARGUMENTS.get(command, 0) + " b"

    forms = markup.render(f"${formula}$")

    assert forms.faults == ()
    shown = re.sub(r'alttext="[^"]*"', "", forms.html)
    assert "\\" not in shown
    assert f">{command}<" not in shown or command in NAMED


@pytest.mark.parametrize("bracket", ["(", "[", "|", ".", "/", r"\{", r"\|", r"\lfloor", r"\langle", r"\lvert"])
def test_stretching_brackets(bracket: str) -> None:
    assert markup.render(f"$\\left{bracket} \\frac12 \\right)$").faults == ()


@pytest.mark.parametrize("environment", sorted(tex.ENVIRONMENTS))
def test_environments_have_rows_and_columns(environment: str) -> None:
    forms = markup.render(f"$\\begin{{{environment}}} a & b \\\\ c & d \\end{{{environment}}}$")

    assert forms.faults == ()
    assert (forms.html.count("<mtr>"), len(re.findall("<mtd", forms.html))) == (2, 4)


def test_a_formula_of_a_thousand_words_is_refused() -> None:
    faults = markup.render("$" + r"\text{a}" * 1002 + "$").faults

    assert faults[0].message == "more than 1000 words in one formula"


@given(st.text(max_size=60) | st.text(st.sampled_from(list("ab12 \n$\\`*_{}[]()<>&#!-+.~^%\"'")), max_size=60))
def test_any_text_has_forms_with_listed_tags_only(source: str) -> None:
    forms = markup.render(source)
    line = markup.render(source, block=False)

    for form, written in (("html", forms.html), ("preview", forms.preview), ("html", line.html)):
        assert set(re.findall(r"</?([a-zA-Z][\w-]*)", written)) <= safe.TAGS[form]  # type: ignore[index]
    lines = source.split("\n")
    assert all(1 <= fault.line <= len(lines) + 1 and fault.column >= 1 for fault in forms.faults)


@given(st.text(st.sampled_from(list("ab $\\()[]")), max_size=30))
def test_a_preview_holds_no_dollar_and_no_backslash_that_a_page_could_typeset(source: str) -> None:
    preview = markup.render(source).preview
    outside = re.sub(r'<(span|div) class="mathjax_process" dir="ltr">.*?</\1>', "", preview, flags=re.DOTALL)

    assert not re.search(r"[$\\]", re.sub(r"<span>[$\\]</span>", "", outside))


def test_no_payload_is_alive(browser: Browser) -> None:
    texts = [
        form
        for payload in PAYLOADS
        for forms in (markup.render(payload), markup.render(payload, block=False))
        for form in (forms.html, forms.preview)
    ]
    page = browser.new_page()
    requests: list[str] = []
    page.on("request", lambda request: requests.append(request.url))
    page.set_content("<!doctype html><main></main>")

    alive = page.evaluate(
        """async (texts) => {
          let alive = 0;
          globalThis.alive = () => { alive += 1; };
          const main = document.querySelector("main");
          for (const text of texts) {
            const light = main.appendChild(document.createElement("div"));
            light.innerHTML = text;
            const shadow = main.appendChild(document.createElement("div")).attachShadow({ mode: "open" });
            shadow.innerHTML = text;
            for (const root of [light, shadow]) {
              for (const element of root.querySelectorAll("*")) {
                for (const name of ["mouseover", "focus", "toggle", "error", "load"]) {
                  element.dispatchEvent(new Event(name));
                }
                if (element.localName === "a" && !/^https?:/.test(element.href)) alive += 1;
              }
            }
          }
          await new Promise((resolve) => setTimeout(resolve, 200));
          return alive;
        }""",
        texts,
    )
    page.close()

    assert alive == 0
    assert requests == []


def test_the_payloads_are_alive_where_nothing_protects(browser: Browser) -> None:
    """The test above can fail: the same page, given the payloads as they are, runs some of them."""
    page = browser.new_page()
    page.set_content("<!doctype html><main></main>")

    alive = page.evaluate(
        """async (texts) => {
          let alive = 0;
          globalThis.alive = () => { alive += 1; };
          for (const text of texts) document.querySelector("main").innerHTML += text;
          await new Promise((resolve) => setTimeout(resolve, 500));
          return alive;
        }""",
        [payload for payload in PAYLOADS if payload.startswith("<img")],
    )
    page.close()

    assert alive > 0
