"""Rules about fields: which there are, and what may stand in them."""

from quiz_widgets.authoring.rules.base import error

RULES = (
    error(
        "unknown-field",
        "A field that the format does not have, with the names that are near.",
        "A misspelt field is a field that is missing: a `correkt: true` would leave a question without a key.",
    ),
    error("missing-field", "A field that has to be there.", "Without it the quiz cannot be shown."),
    error("empty", "A field, or a file, in which nothing stands.", "An empty text would be shown as an empty line."),
    error(
        "shape",
        "A list, a text or fields where something else is expected.",
        'A ": " inside a text makes fields of it, and brackets make a list.',
    ),
    error(
        "id",
        "An id that is not made of a-z, 0-9 and single hyphens.",
        "Learners' records, links and translations name items by their ids, on every system and for ever.",
    ),
    error(
        "truth",
        "Anything but `true` or `false` where one of them belongs.",
        "`no` and `off` mean something only to YAML.",
    ),
    error("number", "A text where a number belongs.", "It cannot be compared with an answer."),
    error("kind", "A kind of item that does not exist.", "It decides how a question is answered and graded."),
    error("level", "A level other than `easy`, `medium` and `hard`.", "Levels are shown in the reader's language."),
    error("credit", "A `credit` other than `exact` and `partial`.", "It decides how many points an answer earns."),
    error(
        "pin", "A `pin` other than `first` and `last`.", "Options are shuffled, and only these two places can be kept."
    ),
    error("points", "Points that are not more than 0, at most 1000, with two decimals.", "They add up to a score."),
    error("tries", "Tries that are no whole number from 1 to 10.", "The key is shown after the last of them."),
    error(
        "folder",
        "A quiz whose id is not the name of its folder.",
        "Quizzes are found by their folder, and learners' records name them by their id.",
    ),
    error("quiz-twice", "Two quizzes with one id.", "Their records would be mixed up."),
    error("item-twice", "Two items with one id.", "Their answers would be taken for each other's."),
    error(
        "pool",
        "A pool that nobody could draw from: unknown, empty, smaller than what is drawn of it, or spread over sets.",
        "An attempt would show fewer questions than the quiz promises.",
    ),
    error(
        "bank",
        "A `from` that leads to no quiz of the course, or to items whose ids are taken.",
        "The questions would be missing, or their answers taken for each other's. What is wrong inside the bank is "
        "told at the bank's own file.",
    ),
)
