"""What a page is given: the public payload, built field by field from an allow-list, and the practice part.

The public payload never holds the key, the number of keys or a rationale. Its options stand in an order that
follows from ids alone, so the author's order gives nothing away either.
"""

from __future__ import annotations

import html
import itertools
import re
from collections import Counter
from collections.abc import Iterable, Mapping

from quiz_widgets import locales, ordering, pools
from quiz_widgets.contract import (
    CONTRACT,
    AcceptPayload,
    EvidencePayload,
    GuidePayload,
    ItemPayload,
    LocalText,
    Mode,
    OptionPayload,
    PracticeItemPayload,
    PracticePayload,
    PracticeVariantPayload,
    QuizPayload,
    SectionPayload,
    SlipPayload,
    TargetPayload,
    TextPayload,
    TolerancePayload,
    VariantPayload,
    ViewPayload,
)
from quiz_widgets.locales import bidi, patterns
from quiz_widgets.locales.forms import local_number
from quiz_widgets.locales.numbers import canonical
from quiz_widgets.model import Accept, Item, Option, Quiz, Rendered, Slip, Target, Text

VARIANTS = 8  # drawn versions that a live output carries; the compiled file holds more
UNSENT = ("static_", "cli_")  # words of static pages, of the command's reports
GRADED = "graded_"  # interface words that only graded quizzes use


def items_of(quiz: Quiz, view: ViewPayload | None, attempt: str = pools.SAMPLE) -> tuple[Item, ...]:
    """The items that pages of an attempt carry for a view, in its order; without a view, for all views.

    An item that is named is carried whatever is drawn. Unknown ids are left out.
    """
    if view is not None and "items" in view:
        return quiz.those(view["items"])
    return _made(quiz, pools.carried(quiz, attempt), view)


def shown_of(quiz: Quiz, view: ViewPayload, attempt: str = pools.SAMPLE) -> tuple[Item, ...]:
    """The items that a view shows in an attempt, in order; without one, those of a sample."""
    return items_of(quiz, view) if "items" in view else _made(quiz, pools.shown(quiz, attempt), view)


def _made(quiz: Quiz, sets: Mapping[str, str | None], view: ViewPayload | None) -> tuple[Item, ...]:
    return quiz.those(name for name, known in sets.items() if view is None or known == view.get("set"))


def options_of(item: Item) -> tuple[Option, ...]:
    """The options in the order of a static preview: from ids, never the author's order."""
    return tuple(item.option(name) for name in ordering.option_order(item, "preview"))


def targets_of(item: Item) -> tuple[Target, ...]:
    """The targets of a `match` in the order of a static preview: from ids, never the author's order."""
    known = {target.id: target for target in item.targets}
    return tuple(known[name] for name in ordering.target_order(item, "preview"))


def variant_of(item: Item, attempt: str) -> int | None:
    """The index of the drawn variant that an attempt shows, here as in the page; `None` when nothing is drawn.

    All outputs carry the same variants, the first ones: outputs of different attempts would otherwise show different
    numbers in one page after a restart.
    """
    return ordering.pick(attempt, item.id, range(min(VARIANTS, len(item.variants)))) if item.variants else None


def fill_numbers(text: str, numbers: Mapping[str, str], locale: str, *, escape: bool = True) -> str:
    """The text, which is in `locale`, with what a drawn item puts for ``{name}``.

    In HTML numbers are escaped and isolated: a sign stays before its number in a text from right to left.
    """
    if not numbers:
        return text
    filled = {name: local_number(number, locale) for name, number in numbers.items()}
    if escape:
        filled = {name: f'<bdi dir="ltr">{html.escape(number)}</bdi>' for name, number in filled.items()}
    return re.sub(r"\{(\w+)\}", lambda place: filled.get(place[1], place[0]), text)


def unopened(name: str, title: str) -> Quiz:
    """A graded quiz as everybody may see it before an attempt is opened: its title, and no question."""
    shown = html.escape(title)
    text, none = (Text({"en": Rendered(*parts)}) for parts in ((title, shown, shown, title), ("", "", "", "")))
    return Quiz(id=name, title=text, level="medium", description=none, items=())


