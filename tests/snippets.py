"""Does what a page for authors says, block by block, in a folder of its own, and compares what comes out.

| block | what is done |
|---|---|
| `console` | each `$` line is run; the lines after it are what it prints, and `…` stands for any lines |
| `diff` | after `--- FILE`, the lines of that file are exchanged; they must be there once |
| any other with a file in a comment on its first line | is written to that file, at its end where it exists |
| `yaml` | is read as items of a quiz, and has no error |
| `python` | is run |
| `text` | is for reading alone |
"""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from quiz_widgets import cli
from quiz_widgets.authoring import quizzes

_FENCE = re.compile(r"^(`{3,})([^`\n]*)\n(.*?)^\1$", re.DOTALL | re.MULTILINE)
_FILE = re.compile(r"(?:# |<!-- |// )(?P<file>[\w./-]+\.\w+)(?: -->)?\n")
_HEAD = "id: example\ntitle: An example\nlevel: easy\ndescription: Of the documentation.\nitems:\n"
_SERVING = ("lab", "preview")  # these end when their user ends them: only their arguments are read
KINDS = ("console", "diff", "yaml", "python", "toml", "markdown", "text")


@dataclass(frozen=True)
class Block:
    """A fenced block of a page, and the line on which it begins."""

    kind: str
    text: str
    line: int


def blocks(page: Path) -> list[Block]:
    """All blocks of a page, in order."""
    text = page.read_text(encoding="utf-8")
    return [Block(found[2], found[3], text.count("\n", 0, found.start()) + 1) for found in _FENCE.finditer(text)]


class Reader:
    """Somebody who does what a page says."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def do(self, block: Block) -> None:
        """One block."""
        named = _FILE.match(block.text)
        if block.kind == "console":
            self._run(block.text)
        elif block.kind == "diff":
            self._change(block.text)
        elif named is not None:
            self._write(self.folder / named["file"], block.text[named.end() :])
        elif block.kind == "yaml":
            reading = quizzes.parse((_HEAD + block.text).encode(), Path("example.yaml"))
            assert [str(problem) for problem in reading.problems if problem.severity == "error"] == []
        elif block.kind == "python":
            done = self._started([sys.executable, "-c", block.text])
            assert done.returncode == 0, done.stderr
        else:
            assert block.kind == "text"

    def _run(self, text: str) -> None:
        for part in re.split(r"^\$ ", text, flags=re.MULTILINE)[1:]:
            line, _, expected = part.partition("\n")
            for command in line.split(" && "):
                said = self._command(shlex.split(command, comments=True))
            wanted = r"(?:.*\n)*?".join(re.escape(piece) for piece in re.split(r"^…\n", expected, flags=re.MULTILINE))
            assert re.fullmatch(wanted, said), f"$ {line}\n{said}"

    def _command(self, words: list[str]) -> str:
        if words[0] == "cd":
            self.folder /= words[1]
            assert self.folder.is_dir()
            return ""
        if words[0] == "rm":
            for name in words[1:]:
                (self.folder / name).unlink()
            return ""
        assert words[0] in ("quiz-widgets", "sphinx-build"), words
        if words[1] in _SERVING:
            assert cli._parser().parse_known_args(words[1:])[0].run
            return ""
        module = "quiz_widgets.cli" if words[0] == "quiz-widgets" else "sphinx"
        done = self._started([sys.executable, "-m", module, *words[1:]])
        assert "Traceback" not in done.stderr, done.stderr
        return done.stdout + done.stderr

    def _started(self, command: list[str]) -> subprocess.CompletedProcess[str]:
        environment = {**os.environ, "QUIZ_WIDGETS_LOCALE": "en", "QUIZ_WIDGETS_HOME": str(self.folder / ".kept")}
        return subprocess.run(command, cwd=self.folder, capture_output=True, text=True, env=environment, check=False)

    def _change(self, text: str) -> None:
        head, _, body = text.partition("\n")
        file = self.folder / head.removeprefix("--- ")
        lines = body.splitlines(keepends=True)
        old = "".join(line[1:] for line in lines if not line.startswith("+"))
        new = "".join(line[1:] for line in lines if not line.startswith("-"))
        before = file.read_text(encoding="utf-8")
        assert before.count(old) == 1, old
        file.write_text(before.replace(old, new), encoding="utf-8")

    def _write(self, file: Path, text: str) -> None:
        file.parent.mkdir(parents=True, exist_ok=True)
        before = file.read_text(encoding="utf-8") if file.exists() else ""
        file.write_text(before + text, encoding="utf-8")
