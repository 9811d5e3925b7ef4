"""One quiz that is edited: its files as opened, its files now, and every change between them, kept as a draft."""

from __future__ import annotations

import time
from pathlib import Path

from quiz_widgets import locales
from quiz_widgets.authoring import quizzes
from quiz_widgets.authoring.overlays import reader
from quiz_widgets.studio.editor import drafts, saving
from quiz_widgets.studio.editor.drafts import Draft, Step
from quiz_widgets.studio.editor.saving import ChangedMeanwhile

__all__ = ["ChangedMeanwhile", "Session"]


class Session:
    """Edits go through `change`; `undo`, `redo` and a later kernel go through the draft; `save` writes the files."""

    def __init__(self, path: Path) -> None:
        """`path` is the quiz's file; `OSError` where it cannot be read."""
        self.path = path.resolve()  # a link stays a link: what it leads to is replaced
        self.offered: Draft | None = None
        self.opened: dict[str, bytes | None] = {}
        self.files: dict[str, bytes | None] = {}
        self.steps: list[Step] = []
        self.done = 0
        self.path.read_bytes()
        self._open()
        found = drafts.read(self.path)
        if found is not None and found.done:
            self.offered = found

    @property
    def quiz(self) -> bytes:
        """The quiz's file as it is now."""
        return self.files[self.path.name] or b""

    @property
    def changed(self) -> bool:
        """Whether there is something to save."""
        return self.files != self.opened

    def overlay_name(self, locale: str) -> str:
        """The name of a translation's file."""
        return next(
            (name for name in self.files if (found := reader.NAME.fullmatch(name)) and found["locale"] == locale),
            f"quiz.{locale}.yaml",
        )

    def overlays(self) -> dict[Path, bytes]:
        """The translations as they are now, by path."""
        found = {name: data for name, data in self.files.items() if name != self.path.name}
        return {self.path.with_name(name): data for name, data in found.items() if data is not None}

    def change(self, name: str, data: bytes) -> None:
        """Take over the new state of a file, and keep it in the draft; `OSError` if the draft cannot be written."""
        before = self.files.get(name)
        if data == before:
            return
        del self.steps[self.done :]
        self.steps.append(drafts.step(name, before or b"", data))
        self.done += 1
        self.files[name] = data
        self._keep()

    def undo(self) -> None:
        """Take the last change back; nothing where there is none."""
        if self.done:
            self.done -= 1
            self._replay()

    def redo(self) -> None:
        """Do again what was taken back."""
        if self.done < len(self.steps):
            self.done += 1
            self._replay()

    def take_offer(self) -> None:
        """Go on with the draft that was found, from the files that it was begun with."""
        if self.offered is not None:
            draft, self.offered = self.offered, None
            self.opened, self.steps, self.done = dict(draft.opened), list(draft.steps), draft.done
            self.files = draft.files()

    def refuse_offer(self) -> None:
        """Drop the draft that was found."""
        self.offered = None
        drafts.remove(self.path)

    def save(self) -> None:
        """Write what has changed; `ChangedMeanwhile` (nothing written) if somebody else has, `OSError` if it fails."""
        saving.save(self.path.parent, self.opened, self.files)
        self.opened = dict(self.files)
        self.steps, self.done = [], 0
        drafts.remove(self.path)

    def reload(self) -> None:
        """Drop all changes and the draft, and open what is on disk."""
        self.steps, self.done = [], 0
        self._open()
        drafts.remove(self.path)

    def outside(self, draft: Draft | None = None) -> dict[str, str]:
        """Files that somebody else has changed since they were opened, each with how ours differs from theirs."""
        opened = self.opened if draft is None else draft.opened
        ours = self.files if draft is None else draft.files()
        found = {}
        for name, data in opened.items():
            theirs = saving.on_disk(self.path.with_name(name))
            if theirs != data:
                found[name] = saving.diff(name, theirs, ours.get(name) or b"")
        return found

    def _open(self) -> None:
        names = [self.path.name]
        if self.path.name == quizzes.QUIZ_FILE:
            names += [file.name for file in reader.beside(self.path)]
        self.opened = {name: saving.on_disk(self.path.with_name(name)) for name in names}
        named = {found["locale"] for name in names if (found := reader.NAME.fullmatch(name))}
        if self.path.name == quizzes.QUIZ_FILE:
            more = set(locales.available()) - {locales.SOURCE_LOCALE} - named
            self.opened.update({f"quiz.{locale}.yaml": None for locale in sorted(more)})
        self.files = dict(self.opened)

    def _replay(self) -> None:
        self.files = Draft(self.opened, self.steps, self.done, 0).files()
        for name, data in self.opened.items():  # a file that was not there is not there again
            if data is None and not self.files[name]:
                self.files[name] = None
        self._keep()

    def _keep(self) -> None:
        drafts.write(self.path, Draft(self.opened, self.steps, self.done, time.time()))