def quiz_payload(
    quiz: Quiz,
    locale: str,
    view: ViewPayload | None = None,
    *,
    mode: Mode = "practice",
    attempt: str = pools.SAMPLE,
) -> QuizPayload:
    """What may be shown to anybody, in one locale; only the items of `view` where one is given."""
    places = _places(quiz)
    members = {item_id: pool.id for pool in quiz.pools for item_id in pool.items}
    unsent = UNSENT if quiz.confidence else (*UNSENT, "sure_")
    said = locales.words(locale)
    words = {name: word for name, word in said.items() if not name.startswith((*unsent, GRADED))}
    if mode == "graded":  # words of its own, some of them instead of those of practice
        words |= {name.removeprefix(GRADED): word for name, word in said.items() if name.startswith(GRADED)}
    made = QuizPayload(
        contract=CONTRACT,
        id=quiz.id,
        hash=quiz.hash,
        mode=mode,
        locale=locale,
        dir=locales.direction(locale),
        title=text_payload(quiz.title, locale),
        level=quiz.level,
        description=text_payload(quiz.description, locale),
        guides=[GuidePayload(id=guide.id, title=text_payload(guide.title, locale)) for guide in quiz.guides],
        items=[
            _item(quiz, item, locale, *places[item.id], members.get(item.id)) for item in items_of(quiz, view, attempt)
        ],
        words=words,
    )
    if quiz.pools:
        made["pools"] = {pool.id: pool.draw for pool in quiz.pools}
    if quiz.confidence:
        made["confidence"] = True
    return made


def practice_payload(
    quiz: Quiz, locale: str, view: ViewPayload | None = None, *, attempt: str = pools.SAMPLE
) -> PracticePayload:
    """What lets the page answer alone. Practice only: it holds every key."""
    return PracticePayload(items={item.id: _practice(quiz, item, locale) for item in items_of(quiz, view, attempt)})


def text_payload(text: Text, locale: str) -> TextPayload:
    """A text for a reader of `locale`: bare HTML, or with its language and direction where they differ."""
    shown, direction = text.resolve(locale), text.direction(locale)
    made = text.rendered(locale).html
    if direction == "rtl":
        made = bidi.isolated_html(made)
    if shown == locale and direction == locales.direction(locale):
        return made
    return LocalText(html=made, lang=shown, dir=direction)


def _places(quiz: Quiz) -> dict[str, tuple[int, int]]:
    """The place of each item in its set, from 1 (0: of a pool), and how many of it an attempt shows; by item id."""
    shown = pools.shown(quiz, pools.SAMPLE)  # as many as in any other attempt
    sizes = Counter(shown.values())
    counts = {name: itertools.count(1) for name in sizes}
    places = {item_id: (next(counts[name]), sizes[name]) for item_id, name in shown.items()}
    pooled = {item_id for pool in quiz.pools for item_id in pool.items}
    return places | {item_id: (0, sizes[name]) for item_id, name in quiz.sets.items() if item_id in pooled}


def _item(quiz: Quiz, item: Item, locale: str, place: int, of: int, pool: str | None) -> ItemPayload:
    made = ItemPayload(
        id=item.id,
        place=place,
        of=of,
        kind=item.kind,
        stem=text_payload(item.stem, locale),
        options=[_option(option, locale) for option in options_of(item)],
        points=float(item.points),
        tries=item.tries,
        hints=len(item.hints),
    )
    titles = {name: title for guide in quiz.guides for name, title in guide.sections.items()}
    if item.section is not None and item.section in titles:
        made["section"] = SectionPayload(id=item.section, title=text_payload(titles[item.section], locale))
    if item.set is not None:
        made["set"] = item.set
    if pool is not None:
        made["pool"] = pool
    if item.unit is not None:
        made["unit"] = text_payload(item.unit, locale)
    if item.accept:
        # Code and foreign words are typed from left to right in any language.
        full = [accept.text.direction(locale) for accept in item.accept if accept.credit == 1]
        made["dir"] = "rtl" if "rtl" in full else "ltr"
    if item.targets:
        made["targets"] = [TargetPayload(id=one.id, text=text_payload(one.text, locale)) for one in targets_of(item)]
    if item.variants:
        drawn = item.variants[:VARIANTS]
        made["variants"] = [VariantPayload(index=index, numbers=dict(v.numbers)) for index, v in enumerate(drawn)]
    return made


