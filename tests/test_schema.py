"""The schemas for editors: they know every field of the reader, and refuse what has a shape that the reader refuses."""

from __future__ import annotations

import copy
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import jsonschema
import pytest
import yaml

from quiz_widgets import cli
from quiz_widgets.authoring import accepted, fields, items, options, quizzes, schema, tree
from quiz_widgets.authoring.overlays import reader
from quiz_widgets.authoring.schema import shapes
from quiz_widgets.build import generate
from quiz_widgets.model import KINDS, LEVELS

ROOT = Path(__file__).resolve().parents[1]
BROKEN = ROOT / "tests" / "broken"
DOCS = (ROOT / "docs" / "authoring.md").read_text(encoding="utf-8")
SCHEMAS = {name: json.loads(schema.generate(name, DOCS)) for name in schema.NAMES}
QUIZZES = sorted([*ROOT.glob("content/*/quiz.yaml"), *ROOT.glob("tests/cases/*/quiz.yaml")])
OVERLAYS = sorted(ROOT.glob("content/*/quiz.*.yaml"))

# What a plain scalar is to an editor (YAML 1.2, core schema). The reader takes every one as text.
NUMBER = re.compile(r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?")


def as_editors_see(node: tree.Node | None) -> Any:
    if isinstance(node, tree.Mapping):
        return {name: as_editors_see(value) for name, value in node.entries.items()}
    if isinstance(node, tree.Sequence):
        return [as_editors_see(value) for value in node.items]
    if node is None or node.style != "plain":
        return node and node.text
    if node.text in {"", "~", "null"}:
        return None
    if node.text in {"true", "false"}:
        return node.text == "true"
    if NUMBER.fullmatch(node.text):
        return float(node.text) if re.search(r"[.eE]", node.text) else int(node.text)
    return node.text


def refused(name: schema.Name, data: Any) -> list[str]:
    found = jsonschema.Draft7Validator(SCHEMAS[name]).iter_errors(data)
    return [error.message for error in found]


def read(path: Path) -> Any:
    return as_editors_see(tree.read(path.read_bytes(), path.name).root)


@pytest.mark.parametrize("name", schema.NAMES)
def test_a_schema_is_one(name: schema.Name) -> None:
    jsonschema.Draft7Validator.check_schema(SCHEMAS[name])


@pytest.mark.parametrize("path", QUIZZES, ids=lambda path: path.parent.name)
def test_sound_quizzes_fit(path: Path) -> None:
    assert refused("quiz", read(path)) == []


@pytest.mark.parametrize("path", OVERLAYS, ids=lambda path: f"{path.parent.name}-{path.name}")
def test_sound_translations_fit(path: Path) -> None:
    assert refused("overlay", read(path)) == []


# Rules of the reader that a place alone decides; every fixture of them is a fault of shape.
SHAPES = {
    *("unknown-field", "missing-field", "shape", "empty", "id", "kind", "level", "credit", "pin", "truth", "number"),
    *("tries", "digits", "points", "options", "targets", "tolerance", "value", "set"),
}
# Of these rules, what depends on another field or on how many decimals there are.
BEYOND = {"empty-file.yaml", "digits-undrawn.yaml", "points-decimals.yaml", "value-drawn.yaml", "depth.yaml"}


def shape_faults() -> Iterator[Path]:
    for path in sorted(BROKEN.glob("*.yaml")):
        rules = {problem.rule for problem in quizzes.read(path).problems if problem.severity == "error"}
        if rules and rules <= SHAPES and path.name not in BEYOND:
            yield path


@pytest.mark.parametrize("path", list(shape_faults()), ids=lambda path: path.stem)
def test_faults_of_shape_are_refused(path: Path) -> None:
    assert len(refused("quiz", read(path))) > 0


def test_most_broken_files_are_faults_of_shape_or_left_to_the_checker() -> None:
    assert len(list(shape_faults())) > 20


@pytest.mark.parametrize("path", sorted(BROKEN.glob("*.yaml")), ids=lambda path: path.stem)
def test_what_a_schema_refuses_the_reader_refuses_too(path: Path) -> None:
    reading = quizzes.read(path)
    if not any(problem.severity == "error" for problem in reading.problems):
        assert refused("quiz", read(path)) == []


def test_a_schema_knows_every_field_and_no_other() -> None:
    quiz, overlay = SCHEMAS["quiz"]["properties"], SCHEMAS["overlay"]["properties"]
    item, translated = quiz["items"]["items"]["properties"], overlay["items"]["additionalProperties"]["properties"]

    assert set(quiz) == set(quizzes.FIELDS)
    assert set(item) == set().union(*items.FIELDS.values())
    assert set(item["options"]["items"]["properties"]) == set().union(*options.FIELDS.values())
    assert set(item["targets"]["items"]["properties"]) == set(options.TARGET_FIELDS)
    assert set(item["accept"]["items"]["properties"]) == set(accepted.FIELDS)
    assert set(item["kind"]["enum"]) == set(KINDS)
    assert set(quiz["level"]["enum"]) == set(LEVELS)
    assert set(overlay) == set(reader.FIELDS)
    assert set(translated) == set(reader.ITEM_FIELDS)


def walk(node: Any, at: str = "") -> Iterator[tuple[str, Any]]:
    for name, value in node.get("properties", {}).items():
        yield f"{at}.{name}", value
    for name in ("items", "additionalProperties", *node.get("properties", {})):
        inner = node.get(name) or node.get("properties", {}).get(name)
        if isinstance(inner, dict):
            yield from walk(inner, f"{at}.{name}")


@pytest.mark.parametrize("name", schema.NAMES)
def test_every_field_has_a_shape_and_says_what_it_means(name: schema.Name) -> None:
    found = dict(walk(SCHEMAS[name]))

    assert len(found) > 20
    assert {at for at, field in found.items() if not set(field) - {"description"}} == set()
    assert {at for at, field in found.items() if "description" not in field and ".claim." not in at} == set()


@pytest.mark.parametrize("kind", KINDS)
def test_fields_of_other_kinds_are_refused_as_by_the_reader(kind: str) -> None:
    [rule] = [one for one in SCHEMAS["quiz"]["properties"]["items"]["items"]["allOf"]
              if one["if"]["properties"]["kind"]["const"] == kind]  # fmt: skip
    forbidden = {name for name, value in rule["then"]["properties"].items() if value is False}

    assert forbidden == set().union(*items.FIELDS.values()) - set(items.FIELDS[kind])  # type: ignore[index]


def places(node: Any, at: tuple[str | int, ...] = ()) -> Iterator[tuple[str | int, ...]]:
    """Every place below a node; of lists only the first entry, as the others have the same shape."""
    if at:
        yield at
    inner = node.items() if isinstance(node, dict) else enumerate(node[:1]) if isinstance(node, list) else ()
    for name, value in inner:
        yield from places(value, (*at, name))


def quizzes_of_one() -> Iterator[dict[str, Any]]:
    """The samples, one quiz for each item: together they have every kind."""
    for path in QUIZZES:
        data = read(path) if path.is_relative_to(ROOT / "tests") else {"items": []}
        for item in data["items"]:
            yield {**data, "items": [item]}


def changed(data: dict[str, Any], at: tuple[str | int, ...], value: Any) -> dict[str, Any]:
    made: Any = copy.deepcopy(data)
    inner = made
    for name in at[:-1]:
        inner = inner[name]
    inner[at[-1]] = value
    return made  # type: ignore[no-any-return]


@pytest.mark.parametrize("value", ["x: y", ["text"], {"field": "text"}, [], {}, True, 7, -1, "a b", "", "partial"])
def test_reader_and_schema_agree_on_every_shape_at_every_place(value: Any) -> None:
    """Put one value in the place of each field of a sound quiz: what the schema refuses, the reader refuses.

    And what the reader refuses for its shape, the schema refuses.
    """
    seen = 0
    first = next(quizzes_of_one())
    for data, at in [(sound, at) for sound in quizzes_of_one() for at in places(sound)]:
        if at[0] != "items" and data != first:
            continue  # the heading is the same in all of them
        made = changed(data, at, value)
        text = yaml.safe_dump(made, allow_unicode=True, sort_keys=False)
        problems = quizzes.parse(text.encode(), ROOT / "tests" / "cases" / data["id"] / "sample.yaml").problems
        rules = {problem.rule for problem in problems if problem.severity == "error"}
        found = refused("quiz", made)
        seen += bool(found)
        assert not found or rules, (at, value, found)
        assert not rules or not rules <= {"shape", "empty", "truth", "number", "pin", "credit"} or found, (at, rules)

    assert seen > 0


def test_an_unnamed_word_in_the_docs_is_no_description() -> None:
    text = "| field of a slip | meaning |\n|---|---|\n| `id` | see [there](x.md#y) |\n"

    assert schema._Words(text).about("slip", {"type": "string"}, "id") == {
        "description": "see there",
        "type": "string",
    }
    assert schema._Words(text).about("slip", {"type": "string"}, "value") == {"type": "string"}


def test_the_command_prints_what_is_shipped(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["schema"]) == 0
    assert capsys.readouterr().out == schema.file("quiz").read_text(encoding="utf-8")
    assert cli.main(["schema", "--overlay", "--path"]) == 0
    assert capsys.readouterr().out == f"{schema.file('overlay')}\n"


def test_build_writes_the_schemas() -> None:
    made = {file.path: file.text for file in generate(ROOT)}

    assert {made[schema.file(name)] for name in schema.NAMES} == {schema.generate(name, DOCS) for name in schema.NAMES}


def test_patterns_are_those_of_the_reader() -> None:
    assert re.fullmatch(shapes.NUMBER["pattern"], "1e-3")
    assert shapes.WORD["pattern"] == f"^{fields.ID.pattern}$"
