"""What HTML may contain, per form. Everything that authors write goes through here after maths was made."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from nh3 import Cleaner

FormName = Literal["html", "preview"]

_PROSE = {"p", "span", "div", "ul", "ol", "li", "strong", "em", "code", "pre", "bdi"}
_MATHML = {"math", "mrow", "mi", "mn", "mo", "mtext", "mspace", "mfrac", "msqrt", "mroot", "msub", "msup"} | {
    *("msubsup", "munder", "mover", "munderover", "mtable", "mtr", "mtd")
}
_COMMON = {"class", "dir", "lang"}
TAGS: dict[FormName, set[str]] = {"html": _PROSE | _MATHML | {"a", "br"}, "preview": _PROSE}
ATTRIBUTES: dict[FormName, dict[str, set[str]]] = {
    "html": {
        **dict.fromkeys(_PROSE, _COMMON),
        "code": _COMMON | {"translate"},
        "pre": _COMMON | {"translate"},
        "ol": _COMMON | {"start"},
        "a": {"href"},
        "math": {"alttext", "dir", "display"},
        "mi": {"mathvariant"},
        "mo": {"accent", "fence", "lspace", "maxsize", "minsize", "movablelimits", "rspace", "stretchy"},
        "mover": {"accent"},
        "mfrac": {"linethickness"},
        "mspace": {"width"},
        "mtd": {"columnalign"},
    },
    "preview": dict.fromkeys(_PROSE, _COMMON),
}


def clean(html: str, form: FormName) -> str:
    """The HTML with nothing but what the form allows."""
    return _cleaner(form).clean(html)


@cache
def _cleaner(form: FormName) -> Cleaner:
    from nh3 import Cleaner

    return Cleaner(
        tags=TAGS[form],
        attributes=ATTRIBUTES[form],
        url_schemes={"http", "https"},
        link_rel="noopener noreferrer",
    )
