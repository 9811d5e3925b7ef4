"""`edit_quiz` in real JupyterLab: edit beside the live question, save, be refused, and find the draft again."""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.frontend.mounting import AXE
from tests.hosts.conftest import SUMS
from tests.hosts.hosting import Host, quiz_in

pytestmark = pytest.mark.slow

EDIT = 'from quiz_widgets import edit_quiz\nedit_quiz("edited/quiz.yaml")'
AXE_RUN = """async () => {
    document.body.style.height = "100vh";
    const found = await axe.run({include: [".quiz-editor"]}, {rules: {region: {enabled: false}}});
    return found.violations.map((rule) => `${rule.id}: ${rule.nodes.map((node) => node.html)}`);
}"""


@pytest.fixture
def edited(host: Host) -> Path:
    """A quiz that may be changed, where the server sees it."""
    folder = host.server.root / "edited"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    text = SUMS.read_text(encoding="utf-8")
    (folder / "quiz.yaml").write_text(text.replace("id: sums", "id: edited", 1), encoding="utf-8")
    return folder / "quiz.yaml"


@pytest.mark.parametrize("host", ["lab"], indirect=True)
def test_a_quiz_is_edited_beside_its_live_question(host: Host, edited: Path, write: Callable[..., str]) -> None:
    before = edited.read_text(encoding="utf-8")
    host.open(write(EDIT))
    host.run(0)
    page = host.page
    quiz = quiz_in(page)
    expect(quiz.get_by_role("radio", name="Four")).to_be_visible()
    page.add_script_tag(path=AXE)
    assert page.evaluate(AXE_RUN) == []

    # By keyboard: a rationale, then the key.
    why = page.get_by_label("Option 1: why right or wrong", exact=True)
    why.focus()
    page.keyboard.press("ControlOrMeta+a")
    page.keyboard.type("Three: so it is here.")
    page.keyboard.press("Tab")
    expect(page.get_by_text("1 change is not saved")).to_be_visible()
    page.get_by_role("radio", name="Option 2: Four", exact=True).focus()
    page.keyboard.press("ArrowUp")
    expect(page.get_by_text("2 changes are not saved")).to_be_visible()
    quiz.get_by_role("radio", name="Three").check()
    quiz.get_by_role("button", name="Check").click()
    expect(quiz.get_by_role("status")).to_contain_text("Right.")
    expect(quiz.get_by_text("Three: so it is here.").first).to_be_visible()
    assert edited.read_text(encoding="utf-8") == before
    page.get_by_role("button", name="Save", exact=True).click()
    expect(page.get_by_text(re.compile("Saved at"))).to_be_visible()
    saved = before.replace("        correct: true\n        rationale: Two", "        rationale: Two")
    saved = saved.replace("text: Three\n", "text: Three\n        correct: true\n")
    saved = saved.replace("One too few.", "'Three: so it is here.'")
    assert edited.read_text(encoding="utf-8") == saved
    assert host.server.records() == []

    # Somebody else changes the file.
    theirs = saved.replace("One divided by two.", "Theirs.")
    edited.write_text(theirs, encoding="utf-8")
    page.get_by_label("Question", exact=True).fill("What is three?")
    page.get_by_label("Question", exact=True).press("Tab")
    expect(page.get_by_text("1 change is not saved")).to_be_visible()
    page.get_by_role("button", name="Save", exact=True).click()
    expect(page.get_by_role("alert").get_by_text("Somebody else has changed quiz.yaml")).to_be_visible()
    assert page.evaluate(AXE_RUN) == []
    assert edited.read_text(encoding="utf-8") == theirs
    page.get_by_role("button", name="Keep my changes in the draft").click()

    # The kernel ends; the draft is there again.
    edited.write_text(saved, encoding="utf-8")
    host.restart_kernel()
    host.run(0)
    expect(page.get_by_text(re.compile("There is a draft of .* with 1 change"))).to_be_visible()
    page.get_by_role("button", name="Continue the draft").click()
    expect(page.get_by_label("Question", exact=True)).to_have_value("What is three?")
    expect(quiz_in(page).get_by_text("What is three?")).to_be_visible()
    page.get_by_role("button", name="Save", exact=True).click()
    expect(page.get_by_text(re.compile("Saved at"))).to_be_visible()
    assert edited.read_text(encoding="utf-8") == saved.replace("What is two and two?", "What is three?")
    assert [path.name for path in edited.parent.iterdir()] == ["quiz.yaml"]
