"""What all formats stand on: encodings, archives, XML, HTML, pictures, the YAML that is written, what is refused."""

from __future__ import annotations

import dataclasses
import io
import json
import tarfile
import zipfile
import zlib
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from quiz_widgets.authoring import tree
from quiz_widgets.authoring.fields import ID
from quiz_widgets.formats import (
    answers,
    archives,
    base,
    encodings,
    folder,
    foreign,
    html_parse,
    html_text,
    ids,
    images,
    markdown,
    mend,
    suspect,
    xml_tree,
)
from quiz_widgets.formats.base import Notices, Source
from quiz_widgets.formats.draft import DraftAnswer, DraftItem, DraftOption, DraftQuiz
from quiz_widgets.formats.emit import scalar
from quiz_widgets.formats.pictures import Pictures
from quiz_widgets.locales import patterns

CASES = Path(__file__).parent / "formats" / "cases"
PNG = b"\x89PNG\r\n\x1a\n" + b"\0" * 20


def cases(name: str) -> list[dict[str, Any]]:
    loaded: list[dict[str, Any]] = json.loads((CASES / f"{name}.json").read_text(encoding="utf-8"))["cases"]
    return loaded


@pytest.mark.parametrize("case", cases("html"), ids=lambda case: case["html"][:40])
def test_html_becomes_markdown_and_what_is_lost_is_said(case: dict[str, Any]) -> None:
    said: list[str] = []
    made = html_text.to_markdown(case["html"], lambda rule, *_: said.append(rule))

    assert made == case.get("markdown_is", case["markdown"])
    assert sorted(set(said)) == sorted(case["rules"])
    assert not markdown.forms(made).faults


@pytest.mark.parametrize("case", cases("plain"), ids=lambda case: case["plain"][:40])
def test_plain_text_is_shown_as_it_is(case: dict[str, Any]) -> None:
    assert markdown.from_plain(case["plain"]) == case["markdown"]


@pytest.mark.parametrize("case", cases("encodings"), ids=lambda case: f"{case['encoding']}-{case['said'][:20]}")
def test_an_encoding_is_found_and_said(case: dict[str, Any]) -> None:
    data = bytes.fromhex(case.get("prefix", "")) + case["text"].encode(case["encoding"])
    found = encodings.decode(data, case.get("asked"))

    assert (found.message, found.severity) == (case["said"], case["severity"])
    assert (found.text == case["text"]) is not case.get("other", False)


@pytest.mark.parametrize("name", ["idna", "unicode_escape", "rot13", "no-such", "base64", "punycode"])
def test_a_codec_that_is_no_encoding_of_files_is_unknown(name: str) -> None:
    assert not encodings.known(name)
    assert encodings.decode(b"x", name).severity == "error"


@given(st.binary(max_size=300), st.sampled_from([None, "utf-8", "utf-16", "windows-1256", "shift_jis", "nonsense"]))
def test_any_bytes_become_a_text(data: bytes, encoding: str | None) -> None:
    assert "\r" not in encodings.decode(data, encoding).text


def zipped(*members: tuple[str, bytes], compression: int = zipfile.ZIP_DEFLATED) -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", compression) as archive:
        for name, content in members:
            archive.writestr(name, content)
    return packed.getvalue()


def test_members_are_read_and_bad_names_refused() -> None:
    names = ["../out", "/etc/x", "a/../../b", "a\\b", "C:/x", "/".join("d" * 13)]
    data = zipped(("fine/one.xml", b"<a/>"), *((name, b"x") for name in names))
    notices = Notices("a.zip")
    found = archives.read(data, notices)

    assert dict(found.members) == {"fine/one.xml": b"<a/>"}
    assert {problem.path for problem in notices.problems} >= {"../out", "/etc/x", "a/../../b", "C:/x"}
    assert len(notices.problems) == len(names)
    assert all(problem.severity == "error" for problem in notices.problems)


def test_a_bomb_is_refused_and_the_rest_is_read() -> None:
    notices = Notices("a.zip")
    found = archives.read(zipped(("bomb", b"\0" * (2 << 20)), ("text", b"x")), notices)

    assert list(found.members) == ["text"]
    assert "bytes would become 2097152" in notices.problems[0].message


