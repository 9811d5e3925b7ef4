// One quiz on one page: what is shown of it, and what a learner does with it.
//
// Every mount of the quiz registers here, so inline items and the whole quiz agree at once. What was done goes into the
// journal, from which it reaches storage and kernels.

import { randomId } from "./host.js";
import { Journal } from "./journal.js";
import { registry } from "./registry.js";
import { reduceItem } from "./state.js";

/** @typedef {import("./contract.js").ItemPayload} ItemPayload */
/** @typedef {import("./contract.js").PracticePayload} PracticePayload */
/** @typedef {import("./contract.js").QuizPayload} QuizPayload */
/** @typedef {import("./state.js").ItemState} ItemState */

/**
 * The page's store of a quiz; made when there is none.
 * @param {QuizPayload} quiz
 * @param {PracticePayload | undefined} practice
 * @param {typeof Store} [Kind] of which class
 */
export function storeFor(quiz, practice, Kind = Store) {
  const { stores, links } = registry();
  let store = stores.get(quiz.id);
  if (!store) {
    stores.set(quiz.id, (store = new Kind(quiz.id)));
    for (const model of links.get(quiz.id) ?? []) store.attach(model);
  }
  Object.assign(store.practice, practice?.items);
  return store;
}

export class Store extends Journal {
  /** @param {string} quizId */
  constructor(quizId) {
    super(quizId);
    /** Of all items that any mount shows. @type {PracticePayload["items"]} */
    this.practice = {};
    /** How times are written where not as usual. @type {Intl.DateTimeFormatOptions | undefined} */
    this.clock = undefined;
    /** What a link has brought instead of the output. @type {import("./frame.js").Texts | undefined} */
    this.texts = undefined;
    /** The same in other languages. @type {Record<string, string>} */
    this.packs = {};
    /** The language that a reader has chosen for a document. @type {WeakMap<object, string>} */
    this.chosen = new WeakMap();
  }

  /**
   * What an item shows now.
   * @param {ItemPayload} item
   * @returns {ItemState}
   */
  state(item) {
    const events = [...this.events.values()].filter((event) => event.attempt === this.id && event.item === item.id);
    const practice = this.practice[item.id];
    return reduceItem(item, practice, events, this.outcomes, this.fresh[item.id] ?? 0, this.shown[item.id] ?? -1);
  }

  /** @param {ItemPayload} item */
  see(item) {
    if (!this.firstSeen.has(item.id)) this.firstSeen.set(item.id, Date.now());
  }

  /** @param {ItemPayload} item @param {string[]} chosen */
  choose(item, chosen) {
    this.drafts.set(item.id, chosen);
    this.tell();
  }

  /** @param {ItemPayload} item @param {number} sure 0: nothing said */
  beSure(item, sure) {
    this.sure.set(item.id, sure);
    this.tell();
  }

  /** @param {ItemPayload} item @param {string[]} response @param {number} [variant] @param {number} [confidence] */
  submit(item, response, variant, confidence) {
    const { submits, round, phase } = this.state(item);
    if (phase === "closed") return;
    const seconds = (Date.now() - (this.firstSeen.get(item.id) ?? Date.now())) / 1000;
    this.drafts.delete(item.id);
    this.sure.delete(item.id);
    const id = `${this.id}/${item.id}/${submits + 1}`;
    const more = { ...(variant === undefined ? {} : { variant }), ...(confidence ? { confidence } : {}) };
    this.add({ id, kind: "submit", item: item.id, round, response, seconds, ...more });
  }

  /** @param {ItemPayload} item */
  hint(item) {
    const { hints, round } = this.state(item);
    if (hints >= item.hints) return;
    this.add({ id: `${this.id}/${item.id}/hint/${hints + 1}`, kind: "hint", item: item.id, round, response: [] });
  }

  /** @param {ItemPayload} item */
  reveal(item) {
    const { round } = this.state(item);
    this.drafts.delete(item.id);
    this.shown[item.id] = round; // a second reveal in an attempt has no event of its own
    this.add({ id: `${this.id}/${item.id}/reveal`, kind: "reveal", item: item.id, round, response: [] });
    this.save();
  }

  /** Answer items anew within the attempt; their score stays. @param {ItemPayload[]} items */
  retry(items) {
    for (const item of items) {
      this.fresh[item.id] = this.state(item).round + 1;
      this.drafts.delete(item.id);
      this.firstSeen.delete(item.id);
    }
    this.save();
    this.tell();
  }

  /** @param {number} round */
  finish(round) {
    this.add({ id: `${this.id}/finish/${round + 1}`, kind: "finish", item: "", round, response: [] });
  }

  restart() {
    // Its first digits stay: they tell which items of a large pool pages carry (pools.py).
    const next = { id: this.id.slice(0, 4) + randomId().slice(4), started: Math.max(Date.now(), this.attempt.started + 1) };
    this.add({ id: `${this.id}/restart`, kind: "restart", item: "", round: 0, response: [next.id] });
    this.adopt(next, {});
  }
}
