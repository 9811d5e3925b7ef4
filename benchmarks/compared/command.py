"""The command's options: what to measure, how thoroughly, and where the figures go."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from benchmarks.compared import figures, pages, place, table, tools
from benchmarks.compared.measure import measure


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure and print; the exit code is 0 also where an aim is missed: the table says so."""
    options = _parser().parse_args(arguments)
    chosen = tools.named(options.only)
    if options.from_json:
        found = figures.read()
    else:
        if options.setup:
            place.set_up()
        if not options.here and not place.PYTHON.exists():
            told = "there is no build/peers-venv yet; run this once with --setup, which installs the peers from PyPI"
            print(told, file=sys.stderr)
            return 2
        if not options.here:
            place.install_ours()
        found = measure(chosen, Path(sys.executable) if options.here else place.PYTHON, quick=options.quick)
    print(f"\n{table.markdown(found)}\n\n{table.aims(found)}")
    if options.json:
        figures.write(found, options.json)
    if options.write_readme:
        if not options.from_json:
            figures.write(found)
        pages.write(figures.read())
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description="Measure quiz_widgets and its peers side by side.")
    parser.add_argument("--quick", action="store_true", help="few repeats: some minutes")
    parser.add_argument("--only", action="append", default=[], metavar="TOOL", help="measure this one (repeatable)")
    parser.add_argument("--json", type=Path, metavar="FILE", help="keep the figures there")
    parser.add_argument(
        "--write-readme", action="store_true", help="keep the figures and write the tables of README.md and docs"
    )
    parser.add_argument("--from-json", action="store_true", help="measure nothing: take the figures that are kept")
    parser.add_argument("--setup", action="store_true", help="make build/peers-venv first, with the peers from PyPI")
    parser.add_argument("--here", action="store_true", help="use this environment, not build/peers-venv")
    return parser
