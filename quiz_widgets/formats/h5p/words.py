"""The words on the buttons of H5P in the quiz's language, taken from our own interface."""

from __future__ import annotations

from typing import Any

from quiz_widgets import locales


def _words(language: str) -> Any:
    return locales.words(language if language in locales.available() else locales.SOURCE_LOCALE)


def question(language: str) -> dict[str, Any]:
    """Those of `H5P.MultiChoice`. What H5P itself would say in English only is not left to it."""
    words = _words(language)
    dialog = {
        "header": words["check"],
        "body": words["check"],
        "cancelLabel": words["back"],
        "confirmLabel": words["check"],
    }
    again = {**dialog, "header": words["try_again"], "body": words["try_again"], "confirmLabel": words["try_again"]}
    return {
        "UI": {
            "checkAnswerButton": words["check"],
            "submitAnswerButton": words["submit"],
            "showSolutionButton": words["show_answer"],
            "tryAgainButton": words["try_again"],
            "tipsLabel": words["hint"],
            "tipAvailable": words["hint"],
            "scoreBarLabel": words["score"].format(score=":num", max=":total"),
            "wrongAnswer": words["wrong"],
            "correctAnswer": words["mark_key"],
            "shouldCheck": words["mark_key"],
            "shouldNotCheck": words["wrong"],
            "noInput": words["nothing_chosen"],
            "a11yCheck": words["check"],
            "a11yShowSolution": words["show_answer"],
            "a11yRetry": words["try_again"],
        },
        "confirmCheck": dialog,
        "confirmRetry": again,
    }


def question_set(language: str) -> dict[str, dict[str, Any]]:
    """Those of `H5P.QuestionSet`: of its buttons, and of its end."""
    words = _words(language)
    score = words["score"].format(score="@finals", max="@totals")
    texts = {
        "prevButton": words["back"],
        "previous": words["back"],
        "nextButton": words["next"],
        "next": words["next"],
        "finishButton": words["to_summary"],
        "submitButton": words["submit"],
        "textualProgress": words["position"].format(number="@current", count="@total"),
        "jumpToQuestion": words["position"].format(number="%d", count="%total"),
        "questionLabel": words["steps"],
        "readSpeakerProgress": words["position"].format(number="@current", count="@total"),
        "unansweredText": words["sum_open"],
        "answeredText": words["sent"],
        "currentQuestionText": words["steps"],
        "navigationLabel": words["steps"],
        "questionSetInstruction": words["steps"],
    }
    end = {
        "message": words["finished"],
        "noResultMessage": words["finished"],
        "scoreBarLabel": score,
        "amountCorrect": score,
        "scoreHeader": words["to_summary"],
        "solutionButtonText": words["show_answer"],
        "retryButtonText": words["restart"],
        "finishButtonText": words["to_summary"],
        "submitButtonText": words["submit"],
        "skipButtonText": words["skip"],
    }
    return {"texts": texts, "endGame": end}
