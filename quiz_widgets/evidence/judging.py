"""Compares what an item claims with what its evidence found.

A key is proved when it has claims and all of them hold; a distractor is refuted when it has claims and one fails. A
number item is proved when its value, and the value of each known slip, is the computed one, rounded as it is
written. Whatever comes out the other way round is a contradiction, and so is evidence that cannot be computed.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Literal

from quiz_widgets.demos.registry import Fact, Facts
from quiz_widgets.locales import SOURCE_LOCALE
from quiz_widgets.locales.reports import Message, Number, joined, message, shown
from quiz_widgets.model import Accept, Claim, Item, Option

Verdict = Literal["proved", "refuted", "not computable", "contradicted"]
Outcome = Literal["proved", "cited", "contradicted", "skipped", "open"]

CLOSE = 0.005  # a number that is written with few digits has to be as near as this, too
_PLACEHOLDER = re.compile(r"\{([a-z][a-z0-9_]*)\}")


@dataclass(frozen=True, slots=True)
class Finding:
    """What the facts say about one part of an item: an option, a slip, the value, or a text."""

    part: str
    verdict: Verdict
    messages: tuple[Message, ...]

    @property
    def message(self) -> str:
        """What was found, in English."""
        return self.told(SOURCE_LOCALE)

    def told(self, locale: str) -> str:
        """What was found, in a reader's language."""
        return joined("list_semicolon", self.messages, locale)


@dataclass(frozen=True, slots=True)
class ItemReport:
    """What came of one item, with the facts where they were computed."""

    quiz: str
    item: str
    evidence: str | None
    outcome: Outcome
    findings: tuple[Finding, ...] = ()
    message: Message | str = ""
    """Why it came out so, or what the evidence says of itself (in English)."""
    facts: Facts | None = None
    missing: tuple[str, ...] = ()
    """The packages without which the evidence was skipped."""

    def lines(self, locale: str = SOURCE_LOCALE) -> list[str]:
        """This item for a reader: one line, and one more for each finding."""
        tail = f": {shown(self.message, locale)}" if self.message else ""
        head = f"{shown(f'{self.quiz}/{self.item}', locale)}: {message(self.outcome).text(locale)}{tail}"
        return [head, *(self._line(found, locale) for found in self.findings)]

    def _line(self, found: Finding, locale: str) -> str:
        verdict = message(found.verdict.replace(" ", "_")).text(locale)
        return f"  {shown(found.part, locale)}: {verdict}: {found.told(locale)}"


def judge(quiz_id: str, item: Item, found: Facts) -> ItemReport:
    """Compare everything that an item claims with the facts that its evidence found."""
    right = _right(item)
    findings = _number(item, found.facts)
    parts: tuple[Option | Accept, ...] = (*item.options, *item.accept)
    findings += [_claimed(part, found.facts, right=part.id in right) for part in parts]
    findings += _text(item, found.facts)
    keys = [finding for finding in findings if finding.part in (*right, "value")]
    if any(finding.verdict == "contradicted" for finding in findings):
        outcome: Outcome = "contradicted"
    elif keys and all(finding.verdict == "proved" for finding in keys):
        outcome = "proved"
    else:
        outcome = "open"
    return ItemReport(quiz_id, item.id, item.evidence, outcome, tuple(findings), found.summary, found)


def _right(item: Item) -> tuple[str, ...]:
    """The parts whose claims have to hold: right options, every part of an order or a match, fully accepted texts."""
    if item.kind == "text":
        return tuple(accept.id for accept in item.accept if accept.credit == 1)
    return tuple(option.id for option in item.options if option.correct or item.kind in ("order", "match"))


def _claimed(part: Option | Accept, facts: Mapping[str, Fact], *, right: bool) -> Finding:
    if not part.claims:
        return Finding(part.id, "not computable", (message("claims_nothing"),))
    unknown = sorted({claim.fact for claim in part.claims} - set(facts))
    if unknown:
        told = message("no_fact_of", names=_quoted(unknown), known=_quoted(sorted(facts)))
        return Finding(part.id, "contradicted", (told,))
    failed = [claim for claim in part.claims if not holds(claim, facts[claim.fact])]
    compared = tuple(_told(claim, facts[claim.fact]) for claim in failed or part.claims)
    if right:
        return Finding(part.id, "contradicted" if failed else "proved", compared)
    return Finding(part.id, "refuted" if failed else "contradicted", compared)


