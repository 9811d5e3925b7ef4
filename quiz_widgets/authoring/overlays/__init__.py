"""Translations: overlays of a quiz's texts and translated guides, compared with their source and merged into it."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from quiz_widgets import markup
from quiz_widgets.authoring import guides
from quiz_widgets.authoring.guides import GuideDocument
from quiz_widgets.authoring.overlays import coverage, reader, structure
from quiz_widgets.authoring.overlays.coverage import Coverage, Translation
from quiz_widgets.authoring.overlays.reader import Overlay
from quiz_widgets.authoring.overlays.texts import rebuild, sources
from quiz_widgets.locales.forms import CATEGORIES
from quiz_widgets.model import Guide, Quiz, Rendered, Text
from quiz_widgets.problems import ContentError, Problem

__all__ = ["Coverage", "Overlay", "Translated", "Translation", "add", "coverage", "total"]


@dataclass(frozen=True, slots=True)
class Translated:
    """A quiz with its translations: merged, what there is of each locale, and how many texts there are."""

    quiz: Quiz
    translations: tuple[Translation, ...]
    texts: int
    problems: tuple[Problem, ...]


def add(
    quiz: Quiz, path: Path, documents: Iterable[GuideDocument], unsaved: Mapping[Path, bytes] | None = None
) -> Translated:
    """The quiz with every translation that stands beside its file, and all their problems.

    `documents` are the guides that the quiz names, in its source language; `unsaved` are overlays as they would be
    once they are saved.
    """
    problems: list[Problem] = []
    texts = sources(quiz)
    changed = unsaved or {}
    files = sorted({*reader.beside(path), *changed})
    read = (reader.read(file, quiz, texts, changed.get(file)) for file in files)
    overlays = {overlay.locale: overlay for overlay in read}
    own: GuideDocument | None = None
    translated: dict[str, dict[str, GuideDocument]] = {}
    for document in documents:
        found = _translated(document, problems)
        translated[document.id] = found
        own = document if document.id == quiz.id else own
    wanted = coverage.sources(texts, own)
    locales = sorted({*overlays, *(translated[own.id] if own else ())})
    translations = [
        coverage.translation(locale, wanted, overlays.get(locale), translated[own.id].get(locale) if own else None)
        for locale in locales
    ]
    for overlay in overlays.values():
        problems += overlay.problems
    for one in translations:
        problems += one.problems()

    def with_forms(at: str, text: Text) -> Text:
        more = {locale: overlay.texts[at] for locale, overlay in overlays.items() if at in overlay.texts}
        return dataclasses.replace(text, forms={**text.forms, **more}) if more else text

    touched = {at.split(".")[1] for overlay in overlays.values() for at in overlay.texts if at.startswith("items.")}
    merged = rebuild(quiz, with_forms, touched)
    named = tuple(_guide(guide, translated.get(guide.id, {})) for guide in quiz.guides)
    merged = dataclasses.replace(merged, guides=named, locales=("en", *locales))
    return Translated(merged, tuple(translations), len(wanted), tuple(problems))


def total(quizzes: Iterable[Translated]) -> dict[str, Coverage]:
    """The coverage of each locale over many quizzes; one that has nothing in a locale counts as all missing there."""
    everything = list(quizzes)
    found = {one.locale for quiz in everything for one in quiz.translations}
    covered = {}
    for locale in (locale for locale in [*CATEGORIES, *sorted(found - CATEGORIES.keys())] if locale in found):
        parts = [
            next((one.coverage for one in quiz.translations if one.locale == locale), Coverage(quiz.texts))
            for quiz in everything
        ]
        covered[locale] = sum(parts, Coverage())
    return covered


def _translated(source: GuideDocument, problems: list[Problem]) -> dict[str, GuideDocument]:
    """The guide's translations by locale, each compared with it."""
    found: dict[str, GuideDocument] = {}
    for path in sorted(Path(source.file).parent.glob("guide.*.md")):
        locale = path.name.split(".")[1]
        if locale == source.locale:
            continue
        try:
            document = guides.read(path, locale)
        except ContentError as error:
            problems += error.problems
            continue
        problems += [*document.problems, *structure.check(source, document)]
        found[locale] = document
    return found


def _guide(guide: Guide, translated: dict[str, GuideDocument]) -> Guide:
    """The guide's title and its sections' titles in all locales."""
    titles = {locale: document.title for locale, document in translated.items()}
    sections = {
        section: _titled(text, {locale: document.sections.get(section, "") for locale, document in translated.items()})
        for section, text in guide.sections.items()
    }
    return dataclasses.replace(guide, title=_titled(guide.title, titles), sections=sections)


def _titled(text: Text, titles: dict[str, str]) -> Text:
    forms = {locale: _rendered(title) for locale, title in titles.items() if title}
    return dataclasses.replace(text, forms={**text.forms, **forms})


def _rendered(source: str) -> Rendered:
    forms = markup.render(source, block=False)
    return Rendered(source, forms.html, forms.preview, forms.plain)
