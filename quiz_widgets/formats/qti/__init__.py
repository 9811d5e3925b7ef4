"""QTI 2.1, 2.2 and 3.0: items and packages. Specifications: https://www.1edtech.org/standards/qti."""

from __future__ import annotations

import re
from functools import partial

from quiz_widgets.formats import archives
from quiz_widgets.formats.base import Format, Source
from quiz_widgets.formats.qti.names import Version
from quiz_widgets.formats.qti.reader import read, root_name
from quiz_widgets.formats.qti.writer import write

_RESOURCE = re.compile(r"imsqti_(?:item|test|stimulus|section|asi)_xmlv(\d)p\d")


def recognise(version: Version, source: Source) -> float:
    """Sure where an item or a test begins the file, or the package's manifest or first items say so."""
    if not archives.is_archive(source.data):
        return 1.0 if _version(source.start()) == version[0] else 0.0
    found = {_version(start) for start in archives.peek(source.data, (".xml",))}
    if version[0] not in found:
        return 0.0
    return 1.0 if len(found - {""}) == 1 else 0.6


def _version(start: str) -> str:
    """``2`` or ``3``, the version of a document that begins so; empty where it is no QTI of these."""
    if root_name(start):
        return "3" if "<qti-assessment" in start or ":qti-assessment" in start else "2"
    resource = _RESOURCE.search(start)
    return resource[1] if resource else ""


QTI_21 = Format(
    id="qti-2.1",
    title="QTI 2.1",
    suffix=".qti21.zip",
    recognise=partial(recognise, "2.1"),
    read=read,
    write=partial(write, "2.1"),
)
QTI_30 = Format(
    id="qti-3.0",
    title="QTI 3.0",
    suffix=".qti30.zip",
    recognise=partial(recognise, "3.0"),
    read=read,
    write=partial(write, "3.0"),
)
