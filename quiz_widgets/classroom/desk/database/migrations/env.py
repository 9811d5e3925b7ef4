"""Run by Alembic: carries out migrations on the connection that `migrate` gave it."""

from alembic import context

from quiz_widgets.classroom.desk.database.metadata import metadata

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=metadata,
    render_as_batch=True,  # SQLite changes a table by copying it
    transaction_per_migration=False,
)
with context.begin_transaction():
    context.run_migrations()
