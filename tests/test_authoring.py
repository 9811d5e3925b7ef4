"""Reading quizzes from YAML: every rule has a wrong file of its own, and no bytes at all cause a traceback."""

from __future__ import annotations

import dataclasses
import sys
from collections.abc import Sequence
from decimal import Decimal
from pathlib import Path

import pytest
import yaml
from hypothesis import example, given, settings
from hypothesis import strategies as st

from quiz_widgets import authoring, grading
from quiz_widgets.authoring import quizzes, tree
from quiz_widgets.model import Claim, Quiz, Response, Tolerance
from quiz_widgets.problems import ContentError, Problem

ROOT = Path(__file__).parent
BROKEN = ROOT / "broken"
SAMPLE = ROOT / "cases" / "sample"

ONE_ITEM = """\
id: one
title: One
level: easy
description: One item.
items:
  - id: only
    stem: STEM
    options:
      - {id: a, text: OPTION, correct: true, rationale: Yes.}
      - {id: b, text: B, rationale: No.}
    explanation: Because.
    source: A book
"""


def expectations() -> dict[Path, str]:
    """By fixture (a file, or a folder of files) the one problem that its YAML announces in its first line."""
    found: dict[Path, str] = {}
    for file in sorted(BROKEN.rglob("*.yaml")):
        first = file.read_bytes().split(b"\n", 1)[0].decode()
        if first.startswith("# "):
            found[file if file.parent == BROKEN else file.parent] = first[2:]
    return found


EXPECTED = expectations()


def shown(problem: Problem) -> str:
    """The problem as printed, with the file's name only, as the fixtures have it."""
    return str(dataclasses.replace(problem, file=Path(problem.file).name))


@pytest.mark.parametrize("fixture", EXPECTED, ids=lambda fixture: fixture.name)
def test_a_broken_file_gives_its_one_expected_problem(fixture: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT.parent)

    problems = authoring.check([fixture.relative_to(ROOT.parent)]).problems

    assert [shown(problem) for problem in strongest(problems)] == [EXPECTED[fixture]]


def strongest(problems: Sequence[Problem]) -> list[Problem]:
    """The errors; without any the warnings, and without these the notes. Each fixture is about one rule."""
    weighed = [[problem for problem in problems if problem.severity == one] for one in ("error", "warning", "note")]
    return next((found for found in weighed if found), [])


def test_one_check_finds_every_broken_file(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT.parent)

    report = authoring.check(["tests/broken"])

    assert set(EXPECTED.values()) <= {shown(problem) for problem in report.problems}
    assert report.quizzes > 80
    assert all(problem.rule for problem in report.problems)
    weaker = [line for line in EXPECTED.values() if ": warning: " in line or ": note: " in line]
    assert len(report.errors) == len(EXPECTED) - len(weaker)


def test_the_course_and_the_sample_hold_no_errors() -> None:
    report = authoring.check([ROOT.parent / "content", SAMPLE])

    assert report.errors == ()
    assert report.quizzes == 3


def test_all_problems_of_a_file_come_at_once() -> None:
    text = ONE_ITEM.replace("level: easy", "level: simple").replace("STEM", "$\\foo$").replace("correct: true, ", "")

    with pytest.raises(ContentError) as raised:
        load_text(text)

    assert [problem.rule for problem in raised.value.problems] == ["level", "markup", "key"]
    assert "3:8" in str(raised.value).splitlines()[0]


def load_text(text: str | bytes) -> Quiz:
    data = text if isinstance(text, bytes) else text.encode()
    reading = quizzes.parse(data, Path("one.yaml"))
    errors = [problem for problem in reading.problems if problem.severity == "error"]
    if errors or reading.quiz is None:
        raise ContentError(errors)
    return reading.quiz


@pytest.mark.parametrize(
    "written",
    ["no", "on", "0.10", "12:30", "1e3", "010", "0x1F", "1_000", "2024-01-05", "~", "null", ".inf", "=", "C#"],
)
def test_texts_stay_as_they_are_written(written: str) -> None:
    assert load_text(ONE_ITEM.replace("OPTION", written)).items[0].options[0].text.forms["en"].source == written


