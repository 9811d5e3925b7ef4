"""What a screen reader hears, by keyboard alone, in each language: compared with the stored transcripts."""

from __future__ import annotations

import pytest

from tests.frontend.listening import FOLDER, LOCALES, TRANSCRIPTS
from tests.frontend.mounting import Mounts


@pytest.mark.parametrize("locale", LOCALES)
@pytest.mark.parametrize("name", TRANSCRIPTS)
def test_the_whole_quiz_sounds_as_stored(mount: Mounts, name: str, locale: str) -> None:
    """Names, roles, states, groups and live messages; `python -m tests.frontend.listening --write` stores anew."""
    stored = (FOLDER / f"{name.format(locale=locale)}.txt").read_text(encoding="utf-8")

    assert TRANSCRIPTS[name](mount, locale) == stored
