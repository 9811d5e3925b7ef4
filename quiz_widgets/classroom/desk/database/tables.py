"""The desk's tables. Times are whole milliseconds since 1970 UTC, ids are random texts, points are decimal texts.

What a learner did is append-only (`submission`); what follows from it (`outcome`, `score`) can be computed again at any
time. Keys stand in a table of their own, which no learner's route names.
"""

from __future__ import annotations

from sqlalchemy import (
    Boolean,
    CheckConstraint,
    Column,
    ForeignKey,
    ForeignKeyConstraint,
    Index,
    Integer,
    PrimaryKeyConstraint,
    String,
    Table,
    Text,
    UniqueConstraint,
    text,
)

from quiz_widgets.classroom.desk.database.metadata import Sequence, Time, metadata

course = Table(
    "course",
    metadata,
    Column("id", String(64), primary_key=True),
    Column("title", Text, nullable=False),
    Column("zone", String(64), nullable=False, comment="IANA name, in which times are entered and shown"),
    Column("secret", String(64), nullable=False, comment="order, draws and option ids follow from it"),
    Column("created", Time, nullable=False),
    Column("retained_until", Time, comment="grades of erased learners are kept until then"),
    Column("late_join", Time, comment="ms by which late joiners' times are moved at most; null: not at all"),
)

person = Table(
    "person",
    metadata,
    Column("id", String(32), primary_key=True),
    Column("hub_name", Text, unique=True, comment="as the Hub gives it; null once erased"),
    Column("display_name", Text),
    Column("student_number", Text),
    Column("email", Text),
    Column("lti_issuer", Text),
    Column("lti_subject", Text),
    Column("created", Time, nullable=False),
    Column("erased", Time),
    UniqueConstraint("lti_issuer", "lti_subject"),
)

membership = Table(
    "membership",
    metadata,
    Column("course", ForeignKey("course.id"), nullable=False),
    Column("person", ForeignKey("person.id"), nullable=False),
    Column("role", String(16), nullable=False),
    Column("section", String(64)),
    Column("active", Boolean, nullable=False, default=True),
    Column("since", Time, nullable=False),
    Column("source", String(16), nullable=False, server_default="roster", comment="who says so: roster or hub_group"),
    PrimaryKeyConstraint("course", "person"),
    CheckConstraint("role in ('learner', 'assistant', 'instructor')", name="role"),
    Index("ix_membership_person", "person"),
)

quiz = Table(
    "quiz",
    metadata,
    Column("id", String(32), primary_key=True),
    Column("course", ForeignKey("course.id"), nullable=False),
    Column("slug", String(64), nullable=False),
    Column("title", Text, nullable=False),
    Column(
        "kind",
        String(8),
        nullable=False,
        server_default="exam",
        comment="exam, or poll: its instructor opens each item",
    ),
    Column("opens", Time, comment="null: at once"),
    Column("due", Time, comment="null: never"),
    Column("closes", Time, comment="null: at due; between due and closing the late rule applies"),
    Column("grace", Time, nullable=False, default=60_000, comment="ms after closing in which arrivals still count"),
    Column("runs", Integer, nullable=False, default=1, comment="attempts that a learner may open"),
    Column("time_limit", Time, comment="ms for one attempt"),
    Column("policy", String(8), nullable=False, default="last", comment="which attempt's score counts"),
    Column("late_share", String(16), nullable=False, default="0", comment="share of points lost for each late day"),
    Column("reveal", String(16), nullable=False, default="closed"),
    Column("revealed", Time, comment="when an instructor revealed it"),
    Column("created", Time, nullable=False),
    UniqueConstraint("course", "slug"),
    CheckConstraint("policy in ('last', 'best', 'first')", name="policy"),
    CheckConstraint("reveal in ('closed', 'manual')", name="reveal"),
)

version = Table(
    "version",
    metadata,
    Column("id", String(32), primary_key=True),
    Column("quiz", ForeignKey("quiz.id"), nullable=False),
    Column("number", Integer, nullable=False),
    Column("hash", String(64), nullable=False, comment="SHA-256 of what was published"),
    Column("published", Time, nullable=False),
    Column("publisher", Text, nullable=False),
    UniqueConstraint("quiz", "number"),
    UniqueConstraint("quiz", "hash"),
)

version_key = Table(
    "version_key",
    metadata,
    Column("version", ForeignKey("version.id"), primary_key=True),
    Column("compiled", Text, nullable=False, comment="the whole compiled quiz, with its keys"),
)

key_change = Table(
    "key_change",
    metadata,
    Column("id", String(32), primary_key=True),
    Column("version", ForeignKey("version.id"), nullable=False),
    Column("item", String(128), nullable=False),
    Column("kind", String(8), nullable=False),
    Column("body", Text, nullable=False, comment="JSON: the new key, or what is accepted too"),
    Column("reason", Text, nullable=False),
    Column("made_by", Text, nullable=False),
    Column("made", Time, nullable=False),
    CheckConstraint("kind in ('key', 'also', 'full', 'drop')", name="kind"),
    Index("ix_key_change_version", "version"),
)