@pytest.mark.parametrize("ends", ["\r\n", "\r"])
def test_byte_order_marks_and_foreign_line_ends_are_read(ends: str) -> None:
    foreign = b"\xef\xbb\xbf" + ONE_ITEM.replace("\n", ends).encode()

    assert load_text(foreign) == load_text(ONE_ITEM)


@pytest.mark.parametrize("text", ["🙂 ذاكرة $\\foo$", "'🙂 ذاكرة $\\foo$'"])
def test_columns_count_code_points(text: str) -> None:
    with pytest.raises(ContentError) as raised:
        load_text(ONE_ITEM.replace("STEM", text))

    place = raised.value.problems[0]
    assert (place.line, place.column) == (7, 11 + text.index("\\"))


def test_utf_16_is_named() -> None:
    with pytest.raises(ContentError, match=r"one\.yaml:1:1: the file is UTF-16 \(save the file as UTF-8\)"):
        load_text(ONE_ITEM.encode("utf-16"))


def test_zero_width_joiners_inside_words_and_emoji_are_let_through() -> None:
    assert load_text(ONE_ITEM.replace("STEM", "می‌شود 👩‍💻"))


def test_the_sample_holds_what_its_author_wrote() -> None:
    quiz = authoring.load(SAMPLE / "quiz.yaml")
    single, rich, _, partial, absolute, relative = quiz.items

    assert quiz == authoring.load(SAMPLE)
    assert [item.kind for item in quiz.items] == ["single", "single", "multiple", "multiple", "number", "number"]
    assert single.key == ("fp16",)
    assert single.options[0].claims == (Claim("exponent_bits", "equals", 5),)
    assert single.options[3].claims == (Claim("exponent_bits", "at_most", 0),)
    assert single.options[3].pin == "last"
    assert len(single.hints) == 2
    assert (rich.tries, partial.tries, partial.credit) == (3, 1, "partial")
    assert partial.points == Decimal(3)
    assert absolute.tolerance == Tolerance("absolute", Decimal("0.5"))
    assert absolute.value == Decimal(12)
    assert relative.set == "numbers"
    assert relative.slips[0].value == Decimal(84)
    assert list(quiz.guides[0].sections) == ["first-steps", "maths-and-code"]
    assert [item.id for item in quiz.in_set("numbers")] == ["number-absolute", "number-relative"]
    assert all(len(item.hash) == 16 for item in quiz.items)


def test_claims_of_every_operator() -> None:
    claim = "{a: 1.5, b: true, c: {is: fp16}, d: {between: [1, 2]}, e: {at_least: 3}, f: {equals: 4, within: 1e-3}}"
    text = ONE_ITEM.replace("correct: true", f"correct: true, claim: {claim}").replace("source: A book", "evidence: x")

    assert load_text(text).items[0].options[0].claims == (
        Claim("a", "equals", 1.5),
        Claim("b", "is", True),
        Claim("c", "is", "fp16"),
        Claim("d", "between", (1, 2)),
        Claim("e", "at_least", 3),
        Claim("f", "equals", 4, 1e-3),
    )


@pytest.mark.parametrize(
    ("claim", "message"),
    [
        ("{a: {is: [1]}}", "a text is expected, found a list"),
        ("{a: {at_least: two}}", "`two` is no number"),
        ("{a: {equals: 1, within: wide}}", "`wide` is no number"),
        ("{a: {between: [one, 2]}}", "`one` is no number"),
        ("{a: {between: [[1], 2]}}", "a text is expected, found a list"),
        ("{a: {}}", "exactly one comparison is expected, found none"),
        ("{a: {at_least: 1, at_most: 2}}", "exactly one comparison is expected, found `at_least` and `at_most`"),
        ("text", "fields are expected, found a text"),
    ],
)
def test_a_claim_that_asserts_nothing_is_a_problem(claim: str, message: str) -> None:
    text = ONE_ITEM.replace("correct: true", f"correct: true, claim: {claim}").replace("source: A book", "evidence: x")

    with pytest.raises(ContentError) as raised:
        load_text(text)

    assert [problem.message for problem in raised.value.problems] == [message]


