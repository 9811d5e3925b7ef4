"""Evidence: claims against facts, every shipped key proved and every tampering noticed, and records that go stale."""

import dataclasses
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from decimal import Decimal
from pathlib import Path

import pytest
from hypothesis import given, strategies

from quiz_widgets import authoring, cli, evidence
from quiz_widgets.authoring import recorded, registered
from quiz_widgets.demos import registry
from quiz_widgets.demos.registry import Fact, Facts
from quiz_widgets.evidence import judging, records, workers
from quiz_widgets.model import Accept, Claim, Item, Option, Quiz, Rendered, Slip, Text

CONTENT = Path(__file__).parent.parent / "content"
FOLDERS = sorted(path.parent for path in CONTENT.glob("*/quiz.yaml"))


def text(source: str) -> Text:
    return Text({"en": Rendered(source, source, source, source)})


def option(name: str, *claims: Claim, correct: bool = False) -> Option:
    return Option(name, text(name), correct=correct, claims=claims)


def shipped() -> Iterator[tuple[Quiz, Item, Facts]]:
    """Every item of the course that has evidence, with the recorded facts."""
    for folder in FOLDERS:
        quiz, kept = authoring.load(folder), records.read(folder)
        for item in quiz.items:
            if item.evidence is not None:
                yield quiz, item, kept[item.evidence].facts


ITEMS = list(shipped())
IDS = [item.id for _, item, _ in ITEMS]


# Claims ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("claim", "value", "holds"),
    [
        (Claim("x", "equals", 12), 12.0, True),
        (Claim("x", "equals", 12), 12.0000001, False),
        (Claim("x", "equals", 12, within=0.01), 12.1, True),
        (Claim("x", "equals", 12, within=0.01), 12.2, False),
        (Claim("x", "equals", 0), 0.0, True),
        (Claim("x", "equals", 0), 1e-12, False),
        (Claim("x", "at_least", 0.5), 0.5, True),
        (Claim("x", "at_least", 0.5), 0.49, False),
        (Claim("x", "at_most", 0.5), 0.5, True),
        (Claim("x", "at_most", 0.5), 0.51, False),
        (Claim("x", "between", (1.0, 2.0)), 2.0, True),
        (Claim("x", "between", (1.0, 2.0)), 2.1, False),
        (Claim("x", "is", True), True, True),
        (Claim("x", "is", True), False, False),
        (Claim("x", "is", True), 1, False),
        (Claim("x", "is", "fp16"), "fp16", True),
        (Claim("x", "is", "fp16"), "fp32", False),
        (Claim("x", "equals", 1), True, False),
        (Claim("x", "at_least", 1), "2", False),
        (Claim("x", "at_least", "1"), 2, False),
        (Claim("x", "at_most", 5), float("nan"), False),
        (Claim("x", "at_least", 5), float("nan"), False),
        (Claim("x", "equals", 5), float("nan"), False),
        (Claim("x", "between", (0.0, 9.0)), float("nan"), False),
    ],
)
def test_what_holds(claim: Claim, value: registry.Value, holds: bool) -> None:
    assert judging.holds(claim, Fact(value)) is holds


@given(strategies.floats(allow_nan=False, allow_infinity=False, width=32), strategies.floats(0.011, 10))
def test_a_number_that_is_off_by_more_than_its_tolerance_never_equals(value: float, off: float) -> None:
    claim = Claim("x", "equals", value, within=0.01)
    assert judging.holds(claim, Fact(value))
    assert value == 0 or not judging.holds(claim, Fact(value * (1 + off)))


KEY = option("right", Claim("bytes", "equals", 12), correct=True)
WRONG = option("wrong", Claim("bytes", "equals", 16))
ITEM = Item(id="i", stem=text("?"), options=(KEY, WRONG, option("silly")), evidence="e")


def judged(item: Item, **facts: registry.Value) -> evidence.ItemReport:
    return judging.judge("q", item, Facts({name: Fact(value) for name, value in facts.items()}, "what was found"))


