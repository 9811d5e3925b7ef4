"""Rules about what a guide's Markdown leaves out: texts for images, and words for links."""

from __future__ import annotations

import re
from collections.abc import Iterator

from quiz_widgets.authoring.guides import GuideDocument, Prose
from quiz_widgets.authoring.rules.base import Rule, warning
from quiz_widgets.authoring.rules.context import QuizContext
from quiz_widgets.authoring.rules.prose import blanked
from quiz_widgets.problems import Problem

IMAGE = warning(
    "image-text",
    "An image in a guide without a text: `![](plot.png)`.",
    "Who cannot see it learns nothing from it, and so does everybody when it is not found.",
)
LINK = warning(
    "link-text",
    "A link in a guide whose words say nothing: “here”, “this link”.",
    "Screen readers list links without what stands around them.",
)
GUIDE_DOLLAR = warning(
    "guide-dollar",
    "A dollar in a guide that begins no formula, such as `$5`.",
    r"Notebooks turn everything from one dollar to the next into maths. Write `\$5` for money.",
)
RULES = (IMAGE, LINK, GUIDE_DOLLAR)
_IMAGE = re.compile(r"!\[\s*\](?=\(|\[)|<img\b(?![^>]*\balt\s*=\s*[\"'][^\"'])[^>]*>", re.IGNORECASE)
_WORDS = "here|click here|this|this link|link|buraya|burada|buradan|tıklayın|هنا|هذا الرابط|اضغط هنا"
_LINK = re.compile(rf"(?<!!)\[\s*(?P<words>{_WORDS})\s*\]\(", re.IGNORECASE)


def check_quiz(context: QuizContext) -> None:
    """Report them in the guides that the quiz names, and in the translations of its own."""
    translations = context.translated.translations if context.translated else ()
    for guide in (*context.documents.values(), *(one.guide for one in translations if one.guide is not None)):
        context.problems += _guide(guide)


def _guide(guide: GuideDocument) -> Iterator[Problem]:
    for block in guide.blocks:
        if not isinstance(block, Prose):
            continue
        clean = blanked(block.text)
        for found in _IMAGE.finditer(clean):
            yield _problem(
                guide, block, IMAGE, clean, found, ("an image without a text", "say between the brackets what it shows")
            )
        for found in _LINK.finditer(clean):
            yield _problem(
                guide, block, LINK, clean, found, (f"a link called “{found['words']}”", "say where it leads")
            )
        for found in re.finditer(r"\$", clean):
            yield _problem(
                guide,
                block,
                GUIDE_DOLLAR,
                clean,
                found,
                ("a dollar that begins no formula", r"write `\$` for the sign"),
            )


def _problem(
    guide: GuideDocument, block: Prose, rule: Rule, text: str, found: re.Match[str], said: tuple[str, str]
) -> Problem:
    before = text[: found.start()]
    place = (guide.file, block.line + before.count("\n"), found.start() - before.rfind("\n"), "")
    return Problem(*place, *said, rule.severity, rule.id)
