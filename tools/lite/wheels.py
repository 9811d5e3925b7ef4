"""The wheels of the site's kernel, and the lock file by which Pyodide finds them when a cell imports them.

Pyodide's own lock names some 350 packages that it would fetch from the network. The site's lock names what lies beside
it, so a cell that imports anything else gets an ordinary ImportError, at once and offline.
"""

from __future__ import annotations

import hashlib
import json
import re
import zipfile
from collections.abc import Iterable, Iterator
from email.parser import HeaderParser
from pathlib import Path
from typing import Any

from packaging.requirements import Requirement

LOCK = "pyodide-lock.json"
# Where the site's kernel runs, for the conditions in a wheel's list of what it needs.
ENVIRONMENT = {
    "extra": "",
    "implementation_name": "cpython",
    "os_name": "posix",
    "platform_machine": "wasm32",
    "platform_python_implementation": "CPython",
    "platform_system": "Emscripten",
    "sys_platform": "emscripten",
}


def normal(name: str) -> str:
    """The name as registries compare it."""
    return re.sub(r"[-_.]+", "-", name).lower()


def closure(lock: dict[str, Any], names: Iterable[str]) -> dict[str, str]:
    """Version by name of the pure Python packages that `names` need, of those that a Pyodide lock holds."""
    packages = {normal(name): entry for name, entry in lock["packages"].items()}
    found: dict[str, str] = {}
    todo = [normal(name) for name in names]
    while todo:
        name = todo.pop()
        entry = packages.get(name)
        if name not in found and entry is not None and entry["file_name"].endswith("-none-any.whl"):
            found[name] = entry["version"]
            todo += [normal(needed) for needed in entry["depends"]]
    return found


def needs(wheel: Path, python: str) -> Iterator[str]:
    """Names of the packages that a wheel needs in the browser, as its metadata says; `python` is the version there."""
    with zipfile.ZipFile(wheel) as archive:
        metadata = next(name for name in archive.namelist() if name.endswith(".dist-info/METADATA"))
        headers = HeaderParser().parsestr(archive.read(metadata).decode("utf-8"))
    environment = {**ENVIRONMENT, "python_full_version": python, "python_version": ".".join(python.split(".")[:2])}
    for line in headers.get_all("Requires-Dist", []):
        requirement = Requirement(line)
        if requirement.marker is None or requirement.marker.evaluate(environment):
            yield normal(requirement.name)


def imports(wheel: Path) -> list[str]:
    """Names of the top-level modules and packages in a wheel."""
    with zipfile.ZipFile(wheel) as archive:
        tops = {name.split("/")[0] for name in archive.namelist() if name.endswith(".py") and ".data/" not in name}
    return sorted(top.removesuffix(".py") for top in tops if not top.endswith(".dist-info"))


def lock_of(info: dict[str, Any], wheels: Iterable[Path]) -> tuple[dict[str, Any], dict[str, list[str]]]:
    """A Pyodide lock of exactly these wheels; and by name what each would need that is not among them."""
    by_name = {normal(wheel.name.split("-")[0]): wheel for wheel in wheels}
    packages: dict[str, Any] = {}
    absent: dict[str, list[str]] = {}
    for name, wheel in sorted(by_name.items()):
        needed = sorted(set(needs(wheel, info["python"])))
        absent[name] = [other for other in needed if other not in by_name]
        packages[name] = {
            "name": name,
            "version": wheel.name.split("-")[1],
            "file_name": wheel.name,
            "install_dir": "site",
            "sha256": hashlib.sha256(wheel.read_bytes()).hexdigest(),
            "package_type": "package",
            "imports": imports(wheel),
            "depends": [other for other in needed if other in by_name],
            "unvendored_tests": False,
        }
    return {"info": info, "packages": packages}, absent


def read_lock(folder: Path) -> dict[str, Any]:
    """The lock of a Pyodide distribution."""
    found: dict[str, Any] = json.loads((folder / LOCK).read_text(encoding="utf-8"))
    return found
