// The record of one quiz on one page: its attempt, its append-only events, and who has them.
//
// Events stay in page storage until a kernel has them on record; a record wins over what the page believes. Every link
// to a kernel registers here, and each is given what is not on record.

import { Shelf, jupyterConfig, randomId } from "./host.js";

/** @typedef {import("./contract.js").AttemptPayload} AttemptPayload */
/** @typedef {import("./contract.js").EventPayload} EventPayload */
/** @typedef {import("./contract.js").OutcomePayload} OutcomePayload */
/** @typedef {import("./registry.js").Model} Model */
/** @typedef {string} Keeping a message: recorded, saving, unheard, kept, lost, and those of graded quizzes */

const PATIENCE = 5000; // ms until a learner is told that no kernel has confirmed

export class Journal {
  /** @param {string} quizId */
  constructor(quizId) {
    this.shelf = new Shelf(quizId);
    /** @type {AttemptPayload} */
    this.attempt = { id: "", started: 0 };
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
