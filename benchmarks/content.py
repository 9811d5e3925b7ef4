"""What large content costs: checking a bank, loading one quiz of it, and the import in a notebook. CPU times, bytes.

Run it with ``.venv/bin/python -m benchmarks.content [COUNT]`` (10,000 items without it). Figures of a check and of an
import are those of a process of its own, and of a check a warm one: a small bank was checked before the clock starts.
All are the smallest of a few: other work only ever adds. `tests/test_scale.py` holds the ratios.
"""

from __future__ import annotations

import contextlib
import io
import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from benchmarks import bank
from benchmarks.peak import peak_mb

if TYPE_CHECKING:
    from quiz_widgets import contract

RUNS = 2
# Texts that are shown, as the bank has them.
SHOWN = ("title", "description", "stem", "text", "rationale", "explanation", "source")
# A kernel has these loaded before the first cell runs.
KERNEL = "import IPython, ipykernel.ipkernel, ipykernel.kernelapp, time\n"
TIMED = KERNEL + "start = time.process_time()\n{code}\nprint(time.process_time() - start)"


def compose(folder: Path) -> None:
    """What PyYAML's C loader alone needs for the same files."""
    import yaml

    for path in sorted(folder.glob("*/quiz*.yaml")):
        yaml.compose(path.read_text(encoding="utf-8"), yaml.CSafeLoader)


def check(folder: Path) -> None:
    """What an author runs."""
    from quiz_widgets import cli

    with contextlib.redirect_stdout(io.StringIO()) as said:
        if cli.main(["check", str(folder)]):
            raise SystemExit(said.getvalue())


def html(folder: Path) -> Callable[[Path], None]:
    """What making the HTML of the bank's texts needs; they are looked up before."""
    from quiz_widgets import markup
    from quiz_widgets.authoring import tree

    texts = [
        (text, name != "title")
        for path in sorted(folder.glob("*/quiz*.yaml"))
        for name, text in _shown(tree.read(path.read_bytes(), str(path)).root)
    ]

    def work(_: Path) -> None:
        for text, block in texts:
            markup.render(text, block=block)

    return work


def _shown(node: object, name: str = "") -> Iterator[tuple[str, str]]:
    from quiz_widgets.authoring import tree

    if isinstance(node, tree.Mapping):
        for key, value in node.entries.items():
            yield from _shown(value, key)
    elif isinstance(node, tree.Sequence):
        for entry in node.items:
            yield from _shown(entry)
    elif isinstance(node, tree.Scalar) and name in SHOWN:
        yield name, node.text


def cost(work: str, folder: Path, small: Path) -> tuple[float, float]:
    """CPU seconds, and MB at the peak, of one kind of work on a bank, done on the bank `small` before."""
    command = [sys.executable, "-m", "benchmarks.content", "--one", work, str(folder), str(small)]
    ran = [json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout) for _ in range(RUNS)]
    return min(cpu for cpu, _ in ran), min(peak for _, peak in ran)


def _one(work: str, folder: Path, small: Path) -> None:
    def made(of: Path) -> Callable[[Path], None]:
        return html(of) if work == "html" else {"compose": compose, "check": check}[work]

    made(small)(small)
    run = made(folder)
    start = time.process_time()
    run(folder)
    spent = time.process_time() - start
    print(json.dumps([spent, peak_mb()]))


def in_kernel(code: str, runs: int = 5) -> float:
    """CPU milliseconds of code in a process that has loaded what a kernel has; with compiled bytecode, as installed."""
    command = [sys.executable, "-X", f"pycache_prefix={tempfile.gettempdir()}/quiz-widgets-bytecode", "-c"]
    program = TIMED.format(code=code)
    ran = [
        subprocess.run([*command, program], capture_output=True, text=True, check=True, env=_environment())
        for _ in range(runs + 1)  # the first one compiles
    ]
    return 1000 * min(float(one.stdout) for one in ran)


def _environment() -> dict[str, str]:
    import os

    return {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}


def compiled_bank(small: Path, count: int) -> str:
    """A compiled quiz of `count` items: those of the bank `small` again and again, under ids of their own."""
    from quiz_widgets import authoring, compiled

    head, *lines, end = compiled.dump(authoring.load(small / "bank-0001")).splitlines()
    bodies = [line.removesuffix(",").partition('"item-')[2][5:] for line in lines]
    made = (f'{{"id":"item-{number:05}{bodies[number % len(bodies)]}' for number in range(count))
    return "\n".join([head, ",\n".join(made), end, ""])


def smallest(work: Callable[[], object], runs: int = 5) -> float:
    """CPU seconds of work in this process, the smallest of some runs."""
    spent = []
    for _ in range(runs):
        start = time.process_time()
        work()
        spent.append(time.process_time() - start)
    return min(spent)


def _print_compiled(folder: Path, small: Path, count: int) -> None:
    from quiz_widgets import compiled, page

    text = compiled_bank(small, count)
    (folder / "bank-0001.json").write_text(text, encoding="utf-8")
    compiled._course = lambda: folder

    def shown() -> None:
        view: contract.ViewPayload = {"items": [f"item-{count // 2:05}"]}
        page.embedded_html(compiled.read("bank-0001"), locale="en", view=view)

    def whole() -> None:
        compiled.loads(text)

    print(f"{len(text.encode()) / 1e6:.1f} MB compiled: one item shown {1000 * smallest(shown):.0f} CPU ms,", end=" ")
    print(f"all items read {1000 * smallest(whole, RUNS):.0f} CPU ms")


def main(count: int) -> None:
    """Print all figures."""
    with tempfile.TemporaryDirectory() as made:
        folder, small = Path(made) / "bank", Path(made) / "small"
        bank.write(small, 40)
        [path] = bank.write(folder, count)
        size = sum(file.stat().st_size for file in path.parent.iterdir())
        print(f"{count} items, {size / 1e6:.2f} MB of YAML in two languages")
        figures = {work: cost(work, folder, small) for work in ("compose", "html", "check")}
        for work, (cpu, peak) in figures.items():
            print(f"{work:8} {cpu:6.2f} CPU s, {peak:5.0f} MB at the peak")
        ratio = figures["check"][0] / (figures["compose"][0] + figures["html"][0])
        print(f"check / (compose + html) = {ratio:.2f}")
        _print_compiled(Path(made), small, count)
    load = 'from quiz_widgets import load_quiz\nquiz = load_quiz("mixed-precision")'
    print(f"import {in_kernel('from quiz_widgets import load_quiz'):.1f} CPU ms in a running kernel")
    print(f"import and load {in_kernel(load):.1f} CPU ms")
    print(f"import, load and first HTML {in_kernel(load + chr(10) + 'quiz.html(quiz.items[0].id)'):.1f} CPU ms")


if __name__ == "__main__":
    if sys.argv[1:2] == ["--one"]:
        _one(sys.argv[2], Path(sys.argv[3]), Path(sys.argv[4]))
    else:
        main(int(sys.argv[1]) if sys.argv[1:] else 10_000)
