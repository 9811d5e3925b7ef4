"""What an import costs: CPU time, memory and questions a second, for a large Moodle XML with pictures.

Run it with ``.venv/bin/python -m benchmarks.formats [COUNT]`` (5,000 questions without it). Figures are those of a
process of its own that runs `quiz-widgets import`; starting Python and loading the package is in them.
`tests/test_formats_scale.py` holds the bounds.
"""

from __future__ import annotations

import argparse
import base64
import contextlib
import io
import json
import random
import struct
import subprocess
import sys
import tempfile
import time
import zlib
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))  # a script sees its own folder only

from benchmarks.peak import peak_mb

PICTURES = 400
"""Different pictures, each in several questions; an import keeps at most 500."""
SIDE = 48
"""Pixels of a picture; of noise, so that it does not pack: some 7 kB."""


def png(number: int) -> bytes:
    """A picture of noise: the same for the same number."""
    chance = random.Random(number)
    rows = b"".join(b"\0" + chance.randbytes(3 * SIDE) for _ in range(SIDE))

    def chunk(name: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))

    header = struct.pack(">IIBBBBB", SIDE, SIDE, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b"")


def write(path: Path, count: int) -> None:
    """A Moodle XML of so many questions of four types, each with a picture."""
    pictures = [base64.b64encode(png(number)).decode() for number in range(min(PICTURES, count))]
    with path.open("w", encoding="utf-8") as file:
        file.write('<?xml version="1.0" encoding="UTF-8"?>\n<quiz>\n')
        for number in range(count):
            file.write(_question(number, pictures[number % len(pictures)]))
        file.write("</quiz>\n")


def _question(number: int, picture: str) -> str:
    name = f"p{number % PICTURES}.png"
    stem = (
        '<questiontext format="html"><text><![CDATA[<p>'
        f"Question <b>{number}</b>: what follows from \\(x^2 = {number}\\)? "
        f'<img src="@@PLUGINFILE@@/{name}" alt="Noise"></p>]]></text>'
        f'<file name="{name}" path="/" encoding="base64">{picture}</file></questiontext>'
    )
    kind = ("multichoice", "multichoice", "numerical", "shortanswer")[number % 4]
    if kind == "multichoice":
        answers = "".join(
            f'<answer fraction="{100 if at == number % 3 else 0}" format="html"><text><![CDATA[<p>Answer <code>x[{at}]'
            f"</code> of {number}</p>]]></text><feedback><text>Because of {at}.</text></feedback></answer>"
            for at in range(3)
        )
    elif kind == "numerical":
        answers = f'<answer fraction="100"><text>{number}</text><tolerance>0.5</tolerance></answer>'
    else:
        answers = f'<answer fraction="100"><text>word {number}</text></answer>'
    head = f'<question type="{kind}"><name><text>Q{number}</text></name>'
    return f"{head}{stem}<generalfeedback><text>See {number}.</text></generalfeedback>{answers}</question>\n"


def run(path: Path, folder: Path) -> dict[str, float]:
    """Import the file in a process of its own: CPU seconds, MB at the peak, and how many questions were kept."""
    command = [sys.executable, "-m", "benchmarks.formats", "--one", str(path), str(folder)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    found: dict[str, float] = json.loads(done.stdout)
    return found


def _one(path: str, folder: str) -> None:
    from quiz_widgets import cli

    said = io.StringIO()
    with contextlib.redirect_stdout(said):
        code = cli.main(["import", path, "--to", folder, "--report", "json"])
    report = json.loads(said.getvalue())
    kept = sum(quiz["items"] for file in report["files"] for quiz in file["quizzes"])
    spent = time.process_time()
    peak = peak_mb()
    print(json.dumps({"code": code, "items": kept, "cpu": spent, "peak": peak}))


def main(count: int) -> None:
    """Print the figures."""
    with tempfile.TemporaryDirectory() as place:
        path = Path(place) / "bank.xml"
        write(path, count)
        found = run(path, Path(place) / "made")
        size = path.stat().st_size / 1e6
    print(f"moodle-xml: {found['items']:,.0f} of {count:,} questions with pictures, {size:.1f} MB")
    print(f"CPU {found['cpu']:.1f} s, {found['items'] / found['cpu']:,.0f} questions a second")
    print(f"memory at the peak {found['peak']:.0f} MB, {found['peak'] / size:.1f} times the file")


if __name__ == "__main__":
    if sys.argv[1:2] == ["--one"]:  # the process that is measured
        _one(*sys.argv[2:])
    else:
        parser = argparse.ArgumentParser(description=__doc__)
        parser.add_argument("count", nargs="?", type=int, default=5000, help="questions (default: 5000)")
        main(parser.parse_args().count)
