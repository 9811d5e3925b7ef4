"""LabQuiz: questions in YAML, each a list of propositions that are true or false, or numbers to be typed.

Format: "Question file structure" in LabQuiz's documentation, and what version 1.3 does with a file. Older files say
`qcm`, `reponse`, `bonus` and `malus`; both are read.
"""

from __future__ import annotations

import re

from quiz_widgets.authoring import tree
from quiz_widgets.formats.base import MAX_ITEMS, Format, Notices, Source
from quiz_widgets.formats.draft import DraftItem, DraftQuiz, Imported
from quiz_widgets.formats.labquiz.reader import Reader
from quiz_widgets.formats.markdown import from_plain

_PROPOSITIONS = re.compile(r"^[ \t]+propositions[ \t]*:", re.MULTILINE)
_EXPECTED = re.compile(r"^[ \t]*-?[ \t]*(?:expected|proposition)[ \t]*:", re.MULTILINE)


def recognise(source: Source) -> float:
    """Sure where a question has propositions, and one of them an expected value."""
    start = source.start(20_000)
    if not _PROPOSITIONS.search(start):
        return 0.0
    return 0.95 if _EXPECTED.search(start) else 0.5


def read(source: Source) -> Imported:
    """The questions of a file."""
    notices = Notices(source.name)
    text = source.text(notices).expandtabs(4)
    document = tree.read(text.encode("utf-8", "replace"), source.name)
    for problem in document.problems:
        rule = f"yaml-{problem.rule}"
        notices.add(problem.line, "", rule, problem.text, problem.hint, severity=problem.severity)
    root = document.root
    if not isinstance(root, tree.Mapping):
        message = "this is no list of questions by name"
        hint = "a file that LabQuiz has encrypted must be decrypted by it first"
        notices.add(1, "", "labquiz-file", message, hint, severity="error")
        return Imported((), notices.done())
    title = root.entries.get("title")
    entries = [
        (name, entry) for name, entry in root.entries.items() if name != "title" or isinstance(entry, tree.Mapping)
    ]
    items: list[DraftItem] = []
    for number, (name, entry) in enumerate(entries):
        source.tell(number, len(entries))
        if len(items) >= MAX_ITEMS:
            message = f"more than {MAX_ITEMS} questions: the rest is not read"
            notices.add(entry.line, name, "many", message, "split the file", severity="error")
            break
        items += Reader(name, entry, notices).items()
    if not items:
        notices.add(1, "", "empty", "no question can be read", "is it in this format?", severity="error")
        return Imported((), notices.done())
    written = from_plain(" ".join(title.text.split())) if isinstance(title, tree.Scalar) else ""
    return Imported((DraftQuiz(items=tuple(items), title=written),), notices.done())


FORMAT = Format(id="labquiz", title="LabQuiz", suffix=".yaml", recognise=recognise, read=read)
