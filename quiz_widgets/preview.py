r"""The quiz without answers, as static HTML and as text: what GitHub, an untrusted notebook or a printout shows.

The HTML survives notebook sanitisers: no script, no style, no ids, no data attributes, no MathML, and no element but
those that even ``nbconvert --sanitize-html`` lets through (so no ``p`` and no ``bdi``). Formulas stand in ``\(…\)``,
and only they may be typeset: the classes keep MathJax away from every other dollar sign.
"""

from __future__ import annotations

import html
import re
import textwrap
from collections.abc import Iterable, Iterator, Mapping
from itertools import chain, count

from quiz_widgets import locales
from quiz_widgets.contract import ViewPayload
from quiz_widgets.locales import bidi
from quiz_widgets.model import Item, Quiz, Text
from quiz_widgets.payload import fill_numbers, options_of, shown_of, targets_of

_ASKED = {"number": "static_number", "text": "static_text", "order": "static_order"}
_BDI = re.compile(r"<(/?)bdi\b")


def preview_html(quiz: Quiz, locale: str, view: ViewPayload, *, note: str | None = None) -> str:
    """Every stem and option of the view as safe HTML, without key; `note` stands for "To answer, run this cell."."""
    words = locales.words(locale)
    items = shown_of(quiz, view)
    drawn = _drawn(quiz, view, items, locale)
    parts = []
    if "items" not in view:
        level = html.escape(_level(quiz, locale))
        parts.append(f"<div><strong>{_inner(quiz.title, locale)}</strong> ({level})</div>")
        parts.append(_box("div", quiz.description, locale))
    entries = [
        (f"<div><em>{html.escape(drawn[item.id])}</em></div>" if item.id in drawn else "") + _item(item, locale)
        for item in items
    ]
    if "items" in view or len(entries) == 1:
        parts += [f"<div>{entry}</div>" for entry in entries]
    else:
        parts.append("<ol>" + "".join(f"<li>{entry}</li>" for entry in entries) + "</ol>")
    parts.append(f"<div><em>{html.escape(note or words['static_run'])}</em></div>")
    head = f'<div class="quiz-widgets mathjax_ignore tex2jax_ignore" lang="{locale}" dir="{locales.direction(locale)}">'
    return head + "\n".join(parts) + "</div>"


def preview_text(quiz: Quiz, locale: str, view: ViewPayload) -> str:
    """The same as plain text, for terminals and for hosts that show nothing else."""
    words = locales.words(locale)
    lines = []
    if "items" not in view:
        lines += [f"{_plain(quiz.title, locale)} ({_level(quiz, locale)})", _plain(quiz.description, locale), ""]
    items = shown_of(quiz, view)
    drawn = _drawn(quiz, view, items, locale)
    for number, item in enumerate(items, 1):
        if item.id in drawn:
            lines += [f"({drawn[item.id]})", ""]
        stem = _plain(item.stem, locale, item.variants[0].numbers if item.variants else {})
        lead = "" if "items" in view else f"{number}. "
        lines.append(textwrap.indent(stem, " " * len(lead)).replace(" " * len(lead), lead, 1))
        lines += [f"   ({note})" for note in _untranslated(item, locale)]
        for mark, text in _listed(item, locale):
            shown = text if isinstance(text, str) else _plain(text, locale).replace("\n", "\n      ")
            lines.append(f"   {mark}. {shown}" if mark else f"   {shown}")
        lines.append("")
    return "\n".join([*lines, str(words["static_run"])])


def _drawn(quiz: Quiz, view: ViewPayload, items: Iterable[Item], locale: str) -> dict[str, str]:
    """What is said before the first item of each pool, by its id: how many are drawn. Nothing where items are named."""
    pools = {} if "items" in view else {item_id: pool for pool in quiz.pools for item_id in pool.items}
    said: dict[str, str] = {}
    told: set[str] = set()
    for item in items:
        pool = pools.get(item.id)
        if pool is not None and pool.id not in told and pool.draw < len(pool.items):
            told.add(pool.id)
            sentence = str(locales.words(locale)["static_drawn"])
            said[item.id] = sentence.replace("{drawn}", str(pool.draw)).replace("{count}", str(len(pool.items)))
    return said


