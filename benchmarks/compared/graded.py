"""Whether the saved notebook tells the key of a graded quiz, taken in JupyterLab at a desk on loopback.

Only quiz_widgets has such quizzes: the peers show a quiz in one way, with its key in the page or in the kernel.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from playwright.sync_api import BrowserContext

from benchmarks.compared.notebook import Notebook, unescaped
from benchmarks.compared.place import serving
from benchmarks.compared.questions import EIGHT, Question
from benchmarks.compared.tools import Tool
from benchmarks.hall import exam
from benchmarks.hall.stack import PREFIX, Stack, running
from quiz_widgets import authoring, compiled
from quiz_widgets.classroom.desk.database.engine import connect
from quiz_widgets.classroom.desk.database.migrations import migrate

NAME = "side-by-side"
SHOW = f'from quiz_widgets import load_quiz\nload_quiz("{exam.COURSE}/{exam.QUIZ}")'


def measure(tool: Tool, python: Path, context: BrowserContext, folder: Path) -> dict[str, str]:
    """Take the eight questions as an exam, answer one, save the notebook, and say what it tells."""
    database = f"sqlite:///{folder / 'desk.sqlite'}"
    engine = connect(database)
    migrate(engine)
    source = folder / NAME / tool.file_name
    source.parent.mkdir()
    source.write_text(tool.file(NAME, EIGHT), encoding="utf-8")
    learner = exam.make(engine, 1, compiled.dump(authoring.load(source)))[0]
    engine.dispose()
    with running(Stack(database, folder=folder)) as stack:
        desk = f"http://127.0.0.1:{stack.desk_port}{PREFIX}"
        said = {"QUIZ_WIDGETS_DESK": desk, "QUIZ_WIDGETS_DESK_TOKEN": learner.token}
        with serving(python, folder, **said) as server:
            page = context.new_page()
            book = Notebook(page, server, replace(tool, setup=lambda _name: SHOW), EIGHT)
            book.execute(0)
            quiz = page.locator(".jp-OutputArea-output")
            quiz.get_by_role("button", name="Start").click()
            quiz.get_by_role("radio").first.click()
            quiz.get_by_role("button", name="Save answer").click()
            quiz.get_by_text(re.compile(r"Recorded \d+:\d\d:\d\d")).wait_for()
            book.save()
            saved = book.path.read_text(encoding="utf-8")
            book.close()
            page.close()
    return {"graded": told(saved, tool.key, EIGHT)}


def told(saved: str, key: str, questions: Sequence[Question]) -> str:
    """In words: whether a notebook's file holds the key, in the tool's form or as feedback, or the questions."""
    text = unescaped(saved)
    if re.search(key, text) or any(one.feedback(one.right) in text for one in questions):
        return "yes"
    return "no, but questions" if any(one.stem in text for one in questions) else "no, nor a question"
