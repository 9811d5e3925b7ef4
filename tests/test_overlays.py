"""Translations: every rule has a wrong overlay or guide of its own; merging, coverage, writing, and PO files."""

from __future__ import annotations

import dataclasses
import re
import shutil
import sys
from pathlib import Path

import pytest
from babel.messages import pofile
from hypothesis import given
from hypothesis import strategies as st

from quiz_widgets import authoring, cli, compiled, grading
from quiz_widgets.authoring import tree, wording
from quiz_widgets.authoring.overlays import fidelity, texts, translate, writer
from quiz_widgets.authoring.overlays.coverage import Coverage
from quiz_widgets.model import Item, Response
from quiz_widgets.problems import ContentError, Problem

ROOT = Path(__file__).parent
BROKEN = ROOT / "broken-locales"
FIXTURES = sorted(path for path in BROKEN.iterdir() if path.is_dir())

QUIZ = """\
id: sums
title: Sums
level: easy
description: One sum.
items:
  - id: one
    stem: What is `1 + 1`?
    options:
      - {id: two, text: It is 2, correct: true, rationale: Count them.}
      - {id: three, text: It is 3, rationale: One too many.}
    hints:
      - Use your fingers.
      - Count slowly.
    explanation: |
      Two lines,

      and a second paragraph.
    source: A book
"""


@pytest.fixture
def quiz(tmp_path: Path) -> Path:
    folder = tmp_path / "sums"
    folder.mkdir()
    (folder / "quiz.yaml").write_text(QUIZ, encoding="utf-8")
    return folder


def shown(problem: Problem) -> str:
    return str(dataclasses.replace(problem, file=Path(problem.file).name))


def expected(folder: Path) -> str:
    """The one problem that the translated file announces in its first line."""
    [file] = [path for path in folder.iterdir() if path.name not in ("quiz.yaml", "guide.en.md")]
    first = file.read_text(encoding="utf-8").split("\n", 1)[0]
    return first.removeprefix("# ").removeprefix("<!-- ").removesuffix(" -->")


@pytest.mark.parametrize("folder", FIXTURES, ids=lambda folder: folder.name)
def test_a_broken_translation_gives_its_one_expected_problem(folder: Path) -> None:
    problems = [problem for problem in authoring.check([folder]).problems if problem.severity != "note"]

    strong = [problem for problem in problems if problem.rule != "stale"] or problems
    assert [shown(problem) for problem in strong] == [expected(folder)]
    assert all(problem.rule for problem in problems)


def test_texts_that_are_missing_are_no_problem_and_shown_in_the_source_language(quiz: Path) -> None:
    overlay = "locale: tr\nitems:\n  one:\n    stem: '`1 + 1` kaç eder?'\n"
    (quiz / "quiz.tr.yaml").write_text(overlay, encoding="utf-8")

    loaded = authoring.load(quiz)

    assert loaded.locales == ("en", "tr")
    assert loaded.items[0].stem.resolve("tr") == "tr"
    assert loaded.items[0].stem.rendered("tr").plain == "1 + 1 kaç eder?"
    assert loaded.title.resolve("tr") == "en"
    assert loaded.hash == authoring.load(shutil.copytree(quiz, quiz.parent / "en" / "sums")).hash
    assert authoring.coverage([quiz]) == {"tr": Coverage(11, 1, 1)}


def test_what_is_accepted_is_translated_by_id(tmp_path: Path) -> None:
    """Written in the source's words, which may stay: a term may be the same in both languages."""
    folder = tmp_path / "pattern"
    shutil.copytree(BROKEN / "pattern", folder, ignore=shutil.ignore_patterns("quiz.tr.yaml"))

    made = translate.overlay(folder, "tr").text
    (folder / "quiz.tr.yaml").write_text(made, encoding="utf-8")

    assert "      clip:\n        text: >-\n          *clip*\n        rationale: Clipping bounds a norm.\n" in made
    assert "      wide:\n        text: The wide one\n" in made
    waiting = {problem.path for problem in authoring.check([folder]).problems if problem.rule == "unchanged"}
    assert "items.bits.targets.wide.text" in waiting
    assert not [path for path in waiting if path.endswith("accept.clip.text")]
    assert translate.overlay(folder, "tr").text == made


