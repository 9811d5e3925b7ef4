"""A made-up bank of items: the same bytes for the same count, and no two items alike.

Half of the items are ``single``, a quarter ``multiple`` and a quarter ``number``; some hold maths, code and emphasis,
and a tenth of them stand in Turkish, too. Wanted for `benchmarks/content.py` and the tests of scale.
"""

from __future__ import annotations

import random
from pathlib import Path

from quiz_widgets.authoring.overlays.texts import fingerprint

TRANSLATED = 10  # one item in so many
# A thing, in both languages. Two of them and a number make a statement that stands once in a bank.
_THINGS = (
    ("a cache", "önbellek"), ("a batch", "yığın"), ("a layer", "katman"), ("a kernel", "çekirdek"),
    ("a stream", "akış"), ("a buffer", "arabellek"), ("a queue", "kuyruk"), ("a tensor", "tensör"),
    ("a gradient", "gradyan"), ("a weight", "ağırlık"), ("a moment", "moment"), ("a scaler", "ölçekleyici"),
    ("a worker", "işçi"), ("a shard", "parça"), ("a driver", "sürücü"), ("a table", "tablo"),
    ("a device", "aygıt"), ("a compiler", "derleyici"), ("a schedule", "çizelge"), ("a checkpoint", "kayıt"),
)  # fmt: skip
_ACTS = (
    ("reads", "okur"), ("holds", "tutar"), ("rounds", "yuvarlar"), ("copies", "kopyalar"), ("drops", "bırakır"),
    ("sorts", "sıralar"), ("splits", "böler"), ("joins", "birleştirir"), ("pads", "doldurur"), ("frees", "boşaltır"),
)  # fmt: skip
_TAILS = (("", ""), (" of `x[{n}]`", " (`x[{n}]`)"), (" over $2^{{{n}}}$ bytes", " ($2^{{{n}}}$ bayt)"), ("", ""))


def write(folder: Path, count: int, *, quizzes: int = 1) -> list[Path]:
    """Write `count` items as `quizzes` folders ``bank-0001`` … in `folder`, with overlays; the paths of their files."""
    made = []
    for number in range(quizzes):
        name = f"bank-{number + 1:04}"
        first, last = count * number // quizzes, count * (number + 1) // quizzes
        (folder / name).mkdir(parents=True)
        source, overlay = _texts(name, range(first, last))
        path = folder / name / "quiz.yaml"
        path.write_text(source, encoding="utf-8")
        path.with_name("quiz.tr.yaml").write_text(overlay, encoding="utf-8")
        made.append(path)
    return made


def _texts(name: str, numbers: range) -> tuple[str, str]:
    """The quiz file and its Turkish overlay."""
    head = {"title": ("A bank", "Bir banka"), "description": ("Items in number.", "Çok sayıda soru.")}
    source = [f"id: {name}", *(f"{key}: {en}" for key, (en, _) in head.items()), "level: medium", "items:"]
    overlay = ["locale: tr", *(f"{key}: {tr}" for key, (_, tr) in head.items()), "items:"]
    hashes = ["translates:", *(f"  {key}: {fingerprint(en)}" for key, (en, _) in head.items())]
    for number in numbers:
        item = _Item(number)
        source += item.source()
        if number % TRANSLATED == 0:
            overlay += item.overlay()
            hashes += [f"  items.{item.id}.{path}: {fingerprint(en)}" for path, (en, _) in item.texts.items()]
    return "\n".join(source) + "\n", "\n".join([*overlay, *hashes]) + "\n"


class _Item:
    """One made-up item: its texts in both languages by path, in the order of the file."""

    def __init__(self, number: int) -> None:
        self.number = number
        self.id = f"item-{number:05}"
        self.kind = ("single", "number", "single", "multiple")[number % 4]
        self._chance = random.Random(number)
        self.parts = {"number": ["wide"], "single": ["one", "two"], "multiple": ["one", "two", "three"]}[self.kind]
        between = "slips" if self.kind == "number" else "options"
        self.texts = {"stem": self._statement(number, "What follows if", "ne olur?")}
        for index, part in enumerate(self.parts):
            if self.kind != "number":
                self.texts[f"{between}.{part}.text"] = self._statement(index, "so", short=True)
            self.texts[f"{between}.{part}.rationale"] = self._statement(index, "here")
        self.texts["explanation"] = self._statement(number, "**note** that")

    def source(self) -> list[str]:
        """The item's lines in quiz.yaml."""
        lines = [f"  - id: {self.id}", f"    kind: {self.kind}", *self._stem()]
        if self.kind == "number":
            lines += [f"    value: {self.number}", "    tolerance: {absolute: 0.5}", "    slips:"]
        else:
            lines.append("    options:")
        for part in self.parts:
            lines.append(f"      - id: {part}")
            if self.kind == "number":
                lines.append(f"        value: {self.number + 7}")
            else:
                lines.append(f"        text: '{self.texts[f'options.{part}.text'][0]}'")
                lines += ["        correct: true"] if part == "two" else []
            lines.append(f"        rationale: '{self._part(part, 'rationale', 0)}'")
        lines.append(f"    explanation: '{self.texts['explanation'][0]}'")
        return [*lines, f"    source: Handbook of banks, page {self.number}"]

    def overlay(self) -> list[str]:
        """The item's lines in quiz.tr.yaml."""
        lines = [f"  {self.id}:", f"    stem: {self._quoted(self.texts['stem'][1])}"]
        lines.append(f"    {'slips' if self.kind == 'number' else 'options'}:")
        for part in self.parts:
            lines.append(f"      {part}:")
            if self.kind != "number":
                lines.append(f"        text: {self._quoted(self._part(part, 'text', 1))}")
            lines.append(f"        rationale: {self._quoted(self._part(part, 'rationale', 1))}")
        return [*lines, f"    explanation: {self._quoted(self.texts['explanation'][1])}"]

    def _stem(self) -> list[str]:
        """Every tenth stem is followed by code, the others stand in one line."""
        english, turkish = self.texts["stem"]
        if self.number % 10:
            return [f"    stem: '{english}'"]
        code = f"```python\nx = [{self.number}] * 2\nprint(x)\n```"
        self.texts["stem"] = (f"{english}\n\n{code}", f"{turkish}\n\n{code}")
        return ["    stem: |-", *(f"      {line}".rstrip() for line in self.texts["stem"][0].split("\n"))]

    def _part(self, part: str, name: str, locale: int) -> str:
        between = "slips" if self.kind == "number" else "options"
        return self.texts[f"{between}.{part}.{name}"][locale]

    def _statement(self, number: int, before: str, after: str = "", *, short: bool = False) -> tuple[str, str]:
        """A sentence in English and in Turkish that holds the same number, code and maths."""
        choose = self._chance.choice
        (one, eins), (two, zwei), (act, tun), (tail, ende) = (
            choose(_THINGS), choose(_THINGS), choose(_ACTS), choose(_TAILS),
        )  # fmt: skip
        amount = self._chance.randrange(100, 9999)
        if short:
            return f"{before} {one} {act} {amount}", f"{eins} {tun}, {amount}"
        english = f"{before} {one} {act} {two} {amount} times{tail.format(n=number)}{'?' if after else ''}"
        return english, f"{eins} {zwei} {tun}, {amount} kez{ende.format(n=number)} {after}".strip()

    @staticmethod
    def _quoted(text: str) -> str:
        if "\n" not in text:
            return f"'{text}'"
        return "|-\n" + "\n".join(f"      {line}".rstrip() for line in text.split("\n"))
