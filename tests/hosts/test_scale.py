"""Many quizzes, many runs and notebooks that are not trusted, in real JupyterLab and Notebook 7."""

from __future__ import annotations

from collections.abc import Callable

import nbformat
import pytest
from playwright.sync_api import expect

from tests.hosts.holding import Held
from tests.hosts.hosting import SHOW, Host, Server, quiz_in, wait_until
from tests.hosts.test_keeping import LINKS, PAGE_LINKS, answer, expect_answered

pytestmark = pytest.mark.slow


def test_a_cell_run_ten_times_leaves_one_link(host: Host, write: Callable[..., str]) -> None:
    host.open(write(SHOW + 'quiz.show("two-and-two")'))
    for _ in range(10):
        host.run(0)
    expect(quiz_in(host.page).get_by_role("radio")).to_have_count(3)
    assert host.ask(LINKS) == "1 1"
    wait_until("one link in the page", lambda: host.page.evaluate(PAGE_LINKS) == 1)
    comms = "from comm import get_comm_manager; print(len(get_comm_manager().comms))"
    assert int(host.ask(comms)) <= 2  # the link, and what its layout may need


@pytest.mark.parametrize("count", [50, 200])
def test_a_notebook_of_many_quizzes_answers_at_its_end(
    host: Host, server: Server, write: Callable[..., str], count: int
) -> None:
    cells = ['quiz.show("two-and-two")'] * (count - 1)
    host.open(write(SHOW + 'quiz.show("even")', *cells))
    host.run_all()
    assert host.ask(LINKS) == "1 1"
    host.scroll_to(count - 1)  # cells far from the view are drawn when the host has time
    quiz = host.output(count - 1).get_by_role("group", name="Sums", exact=True)
    answer(quiz, "Four")
    expect_answered(quiz)
    wait_until("the answer on disk", server.responses)
    host.scroll_to(1)
    expect_answered(host.output(1).get_by_role("group", name="Sums", exact=True))
    assert server.responses() == [("two-and-two", ["four"])]


def test_a_notebook_that_is_not_trusted_reads_and_comes_alive_when_run(
    host: Host, server: Server, write: Callable[..., str]
) -> None:
    path = write(SHOW + 'quiz.show("two-and-two")')
    host.open(path)
    host.run_all()
    host.save()
    host.page.goto("about:blank")
    # As from a clone: the same outputs, which nobody here has signed.
    document = nbformat.read(server.root / path, as_version=4)
    document.cells.append(nbformat.v4.new_markdown_cell("From elsewhere."))
    clone = f"clone-{path}"
    nbformat.write(document, server.root / clone)
    host.open(clone)
    output = host.output(0)
    for text in ("What is two and two?", "Three", "Four", "Five", "To answer, run this cell."):
        expect(output.get_by_text(text).first).to_be_visible()
    assert "<" not in output.inner_text()
    expect(output.get_by_role("radio")).to_have_count(0)
    host.run(0)
    answer(quiz_in(host.page), "Four")
    expect_answered(quiz_in(host.page))


def test_a_second_tab_opened_while_the_kernel_is_busy_answers_at_once(
    host: Host, server: Server, write: Callable[..., str], held: Held
) -> None:
    host.open(write(SHOW + 'quiz.show("two-and-two")', held.source))
    host.run(0)
    host.save()
    held.run(host, 1)
    other = host.second_tab(ready=False).page
    answer(quiz_in(other), "Four")
    expect_answered(quiz_in(other))
    assert host.running(1), "the feedback must come before the cell ends"
    held.end()
    wait_until("the cell to end", lambda: not host.running(1), 60)
    wait_until("the answer on disk", lambda: server.responses() == [("two-and-two", ["four"])])
    expect_answered(quiz_in(host.page))