def test_a_translated_pattern_earns_what_its_source_earns(tmp_path: Path) -> None:
    folder = tmp_path / "pattern"
    shutil.copytree(BROKEN / "pattern", folder)
    overlay = folder / "quiz.tr.yaml"
    overlay.write_text(overlay.read_text(encoding="utf-8").replace("||x", ""), encoding="utf-8")

    loaded = authoring.load(folder)

    item = loaded.item("name")
    known = [grading.accepted(item, Response((typed,))) for typed in ("GRADYAN BİRİKTİRME", "kırpma", "toplama")]
    assert [one and one.id for one in known] == ["name", "clip", None]
    assert item.hash == compiled.item_hash(only_english(item))


def test_translations_never_change_a_score() -> None:
    for path in sorted((ROOT.parent / "content").glob("*/quiz.yaml")):
        loaded = authoring.load(path)
        plain = dataclasses.replace(loaded, items=tuple(map(only_english, loaded.items)))
        for item, other in zip(loaded.items, plain.items, strict=True):
            for option in item.options:
                assert grading.grade(item, Response((option.id,))) == grading.grade(other, Response((option.id,)))
            assert item.hash == compiled.item_hash(other)


def only_english(item: Item) -> Item:
    return dataclasses.replace(item, stem=dataclasses.replace(item.stem, forms={"en": item.stem.forms["en"]}))


def test_a_guides_titles_come_from_its_translation(tmp_path: Path) -> None:
    folder = shutil.copytree(BROKEN / "guide-section", tmp_path / "guide-section")
    guide = (folder / "guide.tr.md").read_text(encoding="utf-8").replace("(size)=", "(sizes)=")
    (folder / "guide.tr.md").write_text(guide, encoding="utf-8")

    loaded = authoring.load(folder)

    assert loaded.guides[0].title.rendered("tr").plain == "Biçimler"
    assert loaded.guides[0].sections["sizes"].rendered("tr").plain == "Boyutlar"
    assert loaded.guides[0].sections["sizes"].rendered("ar").plain == "Sizes"
    assert authoring.coverage([folder])["tr"] == Coverage(16, 3, 3)


# What a translation has to keep


@pytest.mark.parametrize(
    ("source", "text", "locale", "rules"),
    [
        ("In FP16 7 of 10", "FP16'da 10'da 7", "tr", []),
        ("PyTorch 2.13 needs 0.5 GB", "PyTorch 2.13, 0,5 GB ister", "tr", []),
        ("needs 2.5 GB", "2.5 GB ister", "tr", ["number"]),
        ("7.00 s", "7 sn", "tr", []),
        ("1,000 steps", "1000 adım", "tr", []),
        ("10%", "%10", "tr", []),
        ("from 3–5", "3–5 arası", "tr", []),
        ("10%", "٪١٠", "ar", []),
        ("half of 0.5", "نصف ٠٫٥", "ar", []),
        ("7 bytes", "٨ بايت", "ar", ["number", "number"]),
        ("arXiv:1710.03740 of 2018", "arXiv:1710.03740, 2018", "tr", []),
        ("P. Micikevicius, S. Narang, 2018", "P. Micikevicius, S. Narang, 2018", "ar", ["unchanged"]),
        ("Ada, Bob", "كتب Ada, Bob", "ar", []),
        ("Ada, Bob", "كتبت آدا, Bob", "ar", ["punctuation"]),
        ("Code `a, b`?", "الشفرة `a, b`؟", "ar", []),
        ("Code `a, b`; yes", "الشفرة `a, b`; نعم", "ar", ["punctuation"]),
        ("CPU and GPU", "وGPU و CPU", "ar", []),
        ("CPU and GPU", "وحGPU", "ar", ["script"]),
        ("`a` twice: `a`", "iki kez `a`", "tr", ["code"]),
        ("`$a` costs `$b`", "`$a` fiyatı `$b`", "tr", []),
        ("Ada, Bob", "Ada, بوب", "ar", ["punctuation"]),
        ("$x$ and $y$", "$y$ ve $x$", "tr", []),
        ("`{a}` in code", "kodda `{a}`", "tr", []),
        ("{a} of {b}", "{b} içinde {a}", "tr", []),
        ("`a`", "`a`", "tr", []),
        ("8", "8", "tr", []),
    ],
)
def test_fidelity(source: str, text: str, locale: str, rules: list[str]) -> None:
    assert [fault.rule for fault in fidelity.check(source, text, locale, may_equal=False)] == rules


