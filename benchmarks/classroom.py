"""What the desk bears: a hall of learners that answers at once, and everything killed meanwhile.

``.venv/bin/python benchmarks/classroom.py --quick`` takes 22 s of CPU, and under a minute on two cores that nobody else
uses; without it 1,000 learners answer 8 times.
Loopback only. Every receipt goes to a file, and ``audit.py`` compares the file with the database itself. Exit code 1
when an acknowledged answer is lost or one is doubled; ``--sabotage`` breaks the desk on purpose and must end so.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))  # a script sees its own folder only

from benchmarks.hall import dashboard, page, sabotage
from benchmarks.hall.measuring import Figures, measure
from benchmarks.hall.stack import Stack, has_proxy
from tests.classroom import postgres

COLUMNS = (
    ("", 34), ("answers/s", 10), ("of bound", 9), ("p50 ms", 8), ("p99 ms", 9), ("desk CPU ms", 12),
    ("proxy CPU ms", 13), ("sent", 7), ("ack.", 7), ("stored", 7), ("retries", 8),
)  # fmt: skip


def sqlite(folder: Path) -> str:
    """A database of the run's own."""
    return f"sqlite:///{folder / 'desk.sqlite'}"


def kill_desk(stack: Stack) -> None:
    """Kill the whole desk twice in the burst, and start it again."""
    for _ in range(2):
        time.sleep(0.05)  # in the burst also where a quick machine needs a quarter of a second for it
        stack.kill_desk()
        stack.start_desk()


def kill_worker(stack: Stack) -> None:
    """Kill one of two workers; the supervisor brings another."""
    time.sleep(0.05)  # in the burst also where a quick machine needs a quarter of a second for it
    stack.kill_worker()


def kill_proxy(stack: Stack) -> None:
    """Kill the proxy, and start it again at the same place."""
    time.sleep(0.05)  # in the burst also where a quick machine needs a quarter of a second for it
    stack.kill_proxy()
    stack.start_proxy()


def crash_database(stack: Stack) -> None:
    """Stop PostgreSQL at once, as a crash does, and start it again."""
    time.sleep(0.05)  # in the burst also where a quick machine needs a quarter of a second for it
    postgres.crash(stack.database)


def runs(options: argparse.Namespace, server: Callable[[Path], str] | None) -> Iterator[Figures]:
    """The runs that the options ask for, one after the other."""
    learners = options.learners or (100 if options.quick else 1000)
    if options.sabotage:
        meanwhile = kill_desk if options.sabotage == "ack-early" else None
        yield measure(
            f"sabotage: {options.sabotage}", sqlite, learners=learners, broken=options.sabotage, meanwhile=meanwhile
        )
        return
    yield measure("SQLite, 1 worker", sqlite, learners=learners)
    if has_proxy():
        yield measure("SQLite, 1 worker, proxy", sqlite, learners=learners, proxied=True)
    if server:
        yield measure("PostgreSQL, 1 worker", server, learners=learners)
        yield measure("PostgreSQL, 2 workers", server, learners=learners, workers=2)
        if not options.quick and has_proxy():
            yield measure("PostgreSQL, 2 workers, proxy", server, learners=learners, workers=2, proxied=True)
    if not options.quick:
        yield measure("SQLite, in a minute, proxy", sqlite, learners=learners, proxied=has_proxy(), minute=True)
    yield measure("SQLite, desk killed twice", sqlite, learners=learners, meanwhile=kill_desk)
    if server and not options.quick:
        yield measure("PostgreSQL, a worker killed", server, learners=learners, workers=2, meanwhile=kill_worker)
        yield measure("PostgreSQL crashed", server, learners=learners, workers=2, meanwhile=crash_database)
    if has_proxy() and not options.quick:
        yield measure("SQLite, proxy killed", sqlite, learners=learners, proxied=True, meanwhile=kill_proxy)
    if not options.quick:
        yield measure("SQLite, each 7th reply lost", sqlite, learners=learners, cut=7)


def row(found: Figures) -> str:
    """One line of the table."""
    values = (
        found.name, f"{found.rate:.0f}", f"{found.rate / found.bound:.2f}", f"{found.p50:.0f}", f"{found.p99:.0f}",
        f"{found.desk_cpu:.2f}", f"{found.proxy_cpu:.2f}", found.sent, found.acknowledged, found.stored, found.retries,
    )  # fmt: skip
    return "".join(f"{value!s:<{wide}}" for value, (_, wide) in zip(values, COLUMNS, strict=True))


def watch(options: argparse.Namespace) -> int:
    """Measure the live page, and say whether anything was missed."""
    with ExitStack() as stack:
        address: Callable[[Path], str] = sqlite
        if options.postgres:
            address = postgres.databases(stack.enter_context(postgres.server()))
        found = dashboard.measure(
            address, learners=options.learners or 1000, items=options.items, streams=options.streams
        )
    print(f"the desk's CPU for the page: {found.cpu_ms:.0f} ms; its memory with all streams: {found.memory:.0f} MiB")
    print(found.line())
    return 0 if found.good else 1


def main() -> int:
    """Measure, print, and say whether anything was lost or doubled."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="100 learners, the runs that matter most")
    parser.add_argument("--learners", type=int, help="how many learners")
    parser.add_argument("--sabotage", choices=sabotage.KINDS, help="break the desk on purpose")
    parser.add_argument(
        "--keep", action="store_true", help="keep the figures, and write the table of docs/benchmarks.md"
    )
    parser.add_argument("--dashboard", action="store_true", help="the live page of 1,000 learners and its streams")
    parser.add_argument("--postgres", action="store_true", help="with --dashboard: on PostgreSQL")
    parser.add_argument("--items", type=int, default=200, help="with --dashboard: questions of the quiz")
    parser.add_argument("--streams", type=int, default=1000, help="with --dashboard: pages that follow the class")
    parser.add_argument("--json", type=Path, metavar="FILE", help="also write the figures")
    options = parser.parse_args()
    if options.dashboard:
        return watch(options)
    load = f"{os.getloadavg()[0]:.0f}"
    print("".join(f"{name:<{wide}}" for name, wide in COLUMNS))
    found: list[Figures] = []
    with ExitStack() as stack:
        server = None
        if postgres.programs() is not None and not options.sabotage:
            server = postgres.databases(stack.enter_context(postgres.server()))
        for figures in runs(options, server):
            found.append(figures)
            print(row(figures), flush=True)
    if options.json:
        options.json.write_text(json.dumps([one.as_dict() for one in found], indent=1) + "\n", encoding="utf-8")
    if options.keep:
        about = {"date": time.strftime("%Y-%m-%d"), "cores": os.cpu_count(), "load": load}
        page.write({**about, "learners": found[0].learners, "runs": [one.as_dict() for one in found]})
    lost, doubled = sum(one.lost for one in found), sum(one.doubled for one in found)
    print(f"lost: {lost}, doubled: {doubled}")
    return 1 if lost or doubled else 0


if __name__ == "__main__":
    sys.exit(main())
