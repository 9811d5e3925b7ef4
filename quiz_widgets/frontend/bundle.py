"""Makes what a notebook carries from the modules and the style sheet, with esbuild: joined, and names made short.

Only a checkout does this: `quiz-widgets build` keeps the results in ``joined/``, and an installed package reads these.
What edits the page therefore needs Node, as the check of its types does (`make setup` provides it); what shows a quiz
does not.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from types import MappingProxyType

_FOLDER = Path(__file__).parent
_ENDS_SCRIPT = re.compile(r"</?script|<!--", re.IGNORECASE)
_OPTIONS = ("--charset=utf8", "--legal-comments=none", "--log-level=error", "--minify")
# What styles.js exports, which only exists joined.
_SHEETS = {"css": "player.css", "gradedCss": "graded.css", "rowsCss": "rows.css"}
_DATA = "quizWidgetsData"  # what the classic script is applied to; esbuild keeps free names as they are


class BundleError(Exception):
    """The page's modules do not fit together, or there is nothing to join them with; the message says where and why."""


def style(source: str) -> str:
    """A style sheet without what means nothing."""
    return _esbuild(["--loader=css"], source).strip()


def bundle(entries: Mapping[str, str], changed: Mapping[str, str] = MappingProxyType({})) -> dict[str, str]:
    """One text for each entry (a module's source by file name) with everything it imports, by the same name.

    An entry without ``export default`` becomes a script expression: append ``(JSON)``, and it runs with
    `quizWidgetsData` for that value. `changed` are texts of files that are about to be written. `BundleError` for
    imports that lead nowhere, and for a text that could not stand inside a script element.
    """
    with TemporaryDirectory() as made:
        folder = Path(made)
        for path in _FOLDER.glob("*.js"):
            (folder / path.name).write_bytes(path.read_bytes())
        sheets = {name: style((_FOLDER / file).read_text(encoding="utf-8")) for name, file in _SHEETS.items()}
        styles = (f"export const {name} = {json.dumps(sheet, ensure_ascii=False)};\n" for name, sheet in sheets.items())
        texts = {"styles.js": "".join(styles), **changed, **entries}
        for name, text in texts.items():
            (folder / name).write_text(text, encoding="utf-8", newline="\n")
        names = [str(folder / name) for name in entries]
        _esbuild([*names, "--bundle", "--format=esm", "--target=es2022", f"--outdir={folder / 'out'}"], cwd=folder)
        return {
            name: _fit(name, (folder / "out" / name).read_text(encoding="utf-8"), text)
            for name, text in entries.items()
        }


def _fit(name: str, text: str, entry: str) -> str:
    """The text in the form in which it is used, if it can be."""
    if found := _ENDS_SCRIPT.search(text):
        raise BundleError(f"{name}: '{found[0]}' would end the script it stands in; build it from parts")
    if "export default" in entry:
        return text
    return f'({_DATA}=>{{"use strict";{text.strip()}}})\n'


def _esbuild(options: list[str], text: str | None = None, *, cwd: Path | None = None) -> str:
    root = _FOLDER.parents[1]
    program = root / "node_modules" / ".bin" / "esbuild"
    if not program.exists():
        raise BundleError(
            "the page's script was edited, and esbuild, which joins it, is missing: run `make setup`, then `make build`"
        )
    places = [str(Path(sys.executable).parent), str(root / ".venv" / "bin"), os.environ.get("PATH", os.defpath)]
    ran = subprocess.run(
        [str(program), *_OPTIONS, *options],
        input=text,
        capture_output=True,
        check=False,
        cwd=cwd,
        encoding="utf-8",
        env={**os.environ, "PATH": os.pathsep.join(places)},  # where Node comes from PyPI it stands in .venv
    )
    if ran.returncode:
        told = ran.stderr.replace(f"{cwd}{os.sep}", "") if cwd else ran.stderr
        raise BundleError(told.strip())
    return ran.stdout
