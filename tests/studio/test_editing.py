"""The editor without a browser: sessions, drafts, saving, and what the form does to the files."""

from __future__ import annotations

import json
import re
import shutil
import stat
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from quiz_widgets import edit_quiz, locales
from quiz_widgets.api import QuizError
from quiz_widgets.authoring import checker, splices
from quiz_widgets.authoring.overlays.texts import fingerprint
from quiz_widgets.studio.editor import drafts, saving
from quiz_widgets.studio.editor.form import Form
from quiz_widgets.studio.editor.session import ChangedMeanwhile, Session

ROOT = Path(__file__).resolve().parents[2]
QUIZ = """\
# Sums, by hand.
id: sums
title: Sums
level: easy
description: Two questions.
items:
  # The first.
  - id: small
    stem: What is $1 + 1$?
    options:
      - {id: two, text: Two things, correct: true, rationale: Yes.}   # the key
      - {id: one, text: One thing, rationale: No.}
    explanation: Count them.
    source: A book

  - id: large
    kind: number
    stem: What is 1000 + 1?
    value: 1001
    explanation: >-
      One more.
    source: A book
"""
ARABIC = f"""\
locale: ar
items:
  small:
    stem: كم يساوي $1 + 1$؟
translates:
  items.small.stem: {fingerprint("What is $1 + 1$?")}
"""


@pytest.fixture
def quiz(tmp_path: Path) -> Path:
    folder = tmp_path / "sums"
    folder.mkdir()
    (folder / "quiz.yaml").write_text(QUIZ, encoding="utf-8")
    (folder / "quiz.ar.yaml").write_text(ARABIC, encoding="utf-8")
    return folder / "quiz.yaml"


def opened(quiz: Path, locale: str = "en") -> Form:
    return Form(Session(quiz), locale)


def field(form: Form, label: str) -> Any:
    """The widget that bears this label."""
    found = [one for row in form.texts.rows.values() for one in (row.source, getattr(row, "target", row.source))]
    return next(one for one in found if one.description == label)


def press(form: Form, label: str) -> None:
    """Press the button of this name, if it can be pressed."""
    [button] = {one for one in widgets(form.box) if getattr(one, "description", "") == label}
    assert not button.disabled
    button.click()


def widgets(box: Any) -> Iterator[Any]:
    yield box
    for child in getattr(box, "children", ()):
        if child.layout.display != "none":  # what can be seen
            yield from widgets(child)


def files(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in sorted(folder.iterdir())}


CONTENT = [
    *sorted(ROOT.glob("content/*/quiz.yaml")),
    *sorted(ROOT.glob("tests/cases/**/quiz.yaml")),
    *sorted(ROOT.glob("examples/**/quiz.yaml")),
    ROOT / "tests" / "hosts" / "sums" / "quiz.yaml",
    *sorted(ROOT.glob("tests/broken/*.yaml")),
    *sorted(ROOT.glob("tests/rules/*/*.yaml")),
]


def test_opened_and_saved_every_file_of_the_project_stays_byte_for_byte(tmp_path: Path) -> None:
    assert len(CONTENT) > 100
    editable = 0
    for number, path in enumerate(CONTENT):
        folder = tmp_path / str(number) / path.parent.name
        if path.name == "quiz.yaml":
            shutil.copytree(path.parent, folder)
        else:
            folder.mkdir(parents=True)
            shutil.copy(path, folder)
        before = {one: one.read_bytes() for one in folder.rglob("*") if one.is_file()}
        form = opened(folder / path.name)
        form.pressed_save()
        editable += bool(form.look.items)
        assert {one: one.read_bytes() for one in folder.rglob("*") if one.is_file()} == before, path
    assert editable > 50


def test_a_text_is_saved_and_every_other_byte_stays(quiz: Path) -> None:
    form = opened(quiz)

    field(form, "Option 2: why right or wrong").value = "No: that is one, not two."
    assert quiz.read_text(encoding="utf-8") == QUIZ
    assert "1 change is not saved" in form.status.value
    press(form, "Save")

    after = QUIZ.replace("rationale: No.", "rationale: 'No: that is one, not two.'")
    assert quiz.read_text(encoding="utf-8") == after
    assert sorted(files(quiz.parent)) == ["quiz.ar.yaml", "quiz.yaml"]
    assert "Saved at" in form.status.value


def test_the_key_moves_and_the_live_question_with_it(quiz: Path) -> None:
    form = opened(quiz)
    assert right(form) == ["two"]

    form.right.value = 1

    value: Any = splices.read(form.session.quiz)
    assert [one.get("correct") for one in value["items"][0]["options"]] == [None, "true"]
    assert right(form) == ["one"]
    assert form.session.quiz.count(b"# the key") == 1


