"""The tables that join a course to others: groups of the Hub, a learning platform, what is sent out, final grades."""

from __future__ import annotations

from sqlalchemy import (
    Boolean,
    CheckConstraint,
    Column,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    PrimaryKeyConstraint,
    String,
    Table,
    Text,
    UniqueConstraint,
)

from quiz_widgets.classroom.desk.database.metadata import Time, metadata

course_group = Table(
    "course_group",
    metadata,
    Column("course", ForeignKey("course.id"), nullable=False),
    Column("hub_group", String(255), nullable=False, comment="its name at the Hub"),
    Column("role", String(16), nullable=False),
    Column("section", String(64)),
    PrimaryKeyConstraint("course", "hub_group"),
    CheckConstraint("role in ('learner', 'assistant', 'instructor')", name="role"),
)

lti_platform = Table(
    "lti_platform",
    metadata,
    Column("course", ForeignKey("course.id"), primary_key=True),
    Column("issuer", Text, nullable=False),
    Column("client", Text, nullable=False, comment="the client id that the platform gave"),
    Column("token_url", Text, nullable=False),
    Column("audience", Text, comment="of the client assertion; null: the token's address"),
    Column("line_items_url", Text, nullable=False),
    Column("active", Boolean, nullable=False, default=True, comment="else nothing is sent"),
    Column("rests_until", Time, comment="after it failed or asked for patience; null: it answers"),
    Column("rests", Integer, nullable=False, default=0, comment="how often in a row it failed"),
    Column("trouble", Text, comment="what it said then"),
)

lti_line = Table(
    "lti_line",
    metadata,
    Column("quiz", ForeignKey("quiz.id"), primary_key=True),
    Column("url", Text, comment="null: to be found or made"),
    Column("label", Text, nullable=False),
    Column("max_score", String(24), nullable=False),
    Column("active", Boolean, nullable=False, default=True, comment="else nothing of this quiz is sent"),
    Column("claimed", Time, comment="until then one worker finds or makes it"),
)

outbox = Table(
    "outbox",
    metadata,
    Column("id", String(32), primary_key=True),
    Column("kind", String(8), nullable=False),
    Column("course", ForeignKey("course.id"), nullable=False),
    Column("quiz", ForeignKey("quiz.id"), nullable=False),
    Column("person", ForeignKey("person.id"), nullable=False),
    Column("unique_key", String(255), nullable=False, comment="the same thing is not queued twice"),
    Column("payload", Text, nullable=False, comment="JSON: what is sent, but for whom and when"),
    Column("stamp", Time, nullable=False, comment="the time that is sent with it; rises for one person at one quiz"),
    Column("waits_for", ForeignKey("version.id"), comment="the version whose keys are to be shown first"),
    Column("claimed", Time, comment="until then one worker sends it; past: it may have arrived"),
    Column("state", String(8), nullable=False),
    Column("tries", Integer, nullable=False, default=0),
    Column("next_try", Time, nullable=False),
    Column("last_error", Text),
    Column("made", Time, nullable=False),
    Column("sent", Time),
    UniqueConstraint("kind", "unique_key"),
    CheckConstraint("kind in ('ags', 'xapi')", name="kind"),
    CheckConstraint("state in ('waiting', 'sent', 'failed', 'replaced')", name="state"),
    Index("ix_outbox_next", "state", "next_try"),
    Index("ix_outbox_quiz", "quiz", "person"),
)

final_gradebook = Table(
    "final_gradebook",
    metadata,
    Column("id", String(32), primary_key=True),
    Column("course", ForeignKey("course.id"), nullable=False),
    Column("made", Time, nullable=False),
    Column("made_by", Text, nullable=False),
    Column("sha256", String(64), nullable=False, comment="the hash that stands in the file"),
    Column("learners", Integer, nullable=False),
    Column("body", LargeBinary, nullable=False, comment="the file, deflated"),
    Column("erased", Time, comment="when a learner was last taken out of it, which gave it another hash"),
    Index("ix_final_gradebook_course", "course", "made"),
)
