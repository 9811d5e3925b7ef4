"""Notebook cells, one a file, as a reader sees them; ``{locale}`` stands for the reader's locale."""

from __future__ import annotations

from importlib import resources


def names() -> tuple[str, ...]:
    """The names of all demo cells, sorted."""
    return tuple(
        sorted(
            entry.name[:-3]
            for entry in resources.files(__name__).iterdir()
            if entry.name.endswith(".py") and entry.name != "__init__.py"
        )
    )


def source(name: str, locale: str = "en") -> str:
    """The code of one demo cell in a locale; `KeyError` when there is no such demo."""
    if name not in names():
        raise KeyError(name)
    text = resources.files(__name__).joinpath(f"{name}.py").read_text(encoding="utf-8")
    return text.replace("{locale}", locale).rstrip("\n")
