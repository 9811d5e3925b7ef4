"""Demos: each computes one fact that a key rests on. Importing this package imports no demo.

`evidence` registers a function whose facts prove keys; `names` and `get` find the registered ones; `measure` runs
one on this machine.
"""

from __future__ import annotations

from quiz_widgets.demos.registry import Evidence, Fact, Facts, evidence, get, measure, names

__all__ = ["Evidence", "Fact", "Facts", "evidence", "get", "measure", "names"]
