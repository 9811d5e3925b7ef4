"""The desk's tables. Times are whole milliseconds since 1970 UTC, ids are random texts, points are decimal texts.

What a learner did is append-only (`submission`); what follows from it (`outcome`, `score`) can be computed again at any
time. Keys stand in a table of their own, which no learner's route names.
"""

from __future__ import annotations

from sqlalchemy import (
    BigInteger,
    Boolean,
    CheckConstraint,
    Column,
    ForeignKey,
    ForeignKeyConstraint,
    Index,
    Integer,
    MetaData,
    PrimaryKeyConstraint,
    String,
    Table,
    Text,
    UniqueConstraint,
)

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

_Time = BigInteger
_Sequence = BigInteger().with_variant(Integer, "sqlite")  # SQLite counts up by itself only in an INTEGER key

course = Table(
    "course",
    metadata,
    Column("id", String(64), primary_key=True),
    Column("title", Text, nullable=False),
    Column("zone", String(64), nullable=False, comment="IANA name, in which times are entered and shown"),
    Column("secret", String(64), nullable=False, comment="order, draws and option ids follow from it"),
    Column("created", _Time, nullable=False),
    Column("retained_until", _Time, comment="grades of erased learners are kept until then"),
    Column("late_join", _Time, comment="ms by which late joiners' times are moved at most; null: not at all"),
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
    Column("created", _Time, nullable=False),
    Column("erased", _Time),
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
    Column("since", _Time, nullable=False),
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
    Column("opens", _Time, comment="null: at once"),
    Column("due", _Time, comment="null: never"),
    Column("closes", _Time, comment="null: at due; between due and closing the late rule applies"),
    Column("grace", _Time, nullable=False, default=60_000, comment="ms after closing in which arrivals still count"),
    Column("runs", Integer, nullable=False, default=1, comment="attempts that a learner may open"),
    Column("time_limit", _Time, comment="ms for one attempt"),
    Column("policy", String(8), nullable=False, default="last", comment="which attempt's score counts"),
    Column("late_share", String(16), nullable=False, default="0", comment="share of points lost for each late day"),
    Column("reveal", String(16), nullable=False, default="closed"),
    Column("revealed", _Time, comment="when an instructor revealed it"),
    Column("created", _Time, nullable=False),
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
    Column("published", _Time, nullable=False),
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
    Column("made", _Time, nullable=False),
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
    Column("opens", _Time),
    Column("due", _Time),
    Column("closes", _Time),
    Column("time_factor", String(8), nullable=False, default="1"),
    Column("extra_runs", Integer, nullable=False, default=0),
    Column("version", ForeignKey("version.id")),
    Column("excused", Boolean, nullable=False, default=False),
    Column("reason", Text, nullable=False, default=""),
    Column("made_by", Text, nullable=False),
    Column("made", _Time, nullable=False),
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
    Column("opened", _Time, nullable=False),
    Column("due", _Time, comment="from then on arrivals are late"),
    Column("closes", _Time, comment="from then on, and after the grace, arrivals do not count; null: never"),
    Column("finished", _Time),
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
    Column("sequence", _Sequence, primary_key=True, autoincrement=True),
    Column("person", ForeignKey("person.id"), nullable=False),
    Column("id", String(255), nullable=False),
    Column("attempt", ForeignKey("attempt.id"), nullable=False),
    Column("item", String(128), nullable=False),
    Column("response", Text, nullable=False, comment="JSON list, with the author's option ids"),
    Column("digest", String(64), nullable=False, comment="SHA-256 of what was sent, to tell a replay from a misuse"),
    Column("received", _Time, nullable=False, comment="when it arrived, before it queued"),
    Column("sent", _Time, comment="the learner's clock; evidence only"),
    Column("seconds", Integer, comment="since the item was first shown, in ms"),
    Column("confidence", Integer),
    Column("round", Integer, nullable=False, default=0),
    Column("status", String(8), nullable=False),
    UniqueConstraint("person", "id"),
    CheckConstraint("status in ('recorded', 'late')", name="status"),
    Index("ix_submission_attempt", "attempt", "item"),
)

outcome = Table(
    "outcome",
    metadata,
    Column("attempt", ForeignKey("attempt.id"), nullable=False),
    Column("item", String(128), nullable=False),
    Column("submission", ForeignKey("submission.sequence"), comment="the one that counts; null: not answered"),
    Column("score", String(24), nullable=False),
    Column("max_score", String(24), nullable=False),
    Column("computed", _Time, nullable=False),
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
    Column("computed", _Time, nullable=False),
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
    Column("made", _Time, nullable=False),
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
    Column("expires", _Time),
    Column("created", _Time, nullable=False),
    Column("revoked", _Time),
    CheckConstraint("scope in ('submit', 'teach')", name="scope"),
)

audit = Table(
    "audit",
    metadata,
    Column("sequence", _Sequence, primary_key=True, autoincrement=True),
    Column("at", _Time, nullable=False),
    Column("who", Text, nullable=False),
    Column("course", String(64)),
    Column("what", String(64), nullable=False),
    Column("object", Text, nullable=False),
    Column("before", Text),
    Column("after", Text),
    Index("ix_audit_course", "course", "at"),
)
