"""Every rule of the checker: an entry, a page, a fixture that breaks it, and one that does not."""

from __future__ import annotations

import ast
import json
import re
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from quiz_widgets import authoring
from quiz_widgets.authoring import quizzes
from quiz_widgets.authoring.rules import FAMILIES, RULES, all_or_none, duplicates
from quiz_widgets.authoring.rules.base import Rule
from quiz_widgets.model import Item, Rendered, Text
from quiz_widgets.problems import Problem
from tools import rule_pages

ROOT = Path(__file__).resolve().parents[1]
SOURCES = [path for path in (ROOT / "quiz_widgets" / "authoring").rglob("*.py") if "rules" not in path.parts]
# Where the rule stands among the arguments of a function that reports.
POSITIONS = {"add": 2, "add_at": 3, "error": 1, "Fault": 0, "one_of": 0}
OWN = {"tree.py": 2, "guides.py": 4}  # of `problem` in these files


def used(path: Path) -> Iterator[str]:
    """The ids of rules that a module of `authoring` names."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    constants = {
        target.id: node.value.value
        for node in ast.walk(tree)
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)
        for target in node.targets
        if isinstance(target, ast.Name)
    }
    for node in ast.walk(tree):
        given: list[ast.expr] = []
        if isinstance(node, ast.Call):
            name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
            position = OWN.get(path.name) if name == "problem" else POSITIONS.get(name)
            given = [word.value for word in node.keywords if word.arg == "rule"]
            if position is not None and len(node.args) > position:
                given.append(node.args[position])
        elif isinstance(node, ast.Yield) and path.name == "wording.py" and isinstance(node.value, ast.Tuple):
            given = node.value.elts[:1]
        for value in given:
            if isinstance(value, ast.Constant) and isinstance(value.value, str):
                yield value.value
            elif isinstance(value, ast.Name) and value.id in constants:
                yield str(constants[value.id])


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: path.name)
def test_every_rule_that_is_used_has_an_entry(path: Path) -> None:
    assert set(used(path)) <= set(RULES)


def test_uses_are_found() -> None:
    found = {rule for path in SOURCES for rule in used(path)}

    assert {"duplicate-field", "guide-fence", "tex-escape", "key", "claim", "level", "script", "words-plural"} <= found
    assert len(found) > 60


def test_ids_are_unique_and_short_words() -> None:
    assert len(RULES) == sum(len(family) for family in FAMILIES.values())
    assert [rule for rule in RULES if not re.fullmatch(r"[a-z]+(-[a-z]+)*", rule)] == []


def test_no_fixture_is_of_no_rule() -> None:
    assert {path.name for path in rule_pages.FIXTURES.iterdir()} == set(RULES)


def weighed(problems: tuple[Problem, ...]) -> list[Problem]:
    """Those of the greatest weight."""
    kinds = [[one for one in problems if one.severity == severity] for severity in ("error", "warning", "note")]
    return next((found for found in kinds if found), [])


@pytest.mark.parametrize("rule", RULES.values(), ids=RULES)
def test_a_rule_finds_its_mistake_and_nothing_else(rule: Rule, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(rule_pages.FIXTURES / rule.id)
    path = rule_pages.fixture(rule.id, "fails").relative_to(Path.cwd())

    found = weighed(rule_pages.problems(path))

    assert [str(problem) for problem in found] == Path("expected.txt").read_text(encoding="utf-8").splitlines()
    assert {(problem.rule, problem.severity) for problem in found} == {(rule.id, rule.severity)}


@pytest.mark.parametrize("rule", RULES)
def test_a_rule_finds_nothing_where_all_is_well(rule: str) -> None:
    found = rule_pages.problems(rule_pages.fixture(rule, "passes"))

    assert [str(problem) for problem in found if problem.rule == rule or problem.severity != "note"] == []


def test_every_rule_has_its_page() -> None:
    made = rule_pages.pages()

    assert {path.name for path in rule_pages.PAGES.iterdir()} == {path.name for path in made}
    assert [path.name for path, text in made.items() if path.read_text(encoding="utf-8") != text] == []


QUIZ = (rule_pages.FIXTURES / "longest-key" / "fails.yaml").read_text(encoding="utf-8")


def check(text: str) -> tuple[list[tuple[str, str]], tuple[str, ...]]:
    """Rules and severities of what is found in a quiz, and the reasons of what is accepted. Notes are left out."""
    reading = quizzes.parse(text.encode(), Path("fails.yaml"))
    found: list[tuple[str, str]] = [(one.rule, one.severity) for one in reading.problems if one.severity != "note"]
    return found, tuple(one.reason for one in reading.weighing.accepted)


def test_a_strict_quiz_has_no_warnings() -> None:
    assert check(QUIZ) == ([("longest-key", "warning")], ())
    assert check(QUIZ + "strict: true\n") == ([("longest-key", "error")], ())
    assert check(QUIZ + "strict: false\n") == ([("longest-key", "warning")], ())
    assert check(QUIZ + "strict: maybe\n")[0] == [("longest-key", "warning"), ("truth", "error")]


@pytest.mark.parametrize(
    "place", ["exceptions:\n  longest-key: As it is.\n", "    exceptions: {longest-key: As it is.}\n"]
)
@pytest.mark.parametrize("strict", ["", "strict: true\n"])
def test_an_exception_is_accepted_with_its_reason(place: str, strict: str) -> None:
    assert check(QUIZ + place + strict) == ([], ("As it is.",))


def test_an_exception_of_one_item_says_nothing_of_another() -> None:
    item = QUIZ[QUIZ.index("  - id") :]
    exception = "    exceptions: {longest-key: As it is.}\n"

    found, reasons = check(QUIZ + exception + item.replace("id: bytes", "id: again"))

    assert found == [("longest-key", "warning")]
    assert reasons == ("As it is.",)


@pytest.mark.parametrize(
    ("field", "rule"),
    [
        ("exceptions: {longest-key: }", "empty"),
        ("exceptions: [longest-key]", "shape"),
        ("exceptions: {longest-key: [why]}", "shape"),
        ("exceptions: {dollar: Money.}", "not-acceptable"),
        ("exceptions: {longest: Yes.}", "unknown-rule"),
        ("exceptions: {backtick: A sign.}", "stale-exception"),
    ],
)
def test_an_exception_that_accepts_nothing_is_reported(field: str, rule: str) -> None:
    assert rule in [found for found, _ in check(QUIZ + field + "\n")[0]]


def test_near_duplicates_are_accepted_at_the_later_item(tmp_path: Path) -> None:
    text = (rule_pages.FIXTURES / "near-duplicate" / "fails.yaml").read_text(encoding="utf-8")
    (tmp_path / "one.yaml").write_text(text, encoding="utf-8")
    accepting = text + "    exceptions: {near-duplicate: For practice.}\n"
    (tmp_path / "two.yaml").write_text(accepting.replace("id: fails", "id: two"), encoding="utf-8")

    report = authoring.check([tmp_path / "two.yaml"])

    assert [problem.rule for problem in report.problems if problem.severity != "note"] == []
    assert [(one.problem.rule, one.reason) for one in report.accepted] == [("near-duplicate", "For practice.")]
    assert len([one for one in authoring.check([tmp_path]).problems if one.rule == "near-duplicate"]) == 2


def item(number: int, words: list[str]) -> Item:
    stem = " ".join(words)
    return Item(id=f"item-{number}", stem=Text({"en": Rendered(stem, stem, stem, stem)}))


@pytest.fixture
def compared(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Grows with each pair of items that is compared."""
    found: list[int] = []
    share = duplicates._share

    def counted(one: frozenset[str], other: frozenset[str]) -> float:
        found.append(1)
        return share(one, other)

    monkeypatch.setattr(duplicates, "_share", counted)
    return found


