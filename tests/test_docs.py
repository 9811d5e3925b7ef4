"""What can be typed is documented: commands, their options, public names, YAML fields, Make targets, links."""

from __future__ import annotations

import argparse
import json
import re
from pathlib import Path

import pytest

import quiz_widgets
from quiz_widgets import Item, Option, Quiz, cli, compiled, grading
from quiz_widgets.authoring import accepted, cells, items, options, quizzes, schema, tree
from quiz_widgets.locales import patterns
from quiz_widgets.model import KINDS, LEVELS, Kind, Response
from quiz_widgets.studio import magic

ROOT = Path(__file__).resolve().parents[1]
PAGES = [*sorted(ROOT.glob("*.md")), *sorted((ROOT / "docs").rglob("*.md"))]


def page(name: str) -> str:
    return (ROOT / name).read_text(encoding="utf-8")


def commands() -> list[tuple[str, argparse.ArgumentParser]]:
    return list(inner(cli._parser()).items())


def inner(parser: argparse.ArgumentParser) -> dict[str, argparse.ArgumentParser]:
    found = [action.choices for action in parser._actions if isinstance(action, argparse._SubParsersAction)]
    return dict(found[0]) if found else {}


def of_classroom() -> list[tuple[str, argparse.ArgumentParser]]:
    """The commands below ``classroom``; of one with commands below it, these."""
    found = inner(inner(cli._parser())["classroom"])
    return [
        (f"{name} {below}".strip(), parser)
        for name, one in found.items()
        for below, parser in (inner(one) or {"": one}).items()
    ]


def targets() -> list[str]:
    return re.findall(r"^([a-z]+):.*##", page("Makefile"), re.MULTILINE)


@pytest.mark.parametrize(("name", "command"), commands())
def test_every_command_and_option_is_documented(name: str, command: argparse.ArgumentParser) -> None:
    row = re.search(rf"^\| `quiz-widgets {name}\b.*$", page("README.md"), re.MULTILINE)

    assert row is not None
    for action in command._actions:
        if action.option_strings and "--help" not in action.option_strings:
            assert action.option_strings[-1] in row[0]


@pytest.mark.parametrize(("name", "command"), of_classroom())
def test_every_command_of_the_classroom_is_documented(name: str, command: argparse.ArgumentParser) -> None:
    text = page("docs/classroom/operating.md")

    assert f"`quiz-widgets classroom {name} " in text or f"`quiz-widgets classroom {name}`" in text
    for action in command._actions:
        if action.option_strings and "--help" not in action.option_strings:
            assert re.search(rf"`{action.option_strings[-1]}\b|{action.option_strings[-1]} ", text)


@pytest.mark.parametrize("target", targets())
def test_every_make_target_is_documented(target: str) -> None:
    assert f"| `make {target}` |" in page("CONTRIBUTING.md")


def test_every_documented_make_target_exists() -> None:
    named = {name for path in PAGES for name in re.findall(r"`make ([a-z]+)", path.read_text(encoding="utf-8"))}

    assert named <= set(targets())


@pytest.mark.parametrize("name", quiz_widgets.__all__)
def test_every_public_name_is_documented(name: str) -> None:
    assert f"\n## {name}\n" in page("docs/api.md")
    assert getattr(quiz_widgets, name).__doc__


@pytest.mark.parametrize("kind", [Quiz, Item, Option])
def test_every_public_member_is_documented(kind: type) -> None:
    section = page("docs/api.md").split(f"\n## {kind.__name__}\n")[1].split("\n## ")[0]
    fields = getattr(kind, "__dataclass_fields__", {})
    members = {name for name in [*vars(kind), *fields] if not name.startswith("_")}

    assert {name for name in members if not re.search(rf"`{name}[`(]", section)} == set()


FIELDS = {
    "quiz": set(quizzes.FIELDS),
    "item": set().union(*items.FIELDS.values()),
    "option": set(items.OPTION_FIELDS),
    "target": set(options.TARGET_FIELDS),
    "accept": set(accepted.FIELDS),
}


@pytest.mark.parametrize("thing", FIELDS)
def test_every_field_of_the_format_is_documented_and_no_other(thing: str) -> None:
    table = re.search(rf"\| field of (?:the|an?) {thing} \|.*?\n\n", page("docs/authoring.md") + "\n\n", re.DOTALL)

    assert table is not None
    assert set(re.findall(r"^\| `([a-z_]+)` \|", table[0], re.MULTILINE)) == FIELDS[thing]


@pytest.mark.parametrize("word", [*KINDS, *LEVELS])
def test_every_word_of_the_format_is_documented(word: str) -> None:
    assert f"`{word}`" in page("docs/authoring.md")


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.name)
def test_links_and_pictures_lead_somewhere(path: Path) -> None:
    prose = re.sub(r"^(`{3,}).*?^\1|`[^`\n]+`", "", path.read_text(encoding="utf-8"), flags=re.DOTALL | re.MULTILINE)
    local = [link for link in re.findall(r"\]\(([^)#]+)[^)]*\)", prose) if "://" not in link]

    assert [link for link in local if not (path.parent / link).exists()] == []


