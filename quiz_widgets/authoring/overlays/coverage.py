"""How much of a quiz, with its guide, is translated, and what of it translates a text that has changed since."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from quiz_widgets.authoring.guides import GuideDocument
from quiz_widgets.authoring.overlays import structure
from quiz_widgets.authoring.overlays.reader import Overlay
from quiz_widgets.authoring.overlays.texts import fingerprint
from quiz_widgets.problems import Problem

GUIDE = "guide"


@dataclass(frozen=True, slots=True)
class Coverage:
    """One locale: how many texts there are, how many are translated, and how many of these are out of date."""

    total: int = 0
    translated: int = 0
    stale: int = 0

    def __add__(self, other: Coverage) -> Coverage:
        return Coverage(self.total + other.total, self.translated + other.translated, self.stale + other.stale)

    @property
    def percent(self) -> int:
        """The translated share; 100 only when nothing is missing."""
        return 100 * self.translated // self.total if self.total else 100


@dataclass(frozen=True, slots=True)
class Translation:
    """Everything of one quiz in one locale: the overlay and the guide, where they are."""

    locale: str
    sources: Mapping[str, str]
    overlay: Overlay | None = None
    guide: GuideDocument | None = None
    places: Mapping[str, tuple[str, int, int]] = field(default_factory=dict)

    @property
    def missing(self) -> tuple[str, ...]:
        """Paths without a translation, in the order of the source."""
        return tuple(path for path in self.sources if path not in self.places)

    @property
    def outdated(self) -> tuple[str, ...]:
        """Translated paths whose hash is missing or another one than the source's."""
        hashes = self.overlay.hashes if self.overlay else {}
        return tuple(
            path for path in self.places if path not in hashes or hashes[path].text != fingerprint(self.sources[path])
        )

    @property
    def coverage(self) -> Coverage:
        """The counts of this quiz."""
        return Coverage(len(self.sources), len(self.places), len(self.outdated))

    def problems(self) -> Iterator[Problem]:
        """A warning for each text that is out of date, and for each hash of nothing."""
        hashes = self.overlay.hashes if self.overlay else {}
        for path in self.outdated:
            known = path in hashes
            message = "stale: its source has changed since it was translated" if known else "no hash of its source"
            hint = f"compare it with the source, then run `quiz-widgets translate PATH --to {self.locale} --accept`"
            yield Problem(*self.places[path], path, message, hint, "warning", "stale")
        for path, node in hashes.items():
            if path not in self.sources and self.overlay is not None:
                message, hint = f"`{path}` is no text of the source", "`quiz-widgets translate` removes it"
                place = (self.overlay.file, node.line, node.column)
                yield Problem(*place, "translates", message, hint, "warning", "stale")


def sources(texts: Mapping[str, str], guide: GuideDocument | None) -> dict[str, str]:
    """Every text that is to be translated, by path: those of a quiz and those of `guide`, which is its own."""
    found = dict(texts)
    if guide is not None:
        found[GUIDE] = guide.title
        for section, (text, _) in structure.sections(guide).items():
            found[_guide_path(section)] = f"{guide.title}\n{text}" if not section else text
    return found


def translation(
    locale: str, wanted: Mapping[str, str], overlay: Overlay | None, guide: GuideDocument | None
) -> Translation:
    """What there is in one locale of the `wanted` texts."""
    places: dict[str, tuple[str, int, int]] = {}
    if overlay is not None:
        places = {path: (overlay.file, node.line, node.column) for path, node in overlay.places.items()}
    if guide is not None:
        for section, (_, line) in {"": ("", 1), **structure.sections(guide)}.items():
            if _guide_path(section) in wanted:
                places[_guide_path(section)] = (guide.file, line, 1)
    return Translation(locale, wanted, overlay, guide, places)


def _guide_path(section: str) -> str:
    return f"{GUIDE}.{section}" if section else GUIDE
