"""The names of QTI 2 and 3: for ``simpleChoice`` and ``maxChoices`` 3.0 writes ``qti-simple-choice``, ``max-choices``.

Readers see the names of 2.x only; writers give both.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal
from xml.sax.saxutils import escape, quoteattr

from quiz_widgets.formats.xml_tree import Element

Version = Literal["2.1", "3.0"]
_PREFIX = "qti-"
_SAME = ("data-", "aria-", "xml:", "xmlns", "xsi:")  # attributes that both write alike


def camel(name: str) -> str:
    """``max-choices`` as ``maxChoices``."""
    return re.sub(r"-(\w)", lambda found: found[1].upper(), name)


def kebab(name: str) -> str:
    """``maxChoices`` as ``max-choices``."""
    return re.sub(r"[A-Z]", lambda found: "-" + found[0].lower(), name)


def to_old(root: Element) -> None:
    """Give all elements of a QTI 3 document, and their attributes, the names of QTI 2."""
    for element in (root, *list(_below(root))):
        if element.name.startswith(_PREFIX):
            element.name = camel(element.name.removeprefix(_PREFIX))
            element.attributes = {
                name if name.startswith(_SAME) else camel(name): value for name, value in element.attributes.items()
            }


def _below(root: Element) -> list[Element]:
    found: list[Element] = []
    stack = [root]
    while stack:
        children = [part for part in stack.pop().content if isinstance(part, Element)]
        found += children
        stack += children
    return found


@dataclass(frozen=True, slots=True)
class Dialect:
    """Writes elements by their names of QTI 2, in one of the two versions."""

    version: Version

    @property
    def namespace(self) -> str:
        """The namespace of items and tests."""
        name = "imsqti_v2p1" if self.version == "2.1" else "imsqtiasi_v3p0"
        return f"http://www.imsglobal.org/xsd/{name}"

    def element(self, name: str, attributes: dict[str, str] | None = None, *content: str) -> str:
        """An element with XML in it; attributes that are empty are left out."""
        new = self.version == "3.0"
        shown = _PREFIX + kebab(name) if new else name
        written = "".join(
            f" {kebab(key) if new and not key.startswith(_SAME) else key}={quoteattr(value)}"
            for key, value in (attributes or {}).items()
            if value
        )
        inner = "".join(content)
        return f"<{shown}{written}>{inner}</{shown}>" if inner else f"<{shown}{written}/>"

    def value(self, name: str, text: str, attributes: dict[str, str] | None = None) -> str:
        """An element with a text in it."""
        return self.element(name, attributes, escape(text))
