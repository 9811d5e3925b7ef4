"""The rule about items of a course that are nearly the same; it takes 10,000 of them in a second or two.

An item is the set of its three-word runs. Two items are alike when they share most of these (Jaccard). To find such
pairs without comparing all of them, each set is cut down to its rarest runs: so many that two sets which are alike
must have one of them in common (prefix filtering: Chaudhuri, Ganti and Kaushik, ICDE 2006).
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from math import ceil

from quiz_widgets.authoring.rules.base import Rule
from quiz_widgets.model import Item

ALIKE = 0.8
WORDS = 3
BUCKET = (
    40  # of items that share one run, later ones are compared with so many: a bank made from one pattern stays fast
)
NEAR = Rule(
    "near-duplicate",
    "warning",
    "Two items of the quizzes that are checked together which share 80% or more of their three-word runs, in stem and "
    "options.",
    "A learner who has answered one has answered the other, and a score counts it twice.",
    course=True,
)
RULES = (NEAR,)
_WORD = re.compile(r"\w+|[^\w\s]")


def runs(item: Item) -> frozenset[str]:
    """The three-word runs of an item's stem and options, in any order of the options."""
    texts = [
        item.stem,
        *sorted((option.text for option in item.options), key=lambda text: text.forms[text.source_locale].source),
    ]
    found: set[str] = set()
    for text in texts:
        words = _WORD.findall(text.forms[text.source_locale].plain.casefold())
        found.update(" ".join(words[at : at + WORDS]) for at in range(max(1, len(words) - WORDS + 1)))
    return frozenset(found)


def pairs(items: Sequence[Item]) -> Iterator[tuple[int, int, float]]:
    """Each item that is like an earlier one: its index, that of the earlier one, and the share (0 to 1)."""
    sets = [runs(item) for item in items]
    often = Counter(run for found in sets for run in found)
    buckets: dict[str, list[int]] = defaultdict(list)
    whole: dict[frozenset[str], int] = {}
    for index, found in enumerate(sets):
        if found in whole:
            yield index, whole[found], 1.0
            continue
        whole[found] = index
        rarest = sorted(found, key=lambda run: (often[run], run))[: len(found) - ceil(ALIKE * len(found)) + 1]
        candidates = {earlier for run in rarest for earlier in buckets[run][:BUCKET]}
        best = max(((_share(found, sets[earlier]), -earlier) for earlier in candidates), default=(0.0, 0))
        if best[0] >= ALIKE:
            yield index, -best[1], best[0]
        for run in rarest:
            buckets[run].append(index)


def _share(one: frozenset[str], other: frozenset[str]) -> float:
    if min(len(one), len(other)) < ALIKE * max(len(one), len(other)):
        return 0.0
    common = len(one & other)
    return common / (len(one) + len(other) - common)