def test_a_text_that_is_listed_may_equal_the_source(quiz: Path) -> None:
    overlay = "locale: tr\nitems:\n  one:\n    stem: What is `1 + 1`?\n"
    (quiz / "quiz.tr.yaml").write_text(overlay + "unchanged: [items.one.stem]\n", encoding="utf-8")

    assert not authoring.check([quiz]).errors
    assert authoring.coverage([quiz])["tr"].translated == 1
    assert "unchanged:\n  - items.one.stem\n" in translate.overlay(quiz, "tr").text


def test_a_quiz_with_problems_says_nothing_about_its_translations(quiz: Path) -> None:
    (quiz / "quiz.tr.yaml").write_text("locale: tr\nitems:\n  gone:\n    stem: Nerede?\n", encoding="utf-8")
    (quiz / "quiz.yaml").write_text(QUIZ.replace("id: one", "id: One"), encoding="utf-8")

    assert [problem.rule for problem in authoring.check([quiz]).errors] == ["id"]


def test_a_hundred_per_cent_is_everything() -> None:
    assert [Coverage(1000, done).percent for done in (0, 9, 999, 1000)] == [0, 0, 99, 100]
    assert Coverage().percent == 100


def test_a_section_that_the_source_has_not_is_not_counted() -> None:
    assert authoring.coverage([BROKEN / "guide-section"])["tr"] == Coverage(16, 2, 2)


def test_a_fault_within_a_long_text_has_its_own_place(quiz: Path) -> None:
    hints = "    hints:\n      - استخدم أصابعك.\n      - |\n        عدّ ببطء،\n        ثم أجب, هكذا.\n"
    overlay = f"locale: ar\nitems:\n  one:\n{hints}"
    (quiz / "quiz.ar.yaml").write_text(overlay, encoding="utf-8")

    [problem] = [problem for problem in authoring.check([quiz]).problems if problem.rule == "punctuation"]

    assert (problem.line, problem.column) == (8, 15)
    assert problem.path == "items.one.hints[1]"


# Writing overlays


def test_a_new_overlay_holds_every_text_in_the_sources_words(quiz: Path) -> None:
    made = translate.overlay(quiz, "tr")
    made.path.write_text(made.text, encoding="utf-8")

    report = authoring.check([quiz])

    assert made.added == 11
    assert {problem.rule for problem in report.errors} == {"unchanged"}
    assert len(report.errors) == 10  # a citation may stay as it is
    assert report.coverage["tr"] == Coverage(11, 1, 0)
    assert translate.overlay(quiz, "tr") == dataclasses.replace(made, added=0)


def test_what_is_there_stays_as_it_is_written(quiz: Path) -> None:
    overlay = (
        "# A translation.\nlocale: tr\ndescription: >-\n  Bir\n  toplam.\n\n# Items follow.\nitems:\n"
        "  # The only one.\n  one:\n    hints:\n      # Fingers!\n      - 'Parmaklarını kullan.'\n    options:\n"
        "      two: {text: Cevap 2, rationale: Say.}\n"
    )
    (quiz / "quiz.tr.yaml").write_text(overlay, encoding="utf-8")

    text = translate.overlay(quiz, "tr").text

    assert text == (
        "# A translation.\nlocale: tr\ntitle: Sums\ndescription: >-\n  Bir\n  toplam.\n\n# Items follow.\nitems:\n"
        "  # The only one.\n  one:\n    stem: >-\n      What is `1 + 1`?\n    options:\n      two:\n"
        "        text: Cevap 2\n        rationale: Say.\n      three:\n        text: It is 3\n"
        "        rationale: One too many.\n    hints:\n      # Fingers!\n"
        "      - 'Parmaklarını kullan.'\n      - >-\n        Count slowly.\n    explanation: |-\n      Two lines,\n\n"
        "      and a second paragraph.\n    source: A book\n\n"
        "# Hashes of the source texts; written by `quiz-widgets translate`.\ntranslates:\n  title: "
        + texts.fingerprint("Sums")
        + "".join(
            f"\n  items.one.{path}: {texts.fingerprint(source)}"
            for path, source in (
                ("stem", "What is `1 + 1`?"),
                ("options.three.text", "It is 3"),
                ("options.three.rationale", "One too many."),
                ("hints.1", "Count slowly."),
                ("explanation", "Two lines,\n\nand a second paragraph."),
                ("source", "A book"),
            )
        )
        + "\n"
    )


