"""Where a learner stands in one attempt, read from its records: the rule that the page's summary follows too."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from quiz_widgets import certainty
from quiz_widgets.contract import OutcomePayload


@dataclass(frozen=True, slots=True)
class Standing:
    """One item in one attempt: the last response of the first round before the reveal counts.

    `sure` is how sure the learner said to be (1 to 3) of that response, else of the first one, and `mark` what that
    earns (`certainty.mark`); `None` where nothing was said.
    """

    item: str
    response: tuple[str, ...]
    tries: int
    score: float
    max_score: float
    first_try: bool
    revealed: bool
    hints: int
    sure: int | None = None
    mark: float | None = None

    @property
    def correct(self) -> bool:
        """Whether the response that counts earned every point."""
        return self.tries > 0 and self.score == self.max_score


def standings(records: Iterable[OutcomePayload]) -> dict[str, Standing]:
    """The standing of every item that was touched, by item id, in the order in which they were."""
    by_item: dict[str, list[OutcomePayload]] = {}
    for record in records:
        if record["event"].get("item"):
            by_item.setdefault(record["event"]["item"], []).append(record)
    return {item: _standing(item, found) for item, found in by_item.items()}


def _standing(item: str, records: list[OutcomePayload]) -> Standing:
    reveals = [record["event"]["at"] for record in records if record["event"]["kind"] == "reveal"]
    # Later rounds are practice after the key was seen: they are kept, and do not count.
    submits = [record for record in records if record["event"]["kind"] == "submit" and not record["event"]["round"]]
    if reveals:
        submits = [record for record in submits if record["event"]["at"] <= min(reveals)]
    submits.sort(key=lambda record: int(record["event"]["id"].rpartition("/")[2]))
    last = submits[-1] if submits else None
    # Where there is feedback only the first try's certainty is asked; without, each response has its own.
    stated = last if last is None or "confidence" in last["event"] else submits[0]
    sure = stated["event"].get("confidence") if stated else None
    return Standing(
        item=item,
        response=tuple(last["event"]["response"]) if last else (),
        tries=len(submits),
        score=last.get("score", 0.0) if last else 0.0,
        max_score=last.get("max_score", 0.0) if last else 0.0,
        first_try=bool(submits) and submits[0].get("score") == submits[0].get("max_score"),
        revealed=bool(reveals),
        hints=sum(record["event"]["kind"] == "hint" for record in records),
        sure=sure,
        mark=certainty.mark(stated.get("score", 0.0), stated.get("max_score", 0.0), sure) if stated else None,
    )
