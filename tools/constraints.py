"""Write constraints.txt: the exact version of everything that this environment holds for quiz_widgets and its extras.

Run it in a freshly made environment after changing a dependency: ``.venv/bin/python tools/constraints.py``.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from importlib import metadata
from pathlib import Path

from packaging.requirements import Requirement
from packaging.version import Version

HEADER = "# Exact versions for `make setup`, written by tools/constraints.py. The ranges stand in pyproject.toml.\n"
BUILD = ["hatchling"]  # builds the package; named in [build-system]


def normal(name: str) -> str:
    """The name as registries compare it."""
    return re.sub(r"[-_.]+", "-", name).lower()


def wanted(requirement: Requirement) -> Iterator[Requirement]:
    """What a requirement needs in this environment, with the extras that it asks for."""
    for line in metadata.distribution(requirement.name).requires or []:
        needed = Requirement(line)
        extras = {"", *requirement.extras}
        if needed.marker is None or any(needed.marker.evaluate({"extra": extra}) for extra in extras):
            yield needed


def pins() -> dict[str, str]:
    """Name and public version of every package in the closure of the project's requirements, but for itself."""
    found: dict[str, str] = {}
    seen: set[tuple[str, frozenset[str]]] = set()
    todo = [Requirement("quiz_widgets[lab,torch,dev,classroom,postgres,lti]"), *map(Requirement, BUILD)]
    while todo:
        requirement = todo.pop()
        key = (normal(requirement.name), frozenset(requirement.extras))
        if key in seen:
            continue
        seen.add(key)
        found[key[0]] = Version(metadata.version(requirement.name)).public
        todo += wanted(requirement)
    found.pop("quiz-widgets")
    return dict(sorted(found.items()))


def main() -> int:
    """Write the file at the root of the checkout."""
    target = Path(__file__).resolve().parents[1] / "constraints.txt"
    lines = [f"{name}=={version}\n" for name, version in pins().items()]
    target.write_text(HEADER + "".join(lines), encoding="utf-8")
    sys.stdout.write(f"{target.name}: {len(lines)} packages\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
