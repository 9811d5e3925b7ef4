"""Rules about a file as such: its bytes, its invisible signs, and YAML that would change what was written."""

from quiz_widgets.authoring.rules.base import error

RULES = (
    error("file", "A path that holds no quiz, or a file that cannot be read.", "There is nothing to check."),
    error(
        "encoding",
        "Bytes that are not UTF-8.",
        "In another encoding letters turn into other letters, and nobody notices until class.",
    ),
    error(
        "invisible",
        "Direction marks, zero-width signs, soft hyphens and control characters, written or as YAML escapes.",
        "They come along with text copied from web pages and word processors. Nobody sees them, but a reader's search, "
        "a comparison or a whole line's direction goes wrong. A text's direction comes from its language.",
        fixed=True,
    ),
    error(
        "indentation",
        "A line that is indented with anything but plain spaces.",
        "YAML takes a no-break space for a letter, so the field gets another name or another place.",
        fixed=True,
    ),
    error(
        "yaml", "What the YAML parser cannot read.", "From there on nothing of the file can be understood.", fixed=True
    ),
    error(
        "tex-escape",
        r'TeX in double quotes, such as `"\frac"`.',
        r"In double quotes a backslash begins an escape of YAML's: `\f` is a form feed, and `rac` is what remains. "
        "Single quotes, or `|`, leave TeX alone.",
        fixed=True,
    ),
    error(
        "cut",
        "A text that a ` #` cuts.",
        "What follows a space and `#` is a comment of YAML's, so `in C # and Java` is shown as `in C`.",
    ),
    error(
        "anchor",
        "Anchors, aliases and merge keys (`&x`, `*x`, `<<`).",
        "A text that begins with such a sign would be lost, and an alias changes many places at once.",
    ),
    error(
        "tag", "A YAML tag, such as `!!str`.", "Types come from the fields; a text that begins with `!` would be lost."
    ),
    error("documents", "A second document in one file (`---`).", "A file holds one quiz; the second would be ignored."),
    error("depth", "More than 20 levels inside one another.", "A quiz needs eight; deeper files are made to do harm."),
    error(
        "duplicate-field",
        "A field that is there twice.",
        "YAML keeps the last one without a word, and the first is lost.",
    ),
    error(
        "field-name",
        "A field whose name is no word.",
        "A text that begins with `?` or a bracket was taken for a name.",
    ),
)
