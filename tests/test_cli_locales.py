"""The command's reports in every language: the same cases, whole lines, and isolates that are never left open."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from quiz_widgets import cli, locales
from quiz_widgets.authoring import load
from quiz_widgets.build import Generated
from quiz_widgets.cli import common
from quiz_widgets.contract import EventPayload
from quiz_widgets.demos.registry import Fact, Facts
from quiz_widgets.evidence import ItemReport, Report, judging
from quiz_widgets.locales import bidi, reports
from quiz_widgets.model import Claim, Item, Option, Rendered, Text
from quiz_widgets.problems import Problem
from quiz_widgets.progress import LocalRecorder

ROOT = Path(__file__).resolve().parents[1]
SAMPLE = ROOT / "tests" / "cases" / "sample" / "quiz.yaml"
CASES = json.loads((ROOT / "tests" / "cases" / "reports.json").read_text(encoding="utf-8"))["cases"]
LOCALES = locales.available()
REPORTS = sorted(key for key in locales.words("en") if key.startswith("cli_"))

ONE_TEXT = """\
id: {id}
title: "`{id}`"
level: easy
description: "`{id}`"
items:
  - id: no-such
    stem: Which?
    options:
      - {{id: two, text: "`2`", correct: true, rationale: "`2`"}}
      - {{id: three, text: "`3`", rationale: "`3`"}}
    explanation: "`2`"
    evidence: no_such
  - id: cited
    stem: Where?
    options:
      - {{id: two, text: "`2`", correct: true, rationale: "`2`"}}
      - {{id: three, text: "`3`", rationale: "`3`"}}
    explanation: "`2`"
    source: "`A`"
