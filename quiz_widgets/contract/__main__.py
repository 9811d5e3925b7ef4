"""``python -m quiz_widgets.contract``: writes or compares ``frontend/contract.js`` alone, as a build does with all."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

from quiz_widgets.contract.script import javascript

_SCRIPT = Path(__file__).parents[1] / "frontend" / "contract.js"


def main(arguments: Sequence[str]) -> int:
    """``--write`` writes contract.js; ``--check`` compares it and returns 1 when it is stale."""
    if list(arguments) == ["--write"]:
        _SCRIPT.write_text(javascript(), encoding="utf-8")
        return 0
    if list(arguments) == ["--check"]:
        if _SCRIPT.is_file() and _SCRIPT.read_text(encoding="utf-8") == javascript():
            return 0
        print(f"{_SCRIPT}: stale; run `python -m quiz_widgets.contract --write`", file=sys.stderr)
        return 1
    print("usage: python -m quiz_widgets.contract --write | --check", file=sys.stderr)
    return 2


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
