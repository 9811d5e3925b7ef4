"""Drafts as JSON, without what is empty, and back to nothing: expectations are read by people.

``python -m tests.formats.data FORMAT FILE…`` writes FILE.json beside each file. Read every line before you keep it.
A folder `NAME.zip`, `NAME.h5p` or `NAME.xlsx` stands for the archive of the files in it, so that they can be read and
compared.
"""

from __future__ import annotations

import dataclasses
import io
import json
import sys
import zipfile
from decimal import Decimal
from pathlib import Path
from typing import Any

from quiz_widgets.formats import registry
from quiz_widgets.formats.base import Source
from quiz_widgets.formats.draft import Imported, Place
from quiz_widgets.locales.numbers import canonical
from quiz_widgets.problems import Problem

ROOT = Path(__file__).parent


def data(value: Any) -> Any:
    """A draft as plain data: fields that have their default are left out, pictures are said by name and size."""
    if isinstance(value, Place):
        return value.line
    if dataclasses.is_dataclass(value):
        found = {}
        for field in dataclasses.fields(value):
            part = getattr(value, field.name)
            default = field.default if field.default_factory is dataclasses.MISSING else field.default_factory()
            if part != default:
                found[field.name] = data(part)
        return found
    if isinstance(value, Decimal):
        return canonical(value)
    if isinstance(value, bytes):
        return len(value)
    if isinstance(value, dict):
        return {key: data(entry) for key, entry in value.items()}
    return [data(entry) for entry in value] if isinstance(value, tuple) else value


def problem(found: Problem) -> str:
    """A problem as one line, without the file."""
    where = f"{found.line}: " if found.line else ""
    item = f"[{found.path}] " if found.path else ""
    hint = f" ({found.hint})" if found.hint else ""
    return f"{where}{found.severity} {found.rule}: {item}{found.message}{hint}"


def expected(imported: Imported) -> dict[str, Any]:
    """What a file's JSON says."""
    return {
        "quizzes": [data(quiz) for quiz in imported.quizzes],
        "problems": [problem(found) for found in imported.problems],
    }


def fixtures() -> list[tuple[str, Path]]:
    """Every format's files, with the format's id. What comes of FILE stands in FILE.json."""
    found = []
    for known in registry.FORMATS:
        folder = ROOT / known.id.replace("-", "_")
        paths = sorted(path for path in folder.glob("*") if path.with_name(f"{path.name}.json").exists())
        found += [(known.id, path) for path in paths]
    return found


def content(path: Path) -> bytes:
    """The bytes of a file, or of the archive that a folder stands for."""
    if path.is_file():
        return path.read_bytes()
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as archive:
        for part in sorted(path.rglob("*")):
            if part.is_file():
                # The same bytes every time: no date of the file.
                archive.writestr(zipfile.ZipInfo(part.relative_to(path).as_posix()), part.read_bytes())
    return made.getvalue()


def load(name: str, path: Path) -> Imported:
    """What the importer makes of a file."""
    known = registry.get(name)
    assert known is not None
    assert known.read is not None
    return known.read(Source(path.name, content(path)))


if __name__ == "__main__":
    for named in sys.argv[2:]:
        made = json.dumps(expected(load(sys.argv[1], Path(named))), ensure_ascii=False, indent=1)
        Path(f"{named}.json").write_text(made + "\n", encoding="utf-8")
        print(made)