def test_a_line_of_a_text_is_no_comment(quiz: Path) -> None:
    (quiz / "quiz.tr.yaml").write_text("locale: tr\ntitle: |-\n  Toplam\n  #5\ndescription: Bir.\n", encoding="utf-8")

    assert "title: |-\n  Toplam\n  #5\ndescription: Bir.\n\nitems:" in translate.overlay(quiz, "tr").text


@pytest.mark.parametrize("text", ["mixed-precision-training " * 9 + "end", " indented\nlines", "a\n\n  b"])
def test_texts_that_folding_would_change(text: str) -> None:
    sources = {"title": text, "items.a.hints.0": text}

    root = tree.read(writer.write("tr", sources, writer.Written()).encode(), "x").root

    assert isinstance(root, tree.Mapping)
    assert isinstance(root.entries["title"], tree.Scalar)
    assert root.entries["title"].text == text


def test_only_accepting_renews_hashes(quiz: Path) -> None:
    made = translate.overlay(quiz, "tr")
    done = made.text.replace("Sums", "Toplamlar").replace("One sum.", "Bir toplam.")
    made.path.write_text(done, encoding="utf-8")
    source = quiz / "quiz.yaml"
    source.write_text(source.read_text(encoding="utf-8").replace("title: Sums", "title: Two sums"), encoding="utf-8")

    assert [problem.path for problem in authoring.check([quiz]).problems if problem.rule == "stale"] == ["title"]
    kept = translate.overlay(quiz, "tr")
    assert (kept.stale, kept.text) == (1, done)
    accepted = translate.overlay(quiz, "tr", accept=True)
    accepted.path.write_text(accepted.text, encoding="utf-8")
    assert accepted.stale == 0
    assert not [problem for problem in authoring.check([quiz]).problems if problem.rule == "stale"]


def test_breaking_lines_elsewhere_makes_nothing_stale() -> None:
    assert texts.fingerprint("one two\nthree") == texts.fingerprint("one  two three")
    assert texts.fingerprint("one two") != texts.fingerprint("one, two")


def test_an_overlay_with_other_faults_is_not_rewritten(quiz: Path) -> None:
    (quiz / "quiz.tr.yaml").write_text("locale: tr\nitems:\n  gone:\n    stem: Nerede?\n", encoding="utf-8")

    with pytest.raises(ContentError, match="unknown item `gone`"):
        translate.overlay(quiz, "tr")


@pytest.mark.parametrize("locale", ["en", "xx"])
def test_only_known_languages_are_written(quiz: Path, locale: str) -> None:
    with pytest.raises(ContentError, match="known are ar, tr"):
        translate.overlay(quiz, locale)


def test_a_quiz_with_problems_is_not_translated(quiz: Path) -> None:
    (quiz / "quiz.yaml").write_text(QUIZ.replace("level: easy", "level: simple"), encoding="utf-8")

    with pytest.raises(ContentError, match="`simple` is not allowed"):
        translate.overlay(quiz, "tr")


def test_the_courses_overlays_are_as_they_would_be_written() -> None:
    for path in sorted((ROOT.parent / "content").glob("*/quiz.*.yaml")):
        locale = path.name.split(".")[1]
        assert translate.overlay(path.parent, locale).text == path.read_text(encoding="utf-8")


PROSE = st.text(st.sampled_from(list("ab c.:#-'\"{}[]`$\\é\u0639?!%&*|>@,")) | st.just("\n"), min_size=1, max_size=80)


@given(PROSE.map(lambda text: text.strip("\n ")).filter(lambda text: bool(text.strip()) and "\n\n\n" not in text))
def test_any_text_is_read_back_as_it_was_written(text: str) -> None:
    sources = {"title": text, "items.a.stem": text, "items.a.hints.0": text, "items.a.hints.1": "x"}

    document = tree.read(writer.write("tr", sources, writer.Written()).encode(), "x")

    root = document.root
    assert isinstance(root, tree.Mapping)
    items = root.entries["items"]
    assert isinstance(items, tree.Mapping)
    item = items.entries["a"]
    assert isinstance(item, tree.Mapping)
    hints = item.entries["hints"]
    assert isinstance(hints, tree.Sequence)
    for node in (root.entries["title"], item.entries["stem"], hints.items[0]):
        assert isinstance(node, tree.Scalar)
        assert node.text.split() == text.split()