def _item(item: Item, locale: str) -> str:
    numbers = item.variants[0].numbers if item.variants else {}
    parts = [_box("div", item.stem, locale, numbers)]
    parts += [f"<div><em>{html.escape(note)}</em></div>" for note in _untranslated(item, locale)]
    for mark, text in _listed(item, locale):
        if isinstance(text, str):
            parts.append(f"<div>{html.escape(text)}</div>")
            continue
        # The mark runs in the interface's direction, whatever the option's language is.
        marked = f'<strong><span dir="{locales.direction(locale)}">{mark}</span></strong>'
        parts.append(_box("div", text, locale, before=f"{marked} "))
    return "".join(parts)


def _listed(item: Item, locale: str) -> Iterator[tuple[str, Text | str]]:
    """What stands below a stem: what to do, where it does not go without saying, and all that is chosen from."""
    words = locales.words(locale)
    if item.kind in _ASKED:
        yield "", str(words[_ASKED[item.kind]])
    marks = map(str, count(1)) if item.targets else _letters(locale)
    yield from zip(marks, (option.text for option in options_of(item)), strict=False)
    if item.targets:
        yield "", str(words["match_from"])
        yield from zip(_letters(locale), (target.text for target in targets_of(item)), strict=False)


def _box(tag: str, text: Text, locale: str, numbers: Mapping[str, str] | None = None, before: str = "") -> str:
    """One text in an element that says its language and direction where they differ from the page's."""
    shown, direction = text.resolve(locale), text.direction(locale)
    differs = shown != locale or direction != locales.direction(locale) or tag == "span"  # a `dir` isolates
    about = f' lang="{shown}" dir="{direction}"' if differs else ""
    made = text.rendered(locale).preview
    if direction == "rtl":
        made = bidi.isolated_html(made)
    made = _BDI.sub(r"<\1span", fill_numbers(made, numbers or {}, shown))
    return f"<{tag}{about}>{before}{made}</{tag}>"


def _inner(text: Text, locale: str) -> str:
    return _box("span", text, locale)


def _plain(text: Text, locale: str, numbers: Mapping[str, str] | None = None) -> str:
    """A text that keeps its direction in a text of the other; nothing is added where all run from left to right."""
    filled = fill_numbers(text.rendered(locale).plain, numbers or {}, text.resolve(locale), escape=False)
    direction = text.direction(locale)
    if direction == "rtl":
        return bidi.embedded(bidi.isolated_text(filled), direction)
    return filled if locales.direction(locale) == "ltr" else bidi.embedded(filled, direction)


def _untranslated(item: Item, locale: str) -> list[str]:
    """The note, in the reader's language, that the item or a part of it is shown in another one."""
    texts = (item.stem, *(option.text for option in item.options), *(target.text for target in item.targets))
    shown = [text.resolve(locale) for text in texts]
    foreign = [other for other in shown if other != locale]
    if not foreign:
        return []
    words = locales.words(locale)
    message = str(words["untranslated" if shown[0] != locale else "untranslated_part"])
    return [message.replace("{language}", str(words.get(f"static_language_{foreign[0]}", foreign[0])))]


def _level(quiz: Quiz, locale: str) -> str:
    words = locales.words(locale)
    return str(words["level"]).replace("{level}", str(words[f"level_{quiz.level}"]))


def _letters(locale: str) -> Iterator[str]:
    """Letters, then numbers: an item may have more options than there are letters."""
    letters = str(locales.words(locale)["static_letters"]).split()
    return chain(letters, map(str, count(len(letters) + 1)))
