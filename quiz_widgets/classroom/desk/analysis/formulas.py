"""The formulas of item analysis, on whole numbers and fractions: sums are exact, whatever order learners come in."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

Z_95 = 1.959963984540054  # the 97.5 % point of the normal distribution


@dataclass(frozen=True, slots=True)
class Interval:
    """A two-sided 95 % confidence interval."""

    low: float
    high: float


def mean(values: Sequence[Fraction | int]) -> Fraction:
    """The mean; exact. At least one value is needed."""
    return Fraction(sum(values), len(values))


def wilson(share: Fraction, n: int) -> Interval:
    """Wilson's score interval for a share of `n`, 95 % (E. B. Wilson 1927, J. Am. Stat. Assoc. 22, 209–212).

    ``(p + z²/2n ± z √(p(1-p)/n + z²/4n²)) / (1 + z²/n)``. With partial credit `share` is a mean of values from 0 to 1,
    whose variance is at most p(1-p): then the interval is wider than it need be, never too narrow.
    """
    p, square = float(share), Z_95 * Z_95
    middle = p + square / (2 * n)
    half = Z_95 * math.sqrt(p * (1 - p) / n + square / (4 * n * n))
    below = 1 + square / n
    return Interval(max(0.0, (middle - half) / below), min(1.0, (middle + half) / below))


def correlation(one: Sequence[Fraction | int], other: Sequence[Fraction | int]) -> float | None:
    """Pearson's product–moment correlation; `None` when one of the two does not vary.

    ``r = Sxy / √(Sxx Syy)`` with sums of deviations from the means. For an item with right and wrong only it is the
    point-biserial correlation (F. M. Lord and M. R. Novick 1968, Statistical Theories of Mental Test Scores, 15.4).
    """
    x, y = whole(one), whole(other)
    n = len(x)
    sum_x, sum_y = sum(x), sum(y)
    spread_x = n * sum(value * value for value in x) - sum_x * sum_x
    spread_y = n * sum(value * value for value in y) - sum_y * sum_y
    if not spread_x or not spread_y:
        return None
    together = n * sum(a * b for a, b in zip(x, y, strict=True)) - sum_x * sum_y
    size = math.sqrt(Fraction(together * together, spread_x * spread_y))
    return math.copysign(size, together)


def fisher(r: float | None, n: int) -> Interval | None:
    """Fisher's interval for a correlation of `n` pairs, 95 % (R. A. Fisher 1921, Metron 1, 3–32).

    ``tanh(artanh r ± z / √(n - 3))``. `None` below 4 pairs, and for a correlation of exactly 1 or -1.
    """
    if r is None or n < 4 or abs(r) >= 1:
        return None
    middle, half = math.atanh(r), Z_95 / math.sqrt(n - 3)
    return Interval(math.tanh(middle - half), math.tanh(middle + half))


def whole(values: Sequence[Fraction | int]) -> Sequence[int]:
    """The values times their common denominator: order and correlations stay, and whole numbers add up fast."""
    if all(isinstance(value, int) for value in values):
        return [int(value) for value in values]
    scale = math.lcm(*{value.denominator for value in values})
    return [value.numerator * (scale // value.denominator) for value in values]


def variance(values: Sequence[Fraction | int]) -> Fraction:
    """The variance over these values themselves (divided by n); exact."""
    n = len(values)
    return Fraction(sum(value * value for value in values), n) - Fraction(sum(values), n) ** 2


def alpha(items: Sequence[Sequence[Fraction | int]]) -> Fraction | None:
    """The reliability of k items that the same learners took; `items` holds each item's scores. Exact.

    ``k/(k-1) (1 - Σ var(item) / var(total))``: Kuder and Richardson's formula 20 when every item is right or wrong
    (1937, Psychometrika 2, 151–160), where an item's variance is p(1-p), and Cronbach's α else (1951, Psychometrika 16,
    297–334). `None` for fewer than two items, and when the totals do not vary.
    """
    k = len(items)
    if k < 2:
        return None
    total = variance([sum(row) for row in zip(*items, strict=True)])
    if not total:
        return None
    return Fraction(k, k - 1) * (1 - sum(variance(item) for item in items) / total)


def thirds(scores: Sequence[Fraction | int]) -> list[int]:
    """In which third of these scores each one stands: 0, 1 or 2, from the lowest.

    Equal scores stand together, in the third in which the middle of them falls: the thirds are then of unequal size,
    but no learner's third depends on the order of the list.
    """
    n = len(scores)
    placed: dict[Fraction | int, int] = {}
    below = 0
    counts: dict[Fraction | int, int] = {}
    for score in scores:
        counts[score] = counts.get(score, 0) + 1
    for score in sorted(counts):
        placed[score] = min(2, 3 * (2 * below + counts[score]) // (2 * n))
        below += counts[score]
    return [placed[score] for score in scores]
