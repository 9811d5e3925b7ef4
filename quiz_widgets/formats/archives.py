"""Archives from strangers: what is in a zip or a tar, bounded in size, number, ratio and depth, never on the disk.

Links, devices, absolute paths and ``..`` are refused by name; nothing is unpacked into files, so that a name can
never lead outside.
"""

from __future__ import annotations

import io
import lzma
import struct
import tarfile
import zipfile
import zlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import IO

from quiz_widgets.formats import encodings
from quiz_widgets.formats.base import MAX_BYTES, Notices

MAX_MEMBERS = 5000
MAX_TOTAL = 256 << 20
"""Bytes of all members together, unpacked."""
MAX_RATIO = 200
"""Unpacked to packed size of a member above 1 MiB; text and XML pack to a tenth, a bomb to a thousandth."""
MAX_DEPTH = 12
"""Folders inside one another in a member's name."""
_CHUNK = 1 << 16
_HINT = "unpack it yourself and import the files in it that you trust"


@dataclass(frozen=True, slots=True)
class Archive:
    """The members of an archive by name, in its order. Directories are left out."""

    members: Mapping[str, bytes] = field(default_factory=dict)

    def find(self, suffix: str) -> list[str]:
        """Names that end so, small and capital letters alike."""
        return [name for name in self.members if name.lower().endswith(suffix.lower())]


def is_archive(data: bytes) -> bool:
    """Whether the bytes begin like a zip or a tar (packed or not)."""
    return data[:4] == b"PK\x03\x04" or data[:2] == b"\x1f\x8b" or data[257:262] == b"ustar"


def peek(data: bytes, suffixes: tuple[str, ...], count: int = 8, size: int = 4000) -> list[str]:
    """How the first members with these ends begin, to recognise a format by; those nearest to the top come first.

    Never raises, and reads no more than it gives.
    """
    found: list[str] = []
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            infos = [info for info in archive.infolist()[:MAX_MEMBERS] if info.filename.lower().endswith(suffixes)]
            for info in sorted(infos, key=lambda info: info.filename.count("/"))[:count]:
                with archive.open(info) as stream:
                    found.append(encodings.decode(stream.read(size), None).text)
    except _FAULTS:
        pass
    return found


def pack(files: Mapping[str, bytes | str]) -> bytes:
    """A zip of these files; the same files give the same bytes."""
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            info = zipfile.ZipInfo(name)  # with the zip's first date: it says nothing about the day of the export
            info.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(info, content)
    return made.getvalue()


def read(data: bytes, notices: Notices) -> Archive:
    """What is in the archive; what was refused is noted. Never raises."""
    members: dict[str, bytes] = {}
    budget = _Budget(notices)
    try:
        for name, content in _zip(data, budget) if data[:2] == b"PK" else _tar(data, budget):
            if name in members:
                notices.add(0, name, "archive", "the archive holds this name twice: the first is read", _HINT)
            members.setdefault(name, content)
    except _FAULTS as error:
        notices.add(
            0, "", "archive", f"the archive is damaged: {error or type(error).__name__}", _HINT, severity="error"
        )
    return Archive(members)


_FAULTS = (
    *(zipfile.BadZipFile, tarfile.TarError, zlib.error, lzma.LZMAError, struct.error, EOFError, OSError, ValueError),
    *(NotImplementedError, IndexError, KeyError, OverflowError, AttributeError),
    RuntimeError,  # a member with a password
)


@dataclass(slots=True)
class _Budget:
    """What may still be unpacked."""

    notices: Notices
    left: int = MAX_TOTAL
    members: int = 0

    def refuse(self, name: str, why: str) -> bool:
        self.notices.add(0, name, "archive", f"not read: {why}", _HINT, severity="error")
        return False

    def allows(self, name: str, size: int, packed: int) -> bool:
        """Whether a member may be read; a refusal is noted."""
        self.members += 1
        if self.members > MAX_MEMBERS:
            if self.members == MAX_MEMBERS + 1:
                self.refuse(name, f"the archive has more than {MAX_MEMBERS} members")
            return False
        parts = name.split("/")
        if name.startswith(("/", "\\")) or ".." in parts or "\\" in name or ":" in parts[0] or "\0" in name:
            return self.refuse(name, "its name leads outside the archive")
        if len(parts) > MAX_DEPTH:
            return self.refuse(name, f"more than {MAX_DEPTH} folders inside one another")
        if size > MAX_BYTES or size > self.left:
            return self.refuse(name, f"{size} bytes are more than may be unpacked")
        if size > 1 << 20 and packed * MAX_RATIO < size:
            return self.refuse(name, f"{packed} bytes would become {size}")
        return True

    def take(self, name: str, stream: IO[bytes], size: int) -> bytes | None:
        """The member's bytes; `None` when there are more than its header says."""
        pieces: list[bytes] = []
        got = 0
        while piece := stream.read(_CHUNK):
            got += len(piece)
            if got > size:
                self.refuse(name, "it is larger than the archive says")
                return None
            pieces.append(piece)
        self.left -= got
        return b"".join(pieces)


def _zip(data: bytes, budget: _Budget) -> Iterator[tuple[str, bytes]]:
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        for info in archive.infolist():
            if info.is_dir():
                continue
            if (info.external_attr >> 28) == 0xA:
                budget.refuse(info.filename, "it is a link")
            elif budget.allows(info.filename, info.file_size, info.compress_size):
                with archive.open(info) as stream:
                    content = budget.take(info.filename, stream, info.file_size)
                if content is not None:
                    yield info.filename, content


def _tar(data: bytes, budget: _Budget) -> Iterator[tuple[str, bytes]]:
    plain = _unpacked(data, budget) if data[:2] == b"\x1f\x8b" else data
    with tarfile.open(fileobj=io.BytesIO(plain), mode="r:") as archive:
        for info in archive:
            name = info.name.removeprefix("./")
            if info.isdir():
                continue
            if not info.isreg():
                budget.refuse(name, "it is a link or a device")
            elif budget.allows(name, info.size, info.size):
                stream = archive.extractfile(info)
                content = budget.take(name, stream, info.size) if stream is not None else None
                if content is not None:
                    yield name, content


def _unpacked(data: bytes, budget: _Budget) -> bytes:
    """A gzip's content, at most what may be unpacked."""
    unpacker = zlib.decompressobj(wbits=31)
    limit = min(MAX_TOTAL, max(1 << 20, len(data) * MAX_RATIO))
    content = unpacker.decompress(data, limit)
    if unpacker.unconsumed_tail:
        budget.refuse("", f"{len(data)} bytes would become more than {limit}")
    return content
