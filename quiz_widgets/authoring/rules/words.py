"""Rules about interface words (`check --locales`), for those who add a language to the package."""

from quiz_widgets.authoring.rules.base import error

RULES = (
    error("words", "A file of interface words that cannot be read.", "Its language could not be shown."),
    error("words-missing", "A message that is missing.", "It would be shown in English."),
    error("words-unknown", "A message that English does not have.", "It is never shown."),
    error("words-plural", "A plural form that is missing or unknown.", "Some numbers would have no words."),
)