def holds(claim: Claim, fact: Fact) -> bool:
    """Whether a fact is what a claim says. Truths and texts compare by ``is`` only; NaN is never within a bound."""
    value, operand = fact.value, claim.operand
    if claim.operator == "is":
        return type(value) is type(operand) and value == operand
    if isinstance(value, bool | str):
        return False
    if isinstance(operand, tuple):
        return operand[0] <= value <= operand[1]
    if isinstance(operand, bool | str):
        return False
    if claim.operator == "at_least":
        return value >= operand
    if claim.operator == "at_most":
        return value <= operand
    return value == operand or math.isclose(value, operand, rel_tol=claim.within, abs_tol=0.0)


def _told(claim: Claim, fact: Fact) -> Message:
    """A claim beside the fact, for a reader."""
    found = _measured(str(fact.value), fact)
    if isinstance(claim.operand, tuple):
        low, high = claim.operand
        return message("claim_between", fact=claim.fact, low=low, high=high, found=found)
    key = f"claim_{claim.operator}" if claim.operator in ("at_least", "at_most") else "claim"
    return message(key, fact=claim.fact, claimed=claim.operand, found=found)


def _measured(value: str, fact: Fact) -> str:
    """A value with its unit; a text, which may be a version, keeps its points."""
    text = f"{value} {fact.unit}" if fact.unit else value
    return text if isinstance(fact.value, str) else Number(text)


def _quoted(names: Iterable[str]) -> tuple[str, ...]:
    return tuple(f"`{name}`" for name in names)


def _number(item: Item, facts: Mapping[str, Fact]) -> list[Finding]:
    if item.kind != "number":
        return []
    if item.value is None:
        return _drawn(item, facts)
    parts = [("value", "value", item.value)]
    parts += [(slip.id, slip.id.replace("-", "_"), slip.value) for slip in item.slips if slip.value is not None]
    return [_written(part, name, value, facts) for part, name, value in parts]


def _drawn(item: Item, facts: Mapping[str, Fact]) -> list[Finding]:
    """A drawn item takes its numbers from the evidence: what can be wrong is that a number is not there."""
    names = {"value": "value", **{slip.id: slip.id.replace("-", "_") for slip in item.slips}}
    found = []
    for part, name in names.items():
        fact = facts.get(name)
        if fact is None or isinstance(fact.value, bool | str) or not math.isfinite(fact.value):
            found.append(Finding(part, "contradicted", (message("no_number", name=f"`{name}`"),)))
        elif part == "value":
            found.append(Finding(part, "proved", (message("every_draw"),)))
        else:
            found.append(Finding(part, "refuted", (message("every_draw"),)))
    return found


def _written(part: str, name: str, written: Decimal, facts: Mapping[str, Fact]) -> Finding:
    """Whether a number in the content is the computed one, to all the digits that are written."""
    fact = facts.get(name)
    if fact is None:
        verdict: Verdict = "contradicted" if part == "value" else "not computable"
        return Finding(part, verdict, (message("no_fact", names=_quoted([name])),))
    if isinstance(fact.value, bool | str):
        return Finding(part, "contradicted", (message("fact_no_number", name=f"`{name}`"),))
    same = round_like(fact.value, written) == written and math.isclose(fact.value, written, rel_tol=CLOSE, abs_tol=0.0)
    good: Verdict = "proved" if part == "value" else "refuted"
    told = message("written_number", written=written, found=_measured(f"{fact.value:.10g}", fact))
    return Finding(part, good if same else "contradicted", (told,))


def round_like(value: float, written: Decimal) -> Decimal | None:
    """The value with as many decimals as the written number has; `None` for what is no finite number."""
    if not math.isfinite(value):
        return None
    exponent = min(int(written.as_tuple().exponent), 0)
    return Decimal(value).quantize(Decimal(1).scaleb(exponent))


def _text(item: Item, facts: Mapping[str, Fact]) -> list[Finding]:
    """Placeholders of `evidence_text` that no fact fills, in any locale."""
    if item.evidence_text is None:
        return []
    return [
        Finding(f"evidence_text ({locale})", "contradicted", (message("no_fact", names=_quoted([name])),))
        for locale, form in item.evidence_text.forms.items()
        for name in sorted(set(_PLACEHOLDER.findall(form.source)) - set(facts))
    ]