@pytest.mark.parametrize(
    ("field", "message"),
    [
        ("tolerance: {}", "0 kinds of tolerance"),
        ("tolerance: {absolute: near}", "`near` is no number"),
        ("tolerance: {absolute: -1}", "a tolerance of -1"),
        ("tolerance: [1]", "fields are expected, found a list"),
        ("unit: ''", "the unit is empty"),
        ("unit: []", "a text is expected, found a list"),
        ("tries: many", "`many` is no number"),
        ("tries: 0", "0 tries"),
        ("points: ''", "`points` is empty"),
        ("slips: bits", "a list is expected, found a text"),
        ("draw: []", "fields are expected, found a list"),
        ("hints: [{a: b}]", "a text is expected, found fields"),
    ],
)
def test_a_wrong_field_of_a_number_item_is_a_problem(field: str, message: str) -> None:
    text = ONE_ITEM[: ONE_ITEM.index("    options")] + f"    kind: number\n    value: 1\n    {field}\n"

    with pytest.raises(ContentError) as raised:
        load_text(text)

    assert [problem.message for problem in raised.value.problems] == [message]


def test_a_number_may_be_graded_exactly_and_its_slips_are_compared_exactly() -> None:
    text = ONE_ITEM[: ONE_ITEM.index("    options")] + "    kind: number\n    value: 1\n    slips:\n      - {ID}\n"

    slips = load_text(text.replace("{ID}", "{id: near, value: 1.001, rationale: Near.}")).items[0].slips
    with pytest.raises(ContentError, match="it counts as right"):
        load_text(text.replace("{ID}", "{id: same, value: 1.0, rationale: Same.}"))

    assert [slip.value for slip in slips] == [Decimal("1.001")]


def test_without_the_c_parser_the_same_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    files = [SAMPLE / "quiz.yaml", *sorted(BROKEN.glob("*.yaml"))]
    quick = {file: authoring.check([file]) for file in files}
    monkeypatch.delattr(yaml, "CSafeLoader")

    plain = {file: authoring.check([file]) for file in files}

    # What is no YAML at all each parser says in its own words.
    assert {file: told(report) for file, report in plain.items()} == {
        file: told(report) for file, report in quick.items()
    }
    assert plain[files[0]].found == quick[files[0]].found


def told(report: authoring.Report) -> list[str]:
    return [
        f"{problem.line} {problem.rule}" if "this is not YAML" in problem.message else str(problem)
        for problem in report.problems
    ]


def test_loading_a_broken_file_raises_all_its_problems() -> None:
    with pytest.raises(ContentError, match=r"level\.yaml:4:8: level: `simple` is not allowed"):
        authoring.load(BROKEN / "level.yaml")


def test_without_the_demos_no_evidence_is_registered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "quiz_widgets.demos.registry", None)
    monkeypatch.delattr("quiz_widgets.demos.registry", raising=False)

    notes = authoring.check([SAMPLE]).problems

    assert "the evidence `single_plain` is not registered" in [note.message for note in notes]


def test_the_content_hash_follows_what_is_graded_and_nothing_else() -> None:
    item = load_text(ONE_ITEM).items[0]
    swapped = ONE_ITEM.replace("{id: a", "{id: z").replace("{id: b", "{id: a")

    def hash_of(old: str, new: str) -> str:
        assert old in ONE_ITEM
        return load_text(ONE_ITEM.replace(old, new)).items[0].hash

    for old, new in [("Yes.", "Right."), ("Because.", "Why not."), ("title: One", "title: Two"), ("A book", "A paper")]:
        assert hash_of(old, new) == item.hash
    assert hash_of("    source", "    hints: [Think.]\n    source") == item.hash
    for old, new in [
        ("STEM", "STEM?"),
        ("OPTION", "OTHER"),
        ("id: a,", "id: c,"),
        ("    stem", "    points: 2\n    stem"),
    ]:
        assert hash_of(old, new) != item.hash
    multiple = [
        hash_of("    stem", f"    kind: multiple\n    credit: {credit}\n    stem") for credit in ("exact", "partial")
    ]
    assert len({item.hash, *multiple}) == 3
    assert hash_of("    stem", "    points: 1.0\n    stem") == item.hash
    assert load_text(swapped).items[0].hash != item.hash


def test_the_order_of_options_changes_no_hash() -> None:
    first, second = ONE_ITEM.splitlines()[8:10]

    turned = load_text(ONE_ITEM.replace(f"{first}\n{second}", f"{second}\n{first}"))

    assert turned.items[0].hash == load_text(ONE_ITEM).items[0].hash


