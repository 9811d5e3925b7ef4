"""Care for what the desk keeps: copies of it, and what a learner may ask for: to see it, and to be forgotten."""