def test_the_example_in_the_docs_is_a_sound_quiz(tmp_path: Path) -> None:
    text = page("docs/authoring.md")
    example, guide = (
        re.search(rf"^(`{{3,}}){kind}\n(.*?)\n\1$", text, re.DOTALL | re.MULTILINE) for kind in ("yaml", "markdown")
    )
    assert example is not None
    assert guide is not None
    folder = tmp_path / "adam-memory"
    folder.mkdir()
    (folder / "quiz.yaml").write_text(example[2] + "\n", encoding="utf-8")
    (folder / "guide.en.md").write_text("# Adam\n\n" + guide[2].split("```{quiz}\n")[0], encoding="utf-8")

    reading = quizzes.read(folder / "quiz.yaml")

    assert [str(problem) for problem in reading.problems] == []


@pytest.mark.parametrize("kind", ["text", "order", "match"])
def test_the_example_of_each_kind_is_sound_and_can_be_answered(kind: Kind) -> None:
    blocks = re.findall(r"^```yaml\n(  - id: .*?)\n```$", page("docs/authoring.md"), re.DOTALL | re.MULTILINE)
    block = next(block for block in blocks if f"kind: {kind}\n" in block)
    head = "id: example\ntitle: An example\nlevel: easy\ndescription: Of the documentation.\nitems:\n"

    reading = quizzes.parse(f"{head}{block}\n".encode(), Path("example.yaml"))

    assert [str(problem) for problem in reading.problems] == []
    assert reading.quiz is not None
    (item,) = reading.quiz.items
    key = item.key or (patterns.example(item.accept[0].text.forms["en"].source),)
    assert grading.grade(item, Response(key)).correct
    assert compiled.loads(compiled.dump(reading.quiz)) == reading.quiz


def test_the_readme_says_what_its_first_quiz_shows() -> None:
    block = re.search(r"## Your first quiz\n\n```python\n(.*?)```", page("README.md"), re.DOTALL)
    assert block is not None

    names = dict.fromkeys(["quiz"])
    exec(block[1].replace("\nquiz  ", "\nquiz.show()  "), names)
    assert isinstance(names["quiz"], Quiz)


def blocks(name: str, kind: str) -> list[str]:
    """The fenced blocks of one kind in a page."""
    found = re.findall(r"^(`{3,})([^`\n]*)\n(.*?)^\1$", page(name), re.DOTALL | re.MULTILINE)
    return [text for _, info, text in found if info == kind]


def test_the_cell_in_the_docs_is_a_sound_quiz() -> None:
    [cell] = blocks("docs/preview.md", "text")
    first, _, text = cell.partition("\n")

    assert first == "%%quiz"
    assert blocks("docs/preview.md", "python") == ["%load_ext quiz_widgets\n"]
    assert [str(problem) for problem in cells.read(text, "cell", "en").problems] == []


def test_the_options_of_a_cell_are_documented() -> None:
    usage = magic._options("").__dict__

    assert {f"--{name}" for name in usage} == set(
        re.findall(r"^\| `(--[a-z]+) ", page("docs/preview.md"), re.MULTILINE)
    )


@pytest.mark.parametrize("name", ["docs/preview.md", "docs/editors.md"])
def test_the_commands_for_authors_in_the_docs_are_understood(name: str) -> None:
    lines = [line.split(" > ")[0] for block in blocks(name, "") for line in block.splitlines()]

    assert len(lines) > 0
    for line in lines:
        program, *arguments = line.split()
        assert program == "quiz-widgets"
        assert cli._parser().parse_args(arguments).run


def test_the_editor_s_settings_name_what_the_command_writes() -> None:
    code, lab = (json.loads(block) for block in blocks("docs/editors.md", "json"))
    [example] = blocks("docs/editors.md", "yaml")

    assert set(code["yaml.schemas"]) == {f"./{schema.file(kind).name}" for kind in schema.NAMES}
    for kind in schema.NAMES:
        assert f"> {schema.file(kind).name}\n" in page("docs/editors.md")
    assert set(lab["languageServers"]["yaml-language-server"]["serverSettings"]) == {"yaml.schemas"}
    assert example.startswith("# yaml-language-server: $schema=../quiz.schema.json\n")
    assert tree.read(example.encode(), "quiz.yaml").problems == ()


ELSEWHERE = {
    "Peer Instruction: Ten years of experience and results",  # a paper
    "Points Possible",  # in Canvas's file
}


def said(path: str) -> set[str]:
    """All English words of the interface in these files; of what is counted, each form."""
    found = set()
    for file in ROOT.glob(path):
        for word in json.loads(file.read_text(encoding="utf-8")).values():
            english = word.get("en", word) if isinstance(word, dict) else word
            found |= set(english.values()) if isinstance(english, dict) else {english}
    return found


@pytest.mark.parametrize("name", ["instructors", "gradebooks", "privacy"])
def test_whatever_is_pressed_has_the_name_that_the_docs_give_it(name: str) -> None:
    words = said("quiz_widgets/classroom/desk/pages/words/*.json") | said("quiz_widgets/locales/en.json")
    patterned = {re.sub(r"\\{\w+\\}", r"(\\S+|[\\d:]+ [AP]M)", re.escape(word)) for word in words}
    likes = [re.compile(one) for one in patterned if re.search("[A-Z]", one)]  # else it is numbers alone, or like any
    prose = re.sub(r"^```.*?^```|`[^`]+`", "", page(f"docs/classroom/{name}.md"), flags=re.DOTALL | re.MULTILINE)
    named = {" ".join(one.split()) for one in re.findall(r"(?<!\*)\*([A-Z][^*]+)\*(?!\*)", prose)}

    assert named
    assert {one for one in named - ELSEWHERE if not any(like.fullmatch(one) for like in likes)} == set()