# PO files


def test_po_files_carry_texts_out_and_back(quiz: Path, tmp_path: Path) -> None:
    write = tmp_path / "tr.po"
    write.write_bytes(translate.po_text(quiz, "tr"))
    with write.open("rb") as file:
        exported = pofile.read_po(file)
    for message in exported:
        if message.context == "title":
            message.string = "Toplamlar"
        elif message.context == "items.one.hints.0":
            message.string = "Parmak say."
        elif message.context == "items.one.hints.1":
            message.string, message.flags = "Yavaş say.", {"fuzzy"}
    with write.open("wb") as target:
        pofile.write_po(target, exported)

    made = translate.overlay(quiz, "tr", po_file=write)
    made.path.write_text(made.text, encoding="utf-8")

    loaded = authoring.check([quiz])
    assert "title: Toplamlar\n" in made.text
    assert "- >-\n        Parmak say.\n      - >-\n        Count slowly." in made.text
    assert loaded.coverage["tr"] == Coverage(11, 3, 0)
    assert made.added == 9


def test_stale_texts_are_fuzzy_and_foreign_ones_are_reported(quiz: Path, tmp_path: Path) -> None:
    source = quiz / "quiz.yaml"
    source.write_text(QUIZ.replace("One too many.", "Only 7% of all say so."), encoding="utf-8")
    (quiz / "quiz.tr.yaml").write_text(
        "locale: tr\ntitle: Toplamlar\ntranslates: {title: '00000000'}\n", encoding="utf-8"
    )
    file = tmp_path / "tr.po"
    file.write_bytes(translate.po_text(quiz, "tr"))
    assert "python-format" not in file.read_text(encoding="utf-8")
    assert re.search(r'#, fuzzy\nmsgctxt "title"\nmsgid "Sums"\nmsgstr "Toplamlar"', file.read_text(encoding="utf-8"))

    changed = (
        '\nmsgctxt "title"\nmsgid "Products"\nmsgstr "Çarpımlar"\n\nmsgctxt "gone"\nmsgid "Gone"\nmsgstr "Gitti"\n'
    )
    file.write_text(f'msgid ""\nmsgstr ""\n{changed}', encoding="utf-8")

    made = translate.overlay(quiz, "tr", po_file=file)

    assert [(problem.path, problem.message.split(":")[0]) for problem in made.problems] == [
        ("title", "stale"),
        ("gone", "no text of the source has this context"),
    ]
    assert "title: Toplamlar" in made.text


def test_a_po_file_over_a_translation_replaces_it(quiz: Path, tmp_path: Path) -> None:
    hints = "    hints:\n      - Eski.\n      - >-\n        Öbürü\n        kalır.\n"
    overlay = f"locale: tr\ntitle: Eski\nitems:\n  one:\n{hints}"
    (quiz / "quiz.tr.yaml").write_text(overlay, encoding="utf-8")
    file = tmp_path / "tr.po"
    messages = (("title", "Sums", "Yeni"), ("items.one.hints.0", "Use your fingers.", "Yeni."))
    file.write_text(
        'msgid ""\nmsgstr ""\n' + "".join(f'\nmsgctxt "{c}"\nmsgid "{i}"\nmsgstr "{s}"\n' for c, i, s in messages),
        encoding="utf-8",
    )

    text = translate.overlay(quiz, "tr", po_file=file).text

    assert "title: Yeni\n" in text
    assert "    hints:\n      - >-\n        Yeni.\n      - >-\n        Öbürü\n        kalır.\n" in text
    assert "Eski" not in text


def test_what_is_no_po_file_is_a_problem(quiz: Path, tmp_path: Path) -> None:
    (tmp_path / "x.po").write_bytes(b'msgid "\xff')

    with pytest.raises(ContentError, match="this is no PO file"):
        translate.overlay(quiz, "tr", po_file=tmp_path / "x.po")


def test_without_babel_a_po_file_says_what_to_install(quiz: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "babel.messages", None)

    with pytest.raises(ContentError, match="pip install babel"):
        translate.po_text(quiz, "tr")


