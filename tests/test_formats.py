"""Every format of the registry: what comes of its files, that it passes `check`, and that no bytes make it fail.

A format is covered by being in the registry and having files in `tests/formats/NAME`. With `FUZZ_SECONDS=60` (as
`make fuzz` has it) each is mutated for so long; a file that fails is kept in `tests/formats/corpus` and tried first.
"""

from __future__ import annotations

import hashlib
import json
import os
import time
from itertools import count
from pathlib import Path

import pytest

from quiz_widgets.authoring import quizzes
from quiz_widgets.formats import folder, registry
from quiz_widgets.formats.base import Format, Source
from quiz_widgets.formats.draft import Imported
from tests.formats.data import ROOT, content, expected, fixtures, load
from tests.formats.mutations import mutated

FIXTURES = fixtures()
READ = [known for known in registry.FORMATS if known.read is not None]
SECONDS = float(os.environ.get("FUZZ_SECONDS", "0"))
MUTATIONS = 80  # some seconds for each format
MOST_CPU_SECONDS = 20.0  # of one file: ten times what the slowest took


def title(case: object) -> str | None:
    return case.name if isinstance(case, Path) else case.id if isinstance(case, Format) else None


@pytest.mark.parametrize(("name", "path"), FIXTURES, ids=title)
def test_a_file_becomes_what_its_expectation_says(name: str, path: Path) -> None:
    wanted = json.loads(path.with_name(f"{path.name}.json").read_text(encoding="utf-8"))

    assert expected(load(name, path)) == wanted


@pytest.mark.parametrize(("name", "path"), FIXTURES, ids=title)
def test_a_file_is_recognised(name: str, path: Path) -> None:
    found = registry.recognise(Source(path.name, content(path)))

    assert [known.id for known in found][:1] == [name]


@pytest.mark.parametrize(("name", "path"), FIXTURES, ids=title)
def test_what_is_imported_passes_the_check(name: str, path: Path, tmp_path: Path) -> None:
    imported = load(name, path)
    for draft in imported.quizzes:
        prepared = folder.prepare(draft, path.name, "Imported from a test", tmp_path)
        if prepared.items:
            written = folder.write(prepared, tmp_path) / quizzes.QUIZ_FILE
            reading = quizzes.read(written)

            assert [problem for problem in reading.problems if problem.severity == "error"] == []
            assert reading.quiz is not None
            assert len(reading.quiz.items) == prepared.items
        assert prepared.items + prepared.left_out == len(draft.items)
        # A question that is left out is said to be, and why.
        assert (prepared.left_out > 0) == any(p.rule.startswith("refused-") for p in prepared.problems)


@pytest.mark.parametrize("known", registry.FORMATS, ids=title)
def test_every_format_has_files_and_a_row_in_the_pages(known: Format) -> None:
    page = (ROOT.parents[1] / "docs" / "formats.md").read_text(encoding="utf-8")

    assert f"\n| `{known.id}` |" in page
    assert known.read is None or any(name == known.id for name, _ in FIXTURES)


def survives(known: Format, data: bytes, tmp_path: Path) -> None:
    """Read, complete and write out again; whatever is in the file, it is said and not raised."""
    started = time.process_time()
    registry.recognise(Source("stranger", data))
    assert known.read is not None
    imported = known.read(Source("stranger", data))
    assert isinstance(imported, Imported)
    for draft in imported.quizzes:
        prepared = folder.prepare(draft, "stranger", "Imported from a stranger", tmp_path)
        assert prepared.items + prepared.left_out == len(draft.items)
    assert imported.quizzes or imported.problems
    assert time.process_time() - started < MOST_CPU_SECONDS


@pytest.mark.parametrize("known", READ, ids=title)
def test_no_bytes_make_an_importer_fail(known: Format, tmp_path: Path) -> None:
    corpus = ROOT / "corpus" / known.id
    kept = [path.read_bytes() for path in sorted(corpus.glob("*"))]
    seeds = [content(path) for name, path in FIXTURES if name == known.id]
    for data in (b"", b"\x00", b"\xff\xfe", b"PK\x03\x04", b"<", b"{", b"[", *kept, *seeds):
        survives(known, data, tmp_path)
    started = time.monotonic()
    for number in count():
        if number >= MUTATIONS and time.monotonic() - started >= SECONDS:
            break
        data = mutated([*seeds, *kept], number)
        try:
            survives(known, data, tmp_path)
        except BaseException:
            corpus.mkdir(parents=True, exist_ok=True)
            (corpus / hashlib.sha256(data).hexdigest()[:12]).write_bytes(data)
            raise
