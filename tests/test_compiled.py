"""Compiled quizzes: there and back without loss, light to read, and clear about damage."""

from __future__ import annotations

import dataclasses
import json
import subprocess
import sys
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from quiz_widgets import authoring, compiled
from quiz_widgets.model import Claim, Item, Pool, Quiz, Text, Variant
from quiz_widgets.problems import ContentError
from tests.frontend import sample_quiz as sample

SAMPLE = Path(__file__).parent / "cases" / "sample"


@pytest.fixture(scope="module")
def quiz() -> Quiz:
    return authoring.load(SAMPLE)


def test_a_quiz_comes_back_as_it_was(quiz: Quiz) -> None:
    assert compiled.loads(compiled.dump(quiz)) == quiz


def test_every_kind_of_value_comes_back_with_its_type(quiz: Quiz) -> None:
    claims = (
        Claim("a", "is", True),
        Claim("b", "equals", 1),
        Claim("c", "equals", 2.5, 0.1),
        Claim("d", "is", "12"),
        Claim("e", "between", (1, 2.5)),
    )
    first = quiz.items[0]
    first = dataclasses.replace(
        first, options=(dataclasses.replace(first.options[0], claims=claims), *first.options[1:])
    )
    last = dataclasses.replace(
        quiz.items[-1], draw={"n": ("1e9",)}, variants=(Variant(Decimal("1.50"), {"slip": Decimal(2)}, {"n": "1e9"}),)
    )
    whole = dataclasses.replace(quiz, items=(first, last), locales=("en", "tr"))

    back = compiled.loads(compiled.dump(whole))

    assert back == whole
    assert [type(claim.operand) for claim in back.items[0].options[0].claims] == [bool, int, float, str, tuple]
    assert str(back.items[1].variants[0].value) == "1.50"


def test_compiling_twice_gives_the_same_bytes_with_one_item_a_line(quiz: Quiz) -> None:
    text = compiled.dump(quiz)

    assert text == compiled.dump(authoring.load(SAMPLE)) == compiled.dump(compiled.loads(text))
    assert len(text.splitlines()) == len(quiz.items) + 2


def test_reading_imports_nothing_heavy() -> None:
    heavy = "yaml markdown_it mdit_py_plugins nh3 latex2mathml pygments numpy matplotlib".split()  # noqa: SIM905
    code = (
        "import sys; before = set(sys.modules)\n"
        "import quiz_widgets.compiled, quiz_widgets.grading, quiz_widgets.ordering\n"
        f"print([name for name in {heavy!r} if name in set(sys.modules) - before])"
    )
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)

    assert result.stdout.strip() == "[]"


def damaged(quiz: Quiz, change: Any) -> str:
    raw = json.loads(compiled.dump(quiz))
    change(raw)
    return json.dumps(raw)


DAMAGE: dict[str, tuple[Any, str]] = {
    "another format": (lambda raw: raw.update(format=99), "its format is 99, and this version reads 1"),
    "a missing field": (lambda raw: raw.pop("title"), "quiz lacks `title`"),
    "an unknown field": (lambda raw: raw.update(extra=1), "quiz has an unknown field `extra`"),
    "a wrong word": (lambda raw: raw.update(level="simple"), "quiz.level is 'simple'"),
    "a list for a text": (lambda raw: raw.update(title=[]), "quiz.title is no dict"),
    "a text for a list": (lambda raw: raw.update(items="x"), "quiz.items is no list"),
    "a number for an item": (lambda raw: raw.update(items=[1]), "quiz.items[0] is no dict"),
    "a boolean for a number": (lambda raw: raw["items"][1].update(tries=True), "quiz.items[1].tries is no int"),
    "no decimal": (lambda raw: raw["items"][3].update(points="many"), "ConversionSyntax"),
    "a number for a decimal": (lambda raw: raw["items"][3].update(points=3), "quiz.items[3].points is no str"),
    "a form without source": (
        lambda raw: raw["title"]["forms"].update(en={"html": "x"}),
        "quiz.title.forms.en lacks `source`",
    ),
    "a triple for a pair": (
        lambda raw: raw["items"][0]["options"][0].update(
            claims=[{"fact": "a", "operator": "between", "operand": [1.0, 2.0, 3.0]}]
        ),
        "quiz.items[0].options[0].claims[0].operand has 3 entries",
    ),
}


@pytest.mark.parametrize("name", DAMAGE)
def test_damage_is_named(quiz: Quiz, name: str) -> None:
    change, message = DAMAGE[name]

    with pytest.raises(ContentError) as raised:
        compiled.loads(damaged(quiz, change), "sample.json")

    assert str(raised.value).startswith("sample.json: ")
    assert message in str(raised.value)
    assert "compile it again" in str(raised.value)


def test_a_null_is_read_where_a_field_may_be_empty(quiz: Quiz) -> None:
    assert compiled.loads(damaged(quiz, lambda raw: raw["items"][0].update(unit=None))) == quiz


@pytest.mark.parametrize("text", ["", "{", "[]", "null", '{"format":1}', "[" * 100_000])
def test_text_that_is_no_quiz_is_named(text: str) -> None:
    with pytest.raises(ContentError, match="compile it again"):
        compiled.loads(text)


