"""Guides are read block by block, and every fault is found at its place."""

from __future__ import annotations

import re
import time
from pathlib import Path

import pytest

from quiz_widgets.authoring import guides, places
from quiz_widgets.model import Item, Quiz, Rendered, Text
from quiz_widgets.problems import ContentError, Problem

CASES = sorted((Path(__file__).parent / "cases" / "guides").glob("*.md"))
GUIDE = """\
# Number formats

An introduction, with a link to [floats](#floats).

(floats)=
## Floats ##

A float is `sign`, exponent and fraction.

```python
(not-an-anchor)=
# not a title
```

```{demo} floats
```

```{quiz} range big
```

### A detail

## The whole quiz

~~~{quiz}
~~~

```{quiz}
:set: numbers
```
"""


def text(source: str) -> Text:
    return Text({"en": Rendered(source, source, source, source)})


def quiz() -> Quiz:
    items = (
        Item(id="range", stem=text("?"), section="floats"),
        Item(id="big", stem=text("?"), section="floats", set="numbers"),
    )
    return Quiz(id="formats", title=text("Formats"), level="easy", description=text("."), items=items)


def parse(source: str) -> guides.GuideDocument:
    return guides.parse(source, file="guide.en.md", guide_id="formats", locale="en")


def test_a_guide_is_read_block_by_block() -> None:
    guide = parse(GUIDE)

    assert guide.problems == ()
    assert guide.title == "Number formats"
    assert guide.sections == {"floats": "Floats"}
    assert guide.blocks == (
        guides.Prose("# Number formats\n\nAn introduction, with a link to [floats](#floats).", 1),
        guides.Section("floats", "Floats", 5),
        guides.Prose("A float is `sign`, exponent and fraction.\n\n```python\n(not-an-anchor)=\n# not a title\n```", 8),
        guides.DemoPlace("floats", 15, 11),
        guides.QuizPlace((guides.Mention("range", 18, 11), guides.Mention("big", 18, 17)), None, "floats", 18, 5),
        guides.Prose("### A detail\n\n## The whole quiz", 21),
        guides.QuizPlace((), None, None, 25, 5),
        guides.QuizPlace((), "numbers", None, 28, 5),
    )
    assert places.check(guide, quiz(), ["floats"]) == []


def test_line_endings_and_a_byte_order_mark_change_nothing(tmp_path: Path) -> None:
    path = tmp_path / "formats" / "guide.en.md"
    path.parent.mkdir()
    path.write_bytes(b"\xef\xbb\xbf" + GUIDE.replace("\n", "\r\n").encode())

    guide = guides.read(path, "en")

    assert (guide.id, guide.locale, guide.blocks) == ("formats", "en", parse(GUIDE).blocks)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.stem)
def test_a_fault_is_found_at_its_place(case: Path) -> None:
    source = case.read_text(encoding="utf-8")
    expected = re.match(r"<!-- (\d+):(\d+): (.+) -->", source)
    assert expected is not None

    guide = parse(source)
    found: list[Problem] = list(guide.problems) or places.check(guide, quiz(), ["floats"])

    assert [(problem.line, problem.column) for problem in found] == [(int(expected[1]), int(expected[2]))]
    assert found[0].message.startswith(expected[3])
    assert found[0].hint
    assert found[0].rule


def test_an_unreadable_file_is_one_problem(tmp_path: Path) -> None:
    with pytest.raises(ContentError, match="cannot be read: No such file"):
        guides.read(tmp_path / "guide.en.md", "en")

    (tmp_path / "guide.tr.md").write_bytes(b"# \xff")
    with pytest.raises(ContentError, match="byte 2 is not UTF-8"):
        guides.read(tmp_path / "guide.tr.md", "tr")


LONG = {
    "code spans": "# T\n" + "".join("`" * count + "a" for count in range(1, 300)),
    "links": "# T\n" + "](#a" * 20_000,
    "heading": "# T" + " " * 30_000 + "y" + "\t #" * 20_000 + " z",
    "blank lines": "# T\n```{demo} floats\n```\n" + "\n" * 60_000 + "x",
    "fences": "# T\n" + "\n".join("`" * (3 + count % 500) for count in range(2_000)),
}


@pytest.mark.parametrize("text", LONG.values(), ids=LONG)
def test_no_text_takes_more_than_a_moment(text: str) -> None:
    begun = time.process_time()
    guides.parse(text, file="guide.en.md", guide_id="long", locale="en")
    assert time.process_time() - begun < 2.0


@pytest.mark.parametrize(
    ("line", "title"),
    [
        ("# T #", "T"),
        ("# T ##  ", "T"),
        ("# C#", "C#"),
        ("# a # b", "a # b"),
        ("#\tT", "T"),
        ("# # #", "#"),
        ("# #", "#"),
    ],
)
def test_signs_that_close_a_heading_are_no_part_of_it(line: str, title: str) -> None:
    assert guides.parse(line, file="guide.en.md", guide_id="long", locale="en").title == title


@pytest.mark.parametrize("sign", ["\0", "\x1b", "\u202e", "\u2028", "\u200b", "\ufeff"])
def test_signs_that_nobody_sees_are_found_in_guides_too(sign: str) -> None:
    problems = guides.parse(f"# T\n\nab{sign}c\n", file="guide.en.md", guide_id="t", locale="en").problems
    assert [(problem.line, problem.column, problem.rule) for problem in problems] == [(3, 3, "invisible")]
