// From events to what one item shows. Pure: the same events give the same state, in whatever order they came.

import { grade } from "./grade.js";
import { certaintyMark } from "./sure.js";

/** @typedef {import("./contract.js").EventPayload} EventPayload */
/** @typedef {import("./contract.js").ItemPayload} ItemPayload */
/** @typedef {import("./contract.js").OutcomePayload} OutcomePayload */
/** @typedef {import("./contract.js").PracticeItemPayload} PracticeItemPayload */

/** @typedef {"open" | "wrong" | "closed" | "sent"} Phase */

/**
 * @typedef {Object} ItemState
 * @property {boolean} open there is something left to try in this round
 * @property {boolean} locked nothing may be changed
 * @property {number} round 0, and one more each time that the item is tried again after its key was shown
 * @property {number} submits in the whole attempt
 * @property {number} left tries left in this round
 * @property {Phase} phase closed: the key is shown; sent: graded elsewhere
 * @property {EventPayload | undefined} last the last submit of this round
 * @property {boolean | undefined} right verdict on the last submit; undefined while nobody may know
 * @property {boolean} partly some points, but not all
 * @property {boolean} revealed the learner asked for the key in this round
 * @property {number} hints how many are shown
 * @property {number} score of the last response before the reveal, in the first round
 * @property {boolean} scored all points in the first round
 * @property {boolean} firstTry right at the very first try
 * @property {number | undefined} sure how sure the learner was: of the response that counts, else of the first one
 * @property {number} mark what that earns; NaN where nobody may know
 * @property {boolean} seen answered or revealed in any round
 * @property {EventPayload | undefined} event the newest event of the item
 */

/**
 * @param {ItemPayload} item
 * @param {PracticeItemPayload | undefined} practice
 * @param {EventPayload[]} events of this attempt and item
 * @param {Record<string, OutcomePayload>} outcomes
 * @param {number} fresh the round that the learner has begun
 * @param {number} shown the round in which the key was asked for again, or -1
 * @returns {ItemState}
 */
export function reduceItem(item, practice, events, outcomes, fresh, shown) {
  const submits = events.filter((event) => event.kind === "submit").sort((a, b) => tryOf(a) - tryOf(b));
  const reveal = events.find((event) => event.kind === "reveal");
  const round = Math.max(fresh, 0, ...events.map((event) => event.round));
  const now = submits.filter((event) => event.round === round);
  const last = now.at(-1);
  const revealed = reveal?.round === round || shown === round;

  /** @param {EventPayload | undefined} event */
  const points = (event) => {
    if (!event || !practice) return undefined;
    return outcomes[event.id]?.score ?? grade(item, practice, event.response, event.variant).score;
  };
  const firstRound = submits.filter((event) => event.round === 0);
  const scoring = firstRound.filter((event) => !reveal || event.at <= reveal.at).at(-1);
  // Where there is feedback only the first try's certainty is asked; without, each response has its own.
  const stated = scoring?.confidence ? scoring : scoring && firstRound[0];
  const right = last && practice ? points(last) === item.points : undefined;
  const left = Math.max(0, item.tries - now.length);
  /** @type {Phase} */
  let phase = "open";
  if (!practice) phase = last ? "sent" : "open";
  else if (revealed || right || (last && !left)) phase = "closed";
  else if (last) phase = "wrong";
  return {
    open: phase === "open" || phase === "wrong",
    locked: false,
    round,
    submits: submits.length,
    left,
    phase,
    last,
    right: phase === "closed" ? right ?? false : right,
    partly: right === false && (points(last) ?? 0) > 0,
    revealed,
    hints: Math.min(item.hints, events.filter((event) => event.kind === "hint").length),
    score: points(scoring) ?? 0,
    scored: points(scoring) === item.points,
    firstTry: points(firstRound[0]) === item.points && (!reveal || firstRound[0].at <= reveal.at),
    sure: stated?.confidence,
    mark: certaintyMark(points(stated) ?? NaN, item.points, stated?.confidence),
    seen: submits.length > 0 || Boolean(reveal),
    event: events.reduce((/** @type {EventPayload | undefined} */ a, b) => (a && a.at > b.at ? a : b), undefined),
  };
}

/** @param {EventPayload} event */
function tryOf(event) {
  return Number(event.id.slice(event.id.lastIndexOf("/") + 1));
}
