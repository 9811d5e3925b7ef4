"""A course says how far the times of whoever joins late are moved."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the setting; courses that are there already move nobody's times."""
    op.add_column(
        "course",
        sa.Column(
            "late_join",
            sa.BigInteger(),
            nullable=True,
            comment="ms by which late joiners' times are moved at most; null: not at all",
        ),
    )
