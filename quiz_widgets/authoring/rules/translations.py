"""Rules about translations of quizzes and guides, and about files that translators exchange."""

from quiz_widgets.authoring.rules.base import Rule, error

RULES = (
    error(
        "locale",
        "A translation whose language is not that of its file, or that has no interface words.",
        "It would be shown under another language's name.",
    ),
    error("overlay-id", "An id that the quiz does not have.", "The text would never be shown."),
    error(
        "overlay-empty", "An id without a text.", "A text that is missing is shown in English; an empty one hides it."
    ),
    error(
        "overlay-structure", "A field that only the source may have, such as `correct`.", "All languages have one key."
    ),
    error("overlay-text", "A translation of a text that the source does not have.", "It would never be shown."),
    error("overlay-path", "A path under `unchanged:` that leads to no text.", "It accepts nothing."),
    error("code", "Code that differs from the source's.", "Code is the same in all languages."),
    error("maths", "Maths that differs from the source's.", "Formulas are the same in all languages."),
    error("unchanged", "A text that is still the English one.", "It would be marked as a translation."),
    error(
        "script", "Letters of two scripts in one word.", "Letters that only look alike break search and reading aloud."
    ),
    error(
        "punctuation", "Latin commas, semicolons and question marks in Arabic prose.", "Arabic has signs of its own."
    ),
    Rule(
        "stale",
        "warning",
        "A translation whose source has changed since, or has no hash.",
        "It may say what the source no longer says. Compare both, then accept with `quiz-widgets translate`. It stays "
        "a warning where `strict` is true, because `check --locales` fails on it.",
    ),
    error(
        "guide-structure",
        "A translated guide with other sections or places than its source.",
        "Links and places would lead elsewhere.",
    ),
    error(
        "guide-code", "Code in a translated guide that differs from the source's.", "Code is the same in all languages."
    ),
    error(
        "guide-maths",
        "Maths in a translated guide that differs from the source's.",
        "Formulas are the same in all languages.",
    ),
    error(
        "guide-script",
        "Letters of two scripts in one word of a translated guide.",
        "They break search and reading aloud.",
    ),
    error("guide-punctuation", "Latin punctuation in the Arabic prose of a guide.", "Arabic has signs of its own."),
    error("guide-unchanged", "A section that is still the English one.", "It would be marked as a translation."),
    error(
        "po",
        "A PO file that cannot be read, or an entry in it that fits no text of the source any more.",
        "It is left out.",
    ),
)
