"""What stands in QTI's bodies, as the HTML that it nearly is: interactions, feedback and remarks for tutors apart."""

from __future__ import annotations

import posixpath
from collections.abc import Callable, Collection
from html import escape
from urllib.parse import unquote

from quiz_widgets.formats.html_parse import VOID
from quiz_widgets.formats.xml_tree import Element

GAP = "____"
"""Stands where something is filled in within a text."""
_BARE = frozenset(
    {"itemBody", "contentBody", "prompt", "templateBlock", "templateInline", "stimulusBody", "rubricBlock"}
)
Replace = Callable[[Element], str | None]


def of(element: Element, replace: Replace | None = None, *, skip: Collection[str] = ()) -> str:
    """The HTML of what is in an element; `replace` may give another text for an element, `skip` leaves some out."""
    return "".join(_part(part, replace, skip) for part in element.content)


def _part(part: Element | str, replace: Replace | None, skip: Collection[str]) -> str:
    if isinstance(part, str):
        return escape(part, quote=False)
    made = replace(part) if replace is not None else None
    if made is not None:
        return made
    if part.name in skip:
        return ""
    name, attributes = part.name, part.attributes
    if name == "object" and attributes.get("type", "").startswith("image/"):
        name = "img"
        attributes = {"src": attributes.get("data", ""), "alt": " ".join(part.text().split())}
    elif name in _BARE:
        name = "div"
    written = "".join(f' {key}="{escape(value)}"' for key, value in attributes.items())
    if name in VOID:
        return f"<{name}{written}>"
    return f"<{name}{written}>{of(part, replace, skip=skip)}</{name}>"


def resolve(folder: str, address: str) -> str:
    """The name in the package of what a document in `folder` names."""
    return posixpath.normpath(posixpath.join(folder, unquote(address))).removeprefix("/")


def with_addresses(root: Element, folder: str, known: Collection[str]) -> None:
    """Name pictures by their place in the package."""
    for element in root.all("img", "object"):
        for key in ("src", "data"):
            if (found := resolve(folder, element.attributes.get(key, ""))) in known:
                element.attributes[key] = found
