"""A quiz as an H5P archive: a question set of multiple-choice questions, without the libraries that show it."""

from __future__ import annotations

import html
import json
import uuid
from typing import Any

from quiz_widgets.formats import losses, markdown, named, pins
from quiz_widgets.formats.archives import pack
from quiz_widgets.formats.base import Notices
from quiz_widgets.formats.draft import DraftItem, DraftQuiz, Exported
from quiz_widgets.formats.h5p import text, words

_SET, _QUESTION = ("H5P.QuestionSet", 1, 20), ("H5P.MultiChoice", 1, 16)
_HOLDS: frozenset[losses.Part] = frozenset(
    {"rationale", "explanation", "credit", "pins", "language", "title", "description", "ids", "markup"}
)


def write(quiz: DraftQuiz) -> Exported:
    """The archive, with the questions of one or several right options."""
    kept, notices = losses.check(quiz, kinds={"single", "multiple"}, holds=_HOLDS)
    items = named.quiz(kept).items
    language = quiz.language or "und"
    title = " ".join(markdown.to_plain(quiz.title).split()) or "Quiz"
    libraries = [
        {"machineName": name, "majorVersion": major, "minorVersion": minor} for name, major, minor in (_SET, _QUESTION)
    ]
    about = {
        "title": title,
        "language": language,
        "defaultLanguage": language,
        "mainLibrary": _SET[0],
        "embedTypes": ["iframe"],
        "license": "U",
        "preloadedDependencies": libraries,
    }
    shown = words.question_set(quiz.language)
    content = {
        "introPage": {
            "showIntroPage": bool(quiz.description),
            "introduction": text.html(quiz.description, quiz.language, text.ANSWER),
            "startButtonText": shown["texts"]["next"],
        },
        "progressType": "dots",
        "passPercentage": 50,
        "questions": [_question(quiz, item, notices) for item in items],
        "disableBackwardsNavigation": False,
        "randomQuestions": False,
        "texts": shown["texts"],
        "endGame": {
            "showResultPage": True,
            "showSolutionButton": True,
            "showRetryButton": True,
            "showAnimations": False,
            "skippable": False,
            **shown["endGame"],
        },
        "override": {"checkButton": True},
    }
    needed = " and ".join(f"{name} {major}.{minor}" for name, major, minor in (_SET, _QUESTION))
    message = f"the archive holds no libraries of H5P: the other system must have {needed}"
    notices.add(0, "", "h5p-library", message, "most have them; else install them there first", severity="note")
    files = {"h5p.json": _json(about), "content/content.json": _json(content)}
    return Exported(pack(files), notices.done())


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, indent=1) + "\n"


def _question(quiz: DraftQuiz, item: DraftItem, notices: Notices) -> dict[str, Any]:
    """One question with its library and the name that its id is."""
    own = uuid.uuid5(uuid.NAMESPACE_URL, f"{quiz.id}/{item.id}")  # the same at every export
    name, major, minor = _QUESTION
    return {
        "library": f"{name} {major}.{minor}",
        "params": _params(item, quiz.language, notices),
        "subContentId": str(own),
        "metadata": {"title": item.id, "license": "U", "contentType": "Multiple Choice"},
    }


def _params(item: DraftItem, language: str, notices: Notices) -> dict[str, Any]:
    options = pins.in_place(item.options)
    pinned = sum(option.pin is not None for option in options)
    if pinned:
        message = f"no option of it is mixed there, since {pinned} must not move: H5P mixes all or none"
        notices.add(0, item.id, "pins", message)
    if item.kind == "multiple" and item.credit == "partial":
        rights = sum(option.correct for option in options)
        if rights * 2 != len(options):
            message = "a wrong option costs there what a right one earns; here it costs a share of the wrong ones"
            notices.add(0, item.id, "lost", message)
    fields = [(item.stem, text.QUESTION)]
    fields += [pair for one in options for pair in ((one.text, text.ANSWER), (one.rationale, text.FEEDBACK))]
    if any(source and text.loses(source, kept) for source, kept in fields):
        notices.add(0, item.id, "lost", "lists, links or blocks of code become plain paragraphs there")
    if not markdown.is_plain(item.explanation):
        notices.add(0, item.id, "lost", "layout, code and formulas of the explanation become plain text there")
    answers = [
        {
            "text": text.html(option.text, language, text.ANSWER),
            "correct": option.correct,
            "tipsAndFeedback": {
                "tip": "",
                "chosenFeedback": text.html(option.rationale, language, text.FEEDBACK),
                "notChosenFeedback": "",
            },
        }
        for option in options
    ]
    # H5P shows such a field as HTML: its signs are entities, which it leaves as they are.
    told = {"feedback": html.escape(markdown.to_plain(item.explanation), quote=False)} if item.explanation else {}
    return {
        "question": text.html(item.stem, language, text.QUESTION),
        "answers": answers,
        "overallFeedback": [{"from": 0, "to": 100, **told}],
        "behaviour": {
            "enableRetry": item.tries != 1,
            "enableSolutionsButton": True,
            "enableCheckButton": True,
            "type": "single" if item.kind == "single" else "multi",
            "singlePoint": item.kind == "multiple" and item.credit == "exact",
            "randomAnswers": item.shuffle and not pinned,
            "showSolutionsRequiresInput": True,
            "confirmCheckDialog": False,
            "confirmRetryDialog": False,
            "autoCheck": False,
            "passPercentage": 100,
            "showScorePoints": True,
        },
        **words.question(language),
    }