def test_points_are_read_without_the_rest(quiz: Quiz) -> None:
    weighed = tuple(dataclasses.replace(item, points=Decimal(place) / 4) for place, item in enumerate(quiz.items))
    text = compiled.dump(dataclasses.replace(quiz, items=weighed))

    assert compiled.points(text) == {item.id: item.points for item in weighed}
    assert compiled.points(compiled.dump(quiz)) == {item.id: item.points for item in quiz.items}
    drawn = Pool("bank", 1, (quiz.items[0].id, quiz.items[1].id))
    assert compiled.points(compiled.dump(dataclasses.replace(quiz, pools=(drawn,)))) is None
    with pytest.raises(ContentError, match="compile it again"):
        compiled.points("{")


@pytest.fixture
def course(tmp_path: Path, quiz: Quiz, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(compiled, "_course", lambda: tmp_path)
    (tmp_path / "sample.json").write_text(compiled.dump(quiz), encoding="utf-8")
    (tmp_path / "notes.txt").write_text("no quiz", encoding="utf-8")
    return tmp_path


def test_a_quiz_of_the_course_is_read_by_its_name(course: Path, quiz: Quiz) -> None:
    assert compiled.names() == ["sample"]
    assert compiled.read("sample") == quiz


def test_an_unknown_name_gets_near_matches_or_the_whole_list(course: Path) -> None:
    with pytest.raises(ContentError, match=r"smaple: there is no such quiz in the course \(did you mean sample\?\)"):
        compiled.read("smaple")
    with pytest.raises(ContentError, match=r"the course has: sample"):
        compiled.read("zzz")


def test_an_unreadable_file_of_the_course_is_named(course: Path) -> None:
    (course / "sample.json").write_bytes(b"\xff")

    with pytest.raises(ContentError, match=r"sample\.json: cannot be read"):
        compiled.read("sample")


def test_a_course_that_was_never_compiled_has_no_names(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(compiled, "_course", lambda: tmp_path / "gone")

    assert compiled.names() == []
    with pytest.raises(ContentError, match="the course has: none"):
        compiled.read("sample")


def test_the_course_of_the_package_is_a_folder_beside_it() -> None:
    assert Path(str(compiled._course())).name == "course"


@pytest.mark.parametrize("name", ["mixed-precision", "optimizer-offload"])
def test_shipped_items_keep_their_hashes(name: str) -> None:
    quiz = compiled.read(name)

    assert [compiled.item_hash(item) for item in quiz.items] == [item.hash for item in quiz.items]


TYPED, ORDERED, MATCHED = sample.typed(), sample.ordered(), sample.matched()


def test_kinds_with_fields_of_their_own_come_back_as_they_were() -> None:
    quiz = sample.quiz(TYPED, dataclasses.replace(TYPED, id="exact", match_case=True), ORDERED, MATCHED)

    assert compiled.loads(compiled.dump(quiz)) == quiz


def changed(item: Item, **fields: Any) -> bool:
    return compiled.item_hash(dataclasses.replace(item, **fields)) != compiled.item_hash(item)


def test_the_hash_follows_what_is_accepted_and_in_which_order() -> None:
    first, second, third = TYPED.accept
    other = dataclasses.replace(first, text=sample.pattern("another"))
    cheap = dataclasses.replace(second, credit=Decimal("0.25"))
    told = dataclasses.replace(second, rationale=sample.text("Otherwise."))
    spoken = dataclasses.replace(first, text=Text({**first.text.forms, "tr": other.text.forms["en"]}))

    assert changed(TYPED, accept=(other, second, third))
    assert changed(TYPED, accept=(second, first, third))
    assert changed(TYPED, accept=(first, cheap, third))
    assert changed(TYPED, match_case=True)
    assert not changed(TYPED, accept=(first, told, third))
    assert not changed(TYPED, accept=(spoken, second, third))


def test_the_hash_follows_an_order_and_the_pairs_of_a_match() -> None:
    one, two, three = MATCHED.options
    target = dataclasses.replace(MATCHED.targets[0], text=sample.text("Five bits"))

    assert changed(ORDERED, options=ORDERED.options[::-1])
    assert changed(ORDERED, credit="exact")
    assert changed(MATCHED, options=(dataclasses.replace(one, match="eight"), two, three))
    assert changed(MATCHED, targets=(target, *MATCHED.targets[1:]))
    assert changed(MATCHED, targets=MATCHED.targets[:2])
    assert not changed(MATCHED, options=MATCHED.options[::-1], targets=MATCHED.targets[::-1])


@pytest.mark.parametrize(
    "item",
    [sample.single(), sample.multiple(), sample.number(), sample.typed(), sample.ordered(), sample.matched()],
    ids=lambda item: item.kind,
)
def test_hints_are_no_part_of_a_hash(item: Item) -> None:
    hinted = dataclasses.replace(item, hints=(sample.text("Think."), sample.text("Think again.")))

    assert compiled.item_hash(hinted) == compiled.item_hash(dataclasses.replace(item, hints=()))
