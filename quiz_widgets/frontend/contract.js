// Written by `python -m quiz_widgets.contract --write` from the shapes in Python; do not edit.

/** @typedef {string | LocalText} TextPayload */

/**
 * A text whose language or direction differs from the payload's locale.
 * @typedef {Object} LocalText
 * @property {string} html
 * @property {string} lang
 * @property {"ltr" | "rtl"} dir
 */

/**
 * One option as it is shown. Never says whether it is right.
 * @typedef {Object} OptionPayload
 * @property {string} id
 * @property {TextPayload} text
 * @property {"first" | "last"} [pin]
 */

/**
 * A place in a guide to which feedback links: the anchor is the id.
 * @typedef {Object} SectionPayload
 * @property {string} id
 * @property {TextPayload} title
 */

/**
 * One item as it is shown. Never holds the key, the count of keys, or a rationale.
 * @typedef {Object} ItemPayload
 * @property {string} id
 * @property {number} place
 * @property {number} of
 * @property {"single" | "multiple" | "number" | "text" | "order" | "match"} kind
 * @property {TextPayload} stem
 * @property {Array<OptionPayload>} options
 * @property {number} points
 * @property {number} tries
 * @property {number} hints
 * @property {SectionPayload} [section]
 * @property {string} [set]
 * @property {string} [pool]
 * @property {TextPayload} [unit]
 * @property {Array<VariantPayload>} [variants]
 * @property {Array<TargetPayload>} [targets]
 * @property {"ltr" | "rtl"} [dir]
 */

/**
 * What prompts of a match may belong to. Never says which do.
 * @typedef {Object} TargetPayload
 * @property {string} id
 * @property {TextPayload} text
 */

/**
 * A drawn version of a number item: its index in the compiled file and the texts that stand for ``{name}``.
 * @typedef {Object} VariantPayload
 * @property {number} index
 * @property {Record<string, string>} numbers
 */

/**
 * A guide that belongs to the quiz.
 * @typedef {Object} GuidePayload
 * @property {string} id
 * @property {TextPayload} title
 */

/**
 * What may be shown to anybody: built from an allow-list, field by field.
 * @typedef {Object} QuizPayload
 * @property {number} contract
 * @property {string} id
 * @property {string} hash
 * @property {"practice" | "graded"} mode
 * @property {string} locale
 * @property {"ltr" | "rtl"} dir
 * @property {TextPayload} title
 * @property {"easy" | "medium" | "hard"} level
 * @property {TextPayload} description
 * @property {Array<GuidePayload>} guides
 * @property {Array<ItemPayload>} items
 * @property {Record<string, string | Record<string, string>>} words
 * @property {Record<string, number>} [pools]
 * @property {boolean} [confidence]
 */

/**
 * How far a number may be from the value; `amount` is a decimal text.
 * @typedef {Object} TolerancePayload
 * @property {"absolute" | "relative"} kind
 * @property {string} amount
 */

/**
 * A known wrong number and its feedback; `value` is a decimal text.
 * @typedef {Object} SlipPayload
 * @property {string} id
 * @property {TextPayload} rationale
 * @property {string} [value]
 */

/**
 * An accepted text: the texts between the stars of each alternative, normalised, by locale; `credit` is a share.
 * @typedef {Object} AcceptPayload
 * @property {string} id
 * @property {string} credit
 * @property {Record<string, Array<Array<string>>>} patterns
 */

/**
 * The result that proves the key: `text` has ``{name}`` for facts, which were recorded on a day and machine.
 * @typedef {Object} EvidencePayload
 * @property {TextPayload} text
 * @property {string} name
 * @property {Record<string, string>} [facts]
 * @property {string} [demo]
 * @property {string} [date]
 * @property {string} [machine]
 */

/**
 * What a page needs to grade one drawn variant; values are decimal texts.
 * @typedef {Object} PracticeVariantPayload
 * @property {number} index
 * @property {string} value
 * @property {Record<string, string>} slips
 */

/**
 * What lets the page answer alone. Practice only.
 * @typedef {Object} PracticeItemPayload
 * @property {Array<string>} key
 * @property {"exact" | "partial"} credit
 * @property {Record<string, TextPayload>} rationales
 * @property {Array<TextPayload>} hints
 * @property {TextPayload} [explanation]
 * @property {EvidencePayload} [evidence]
 * @property {TextPayload} [source]
 * @property {string} [value]
 * @property {TolerancePayload} [tolerance]
 * @property {Array<SlipPayload>} [slips]
 * @property {Array<PracticeVariantPayload>} [variants]
 * @property {Array<AcceptPayload>} [accept]
 * @property {boolean} [match_case]
 * @property {TextPayload} [example]
 */

/**
 * The practice part of every item, by item id.
 * @typedef {Object} PracticePayload
 * @property {Record<string, PracticeItemPayload>} items
 */

/**
 * One run of a learner through a quiz: `id` is 32 hex digits, `started` is milliseconds since 1970 UTC.
 * @typedef {Object} AttemptPayload
 * @property {string} id
 * @property {number} started
 */

/**
 * What one mount shows: the items in `items`, or the whole of `set` (``None``: the main set).
 * @typedef {Object} ViewPayload
 * @property {Array<string>} [items]
 * @property {string} [set]
 */

/**
 * One thing the learner did. Append-only; a submit's id is ``attempt/item/try``, so repeats collapse.
 * @typedef {Object} EventPayload
 * @property {string} id
 * @property {string} attempt
 * @property {"submit" | "hint" | "reveal" | "restart" | "finish" | "start"} kind
 * @property {string} item
 * @property {number} round
 * @property {Array<string>} response
 * @property {number} at
 * @property {number} [seconds]
 * @property {number} [confidence]
 * @property {number} [variant]
 */

/**
 * What is on record for one event id: the event itself and, for a submit, what grading returned.
 * @typedef {Object} OutcomePayload
 * @property {EventPayload} event
 * @property {number} at
 * @property {number} [score]
 * @property {number} [max_score]
 * @property {string} [verdict]
 */

/**
 * One vote on an item of a poll: which, how many voted, and how many for each option, by id.
 * @typedef {Object} VotesPayload
 * @property {number} number
 * @property {number} voters
 * @property {Record<string, number>} counts
 */

/**
 * Where a poll stands: the item at hand and its vote, `round` (1, 2, …); `sequence` grows with each change.
 * @typedef {Object} PollPayload
 * @property {number} sequence
 * @property {"waiting" | "open" | "closed" | "revealed"} phase
 * @property {string | null} item
 * @property {number} round
 * @property {Record<string, Array<VotesPayload>>} rounds
 */

/**
 * What a page knows of the desk that grades. Times are the desk's, in ms.
 * @typedef {Object} DeskPayload
 * @property {"away" | "before" | "open" | "closed"} phase
 * @property {string} trouble
 * @property {string} who
 * @property {string} course
 * @property {string} zone
 * @property {number} now
 * @property {number | null} opens
 * @property {number | null} due
 * @property {number | null} closes
 * @property {number | null} time_limit
 * @property {number} left
 * @property {number} number
 * @property {number | null} finished
 * @property {boolean} excused
 * @property {boolean} revealed
 * @property {Record<string, Array<number>>} scores
 * @property {number} waiting
 * @property {PollPayload} [poll]
 */

/** The version of these shapes. Scripts of another version keep out of each other's way. */
export const CONTRACT = 2;
