"""In Arabic in real JupyterLab and Notebook 7: the whole quiz by keyboard, a cell run again, and the course reloaded.

Roles and labels are those of the interface words in Arabic, and of the texts of the quiz.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Locator, expect

from quiz_widgets import Option, load_quiz, locales
from tests.hosts.hosting import Host, Server, quiz_in, wait_until
from tests.hosts.test_answering import act, press_command_keys, tab_to
from tests.hosts.test_keeping import LINKS

pytestmark = pytest.mark.slow

FORMATS = Path(__file__).parent / "formats"
COURSE = Path(__file__).parents[2] / "notebooks" / "ar"
SHOW = 'from quiz_widgets import load_quiz\nquiz = load_quiz("formats/quiz.yaml", locale="ar")\n'
QUIZ = load_quiz(FORMATS / "quiz.yaml", locale="ar")
FLOAT16 = QUIZ.items[0].options[0]
FP16, BF16 = QUIZ.items[1].options[:2]
WORDS = locales.words("ar")

# The language and the direction that an element has, whoever of its parents set them.
TONGUE = "(node) => [node.closest('[lang]').lang, getComputedStyle(node).direction]"


def said(key: str, **values: object) -> str:
    """An interface word in Arabic. The page sets a text in isolates there, not a number."""
    message: str = WORDS[key]
    return message.format_map(values)


def text_of(option: Option) -> str:
    """What an option is called: its text without the marks of code."""
    return option.text.replace("`", "")


def expect_recorded(quiz: Locator) -> None:
    expect(quiz.get_by_text(said("recorded", time=""))).to_be_visible()


def expect_arabic(quiz: Locator, stem: str) -> None:
    """Text runs from right to left and is read out in Arabic; code in it runs from left to right."""
    assert quiz.evaluate(TONGUE) == ["ar", "rtl"]
    shown = quiz.locator(".stem").filter(has_text=stem.partition("`")[0])
    assert shown.evaluate(TONGUE) == ["ar", "rtl"]
    assert quiz.get_by_role("status").first.evaluate(TONGUE) == ["ar", "rtl"]
    codes = quiz.locator("code").all()
    assert codes
    assert {code.evaluate("(node) => getComputedStyle(node).direction") for code in codes} == {"ltr"}


@pytest.fixture
def arabic(server: Server, write: Callable[..., str]) -> Callable[..., str]:
    """Write a notebook as `write` does, beside the quiz that it shows."""
    shutil.copytree(FORMATS, server.root / "formats", dirs_exist_ok=True)
    return write


def test_the_whole_quiz_by_keyboard_alone(host: Host, server: Server, arabic: Callable[..., str]) -> None:
    host.open(arabic(SHOW + "quiz", "x = 1", "y = 2"))
    host.run(0)
    before, active = host.cells(), host.active_cell()
    quiz = quiz_in(host.page, title=QUIZ.title)
    radios = quiz.get_by_role("radio")
    expect(radios).to_have_count(3)
    expect(quiz.get_by_text(said("position", number=1, count=3), exact=True).last).to_be_visible()
    expect_arabic(quiz, QUIZ.items[0].stem)

    tab_to(host, radios.first)
    host.page.keyboard.press("Space")
    expect(radios.first).to_be_checked()
    host.page.keyboard.press("ArrowDown")
    expect(radios.nth(1)).to_be_checked()
    press_command_keys(host)
    right = quiz.get_by_role("radio", name=text_of(FLOAT16))
    for _ in range(3):
        if right.is_checked():
            break
        host.page.keyboard.press("ArrowDown")
    expect(right).to_be_checked()
    act(host, quiz, said("check"))
    expect(quiz.get_by_role("status")).to_contain_text(said("right"))
    act(host, quiz, said("next"))

    for option in (FP16, BF16):
        tab_to(host, quiz.get_by_role("checkbox", name=text_of(option)))
        host.page.keyboard.press("Space")
        press_command_keys(host)
    act(host, quiz, said("check"))
    expect(quiz.get_by_role("status")).to_contain_text(said("right"))
    act(host, quiz, said("next"))

    tab_to(host, quiz.get_by_role("textbox", name=said("typed_label")))
    host.page.keyboard.type("٠٫٥")  # as an Arabic keyboard writes it
    host.page.keyboard.press("Enter")
    expect(quiz.get_by_role("status")).to_contain_text(said("right"))
    act(host, quiz, said("to_summary"))
    expect(quiz.get_by_text(said("score", score=3, max=3), exact=True)).to_be_visible()

    assert (host.cells(), host.active_cell()) == (before, active)
    wait_until("three answers on disk", lambda: len(server.responses()) == 3)
    responses = {item: set(response) for item, response in server.responses()}
    assert responses == {"half-name": {"float16"}, "sixteen-bits": {"fp16", "bf16"}, "half-byte": {"0.5"}}


def test_a_cell_run_again_restores_the_attempt_and_leaves_one_link(
    host: Host, server: Server, arabic: Callable[..., str]
) -> None:
    host.open(arabic(SHOW + 'quiz.show("half-name")'))
    host.run_all()
    quiz = quiz_in(host.page, title=QUIZ.title)
    right = quiz.get_by_role("radio", name=text_of(FLOAT16))
    right.click()
    quiz.get_by_role("button", name=said("check")).click()
    expect_recorded(quiz)
    # Only the kernel's record is left to restore from.
    host.page.evaluate("() => localStorage.clear()")
    host.reload()
    for _ in range(3):
        host.run(0)
    expect(quiz).to_have_count(1)
    expect(right).to_be_checked()
    expect(quiz.get_by_role("status")).to_contain_text(said("right"))
    expect(quiz.get_by_text(said("mark_right"))).to_be_visible()
    expect_recorded(quiz)
    expect_arabic(quiz, QUIZ.items[0].stem)
    assert host.ask(LINKS) == "1 1"
    assert server.responses() == [("half-name", ["float16"])]


def test_a_notebook_of_the_course_stays_alive_through_restart_and_reload(host: Host, server: Server) -> None:
    folder = server.root / "course-ar"
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(COURSE, folder / "ar")
    sign = f"from pathlib import Path; from quiz_widgets import lab; lab.sign(Path({str(folder)!r}))"
    subprocess.run([sys.executable, "-c", sign], env=server.environment, check=True)
    host.open("course-ar/ar/mixed-precision.ipynb")
    sources = host.cells()
    set_up = next(index for index, source in enumerate(sources) if "load_quiz(" in source)
    shown = sources.index('quiz.show("autocast", "pytorch-amp-api")')
    host.run(set_up)
    host.run(shown)

    course = load_quiz("mixed-precision", locale="ar")
    item = next(item for item in course.items if item.id == "pytorch-amp-api")
    wrong, *_ = (option for option in item.options if not option.correct)
    right, *_ = (option for option in item.options if option.correct)
    quiz = host.output(shown).get_by_role("group", name=course.title, exact=True)
    part = quiz.locator(".item").filter(has=host.page.get_by_role("radio", name=text_of(wrong)))
    part.get_by_role("radio", name=text_of(wrong)).click()
    part.get_by_role("button", name=said("check")).click()
    expect_recorded(part)
    assert server.responses() == [(item.id, [wrong.id])]
    verdict = [said("wrong"), WORDS["tries_left"]["one"]]
    for message in verdict:
        expect(part.get_by_role("status")).to_contain_text(message)
    host.save()
    host.restart_kernel()
    host.reload()
    host.scroll_to(shown)

    expect(part.get_by_role("radio", name=text_of(wrong))).to_be_checked()
    for message in verdict:
        expect(part.get_by_role("status")).to_contain_text(message)
    expect_arabic(quiz, item.stem)
    # And it answers; what was answered without the kernel is recorded once the cells are run again.
    part.get_by_role("button", name=said("try_again")).click()
    part.get_by_role("radio", name=text_of(right)).click()
    part.get_by_role("button", name=said("check")).click()
    expect(part.get_by_role("status")).to_contain_text(said("right"))
    host.run(set_up)
    host.run(shown)
    wait_until("the second answer on disk", lambda: len(server.responses()) == 2)
    expect_recorded(part)
