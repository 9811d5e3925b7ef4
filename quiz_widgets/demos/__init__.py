"""Demos: each computes one fact that a key rests on. Importing this package imports no demo.

`evidence` registers a function whose facts prove keys; `names` and `get` find the registered ones; `measure` runs
one on this machine.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from quiz_widgets.demos.registry import Evidence, Fact, Facts, evidence, get, measure, names

__all__ = ["Evidence", "Fact", "Facts", "evidence", "get", "measure", "names"]

if not TYPE_CHECKING:  # a type checker finds the modules by itself, and would believe in any name

    def __getattr__(name: str) -> Any:
        """Import a demo: a notebook's cell asks for it by ``from quiz_widgets.demos import …``.

        Where it stands on a package that is not installed, a reader gets a sentence in place of a traceback.
        """
        import importlib
        from importlib.util import find_spec

        if name.startswith("_") or find_spec(f"{__name__}.{name}") is None:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        try:
            return importlib.import_module(f"{__name__}.{name}")
        except ModuleNotFoundError as error:
            from quiz_widgets.demos.missing import MissingPackageError

            package = (error.name or "").partition(".")[0]
            if package in ("", __name__.partition(".")[0]):
                raise
            raise MissingPackageError(package) from None