def test_many_members_are_cut() -> None:
    notices = Notices("a.zip")
    data = zipped(*((f"m{number}", b"") for number in range(archives.MAX_MEMBERS + 3)), compression=zipfile.ZIP_STORED)

    assert len(archives.read(data, notices).members) == archives.MAX_MEMBERS
    assert len(notices.problems) == 1


def test_a_member_that_lies_about_its_size_is_refused() -> None:
    data = bytearray(zipped(("a", b"x" * 100)))
    at = data.index(b"PK\x01\x02") + 24  # the size in the central directory
    data[at : at + 4] = (10).to_bytes(4, "little")
    notices = Notices("a.zip")

    assert dict(archives.read(bytes(data), notices).members).get("a") in {None, b"x" * 10}
    assert notices.problems


def test_links_and_devices_are_refused() -> None:
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w:gz") as archive:
        for name, kind in (("link", tarfile.SYMTYPE), ("hard", tarfile.LNKTYPE), ("device", tarfile.CHRTYPE)):
            info = tarfile.TarInfo(name)
            info.type, info.linkname = kind, "/etc/passwd"
            archive.addfile(info)
        info = tarfile.TarInfo("./text")
        info.size = 3
        archive.addfile(info, io.BytesIO(b"abc"))
    notices = Notices("a.tar.gz")

    assert dict(archives.read(packed.getvalue(), notices).members) == {"text": b"abc"}
    assert len(notices.problems) == 3


def test_a_packed_tar_that_never_ends_is_cut() -> None:
    packer = zlib.compressobj(wbits=31)
    data = packer.compress(b"\0" * (64 << 20)) + packer.flush()
    notices = Notices("a.tar.gz")

    assert not archives.read(data, notices).members
    assert "would become more than" in notices.problems[0].message


@given(st.binary(max_size=200), st.sampled_from([b"PK\x03\x04", b"\x1f\x8b", b""]))
def test_any_bytes_are_an_archive_or_damaged(data: bytes, start: bytes) -> None:
    archives.read(start + data, Notices("x"))


@pytest.mark.parametrize(
    ("text", "line", "said"),
    [
        ("<a>\n<b></a>", 2, "mismatched tag"),
        ("<!DOCTYPE a><a/>", 1, "a document type"),
        ("<a>&b;</a>", 1, "undefined entity"),
        ("<a>" * 101, 1, "more than 100 elements inside one another"),
        ("", 1, "no element found"),
    ],
)
def test_xml_that_may_not_be_read_is_refused_with_its_line(text: str, line: int, said: str) -> None:
    notices = Notices("a.xml")

    assert xml_tree.parse(Source("a.xml", text.encode()), notices) is None
    assert (notices.problems[0].line, said in notices.problems[0].message) == (line, True)


def test_xml_keeps_lines_and_drops_namespaces() -> None:
    text = '<?xml version="1.0"?>\n<q:a xmlns:q="urn:q">\n <q:b q:x="1">t<!-- c --><![CDATA[<u>]]></q:b></q:a>'
    root = xml_tree.parse(Source("a.xml", text.encode()), Notices("a.xml"))

    assert root is not None
    found = root.child("b")
    assert found is not None
    assert (root.name, found.line, found.attributes, found.text()) == ("a", 3, {"x": "1"}, "t<u>")


@pytest.mark.parametrize(
    "text", ["<", "<a " * 20_000, "<!--" * 20_000, "<b>" * 20_000, "<li>" * 20_000, "&" * 50_000, "<script" * 9_000]
)
def test_html_is_parsed_in_one_pass(text: str) -> None:
    html_parse.parse(text)


def test_pictures_are_what_their_bytes_say() -> None:
    pictures = Pictures(
        {"a/x.gif": PNG, "y.png": b"<svg onload='x()'>", "z.png": b"MZ", "big.png": PNG + b"\0" * images.MAX_BYTES}
    )

    assert pictures.take("@@PLUGINFILE@@/a/x.gif") == ("x.png", "")
    assert pictures.take("x.gif") == ("x.png", "")  # named without its folder, and kept once
    assert "SVG" in pictures.take("y.png")[1]
    assert "no PNG" in pictures.take("z.png")[1]
    assert "bytes" in pictures.take("big.png")[1]
    assert pictures.take("../../etc/passwd")[1] == "the file does not hold it"
    assert pictures.take("data:image/png;base64,?")[1]
    assert set(pictures.kept) == {"x.png"}