def test_a_key_that_holds_and_distractors_that_fail_prove_an_item() -> None:
    report = judged(ITEM, bytes=12)
    assert report.outcome == "proved"
    verdicts = {finding.part: finding.verdict for finding in report.findings}
    assert verdicts == {"right": "proved", "wrong": "refuted", "silly": "not computable"}
    assert report.lines()[0] == "q/i: proved: what was found"


def test_the_other_way_round_is_a_contradiction_that_names_item_and_option() -> None:
    report = judged(ITEM, bytes=16)
    assert report.outcome == "contradicted"
    told = "\n".join(report.lines())
    assert "q/i: contradicted" in told
    assert "right: contradicted: claims bytes 12, and it is 16" in told
    assert "wrong: contradicted" in told


def test_a_key_without_a_claim_proves_nothing() -> None:
    item = dataclasses.replace(ITEM, options=(option("right", correct=True), WRONG))
    assert judged(item, bytes=12).outcome == "open"
    assert "nothing proves it" in judged(item, bytes=12).lines()[0]


def test_every_part_of_an_order_or_a_match_has_to_hold() -> None:
    parts = (option("first", Claim("bytes", "at_least", 1)), option("second", Claim("bytes", "at_most", 12)))
    for kind in ("order", "match"):
        item = dataclasses.replace(ITEM, kind=kind, options=parts)
        assert judged(item, bytes=12).outcome == "proved"
        assert judged(item, bytes=16).outcome == "contradicted"
        assert judged(dataclasses.replace(item, options=(parts[0], option("second"))), bytes=12).outcome == "open"


def test_what_is_fully_accepted_has_to_hold_and_a_known_mistake_to_fail() -> None:
    right = Accept("twelve", text("twelve"), claims=(Claim("bytes", "equals", 12),))
    wrong = Accept("eight", text("eight"), Decimal(0), claims=(Claim("bytes", "equals", 8),))
    item = dataclasses.replace(ITEM, kind="text", options=(), accept=(right, wrong))

    assert judged(item, bytes=12).outcome == "proved"
    assert judged(item, bytes=8).outcome == "contradicted"
    verdicts = {finding.part: finding.verdict for finding in judged(item, bytes=12).findings}
    assert verdicts == {"twelve": "proved", "eight": "refuted"}


def test_a_claim_about_an_unknown_fact_is_told_with_those_that_there_are() -> None:
    report = judged(ITEM, octets=12)
    assert report.outcome == "contradicted"
    assert "no fact `bytes`; it has `octets`" in report.findings[0].message


def test_placeholders_need_facts() -> None:
    item = dataclasses.replace(ITEM, evidence_text=text("{bytes} of {gigabytes}"))
    report = judged(item, bytes=12)
    assert report.outcome == "contradicted"
    assert report.findings[-1].part == "evidence_text (en)"
    assert "`gigabytes`" in report.findings[-1].message


NUMBER = Item(
    id="n", kind="number", stem=text("?"), evidence="e", value=Decimal("13.04"),
    slips=(Slip("gb-for-gib", text("GB"), Decimal(14)), Slip("lost", text("no fact"), Decimal(3))),
)  # fmt: skip


def test_a_number_is_proved_to_all_the_digits_that_are_written() -> None:
    report = judged(NUMBER, value=13.0385, gb_for_gib=14.0)
    assert report.outcome == "proved"
    assert [finding.verdict for finding in report.findings] == ["proved", "refuted", "not computable"]


@pytest.mark.parametrize(
    "facts",
    [
        {"value": 13.06, "gb_for_gib": 14.0},
        {"value": 13.0385, "gb_for_gib": 15.4},
        {"gb_for_gib": 14.0},
        {"value": "13.04", "gb_for_gib": 14.0},
        {"value": float("nan"), "gb_for_gib": 14.0},
    ],
)
def test_another_number_is_a_contradiction(facts: dict[str, registry.Value]) -> None:
    assert judged(NUMBER, **facts).outcome == "contradicted"