# Commands and interface words


def test_the_commands(quiz: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["check", "--locales", str(quiz)]) == 0
    assert capsys.readouterr().out.splitlines()[-1] == "locales: none, 0 stale"
    assert cli.main(["translate", str(quiz), "--to", "tr"]) == 0
    assert capsys.readouterr().out.endswith("quiz.tr.yaml: written, 11 texts to translate, 0 stale\n")
    assert cli.main(["translate", str(quiz), "--to", "tr", "--po", str(tmp_path / "x.po")]) == 0
    assert cli.main(["translate", str(quiz), "--to", "tr", "--from-po", str(tmp_path / "x.po")]) == 0
    assert cli.main(["translate", str(quiz), "--to", "de"]) == 1
    assert cli.main(["translate", str(quiz / "gone"), "--to", "tr"]) == 2
    (quiz / "quiz.tr.yaml").write_text("locale: tr\ntitle: Toplamlar\n", encoding="utf-8")
    capsys.readouterr()
    assert cli.main(["check", str(quiz)]) == 0
    assert cli.main(["check", "--locales", str(quiz)]) == 1
    assert capsys.readouterr().out.splitlines()[-1] == "locales: tr 9%, 1 stale"


def test_a_quiz_without_a_translation_counts_in_every_language(quiz: Path, tmp_path: Path) -> None:
    (quiz / "quiz.ar.yaml").write_text("locale: ar\ntitle: مجاميع\n", encoding="utf-8")
    other = tmp_path / "more"
    other.mkdir()
    (other / "quiz.yaml").write_text(QUIZ.replace("id: sums", "id: more"), encoding="utf-8")
    (other / "quiz.tr.yaml").write_text("locale: tr\ntitle: Toplamlar\n", encoding="utf-8")

    assert list(authoring.coverage([tmp_path]).items()) == [("tr", Coverage(22, 1, 1)), ("ar", Coverage(22, 1, 1))]


def test_the_interface_words_of_the_package_have_no_faults() -> None:
    assert [str(problem) for problem in wording.check()] == []


@pytest.mark.parametrize(
    ("words", "problem"),
    [
        ('{"a": "Bir {n}"', "ar.json:1:16: no JSON: Expecting ',' delimiter"),
        ("[]", "ar.json:1:1: words by key are expected (begin with `{`)"),
        ('{\n  "b": "ب",\n  "c": {}\n}', "ar.json: a: this message is missing"),
        ('{"a": "ا", "b": "ب"}', "ar.json:1:2: a: dropped: `{n}` (keep it as in en.json)"),
        ('{\n  "a": "{n} {m}",\n  "b": "ب"\n}', "ar.json:2:3: a: unknown placeholder `{m}` (see en.json)"),
        ('{\n  "a": "{n}",\n  "b": "see it here"\n}', "ar.json:3:3: b: the message is still the English one"),
        ('{\n  "a": "{n}",\n  "b": "هل؟ نعم, لا"\n}', "ar.json:3:3: b: `,` in Arabic prose (write `،`)"),
        ('{\n  "a": "{n}",\n  "b": 1\n}', "ar.json:3:3: b: a text is expected"),
        ('{\n  "a": "{n}",\n  "b": {"other": "ب"}\n}', "ar.json:3:3: b: one has plural forms and the other has not"),
        ('{"z": "ي"}', "z: English has no such message (remove it)"),
        (
            '{"c": {"zero": "0", "one": "1", "two": "2", "few": "{count}", "many": " ", "other": "{count}"}}',
            "c: the plural form `many` is missing (needed are `zero`, `one`, `two`, `few`, `many` and `other`)",
        ),
        ('{"c": {"lots": "{count}", "other": "{count}"}}', "c: no plural form is called `lots`"),
        ('{"c": {"other": "كثير"}}', "c: dropped: `{count}`"),
    ],
)
def test_faulty_interface_words(tmp_path: Path, words: str, problem: str) -> None:
    english = '{"a": "One {n}", "b": "see it here", "c": {"one": "one", "other": "{count} of them"}}'
    (tmp_path / "en.json").write_text(english, encoding="utf-8")
    (tmp_path / "ar.json").write_text(words, encoding="utf-8")

    assert any(problem in shown(found) for found in wording.check([tmp_path]))
