"""Packs hold what differs in another language, and nothing that the page has already."""

from __future__ import annotations

import base64
import json
import zlib
from dataclasses import replace
from typing import Any

import pytest

from quiz_widgets import authoring, page
from quiz_widgets.contract import ViewPayload
from quiz_widgets.packs import packs
from quiz_widgets.payload import practice_payload, quiz_payload
from tests.frontend import languages_quiz as sample

LIMITS = {"en": 90_000, "tr": 95_000, "ar": 105_000}  # bytes; a letter of Arabic takes two


def opened(pack: str) -> list[Any]:
    leaves: list[Any] = json.loads(zlib.decompress(base64.b64decode(pack)))
    return leaves


def translated(base: Any, leaves: list[Any]) -> Any:
    """What the page does with a pack."""
    if isinstance(base, list):
        return [translated(part, leaves) for part in base]
    if isinstance(base, dict) and "html" not in base and "other" not in base:
        return {name: translated(part, leaves) for name, part in base.items()}
    return leaves.pop(0) or base


@pytest.mark.parametrize("locale", ["en", "tr", "ar"])
def test_a_pack_put_into_one_language_gives_the_other(locale: str) -> None:
    quiz = sample.quiz()
    base = [quiz_payload(quiz, locale), practice_payload(quiz, locale)]

    made = packs(quiz, locale)

    assert list(made) == sorted({"en", "tr", "ar"} - {locale})
    for name, pack in made.items():
        leaves = opened(pack)
        assert translated(base, leaves) == [quiz_payload(quiz, name), practice_payload(quiz, name)]
        assert leaves == []


def test_a_quiz_in_one_language_has_no_packs() -> None:
    assert packs(replace(sample.quiz(), locales=("en",)), "en") == {}
    assert packs(replace(sample.quiz(), locales=("en", "xx")), "en") == {}


@pytest.mark.parametrize("name", ["mixed-precision", "optimizer-offload"])
@pytest.mark.parametrize("locale", ["en", "tr", "ar"])
def test_outputs_of_the_course_stay_small(name: str, locale: str) -> None:
    quiz = authoring.load(f"content/{name}")
    view: ViewPayload = {}
    alone = page.live_html(replace(quiz, locales=("en",)), locale=locale, view=view, attempt=None, outcomes={})

    assert len(quiz.in_set(None)) == 8
    assert len(alone.encode()) <= LIMITS[locale]
    for pack in packs(quiz, locale, view).values():
        assert len(pack) <= 12_000
