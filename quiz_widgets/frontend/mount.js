// Puts a quiz into a shadow root: styles, key shield, and the frame that follows the store.

import { contentsView } from "./contents.js";
import { el } from "./dom.js";
import { Frame } from "./frame.js";
import { Shelf, shieldKeys } from "./host.js";
import { ItemView } from "./item.js";
import { ProgressView } from "./progress.js";
import { registry } from "./registry.js";
import { reduceItem } from "./state.js";
import { Store, storeFor } from "./store.js";

/** @typedef {import("./contract.js").AttemptPayload} AttemptPayload */
/** @typedef {import("./contract.js").OutcomePayload} OutcomePayload */
/** @typedef {import("./contract.js").PracticePayload} PracticePayload */
/** @typedef {import("./contract.js").QuizPayload} QuizPayload */
/** @typedef {import("./contract.js").ViewPayload} ViewPayload */

/**
 * What an output carries.
 * @typedef {Object} MountData
 * @property {QuizPayload} quiz
 * @property {PracticePayload} [practice]
 * @property {Record<string, string>} [packs] other languages of quiz and practice
 * @property {ViewPayload} [view]
 * @property {AttemptPayload} [attempt]
 * @property {Record<string, OutcomePayload>} [outcomes]
 * @property {"h1" | "h2"} [heading] how the title is tagged; in a page of its own it is the first
 */

/** What a part of the script may build on: its own copies of these would be others. */
const CORE = { Store, Shelf, ItemView, ProgressView, contentsView, reduceItem };

/** @typedef {typeof CORE} Core */
/** @typedef {{Store: typeof Store, View: import("./frame.js").View, css: string}} Graded */

/**
 * Mount a quiz in an element; returns the function that takes it away.
 * @param {HTMLElement} host
 * @param {MountData} data
 * @param {string} css the text of player.css
 */
export function mount(host, { quiz, practice, packs = {}, view = {}, attempt, outcomes, heading = "h2" }, css) {
  const graded = quiz.mode === "graded" ? registry().graded?.(CORE) : undefined;
  const store = storeFor(quiz, practice, graded?.Store);
  store.adopt(attempt, outcomes);
  const ending = new AbortController();
  host.replaceChildren(); // the static preview, which nobody sees from here on
  const root = host.attachShadow({ mode: "open" });
  shieldKeys(root, ending.signal);
  const frame = new Frame(store, host, { quiz, practice }, packs, view, heading, graded?.View);
  root.append(el("style", {}, css + (graded?.css ?? "")), frame.box);
  const known = new WeakRef(frame); // an output that is gone takes its frame with it
  const leave = store.subscribe(() => {
    const here = known.deref();
    if (here) here.update();
    else leave();
  });
  return () => {
    leave();
    ending.abort();
  };
}
