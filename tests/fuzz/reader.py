"""A process that sends damaged quizzes, translations and guides to the reader: `python -m tests.fuzz.reader KIND …`.

Its memory is bounded by the system, and each file by the CPU time that it may take, so a hang and a bomb are failures
like a traceback. Everything follows from a number. A file that fails is kept in `tests/fuzz/corpus/KIND` and tried
first in the next run.
"""

from __future__ import annotations

import hashlib
import random
import resource
import shutil
import signal
import sys
import tempfile
import time
from collections.abc import Iterator
from itertools import count
from pathlib import Path
from typing import Any

import yaml

from benchmarks.peak import peak_mb
from quiz_widgets import authoring, compiled
from quiz_widgets.authoring import fixes
from tests.formats.mutations import mutated

TESTS = Path(__file__).resolve().parents[1]
COURSE = TESTS / "cases" / "course"
CORPUS = Path(__file__).parent / "corpus"
KINDS = {"quiz": "quiz.yaml", "overlay": "quiz.tr.yaml", "guide": "guide.en.md"}
MOST_CPU_SECONDS = 20.0  # of one file, which is at most 200 kB: ten times what the slowest took
MEMORY = 1 << 30  # bytes beside what the process has when it begins; the largest used a tenth of it
TOKENS = (
    *(b"&a ", b"*a", b"<<: *a", b"!!python/object:os.system ", b"!!binary ", b"!x ", b"%YAML 1.2\n---\n", b"---\n"),
    *(
        b"...\n",
        b"? ",
        b": ",
        b":",
        b"- ",
        b"|",
        b">-\n",
        b"'",
        b'"',
        b'"\\u',
        b"\\frac{",
        b" #",
        b"#",
        b"\t",
        b"{",
        b"}",
    ),
    *(
        b"[",
        b"]",
        b",",
        b"~",
        b"null",
        b"true",
        b"0x1F",
        b"1e999",
        b"9" * 400,
        b".inf",
        b"1_000",
        b"12:30",
        b"-",
        b"0.",
    ),
    *(b"$", b"$$", b"\\$", b"$5", b"`", b"```", b"````\n", b"~~~\n", b"```{quiz} ", b"```{demo} ", b"(id)=\n", b"## "),
    *(
        b"<b>",
        b"&amp;",
        b"![](x)",
        b"[x](y)",
        b"](#",
        b"| a |",
        b"***",
        b"\x00",
        b"\xff",
        b"\xfe\xff",
        b"\r",
        b"\n",
        b"\x85",
    ),
    *(b"\xef\xbb\xbf", "\u2028".encode(), "\u202e".encode(), "\u200b".encode(), "إجابة".encode(), "İı".encode()),
    *(b"    ", b"\n\n", b"items:\n", b"  - id: x\n", b"kind: number\n", b"draw: {a: [1, 2]}\n", b"{value}", b"{a}"),
)
VALUES: tuple[Any, ...] = (
    *(
        "",
        " ",
        "x",
        "0",
        "-1",
        "1e9",
        "nan",
        "1/3",
        "50%",
        "x" * 5000,
        "$x$",
        "$\\frac{1}{2}$",
        "$\\frac{",
        "`",
        "{value}",
    ),
    *(
        "single",
        "multiple",
        "number",
        "text",
        "order",
        "match",
        "partial",
        "first",
        "bytes",
        "*",
        "a|b",
        "\\",
        "a\n\nb",
    ),
    *(None, True, 0, 10**30, 0.1, [], {}, [[]], ["x"], {"x": "y"}, {"a": [1, 2, 3]}, {"absolute": 0.5}, {"id": "x"}),
)
FIELDS = (
    *("id", "kind", "stem", "options", "credit", "accept", "targets", "section", "set", "points", "tries", "hints"),
    *(
        "explanation",
        "evidence",
        "source",
        "evidence_text",
        "exceptions",
        "value",
        "tolerance",
        "unit",
        "slips",
        "draw",
    ),
    *("digits", "correct", "match", "rationale", "claim", "pin", "text", "strict", "guides", "items", "level", "title"),
)


