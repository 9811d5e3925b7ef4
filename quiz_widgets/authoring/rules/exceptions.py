"""Rules about `exceptions:`, with which an author accepts what a rule finds."""

from quiz_widgets.authoring.rules.base import error, warning

UNKNOWN = error(
    "unknown-rule",
    "A name under `exceptions:` that is no rule.",
    "It accepts nothing, and the author believes it does.",
)
UNACCEPTABLE = error(
    "not-acceptable",
    "An exception from a rule whose problems are errors.",
    "Errors are no matter of taste: what they find cannot be shown or graded.",
)
STALE = warning(
    "stale-exception",
    "An exception from a rule that finds nothing there (any more).",
    "It would silently accept the next mistake of that kind.",
)
RULES = (UNKNOWN, UNACCEPTABLE, STALE)