HARD = [case["text"] for case in cases("yaml")]
JOINED = st.lists(st.sampled_from([*HARD, " ", "\n", "'", ":", "#"]), min_size=1, max_size=4).map("".join)


@pytest.mark.parametrize("indent", [0, 4, 8])
@pytest.mark.parametrize("text", HARD, ids=lambda text: text[:12])
def test_a_text_that_yaml_would_spoil_is_read_as_it_was_written(text: str, indent: int) -> None:
    assert again(text.strip("\n"), indent) == [line.rstrip() for line in text.strip("\n").split("\n")]


@settings(max_examples=200, deadline=None)
@given(st.text(max_size=200) | JOINED, st.sampled_from([0, 4, 8]))
def test_any_text_in_yaml_is_read_as_it_was_written(text: str, indent: int) -> None:
    wanted = mend.visible(text, lambda *_: None).strip("\n").rstrip(" ")
    if wanted.strip():
        assert again(wanted, indent) == [line.rstrip() for line in wanted.split("\n")]


def again(text: str, indent: int) -> list[str]:
    """The lines of a text that was written and read."""
    above = "".join(f"{' ' * (4 * level)}a:\n" for level in range(indent // 4))
    document = tree.read(f"{above}{' ' * indent}b: {scalar(text, indent)}\n".encode(), "x.yaml")
    assert [problem.message for problem in document.problems] == []
    node = document.root
    while isinstance(node, tree.Mapping):
        node = next(iter(node.entries.values()))
    assert isinstance(node, tree.Scalar)
    assert not node.comment
    return [line.rstrip() for line in node.text.strip("\n").split("\n")]


@settings(max_examples=200)
@given(st.text(alphabet="ab*|\\ ", min_size=1, max_size=12))
def test_accepted_texts_mean_the_same_in_both_notations(text: str) -> None:
    pattern = answers.to_pattern(text)

    assert all("|" not in part or "|" in text for part in answers.alternatives(pattern))
    assert len(patterns.parts(pattern, "en")) == len(answers.alternatives(pattern)) == 1
    assert patterns.parts(answers.literal(text), "en") == ((" ".join(text.split()),),)


def test_ids_come_from_texts_and_not_from_places() -> None:
    texts = ["Yes, of course", "İıŞş çok GÜZEL", "نعم", "Yes, of course!", "`x = 1`", "a" * 100]
    made = ids.unique(texts, [""] * len(texts), "option")
    turned = ids.unique(texts[::-1], [""] * len(texts), "option")[::-1]

    assert made == turned
    assert made[1] == "iiss-cok-guzel"
    assert made[2].startswith("option-")
    assert len(set(made)) == len(texts)
    assert all(ID.fullmatch(name) and len(name) <= 64 for name in made)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("3", "3"),
        ("-0.5", "-0.5"),
        ("3,5", "3.5"),
        ("\u22122", "-2"),
        ("1e3", "1000"),
        ("1e999", None),
        ("x", None),
        ("9" * 400, None),
        ("", None),
    ],
)
def test_numbers_of_other_systems(text: str, value: str | None) -> None:
    assert base.decimal(text) == (Decimal(value) if value is not None else None)


@pytest.mark.parametrize(
    ("text", "good", "bad"),
    [
        ("Correct! Two bytes.", True, False),
        ("Incorrect. Two bytes.", False, True),
        ("No, that is more.", False, True),
        ("No rounding takes place.", False, False),
        ("True enough, a step may be faster.", False, False),
        ("Doğru, iki bayt.", True, False),
        ("Yanlış: iki bayt.", False, True),
        ("DOĞRU!", True, False),
        ("صحيح. بايتان.", True, False),
        ("صحيح أن الخطوة أسرع، لكن", False, False),
        ("خطأ", False, True),
        ("غير صحيح", False, True),
        ("Bonne réponse", True, False),
        ("Mauvaise réponse", False, True),
    ],
)
def test_feedback_that_praises_or_rejects(text: str, good: bool, bad: bool) -> None:
    assert (suspect.praises(text), suspect.rejects(text)) == (good, bad)