def seeds(kind: str) -> list[bytes]:
    """Sound and broken files of this kind."""
    name = KINDS[kind]
    found = sorted(path for path in (TESTS / "cases").rglob(name) if path.is_file())
    if kind == "quiz":
        found += sorted((TESTS / "broken").glob("*.yaml"))
    elif kind == "guide":
        found += sorted((TESTS / "cases" / "guides").glob("*.md"))
    return [path.read_bytes() for path in found]


def replaced(data: bytes, chance: random.Random) -> bytes:
    """The same tree with other values in some places: what is well-formed, and not what is expected there."""
    try:
        tree = yaml.safe_load(data)
    except (yaml.YAMLError, ValueError):
        return data
    for _ in range(chance.choice((1, 1, 2, 5))):
        places = list(_places(tree))
        if not places:
            break
        holder, key = chance.choice(places)
        if isinstance(holder, dict) and chance.random() < 0.3:
            holder[chance.choice(FIELDS)] = chance.choice(VALUES)
        elif chance.random() < 0.2:
            other, name = chance.choice(places)
            holder[key] = other[name]
        elif chance.random() < 0.2:
            del holder[key]
        else:
            holder[key] = chance.choice(VALUES)
    try:
        return yaml.safe_dump(tree, allow_unicode=True, sort_keys=False)[:200_000].encode()
    except (RecursionError, yaml.YAMLError):
        return data


def _places(node: Any, depth: int = 0) -> Iterator[tuple[Any, Any]]:
    if depth > 12:
        return
    keys = list(node) if isinstance(node, dict) else range(len(node)) if isinstance(node, list) else ()
    for key in keys:
        yield node, key
        yield from _places(node[key], depth + 1)


def example(kind: str, known: list[bytes], number: int) -> bytes:
    """The file of that number."""
    chance = random.Random(f"{kind} {number}")
    if kind != "guide" and chance.random() < 0.5:
        return replaced(chance.choice(known), chance)
    return mutated(known, number, TOKENS)


def survives(course: Path, kind: str, data: bytes) -> None:
    """Whatever is in the file, it is said and not raised; what is sound can be compiled and read again."""
    folder = course / "formats"
    (folder / KINDS[kind]).write_bytes(data)
    report = authoring.check([folder / KINDS["quiz"]])
    fixes.mend(report.problems)
    for problem in report.problems:
        assert str(problem)
    if not report.errors:
        for _, quiz in report.found:
            assert compiled.loads(compiled.dump(quiz)) == quiz


def main(kind: str, least: int, seconds: float) -> None:
    """Try so many files, and go on for so many seconds; end with the first that fails."""
    bytes_now = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[0]) * resource.getpagesize()
    resource.setrlimit(resource.RLIMIT_AS, (bytes_now + MEMORY, resource.RLIM_INFINITY))
    signal.signal(signal.SIGVTALRM, _too_long)
    corpus = CORPUS / kind
    kept = [path.read_bytes() for path in sorted(corpus.glob("*"))]
    known = [*seeds(kind), *kept]
    started, tried, slowest = time.monotonic(), 0, 0.0
    with tempfile.TemporaryDirectory() as base:
        course = Path(base) / "course"
        shutil.copytree(COURSE, course)
        original = (course / "formats" / KINDS[kind]).read_bytes()
        for number in count(-len(kept)):
            if number >= least and time.monotonic() - started >= seconds:
                break
            data = kept[number] if number < 0 else example(kind, [original, *known], number)
            began = time.process_time()
            signal.setitimer(signal.ITIMER_VIRTUAL, MOST_CPU_SECONDS)
            try:
                survives(course, kind, data)
            except BaseException:
                signal.setitimer(signal.ITIMER_VIRTUAL, 0)
                corpus.mkdir(parents=True, exist_ok=True)
                path = corpus / hashlib.sha256(data).hexdigest()[:12]
                path.write_bytes(data)
                print(f"{path}: fails", file=sys.stderr)
                raise
            signal.setitimer(signal.ITIMER_VIRTUAL, 0)
            tried, slowest = tried + 1, max(slowest, time.process_time() - began)
    print(f"{kind}: {tried} files, the slowest took {slowest:.2f} s, {peak_mb():.0f} MB")


def _too_long(*_: object) -> None:
    raise TimeoutError(f"more than {MOST_CPU_SECONDS:g} s of CPU time")


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), float(sys.argv[3]))
