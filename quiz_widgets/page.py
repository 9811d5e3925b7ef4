"""The live output: a static preview, the player's script over it, and the payload, in one piece of HTML."""

from __future__ import annotations

import html
import json
import re
from collections.abc import Mapping
from typing import Any

from quiz_widgets import frontend, locales, pools
from quiz_widgets.contract import AttemptPayload, OutcomePayload, ViewPayload
from quiz_widgets.model import Quiz
from quiz_widgets.packs import packs
from quiz_widgets.payload import items_of, practice_payload, quiz_payload, unopened
from quiz_widgets.preview import preview_html

HOST = "quiz-widgets-live"  # not the preview's own class: a stored preview must never be taken for a host
# `nbconvert --sanitize-html` turns a script into text; JupyterLab's styles, which it brings along, hide this element.
_UNSEEN = "lm-Widget lm-mod-hidden"
IN_ROWS = ("order", "match")  # kinds that need a part of the script beside the one that all outputs carry
_ENDS_SCRIPT = re.compile(r"<(?=!--|/?script)", re.IGNORECASE)


def live_html(
    quiz: Quiz,
    *,
    locale: str,
    view: ViewPayload,
    attempt: AttemptPayload | None,
    outcomes: Mapping[str, OutcomePayload],
) -> str:
    """One `text/html` output: works without a kernel, and reads well without a script.

    `attempt` is the open attempt on record; `None` lets the page keep one of its own.
    """
    data: dict[str, Any] = {"attempt": attempt, "outcomes": dict(outcomes)} if attempt else {}
    which = attempt["id"] if attempt else pools.SAMPLE
    return _live(quiz, locale, view, preview_html(quiz, locale, view), data, which)


def embedded_html(quiz: Quiz, *, locale: str, view: ViewPayload) -> str:
    """The same for a page that no kernel serves: a book's, or one of your own."""
    note = str(locales.words(locale)["static_no_script"])
    return _live(quiz, locale, view, preview_html(quiz, locale, view, note=note), {})


def graded_html(name: str, title: str, locale: str) -> str:
    """The output of a graded quiz: where to take it, and the player, to which a link brings everything else.

    It holds neither a question nor anything of a learner, because it is saved with the notebook.
    """
    direction = locales.direction(locale)
    note = html.escape(str(locales.words(locale)["static_graded"]))
    data = {"css": frontend.css(), "quiz": quiz_payload(unopened(name, title), locale, mode="graded"), "view": {}}
    parts = f"{frontend.rows()}(0);{frontend.graded()}(0);{frontend.script()}"
    script = f"<script>{parts}({script_json(data)});</script>"
    heading = f"<div><strong>{html.escape(title)}</strong> (<code>{html.escape(name)}</code>)</div>"
    shown = f'<div class="quiz-widgets" lang="{locale}" dir="{direction}">{heading}<div>{note}</div></div>'
    return f'<div class="{HOST}">{shown}</div>\n<div class="{_UNSEEN}">{script}</div>\n'


def page_html(quiz: Quiz, locale: str) -> str:
    """A whole page that works from a file: every set of the quiz, with nothing to load."""
    words = locales.words(locale)
    note = str(words["static_no_script"])
    sets = list(dict.fromkeys(quiz.sets.values()))
    parts: list[str] = []
    for name in sorted(sets, key=lambda name: name is not None):  # the main set first, then as written
        view: ViewPayload = {} if name is None else {"set": name}
        data = {"heading": "h2" if parts else "h1"}
        parts.append(_live(quiz, locale, view, preview_html(quiz, locale, view, note=note), data))
    title = html.escape(quiz.title.rendered(locale).plain)
    return f"""<!doctype html>
<html lang="{locale}" dir="{locales.direction(locale)}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<title>{title}</title>
<style>
:root {{ color-scheme: light dark; }}
body {{ margin: 0; background: Canvas; font: 1rem/1.5 system-ui, "Noto Sans", "Noto Sans Arabic", sans-serif; }}
main, header, footer {{ max-inline-size: 46rem; margin-inline: auto; padding-inline: clamp(.75rem, 4vw, 2rem); }}
header {{ padding-block: 1.5rem 0; }}
header p, footer p {{ margin: 0; opacity: .8; font-size: .95rem; }}
footer {{ padding-block: 0 2rem; }}
pre {{ overflow-x: auto; }}
</style>
</head>
<body>
<header><p>{html.escape(str(words["static_page"]))}</p></header>
<main>
{"".join(parts)}
</main>
<footer><p>{html.escape(str(words["static_page_note"]))}</p></footer>
</body>
</html>
"""


def module_text(quiz: Quiz, locale: str) -> str:
    """An ES module with the quiz in it, for books: `render` of its default export shows it without a kernel.

    The text begins with what the widget's module looks for; `import.meta` is each module's own.
    """
    carried = {
        "quiz": quiz_payload(quiz, locale),
        "practice": practice_payload(quiz, locale),
        "packs": packs(quiz, locale),
    }
    return f"import.meta.quiz={script_json(carried)};\n{frontend.module('widget')}\n"


def script_json(value: object) -> str:
    """JSON that can stand in a script element: nothing in it ends the script or a line of it."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    text = text.replace("\u2028", "\\u2028").replace("\u2029", "\\u2029")
    return _ENDS_SCRIPT.sub(r"\\u003c", text)


def _live(
    quiz: Quiz, locale: str, view: ViewPayload, preview: str, more: Mapping[str, Any], attempt: str = pools.SAMPLE
) -> str:
    data = {
        "css": frontend.css(),
        "packs": packs(quiz, locale, view, attempt=attempt),
        "quiz": quiz_payload(quiz, locale, view, attempt=attempt),
        "practice": practice_payload(quiz, locale, view, attempt=attempt),
        "view": view,
        **more,
    }
    # The host stands before the script: it is found from there, so a copy of this output works as well.
    rows = any(item.kind in IN_ROWS for item in items_of(quiz, view, attempt))
    script = f"<script>{f'{frontend.rows()}(0);' if rows else ''}{frontend.script()}({script_json(data)});</script>"
    return f'<div class="{HOST}">{preview}</div>\n<div class="{_UNSEEN}">{script}</div>\n'
