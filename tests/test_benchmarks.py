"""The side by side with peers: its table follows from its figures, the pages hold it, and a short run of it works."""

from __future__ import annotations

import copy
import subprocess
import sys
from pathlib import Path

import pytest

from benchmarks.compared import aims, figures, graded, pages, place, questions, table, tools
from benchmarks.compared.tools import BARE, OURS

ROOT = Path(__file__).resolve().parents[1]
CASES = ROOT / "tests" / "cases" / "benchmarks"


@pytest.fixture
def run() -> figures.Figures:
    """A small run, made up."""
    return figures.read(CASES / "peers.json")


def rows(run: figures.Figures) -> dict[str, list[str]]:
    """The cells of the whole table by the words of their row."""
    lines = [line for line in table.markdown(run).splitlines() if line.startswith("| ")]
    cells = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]
    return {row[0]: row[1:] for row in cells}


def test_the_table_gives_medians_and_ratios_of_one_run(run: figures.Figures) -> None:
    found = rows(run)

    assert found[""] == [OURS, "jupyterquiz", BARE]
    assert found["import, CPU, in a running kernel"] == ["3.0 ms", "5.0 ms (×1.7)", "–"]
    assert found["run to first option"] == ["60 ms (×1.2)", "65 ms (×1.3)", "50 ms"]
    assert found["output and messages of eight questions"] == ["62.0 kB", "47.0 kB (×0.8)", "3.5 kB (×0.1)"]
    assert found["the output less the page's core"] == ["10.0 kB", "–", "–"]
    assert found["200 questions in one cell"] == ["110 ms (×1.8)", "> 8 s", "60 ms"]
    assert found["axe violations, dark"] == ["0", "color-contrast ×4; label ×32", "0"]
    assert found["keys b and x on an option"] == ["no cell changed", "b +1, x -1 cells", "b +1, x -1 cells"]
    assert found["key in the saved notebook, graded"] == ["no, nor a question", "–", "–"]


def test_the_table_says_what_was_not_measured_and_where_the_rest_was(run: figures.Figures) -> None:
    said = table.markdown(run).splitlines()[0]

    assert "2026-11-30" in said
    assert "2 cores" in said
    assert "Not measured: labquiz (pip failed)." in said


def test_the_aims_say_what_is_missed(run: figures.Figures) -> None:
    missed = {verdict.aim for verdict in aims.verdicts(run) if not verdict.met}
    assert missed == {"200 questions in one cell appear within 1.5 times the bare page's time"}  # 110 of 60 ms

    worse = copy.deepcopy(run)
    worse["tools"][OURS] |= {
        "import_kernel_ms": [16.0],
        "first_ms": [66.0],
        "feedback_frame": False,
        "output_bytes": 97000,
        "axe_dark": {"label": 1},
        "groups": 7,
        "announced": False,
        "keys": {"arrow": "the notebook", "b": 0, "x": -1},
    }
    found = [verdict.aim for verdict in aims.verdicts(worse) if not verdict.met]
    assert len(found) == 10


def test_an_aim_without_figures_is_not_judged(run: figures.Figures) -> None:
    del run["tools"]["jupyterquiz"]
    assert not any("jupyterquiz" in verdict.aim for verdict in aims.verdicts(run))

    del run["tools"][OURS]
    assert aims.verdicts(run) == []


def test_what_was_not_reached_has_no_median() -> None:
    assert figures.middle([3.0, 1.0, 2.0]) == 2.0
    assert figures.middle([3.0, None]) is None
    assert figures.middle([]) is None


def test_figures_are_read_as_they_were_written(run: figures.Figures, tmp_path: Path) -> None:
    figures.write(run, tmp_path / "new" / "peers.json")

    assert figures.read(tmp_path / "new" / "peers.json") == run


def test_the_pages_hold_the_table_of_the_kept_figures() -> None:
    stale = pages.stale(figures.read())

    assert stale == [], "run `.venv/bin/python benchmarks/peers.py --from-json --write-readme`"