def test_every_key_of_the_course_earns_all_points() -> None:
    for folder in ("mixed-precision", "optimizer-offload"):
        for item in authoring.load(ROOT.parent / "content" / folder).items:
            variant = 0 if item.variants else None
            chosen = item.key if item.kind != "number" else (f"{grading.expected_value(item, variant):f}",)
            assert grading.grade(item, Response(chosen, variant)).correct, item.id


def test_a_path_without_a_quiz_is_named(tmp_path: Path) -> None:
    report = authoring.check([tmp_path, tmp_path / "gone.yaml"])

    assert [problem.message for problem in report.problems] == [
        "there is no quiz",
        "cannot be read: no such file or directory",
    ]
    assert (report.quizzes, report.items) == (0, 0)


def test_a_file_given_twice_is_checked_once_and_translations_are_no_quizzes(tmp_path: Path) -> None:
    (tmp_path / "quiz.tr.yaml").write_text("id: x\n", encoding="utf-8")

    assert authoring.check([SAMPLE, SAMPLE / "quiz.yaml"]).quizzes == 1
    assert authoring.check([tmp_path]).problems[0].message == "there is no quiz"


def test_a_quiz_may_belong_to_the_guide_of_another_folder(tmp_path: Path) -> None:
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
    (tmp_path / "one" / "quiz.yaml").write_text(ONE_ITEM + "guides: [two]\n", encoding="utf-8")
    (tmp_path / "two" / "guide.en.md").write_text("# Two\n\n(part)=\n## Part\n", encoding="utf-8")

    quiz = authoring.load(tmp_path / "one")

    assert [(guide.id, list(guide.sections)) for guide in quiz.guides] == [("two", ["part"])]


def test_an_unreadable_guide_is_a_problem_of_the_quiz(tmp_path: Path) -> None:
    folder = tmp_path / "one"
    folder.mkdir()
    (folder / "quiz.yaml").write_text(ONE_ITEM + "guides: [one]\n", encoding="utf-8")
    (folder / "guide.en.md").write_bytes(b"# \xff\n")

    problems = authoring.check([folder]).errors

    assert [(Path(problem.file).name, problem.message) for problem in problems] == [
        ("guide.en.md", "byte 2 is not UTF-8")
    ]


@pytest.mark.parametrize("shape", ["hints: [{a: b}]", "guides: [[one]]", "evidence: ''"])
def test_wrong_shapes_inside_lists_are_problems(shape: str) -> None:
    place = ("    source: A book", f"    {shape}\n    source: A book")
    text = ONE_ITEM + shape + "\n" if shape.startswith("guides") else ONE_ITEM.replace(*place)

    with pytest.raises(ContentError, match=r"one\.yaml:\d+:\d+"):
        load_text(text)


YAMLISH = st.text(
    st.sampled_from(list("ab:- \n\t#&*!|>'\"%@`{}[],?\\$0.1~<=\u202e\u00a0é\ufeff")) | st.characters(), max_size=60
)


@given(st.binary(max_size=80) | YAMLISH.map(lambda text: text.encode("utf-8", "surrogatepass")))
@example(b"[" * 5000)
@example(b"{a: " * 3000)
@example(b"? - " * 2000)
@example(b"- " * 5000 + b"x")
@example(b"\xff\xfe\x00")
@example(b"&a [*a, *a]")
@example(b"!")
@example(b"a: !")
@example(b'"\\ud800"')
@example(b'a: "\\x00"')
def test_any_bytes_are_a_tree_or_problems(data: bytes) -> None:
    document = tree.read(data, "any.yaml")

    assert document.root is not None or document.problems
    assert all(problem.line >= 1 and problem.column >= 1 for problem in document.problems)


@given(st.data())
@settings(max_examples=100)
def test_a_quiz_with_any_bytes_in_it_loads_or_tells_its_problems(data: st.DataObject) -> None:
    sample = (SAMPLE / "quiz.yaml").read_bytes()
    start = data.draw(st.integers(0, len(sample)))
    end = data.draw(st.integers(start, min(len(sample), start + 40)))
    change = data.draw(st.binary(max_size=12) | YAMLISH.map(lambda text: text.encode("utf-8", "surrogatepass")))

    try:
        load_text(sample[:start] + change + sample[end:])
    except ContentError as error:
        assert error.problems  # noqa: PT017 - an error without problems would tell nothing
