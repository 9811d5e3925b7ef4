"""Moodle XML, what Moodle's question bank exports. Format: https://docs.moodle.org/en/Moodle_XML_format."""

from __future__ import annotations

import re

from quiz_widgets.formats.base import Format, Source
from quiz_widgets.formats.moodle_xml.reader import read
from quiz_widgets.formats.moodle_xml.writer import write


def recognise(source: Source) -> float:
    """Sure where a `quiz` holds a `question` with a type."""
    start = source.start()
    if re.search(r"<quiz\b[^>]*>\s*(?:<!--.*?-->\s*)*<question\s+type=", start, re.DOTALL):
        return 1.0
    return 0.5 if re.match(r"\s*(?:<\?xml.*?\?>\s*)?(?:<!--.*?-->\s*)*<quiz\b", start, re.DOTALL) else 0.0


FORMAT = Format(id="moodle-xml", title="Moodle XML", suffix=".xml", recognise=recognise, read=read, write=write)
