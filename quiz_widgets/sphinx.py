"""Quizzes in books: a Sphinx extension that writes a quiz into the page, where it answers without a kernel.

In ``conf.py``: ``extensions = ["quiz_widgets.sphinx"]``. In a page::

    .. quiz:: mixed-precision
       :items: loss-scaling bfloat16

or, with MyST, the same as a fence. The argument names a quiz of the course, or the path of a ``quiz.yaml`` from the
page. Without options the whole main set is shown.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, ClassVar

from docutils import nodes
from docutils.parsers.rst import directives
from sphinx.application import Sphinx
from sphinx.transforms.post_transforms import SphinxPostTransform
from sphinx.util.docutils import SphinxDirective

from quiz_widgets import locales
from quiz_widgets.api import QuizError, load_quiz
from quiz_widgets.classroom import names
from quiz_widgets.problems import ContentError


class quiz_node(nodes.General, nodes.Element):  # noqa: N801 - docutils names writers' methods after it
    """A quiz in a document: its `html` for pages, its `text` for everything else."""


class QuizDirective(SphinxDirective):
    """``quiz``: one argument, and the options ``items`` (ids), ``set`` and ``locale``."""

    required_arguments = 1
    final_argument_whitespace = True
    option_spec: ClassVar[dict[str, Any]] = {
        "items": directives.unchanged_required,
        "set": directives.unchanged_required,
        "locale": directives.unchanged_required,
    }

    def run(self) -> list[nodes.Node]:
        """The quiz; an unfit name, option or file is an error of the document, with file and line."""
        items = self.options.get("items", "").replace(",", " ").split()
        try:
            quiz = load_quiz(self._source(), self._locale())
            html = quiz.html(*items, set=self.options.get("set"))
            text = quiz.text(*items, set=self.options.get("set"))
        except (QuizError, ContentError) as error:
            raise self.error(str(error)) from None
        return [quiz_node(html=html, text=text)]

    def _source(self) -> str | Path:
        name = self.arguments[0].strip()
        if names.parse(name) is not None:
            raise self.error(f"{name!r} is a graded quiz: its questions leave the desk for its learners alone")
        if not name.endswith((".yaml", ".yml")):
            return str(name)
        within, path = self.env.relfn2path(name)
        self.env.note_dependency(within)
        return Path(path)

    def _locale(self) -> str | None:
        """The locale that is asked for, else the book's language where there are words for it."""
        asked = self.options.get("locale")
        if asked:
            return str(asked)
        language = str(self.config.language or "").split("_")[0]
        return language if language in locales.available() else None


class WithoutPages(SphinxPostTransform):
    """Writes the questions as text where a book is no web page: PDF, man pages, plain text."""

    default_priority = 200

    def run(self, **_: Any) -> None:
        """Replace every quiz of the document."""
        if self.app.builder.format == "html":
            return
        for node in list(self.document.findall(quiz_node)):
            node.replace_self(nodes.literal_block(node["text"], node["text"], language="none"))


def setup(app: Sphinx) -> dict[str, Any]:
    """Register the extension with Sphinx."""
    app.add_node(quiz_node, html=(_write, None))
    app.add_directive("quiz", QuizDirective)
    app.add_post_transform(WithoutPages)
    return {"parallel_read_safe": True, "parallel_write_safe": True}


def _write(writer: Any, node: nodes.Element) -> None:
    writer.body.append(node["html"])
    raise nodes.SkipNode
