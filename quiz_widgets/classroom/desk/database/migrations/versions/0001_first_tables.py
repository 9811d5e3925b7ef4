"""The tables of the first release."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Make all tables."""
    op.create_table(
        "audit",
        sa.Column("sequence", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), autoincrement=True, nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.Column("who", sa.Text(), nullable=False),
        sa.Column("course", sa.String(length=64), nullable=True),
        sa.Column("what", sa.String(length=64), nullable=False),
        sa.Column("object", sa.Text(), nullable=False),
        sa.Column("before", sa.Text(), nullable=True),
        sa.Column("after", sa.Text(), nullable=True),
        sa.PrimaryKeyConstraint("sequence", name=op.f("pk_audit")),
    )
    op.create_index("ix_audit_course", "audit", ["course", "at"], unique=False)
    op.create_table(
        "course",
        sa.Column("id", sa.String(length=64), nullable=False),
        sa.Column("title", sa.Text(), nullable=False),
        sa.Column(
            "zone", sa.String(length=64), nullable=False, comment="IANA name, in which times are entered and shown"
        ),
        sa.Column("secret", sa.String(length=64), nullable=False, comment="order, draws and option ids follow from it"),
        sa.Column("created", sa.BigInteger(), nullable=False),
        sa.Column(
            "retained_until", sa.BigInteger(), nullable=True, comment="grades of erased learners are kept until then"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_course")),
    )
    op.create_table(
        "person",
        sa.Column("id", sa.String(length=32), nullable=False),
        sa.Column("hub_name", sa.Text(), nullable=True, comment="as the Hub gives it; null once erased"),
        sa.Column("display_name", sa.Text(), nullable=True),
        sa.Column("student_number", sa.Text(), nullable=True),
        sa.Column("email", sa.Text(), nullable=True),
        sa.Column("lti_issuer", sa.Text(), nullable=True),
        sa.Column("lti_subject", sa.Text(), nullable=True),
        sa.Column("created", sa.BigInteger(), nullable=False),
        sa.Column("erased", sa.BigInteger(), nullable=True),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_person")),
        sa.UniqueConstraint("hub_name", name=op.f("uq_person_hub_name")),
        sa.UniqueConstraint("lti_issuer", "lti_subject", name=op.f("uq_person_lti_issuer_lti_subject")),
    )
    op.create_table(
        "membership",
        sa.Column("course", sa.String(length=64), nullable=False),
        sa.Column("person", sa.String(length=32), nullable=False),
        sa.Column("role", sa.String(length=16), nullable=False),
        sa.Column("section", sa.String(length=64), nullable=True),
        sa.Column("active", sa.Boolean(), nullable=False),
        sa.Column("since", sa.BigInteger(), nullable=False),
        sa.CheckConstraint("role in ('learner', 'assistant', 'instructor')", name=op.f("ck_membership_role")),
        sa.ForeignKeyConstraint(["course"], ["course.id"], name=op.f("fk_membership_course")),
        sa.ForeignKeyConstraint(["person"], ["person.id"], name=op.f("fk_membership_person")),
        sa.PrimaryKeyConstraint("course", "person", name=op.f("pk_membership")),
    )
    op.create_index("ix_membership_person", "membership", ["person"], unique=False)
    op.create_table(
        "quiz",
        sa.Column("id", sa.String(length=32), nullable=False),
        sa.Column("course", sa.String(length=64), nullable=False),
        sa.Column("slug", sa.String(length=64), nullable=False),
        sa.Column("title", sa.Text(), nullable=False),
        sa.Column("opens", sa.BigInteger(), nullable=True, comment="null: at once"),
        sa.Column("due", sa.BigInteger(), nullable=True, comment="null: never"),
        sa.Column(
            "closes",
            sa.BigInteger(),
            nullable=True,
            comment="null: at due; between due and closing the late rule applies",
        ),
        sa.Column("grace", sa.BigInteger(), nullable=False, comment="ms after closing in which arrivals still count"),
        sa.Column("runs", sa.Integer(), nullable=False, comment="attempts that a learner may open"),
        sa.Column("time_limit", sa.BigInteger(), nullable=True, comment="ms for one attempt"),
        sa.Column("policy", sa.String(length=8), nullable=False, comment="which attempt's score counts"),
        sa.Column("late_share", sa.String(length=16), nullable=False, comment="share of points lost for each late day"),
        sa.Column("reveal", sa.String(length=16), nullable=False),
        sa.Column("revealed", sa.BigInteger(), nullable=True, comment="when an instructor revealed it"),
        sa.Column("created", sa.BigInteger(), nullable=False),
        sa.CheckConstraint("policy in ('last', 'best', 'first')", name=op.f("ck_quiz_policy")),
        sa.CheckConstraint("reveal in ('closed', 'manual')", name=op.f("ck_quiz_reveal")),
        sa.ForeignKeyConstraint(["course"], ["course.id"], name=op.f("fk_quiz_course")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_quiz")),
        sa.UniqueConstraint("course", "slug", name=op.f("uq_quiz_course_slug")),
    )
    op.create_table(
        "token",
        sa.Column(
            "digest",
            sa.String(length=64),
            nullable=False,
            comment="SHA-256 of the token; the token itself is kept nowhere",
        ),
        sa.Column("name", sa.Text(), nullable=False, comment="whose it is, as a Hub name"),
        sa.Column("scope", sa.String(length=8), nullable=False),
        sa.Column("course", sa.String(length=64), nullable=True),
        sa.Column("expires", sa.BigInteger(), nullable=True),
        sa.Column("created", sa.BigInteger(), nullable=False),
        sa.Column("revoked", sa.BigInteger(), nullable=True),
        sa.CheckConstraint("scope in ('submit', 'teach')", name=op.f("ck_token_scope")),
        sa.ForeignKeyConstraint(["course"], ["course.id"], name=op.f("fk_token_course")),
        sa.PrimaryKeyConstraint("digest", name=op.f("pk_token")),
    )
    op.create_table(
        "override",
        sa.Column("id", sa.String(length=32), nullable=False),
        sa.Column("quiz", sa.String(length=32), nullable=False),
        sa.Column("person", sa.String(length=32), nullable=False),
        sa.Column("score", sa.String(length=24), nullable=True, comment="null: the override is taken back"),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.Column("made_by", sa.Text(), nullable=False),
        sa.Column("made", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["person"], ["person.id"], name=op.f("fk_override_person")),
        sa.ForeignKeyConstraint(["quiz"], ["quiz.id"], name=op.f("fk_override_quiz")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_override")),
    )
    op.create_index("ix_override_quiz", "override", ["quiz", "person"], unique=False)
    op.create_table(
        "version",
        sa.Column("id", sa.String(length=32), nullable=False),
        sa.Column("quiz", sa.String(length=32), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("hash", sa.String(length=64), nullable=False, comment="SHA-256 of what was published"),
        sa.Column("published", sa.BigInteger(), nullable=False),
        sa.Column("publisher", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(["quiz"], ["quiz.id"], name=op.f("fk_version_quiz")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_version")),
        sa.UniqueConstraint("quiz", "hash", name=op.f("uq_version_quiz_hash")),
        sa.UniqueConstraint("quiz", "number", name=op.f("uq_version_quiz_number")),
    )
    op.create_table(
        "attempt",
        sa.Column("id", sa.String(length=32), nullable=False),
        sa.Column("quiz", sa.String(length=32), nullable=False),
        sa.Column("version", sa.String(length=32), nullable=False),
        sa.Column("person", sa.String(length=32), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("opened", sa.BigInteger(), nullable=False),
        sa.Column("due", sa.BigInteger(), nullable=True, comment="from then on arrivals are late"),
        sa.Column(
            "closes",
            sa.BigInteger(),
            nullable=True,
            comment="from then on, and after the grace, arrivals do not count; null: never",
        ),
        sa.Column("finished", sa.BigInteger(), nullable=True),
        sa.Column("finished_by", sa.String(length=8), nullable=True),
        sa.Column("scored", sa.Boolean(), nullable=False),
        sa.CheckConstraint("finished_by in ('learner', 'desk')", name=op.f("ck_attempt_finished_by")),
        sa.ForeignKeyConstraint(["person"], ["person.id"], name=op.f("fk_attempt_person")),
        sa.ForeignKeyConstraint(["quiz"], ["quiz.id"], name=op.f("fk_attempt_quiz")),
        sa.ForeignKeyConstraint(["version"], ["version.id"], name=op.f("fk_attempt_version")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_attempt")),
        sa.UniqueConstraint("quiz", "person", "number", name=op.f("uq_attempt_quiz_person_number")),
    )
    op.create_index("ix_attempt_open", "attempt", ["finished", "closes"], unique=False)
    op.create_index("ix_attempt_person", "attempt", ["person"], unique=False)
    op.create_table(
        "exception",
        sa.Column("id", sa.String(length=32), nullable=False),
        sa.Column("quiz", sa.String(length=32), nullable=False),
        sa.Column("person", sa.String(length=32), nullable=True),
        sa.Column("section", sa.String(length=64), nullable=True),
        sa.Column("opens", sa.BigInteger(), nullable=True),
        sa.Column("due", sa.BigInteger(), nullable=True),
        sa.Column("closes", sa.BigInteger(), nullable=True),
        sa.Column("time_factor", sa.String(length=8), nullable=False),
        sa.Column("extra_runs", sa.Integer(), nullable=False),
        sa.Column("version", sa.String(length=32), nullable=True),
        sa.Column("excused", sa.Boolean(), nullable=False),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.Column("made_by", sa.Text(), nullable=False),
        sa.Column("made", sa.BigInteger(), nullable=False),
        sa.CheckConstraint("(person is null) <> (section is null)", name=op.f("ck_exception_whom")),
        sa.ForeignKeyConstraint(["person"], ["person.id"], name=op.f("fk_exception_person")),
        sa.ForeignKeyConstraint(["quiz"], ["quiz.id"], name=op.f("fk_exception_quiz")),
        sa.ForeignKeyConstraint(["version"], ["version.id"], name=op.f("fk_exception_version")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_exception")),
    )
    op.create_index("ix_exception_quiz", "exception", ["quiz"], unique=False)
    op.create_table(
        "key_change",
        sa.Column("id", sa.String(length=32), nullable=False),
        sa.Column("version", sa.String(length=32), nullable=False),
        sa.Column("item", sa.String(length=128), nullable=False),
        sa.Column("kind", sa.String(length=8), nullable=False),
        sa.Column("body", sa.Text(), nullable=False, comment="JSON: the new key, or what is accepted too"),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.Column("made_by", sa.Text(), nullable=False),
        sa.Column("made", sa.BigInteger(), nullable=False),
        sa.CheckConstraint("kind in ('key', 'also', 'full', 'drop')", name=op.f("ck_key_change_kind")),
        sa.ForeignKeyConstraint(["version"], ["version.id"], name=op.f("fk_key_change_version")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_key_change")),
    )
    op.create_index("ix_key_change_version", "key_change", ["version"], unique=False)
    op.create_table(
        "version_key",
        sa.Column("version", sa.String(length=32), nullable=False),
        sa.Column("compiled", sa.Text(), nullable=False, comment="the whole compiled quiz, with its keys"),
        sa.ForeignKeyConstraint(["version"], ["version.id"], name=op.f("fk_version_key_version")),
        sa.PrimaryKeyConstraint("version", name=op.f("pk_version_key")),
    )
    op.create_table(
        "score",
        sa.Column("quiz", sa.String(length=32), nullable=False),
        sa.Column("person", sa.String(length=32), nullable=False),
        sa.Column("attempt", sa.String(length=32), nullable=True),
        sa.Column("score", sa.String(length=24), nullable=False),
        sa.Column("max_score", sa.String(length=24), nullable=False),
        sa.Column("late_penalty", sa.String(length=24), nullable=False),
        sa.Column("computed", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["attempt"], ["attempt.id"], name=op.f("fk_score_attempt")),
        sa.ForeignKeyConstraint(["person"], ["person.id"], name=op.f("fk_score_person")),
        sa.ForeignKeyConstraint(["quiz"], ["quiz.id"], name=op.f("fk_score_quiz")),
        sa.PrimaryKeyConstraint("quiz", "person", name=op.f("pk_score")),
    )
    op.create_table(
        "submission",
        sa.Column("sequence", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), autoincrement=True, nullable=False),
        sa.Column("person", sa.String(length=32), nullable=False),
        sa.Column("id", sa.String(length=255), nullable=False),
        sa.Column("attempt", sa.String(length=32), nullable=False),
        sa.Column("item", sa.String(length=128), nullable=False),
        sa.Column("response", sa.Text(), nullable=False, comment="JSON list, with the author's option ids"),
        sa.Column(
            "digest",
            sa.String(length=64),
            nullable=False,
            comment="SHA-256 of what was sent, to tell a replay from a misuse",
        ),
        sa.Column("received", sa.BigInteger(), nullable=False, comment="when it arrived, before it queued"),
        sa.Column("sent", sa.BigInteger(), nullable=True, comment="the learner's clock; evidence only"),
        sa.Column("seconds", sa.Integer(), nullable=True, comment="since the item was first shown, in ms"),
        sa.Column("confidence", sa.Integer(), nullable=True),
        sa.Column("round", sa.Integer(), nullable=False),
        sa.Column("status", sa.String(length=8), nullable=False),
        sa.CheckConstraint("status in ('recorded', 'late')", name=op.f("ck_submission_status")),
        sa.ForeignKeyConstraint(["attempt"], ["attempt.id"], name=op.f("fk_submission_attempt")),
        sa.ForeignKeyConstraint(["person"], ["person.id"], name=op.f("fk_submission_person")),
        sa.PrimaryKeyConstraint("sequence", name=op.f("pk_submission")),
        sa.UniqueConstraint("person", "id", name=op.f("uq_submission_person_id")),
    )
    op.create_index("ix_submission_attempt", "submission", ["attempt", "item"], unique=False)
    op.create_table(
        "outcome",
        sa.Column("attempt", sa.String(length=32), nullable=False),
        sa.Column("item", sa.String(length=128), nullable=False),
        sa.Column(
            "submission",
            sa.BigInteger().with_variant(sa.Integer(), "sqlite"),
            nullable=True,
            comment="the one that counts; null: not answered",
        ),
        sa.Column("score", sa.String(length=24), nullable=False),
        sa.Column("max_score", sa.String(length=24), nullable=False),
        sa.Column("computed", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["attempt"], ["attempt.id"], name=op.f("fk_outcome_attempt")),
        sa.ForeignKeyConstraint(["submission"], ["submission.sequence"], name=op.f("fk_outcome_submission")),
        sa.PrimaryKeyConstraint("attempt", "item", name=op.f("pk_outcome")),
    )


def downgrade() -> None:
    """Remove them, with everything in them."""
    op.drop_table("outcome")
    op.drop_index("ix_submission_attempt", table_name="submission")
    op.drop_table("submission")
    op.drop_table("score")
    op.drop_table("version_key")
    op.drop_index("ix_key_change_version", table_name="key_change")
    op.drop_table("key_change")
    op.drop_index("ix_exception_quiz", table_name="exception")
    op.drop_table("exception")
    op.drop_index("ix_attempt_person", table_name="attempt")
    op.drop_index("ix_attempt_open", table_name="attempt")
    op.drop_table("attempt")
    op.drop_table("version")
    op.drop_index("ix_override_quiz", table_name="override")
    op.drop_table("override")
    op.drop_table("token")
    op.drop_table("quiz")
    op.drop_index("ix_membership_person", table_name="membership")
    op.drop_table("membership")
    op.drop_table("person")
    op.drop_table("course")
    op.drop_index("ix_audit_course", table_name="audit")
    op.drop_table("audit")
