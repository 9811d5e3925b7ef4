"""The tables of a class at work: polls and their rounds, and when each learner's kernel was last heard of."""

from __future__ import annotations

from sqlalchemy import CheckConstraint, Column, ForeignKey, Index, Integer, PrimaryKeyConstraint, String, Table

from quiz_widgets.classroom.desk.database.metadata import Time, metadata

poll = Table(
    "poll",
    metadata,
    Column("quiz", ForeignKey("quiz.id"), primary_key=True),
    Column(
        "sequence", Integer, nullable=False, comment="one more with each change, so that pages see that there was one"
    ),
    Column("phase", String(8), nullable=False),
    Column("item", String(128), comment="the one at hand; null while none is"),
    Column("round", Integer, nullable=False, default=0),
    Column("changed", Time, nullable=False),
    CheckConstraint("phase in ('waiting', 'open', 'closed', 'revealed')", name="phase"),
)

poll_round = Table(
    "poll_round",
    metadata,
    Column("quiz", ForeignKey("quiz.id"), nullable=False),
    Column("item", String(128), nullable=False),
    Column("number", Integer, nullable=False, comment="1 for the first vote on an item"),
    Column("opened", Time, nullable=False),
    Column("closed", Time, comment="votes that arrive from then on are late; null while it is open"),
    PrimaryKeyConstraint("quiz", "item", "number"),
)

poll_reveal = Table(
    "poll_reveal",
    metadata,
    Column("quiz", ForeignKey("quiz.id"), nullable=False),
    Column("item", String(128), nullable=False),
    Column("revealed", Time, nullable=False, comment="from then on learners see its key and its histograms"),
    PrimaryKeyConstraint("quiz", "item"),
)

contact = Table(
    "contact",
    metadata,
    Column("quiz", ForeignKey("quiz.id"), nullable=False),
    Column("person", ForeignKey("person.id"), nullable=False),
    Column("at", Time, nullable=False, comment="when a kernel of this learner last asked or sent"),
    Column(
        "waiting", Integer, nullable=False, comment="how many answers it then held that the desk had not acknowledged"
    ),
    PrimaryKeyConstraint("quiz", "person"),
    Index("ix_contact_person", "person"),
)
