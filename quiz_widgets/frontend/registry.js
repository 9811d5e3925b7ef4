// The page's one meeting place: globalThis[Symbol.for("quiz_widgets")] = {contract, stores, links, kinds}.
//
// - stores: Map from quiz id to its Store. Every mount of a quiz on the page uses the same one.
// - links:  Map from quiz id to a Set of anywidget models, or what stands for them (messages.js), each a way to one kernel.
// - graded: what a part brings for graded quizzes.
// - kinds:  what parts of the script bring for kinds of items: how they are shown, and graded.
//
// Every output carries its own copy of this script, and so does every link: whichever runs first makes the
// registry, the others join. A link that comes first waits in `links`; a store that comes first is told by
// `joinLink`. Copies of another contract version use a registry of their own.

import { CONTRACT } from "./contract.js";

/** @typedef {import("./contract.js").AttemptPayload} AttemptPayload */
/** @typedef {import("./contract.js").OutcomePayload} OutcomePayload */
/** @typedef {import("./store.js").Store} Store */

/**
 * What is used of an anywidget model.
 * @typedef {Object} Model
 * @property {(name: string) => any} get
 * @property {(name: string, value: unknown) => void} set
 * @property {() => void} save_changes
 * @property {(event: string, callback: (content?: any) => void) => void} on
 * @property {(event: string, callback: (content?: any) => void) => void} off
 * @property {(content: unknown) => void} [send] a message of its own
 */

/** @typedef {import("./contract.js").ItemPayload} ItemPayload */
/** @typedef {import("./contract.js").PracticeItemPayload} PracticeItemPayload */
/** @typedef {import("./item.js").Field} Field */
/** @typedef {import("./item.js").Shown} Shown */

/**
 * @typedef {Object} Kind
 * @property {new (shown: Shown, choose: (chosen: string[]) => void) => Field} View
 * @property {(item: ItemPayload, practice: PracticeItemPayload, response: string[]) => [bigint, bigint]} share
 */

/** What the part for graded quizzes makes of the core's own classes. @typedef {(core: import("./mount.js").Core) => import("./mount.js").Graded} MakeGraded */
/** @typedef {{contract: number, stores: Map<string, Store>, links: Map<string, Set<Model>>, kinds: Record<string, Kind>, graded?: MakeGraded}} Registry */

/** @returns {Registry} */
export function registry() {
  const page = /** @type {any} */ (globalThis);
  for (const name of ["quiz_widgets", `quiz_widgets/${CONTRACT}`]) {
    const place = Symbol.for(name);
    page[place] ??= { contract: CONTRACT, stores: new Map(), links: new Map(), kinds: {} };
    if (page[place].contract === CONTRACT) return page[place];
  }
  throw new Error("quiz_widgets: no registry of this version");
}

/**
 * Announce a way to a kernel; returns the function that takes it back.
 * @param {string} quizId
 * @param {Model} model
 */
export function joinLink(quizId, model) {
  const { stores, links } = registry();
  const known = links.get(quizId) ?? new Set();
  links.set(quizId, known.add(model));
  stores.get(quizId)?.attach(model);
  return () => {
    known.delete(model);
    stores.get(quizId)?.detach(model);
  };
}
