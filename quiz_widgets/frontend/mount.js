// Puts a quiz into a shadow root: styles, key shield, and the view that was asked for.

import { el, plain } from "./dom.js";
import { shieldKeys } from "./host.js";
import { InlineView, PlayerView } from "./player.js";
import { storeFor } from "./store.js";
import { Words } from "./words.js";

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
 * @property {ViewPayload} [view]
 * @property {AttemptPayload} [attempt]
 * @property {Record<string, OutcomePayload>} [outcomes]
 * @property {"h1" | "h2"} [heading] how the title is tagged; in a page of its own it is the first
 */

/**
 * Mount a quiz in an element; returns the function that takes it away.
 * @param {HTMLElement} host
 * @param {MountData} data
 * @param {string} css the text of player.css
 */
export function mount(host, { quiz, practice, view = {}, attempt, outcomes, heading = "h2" }, css) {
  const store = storeFor(quiz, practice);
  store.adopt(attempt, outcomes);
  const ending = new AbortController();
  host.replaceChildren(); // the static preview, which nobody sees from here on
  const root = host.attachShadow({ mode: "open" });
  shieldKeys(root, ending.signal);
  const words = new Words(quiz);
  const setting = { store, words, quiz, practice, host, heading };
  const named = view.items;
  const items = named
    ? named.flatMap((id) => quiz.items.filter((item) => item.id === id))
    : quiz.items.filter((item) => item.set === (view.set ?? undefined));
  const shown = named ? new InlineView(setting, items) : new PlayerView(setting, items);
  const box = el("div", { class: "quiz", lang: quiz.locale, dir: quiz.dir, role: "group", "aria-label": plain(quiz.title) }, shown.root);
  root.append(el("style", {}, css), Object.assign(box, { shown }));
  // The page keeps the view, the store does not: an output that is gone takes its view with it.
  const known = new WeakRef(shown);
  const leave = store.subscribe(() => {
    const view = known.deref();
    if (view) view.update();
    else leave();
  });
  return () => {
    leave();
    ending.abort();
  };
}
