"""Rows as plain dictionaries by column name: what the rest of the desk works on."""

from __future__ import annotations

from typing import Any

from sqlalchemy import Connection
from sqlalchemy.sql.base import Executable

Row = dict[str, Any]


def rows(connection: Connection, statement: Executable) -> list[Row]:
    """All rows of a statement."""
    return [{str(name): value for name, value in found.items()} for found in connection.execute(statement).mappings()]


def first(connection: Connection, statement: Executable) -> Row | None:
    """The first row of a statement; `None` when there is none."""
    found = connection.execute(statement).mappings().first()
    return None if found is None else {str(name): value for name, value in found.items()}
