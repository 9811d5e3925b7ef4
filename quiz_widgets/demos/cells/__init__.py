"""Notebook cells, one a file, as a reader sees them; ``{locale}`` stands for the reader's locale.

A course of one's own has its cells in a folder `own`, which come before those of the package.
"""

from __future__ import annotations

from importlib import resources
from pathlib import Path


def names(own: Path | None = None) -> tuple[str, ...]:
    """The names of all demo cells, sorted."""
    files = [entry.name for entry in resources.files(__name__).iterdir()]
    if own is not None:
        files += [entry.name for entry in own.glob("*.py")]
    return tuple(sorted({name[:-3] for name in files if name.endswith(".py") and name != "__init__.py"}))


def source(name: str, locale: str = "en", own: Path | None = None) -> str:
    """The code of one demo cell in a locale; `KeyError` when there is no such demo.

    `OSError` and `ValueError` come from files of a course that cannot be read.
    """
    if name not in names(own):
        raise KeyError(name)
    file = f"{name}.py"
    beside = own is not None and (own / file).is_file()
    text = (own / file if own is not None and beside else resources.files(__name__) / file).read_text(encoding="utf-8")
    return text.replace("{locale}", locale).rstrip("\n")
