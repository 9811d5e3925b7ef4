"""Rows as plain dictionaries by column name: what the rest of the desk works on."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sqlalchemy import Connection
from sqlalchemy.sql.base import Executable

Row = dict[str, Any]


def rows(connection: Connection, statement: Executable, given: Mapping[str, Any] | None = None) -> list[Row]:
    """All rows of a statement; `given`: what its parameters stand for, where it was made with names for them."""
    found = connection.execute(statement, given)
    names = [str(name) for name in found.keys()]  # noqa: SIM118 - a result is no mapping
    return [dict(zip(names, row, strict=True)) for row in found]


def first(connection: Connection, statement: Executable, given: Mapping[str, Any] | None = None) -> Row | None:
    """The first row of a statement, with what its parameters stand for; `None` when there is none."""
    found = connection.execute(statement, given)
    names = [str(name) for name in found.keys()]  # noqa: SIM118 - a result is no mapping
    row = found.first()
    return None if row is None else dict(zip(names, row, strict=True))
