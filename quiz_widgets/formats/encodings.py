"""Bytes to text: UTF-8, UTF-16 and the Windows code pages of Western, Turkish and Arabic files, or what the user says.

Old exports name no encoding. UTF-8 proves itself; a code page is guessed from which letters come out, and said.
"""

from __future__ import annotations

import codecs
import re
from dataclasses import dataclass

from quiz_widgets.problems import Severity

_BOMS = ((codecs.BOM_UTF8, "utf-8-sig"), (codecs.BOM_UTF16_LE, "utf-16"), (codecs.BOM_UTF16_BE, "utf-16"))
# Turkish letters of Windows-1254. In Windows-1252 the same bytes are ð ý þ Ý Þ Ð, which Western languages lack.
_TURKISH = frozenset(b"\xf0\xfd\xfe\xdd\xde\xd0")
# Python has codecs that are no encoding of a file's text (`idna`, `unicode_escape`): these are.
_TEXTUAL = re.compile(r"utf-(?:8|16|32)|ascii|iso8859|cp\d|koi8|mac|gb|big5|euc|shift|iso2022")
_RUN = re.compile(rb"[\x80-\xff]+")
_ASK = "name it with --encoding, such as windows-1252, windows-1254 (Turkish), windows-1256 (Arabic) or utf-16"


@dataclass(frozen=True, slots=True)
class Decoded:
    """The text with line feeds as line ends, and what to say about how it was found."""

    text: str
    message: str = ""
    hint: str = ""
    severity: Severity = "note"


def known(name: str) -> bool:
    """Whether this is the name of an encoding of text."""
    try:
        return _TEXTUAL.match(codecs.lookup(name).name) is not None
    except (LookupError, ValueError):
        return False


def decode(data: bytes, encoding: str | None = None) -> Decoded:
    """The text of these bytes."""
    if encoding is not None:
        return _asked(data, encoding)
    for mark, name in _BOMS:
        if data.startswith(mark):
            return Decoded(_lines(data.decode(name, errors="replace")), *_broken(data, name))
    if wide := _wide(data):
        text = _lines(data.decode(wide, errors="replace"))
        return Decoded(text, f"no byte order mark: read as {wide}", _ASK, "warning")
    try:
        return Decoded(_lines(data.decode("utf-8")))
    except UnicodeDecodeError as error:
        if len(data) - error.start < 4 and len(data) >= 4096:
            return Decoded(_lines(data[: error.start].decode("utf-8")))  # a start cut within a letter
    name, sure = _code_page(data)
    text = _lines(data.decode(name, errors="replace"))
    if sure:
        return Decoded(text, f"not UTF-8: read as {name}", f"if letters are wrong, {_ASK}", "warning")
    return Decoded(text, f"not UTF-8, and no sign of what it is: read as {name}", _ASK, "error")


def _asked(data: bytes, encoding: str) -> Decoded:
    if not known(encoding):
        return Decoded("", f"`{encoding}` is no encoding", _ASK, "error")
    mark = codecs.BOM_UTF8 if data.startswith(codecs.BOM_UTF8) and "8" in encoding else b""
    text = data[len(mark) :].decode(encoding, errors="replace")
    return Decoded(_lines(text), *_broken(data, encoding))


def _broken(data: bytes, name: str) -> tuple[str, str, Severity]:
    try:
        data.decode(name)
    except UnicodeDecodeError as error:
        return f"byte 0x{data[error.start]:02x} (at {error.start}) is not {name}: `�` stands for it", _ASK, "error"
    except UnicodeError as error:
        return f"not {name}: {error}", _ASK, "error"
    return "", "", "note"


def _wide(data: bytes) -> str:
    """UTF-16 without its mark: every second byte of Latin text is zero."""
    start = data[:2000]
    if len(start) < 8 or 0 not in start:
        return ""
    even, odd = start[::2].count(0), start[1::2].count(0)
    half = len(start) // 2
    if odd > half * 0.6 and even < half * 0.1:
        return "utf-16-le"
    return "utf-16-be" if even > half * 0.6 and odd < half * 0.1 else ""


def _code_page(data: bytes) -> tuple[str, bool]:
    """The likeliest code page, and whether the letters speak for it."""
    high = [byte for byte in data if byte >= 0x80]
    arabic = bytes(high).decode("windows-1256", errors="replace")
    if sum("\u0600" <= char <= "\u06ff" for char in arabic) >= 0.9 * len(high) and len(high) > 3:
        return "windows-1256", True
    runs = [len(run) for run in _RUN.findall(data)]
    if sum(runs) / len(runs) >= 3:  # words of nothing but high bytes: Cyrillic, Greek, Chinese …
        return "windows-1252", False
    if sum(byte in _TURKISH for byte in high) * 5 >= len(high):
        return "windows-1254", True
    return "windows-1252", True


def _lines(text: str) -> str:
    return text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