def right(form: Form) -> list[str]:
    """The right options that the live question carries."""
    found = re.findall(r'"key":(\[[^\]]*\])', form.live.outputs[0]["data"]["text/html"])
    return list(json.loads(found[0]))


def test_several_right_options_have_boxes(quiz: Path) -> None:
    quiz.write_text(QUIZ.replace("    stem: What is $1", "    kind: multiple\n    stem: What is $1"), encoding="utf-8")
    form = opened(quiz)
    boxes = form.ticks.children

    assert [(box.description, box.value) for box in boxes] == [
        ("Option 1 is right", True),
        ("Option 2 is right", False),
    ]
    boxes[1].value = True

    assert form.session.quiz.count(b"correct: true") == 2


def test_what_is_emptied_goes_and_what_is_written_anew_comes(quiz: Path) -> None:
    form = opened(quiz)

    field(form, "Explanation").value = ""
    field(form, "Hint 1").value = "Use your fingers."
    field(form, "Hint 2").value = "Or: a pencil."
    field(form, "Hint 1").value = ""

    text = form.session.quiz.decode()
    assert "Count them." not in text
    assert "    hints:\n      - 'Or: a pencil.'\n" in text
    assert "`explanation` is missing".replace("`", "") in form.problems.value.replace("<code>", "").replace(
        "</code>", ""
    )


def test_a_hint_more_leaves_the_other_fields_where_they_are(quiz: Path) -> None:
    form = opened(quiz)
    explanation, options = field(form, "Explanation"), form.texts.groups["options"].children

    field(form, "Hint 1").value = "Use your fingers."

    assert field(form, "Explanation") is explanation
    assert form.texts.groups["options"].children == options
    assert len(form.texts.groups["hints"].children) == 2


def test_a_number_is_edited_and_not_translated(quiz: Path) -> None:
    form = opened(quiz)
    form.items.value = 1
    form.language.value = "tr"

    field(form, "Right number").value = "1002"

    assert form.session.quiz == QUIZ.replace("value: 1001", "value: 1002").encode()
    seen = {one.description for one in widgets(form.box) if one.__class__.__name__ == "Textarea"}
    assert {"Right number", "Question (Turkish)"} < seen
    assert "Right number (Turkish)" not in seen


def test_questions_and_options_are_added_and_moved(quiz: Path) -> None:
    form = opened(quiz)

    press(form, "Add an option")
    press(form, "Move option 3 up")
    press(form, "Add a question below")
    press(form, "Move this question down")

    value: Any = splices.read(form.session.quiz)
    assert [option["id"] for option in value["items"][0]["options"]] == ["two", "option-3", "one"]
    assert [item["id"] for item in value["items"]] == ["small", "large", "question-3"]
    assert form.items.value == 2
    assert "# The first.\n  - id: small" in form.session.quiz.decode()


def test_a_moved_question_takes_its_comment_along(quiz: Path) -> None:
    form = opened(quiz)

    press(form, "Move this question down")

    small, large = QUIZ.split("items:\n")[1].split("\n\n")
    assert form.session.quiz.decode().split("items:\n")[1] == f"{large}\n{small}\n"
    assert form.items.value == 1


def test_undo_and_redo_go_through_every_change(quiz: Path) -> None:
    form = opened(quiz)
    states = [form.session.quiz]
    field(form, "Question").value = "What is 2?"
    states.append(form.session.quiz)
    form.right.value = 1
    states.append(form.session.quiz)

    press(form, "Undo")
    assert form.session.quiz == states[1]
    assert field(form, "Question").value == "What is 2?"
    press(form, "Undo")
    assert (form.session.quiz, form.undo.disabled, form.save.disabled) == (states[0], True, True)
    press(form, "Redo")
    press(form, "Redo")
    assert (form.session.quiz, form.redo.disabled) == (states[2], True)


def test_a_change_after_undo_ends_what_could_be_redone(quiz: Path) -> None:
    form = opened(quiz)
    field(form, "Question").value = "What is 2?"
    press(form, "Undo")

    field(form, "Question").value = "What is 3?"

    assert form.redo.disabled
    press(form, "Undo")
    press(form, "Redo")
    assert field(form, "Question").value == "What is 3?"


def test_a_draft_is_offered_and_continued(quiz: Path) -> None:
    first = opened(quiz)
    field(first, "Question").value = "What is 2?"
    field(first, "Explanation").value = "See."

    again = opened(quiz)
    shown = again.asker.box.children[0].value
    assert "There is a draft of " in shown
    assert "with 2 changes." in shown
    assert again.body.layout.display == "none"
    press(again, "Continue the draft")

    assert again.session.files == first.session.files
    assert field(again, "Question").value == "What is 2?"
    press(again, "Undo")
    press(again, "Save")
    assert quiz.read_text(encoding="utf-8") == QUIZ.replace("What is $1 + 1$?", "What is 2?")
    assert not drafts.path_of(quiz).exists()