def _option(option: Option, locale: str) -> OptionPayload:
    made = OptionPayload(id=option.id, text=text_payload(option.text, locale))
    if option.pin is not None:
        made["pin"] = option.pin
    return made


def _practice(quiz: Quiz, item: Item, locale: str) -> PracticeItemPayload:
    made = PracticeItemPayload(
        key=list(item.key),
        credit=item.credit,
        rationales=_rationales((*item.options, *item.accept), locale),
        hints=[text_payload(hint, locale) for hint in item.hints],
    )
    if item.explanation is not None:
        made["explanation"] = text_payload(item.explanation, locale)
    if item.evidence is not None and item.evidence_text is not None:
        made["evidence"] = _evidence(quiz, item, item.evidence, item.evidence_text, locale)
    if item.source is not None:
        made["source"] = text_payload(item.source, locale)
    if item.value is not None:
        made["value"] = canonical(item.value)
    if item.tolerance is not None:
        made["tolerance"] = TolerancePayload(kind=item.tolerance.kind, amount=canonical(item.tolerance.amount))
    if item.slips:
        made["slips"] = [_slip(slip, locale) for slip in item.slips]
    if item.accept:
        made["accept"] = [_accept(accept, match_case=item.match_case) for accept in item.accept]
        if item.match_case:
            made["match_case"] = True
        best = max(item.accept, key=lambda accept: accept.credit)
        made["example"] = text_payload(_example(best.text), locale)
    if item.variants:
        made["variants"] = [
            PracticeVariantPayload(
                index=index,
                value=canonical(variant.value),
                slips={name: canonical(value) for name, value in variant.slips.items()},
            )
            for index, variant in enumerate(item.variants[:VARIANTS])
        ]
    return made


def _rationales(parts: Iterable[Option | Accept], locale: str) -> dict[str, TextPayload]:
    return {part.id: text_payload(part.rationale, locale) for part in parts if part.rationale is not None}


def _evidence(quiz: Quiz, item: Item, name: str, text: Text, locale: str) -> EvidencePayload:
    made = EvidencePayload(text=text_payload(text, locale), name=name)
    if item.recorded is not None:
        made["facts"] = dict(item.recorded.facts)
        made["date"] = item.recorded.date
        made["machine"] = item.recorded.machine
    demos = {section: demo for guide in quiz.guides for section, demo in guide.demos.items()}
    if item.section in demos:
        made["demo"] = demos[item.section]
    return made


def _accept(accept: Accept, *, match_case: bool) -> AcceptPayload:
    """Patterns of all locales: which one is shown never changes a score."""
    read = {
        locale: [list(parts) for parts in patterns.parts(form.source, locale, match_case=match_case)]
        for locale, form in accept.text.forms.items()
    }
    return AcceptPayload(id=accept.id, credit=canonical(accept.credit), patterns=read)


def _example(text: Text) -> Text:
    """A pattern as the text that it stands for, in all its locales."""
    forms = {}
    for locale, form in text.forms.items():
        shown = patterns.example(form.source)
        forms[locale] = Rendered(shown, html.escape(shown), html.escape(shown), shown)
    return Text(forms, text.source_locale)


def _slip(slip: Slip, locale: str) -> SlipPayload:
    made = SlipPayload(id=slip.id, rationale=text_payload(slip.rationale, locale))
    if slip.value is not None:
        made["value"] = canonical(slip.value)
    return made
