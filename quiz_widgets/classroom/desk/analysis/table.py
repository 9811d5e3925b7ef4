"""The item analysis as a table: a row for each version and group, one for each of its items, one for each option."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from decimal import ROUND_HALF_EVEN, Decimal
from fractions import Fraction

from quiz_widgets.classroom.desk.analysis.formulas import Interval
from quiz_widgets.classroom.desk.analysis.items import ItemReport, OptionReport
from quiz_widgets.classroom.desk.analysis.reading import Group
from quiz_widgets.classroom.desk.exports.cells import Value

HEADER = (
    "quiz", "version", "attempts", "item", "option", "right", "n", "answered", "share", "share_low", "share_high",
    "correlation", "correlation_low", "correlation_high", "lowest_third", "middle_third", "highest_third",
    "median_seconds", "coefficient", "reliability", "flags",
)  # fmt: skip
_STEP = Decimal("0.0001")


def table(quiz: str, groups: Iterable[Group]) -> Iterator[Sequence[Value]]:
    """The rows, with `HEADER` first. Of an item `share` is its facility, of an option how many took it."""
    yield HEADER
    for group in groups:
        report = group.report
        where: dict[str, Value] = {
            "quiz": quiz,
            "version": group.version,
            "attempts": "first" if group.first else "later",
        }
        yield _row(where, n=report.n, coefficient=report.coefficient or None, reliability=_rounded(report.reliability))
        for item in report.items:
            yield _row(where, **_item(item))
            for option in item.options:
                yield _row(where, item=item.item, n=item.n, **_option(option))


def _row(where: dict[str, Value], **values: Value) -> Sequence[Value]:
    both = {**where, **values}
    return [both.get(name) for name in HEADER]


def _item(item: ItemReport) -> dict[str, Value]:
    return {
        "item": item.item,
        "n": item.n,
        "answered": item.answered,
        "share": _rounded(item.facility),
        **_interval("share", item.facility_interval),
        "correlation": _rounded(item.correlation),
        **_interval("correlation", item.correlation_interval),
        "median_seconds": _rounded(item.median_seconds),
        "flags": ", ".join(item.flags) or None,
    }


def _option(option: OptionReport) -> dict[str, Value]:
    low, middle, high = option.thirds or (None, None, None)
    return {
        "option": option.option,
        "right": "yes" if option.right else "no",
        "answered": option.count,
        "share": _rounded(option.share),
        "correlation": _rounded(option.correlation),
        "lowest_third": _rounded(low),
        "middle_third": _rounded(middle),
        "highest_third": _rounded(high),
        "flags": ", ".join(option.flags) or None,
    }


def _interval(name: str, found: Interval | None) -> dict[str, Value]:
    low, high = (None, None) if found is None else (found.low, found.high)
    return {f"{name}_low": _rounded(low), f"{name}_high": _rounded(high)}


def _rounded(value: Fraction | float | None) -> Decimal | None:
    if value is None:
        return None
    exact = Decimal(value.numerator) / Decimal(value.denominator) if isinstance(value, Fraction) else Decimal(value)
    return exact.quantize(_STEP, ROUND_HALF_EVEN)
