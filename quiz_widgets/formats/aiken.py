"""Aiken: a question on one line, options ``A. …``, the key ``ANSWER: B``. Nothing else, and Moodle is strict about it.

Format: https://docs.moodle.org/en/Aiken_format. Moodle asks for a space after ``A.`` or ``A)``, and for ``ANSWER: ``
in capital letters; what it would drop or refuse is read here as it is meant, and said.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from quiz_widgets.formats import losses, markdown
from quiz_widgets.formats.base import MAX_ITEMS, Format, Notices, Source
from quiz_widgets.formats.draft import DraftItem, DraftOption, DraftQuiz, Exported, Imported
from quiz_widgets.formats.html_text import looks_like_html

_OPTION = re.compile(r"([A-Za-z])([.)])(\s*)(.*)")
_ANSWER = re.compile(r"(ANSWER)(\s*)(:?)\s*(.*)", re.IGNORECASE)
_LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"


def recognise(source: Source) -> float:
    """Sure where a line is ``ANSWER: B`` after lines that begin with letters."""
    start = source.start()
    if re.search(r"^ANSWER: ?[A-Z]\s*$", start, re.MULTILINE) and re.search(r"^[A-Z][.)] ?\S", start, re.MULTILINE):
        return 0.9
    return 0.0


def read(source: Source) -> Imported:
    """The questions of a file."""
    notices = Notices(source.name)
    reader = _Reader(notices)
    lines = source.text(notices).split("\n")
    for number, raw in enumerate(lines, start=1):
        if number % 1000 == 0:
            source.tell(number, len(lines))
        if len(reader.items) == MAX_ITEMS:
            message = f"more than {MAX_ITEMS} questions: the rest is not read"
            notices.add(number, "", "many", message, "split the file", severity="error")
            break
        if line := raw.strip():
            reader.take(line, number)
    reader.end()
    if not reader.items:
        notices.add(1, "", "empty", "no question ends with `ANSWER: …`", "is it in this format?", severity="error")
    return Imported((DraftQuiz(items=tuple(reader.items)),) if reader.items else (), notices.done())


@dataclass(slots=True)
class _Reader:
    """The questions so far, and the lines of the one that is open."""

    notices: Notices
    items: list[DraftItem] = field(default_factory=list)
    line: int = 0
    stem: list[str] = field(default_factory=list)
    options: list[tuple[str, str]] = field(default_factory=list)

    @property
    def name(self) -> str:
        return (self.stem[0] if self.stem else "")[:40]

    def take(self, line: str, number: int) -> None:
        """One line that is not empty."""
        answer, option = _ANSWER.fullmatch(line), _OPTION.fullmatch(line)
        if answer and self.options and (answer[3] or answer[1].isupper()):
            self._answer(answer, number)
            self.line, self.stem, self.options = 0, [], []
        elif option and self.stem and self._is_next(option):
            self._option(option, number)
        elif self.options:
            message = "a line between an option and `ANSWER:` joins the option above; Moodle would refuse the file"
            self.notices.add(number, self.name, "aiken-line", message, "write each option on one line")
            letter, text = self.options[-1]
            self.options[-1] = (letter, f"{text}\n{line}")
        else:
            self._stem(line, number)

    def end(self) -> None:
        """The end of the file."""
        if self.stem:
            message = "no `ANSWER: …` follows: the question has no key"
            self.notices.add(self.line, self.name, "aiken-key", message, "add the line", severity="error")

    def _stem(self, line: str, number: int) -> None:
        if self.stem:
            message = "a question of several lines: Moodle keeps the last of them only"
            self.notices.add(number, self.name, "aiken-line", message, "write it on one line")
        elif len(line) == 1:
            message = f"the line `{line}` has one sign: Moodle passes over it"
            self.notices.add(number, line, "aiken-line", message, "write a question")
        self.stem.append(line)
        self.line = self.line or number

    def _is_next(self, option: re.Match[str]) -> bool:
        """Whether the letter is the next one: ``e.g. this`` begins no option."""
        expected = _LETTERS[len(self.options) : len(self.options) + 1]
        return option[1].upper() == expected or (option[1].isupper() and bool(self.options))

    def _option(self, option: re.Match[str], number: int) -> None:
        sign = option[1] + option[2]
        if not option[3]:
            message = f"no space after `{sign}`: Moodle would not see an option"
            self.notices.add(number, self.name, "aiken-space", message, f"write `{sign} …`")
        elif option[1].islower():
            message = f"`{sign}`: Moodle takes capital letters only"
            self.notices.add(number, self.name, "aiken-letter", message, f"write `{sign.upper()}`")
        self.options.append((option[1].upper(), option[4]))

    def _answer(self, answer: re.Match[str], number: int) -> None:
        key = answer[4].strip()
        letters = [letter for letter, _ in self.options]
        if answer[1] != "ANSWER" or not answer[3] or answer[2]:
            message = f"`{answer[0][:20]}`: Moodle takes `ANSWER: ` in capital letters with the colon beside it only"
            self.notices.add(number, self.name, "aiken-answer", message, f"write `ANSWER: {key or 'B'}`")
        if letters != list(_LETTERS[: len(letters)]):
            message = f"options lettered {', '.join(letters)}: in order, each once, is usual"
            self.notices.add(self.line, self.name, "aiken-letter", message)
        right = self._right(key, letters, number)
        if any(looks_like_html(text) for _, text in self.options):
            message = "tags stay text: Aiken has no markup"
            self.notices.add(self.line, self.name, "aiken-html", message, severity="note")
        options = (
            DraftOption(text=markdown.from_plain(text), correct=letter in right) for letter, text in self.options
        )
        self.items.append(
            DraftItem(
                kind="multiple" if len(right) > 1 else "single",
                stem=markdown.from_plain("\n".join(self.stem)),
                options=tuple(options),
                place=self.notices.place(self.line),
            )
        )

    def _right(self, key: str, letters: list[str], number: int) -> set[str]:
        keys = re.findall(r"[A-Za-z]", key) if re.fullmatch(r"[A-Za-z](?:\s*[,;& ]\s*[A-Za-z])*", key) else []
        right = {letter.upper() for letter in keys}
        if not right or not right <= set(letters):
            message = f"the key `{key[:20]}` is no letter of an option"
            hint = f"the options are {', '.join(letters)}"
            self.notices.add(number, self.name, "aiken-key", message, hint, severity="error")
        elif len(right) > 1:
            message = f"several keys, `{key}`: Aiken has one, and Moodle would refuse the question"
            self.notices.add(number, self.name, "aiken-keys", message, "it is read with several right options")
        return right


def write(quiz: DraftQuiz) -> Exported:
    """The single-choice questions of a quiz, without anything but stem, options and key."""
    kept, notices = losses.check(quiz, kinds={"single"}, holds=frozenset())
    blocks: list[str] = []
    for item in kept.items:
        texts = [item.stem, *(option.text for option in item.options)]
        if any(not markdown.is_plain(text) for text in texts):
            notices.add(0, item.id, "lost", "not exported: layout, code and line ends become one plain line")
        if len(item.options) > len(_LETTERS):
            message = f"the question is left out: {len(item.options)} options, and there are 26 letters"
            notices.add(0, item.id, "options", message, severity="error")
            continue
        lines = [_line(item.stem)]
        lines += [f"{letter}. {_line(option.text)}" for letter, option in zip(_LETTERS, item.options, strict=False)]
        right = next(letter for letter, option in zip(_LETTERS, item.options, strict=False) if option.correct)
        blocks.append("\n".join([*lines, f"ANSWER: {right}"]))
    return Exported(("\n\n".join(blocks) + "\n").encode(), notices.done())


def _line(source: str) -> str:
    return " ".join(markdown.to_plain(source).split())


FORMAT = Format(id="aiken", title="Aiken", suffix=".txt", recognise=recognise, read=read, write=write)