def test_ten_thousand_items_are_not_compared_pair_by_pair(compared: list[int]) -> None:
    own = [item(at, [f"w{at}-{word}" for word in range(20)]) for at in range(5000)]
    pattern = "in the same words as ever add {at} and two".replace("{at}", "n{}")
    patterned = [item(at, pattern.format(at).split()) for at in range(5000)]

    found = list(duplicates.pairs([*own, *patterned, own[7]]))

    assert found == [(10_000, 7, 1.0)]
    assert len(compared) == 0  # the rarest runs of each are its own


def test_items_whose_every_run_is_common_are_compared_with_a_few(compared: list[int]) -> None:
    items = [item(at, [f"bit{bit}x{at >> bit & 1}" for bit in range(11)]) for at in range(2048)]

    list(duplicates.pairs(items))

    runs_that_count = 2  # of nine, because eight of nine are 80% and more
    assert 0 < len(compared) <= 2048 * runs_that_count * duplicates.BUCKET


def test_near_duplicates_of_each_other_are_found_whatever_else_there_is() -> None:
    words = [f"word{at}" for at in range(40)]
    changed = [*words[:20], "another", *words[21:]]

    assert [pair[:2] for pair in duplicates.pairs([item(0, words), item(1, words[::-1]), item(2, changed)])] == [(2, 0)]


@pytest.mark.parametrize(
    "line", (ROOT / "tests" / "cases" / "all-or-none.txt").read_text(encoding="utf-8").splitlines()
)
def test_all_or_none_in_three_languages(line: str) -> None:
    wanted, text = line.split(" ", 1)

    assert all_or_none.says_all_or_none(text) == (wanted == "+"), text


TEXTS = json.loads((ROOT / "tests" / "cases" / "rule-texts.json").read_text(encoding="utf-8"))
PASSING = (rule_pages.FIXTURES / "key" / "passes.yaml").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("name", "text", "wanted"),
    [(name, text, kind == "found") for name, case in TEXTS.items() for kind in ("found", "not") for text in case[kind]],
)
def test_a_rule_of_wording_finds_what_it_should_and_no_more(name: str, text: str, wanted: bool) -> None:
    case = TEXTS[name]
    assert PASSING.count(case["replace"]) == 1
    quoted = "'" + text.replace("'", "''") + "'"

    found, _ = check(PASSING.replace(case["replace"], quoted))

    assert (case["rule"] in [rule for rule, _ in found]) == wanted


def test_translated_guides_are_looked_at_as_well(tmp_path: Path) -> None:
    folder = Path(shutil.copytree(ROOT / "tests" / "cases" / "course", tmp_path / "course")) / "formats"
    guide = (folder / "guide.en.md").read_text(encoding="utf-8")
    translated = guide.replace("A byte has eight bits.", "Sekiz bit: [buraya](https://example.org), $5 ve ![](a.png).")
    (folder / "guide.tr.md").write_text(translated, encoding="utf-8")

    found = {problem.rule for problem in authoring.check([folder]).problems if problem.file.endswith(".tr.md")}

    assert {"image-text", "link-text", "guide-dollar"} <= found
