"""What a translation has to keep, and what it must not: code, maths, numbers and placeholders; foreign signs."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from quiz_widgets.authoring import placeholders
from quiz_widgets.authoring.fields import listed

_CODE = re.compile(r"(?<!`)(`+)(?!`).+?(?<!`)\1(?!`)", re.DOTALL)
_MATHS = re.compile(r"\$\$.+?\$\$|\$[^$\s](?:[^$]*[^$\s])?\$", re.DOTALL)
_PLACEHOLDER = re.compile(r"\{[a-z][a-z0-9_]*\}")
# Digits of a name (FP16, V100, 1e-7) and of a reference (arXiv:1710.03740) are no numbers of the text.
_REFERENCE = re.compile(r"(?:arXiv|doi|https?):\S+")
_NUMBER = re.compile(r"(?<![A-Za-z0-9_.,-])[0-9]+(?:[.,][0-9]+)*(?![0-9A-Za-z_])")
_AFTER_NAME = re.compile(r"[A-Z][A-Za-z]+ $")
_GROUPED = re.compile(r"[1-9][0-9]{0,2}(?:,[0-9]{3})+(?:\.[0-9]+)?")
_AFTER_PARTICLE = re.compile("[وفبكل][A-Za-z]+")
_WORD = re.compile(r"[^\W\d_]+")
_DIGITS = {ord(digit): str(value % 10) for value, digit in enumerate("٠١٢٣٤٥٦٧٨٩۰۱۲۳۴۵۶۷۸۹")}
_ARABIC_SIGNS = {",": "،", ";": "؛", "?": "؟"}


@dataclass(frozen=True, slots=True)
class Fault:
    """One fault of a translated text; `at` counts characters in it, ``None`` means the whole text."""

    rule: str
    message: str
    hint: str
    at: int | None = None


def check(source: str, text: str, locale: str, *, may_equal: bool) -> Iterator[Fault]:
    """Every fault of `text`, in `locale`, as a translation of `source`, which is English."""
    yield from _verbatim(source, text)
    yield from _placeholders(source, text)
    yield from _numbers(source, text, locale)
    if not may_equal and _WORD.search(prose(source)) and " ".join(source.split()) == " ".join(text.split()):
        hint = "translate it, or list its path under `unchanged:` if it reads the same in both languages"
        yield Fault("unchanged", "the text is still the English one", hint)
    yield from _scripts(text)
    if locale.split("-", maxsplit=1)[0] == "ar":
        yield from _arabic_signs(text)


def prose(text: str) -> str:
    """The text with code, maths, placeholders and references blanked out, as long as before."""
    for pattern in (_CODE, _MATHS, _PLACEHOLDER, _REFERENCE):
        text = pattern.sub(lambda found: " " * len(found[0]), text)
    return text


def _verbatim(source: str, text: str) -> Iterator[Fault]:
    for rule, name, pattern, other in (("code", "code", _CODE, None), ("maths", "maths", _MATHS, _CODE)):
        wanted, found = _spans(source, pattern, other), _spans(text, pattern, other)
        if wanted == found:
            continue
        lost, new = sorted((wanted - found).elements()), sorted((found - wanted).elements())
        parts = [f"lacks {_spelt(lost)}"] if lost else []
        parts += [f"has {_spelt(new)} in addition"] if new else []
        yield Fault(
            rule, f"{name} differs from the source: it {' and '.join(parts)}", f"copy {name} as it stands there"
        )


def _spelt(spans: list[str]) -> str:
    """Spans in backticks, which code brings along."""
    return listed([span.strip("`") for span in spans])


def _spans(text: str, pattern: re.Pattern[str], blanked: re.Pattern[str] | None) -> Counter[str]:
    if blanked is not None:
        text = blanked.sub(" ", text)
    return Counter(" ".join(found[0].split()) for found in pattern.finditer(text))


def _placeholders(source: str, text: str) -> Iterator[Fault]:
    wanted = set(placeholders.names(source))
    known = {f"{{{name}}}" for name in wanted}
    if lost := sorted(wanted - set(placeholders.names(text))):
        hint = "a number stands for it: keep it as it is written in the source"
        yield Fault("placeholder", f"dropped: {_braced(lost)}", hint)
    for found in placeholders.braces(text):
        if found.name is not None and found.name not in wanted and not found.verbatim:
            hint = f"the source has {', '.join(sorted(known)) or 'none'}"
            yield Fault("placeholder", f"unknown placeholder `{found.written}`", hint, found.start)


def _braced(names: Iterable[str]) -> str:
    return ", ".join(f"`{{{name}}}`" for name in names)


def _numbers(source: str, text: str, locale: str) -> Iterator[Fault]:
    wanted = {number for number, _, _ in _values(source, "en")}
    found = list(_values(text, locale))
    for number, at, foreign in found:
        if foreign:
            yield Fault("number", f"`{foreign}` has no decimal sign of this language", "write `0,5` for 0.5", at)
        elif number not in wanted:
            yield Fault("number", f"the number {number} is not in the source", "keep the source's numbers", at)
    if lost := sorted(wanted - {number for number, _, _ in found}):
        yield Fault("number", f"the source's number {' and '.join(lost)} is missing", "write it in digits, as it is")


def _values(text: str, locale: str) -> Iterator[tuple[str, int, str]]:
    """Numbers of a text, each with its place, and as it is written if its decimal sign is another language's."""
    comma = locale.split("-", maxsplit=1)[0] == "tr"
    clean = prose(text.translate(_DIGITS).replace("٫", "."))
    for found in _NUMBER.finditer(clean):
        written = found[0]
        if not comma and _GROUPED.fullmatch(written):
            yield written.replace(",", ""), found.start(), ""
        elif comma and "." in written and not _AFTER_NAME.search(clean[: found.start()]):
            yield written, found.start(), written  # a version, such as PyTorch 2.13, is a name
        else:
            yield _plain(written.replace(",", ".")), found.start(), ""


def _plain(number: str) -> str:
    """One writing for 7.0, 7.00 and 7: a translation may say 7."""
    return number.rstrip("0").rstrip(".") if number.count(".") == 1 else number


def _scripts(text: str) -> Iterator[Fault]:
    """Words of letters that only look alike. Arabic writes its one-letter words together with a Latin name."""
    for word in _WORD.finditer(prose(text)):
        if _AFTER_PARTICLE.fullmatch(word[0]):
            continue
        scripts = sorted({unicodedata.name(letter, "?").split()[0] for letter in word[0]} - {"MODIFIER"})
        if len(scripts) > 1:
            hint = "letters that only look alike? between scripts put a space, or a hyphen"
            yield Fault("script", f"`{word[0]}` mixes {' and '.join(scripts)} letters", hint, word.start())


def _arabic_signs(text: str) -> Iterator[Fault]:
    """Latin punctuation beside Arabic words; inside a run of Latin ones, as in a citation, it is right."""
    clean = prose(text)
    for at, sign in enumerate(clean):
        if sign not in _ARABIC_SIGNS:
            continue
        before = next((letter for letter in reversed(clean[:at]) if letter.isalpha()), "")
        after = next((letter for letter in clean[at + 1 :] if letter.isalpha()), "")
        if any(unicodedata.bidirectional(letter) == "AL" for letter in before + after):
            yield Fault("punctuation", f"`{sign}` in Arabic prose", f"write `{_ARABIC_SIGNS[sign]}`", at)
