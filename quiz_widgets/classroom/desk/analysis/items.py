"""What the answers of one group of attempts say about each item of one version of a quiz.

An item is measured against the *rest*: the share of points that the attempt earned at its other items. Against the
total it would be measured against itself too, which with five to ten items makes every item look good.
"""

from __future__ import annotations

import math
import statistics
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from quiz_widgets.classroom.desk.analysis import formulas
from quiz_widgets.classroom.desk.analysis.formulas import Interval

FEWEST = 10  # attempts below which only their number is told: figures would be noise, and could be about somebody
FEWEST_FOR_THIRDS = 30  # ten in each third; KR-20 too says little below it
EASY, HARD = Fraction(95, 100), Fraction(20, 100)
WEAK = 0.2  # PrairieLearn asks for 20 % too
RARE = Fraction(5, 100)  # M. Tarrant, J. Ware and A. M. Mohammed 2009, BMC Medical Education 9:40


@dataclass(frozen=True, slots=True)
class Cell:
    """What one attempt did at one item: `chosen` in the author's ids, `None` when it was not answered; ms it took."""

    chosen: tuple[str, ...] | None
    score: Fraction | int
    most: Fraction | int
    ms: int | None = None


Sheet = Mapping[str, Cell]
"""One attempt: its cells by item, of the items that it showed."""


@dataclass(frozen=True, slots=True)
class Options:
    """The options of an item that can be counted, by the author's ids, and those of them that are right."""

    ids: tuple[str, ...] = ()
    right: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class OptionReport:
    """How often an option was taken. `thirds`: its share in the lowest, middle and highest third by the rest score."""

    option: str
    right: bool
    count: int
    share: Fraction
    thirds: tuple[Fraction | None, Fraction | None, Fraction | None] | None
    correlation: float | None
    flags: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ItemReport:
    """One item. `n` attempts showed it, `answered` of them with an answer; below `FEWEST` all else is `None` or empty.

    `correlation` is the one with the rest.
    """

    item: str
    n: int
    answered: int | None = None
    facility: Fraction | None = None
    facility_interval: Interval | None = None
    correlation: float | None = None
    correlation_interval: Interval | None = None
    median_seconds: float | None = None
    flags: tuple[str, ...] = ()
    options: tuple[OptionReport, ...] = ()


@dataclass(frozen=True, slots=True)
class Report:
    """One version, taken by `n` attempts. `coefficient` names `reliability`: ``KR-20`` or ``alpha``."""

    n: int
    items: tuple[ItemReport, ...]
    reliability: Fraction | None = None
    coefficient: str = ""


def analyse(sheets: Sequence[Sheet], items: Mapping[str, Options]) -> Report:
    """The report on these items, in their order.

    An item that counts for nobody (its points are 0 after a correction) is no part of the rest, and is told with n = 0.
    """
    scale, counted = _whole(sheets)
    sums = [
        (sum(cell.score for cell in sheet.values()), sum(cell.most for cell in sheet.values())) for sheet in counted
    ]
    reports = []
    for name, options in items.items():
        shown = [(sheet[name], total) for sheet, total in zip(counted, sums, strict=True) if name in sheet]
        reports.append(_item(name, options, shown))
    coefficient, reliability = _reliability(counted, scale)
    return Report(len(sheets), tuple(reports), reliability, coefficient)


