"""Drafts with everything that our reader asks for: ids, a source, texts that can be shown; each change is noted."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Callable, Sequence
from decimal import Decimal
from typing import Any, TypeVar

from quiz_widgets import grading
from quiz_widgets.authoring.fields import ID
from quiz_widgets.formats import ids, markdown, mend, suspect
from quiz_widgets.formats.base import Notices, silent
from quiz_widgets.formats.draft import DraftAnswer, DraftItem, DraftOption, DraftQuiz, DraftSlip, DraftTarget
from quiz_widgets.locales import SOURCE_LOCALE, patterns
from quiz_widgets.model import Accept, Item, Rendered, Response, Text

_Entry = TypeVar("_Entry", DraftOption, DraftTarget, DraftAnswer, DraftSlip)
MAX_TRIES = 10


def quiz(
    draft: DraftQuiz, file: str, origin: str, tell: Callable[[int, int], None] = silent
) -> tuple[DraftQuiz, Notices]:
    """The quiz ready to be written, and what was changed. `origin` says in words what it was imported from."""
    notices = Notices(file)
    stem = re.sub(r"\.[^.]*$", "", file.rpartition("/")[2])

    def report(rule: str, message: str, hint: str) -> None:
        notices.add(0, "", rule, message, hint)

    title = mend.line(draft.title, report) or markdown.escape(" ".join(re.split(r"[\s_-]+", stem)).strip()) or "Quiz"
    quiz_id = draft.id if ID.fullmatch(draft.id) else ids.slug(markdown.to_plain(title)) or ids.slug(stem)
    language = draft.language.partition("-")[0].lower()
    if language and language != SOURCE_LOCALE:
        message = f"the texts are marked as `{draft.language}`; those of a quiz.yaml count as `{SOURCE_LOCALE}`"
        hint = f"translate quiz.yaml, and put these texts into quiz.{language}.yaml"
        notices.add(0, "", "language", message, hint)
    made: list[DraftItem] = []
    for item in draft.items:
        made.append(_item(item, origin, notices))
        tell(len(made), len(draft.items))
    names = ids.unique([item.stem for item in made], [item.id or item.name for item in made], "question")
    items = tuple(dataclasses.replace(item, id=name) for item, name in zip(made, names, strict=True))
    description = mend.text(draft.description, report) or markdown.escape(f"{origin}.")
    done = dataclasses.replace(draft, title=title, id=quiz_id or "quiz", description=description, items=items)
    return done, notices


def _item(draft: DraftItem, origin: str, notices: Notices) -> DraftItem:
    name = draft.name or " ".join(draft.stem.split())[:40]
    line = draft.place.line
    local = Notices(draft.place.file or notices.file, notices.problems)

    def report(rule: str, message: str, hint: str) -> None:
        local.add(line, name, rule, message, hint)

    def text(source: str) -> str:
        return mend.text(source, report)

    options = _entries(draft.options, text, "option", names=("text", "rationale"))
    targets = _entries(draft.targets, text, "target", names=("text",))
    renamed = {old.id: new.id for old, new in zip(draft.targets, targets, strict=True)}
    options = tuple(dataclasses.replace(option, target=renamed.get(option.target, "")) for option in options)
    accept = _entries(draft.accept, text, "answer", names=("rationale",))
    accept = tuple(dataclasses.replace(one, text=mend.visible(one.text, report).strip()) for one in accept)
    accept = _reached(accept, report, match_case=draft.match_case)
    slips = tuple(dataclasses.replace(slip, rationale=text(slip.rationale)) for slip in draft.slips)
    slip_ids = ids.unique([str(slip.value) for slip in slips], [slip.id for slip in slips], "slip")
    made = dataclasses.replace(
        draft,
        name=_comment(draft.name),
        category=_comment(draft.category),
        tags=tuple(shown for tag in draft.tags if (shown := _comment(tag))),
        stem=text(draft.stem),
        options=options,
        targets=targets,
        accept=accept,
        slips=tuple(dataclasses.replace(slip, id=new) for slip, new in zip(slips, slip_ids, strict=True)),
        unit=mend.line(draft.unit, report),
        hints=tuple(made for hint in draft.hints if (made := text(hint))),
        explanation=text(draft.explanation),
        source=text(draft.source) or markdown.escape(origin + (f", “{draft.name[:120]}”" if draft.name else "")),
        points=_points(draft.points, report),
        tries=min(max(draft.tries, 1), MAX_TRIES) if draft.tries is not None else None,
    )
    _weights(made, local, name)
    return suspect.look(made, local, name)


def _comment(text: str) -> str:
    """A text for a comment: on one line, without signs that no file of ours may hold."""
    return " ".join(mend.visible(text, lambda *_: None).split())


def _entries(
    entries: Sequence[_Entry], text: Callable[[str], str], prefix: str, names: tuple[str, ...]
) -> tuple[_Entry, ...]:
    """Options and the like with mended texts and ids."""
    mended: list[_Entry] = []
    for entry in entries:
        changes: dict[str, Any] = {name: text(getattr(entry, name)) for name in names}
        mended.append(dataclasses.replace(entry, **changes))
    given = [entry.id if ID.fullmatch(entry.id) else "" for entry in mended]
    shown = [str(getattr(entry, "text", "")) for entry in mended]
    made = ids.unique(shown, given, prefix)
    return tuple(dataclasses.replace(entry, id=new) for entry, new in zip(mended, made, strict=True))


def _reached(
    answers: tuple[DraftAnswer, ...], report: Callable[[str, str, str], None], *, match_case: bool
) -> tuple[DraftAnswer, ...]:
    """The answers without those that one above them accepts: other systems let both stand."""
    kept: list[DraftAnswer] = []
    known: list[Accept] = []
    for answer in answers:
        before = Item(id="", kind="text", stem=_pattern(""), accept=tuple(known), match_case=match_case)
        taken = [grading.accepted(before, Response((phrase.strip(),))) for phrase in patterns.phrases(answer.text)]
        if taken and all(taken):
            first = next(one for one in kept if one.id == (taken[0].id if taken[0] else ""))
            if (answer.credit, answer.rationale) != (first.credit, first.rationale):
                message = (
                    f"`{answer.text[:60]}` is left out: `{first.text[:60]}` above accepts it, and the first decides"
                )
                report("answer-twice", message, "keep the one that is meant")
            continue
        kept.append(answer)
        known.append(Accept(answer.id, _pattern(answer.text)))
    return tuple(kept)


def _pattern(text: str) -> Text:
    return Text({SOURCE_LOCALE: Rendered(text, text, text, text)})


def _points(points: Decimal, report: Callable[[str, str, str], None]) -> Decimal:
    rounded = round(points, 2) if points.is_finite() and abs(points) < 10**6 else Decimal(0)
    if not 0 < rounded <= 1000:
        report("points", f"{points} points: 1 is taken", "more than 0 and at most 1000 are allowed")
        return Decimal(1)
    if rounded != points:
        report("points", f"{points} points became {rounded}", "two decimals are kept")
    return rounded


def _weights(item: DraftItem, notices: Notices, name: str) -> None:
    """Say where shares of the points are another rule than the one the quiz will have."""
    weighted = [option for option in item.options if option.weight is not None]
    if item.kind not in {"single", "multiple"} or not weighted or weights_fit(item):
        return
    shares = ", ".join(f"{markdown.to_plain(option.text)[:30]} {option.weight:f} %" for option in weighted[:8])
    if item.kind == "single":
        rule = "here the right option earns all points, and the others none"
    elif item.credit == "partial":
        rule = "here it is the share of right options chosen minus that of wrong ones"
    else:
        rule = "here all right options and no other must be chosen"
    notices.add(item.place.line, name, "weights", f"shares of the points are not kept ({shares}): {rule}")


def weights_fit(item: DraftItem) -> bool:
    """Whether the options' weights say exactly what the item's credit says."""
    right = [option.weight for option in item.options if option.correct]
    wrong = [option.weight or Decimal(0) for option in item.options if not option.correct]
    if item.kind == "single":
        return all(weight in {None, Decimal(100)} for weight in right) and not any(wrong)
    if item.credit == "exact":
        return all(weight is None for weight in right) and not any(wrong)
    near = Decimal("0.001")
    return all(weight is not None and abs(weight - Decimal(100) / len(right)) < near for weight in right) and all(
        abs(weight + Decimal(100) / len(wrong)) < near for weight in wrong
    )
