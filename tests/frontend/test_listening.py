"""What a screen reader hears, by keyboard alone, in each language: compared with the stored transcripts."""

from __future__ import annotations

import pytest

from tests.frontend.listening import FOLDER, LOCALES, transcript
from tests.frontend.mounting import Mounts


@pytest.mark.parametrize("locale", LOCALES)
def test_the_whole_quiz_sounds_as_stored(mount: Mounts, locale: str) -> None:
    """Names, roles, states, groups and live messages; `python -m tests.frontend.listening --write` stores anew."""
    assert transcript(mount, locale) == (FOLDER / f"{locale}.txt").read_text(encoding="utf-8")