def test_a_draft_is_discarded(quiz: Path) -> None:
    field(opened(quiz), "Question").value = "What is 2?"

    press(opened(quiz), "Discard the draft")

    assert not drafts.path_of(quiz).exists()
    assert opened(quiz).session.offered is None


def test_a_draft_is_no_content(quiz: Path) -> None:
    before = checker.check([quiz.parent])
    field(opened(quiz), "Question").value = "\x00"

    assert drafts.path_of(quiz).is_file()
    assert checker.check([quiz.parent]) == before


@pytest.mark.parametrize(
    "text", ["", "{", "[]", "{}", '{"version": 2}', '{"version":1,"saved":0,"done":9,"opened":{},"steps":[]}', "\xff"]
)
def test_a_damaged_draft_is_set_aside(quiz: Path, text: str) -> None:
    drafts.path_of(quiz).write_bytes(text.encode("latin-1"))

    assert opened(quiz).session.offered is None

    assert quiz.with_name(".quiz.yaml.draft.unreadable").read_bytes() == text.encode("latin-1")


def test_what_somebody_else_has_changed_is_not_written_over(quiz: Path) -> None:
    form = opened(quiz)
    field(form, "Question").value = "What is 2?"
    theirs = QUIZ.replace("One more.", "Theirs.")
    quiz.write_text(theirs, encoding="utf-8")

    press(form, "Save")

    assert quiz.read_text(encoding="utf-8") == theirs
    shown = form.asker.box.children[0].value
    assert "Somebody else has changed quiz.yaml" in shown
    assert "-      Theirs." in shown
    assert "+    stem: What is 2?" in shown
    press(form, "Keep my changes in the draft")
    assert drafts.path_of(quiz).exists()
    assert field(form, "Question").value == "What is 2?"

    press(form, "Save")
    press(form, "Reload the files and drop my changes")
    assert field(form, "Question").value == "What is $1 + 1$?"
    assert not drafts.path_of(quiz).exists()
    form.items.value = 1
    assert field(form, "Explanation").value == "Theirs."


def test_a_draft_of_a_changed_file_says_so_and_cannot_be_saved_over_it(quiz: Path) -> None:
    field(opened(quiz), "Question").value = "What is 2?"
    quiz.write_text(QUIZ + "# theirs\n", encoding="utf-8")

    form = opened(quiz)
    assert "The files have changed since it was begun" in form.asker.box.children[0].value
    press(form, "Continue the draft")
    press(form, "Save")

    assert quiz.read_text(encoding="utf-8") == QUIZ + "# theirs\n"


