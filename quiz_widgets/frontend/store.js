// One quiz on one page: its attempt, its append-only events, and who has them.
//
// Every mount of the quiz and every link to a kernel registers here, so inline items and the whole quiz agree at
// once. Events stay in page storage until a kernel has them on record; a record wins over what the page believes.

import { Shelf, jupyterConfig, randomId } from "./host.js";
import { registry } from "./registry.js";
import { reduceItem } from "./state.js";

/** @typedef {import("./contract.js").AttemptPayload} AttemptPayload */
/** @typedef {import("./contract.js").EventPayload} EventPayload */
/** @typedef {import("./contract.js").ItemPayload} ItemPayload */
/** @typedef {import("./contract.js").OutcomePayload} OutcomePayload */
/** @typedef {import("./contract.js").PracticePayload} PracticePayload */
/** @typedef {import("./contract.js").QuizPayload} QuizPayload */
/** @typedef {import("./registry.js").Model} Model */
/** @typedef {import("./state.js").ItemState} ItemState */
/** @typedef {string} Keeping a message: recorded, saving, unheard, kept, lost, and those of graded quizzes */

const PATIENCE = 5000; // ms until a learner is told that no kernel has confirmed

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

export class Store {
  /** @param {string} quizId */
  constructor(quizId) {
    this.shelf = new Shelf(quizId);
    /** @type {AttemptPayload} */
    this.attempt = { id: "", started: 0 };
    /** Of all items that any mount shows. @type {PracticePayload["items"]} */
    this.practice = {};
    /** @type {Map<string, EventPayload>} */
    this.events = new Map();
    /** @type {Record<string, OutcomePayload>} */
    this.outcomes = {};
    /** Events of older attempts that a kernel has had. @type {Set<string>} */
    this.done = new Set();
    /** Rounds begun but not yet answered, and rounds in which the key was asked for again. @type {Record<string, number>} */
    this.fresh = {};
    /** @type {Record<string, number>} */
    this.shown = {};
    /** What is chosen and not yet checked. @type {Map<string, string[]>} */
    this.drafts = new Map();
    /** How sure the learner is of what is not yet checked: 1 to 3. @type {Map<string, number>} */
    this.sure = new Map();
    /** @type {Map<string, number>} */
    this.firstSeen = new Map();
    /** When events of this page were made, on a clock that nobody can set. @type {Map<string, number>} */
    this.added = new Map();
    /** @type {Set<() => void>} */
    this.listeners = new Set();
    /** @type {Map<Model, {sent: Set<string>, stop: () => void}>} */
    this.links = new Map();
    /** How times are written where not as usual. @type {Intl.DateTimeFormatOptions | undefined} */
    this.clock = undefined;
    /** What a link has brought instead of the output. @type {import("./frame.js").Texts | undefined} */
    this.texts = undefined;
    /** The same in other languages. @type {Record<string, string>} */
    this.packs = {};
    /** The language that a reader has chosen for a document. @type {WeakMap<object, string>} */
    this.chosen = new WeakMap();
    this.load();
    this.shelf.watch(() => this.load() && this.tell());
  }

  /** Of the open attempt. */
  get id() {
    return this.attempt.id;
  }