exception = Table(
    "exception",
    metadata,
    Column("id", String(32), primary_key=True),
    Column("quiz", ForeignKey("quiz.id"), nullable=False),
    Column("person", ForeignKey("person.id")),
    Column("section", String(64)),
    Column("opens", Time),
    Column("due", Time),
    Column("closes", Time),
    Column("time_factor", String(8), nullable=False, default="1"),
    Column("extra_runs", Integer, nullable=False, default=0),
    Column("version", ForeignKey("version.id")),
    Column("excused", Boolean, nullable=False, default=False),
    Column("reason", Text, nullable=False, default=""),
    Column("made_by", Text, nullable=False),
    Column("made", Time, nullable=False),
    CheckConstraint("(person is null) <> (section is null)", name="whom"),
    Index("ix_exception_quiz", "quiz"),
)

attempt = Table(
    "attempt",
    metadata,
    Column("id", String(32), primary_key=True),
    Column("quiz", ForeignKey("quiz.id"), nullable=False),
    Column("version", ForeignKey("version.id"), nullable=False),
    Column("person", ForeignKey("person.id"), nullable=False),
    Column("number", Integer, nullable=False),
    Column("opened", Time, nullable=False),
    Column("due", Time, comment="from then on arrivals are late"),
    Column("closes", Time, comment="from then on, and after the grace, arrivals do not count; null: never"),
    Column("finished", Time),
    Column("finished_by", String(8)),
    Column("scored", Boolean, nullable=False, default=False),
    UniqueConstraint("quiz", "person", "number"),
    CheckConstraint("finished_by in ('learner', 'desk')", name="finished_by"),
    Index("ix_attempt_person", "person"),
    Index("ix_attempt_open", "finished", "closes"),
)

submission = Table(
    "submission",
    metadata,
    Column("sequence", Sequence, primary_key=True, autoincrement=True),
    Column("person", ForeignKey("person.id"), nullable=False),
    Column("id", String(255), nullable=False),
    Column("attempt", ForeignKey("attempt.id"), nullable=False),
    Column("item", String(128), nullable=False),
    Column("response", Text, nullable=False, comment="JSON list, with the author's option ids"),
    Column("digest", String(64), nullable=False, comment="SHA-256 of what was sent, to tell a replay from a misuse"),
    Column("received", Time, nullable=False, comment="when it arrived, before it queued"),
    Column("sent", Time, comment="the learner's clock; evidence only"),
    Column("seconds", Integer, comment="since the item was first shown, in ms"),
    Column("confidence", Integer),
    Column("round", Integer, nullable=False, default=0),
    Column("status", String(8), nullable=False),
    UniqueConstraint("person", "id"),
    CheckConstraint("status in ('recorded', 'late')", name="status"),
    Index("ix_submission_attempt", "attempt", "item"),
    # Few rows are late, and a class that is watched asks for them: the index holds no others.
    Index(
        "ix_submission_late",
        "attempt",
        sqlite_where=text("status = 'late'"),
        postgresql_where=text("status = 'late'"),
    ),
)

outcome = Table(
    "outcome",
    metadata,
    Column("attempt", ForeignKey("attempt.id"), nullable=False),
    Column("item", String(128), nullable=False),
    Column("submission", ForeignKey("submission.sequence"), comment="the one that counts; null: not answered"),
    Column("score", String(24), nullable=False),
    Column("max_score", String(24), nullable=False),
    Column("computed", Time, nullable=False),
    PrimaryKeyConstraint("attempt", "item"),
)

score = Table(
    "score",
    metadata,
    Column("quiz", ForeignKey("quiz.id"), nullable=False),
    Column("person", ForeignKey("person.id"), nullable=False),
    Column("attempt", ForeignKey("attempt.id")),
    Column("score", String(24), nullable=False),
    Column("max_score", String(24), nullable=False),
    Column("late_penalty", String(24), nullable=False, default="0"),
    Column("computed", Time, nullable=False),
    PrimaryKeyConstraint("quiz", "person"),
)

override = Table(
    "override",
    metadata,
    Column("id", String(32), primary_key=True),
    Column("quiz", String(32), nullable=False),
    Column("person", String(32), nullable=False),
    Column("score", String(24), comment="null: the override is taken back"),
    Column("reason", Text, nullable=False),
    Column("made_by", Text, nullable=False),
    Column("made", Time, nullable=False),
    ForeignKeyConstraint(["quiz"], ["quiz.id"]),
    ForeignKeyConstraint(["person"], ["person.id"]),
    Index("ix_override_quiz", "quiz", "person"),
)

token = Table(
    "token",
    metadata,
    Column("digest", String(64), primary_key=True, comment="SHA-256 of the token; the token itself is kept nowhere"),
    Column("name", Text, nullable=False, comment="whose it is, as a Hub name"),
    Column("scope", String(8), nullable=False),
    Column("course", ForeignKey("course.id")),
    Column("expires", Time),
    Column("created", Time, nullable=False),
    Column("revoked", Time),
    CheckConstraint("scope in ('submit', 'teach')", name="scope"),
)

audit = Table(
    "audit",
    metadata,
    Column("sequence", Sequence, primary_key=True, autoincrement=True),
    Column("at", Time, nullable=False),
    Column("who", Text, nullable=False),
    Column("course", String(64)),
    Column("what", String(64), nullable=False),
    Column("object", Text, nullable=False),
    Column("before", Text),
    Column("after", Text),
    Index("ix_audit_course", "course", "at"),
)
