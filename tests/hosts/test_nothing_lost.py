"""Nothing is lost in real JupyterLab and Notebook 7: killed kernels, closed tabs, full storage and disks, two tabs."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable

import pytest
from playwright.sync_api import Error, Locator, expect

from tests.hosts.holding import Held
from tests.hosts.hosting import SHOW, Host, Server, quiz_in, wait_until

pytestmark = pytest.mark.slow

NO_STORAGE = {
    "full": "throw new DOMException('full', 'QuotaExceededError')",
    "forbidden": "throw new DOMException('forbidden', 'SecurityError')",
}
FULL_DISK = """
import resource, signal
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, ({size}, resource.RLIM_INFINITY))
"""


def answer(quiz: Locator, name: str = "Four") -> None:
    quiz.get_by_role("radio", name=name).click()
    quiz.get_by_role("button", name="Check").first.click()


def test_a_kernel_killed_between_answer_and_record(
    host: Host, server: Server, write: Callable[..., str], held: Held
) -> None:
    host.open(write(SHOW + 'quiz.show("two-and-two")', held.source))
    host.run(0)
    process = int(host.ask("import os; print(os.getpid())"))
    held.run(host, 1)
    answer(quiz_in(host.page))
    expect(quiz_in(host.page).get_by_role("status")).to_contain_text("Right.")
    assert server.responses() == []
    os.kill(process, signal.SIGKILL)
    # The server starts another kernel by itself.
    wait_until("the next kernel", lambda: kernel_of(host) not in (process, None), 60)
    host.wait_ready()
    expect(quiz_in(host.page).get_by_role("radio", name="Four")).to_be_checked()
    host.run(0)
    expect(quiz_in(host.page).get_by_text("Recorded at")).to_be_visible()
    assert server.responses() == [("two-and-two", ["four"])]


def kernel_of(host: Host) -> int | None:
    """The process of the kernel that answers now; `None` while none does."""
    try:
        status = host.page.evaluate("() => window.jupyterapp.shell.currentWidget.sessionContext.session.kernel.status")
        return int(host.ask("import os; print(os.getpid())")) if status == "idle" else None
    except Error:  # the page has just heard that the kernel is gone
        return None


def test_a_tab_closed_while_the_kernel_is_busy(
    host: Host, server: Server, write: Callable[..., str], held: Held
) -> None:
    host.open(write(SHOW + 'quiz.show("two-and-two", "half")', held.source))
    host.run(0)
    host.save()
    held.run(host, 1)
    answer(quiz_in(host.page))
    expect(quiz_in(host.page).get_by_role("status").first).to_contain_text("Right.")
    other = Host(host.name, server, host.context)
    host.page.close()
    held.end()
    other.open(host.path)
    other.run(0)
    wait_until("the answer on disk", lambda: server.responses() == [("two-and-two", ["four"])])
    expect(quiz_in(other.page).get_by_role("radio", name="Four")).to_be_checked()
    expect(quiz_in(other.page).get_by_text("Recorded at")).to_be_visible()


@pytest.mark.parametrize("fault", sorted(NO_STORAGE))
def test_a_browser_that_stores_nothing(host: Host, server: Server, write: Callable[..., str], fault: str) -> None:
    host.page.add_init_script(
        f"""const set = Storage.prototype.setItem;
        Storage.prototype.setItem = function (name, value) {{
            if (name.startsWith("quiz_widgets")) {NO_STORAGE[fault]};
            return set.call(this, name, value);
        }};"""
    )
    host.open(write(SHOW + 'quiz.show("two-and-two")'))
    host.run_all()
    answer(quiz_in(host.page))
    expect(quiz_in(host.page).get_by_text("Recorded at")).to_be_visible()
    host.reload()
    host.run_all()
    expect(quiz_in(host.page).get_by_role("radio", name="Four")).to_be_checked()
    assert server.responses() == [("two-and-two", ["four"])]


def test_two_tabs_that_answer_different_questions(host: Host, server: Server, write: Callable[..., str]) -> None:
    host.open(write(SHOW + 'quiz.show("two-and-two", "half")'))
    host.run_all()
    host.save()
    second = host.second_tab()
    expect(quiz_in(second.page).get_by_role("radio")).to_have_count(3)
    quiz_in(second.page).get_by_role("textbox", name="Your answer").fill("0.5")
    answer(quiz_in(host.page))
    quiz_in(second.page).get_by_role("button", name="Check").last.click()
    wait_until("both answers on disk", lambda: len(server.responses()) == 2)
    assert sorted(server.responses()) == [("half", ["0.5"]), ("two-and-two", ["four"])]
    for tab in (host, second):
        expect(quiz_in(tab.page).get_by_role("radio", name="Four")).to_be_checked()
        expect(quiz_in(tab.page).get_by_text("Recorded at")).to_have_count(2)


def test_a_disk_that_is_full_is_told_and_asked_again(host: Host, server: Server, write: Callable[..., str]) -> None:
    host.open(write(SHOW + 'quiz.show("two-and-two", "half")'))
    host.run_all()
    answer(quiz_in(host.page))
    expect(quiz_in(host.page).get_by_text("Recorded at")).to_be_visible()
    host.ask(FULL_DISK.format(size=1))
    quiz_in(host.page).get_by_role("textbox", name="Your answer").fill("0.5")
    quiz_in(host.page).get_by_role("button", name="Check").last.click()
    expect(quiz_in(host.page).get_by_role("status").nth(1)).to_contain_text("Right.")
    expect(quiz_in(host.page).get_by_text("run the cell to record it")).to_be_visible(timeout=15_000)
    expect(quiz_in(host.page).get_by_text("Recorded at")).to_have_count(1)
    host.ask(FULL_DISK.format(size="resource.RLIM_INFINITY"))
    host.run(0)
    expect(quiz_in(host.page).get_by_text("Recorded at")).to_have_count(2)
    assert sorted(server.responses()) == [("half", ["0.5"]), ("two-and-two", ["four"])]


LINK = "from quiz_widgets.links import registry; link = registry.link_of('sums')"
# As ipykernel notes it when a thread speaks to the page that was begun by a page which is gone.
SPOKEN = f"{LINK}; link.comm._reply_subshell_id = 'gone'"


def test_an_answer_is_heard_whichever_thread_of_the_kernel_spoke_last(
    host: Host, server: Server, write: Callable[..., str]
) -> None:
    host.open(write(SHOW + 'quiz.show("two-and-two")'))
    host.run_all()
    expect(quiz_in(host.page).get_by_role("radio")).to_have_count(3)
    assert host.ask(SPOKEN) == ""
    answer(quiz_in(host.page))
    expect(quiz_in(host.page).get_by_text("Recorded at")).to_be_visible()
    assert server.responses() == [("two-and-two", ["four"])]