def test_few_digits_do_not_hide_a_tenth() -> None:
    item = dataclasses.replace(NUMBER, value=Decimal(1), slips=())
    assert judged(item, value=1.0).outcome == "proved"
    assert judged(item, value=1.1).outcome == "contradicted"


def test_a_drawn_number_needs_every_number_it_shows() -> None:
    item = dataclasses.replace(NUMBER, value=None, slips=(Slip("gb-for-gib", text("GB")),))
    assert judged(item, value=13.0, gb_for_gib=14.0).outcome == "proved"
    assert judged(item, value=13.0).outcome == "contradicted"
    assert judged(item, value=float("inf"), gb_for_gib=14.0).outcome == "contradicted"


# The course -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("quiz", "item", "facts"), ITEMS, ids=IDS)
def test_every_shipped_item_is_proved_by_what_is_recorded(quiz: Quiz, item: Item, facts: Facts) -> None:
    report = judging.judge(quiz.id, item, facts)
    assert report.outcome == "proved", report.lines()


@pytest.mark.parametrize(("quiz", "item", "facts"), ITEMS, ids=IDS)
def test_turning_the_key_to_any_wrong_option_is_noticed(quiz: Quiz, item: Item, facts: Facts) -> None:
    for wrong in item.options:
        if not wrong.correct:
            options = tuple(dataclasses.replace(entry, correct=entry is wrong) for entry in item.options)
            report = judging.judge(quiz.id, dataclasses.replace(item, options=options), facts)
            assert report.outcome == "contradicted", wrong.id
            told = "\n".join(report.lines())
            assert f"{quiz.id}/{item.id}" in told
            assert f"{item.key[0]}: contradicted" in told


def moved(claim: Claim, fact: Fact) -> Fact:
    """The fact a tenth off where the claim is exact, and past its bound where the claim compares."""
    value, operand = fact.value, claim.operand
    if isinstance(value, bool):
        return Fact(not value, fact.unit)
    if isinstance(value, str):
        return Fact(value + "x", fact.unit)
    assert not isinstance(operand, bool | str)
    if isinstance(operand, tuple):
        return Fact(operand[1] * 1.1, fact.unit)
    past = {"equals": value * 1.1 if value else 0.1, "at_least": operand - 1e-6, "at_most": operand + 1e-6}
    return Fact(past[claim.operator], fact.unit)


@pytest.mark.parametrize(("quiz", "item", "facts"), ITEMS, ids=IDS)
def test_a_fact_that_moves_is_noticed(quiz: Quiz, item: Item, facts: Facts) -> None:
    for entry in item.options:
        for claim in entry.claims if entry.correct else ():
            changed = {**facts.facts, claim.fact: moved(claim, facts.facts[claim.fact])}
            report = judging.judge(quiz.id, item, Facts(changed, facts.summary))
            assert report.outcome == "contradicted", claim
            assert f"{entry.id}: contradicted" in "\n".join(report.lines())


@pytest.mark.parametrize(("quiz", "item", "facts"), ITEMS, ids=IDS)
def test_a_written_number_that_is_a_tenth_off_is_noticed(quiz: Quiz, item: Item, facts: Facts) -> None:
    if item.value is None:
        return
    report = judging.judge(quiz.id, dataclasses.replace(item, value=item.value * Decimal("1.1")), facts)
    assert report.outcome == "contradicted"
    for index, slip in enumerate(item.slips):
        assert slip.value is not None
        slips = list(item.slips)
        slips[index] = dataclasses.replace(slip, value=slip.value * Decimal("1.1"))
        report = judging.judge(quiz.id, dataclasses.replace(item, slips=tuple(slips)), facts)
        assert report.outcome == "contradicted", slip.id