"""


@pytest.fixture
def places(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Mapping[str, str]:
    """What the cases call by name."""
    (tmp_path / "content").mkdir()
    found = {"tmp": str(tmp_path), "sample": str(SAMPLE)}
    for name in ("broken", "claimed", "translated", "untranslated"):
        folder = tmp_path / name
        folder.mkdir()
        text = ONE_TEXT.format(id=name)
        (folder / "quiz.yaml").write_text(text if name != "broken" else "[]\n", encoding="utf-8")
        found[name] = str(folder)
    half = "locale: tr\nitems:\n  cited:\n    stem: Nerede?\n"
    (tmp_path / "translated" / "quiz.tr.yaml").write_text(half, encoding="utf-8")
    monkeypatch.setattr("quiz_widgets.lab.checkout", lambda: tmp_path)
    left = tmp_path / "left.json"
    left.write_text("{}", encoding="utf-8")
    files = [Generated(tmp_path / "new" / "made.json", "{}\n"), Generated(left, None)]
    monkeypatch.setattr("quiz_widgets.build.generate", lambda _: files)
    found["attempts"] = str(tmp_path / "attempts")
    started = (datetime.fromtimestamp(at / 1000, UTC).astimezone() for at in attempts(tmp_path / "attempts"))
    found["started"], found["restarted"] = (at.strftime("%Y-%m-%d %H:%M") for at in started)
    return found


def attempts(home: Path) -> tuple[int, int]:
    """Two attempts at the sample, with part of the points in the first and nothing yet in the second; their times."""
    recorder = LocalRecorder(load(SAMPLE), home)
    first = recorder.attempt()
    partial = next(item for item in recorder.quiz.items if item.credit == "partial")
    events: list[EventPayload] = [
        {
            "id": f"{first['id']}/{partial.id}/1",
            "attempt": first["id"],
            "kind": "submit",
            "item": partial.id,
            "round": 0,
            "response": list(partial.key[:1]),
            "at": 1,
        },
        {
            "id": f"{first['id']}/restart",
            "attempt": first["id"],
            "kind": "restart",
            "item": "",
            "round": 0,
            "response": ["f" * 32],
            "at": 2,
        },
    ]
    recorder.record(events)
    return first["started"], recorder.attempt()["started"]


@pytest.mark.parametrize("locale", LOCALES)
@pytest.mark.parametrize("case", CASES, ids=lambda case: case["name"])
def test_a_report_is_in_the_reader_s_language(
    case: Mapping[str, Any],
    locale: str,
    places: Mapping[str, str],
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("QUIZ_WIDGETS_LOCALE", locale)
    if case["arguments"] == ["lab"]:
        monkeypatch.setattr("importlib.util.find_spec", lambda _: None)
    if "before" in case:
        cli.main(case["before"])
    capsys.readouterr()

    try:
        code = cli.main([argument.format_map(places) for argument in case["arguments"]])
    except SystemExit as stop:  # argparse
        code = int(stop.code or 0)

    printed = getattr(capsys.readouterr(), case["stream"]).splitlines()
    expected = [line.format_map(places) for line in case[locale]]
    assert [line for line in printed if line in expected] == expected
    assert printed[-1] == expected[-1]
    assert code == case["code"]


def test_how_much_a_problem_weighs_is_said_and_its_text_stays(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    error = Problem("a.yaml", 3, 4, "id", "what", "do")
    note, warning = (Problem("a.yaml", 3, 4, "id", "what", "do", severity=kind) for kind in ("note", "warning"))
    printed = {}
    for locale in LOCALES:
        monkeypatch.setenv("QUIZ_WIDGETS_LOCALE", locale)
        common.list_problems([error, note, warning])
        printed[locale] = capsys.readouterr().out.splitlines()

    assert printed["en"] == [str(error), str(note), str(warning)]
    assert printed["en"][1:] == ["a.yaml:3:4: note: id: what (do)", "a.yaml:3:4: warning: id: what (do)"]
    assert printed["tr"] == [str(error), "a.yaml:3:4: not: id: what (do)", "a.yaml:3:4: uyarı: id: what (do)"]
    assert printed["ar"] == [
        str(error),
        "\u2066a.yaml:3:4\u2069: ملاحظة: \u2066id: what (do)\u2069",
        "\u2066a.yaml:3:4\u2069: تحذير: \u2066id: what (do)\u2069",
    ]


def text(source: str) -> Text:
    return Text({"en": Rendered(source, source, source, source)})


def judged() -> Report:
    def option(name: str, *claims: Claim, correct: bool = False) -> Option:
        return Option(id=name, text=text(name), claims=claims, correct=correct)

    options = (
        option("two", Claim("ratio", "equals", 0.5), Claim("ratio", "between", (0.25, 1)), correct=True),
        option("three", Claim("ratio", "at_least", 1.5), Claim("size", "at_most", 2)),
        option("four"),
        option("five", Claim("other", "is", "x")),
    )
    item = Item(id="i", stem=text("?"), options=options, evidence="e")
    found = Facts({"ratio": Fact(0.5, "GB"), "size": Fact(3)}, "found 0.5")
    missing = reports.message("packages_missing", packages="torch")
    skipped = ItemReport("q", "j", "e", "skipped", message=missing, missing=("torch",))
    return Report((judging.judge("q", item, found), skipped))


EVIDENCE = {
    "en": [
        "q/i: contradicted: found 0.5",
        "  two: proved: claims ratio 0.5, and it is 0.5 GB; claims ratio between 0.25 and 1, and it is 0.5 GB",
        "  three: refuted: claims ratio at least 1.5, and it is 0.5 GB; claims size at most 2, and it is 3",
        "  four: not computable: it claims nothing that the evidence could decide",
        "  five: contradicted: the evidence has no fact `other`; it has `ratio`, `size`",
        "q/j: skipped: torch is missing: pip install torch",
        "evidence: 0 of 2 items proved, 0 cited, 1 contradicted, 1 skipped (torch missing)",
    ],
    "tr": [
        "q/i: kanıtla çelişiyor: found 0.5",
        "  two: kanıtlandı: iddia: ratio 0,5, bulunan: 0,5 GB; iddia: ratio 0,25 ile 1 arasında, bulunan: 0,5 GB",
        "  three: çürütüldü: iddia: ratio en az 1,5, bulunan: 0,5 GB; iddia: size en çok 2, bulunan: 3",
        "  four: hesaplanamaz: kanıtın sınayabileceği bir iddiası yok",
        "  five: kanıtla çelişiyor: kanıtta şu bulgu yok: `other`; olanlar: `ratio`, `size`",
        "q/j: atlandı: torch eksik: pip install torch",
        "kanıt: 2 sorudan 0 tanesi kanıtlandı; kaynak gösterilen 0, çelişen 1, atlanan 1 (eksik: torch)",
    ],
    "ar": [
        "[q/i]: يناقضه الدليل: [found 0.5]",
        (
            "  [two]: ثبت بالدليل: يدّعي أن [ratio] هو [0.5]، والناتج [0.5 GB]؛ "
            "يدّعي أن [ratio] بين [0.25] و[1]، والناتج [0.5 GB]"
        ),
        (
            "  [three]: دُحض بالدليل: يدّعي أن [ratio] لا يقل عن [1.5]، والناتج [0.5 GB]؛ "
            "يدّعي أن [size] لا يزيد على [2]، والناتج [3]"
        ),
        "  [four]: لا يمكن حسابه: لا يدّعي شيئًا يمكن للدليل أن يحسمه",
        "  [five]: يناقضه الدليل: ليس في الدليل [`other`]؛ وفيه [`ratio`]، [`size`]",
        "[q/j]: متروك: ينقص [torch]: [pip install [torch]]",
        "الأدلة: ثبت [0] من أصل [2]، المستند إلى مصدر [0]، المتناقض [1]، المتروك [1] (ينقص [torch])",
    ],
}


@pytest.mark.parametrize("locale", LOCALES)
def test_the_report_of_evidence_is_in_the_reader_s_language(locale: str) -> None:
    printed = [line.replace(bidi.LRI, "[").replace(bidi.PDI, "]") for line in judged().lines(locale)]

    assert printed == EVIDENCE[locale]


@pytest.mark.parametrize("key", REPORTS)
def test_no_arabic_report_leaves_latin_or_numbers_open(key: str) -> None:
    form = locales.words("ar")[key]
    for text in form.values() if isinstance(form, dict) else [form]:
        names = re.findall(r"\{(\w+)\}", text)
        line = text.format_map(dict.fromkeys(names, f"{bidi.LRI}x-1{bidi.PDI}"))
        while (shorter := re.sub(f"{bidi.LRI}[^{bidi.LRI}{bidi.PDI}]*{bidi.PDI}", "", line)) != line:
            line = shorter
        assert not re.search(rf"[A-Za-z0-9{bidi.LRI}{bidi.PDI}]", line), text


def test_every_message_is_used() -> None:
    sources = [path.read_text(encoding="utf-8") for path in (ROOT / "quiz_widgets").rglob("*.py")]
    text = "\n".join(sources)
    verdicts = {*judging.Verdict.__args__, *judging.Outcome.__args__}  # type: ignore[attr-defined]
    chosen = {"warning", "note", *(verdict.replace(" ", "_") for verdict in verdicts)}
    chosen |= {"claim_at_least", "claim_at_most", "quizzes", "items", "problems", "warnings"}

    def used(name: str) -> bool:
        """Whether the code names it; the form editor puts its own together of a place and a field."""
        form = name.removeprefix("edit_")
        parts = [form] if form == name or f'"{form}"' in text else form.split("_", 1)
        return name in chosen or all(f'"{part}"' in text for part in parts)

    assert [key for key in REPORTS if not used(key[4:])] == []


@pytest.mark.parametrize(
    ("environment", "locale"),
    [
        ({}, "en"),
        ({"LANG": "C.UTF-8"}, "en"),
        ({"LANG": "tr_TR.UTF-8"}, "tr"),
        ({"QUIZ_WIDGETS_LOCALE": "ar", "LANG": "tr_TR.UTF-8"}, "ar"),
        ({"QUIZ_WIDGETS_LOCALE": "", "LC_ALL": "ar_EG.UTF-8", "LANG": "tr_TR.UTF-8"}, "ar"),
        ({"QUIZ_WIDGETS_LOCALE": "trr", "LANG": "tr_TR.UTF-8"}, "tr"),
        ({"QUIZ_WIDGETS_LOCALE": "trr", "LANG": "fr_FR.UTF-8"}, "en"),
    ],
)
def test_whose_language_it_is(environment: Mapping[str, str], locale: str) -> None:
    assert locales.of_reader(environment) == locale


def test_a_terminal_without_the_letters_gives_no_traceback(tmp_path: Path) -> None:
    environment = {**os.environ, "QUIZ_WIDGETS_LOCALE": "ar", "PYTHONIOENCODING": "ascii"}
    command = [sys.executable, "-m", "quiz_widgets.cli", "progress", "--home", str(tmp_path)]
    ran = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False, timeout=60)

    assert (ran.returncode, ran.stderr) == (0, "")
    assert ran.stdout.startswith("\\u0627")