  /** @param {() => void} listener @returns {() => void} */
  subscribe(listener) {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  tell() {
    for (const listener of [...this.listeners]) listener();
  }

  /** Merge what this page's storage holds; other tabs write there too. */
  load() {
    const kept = this.shelf.read();
    if (!kept?.attempt?.id) return false;
    this.follow(kept.attempt);
    const ours = kept.attempt.id === this.id;
    for (const event of kept.events ?? []) {
      const old = event.attempt !== this.id && (this.done.has(event.id) || kept.outcomes[event.id]);
      if (!old && !this.events.has(event.id)) this.events.set(event.id, event);
    }
    if (ours) {
      this.outcomes = { ...kept.outcomes, ...this.outcomes };
      this.fresh = largest(this.fresh, kept.fresh);
      this.shown = largest(this.shown, kept.shown);
    }
    return true;
  }

  save() {
    this.load(); // another tab may have written since
    const events = [...this.events.values()];
    const { attempt, outcomes, fresh, shown } = this;
    this.shelf.write({ attempt, events, outcomes, fresh, shown });
  }

  /**
   * Take over an attempt and its record: from an output, or from a kernel.
   * @param {AttemptPayload | undefined} attempt
   * @param {Record<string, OutcomePayload> | undefined} outcomes
   */
  adopt(attempt, outcomes) {
    if (attempt?.id) this.follow(attempt);
    for (const [id, outcome] of Object.entries(outcomes ?? {})) {
      if (outcome.event.attempt === this.id) {
        this.outcomes[id] = outcome;
        this.events.set(id, outcome.event);
      } else {
        this.done.add(id);
        this.events.delete(id);
      }
    }
    if (!this.id) this.attempt = { id: randomId(), started: Date.now() };
    this.save();
    this.tell();
  }

  /** The newer attempt is the open one. @param {AttemptPayload} attempt */
  follow(attempt) {
    if (attempt.id === this.id || attempt.started <= this.attempt.started) return;
    this.attempt = { id: attempt.id, started: attempt.started };
    this.drafts.clear();
    this.sure.clear();
    this.firstSeen.clear();
    this.fresh = {};
    this.shown = {};
    // Of older attempts only what no kernel has yet is kept, to be sent.
    for (const [id, event] of this.events) {
      if (event.attempt !== attempt.id && this.outcomes[id]) this.events.delete(id);
    }
    for (const id of Object.keys(this.outcomes)) if (!this.events.has(id)) delete this.outcomes[id];
  }

  /** @param {Model} model */
  attach(model) {
    if (this.links.has(model)) return;
    const hear = () => {
      this.forget(model);
      this.adopt(model.get("attempt"), model.get("outcomes"));
    };
    const news = ["change:outcomes", "change:attempt", "change:measured"];
    for (const name of news) model.on(name, hear);
    const stop = () => {
      for (const name of news) model.off(name, hear);
    };
    this.links.set(model, { sent: new Set(), stop });
    hear();
    this.send();
  }

  /** @param {Model} model */
  detach(model) {
    this.links.get(model)?.stop();
    this.links.delete(model);
    this.tell();
  }

  /**
   * What a demo has found in a kernel that is linked now.
   * @param {string} evidence
   * @returns {Record<string, string> | undefined}
   */
  measured(evidence) {
    return [...this.links.keys()].map((model) => model.get("measured")?.[evidence]).find(Boolean);
  }

  /** Events of older attempts that a kernel has had, now that it is at ours. @param {Model} model */
  forget(model) {
    if (model.get("attempt")?.id !== this.id) return;
    const sent = this.links.get(model)?.sent;
    for (const [id, event] of this.events) {
      if (event.attempt === this.id || !sent?.has(id)) continue;
      this.done.add(id);
      this.events.delete(id);
    }
  }

  waiting() {
    return [...this.events.values()].filter((event) => !this.outcomes[event.id]);
  }

  /** Give every kernel what is not on record. @param {boolean} [again] also what it was given before */
  send(again = false) {
    const waiting = this.waiting();
    for (const [model, { sent }] of this.links) {
      if (!waiting.length || (!again && waiting.every((event) => sent.has(event.id)))) continue;
      try {
        if (again) model.set("events", []); // the same value twice would not be sent
        model.set("events", waiting);
        model.save_changes();
        for (const event of waiting) sent.add(event.id);
      } catch (error) {
        console.warn("quiz_widgets: a kernel cannot be reached", error);
      }
    }
  }

  /** The time in ms since 1970, but never before what was done last: a clock that is set back changes no order. */
  now() {
    const done = [...this.events.values()].filter((event) => event.attempt === this.id);
    return Math.max(Date.now(), ...done.map((event) => event.at));
  }

  /** @param {Omit<EventPayload, "attempt" | "at">} event */
  add(event) {
    this.load(); // a second tab may have done the same
    if (this.events.has(event.id)) return this.tell();
    this.events.set(event.id, { ...event, attempt: this.id, at: this.now() });
    this.added.set(event.id, performance.now());
    this.save();
    this.send();
    this.tell();
    setTimeout(() => {
      if (this.waiting().length && this.links.size) this.send(true);
      this.tell();
    }, PATIENCE);
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

  /**
   * Where an event is by now.
   * @param {EventPayload} event
   * @returns {{keeping: Keeping, at: number, count?: number}}
   */
  keeping(event) {
    const outcome = this.outcomes[event.id];
    if (outcome) return { keeping: "recorded", at: outcome.at };
    if (!this.shelf.works) return { keeping: "lost", at: event.at };
    const age = performance.now() - (this.added.get(event.id) ?? -PATIENCE);
    if (this.links.size && age < PATIENCE) return { keeping: "saving", at: event.at };
    const recorded = this.links.size || (jupyterConfig() && !this.shelf.draft);
    return { keeping: recorded ? "unheard" : "kept", at: event.at };
  }
}

/** @param {Record<string, number>} mine @param {Record<string, number> | undefined} theirs */
function largest(mine, theirs) {
  const all = { ...theirs };
  for (const [name, value] of Object.entries(mine)) all[name] = Math.max(value, all[name] ?? -1);
  return all;
}