def _whole(sheets: Sequence[Sheet]) -> tuple[int, list[Sheet]]:
    """The cells that count, with points that are whole numbers: all times one scale, which changes no figure.

    Sums of whole numbers are as exact as those of fractions, and take a fifth of the time.
    """
    scale = math.lcm(
        *{part.denominator for sheet in sheets for cell in sheet.values() for part in (cell.score, cell.most)}
    )

    def scaled(points: Fraction | int) -> int:
        return points.numerator * (scale // points.denominator)

    return scale, [
        {
            name: Cell(cell.chosen, scaled(cell.score), scaled(cell.most), cell.ms)
            for name, cell in sheet.items()
            if cell.most
        }
        for sheet in sheets
    ]


_Points = tuple[Fraction | int, Fraction | int]  # earned, and most


def _item(name: str, options: Options, shown: Sequence[tuple[Cell, _Points]]) -> ItemReport:
    n = len(shown)
    if n < FEWEST:
        return ItemReport(name, n)
    cells = [cell for cell, _ in shown]
    shares = _shares([(cell.score, cell.most) for cell in cells])
    rests = _rests(shown)
    facility = formulas.mean(shares)
    r = None if rests is None else formulas.correlation(shares, rests)
    times = [cell.ms for cell in cells if cell.ms is not None]
    return ItemReport(
        item=name,
        n=n,
        answered=sum(cell.chosen is not None for cell in cells),
        facility=facility,
        facility_interval=formulas.wilson(facility, n),
        correlation=r,
        correlation_interval=formulas.fisher(r, n),
        median_seconds=statistics.median(times) / 1000 if len(times) >= FEWEST else None,
        flags=_flags(facility, r),
        options=tuple(_option(name, options, cells, rests) for name in options.ids),
    )


def _rests(shown: Sequence[tuple[Cell, _Points]]) -> Sequence[int] | None:
    """The share of points at each attempt's other items, times one number; `None` where an attempt has no other."""
    rests = [(score - cell.score, most - cell.most) for cell, (score, most) in shown]
    return formulas.whole(_shares(rests)) if all(most for _, most in rests) else None


def _shares(points: Sequence[_Points]) -> list[Fraction]:
    """The share of the most that each earned; of equal points one fraction is made."""
    made = {one: Fraction(*one) for one in set(points)}
    return [made[one] for one in points]


def _flags(facility: Fraction, r: float | None) -> tuple[str, ...]:
    found = []
    if r is not None and r < WEAK:
        found.append("suspect key" if r < 0 else "weak")
    if facility > EASY:
        found.append("too easy")
    if facility < HARD:
        found.append("too hard")
    return tuple(found)


def _option(option: str, options: Options, cells: Sequence[Cell], rests: Sequence[int] | None) -> OptionReport:
    taken = [int(cell.chosen is not None and option in cell.chosen) for cell in cells]
    share = formulas.mean(taken)
    r = None if rests is None else formulas.correlation(taken, rests)
    right = option in options.right
    flags = []
    if not right and share < RARE:
        flags.append("rare")
    if not right and r is not None and r > 0:
        flags.append("taken by the better")
    thirds = _by_third(taken, rests) if rests is not None and len(cells) >= FEWEST_FOR_THIRDS else None
    return OptionReport(option, right, sum(taken), share, thirds, r, tuple(flags))


def _by_third(taken: Sequence[int], rests: Sequence[int]) -> tuple[Fraction | None, Fraction | None, Fraction | None]:
    """The share in each third; `None` for a third in which too few stand, as when most have the same rest score."""
    groups: tuple[list[int], list[int], list[int]] = ([], [], [])
    for value, third in zip(taken, formulas.thirds(rests), strict=True):
        groups[third].append(value)
    low, middle, high = (formulas.mean(group) if len(group) >= FEWEST else None for group in groups)
    return low, middle, high


def _reliability(sheets: Sequence[Sheet], scale: int) -> tuple[str, Fraction | None]:
    """KR-20, or α where there is partial credit; only when all saw the same items, and enough of them."""
    names = sorted(sheets[0]) if sheets else []
    if len(sheets) < FEWEST_FOR_THIRDS or any(sheet.keys() != sheets[0].keys() for sheet in sheets):
        return "", None
    found = formulas.alpha([[sheet[name].score for sheet in sheets] for name in names])
    plain = all(cell.score in (0, scale) and cell.most == scale for sheet in sheets for cell in sheet.values())
    return ("KR-20" if plain else "alpha") if found is not None else "", found
