"""What all tables of the desk have in common: how their constraints are named, and the types of times and counters."""

from __future__ import annotations

from sqlalchemy import BigInteger, Integer, MetaData

# Names are fixed, so that migrations can change what they name on both databases.
metadata = MetaData(
    naming_convention={
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "ck": "ck_%(table_name)s_%(constraint_name)s",
        "fk": "fk_%(table_name)s_%(column_0_N_name)s",
        "pk": "pk_%(table_name)s",
    }
)

Time = BigInteger
Sequence = BigInteger().with_variant(Integer, "sqlite")  # SQLite counts up by itself only in an INTEGER key
