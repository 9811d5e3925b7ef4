"""One GIFT question: from a block's text to a draft, as Moodle reads it, but mended where that is surely not meant."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal

from quiz_widgets.authoring.fields import ID
from quiz_widgets.formats import answers, moodle_grades, suspect
from quiz_widgets.formats.base import Notices
from quiz_widgets.formats.draft import DraftAnswer, DraftItem, DraftOption, DraftTarget
from quiz_widgets.formats.gift import numbers, signs
from quiz_widgets.formats.gift.blocks import Block
from quiz_widgets.formats.gift.choices import Answer, Place, cut
from quiz_widgets.formats.gift.texts import Texts

_TRUTH = re.compile(r"\s*(?:T|F|(?i:TRUE|FALSE))\s*(?=#|$)")
_CLOZE = re.compile(r"\s*\d*:[A-Z_]{2,}:")
BLANK = "_____"
"""What stands for the answers in a sentence around them, as in Moodle."""


@dataclass(frozen=True, slots=True)
class Reader:
    """Reads one block."""

    block: Block
    notices: Notices

    def read(self) -> DraftItem | None:
        """The question; `None` (said) when there is none."""
        text, name = self._name(self.block.text)
        before, inside, after, start = self._parted(text, name)
        shown = name or " ".join(signs.plain(before).split())[:40]
        if inside is None:
            return None
        texts = Texts(self.notices, shown)
        line = self.block.line_of(len(text) - len(text.lstrip()))
        stated, stem = texts.stated(before, line)
        texts = Texts(self.notices, shown, stated)
        tail = after.strip(signs.DROPPED + " \t\n")
        if tail:
            stem = f"{stem.rstrip()} {BLANK} {tail}" if stem.strip() else f"{BLANK} {tail}"
        item = self._answers(inside, start, texts, shown)
        if item is None:
            return None
        fits = ID.fullmatch(self.block.id) is not None
        return dataclasses.replace(
            item,
            stem=texts.made(stated, stem, line),
            id=self.block.id if fits else "",
            name=name or ("" if fits else self.block.id),
            category=self.block.category,
            tags=self.block.tags,
            place=self.notices.place(line),
        )

    def _name(self, text: str) -> tuple[str, str]:
        """The text with the name blanked out, so that places stay, and the name."""
        found = re.match(r"\s*::(.*?)::", text, re.DOTALL)
        if not found:
            return text, ""
        name = " ".join(signs.plain(found[1]).split())
        line = self.block.line
        if len(name) > 255:
            message = f"a name of {len(name)} signs: Moodle cuts it at 255"
            self.notices.add(line, name[:40], "gift-name", message, severity="note")
        if re.match(r"\s*::.*?::", text[found.end() :], re.DOTALL):
            message = "a second `::name::`: Moodle keeps it in the question's text"
            self.notices.add(line, name[:40], "gift-name", message, "a question has one name")
        return re.sub(r"[^\n]", " ", found[0]) + text[found.end() :], name

    def _parted(self, text: str, name: str) -> tuple[str, str | None, str, int]:
        """What stands before, in and after the braces of the answers; `None` (said) where there are no answers."""
        line = self.block.line_of(len(text) - len(text.lstrip()))
        shown = name or " ".join(signs.plain(text).split())[:40]
        start = text.find("{")
        end = text.find("}", start)
        if start < 0:
            message = "text without answers: Moodle shows it as a description without points"
            self.notices.add(line, shown, "gift-description", message, "it is left out", severity="note")
            return text, None, "", 0
        if end < 0:
            message = "the `{` of the answers is never closed"
            self.notices.add(self.block.line_of(start), shown, "gift-brace", message, "add `}`", severity="error")
            return text, None, "", 0
        after = text[end + 1 :]
        if "{" in after:
            message = "several groups in braces: Moodle takes the first for the answers and keeps the others as text"
            hint = "make a question of each"
            at = self.block.line_of(end + 1 + after.find("{"))
            self.notices.add(at, shown, "gift-groups", message, hint, severity="error")
        return text[:start], text[start + 1 : end], after, start + 1

    def _answers(self, inside: str, start: int, texts: Texts, name: str) -> DraftItem | None:
        """The question without its stem; `None` (said) when nothing here grades it."""
        line = self.block.line_of(len(self.block.text) - len(self.block.text.lstrip()))
        place = Place(self.notices, name, self.block.line)
        inside, hashes, general = inside.partition("####")
        explanation = texts.markdown(general, self.block.line_of(start + len(inside))) if hashes else ""
        lines = (self.block.text, start)
        body = inside.strip(signs.DROPPED + " \t\n")
        if not body or _CLOZE.match(body):
            kind = "an essay" if not body else "a cloze gap"
            message = f"{kind}: nothing here grades it"
            place.say(line, "gift-essay" if not body else "gift-cloze", message, "it is left out", error=True)
            return None
        if body.startswith("#"):
            at = inside.index("#") + 1
            number = numbers.read(inside[at:], place, texts, (lines[0], start + at))
            explained = "\n\n".join(part for part in (number.feedback, explanation) if part)
            return DraftItem(
                kind="number",
                stem="",
                value=number.value,
                tolerance=number.tolerance,
                slips=number.slips,
                explanation=explained,
            )
        made = self._truth(inside, place, texts, self.block.line_of(start)) if _TRUTH.match(inside) else None
        if made is None and "~" in inside:
            made = self._choice(cut(inside, place, lines, choice=True), place, texts, line)
        if made is None and "->" in inside and "=" in inside:
            made = self._match(inside, place, texts, lines)
        if made is None:
            made = self._short(inside, place, texts, lines)
        return dataclasses.replace(made, explanation=explanation)

    def _truth(self, inside: str, place: Place, texts: Texts, line: int) -> DraftItem:
        word, *feedback = inside.split("#")
        word = word.strip()
        if not word.isupper():
            message = f"`{{{word}}}`: Moodle takes it for a short answer; only capital letters say true or false"
            place.say(line, "gift-truth", message, f"write `{{{word.upper()}}}`; it is read so")
        wrong, right = (*(texts.markdown(part, line) for part in feedback[:2]), "", "")[:2]
        if suspect.praises(wrong):
            message = f"Moodle shows `{signs.plain(feedback[0]).strip()[:60]}` when the answer is *wrong*"
            place.say(
                line, "gift-reversed", message, "the first `#` is for the wrong answer, the second for the right one"
            )
        key = word[0].upper() == "T"
        options = (
            DraftOption(text="True", id="true", correct=key, rationale=right if key else wrong, pin="first"),
            DraftOption(text="False", id="false", correct=not key, rationale=wrong if key else right, pin="last"),
        )
        return DraftItem(kind="single", stem="", options=options)

    def _choice(self, found: list[Answer], place: Place, texts: Texts, line: int) -> DraftItem:
        single = any(answer.sign == "=" for answer in found)
        weights = [answer.weight for answer in found]
        if not single and not any(weight and weight > 0 for weight in weights):
            message = "no `=` and no positive weight: for Moodle every answer is wrong"
            place.say(line, "gift-no-key", message, "put `=` before the right one", error=True)
        options = tuple(
            DraftOption(
                text=texts.markdown(answer.text, answer.line),
                rationale=texts.markdown(answer.feedback, answer.line),
                correct=answer.sign == "=" if single else answer.weight is not None and answer.weight > 0,
                weight=answer.weight,
            )
            for answer in found
        )
        if single:
            return DraftItem(kind="single", stem="", options=options)
        return DraftItem(kind="multiple", stem="", options=options, credit=moodle_grades.credit(options))

    def _short(self, inside: str, place: Place, texts: Texts, lines: tuple[str, int]) -> DraftItem:
        if "=" not in inside:
            line = self.block.line_of(start_of(inside, lines[1]))
            message = f"`{{{signs.plain(inside).strip()[:40]}}}` without `=`: Moodle takes it for a short answer"
            place.say(line, "gift-bare", message, "write `=` before it; it is read so")
            inside, lines = f"={inside}", (lines[0], lines[1] - 1)
        accept = tuple(self._accepted(cut(inside, place, lines), place, texts))
        return DraftItem(kind="text", stem="", accept=accept)

    def _accepted(self, found: list[Answer], place: Place, texts: Texts) -> Iterator[DraftAnswer]:
        for answer in found:
            if not answer.text:
                place.say(answer.line, "gift-empty", "feedback without an answer is left out", "write the answer")
                continue
            credit = Decimal(100) if answer.weight is None else answer.weight
            if credit < 0:
                place.say(answer.line, "text-negative", f"{credit} % became 0 %", "an answer here costs nothing")
            yield DraftAnswer(
                text=answers.to_pattern(signs.plain(answer.text)),
                credit=max(credit, Decimal(0)) / 100,
                rationale=texts.markdown(answer.feedback, answer.line),
            )

    def _match(self, inside: str, place: Place, texts: Texts, lines: tuple[str, int]) -> DraftItem:
        options: list[DraftOption] = []
        targets: dict[str, DraftTarget] = {}
        at = lines[1]
        for part in re.split(r"(?==)", inside):
            line = place.line + lines[0].count("\n", 0, at + 1)
            at += len(part)
            if not part.strip(signs.DROPPED + " \t\n="):
                continue
            left, arrow, right = part.removeprefix("=").partition("->")
            if not arrow:
                message = f"`{signs.plain(left).strip()[:40]}` has no `->`: Moodle refuses the question"
                place.say(line, "gift-match", message, "write `=this -> that`", error=True)
                continue
            target = texts.markdown(right, line)
            known = targets.setdefault(target, DraftTarget(id=f"t{len(targets) + 1}", text=target))
            if prompt := texts.markdown(left, line):
                options.append(DraftOption(text=prompt, target=known.id))
        return DraftItem(
            kind="match", stem="", options=tuple(options), targets=tuple(targets.values()), credit="partial"
        )


def start_of(inside: str, start: int) -> int:
    """Where the first sign that is no space stands."""
    return start + len(inside) - len(inside.lstrip())