def test_a_stale_page_is_found_and_written_anew(run: figures.Figures, tmp_path: Path) -> None:
    (tmp_path / "docs").mkdir()
    for name in pages.PAGES:
        (tmp_path / name).write_text(f"Before.\n\n{pages.BEGIN}\nold\n{pages.END}\n\nAfter.\n", encoding="utf-8")
    assert pages.stale(run, tmp_path) == list(pages.PAGES)

    pages.write(run, tmp_path)
    assert pages.stale(run, tmp_path) == []
    text = (tmp_path / "README.md").read_text(encoding="utf-8")
    assert text.startswith("Before.\n")
    assert text.endswith("\nAfter.\n")
    assert "old" not in text

    changed = text.replace("60 ms (×1.2)", "6 ms (×0.1)")
    (tmp_path / "README.md").write_text(changed, encoding="utf-8")
    assert pages.stale(run, tmp_path) == ["README.md"]


def test_a_page_without_a_place_for_the_table_is_an_error(run: figures.Figures) -> None:
    with pytest.raises(ValueError, match="one place for the table"):
        pages.filled("Nothing here.", run, short=True)


def test_an_unknown_tool_is_named_with_those_that_are_known() -> None:
    with pytest.raises(SystemExit, match="quizzes; there are: quiz_widgets, jupyterquiz"):
        tools.named(["quizzes"])


@pytest.mark.parametrize(
    ("saved", "said"),
    [
        (r'"practice\":{\"items\":{\"q0\":{\"key\":[\"o1\"', "yes"),
        ("How many bits does a byte have? Yes, as the text says.", "yes"),
        ("How many bits does a byte have?", "no, but questions"),
        ('load_quiz("hall/exam")', "no, nor a question"),
    ],
)
def test_a_saved_notebook_tells_the_key_only_where_it_stands_in_it(saved: str, said: str) -> None:
    own = tools.named([OURS])[0]
    assert graded.told(saved, own.key, questions.EIGHT) == said


def test_every_peer_from_the_registry_has_an_exact_version() -> None:
    pinned = {line.split("==")[0] for line in place.REQUIREMENTS.read_text().splitlines() if "==" in line}

    assert {tool.package for tool in tools.TOOLS if tool.package and tool.name != OURS} <= pinned


@pytest.mark.slow
@pytest.mark.timeout(1200)
def test_a_short_run_of_ours_and_the_bare_page_keeps_what_this_project_promises(tmp_path: Path) -> None:
    kept = tmp_path / "figures.json"
    command = [sys.executable, str(ROOT / "benchmarks" / "peers.py"), "--quick", "--here"]
    options = ["--only", OURS, "--only", BARE, "--json", str(kept)]

    ran = subprocess.run([*command, *options], capture_output=True, text=True, timeout=1100, check=False)

    assert ran.returncode == 0, ran.stderr
    found = figures.read(kept)
    ours, bare = found["tools"][OURS], found["tools"][BARE]
    assert table.markdown(found) in ran.stdout
    assert (ours["feedback_frame"], ours["busy_frame"]) == (True, True)
    assert (ours["axe_light"], ours["axe_dark"]) == ({}, {})
    assert (ours["groups"], ours["announced"]) == (8, True)
    assert ours["keys"] == {"arrow": "the choice", "b": 0, "x": 0}
    assert (ours["restarted"], ours["exported"]) == ("answers kept, works", "works")
    assert (ours["probe"], bare["probe"]) == ("refused", "does not run")
    assert (ours["key_in_output"], ours["graded"]) == (True, "no, nor a question")
    assert (ours["cell_seen"], ours["cells_seen"]) == (200, 200)
    assert ours["output_bytes"] - ours["core_bytes"] < 6 * bare["output_bytes"]
    assert ours["models"] <= 2
    assert ours["nodes"] <= 4 * bare["nodes"]
    # What a bare page gives away by itself: if these were not so, the measures above would prove nothing.
    assert bare["keys"] == {"arrow": "the notebook", "b": 1, "x": -1}
    assert bare["restarted"] == "answers lost, works"
