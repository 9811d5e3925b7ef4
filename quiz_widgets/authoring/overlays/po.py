"""Translations as PO files, for translation tools: context is the path of a text, a changed source makes it fuzzy."""

from __future__ import annotations

from collections.abc import Mapping
from io import BytesIO
from typing import TYPE_CHECKING

from quiz_widgets.problems import ContentError, Problem

if TYPE_CHECKING:
    from types import ModuleType


def export(
    locale: str, sources: Mapping[str, str], translated: Mapping[str, str], outdated: frozenset[str], project: str
) -> bytes:
    """A PO file of all texts; `outdated` paths are fuzzy."""
    pofile, catalogs = _babel("pofile"), _babel("catalog")
    catalog = catalogs.Catalog(locale=locale.replace("-", "_"), project=project, charset="utf-8", fuzzy=False)
    for path, source in sources.items():
        message = catalog.add(source, translated.get(path, ""), context=path)
        # Babel takes "7% of" for a format of Python's.
        message.flags = {"fuzzy"} if path in outdated else set()
    buffer = BytesIO()
    pofile.write_po(buffer, catalog, width=100)
    return buffer.getvalue()


def read(data: bytes, file: str, sources: Mapping[str, str]) -> tuple[dict[str, str], list[Problem]]:
    """The finished translations of a PO file by path, and what in it fits no text of the source any more."""
    pofile = _babel("pofile")
    try:
        catalog = pofile.read_po(BytesIO(data), charset="utf-8")
    except (ValueError, UnicodeDecodeError, pofile.PoFileError) as error:
        hint = "export it again with `quiz-widgets translate PATH --to LOCALE --po FILE`"
        raise ContentError([Problem(file, message=f"this is no PO file: {error}", hint=hint, rule="po")]) from None
    found: dict[str, str] = {}
    problems: list[Problem] = []
    for message in catalog:
        if not message.id or not message.string or message.fuzzy:
            continue
        path, line = message.context or "", message.lineno or 0
        if path not in sources:
            hint = "export a new file; this text is left out"
            problems.append(Problem(file, line, 1, path, "no text of the source has this context", hint, rule="po"))
        elif " ".join(message.id.split()) != " ".join(sources[path].split()):
            hint = "export a new file and compare; this text is left out"
            problems.append(
                Problem(file, line, 1, path, "stale: the source says something else by now", hint, rule="po")
            )
        else:
            found[path] = message.string
    return found, problems


def _babel(name: str) -> ModuleType:
    """A module of Babel, or what to install."""
    try:
        from babel.messages import catalog, pofile
    except ImportError:
        hint = "pip install babel"
        raise ContentError([Problem("PO files", message="Babel is not installed", hint=hint, rule="po")]) from None
    return {"catalog": catalog, "pofile": pofile}[name]
