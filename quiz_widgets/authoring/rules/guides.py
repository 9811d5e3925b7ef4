"""Rules about guides: their title, anchors, fences, places and links."""

from quiz_widgets.authoring.rules.base import error

RULES = (
    error("guide", "A guide that does not exist, or is named twice.", "Its sections could not be found."),
    error("guide-title", "A guide without a `# Title`, or with two.", "The notebook takes its name from it."),
    error(
        "guide-anchor",
        "An anchor that opens no section, is no id, or is there twice.",
        "Feedback links to sections by their anchors.",
    ),
    error("guide-fence", "A fence that is never closed.", "Everything below it would be code."),
    error(
        "guide-directive",
        "A directive other than `{quiz}` and `{demo}`, or one with a wrong body.",
        "It would be shown as code.",
    ),
    error("guide-link", "A link to a section that the guide does not have.", "It would lead nowhere."),
    error("guide-demo", "A demo that does not exist.", "Its cell would be missing."),
    error("guide-set", "A set that the quiz does not have.", "Its place would be empty."),
    error(
        "guide-place",
        "An item that stands in another section than its own, is unknown, or has no place.",
        "Feedback would link to a section that does not hold the question.",
    ),
)
