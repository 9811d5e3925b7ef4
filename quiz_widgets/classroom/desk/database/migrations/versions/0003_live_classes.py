"""Polls, contact with kernels, groups of the Hub, a learning platform, what is sent out, final gradebooks."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Make the new tables; quizzes that are there are exams, and members stand in a roster."""
    op.create_table(
        "course_group",
        sa.Column("course", sa.String(length=64), nullable=False),
        sa.Column("hub_group", sa.String(length=255), nullable=False, comment="its name at the Hub"),
        sa.Column("role", sa.String(length=16), nullable=False),
        sa.Column("section", sa.String(length=64), nullable=True),
        sa.CheckConstraint("role in ('learner', 'assistant', 'instructor')", name=op.f("ck_course_group_role")),
        sa.ForeignKeyConstraint(["course"], ["course.id"], name=op.f("fk_course_group_course")),
        sa.PrimaryKeyConstraint("course", "hub_group", name=op.f("pk_course_group")),
    )
    op.create_table(
        "final_gradebook",
        sa.Column("id", sa.String(length=32), nullable=False),
        sa.Column("course", sa.String(length=64), nullable=False),
        sa.Column("made", sa.BigInteger(), nullable=False),
        sa.Column("made_by", sa.Text(), nullable=False),
        sa.Column("sha256", sa.String(length=64), nullable=False, comment="the hash that stands in the file"),
        sa.Column("learners", sa.Integer(), nullable=False),
        sa.Column("body", sa.LargeBinary(), nullable=False, comment="the file, deflated"),
        sa.Column(
            "erased",
            sa.BigInteger(),
            nullable=True,
            comment="when a learner was last taken out of it, which gave it another hash",
        ),
        sa.ForeignKeyConstraint(["course"], ["course.id"], name=op.f("fk_final_gradebook_course")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_final_gradebook")),
    )
    op.create_index("ix_final_gradebook_course", "final_gradebook", ["course", "made"], unique=False)
    op.create_table(
        "lti_platform",
        sa.Column("course", sa.String(length=64), nullable=False),
        sa.Column("issuer", sa.Text(), nullable=False),
        sa.Column("client", sa.Text(), nullable=False, comment="the client id that the platform gave"),
        sa.Column("token_url", sa.Text(), nullable=False),
        sa.Column("audience", sa.Text(), nullable=True, comment="of the client assertion; null: the token's address"),
        sa.Column("line_items_url", sa.Text(), nullable=False),
        sa.Column("active", sa.Boolean(), nullable=False, comment="else nothing is sent"),
        sa.Column(
            "rests_until",
            sa.BigInteger(),
            nullable=True,
            comment="after it failed or asked for patience; null: it answers",
        ),
        sa.Column("rests", sa.Integer(), nullable=False, comment="how often in a row it failed"),
        sa.Column("trouble", sa.Text(), nullable=True, comment="what it said then"),
        sa.ForeignKeyConstraint(["course"], ["course.id"], name=op.f("fk_lti_platform_course")),
        sa.PrimaryKeyConstraint("course", name=op.f("pk_lti_platform")),
    )
    op.create_table(
        "contact",
        sa.Column("quiz", sa.String(length=32), nullable=False),
        sa.Column("person", sa.String(length=32), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False, comment="when a kernel of this learner last asked or sent"),
        sa.Column(
            "waiting",
            sa.Integer(),
            nullable=False,
            comment="how many answers it then held that the desk had not acknowledged",
        ),
        sa.ForeignKeyConstraint(["person"], ["person.id"], name=op.f("fk_contact_person")),
        sa.ForeignKeyConstraint(["quiz"], ["quiz.id"], name=op.f("fk_contact_quiz")),
        sa.PrimaryKeyConstraint("quiz", "person", name=op.f("pk_contact")),
    )
    op.create_index("ix_contact_person", "contact", ["person"], unique=False)
    op.create_table(
        "lti_line",
        sa.Column("quiz", sa.String(length=32), nullable=False),
        sa.Column("url", sa.Text(), nullable=True, comment="null: to be found or made"),
        sa.Column("label", sa.Text(), nullable=False),
        sa.Column("max_score", sa.String(length=24), nullable=False),
        sa.Column("active", sa.Boolean(), nullable=False, comment="else nothing of this quiz is sent"),
        sa.Column("claimed", sa.BigInteger(), nullable=True, comment="until then one worker finds or makes it"),
        sa.ForeignKeyConstraint(["quiz"], ["quiz.id"], name=op.f("fk_lti_line_quiz")),
        sa.PrimaryKeyConstraint("quiz", name=op.f("pk_lti_line")),
    )
    op.create_table(
        "outbox",
        sa.Column("id", sa.String(length=32), nullable=False),
        sa.Column("kind", sa.String(length=8), nullable=False),
        sa.Column("course", sa.String(length=64), nullable=False),
        sa.Column("quiz", sa.String(length=32), nullable=False),
        sa.Column("person", sa.String(length=32), nullable=False),
        sa.Column("unique_key", sa.String(length=255), nullable=False, comment="the same thing is not queued twice"),
        sa.Column("payload", sa.Text(), nullable=False, comment="JSON: what is sent, but for whom and when"),
        sa.Column(
            "stamp",
            sa.BigInteger(),
            nullable=False,
            comment="the time that is sent with it; rises for one person at one quiz",
        ),
        sa.Column(
            "waits_for", sa.String(length=32), nullable=True, comment="the version whose keys are to be shown first"
        ),
        sa.Column(
            "claimed",
            sa.BigInteger(),
            nullable=True,
            comment="until then one worker sends it; past: it may have arrived",
        ),
        sa.Column("state", sa.String(length=8), nullable=False),
        sa.Column("tries", sa.Integer(), nullable=False),
        sa.Column("next_try", sa.BigInteger(), nullable=False),
        sa.Column("last_error", sa.Text(), nullable=True),
        sa.Column("made", sa.BigInteger(), nullable=False),
        sa.Column("sent", sa.BigInteger(), nullable=True),
        sa.CheckConstraint("kind in ('ags', 'xapi')", name=op.f("ck_outbox_kind")),
        sa.CheckConstraint("state in ('waiting', 'sent', 'failed', 'replaced')", name=op.f("ck_outbox_state")),
        sa.ForeignKeyConstraint(["course"], ["course.id"], name=op.f("fk_outbox_course")),
        sa.ForeignKeyConstraint(["person"], ["person.id"], name=op.f("fk_outbox_person")),
        sa.ForeignKeyConstraint(["quiz"], ["quiz.id"], name=op.f("fk_outbox_quiz")),
        sa.ForeignKeyConstraint(["waits_for"], ["version.id"], name=op.f("fk_outbox_waits_for")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_outbox")),
        sa.UniqueConstraint("kind", "unique_key", name=op.f("uq_outbox_kind_unique_key")),
    )
    op.create_index("ix_outbox_next", "outbox", ["state", "next_try"], unique=False)
    op.create_index("ix_outbox_quiz", "outbox", ["quiz", "person"], unique=False)
    op.create_table(
        "poll",
        sa.Column("quiz", sa.String(length=32), nullable=False),
        sa.Column(
            "sequence",
            sa.Integer(),
            nullable=False,
            comment="one more with each change, so that pages see that there was one",
        ),
        sa.Column("phase", sa.String(length=8), nullable=False),
        sa.Column("item", sa.String(length=128), nullable=True, comment="the one at hand; null while none is"),
        sa.Column("round", sa.Integer(), nullable=False),
        sa.Column("changed", sa.BigInteger(), nullable=False),
        sa.CheckConstraint("phase in ('waiting', 'open', 'closed', 'revealed')", name=op.f("ck_poll_phase")),
        sa.ForeignKeyConstraint(["quiz"], ["quiz.id"], name=op.f("fk_poll_quiz")),
        sa.PrimaryKeyConstraint("quiz", name=op.f("pk_poll")),
    )
    op.create_table(
        "poll_reveal",
        sa.Column("quiz", sa.String(length=32), nullable=False),
        sa.Column("item", sa.String(length=128), nullable=False),
        sa.Column(
            "revealed", sa.BigInteger(), nullable=False, comment="from then on learners see its key and its histograms"
        ),
        sa.ForeignKeyConstraint(["quiz"], ["quiz.id"], name=op.f("fk_poll_reveal_quiz")),
        sa.PrimaryKeyConstraint("quiz", "item", name=op.f("pk_poll_reveal")),
    )
    op.create_table(
        "poll_round",
        sa.Column("quiz", sa.String(length=32), nullable=False),
        sa.Column("item", sa.String(length=128), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False, comment="1 for the first vote on an item"),
        sa.Column("opened", sa.BigInteger(), nullable=False),
        sa.Column(
            "closed",
            sa.BigInteger(),
            nullable=True,
            comment="votes that arrive from then on are late; null while it is open",
        ),
        sa.ForeignKeyConstraint(["quiz"], ["quiz.id"], name=op.f("fk_poll_round_quiz")),
        sa.PrimaryKeyConstraint("quiz", "item", "number", name=op.f("pk_poll_round")),
    )
    op.add_column(
        "membership",
        sa.Column(
            "source",
            sa.String(length=16),
            server_default="roster",
            nullable=False,
            comment="who says so: roster or hub_group",
        ),
    )
    op.add_column(
        "quiz",
        sa.Column(
            "kind",
            sa.String(length=8),
            server_default="exam",
            nullable=False,
            comment="exam, or poll: its instructor opens each item",
        ),
    )
    op.create_index(
        "ix_submission_late",
        "submission",
        ["attempt"],
        unique=False,
        sqlite_where=sa.text("status = 'late'"),
        postgresql_where=sa.text("status = 'late'"),
    )
