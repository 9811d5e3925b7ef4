"""A progress bar for what takes longer than a moment: shown in a notebook, and nothing anywhere else."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any


@contextmanager
def progress(label: str, steps: int) -> Iterator[Callable[[], None]]:
    """Show a bar of that many steps while the block runs; calling what it gives moves the bar by one."""
    bar = _bar(label, steps)

    def advance() -> None:
        if bar is not None:
            bar.value += 1

    try:
        yield advance
    finally:
        if bar is not None:
            bar.close()


def _bar(label: str, steps: int) -> Any:
    try:
        import ipywidgets
        from IPython.core.getipython import get_ipython
        from IPython.display import display
    except ImportError:
        return None
    functions: Any = {"shell": get_ipython, "display": display}  # they publish no types
    if functions["shell"]() is None:
        return None
    bar = ipywidgets.IntProgress(value=0, min=0, max=steps, description=label, style={"description_width": "auto"})
    functions["display"](bar)
    return bar