def test_most_distractors_of_the_course_are_refuted() -> None:
    """Some cannot be computed, such as what font a log has; but they stay few."""
    verdicts = [
        finding.verdict
        for quiz, item, facts in ITEMS
        for finding in judging.judge(quiz.id, item, facts).findings
        if item.kind != "number"
    ]
    assert verdicts.count("refuted") >= 30
    assert verdicts.count("not computable") <= 15


@pytest.mark.slow
def test_one_command_proves_the_course(capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("torch", reason="pip install torch")
    assert cli.main(["check", "--evidence", str(CONTENT)]) == 0
    last = capsys.readouterr().out.splitlines()[-1]
    assert last == f"evidence: {len(ITEMS)} of {len(ITEMS) + 1} items proved, 1 cited, 0 contradicted, 0 skipped"


@pytest.mark.slow
def test_without_torch_what_needs_it_is_skipped_and_named(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, "torch", None)
    assert cli.main(["check", "--evidence", str(CONTENT)]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert "mixed-precision/autocast: skipped: torch is missing: pip install torch" in lines
    assert lines[-1].endswith("1 cited, 0 contradicted, 6 skipped (torch missing)")


def test_records_are_compared_in_an_environment_that_has_no_torch() -> None:
    check = "import sys; sys.modules['torch'] = None; from quiz_widgets import cli; "
    code = check + f"sys.exit(cli.main(['check', {str(CONTENT)!r}]))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.stderr == ""
    assert done.stdout.splitlines()[-1].startswith("checked: 2 quizzes")


# Workers ----------------------------------------------------------------------------------------------------------

COURSE = """
import os, time
from quiz_widgets.demos import Fact, Facts, evidence

@evidence("fine")
def fine(size=3):
    print("a print in between")
    return Facts({"size": Fact(size, "bytes")}, f"{size} bytes")

@evidence("broken")
def broken():
    raise RuntimeError("no luck")

@evidence("endless", seconds=0.01)
def endless():
    while True:
        pass

@evidence("gone")
def gone():
    os._exit(3)
"""


@pytest.fixture
def course(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    (tmp_path / "own_evidence.py").write_text(COURSE, encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(tmp_path), os.environ.get("PYTHONPATH", "")]))
    monkeypatch.setattr(registry, "MODULES", list(registry.MODULES))
    monkeypatch.setattr(registry, "_known", dict(registry._known))
    monkeypatch.setattr(registry, "_loaded", set(registry._loaded))
    monkeypatch.delitem(sys.modules, "own_evidence", raising=False)
    monkeypatch.setattr(workers, "LEAST_LIMIT", 1.0)
    registry.include(["own_evidence"])
    return "own_evidence"


def test_each_function_has_a_process_of_its_own(course: str) -> None:
    entries = [registry.get(name) for name in ("gone", "broken", "endless", "fine")]
    found = workers.compute(entries, [course])
    assert found["fine"] == Facts({"size": Fact(3, "bytes")}, "3 bytes")
    assert found["broken"] == "RuntimeError: no luck"
    assert "longer than its limit of 1 s" in str(found["endless"])
    assert "ended without a result" in str(found["gone"])


def test_parameters_are_passed_on(course: str) -> None:
    found = workers.compute([registry.get("fine")], [course], {"fine": {"size": 5}})
    assert found["fine"] == Facts({"size": Fact(5, "bytes")}, "5 bytes")


def test_a_worker_that_cannot_start_loses_its_functions_with_a_word(course: str) -> None:
    found = workers.compute([registry.get("fine")], ["no_such_module"])
    assert "worker ended" in str(found["fine"]) or "No module named" in str(found["fine"])


def test_evidence_that_cannot_be_computed_is_a_contradiction(course: str) -> None:
    item = dataclasses.replace(ITEM, evidence="broken")
    quiz = Quiz(id="q", title=text("Q"), level="easy", description=text(""), items=(item,))
    report = evidence.run([quiz], modules=[course])
    assert str(report.contradicted[0].message) == "`broken` could not be computed: RuntimeError: no luck"
    assert report.last_line() == "evidence: 0 of 1 items proved, 0 cited, 1 contradicted, 0 skipped"


def test_items_without_evidence_are_cited_or_open() -> None:
    cited = dataclasses.replace(ITEM, id="a", evidence=None, source=text("a paper"))
    unproved = dataclasses.replace(ITEM, id="b", evidence=None)
    unknown = dataclasses.replace(ITEM, id="c", evidence="not_registered")
    quiz = Quiz(id="q", title=text("Q"), level="easy", description=text(""), items=(cited, unproved, unknown))
    report = evidence.run([quiz])
    assert [item.outcome for item in report.items] == ["cited", "open", "contradicted"]


# Records ----------------------------------------------------------------------------------------------------------


def quiz_of(*names: str) -> Quiz:
    items = tuple(dataclasses.replace(ITEM, id=name.replace("_", "-"), evidence=name) for name in names)
    return Quiz(id="q", title=text("Q"), level="easy", description=text(""), items=items)


def found_of(name: str, value: float = 1.0) -> evidence.ItemReport:
    facts = Facts({"value": Fact(value, "s")}, "one second")
    return evidence.ItemReport("q", name, name, "proved", facts=facts)


def test_what_is_kept_comes_back(tmp_path: Path) -> None:
    records.write(tmp_path, [found_of("pcie_time")], today="2026-01-31")
    record = records.read(tmp_path)["pcie_time"]
    assert record.facts == Facts({"value": Fact(1.0, "s")}, "one second")
    assert record.date == "2026-01-31"
    assert record.source == registry.get("pcie_time").source_hash()
    assert "CPU" in record.machine
    assert set(record.versions) == {"python", "numpy"}


def test_a_result_that_stays_the_same_keeps_its_date(tmp_path: Path) -> None:
    records.write(tmp_path, [found_of("pcie_time")], today="2026-01-31")
    records.write(tmp_path, [found_of("pcie_time")], today="2026-02-01")
    assert records.read(tmp_path)["pcie_time"].date == "2026-01-31"
    records.write(tmp_path, [found_of("pcie_time", 2.0)], today="2026-02-01")
    assert records.read(tmp_path)["pcie_time"].date == "2026-02-01"


def test_what_was_skipped_stays_as_it_was(tmp_path: Path) -> None:
    records.write(tmp_path, [found_of("pcie_time")], today="2026-01-31")
    skipped = evidence.ItemReport("q", "pcie_time", "pcie_time", "skipped")
    cited = evidence.ItemReport("q", "cited", None, "cited")
    records.write(tmp_path, [skipped, cited])
    assert list(records.read(tmp_path)) == ["pcie_time"]


def test_records_of_other_code_are_problems(tmp_path: Path) -> None:
    records.write(tmp_path, [found_of("pcie_time"), found_of("nvme_time"), found_of("state_size")])
    path = tmp_path / records.FILE
    kept = json.loads(path.read_text(encoding="utf-8"))
    kept["nvme_time"]["source"] = "0" * 16
    path.write_text(json.dumps(kept), encoding="utf-8")
    told = {problem.path: problem.message for problem in records.problems(quiz_of("pcie_time", "nvme_time"), tmp_path)}
    assert told == {
        "nvme_time": "the recorded result was made by other code than there is now",
        "state_size": "a recorded result that no item names",
    }
    told = {problem.path: problem.message for problem in records.problems(quiz_of("gpu_weights"), tmp_path)}
    assert told["gpu_weights"] == "no result is recorded"


def test_a_folder_without_records_has_no_problem(tmp_path: Path) -> None:
    assert records.read(tmp_path) == {}
    assert records.problems(quiz_of("pcie_time"), tmp_path) == []


HUGE = '{"a": {"facts": {"x": {"value": NUMBER}}, "date": "d", "machine": "m", "summary": "", "versions": 5}}'
SPOILT = {
    "cut": b"{",
    "number": b'{"a": 1}',
    "half": b'{"a": {"facts": {}}}',
    "list": b"[]",
    "empty": b"",
    "null": b"null",
    "zeros": b"\0\0",
    "utf-16": "{}".encode("utf-16"),
    "deep": b"[" * 100_000,
    "infinite": HUGE.replace("NUMBER", "1e309").encode(),
    "no number": HUGE.replace("NUMBER", "NaN").encode(),
    "long": HUGE.replace("NUMBER", "9" * 400).encode(),
    "longer": HUGE.replace("NUMBER", "9" * 5000).encode(),
}


@pytest.mark.parametrize("spoilt", SPOILT.values(), ids=SPOILT)
def test_spoilt_records_are_told_and_can_be_written_again(spoilt: bytes, tmp_path: Path) -> None:
    (tmp_path / records.FILE).write_bytes(spoilt)
    assert "--record" in records.problems(quiz_of("pcie_time"), tmp_path)[0].message
    assert len(recorded.read(tmp_path)[1]) == 1

    records.write(tmp_path, [found_of("pcie_time")], today="2026-01-31")
    assert list(records.read(tmp_path)) == ["pcie_time"]
    assert recorded.read(tmp_path)[1] == []


SETTINGS = {
    "no TOML": b"x = [",
    "utf-16": "x = 1".encode("utf-16"),
    "tool": b"tool = 3",
    "table": b"[tool]\nquiz_widgets = 3",
    "number": b"[tool.quiz_widgets]\nevidence = 5",
    "text": b"[tool.quiz_widgets]\nevidence = 'abc'",
    "entries": b"[tool.quiz_widgets]\nevidence = [5]",
    "path": b"[tool.quiz_widgets]\nevidence = ['../x']",
    "relative": b"[tool.quiz_widgets]\nevidence = ['..x']",
    "empty": b"[tool.quiz_widgets]\nevidence = ['']",
    "unknown": b"[tool.quiz_widgets]\nevidence = ['no_such_module_anywhere']",
}


@pytest.mark.parametrize("settings", SETTINGS.values(), ids=SETTINGS)
def test_modules_that_cannot_be_used_are_told(
    settings: bytes, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "pyproject.toml").write_bytes(settings)
    shutil.copy(Path(__file__).parent / "cases" / "sample" / "quiz.yaml", tmp_path)
    before = list(registry.MODULES)

    assert cli.main(["check", "--evidence", str(tmp_path)]) == 1
    told = capsys.readouterr().out
    assert "pyproject.toml" in told
    assert "module" in told or "TOML" in told
    assert before == registry.MODULES


@pytest.mark.parametrize("folder", FOLDERS, ids=[folder.name for folder in FOLDERS])
def test_the_shipped_records_belong_to_the_shipped_code(folder: Path) -> None:
    assert records.problems(authoring.load(folder), folder) == []


def test_a_change_of_a_demo_changes_the_hash(monkeypatch: pytest.MonkeyPatch) -> None:
    entry = registry.get("scaler_trace")
    before = entry.source_hash()
    real = registry._module_source
    monkeypatch.setattr(registry, "_module_source", lambda name: real(name) + "\n# changed")
    assert entry.source_hash() != before


def test_a_course_names_its_modules(tmp_path: Path) -> None:
    inner = tmp_path / "content" / "quiz"
    inner.mkdir(parents=True)
    settings = '[tool.quiz_widgets]\nevidence = ["my_course.evidence"]\n'
    (tmp_path / "pyproject.toml").write_text(settings, encoding="utf-8")
    assert registered.course_modules(inner) == (tmp_path, ("my_course.evidence",))


def test_recording_needs_evidence(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["check", "--record", str(CONTENT)]) == 2
    assert "give both" in capsys.readouterr().err


def test_importing_the_register_is_cheap() -> None:
    code = "import sys; from quiz_widgets.demos import names; names(); sys.exit('numpy' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
