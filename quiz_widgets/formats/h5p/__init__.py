"""H5P: question sets of multiple-choice questions. Format: https://h5p.org/documentation/developers/h5p-specification."""

from __future__ import annotations

import re

from quiz_widgets.formats import archives
from quiz_widgets.formats.base import Format, Source
from quiz_widgets.formats.h5p.reader import read
from quiz_widgets.formats.h5p.writer import write

_BARE = re.compile(r'"(?:library"\s*:\s*"H5P\.\w+ \d|tipsAndFeedback"|singlePoint")')


def recognise(source: Source) -> float:
    """Sure where an archive holds `h5p.json`; a `content.json` alone is known by names of its fields."""
    if archives.is_archive(source.data):
        return 1.0 if archives.peek(source.data, ("h5p.json",), 1) else 0.0
    start = source.start(20_000)
    return 0.7 if start.lstrip("\ufeff \n\r\t").startswith("{") and _BARE.search(start) else 0.0


FORMAT = Format(id="h5p", title="H5P", suffix=".h5p", recognise=recognise, read=read, write=write)
