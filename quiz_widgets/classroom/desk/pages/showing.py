"""How a page is shown: in the reader's language, escaped, and under headers that let nothing else in or around it."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from functools import cache
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import jinja2
from starlette.requests import Request
from starlette.responses import HTMLResponse

from quiz_widgets import locales
from quiz_widgets.classroom.desk.pages import saying

FOLDER = Path(__file__).parent / "templates"
_POLICY = "default-src 'none'; style-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'"
_WITH_SCRIPT = f"{_POLICY}; script-src 'self'; connect-src 'self'"
LANGUAGE = "quiz-desk-language"  # the cookie that holds what somebody chose
HEADERS = {
    "Cache-Control": "no-store",
    "Content-Security-Policy": _POLICY,
    "Cross-Origin-Opener-Policy": "same-origin",  # a page that opens this one gets no hold of it
    "Cross-Origin-Resource-Policy": "same-origin",
    "Referrer-Policy": "same-origin",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
}


def page(request: Request, template: str, status: int = 200, *, script: str = "", **values: Any) -> HTMLResponse:
    """That template with these values. `script` names a module of ``static/`` that the page may run, and no other.

    A template that is given ``course`` (and ``quiz``) shows the links to their other pages, ``here`` naming this one.
    """
    locale = language(request)
    prefix = request.app.state.desk.settings.prefix
    given = {
        "say": saying.in_language(locale),
        "locale": locale,
        "dir": locales.direction(locale),
        "prefix": prefix,
        "languages": {one: locales.words(one)[f"static_language_{one}"] for one in locales.available()},
        "back_to": _back_to(request, prefix),
        "script": script,
        "here": "",
        **values,
    }
    text = _templates().get_template(template).render(given)
    headers = HEADERS | {"Content-Language": locale, "Vary": "Accept-Language, Cookie"}
    if script:
        headers["Content-Security-Policy"] = _WITH_SCRIPT
    return HTMLResponse(text, status, headers)


def language(request: Request) -> str:
    """The language of a page: what was chosen on one, else the browser's."""
    chosen = request.cookies.get(LANGUAGE)
    return chosen if chosen in locales.available() else of_browser(request.headers.get("accept-language", ""))


def of_browser(accepted: str) -> str:
    """The first language that a browser wants and there are words for."""
    wanted: list[tuple[float, str]] = []
    for part in accepted.split(",")[:20]:
        tag, _, weight = part.partition(";q=")
        try:
            wanted.append((-float(weight or 1), tag.strip().split("-")[0].lower()))
        except ValueError:
            continue
    known = [tag for weight, tag in sorted(wanted, key=lambda one: one[0]) if weight < 0 and tag in locales.available()]
    return known[0] if known else locales.SOURCE_LOCALE


def moment(time: int | None, zone: str) -> Mapping[str, str] | None:
    """A time as it is read in a course's zone, and as programs read it."""
    if time is None:
        return None
    at = datetime.fromtimestamp(time / 1000, ZoneInfo(zone))
    return {"read": at.strftime("%Y-%m-%d %H:%M"), "exact": at.isoformat(timespec="seconds")}


def _back_to(request: Request, prefix: str) -> str:
    """Where a choice of language leads back to: this page; from the answer to a form, the course or the first page."""
    if request.method == "GET":
        return request.url.path + (f"?{request.url.query}" if request.url.query else "")
    course = request.path_params.get("course")
    return f"{prefix}courses/{course}" if course else prefix


@cache
def _templates() -> jinja2.Environment:
    return jinja2.Environment(
        loader=jinja2.FileSystemLoader(FOLDER), autoescape=True, undefined=jinja2.StrictUndefined, trim_blocks=True
    )
