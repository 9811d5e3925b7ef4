"""XML from strangers as a small tree with line numbers: no document type, no entities, no network, bounded.

expat is used with handlers of our own: the standard tree keeps no lines, which every notice needs.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from xml.parsers import expat

from quiz_widgets.formats.base import Notices, Source

MAX_DEPTH = 100
MAX_NODES = 500_000
_DECLARED = re.compile(r"^\s*<\?xml[^>]*?encoding\s*=\s*[\"']([\w.:-]+)[\"'][^>]*\?>")
_DECLARATION = re.compile(r"^\s*<\?xml.*?\?>", re.DOTALL)
_NO_XML = re.compile("[^\t\n -\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


@dataclass(slots=True)
class Element:
    """An element: its name without namespace, attributes without namespaces, and what is in it, in order."""

    name: str
    attributes: dict[str, str]
    line: int
    content: list[Element | str] = field(default_factory=list)

    def children(self, name: str = "") -> Iterator[Element]:
        """The elements in it, all or those of a name."""
        for part in self.content:
            if isinstance(part, Element) and (not name or part.name == name):
                yield part

    def child(self, name: str) -> Element | None:
        """The first element of a name in it."""
        return next(self.children(name), None)

    def all(self, *names: str) -> Iterator[Element]:
        """All elements below it of these names, in order, however deep."""
        stack = [self]
        while stack:
            element = stack.pop()
            if element is not self and element.name in names:
                yield element
            stack.extend(reversed([part for part in element.content if isinstance(part, Element)]))

    def text(self) -> str:
        """All text in it."""
        pieces: list[str] = []
        stack: list[Element | str] = [self]
        while stack:
            part = stack.pop()
            if isinstance(part, str):
                pieces.append(part)
            else:
                stack.extend(reversed(part.content))
        return "".join(pieces)

    def value(self, *path: str, default: str = "") -> str:
        """The stripped text of the first element on a path below it; `default` when it is missing."""
        found: Element | None = self
        for name in path:
            found = found.child(name) if found is not None else None
        return found.text().strip() if found is not None else default


def parse(source: Source, notices: Notices) -> Element | None:
    """The root of the document; `None` (noted) when it is not XML that may be read. Never raises."""
    declared = _DECLARED.match(source.start(300))
    named = source.encoding or (declared[1] if declared else None)
    known = named if named and not source.data.startswith((b"\xff\xfe", b"\xfe\xff", b"\xef\xbb\xbf")) else None
    text = Source(source.name, source.data, known).text(notices)
    # The text is Unicode by now, and expat would believe the declaration; its line stays.
    found = _DECLARATION.match(text)
    text = "\n" * found[0].count("\n") + text[found.end() :] if found else text
    return _Builder(notices).build(_NO_XML.sub("\ufffd", text))


class _Refused(Exception):
    """Stops the parser at something that may not be in the document."""


class _Builder:
    def __init__(self, notices: Notices) -> None:
        self.notices = notices
        self.root: Element | None = None
        self.stack: list[Element] = []
        self.nodes = 0
        self.parser = expat.ParserCreate(namespace_separator="\n")
        self.parser.buffer_text = True
        self.parser.StartElementHandler = self._start
        self.parser.EndElementHandler = self._end
        self.parser.CharacterDataHandler = self._text
        self.parser.StartDoctypeDeclHandler = self._doctype
        self.parser.SetParamEntityParsing(expat.XML_PARAM_ENTITY_PARSING_NEVER)

    def build(self, text: str) -> Element | None:
        try:
            self.parser.Parse(text, True)
        except expat.ExpatError as error:
            message = f"this is not XML: {expat.ErrorString(error.code)}"
            hint = "export the file again; nothing of it is read"
            self.notices.add(error.lineno, "", "xml", message, hint, severity="error")
            return None
        except _Refused as error:
            hint = "remove it from the file; no quiz needs it"
            self.notices.add(self.parser.CurrentLineNumber, "", "xml", str(error), hint, severity="error")
            return None
        return self.root

    def _start(self, name: str, attributes: dict[str, str]) -> None:
        self.nodes += 1
        if len(self.stack) >= MAX_DEPTH:
            raise _Refused(f"more than {MAX_DEPTH} elements inside one another")
        if self.nodes > MAX_NODES:
            raise _Refused(f"more than {MAX_NODES} elements")
        bare = {key.rpartition("\n")[2]: value for key, value in attributes.items()}
        element = Element(name.rpartition("\n")[2], bare, self.parser.CurrentLineNumber)
        if self.stack:
            self.stack[-1].content.append(element)
        else:
            self.root = element
        self.stack.append(element)

    def _end(self, _name: str) -> None:
        self.stack.pop()

    def _text(self, text: str) -> None:
        if self.stack:
            self.stack[-1].content.append(text)

    def _doctype(self, *_: object) -> None:
        raise _Refused("a document type (`<!DOCTYPE`): it could name other files, and entities that grow without end")