def test_nothing_is_replaced_when_one_file_cannot_be(quiz: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    form = opened(quiz)
    field(form, "Question").value = "What is 2?"
    form.language.value = "ar"
    field(form, "Explanation (Arabic)").value = "عُدّها."
    before = {name: data for name, data in files(quiz.parent).items() if not name.startswith(".")}
    prepared = saving._prepared

    def full(path: Path, data: bytes) -> Path:
        if path.name == "quiz.yaml":
            raise OSError(28, "No space left on device")
        return prepared(path, data)

    monkeypatch.setattr(saving, "_prepared", full)
    press(form, "Save")

    assert "Nothing was saved: No space left on device" in form.status.value
    left = files(quiz.parent)
    assert {name: data for name, data in left.items() if name != ".quiz.yaml.draft"} == before


def test_a_saved_file_keeps_its_rights_and_a_link_stays_one(quiz: Path, tmp_path: Path) -> None:
    quiz.chmod(0o640)
    link = tmp_path / "link.yaml"
    link.symlink_to(quiz)
    form = opened(link)

    field(form, "Question").value = "What is 2?"
    press(form, "Save")

    assert link.is_symlink()
    assert "What is 2?" in quiz.read_text(encoding="utf-8")
    assert stat.S_IMODE(quiz.stat().st_mode) == 0o640


def test_a_changed_source_makes_its_translation_stale_until_it_is_accepted(quiz: Path) -> None:
    form = opened(quiz)
    form.language.value = "ar"
    row = form.texts.rows["", None, "stem"]
    assert row.target.value == "كم يساوي $1 + 1$؟"
    assert row.waiting not in widgets(form.box)

    row.source.value = "What does $1 + 1$ make?"
    assert row.waiting in widgets(form.box)
    assert "stale" in row.notes.value
    press(form, "The translation still fits")

    assert row.waiting not in widgets(form.box)
    overlay = form.session.files["quiz.ar.yaml"]
    assert overlay is not None
    assert overlay.decode() == ARABIC.replace(fingerprint("What is $1 + 1$?"), fingerprint("What does $1 + 1$ make?"))


def test_a_corrected_translation_waits_for_a_word_as_well(quiz: Path) -> None:
    form = opened(quiz)
    form.language.value = "ar"
    field(form, "Question").value = "What does $1 + 1$ make?"

    field(form, "Question (Arabic)").value = "ما حاصل $1 + 1$؟"

    assert form.texts.rows["", None, "stem"].waiting in widgets(form.box)
    press(form, "The translation still fits")
    assert form.look.translations["ar"].outdated == ()


def test_a_translation_is_begun_in_the_order_of_its_source(quiz: Path) -> None:
    form = opened(quiz)
    form.language.value = "tr"

    field(form, "Explanation (Turkish)").value = "Sayın."
    field(form, "Option 2 (Turkish)").value = "Bir şey"
    field(form, "Question (Turkish)").value = "$1 + 1$ kaç eder?"
    press(form, "Save")

    digest = {text: fingerprint(text) for text in ("What is $1 + 1$?", "One thing", "Count them.")}
    assert (quiz.parent / "quiz.tr.yaml").read_text(encoding="utf-8") == (
        "locale: tr\nitems:\n  small:\n    stem: $1 + 1$ kaç eder?\n    options:\n      one:\n        text: Bir şey\n"
        "    explanation: Sayın.\ntranslates:\n"
        f"  items.small.stem: {digest['What is $1 + 1$?']}\n"
        f"  items.small.options.one.text: {digest['One thing']}\n"
        f"  items.small.explanation: {digest['Count them.']}\n"
    )
    assert checker.check([quiz.parent]).problems == opened(quiz).look.problems


def test_problems_stand_beside_their_field_and_in_the_list(quiz: Path) -> None:
    form = opened(quiz)

    field(form, "Question").value = "It costs $5"

    row = form.texts.rows["", None, "stem"]
    assert "line 9, column " in row.notes.value
    assert "line 9, column " in form.problems.value
    assert all("line 9" not in other.notes.value for other in form.texts.rows.values() if other is not row)


@pytest.mark.parametrize("text", ["items: [", "a: b\na: c\n", "- 1", "x", "id: &a b\nitems: []\n", "", "\ud800"])
def test_what_cannot_be_read_is_shown_and_not_edited(quiz: Path, text: str) -> None:
    data = text.encode("utf-8", "surrogatepass")
    quiz.write_bytes(data)

    form = opened(quiz)

    assert form.body.layout.display == "none"
    assert "cannot be edited here" in form.status.value
    assert "<li>" in form.problems.value
    form.pressed_save()
    assert quiz.read_bytes() == data


def test_a_question_that_cannot_be_answered_is_shown_still(quiz: Path) -> None:
    quiz.write_text(QUIZ.replace("correct: true, ", ""), encoding="utf-8")
    form = opened(quiz)

    assert "It can be answered once its problems are solved." in form.live.outputs[0]["data"]["text/html"]
    form.right.value = 0
    assert "quiz-widgets-live" in form.live.outputs[0]["data"]["text/html"]


def test_the_form_speaks_the_reader_s_language(quiz: Path) -> None:
    for locale in locales.available():
        form = Form(Session(quiz), locale)
        assert form.save.description == locales.words(locale)["cli_edit_save"]
        assert ("quiz-editor-ui-rtl" in form.box._dom_classes) == (locale == "ar")


def test_a_folder_is_meant_as_its_quiz_and_nothing_else_is_one(quiz: Path, tmp_path: Path) -> None:
    assert "quiz-editor" in edit_quiz(quiz.parent)._dom_classes
    for wrong in (tmp_path, tmp_path / "no", "mixed-precision"):
        with pytest.raises(QuizError, match="there is no quiz here"):
            edit_quiz(wrong)
    with pytest.raises(QuizError, match="no interface words in xx"):
        edit_quiz(quiz, locale="xx")


def test_a_file_that_appears_is_not_written_over(quiz: Path) -> None:
    session = Session(quiz)
    session.change("quiz.tr.yaml", b"locale: tr\n")
    (quiz.parent / "quiz.tr.yaml").write_bytes(b"theirs")

    with pytest.raises(ChangedMeanwhile):
        session.save()

    assert (quiz.parent / "quiz.tr.yaml").read_bytes() == b"theirs"
    session.undo()
    assert session.files["quiz.tr.yaml"] is None
    assert not session.changed