@pytest.mark.parametrize(
    "text",
    [
        "None of the above",
        "All of these.",
        "Hiçbiri",
        "Yukarıdakilerin hepsi",
        "جميع ما ذُكر",
        "كل ماسبق",
        "لا شيء مما سبق",
    ],
)
def test_an_option_about_the_others_is_pinned(text: str) -> None:
    item = DraftItem(
        kind="single", stem="Which?", options=(DraftOption(text=text), DraftOption(text="one", correct=True))
    )
    notices = Notices("x")

    assert [option.pin for option in suspect.look(item, notices, "x").options] == ["last", None]
    assert [problem.rule for problem in notices.problems] == ["pinned"]


def test_markdown_of_others_becomes_ours() -> None:
    said: list[str] = []
    source = "# Head\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n> quoted $x^2$\n\n<u>under</u> `code`\n\n$$y$$"

    made = foreign.to_ours(source, lambda rule, *_: said.append(rule))

    assert made == "**Head**\n\n```text\na | b\n1 | 2\n```\n\nquoted $x^2$\n\nunder `code`\n\n$$y$$"
    assert said == ["html-table"]
    assert foreign.to_ours("as *it* is\n", lambda *_: None) == "as *it* is"


GOOD = DraftItem(kind="single", stem="Which?", options=(DraftOption(text="one", correct=True), DraftOption(text="two")))


@pytest.mark.parametrize(
    ("item", "rule"),
    [
        (dataclasses.replace(GOOD, stem=""), "refused-empty"),
        (dataclasses.replace(GOOD, options=GOOD.options[1:]), "refused-key"),
        (
            dataclasses.replace(GOOD, options=(GOOD.options[0], dataclasses.replace(GOOD.options[0], correct=False))),
            "refused-same-text",
        ),
        (DraftItem(kind="number", stem="How many?"), "refused-value"),
        (DraftItem(kind="text", stem="Who?", accept=(DraftAnswer(text="me", credit=Decimal(0)),)), "refused-key"),
    ],
)
def test_a_question_that_lacks_something_is_kept_apart_with_the_reason(
    item: DraftItem, rule: str, tmp_path: Path
) -> None:
    prepared = folder.prepare(DraftQuiz(items=(item, GOOD), title="T"), "x.txt", "Imported from x.txt", tmp_path)

    assert (prepared.items, prepared.left_out) == (1, 1)
    assert rule in {problem.rule for problem in prepared.problems if problem.severity == "error"}
    assert folder.LEFT_OUT in prepared.files
    assert b"Mend them" in prepared.files[folder.LEFT_OUT]


def test_invisible_signs_long_texts_and_formulas_are_mended_and_said(tmp_path: Path) -> None:
    options = (DraftOption(text="a\u200fb", correct=True), DraftOption(text=r"$\unknown{x}$"))
    item = dataclasses.replace(GOOD, options=options, points=Decimal("0.333"), explanation="x" * 30_000)
    prepared = folder.prepare(DraftQuiz(items=(item,)), "x.txt", "Imported", tmp_path)

    assert prepared.items == 1
    assert {problem.rule for problem in prepared.problems} >= {"invisible", "formula", "points", "long"}
    assert r"`\unknown{x}`" in prepared.files["quiz.yaml"].decode()


def test_answers_that_another_takes_are_left_out(tmp_path: Path) -> None:
    accept = (DraftAnswer(text="Paris"), DraftAnswer(text="PARIS"), DraftAnswer(text="paris", credit=Decimal("0.5")))
    prepared = folder.prepare(
        DraftQuiz(items=(DraftItem(kind="text", stem="Where?", accept=accept),)), "x", "I", tmp_path
    )

    assert prepared.items == 1
    assert [problem.rule for problem in prepared.problems if problem.severity != "note"] == ["answer-twice"]


def test_pictures_of_questions_that_are_kept_are_written(tmp_path: Path) -> None:
    item = dataclasses.replace(GOOD, stem="See (`a.png`).")
    draft = DraftQuiz(items=(item,), title="Pictures", files={"a.png": PNG, "b.png": PNG})
    written = folder.write(folder.prepare(draft, "x", "I", tmp_path), tmp_path)

    assert sorted(path.name for path in written.iterdir()) == ["a.png", "quiz.yaml"]
    with pytest.raises(FileExistsError):
        folder.write(folder.prepare(draft, "x", "I", tmp_path), tmp_path)
