"""Texts of Moodle XML: an element with a format, the text in CDATA, and the pictures that it names."""

from __future__ import annotations

import base64
import binascii
from dataclasses import dataclass, field

from quiz_widgets.formats import foreign, html_text, markdown
from quiz_widgets.formats.base import Notices
from quiz_widgets.formats.pictures import Pictures
from quiz_widgets.formats.xml_tree import Element


@dataclass(slots=True)
class Texts:
    """Makes Markdown of the texts of one question. `kept` are the pictures of the whole file."""

    notices: Notices
    name: str
    kept: dict[str, bytes]
    languages: list[str] = field(default_factory=list)

    def markdown(self, element: Element | None, default: str = "html") -> str:
        """The Markdown of an element with a `text` in it; empty where there is none."""
        if element is None:
            return ""
        written = element.value("text") if element.child("text") is not None else element.text().strip()
        stated = element.attributes.get("format", default)

        def report(rule: str, message: str, hint: str) -> None:
            self.notices.add(element.line, self.name, rule, message, hint)

        if stated == "plain_text":
            return markdown.from_plain(written)
        pictures = Pictures(self._files(element), self.kept)
        if stated == "markdown":
            return foreign.to_ours(written, report, pictures)
        if stated == "moodle_auto_format" and not html_text.looks_like_html(written):
            return markdown.from_plain(written)
        if language := html_text.language(written):
            self.languages.append(language)
        if stated == "moodle_auto_format":
            written = written.replace("\n", "<br>")
        return html_text.to_markdown(written, report, pictures)

    def plain(self, element: Element | None) -> str:
        """The text of an element as it is written."""
        if element is None:
            return ""
        return element.value("text") if element.child("text") is not None else element.text().strip()

    def _files(self, element: Element) -> dict[str, bytes]:
        files: dict[str, bytes] = {}
        for part in element.children("file"):
            name = part.attributes.get("path", "/").strip("/")
            name = f"{name}/{part.attributes.get('name', '')}".strip("/")
            try:
                files[name] = base64.b64decode("".join(part.text().split()))
            except (binascii.Error, ValueError):
                self.notices.add(
                    part.line, self.name, "picture", f"the file `{name}` is left out: its base64 is damaged"
                )
        return files
