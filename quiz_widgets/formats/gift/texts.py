"""A GIFT text as Markdown: its format in brackets, else Moodle's own mixture of plain text and HTML."""

from __future__ import annotations

import re
from dataclasses import dataclass

from quiz_widgets.formats import foreign, html_text, markdown
from quiz_widgets.formats.base import Notices
from quiz_widgets.formats.gift import signs

FORMATS = ("html", "markdown", "plain", "moodle")
_PREFIX = re.compile(r"\s*\[([A-Za-z]+)\]")


@dataclass(frozen=True, slots=True)
class Texts:
    """Makes Markdown of one question's texts; `format` is that of its stem, which its answers take over."""

    notices: Notices
    name: str
    format: str = "moodle"

    def stated(self, text: str, line: int) -> tuple[str, str]:
        """The format that a text begins with (else the question's), and the rest."""
        found = _PREFIX.match(text)
        if found and found[1] in FORMATS:
            return found[1], text[found.end() :]
        if found and found[1].lower() in FORMATS:
            message = f"`[{found[1]}]`: Moodle knows small letters only, and keeps it as text"
            self.notices.add(line, self.name, "gift-format", message, f"write `[{found[1].lower()}]`")
        elif inner := re.search(rf"\[(?:{'|'.join(FORMATS)})\]", text):
            message = f"`{inner[0]}` does not stand at the start: Moodle keeps it as text"
            self.notices.add(line, self.name, "gift-format", message, "a format is named at the start of a text")
        return self.format, text

    def markdown(self, text: str, line: int) -> str:
        """The Markdown of a text."""
        return self.made(*self.stated(text, line), line)

    def made(self, stated: str, rest: str, line: int) -> str:
        """The Markdown of a text in the format that was stated."""
        shown = signs.plain(rest).strip()

        def report(rule: str, message: str, hint: str) -> None:
            self.notices.add(line, self.name, rule, message, hint)

        if stated == "html":
            return html_text.to_markdown(shown, report)
        if stated == "markdown":
            return foreign.to_ours(shown, report)
        if stated == "moodle" and html_text.looks_like_html(shown):
            return html_text.to_markdown(shown.replace("\n", "<br>"), report)
        return markdown.from_plain(shown)
