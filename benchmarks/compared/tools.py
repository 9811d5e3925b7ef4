"""The tools under test as small adapters: what an author writes for each, and how a learner answers in it."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import yaml

from benchmarks.compared import bare
from benchmarks.compared.questions import Question


@dataclass(frozen=True)
class Tool:
    """One tool: the file with its questions, its cells, and where its controls and its feedback are.

    `file` gives the file's text, which stands in a folder named as the quiz; `setup` and `show` are the sources of
    two cells. `options` finds the options in the page, four to a question in the order of the questions; `check`
    the buttons that ask for feedback, one to a question, or one to the quiz when `whole`; without `check` an answer
    is checked when it is chosen. `said` is a pattern of the feedback, which is nowhere before an answer.
    """

    name: str
    package: str | None
    imported: str | None
    file_name: str
    file: Callable[[str, Sequence[Question]], str]
    setup: Callable[[str], str]
    show: Callable[[int, int], str]
    options: str
    said: str
    key: str
    check: str | None = None
    whole: bool = False


OURS = "quiz_widgets"
BARE = "bare HTML"


def _own_file(name: str, questions: Sequence[Question]) -> str:
    items = [
        {
            "id": f"q{number}",
            "stem": one.stem,
            "options": [
                {"id": f"o{at}", "text": text, "rationale": one.feedback(at)}
                | ({"correct": True} if at == one.right else {})
                for at, text in enumerate(one.options)
            ],
            "source": "Common knowledge.",
        }
        for number, one in enumerate(questions)
    ]
    quiz = {"id": name, "title": "Side by side", "level": "easy", "description": "Plain questions.", "items": items}
    return yaml.safe_dump(quiz, allow_unicode=True, sort_keys=False)


def _jupyterquiz_file(_name: str, questions: Sequence[Question]) -> str:
    return json.dumps(
        [
            {
                "question": one.stem,
                "type": "multiple_choice",
                "answers": [
                    {"answer": text, "correct": at == one.right, "feedback": one.feedback(at)}
                    for at, text in enumerate(one.options)
                ],
            }
            for one in questions
        ]
    )


def _ipyquizjb_file(_name: str, questions: Sequence[Question]) -> str:
    return json.dumps(
        [
            {
                "type": "MULTIPLE_CHOICE",
                "body": one.stem,
                "answers": list(one.options),
                "answer": [one.options[one.right]],
                "notes": [one.feedback(one.right)],
            }
            for one in questions
        ]
    )


def _labquiz_file(_name: str, questions: Sequence[Question]) -> str:
    return yaml.safe_dump(
        {
            f"quiz{number}": {
                "question": one.stem,
                "type": "mcq",
                "propositions": [
                    {
                        "label": f"o{at}",
                        "proposition": text,
                        "expected": at == one.right,
                        "answer": one.feedback(at),
                    }
                    for at, text in enumerate(one.options)
                ],
            }
            for number, one in enumerate(questions)
        },
        allow_unicode=True,
        sort_keys=False,
    )


def _plain_file(_name: str, questions: Sequence[Question]) -> str:
    return json.dumps([{"stem": one.stem, "options": one.options, "right": one.right} for one in questions])


def _read(name: str) -> str:
    return f'import json\nquestions = json.load(open("{name}/quiz.json"))\n'


TOOLS = (
    Tool(
        OURS,
        "quiz_widgets",
        "from quiz_widgets import load_quiz",
        "quiz.yaml",
        _own_file,
        lambda name: f'from quiz_widgets import load_quiz\nquiz = load_quiz("{name}/quiz.yaml")',
        lambda first, last: "quiz.show(" + ", ".join(f'"q{at}"' for at in range(first, last)) + ")",
        options=".option input",
        check="^Check$",
        said=r"(?:Right|Not quite)\.",
        key=r'"practice":\{"items":\{"[^"]+":\{"key":\["',
    ),
    Tool(
        "jupyterquiz",
        "jupyterquiz",
        "from jupyterquiz import display_quiz",
        "quiz.json",
        _jupyterquiz_file,
        lambda name: _read(name) + "from jupyterquiz import display_quiz",
        lambda first, last: f"display_quiz(questions[{first}:{last}])",
        options="label.MCButton",
        said=r"(?:Yes|No), the text|as the text says",
        key=r'"correct": true',
    ),
    Tool(
        "ipyquizjb",
        "ipyquizjb",
        "from ipyquizjb.questions import display_questions",
        "quiz.json",
        _ipyquizjb_file,
        lambda name: _read(name) + "from ipyquizjb.questions import display_questions",
        lambda first, last: f"display_questions(questions[{first}:{last}])",
        options=".widget-toggle-buttons button",
        check="^Check answer$",
        whole=True,
        said=r"Correct!|Wrong answer!|Wrong! No|Partially correct|You passed",
        key=r'"answer"',
    ),
    Tool(
        "labquiz",
        "labquiz",
        "from labquiz import QuizLab",
        "quiz.yml",
        _labquiz_file,
        lambda name: (
            "from labquiz import QuizLab\n"
            f'lab = QuizLab("", "{name}/quiz.yml", needAuthentification=False, silentStart=True)'
        ),
        lambda first, last: f'for number in range({first}, {last}):\n    lab.show(f"quiz{{number}}")',
        options="input[type=checkbox]",
        check="^Submit$",
        said=r"Score :",
        key=r"expected",
    ),
    Tool(
        "nbquiz",
        "nbquiz",
        "import nbquiz",
        "quiz.json",
        _plain_file,
        lambda name: _read(name) + "import nbquiz\nfrom IPython.display import Markdown, display",
        lambda first, last: (
            f"for one in questions[{first}:{last}]:\n"
            '    display(Markdown(one["stem"]))\n'
            '    nbquiz.check_answer(nbquiz.multiple_choice(*one["options"], correct=one["right"]))'
        ),
        options="input[type=radio]",
        check="^Check answer$",
        said=r"Correct!|Incorrect!",
        key=r"correct=",
    ),
    Tool(
        "bare ipywidgets",
        "ipywidgets",
        "import ipywidgets",
        "quiz.json",
        _plain_file,
        lambda name: _read(name) + bare.IPYWIDGETS,
        lambda first, last: f"display(quiz(questions[{first}:{last}]))",
        options="input[type=radio]",
        check="^Check$",
        said=r"Right\.|Wrong\.",
        key=r'"right"',
    ),
    Tool(
        "bare anywidget",
        "anywidget",
        "import anywidget",
        "quiz.json",
        _plain_file,
        lambda name: _read(name) + bare.ANYWIDGET,
        lambda first, last: f"display(Quiz(questions[{first}:{last}]))",
        options="input[type=radio]",
        said=r"Right\.|Wrong\.",
        key=r'"right"',
    ),
    Tool(
        BARE,
        None,
        None,
        "quiz.json",
        _plain_file,
        lambda name: _read(name) + bare.HTML,
        lambda first, last: f"display(HTML(page(questions[{first}:{last}])))",
        options="input[type=radio]",
        said=r"Right\.|Wrong\.",
        key=r"data-right",
    ),
)


def named(names: Sequence[str]) -> tuple[Tool, ...]:
    """The tools of these names, in the table's order; all without names; `SystemExit` for one that is unknown."""
    known = [tool.name for tool in TOOLS]
    unknown = [name for name in names if name not in known]
    if unknown:
        raise SystemExit(f"no tool is called {', '.join(unknown)}; there are: {', '.join(known)}")
    return tuple(tool for tool in TOOLS if not names or tool.name in names)
