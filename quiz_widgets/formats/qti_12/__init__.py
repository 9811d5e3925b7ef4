"""QTI 1.2 as Canvas writes and reads it. Specification: https://www.imsglobal.org/question (1.2); packages are zips."""

from __future__ import annotations

from quiz_widgets.formats import archives
from quiz_widgets.formats.base import Format, Source
from quiz_widgets.formats.qti_12.reader import is_start, read
from quiz_widgets.formats.qti_12.writer import write


def recognise(source: Source) -> float:
    """Sure where the document, or one in the package, is a `questestinterop`."""
    if not archives.is_archive(source.data):
        return 1.0 if is_start(source.start()) else 0.0
    starts = archives.peek(source.data, (".xml", ".qti", ".dat"), 40)
    return 0.9 if any(is_start(start) or "imsqti_xmlv1p2" in start for start in starts) else 0.0


FORMAT = Format(
    id="qti-1.2", title="QTI 1.2 (Canvas)", suffix=".qti12.zip", recognise=recognise, read=read, write=write
)
