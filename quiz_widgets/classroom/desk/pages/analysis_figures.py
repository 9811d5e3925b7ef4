"""Figures of item analysis as the page shows them: rounded, in the reader's language, with the bars of their charts."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from quiz_widgets import locales
from quiz_widgets.classroom.desk.analysis.formulas import Interval
from quiz_widgets.classroom.desk.analysis.items import ItemReport, OptionReport
from quiz_widgets.classroom.desk.pages import charts, wording
from quiz_widgets.classroom.desk.pages.charts import Bar, Fill, Row, Scale
from quiz_widgets.classroom.desk.pages.saying import Say
from quiz_widgets.locales import forms
from quiz_widgets.model import Item

FLAGS = {
    "suspect key": "analysis.flag_suspect_key",
    "weak": "analysis.flag_weak",
    "too easy": "analysis.flag_too_easy",
    "too hard": "analysis.flag_too_hard",
    "rare": "analysis.flag_rare",
    "taken by the better": "analysis.flag_taken_by_the_better",
}
THIRDS: Sequence[Fill] = ("dots", "lines", "solid")


def item(place: int, report: ItemReport, about: Item, say: Say, locale: str) -> dict[str, Any]:
    """One item of the page. What is hidden, because too few attempts showed it, is an empty text or `None`."""
    told = report.facility is not None
    return {
        "place": place,
        "id": report.item,
        "stem": wording.stem(about, locale, 0 if about.variants else None),
        "n": report.n,
        "answered": "" if report.answered is None else str(report.answered),
        "facility": percent(report.facility, locale),
        "facility_interval": between(report.facility_interval, say, locale, as_percent=True),
        "correlation": decimals(report.correlation, locale),
        "correlation_interval": between(report.correlation_interval, say, locale, as_percent=False),
        "seconds": "" if report.median_seconds is None else _number(f"{report.median_seconds:.0f}", locale),
        "codes": report.flags,
        "flags": [say(FLAGS[flag]) for flag in report.flags],
        "facility_bar": _bar(report.facility, report.facility_interval, percent(report.facility, locale))
        if told
        else None,
        "correlation_bar": _bar(report.correlation, report.correlation_interval, decimals(report.correlation, locale))
        if told
        else None,
        "options": [_option(number, one, about, say, locale) for number, one in enumerate(report.options, 1)],
        "chart": _thirds(report, say, locale),
        "has_thirds": any(one.thirds is not None for one in report.options),
    }


def percents(locale: str) -> Scale:
    """The scale of shares."""
    return Scale(0, 1, [(tick / 4, percent(Fraction(tick, 4), locale)) for tick in range(5)])


def from_minus_one(locale: str) -> Scale:
    """The scale of correlations."""
    return Scale(-1, 1, [(tick / 2, _number(f"{tick / 2:g}", locale)) for tick in range(-2, 3)])


def percent(share: Fraction | float | None, locale: str) -> str:
    """A share in whole hundredths; empty for `None`."""
    return "" if share is None else forms.local_percent(f"{float(share) * 100:.0f}", locale)


def decimals(value: Fraction | float | None, locale: str) -> str:
    """A number with two decimals; empty for `None`."""
    return "" if value is None else _number(f"{float(value):.2f}", locale)


def between(interval: Interval | None, say: Say, locale: str, *, as_percent: bool) -> str:
    """An interval in words; empty for `None`."""
    if interval is None:
        return ""
    told = percent if as_percent else decimals
    return say("analysis.between", low=told(interval.low, locale), high=told(interval.high, locale))


def _option(number: int, one: OptionReport, about: Item, say: Say, locale: str) -> dict[str, Any]:
    [words] = wording.response(about, (one.option,), locale)
    return {
        "number": number,
        "words": words,
        "right": one.right,
        "count": one.count,
        "share": percent(one.share, locale),
        "thirds": [percent(share, locale) for share in one.thirds or ()],
        "correlation": decimals(one.correlation, locale),
        "flags": [say(FLAGS[flag]) for flag in one.flags],
    }


def _thirds(report: ItemReport, say: Say, locale: str) -> str:
    """The chart of an item's options: a bar for each third, or one for all where there are no thirds."""
    rows = [
        Row(
            f"{number} ✓" if one.right else str(number),
            tuple(
                Bar(None if share is None else float(share), percent(share, locale), fill)
                for share, fill in zip(one.thirds, THIRDS, strict=True)
            )
            if one.thirds is not None
            else (Bar(float(one.share), percent(one.share, locale)),),
        )
        for number, one in enumerate(report.options, 1)
    ]
    return charts.bars(say("analysis.options"), rows, percents(locale), locales.direction(locale)) if rows else ""


def _bar(value: Fraction | float | None, interval: Interval | None, told: str) -> Bar:
    return Bar(
        None if value is None else float(value),
        told,
        "lines",
        None if interval is None else (interval.low, interval.high),
    )


def _number(text: str, locale: str) -> str:
    """With the sign for minus, isolated so that it stays before its number in any direction."""
    local = forms.local_number(text, locale)
    return f"\u2066{local.replace('-', '−')}\u2069" if "-" in local else local
