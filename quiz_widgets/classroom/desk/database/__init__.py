"""The desk's database: SQLite on one machine, PostgreSQL beyond. Tables, connections and migrations, no rules."""
