"""Compare what learners were told with what the database holds, without the desk: ``audit.py DATABASE RECEIPTS``.

RECEIPTS holds one receipt a line, each written by a client the moment it came. Lost: a receipt without its row, or with
another row. Doubled: rows of one learner with one id. Exit code 1 when there is any.
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path

from sqlalchemy import create_engine, text


def audit(database: str, receipts: Path) -> dict[str, int]:
    """Counts: receipts, rows, lost, doubled."""
    engine = create_engine(database)
    with engine.connect() as connection:
        rows = connection.execute(text("select id, attempt, item, received, status, person from submission")).all()
    engine.dispose()
    stored: dict[str, list[tuple[object, ...]]] = {}
    for name, *about in rows:
        stored.setdefault(name, []).append(tuple(about[:4]))
    told = [json.loads(line) for line in receipts.read_text(encoding="utf-8").splitlines() if line.endswith("}")]
    lost = sum(
        (one["attempt"], one["item"], one["received"], one["status"]) not in stored.get(one["submission"], [])
        for one in told
    )
    doubled = sum(len(same) - 1 for same in stored.values())
    return {"acknowledged": len(told), "stored": len(rows), "lost": lost, "doubled": doubled}


def line(found: dict[str, int]) -> str:
    """The counts in words."""
    return (
        f"acknowledged: {found['acknowledged']}, stored: {found['stored']}\n"
        f"lost: {found['lost']}, doubled: {found['doubled']}"
    )


def main() -> int:
    """Print the counts of one run."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("database", help="its SQLAlchemy address")
    parser.add_argument("receipts", type=Path)
    options = parser.parse_args()
    found = audit(options.database, options.receipts)
    print(line(found))
    return 1 if found["lost"] or found["doubled"] else 0


if __name__ == "__main__":
    sys.exit(main())
