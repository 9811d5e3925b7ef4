"""Where packages are missing, as in a browser's Python, each demo's cell says so in words, and the next one runs."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from quiz_widgets import demos, locales
from quiz_widgets.demos import cells
from quiz_widgets.demos.missing import MissingPackageError
from quiz_widgets.demos.words import words

NEED_NUMPY = {"accumulation", "disk_adam", "loss_scale", "master_weights", "number_formats"}

# What a notebook does: one shell, one cell after another, and what each prints.
RUN = """
import contextlib, io, json, sys
from IPython.core.interactiveshell import InteractiveShell
from quiz_widgets.demos import cells
platform, locale = sys.argv[1:]
for package in ("numpy", "matplotlib", "torch"):
    sys.modules[package] = None
sys.platform = platform
shell, found = InteractiveShell.instance(), {}
shell.colors = "nocolor"
for name in cells.names():
    with contextlib.redirect_stdout(io.StringIO()) as out:
        shell.run_cell(cells.source(name, locale))
    found[name] = {"out": out.getvalue(), "go on": shell.custom_exceptions != ()}
print(json.dumps(found))
"""


def ran(folder: Path, platform: str, locale: str) -> dict[str, dict[str, Any]]:
    environment = {**os.environ, "IPYTHONDIR": str(folder), "LANG": f"{locale}.UTF-8"}
    done = subprocess.run(
        [sys.executable, "-c", RUN, platform, locale],
        env=environment,
        capture_output=True,
        text=True,
        check=True,
        timeout=120,
    )
    found: dict[str, dict[str, Any]] = json.loads(done.stdout.splitlines()[-1])
    return found


@pytest.mark.parametrize("locale", locales.available())
def test_in_a_browser_every_cell_says_what_is_not_there(tmp_path: Path, locale: str) -> None:
    say = words(locale)

    found = ran(tmp_path, "emscripten", locale)

    demo = say.say("missing.demo_browser", package="numpy", command="quiz-widgets lab")
    picture = say.say("missing.picture_browser", package="matplotlib", command="quiz-widgets lab")
    assert set(found) == set(cells.names())
    for name, shown in found.items():
        assert "Traceback" not in shown["out"]
        assert "pip install" not in shown["out"]  # there it would not help
        assert shown["out"].splitlines()[-1] == (demo if name in NEED_NUMPY else picture)
    assert found["number_formats"]["go on"]  # the cell counts as run, so "Run All" does not end there


def test_elsewhere_the_words_say_what_to_install(tmp_path: Path) -> None:
    found = ran(tmp_path, "linux", "en")

    assert found["number_formats"]["out"] == (
        "This demo needs numpy, which is not installed here. To run it: pip install numpy\n"
    )
    assert "To measure it here: pip install torch" in found["autocast_table"]["out"]
    assert found["fit_bars"]["out"].splitlines()[-1] == (
        "No picture here: matplotlib, which draws it, is not installed. To see it: pip install matplotlib"
    )
    assert not any(shown["go on"] for shown in found.values())


def test_a_fault_of_our_own_is_not_taken_for_a_missing_package(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("adam", "fit"):
        monkeypatch.delattr(demos, name, raising=False)
    monkeypatch.setitem(sys.modules, "quiz_widgets.demos.adam", None)
    monkeypatch.delitem(sys.modules, "quiz_widgets.demos.fit", raising=False)
    with pytest.raises(ImportError, match=r"quiz_widgets\.demos") as caught:
        _ = demos.fit  # type: ignore[attr-defined]
    assert not isinstance(caught.value, MissingPackageError)
    with pytest.raises(AttributeError, match="nothing"):
        _ = demos.nothing  # type: ignore[attr-defined]
