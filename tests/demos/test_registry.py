"""The register: names are unique, sources are hashed, and importing the package imports no demo."""

import subprocess
import sys

import pytest

from quiz_widgets.demos import registry


@pytest.fixture(autouse=True)
def empty_register(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(registry, "_known", {})
    monkeypatch.setattr(registry, "_loaded", set())
    monkeypatch.setattr(registry, "MODULES", [])
    monkeypatch.setattr(registry, "_measured", {})
    monkeypatch.setattr(registry, "_watchers", [])


def test_registered_evidence_is_found_by_name() -> None:
    @registry.evidence("twelve", requires=("no_such_package_anywhere",), seconds=0.1)
    def twelve() -> registry.Facts:
        return registry.Facts({"bytes": registry.Fact(12, "bytes")}, "12 bytes")

    found = registry.get("twelve")
    assert registry.names() == ("twelve",)
    assert found.compute().facts["bytes"].value == 12
    assert found.missing() == ("no_such_package_anywhere",)
    assert len(found.source_hash()) == 16


def test_what_ran_here_is_kept_and_told_of_but_nothing_else() -> None:
    told = []
    registry.watch(lambda: told.append(dict(registry.measured())))

    @registry.evidence("bytes")
    def size(count: int = 2) -> registry.Facts:
        return registry.Facts({"bytes": registry.Fact(6 * count, "bytes")}, "")

    @registry.evidence("elsewhere", requires=("no_such_package_anywhere",))
    def elsewhere() -> registry.Facts:
        raise ImportError

    @registry.evidence("broken")
    def broken() -> registry.Facts:
        raise ImportError

    assert registry.measure("broken") is None
    assert size(4).facts["bytes"].value == size(count=4).facts["bytes"].value == 24  # drawn numbers
    assert registry.measure("elsewhere") is None
    assert told == []
    found = registry.measure("bytes")

    assert told == [{"bytes": found}]
    assert registry.measured() == {"bytes": found}


def test_a_taken_name_is_refused() -> None:
    registry.evidence("twelve")(lambda: registry.Facts({}, ""))

    def other() -> registry.Facts:
        return registry.Facts({}, "")

    other.__module__ = "somewhere.else"
    with pytest.raises(ValueError, match="already registered"):
        registry.evidence("twelve")(other)


def test_unknown_name() -> None:
    with pytest.raises(KeyError):
        registry.get("no-such-evidence")


def test_a_course_adds_modules_once() -> None:
    registry.include(["math"])
    registry.include(["math"])
    assert registry.MODULES == ["math"]
    assert registry.names() == ()


def test_importing_the_package_imports_no_demo() -> None:
    code = (
        "import sys, quiz_widgets.demos;"
        "heavy = {'numpy', 'matplotlib', 'torch', 'ipywidgets'} & set(sys.modules);"
        "demos = [name for name in sys.modules if name.startswith('quiz_widgets.demos.') "
        "and name != 'quiz_widgets.demos.registry'];"
        "sys.exit(str((heavy, demos)) if heavy or demos else 0)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
