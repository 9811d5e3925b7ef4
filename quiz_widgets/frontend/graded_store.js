// A graded quiz on one page: what its link has brought of the desk, and what has not reached the kernel yet.
//
// Nothing of a learner is kept in the page's storage but events that no kernel has on disk, and these under the learner's
// name and attempt: another learner in the same browser neither sees nor sends them.

/** @typedef {import("./contract.js").DeskPayload} DeskPayload */
/** @typedef {import("./contract.js").EventPayload} EventPayload */
/** @typedef {import("./contract.js").ItemPayload} ItemPayload */
/** @typedef {import("./contract.js").OutcomePayload} OutcomePayload */
/** @typedef {import("./contract.js").PollPayload} PollPayload */
/** @typedef {import("./frame.js").Texts} Texts */
/** @typedef {import("./registry.js").Model} Model */
/** @typedef {InstanceType<ReturnType<typeof gradedStore>>} GradedStore */

const PATIENCE = 5000; // ms until a learner is told that no kernel has taken it

/** @param {import("./mount.js").Core} core */
export function gradedStore({ Store, Shelf, reduceItem }) {
  return class extends Store {
    /** @param {string} quizId */
    constructor(quizId) {
      super(quizId);
      this.quizId = quizId;
      this.who = "";
      /** @type {DeskPayload | undefined} */
      this.desk = undefined;
      /** The state last heard of each link. @type {WeakMap<Model, DeskPayload>} */
      this.heard = new WeakMap();
      /** What the desk's clock is ahead of the page's own, which nobody can set. */
      this.ahead = 0;
      /** When the learner asked for an attempt; 0: not. */
      this.asked = 0;
    }

    /** The desk's clock, in ms. */
    deskNow() {
      return performance.now() + this.ahead;
    }

    /** Until nothing counts any more, in ms; undefined where there is no end. */
    remaining() {
      const closes = this.id ? this.desk?.closes : undefined;
      return closes == null ? undefined : closes - this.deskNow();
    }

    /** The learner's last word that the attempt is done. */
    finishing() {
      return [...this.events.values()].find((event) => event.kind === "finish" && event.attempt === this.id);
    }

    over() {
      return (this.remaining() ?? 1) <= 0;
    }

    /** Whether there is an attempt whose answers may be changed. */
    running() {
      const { desk } = this;
      return Boolean(this.id && desk && !desk.finished && !desk.revealed && !this.finishing() && !this.over());
    }

    /** Whether nothing may be changed: of all, or of an item. @param {ItemPayload} [item] */
    locked(item) {
      const { poll } = this.desk ?? {};
      const over = poll && item && !(poll.phase === "open" && poll.item === item.id);
      return !this.links.size || !this.running() || Boolean(over);
    }

    /** Whether an attempt can be opened now. */
    mayStart() {
      const { desk } = this;
      if (!desk || !this.links.size || this.running() || desk.excused || !desk.left || desk.revealed) return false;
      const last = this.id ? null : desk.closes ?? desk.due;
      const before = desk.phase === "before" && (desk.opens ?? Infinity) > this.deskNow();
      return desk.phase !== "away" && desk.phase !== "closed" && !before && (last === null || this.deskNow() < last);
    }

    /** Ask the kernel for an attempt. It is no event of an attempt, and is never sent again by itself. */
    start() {
      this.asked = performance.now();
      const event = { id: `${this.id}/start`, kind: "start", attempt: this.id, item: "", round: 0, response: [], at: Date.now() };
      for (const model of this.links.keys()) {
        model.set("events", []);
        model.set("events", [...this.waiting(), event]);
        model.save_changes();
      }
      this.tell();
      setTimeout(() => this.tell(), PATIENCE);
    }

    // Everything comes over links; an output holds nothing.
    adopt() {}

    /** @param {Model} model */
    attach(model) {
      if (this.links.has(model)) return;
      const hear = () => this.hear(model);
      const news = ["desk", "quiz", "practice", "packs", "attempt", "outcomes", "measured"].map((name) => `change:${name}`);
      for (const name of news) model.on(name, hear);
      const stop = () => news.forEach((name) => model.off(name, hear));
      this.links.set(model, { sent: new Set(), stop });
      this.hear(model);
      this.send();
    }

    /** @param {Model} model */
    hear(model) {
      /** @param {string} name @returns {any} */
      const get = (name) => model.get(name) ?? undefined;
      /** @type {DeskPayload | undefined} */
      const desk = get("desk");
      if (!desk?.phase) return;
      if (desk.who && desk.who !== this.who) this.become(desk.who);
      if (desk !== this.heard.get(model)) {
        if (desk.now) this.ahead = desk.now - performance.now();
        if (desk.trouble) this.asked = 0;
        this.heard.set(model, desk);
      }
      // A kernel that has begun anew while no desk answers knows less than this page does.
      const { poll } = this.desk ?? {};
      // A second kernel of this page may not have heard yet that a poll has gone on.
      const older = poll && desk.poll && desk.who === this.desk?.who && desk.poll.sequence < poll.sequence;
      const less = (desk.phase === "away" && Boolean(this.desk?.who)) || Boolean(older);
      this.desk = less && this.desk ? { ...this.desk, trouble: desk.trouble, waiting: desk.waiting } : desk;
      if (poll && this.desk.poll) this.vote(poll, this.desk.poll);
      this.clock = /** @type {const} */ ({ timeStyle: "medium", timeZone: known(this.desk.zone) });
      if (!less) this.carry(get("quiz"), get("practice"), get("packs"));
      const attempt = get("attempt");
      if (attempt?.id !== this.id && (attempt?.id || !less)) this.open(attempt ?? { id: "", started: 0 });
      this.acknowledge(get("outcomes"));
      this.tell();
    }

    /** A vote is chosen afresh: nothing that was not sent is left of the one before. @param {PollPayload} before @param {PollPayload} now */
    vote(before, now) {
      if (now.phase === "open" && now.round === before.round && now.item === before.item) return;
      this.drafts.clear();
      this.sure.clear();
      if (now.item && now.round !== before.round) this.firstSeen.set(now.item, Date.now());
    }

    /** @param {Texts["quiz"] | undefined} quiz @param {Texts["practice"]} practice @param {Record<string, string>} packs */
    carry(quiz, practice, packs = {}) {
      if (!quiz || (quiz === this.texts?.quiz && practice === this.texts.practice)) return;
      this.packs = packs;
      this.practice = practice?.items ?? {};
      this.texts = { quiz, practice };
    }

    /** Another learner: nothing of the one before is left. @param {string} who */
    become(who) {
      if (this.who) this.texts = undefined;
      this.who = who;
      this.open({ id: "", started: 0 });
    }

    /** @param {import("./contract.js").AttemptPayload} attempt */
    open({ id, started }) {
      this.attempt = { id, started };
      this.asked = 0;
      for (const kept of [this.events, this.drafts, this.sure, this.firstSeen]) kept.clear();
      this.outcomes = {};
      this.shelf = new Shelf(`${this.quizId}/${this.who}/${id}`);
      this.load();
    }

    /** @param {Record<string, OutcomePayload> | undefined} outcomes */
    acknowledge(outcomes) {
      for (const [id, outcome] of Object.entries(outcomes ?? {})) {
        if (outcome.event.attempt !== this.id) continue;
        const settled = this.outcomes[id] && this.outcomes[id].verdict !== "waiting";
        if (settled && outcome.verdict === "waiting") continue; // another kernel of this learner, which asked earlier
        this.outcomes[id] = outcome;
        this.events.set(id, outcome.event);
      }
      this.save();
    }

    load() {
      const kept = this.who && this.id && this.shelf.read();
      if (kept?.attempt?.id !== this.id || !kept) return false;
      for (const event of kept.events) {
        if (event.attempt === this.id && !this.events.has(event.id)) this.events.set(event.id, event);
      }
      return true;
    }

    save() {
      if (!this.id || !this.who) return;
      this.load(); // another tab may have written since
      const events = this.waiting();
      if (events.length) this.shelf.write({ attempt: this.attempt, events, outcomes: {} });
      else this.shelf.clear();
    }

    /** What was sent for an item, in the order in which the learner did it. @param {ItemPayload} item */
    sentFor(item) {
      const all = [...this.events.values()].filter((event) => event.attempt === this.id && event.item === item.id);
      return all.sort((a, b) => numberOf(a) - numberOf(b));
    }

    /** @param {ItemPayload} item @returns {import("./state.js").ItemState} */
    state(item) {
      const all = this.sentFor(item);
      const counted = all.filter((event) => [undefined, "waiting"].includes(this.outcomes[event.id]?.verdict));
      const practice = this.practice[item.id];
      const { poll, scores } = this.desk ?? {};
      const last = Math.max(0, ...counted.map((event) => event.round));
      const turn = !practice && poll?.item === item.id ? poll.round : last; // each vote on an item of a poll begins anew
      const state = reduceItem(item, practice, counted, this.outcomes, turn, practice ? turn : -1);
      const newest = all.at(-1);
      const locked = this.locked(item);
      const [score, most] = scores?.[item.id] ?? [0, item.points];
      const told = practice && (!poll || scores?.[item.id]);
      const earned = told ? { score, right: score === most, partly: score > 0 && score < most } : {};
      return { ...state, ...earned, locked, open: !state.last, left: locked ? 0 : 1, submits: newest ? numberOf(newest) : 0, event: newest };
    }

    /** @param {ItemPayload} item @param {string[]} chosen */
    choose(item, chosen) {
      if (this.locked(item)) this.tell();
      else super.choose(item, chosen);
    }

    /** @param {ItemPayload} item @param {string[]} response @param {number} [variant] @param {number} [confidence] */
    submit(item, response, variant, confidence) {
      if (!this.locked(item)) super.submit(item, response, variant, confidence);
    }

    /** @param {EventPayload} event @returns {{keeping: string, at: number, count?: number}} */
    keeping(event) {
      const outcome = this.outcomes[event.id];
      const at = outcome?.at ?? event.at;
      if (outcome) {
        const { verdict = "recorded" } = outcome;
        const told = ["recorded", "waiting", "late", "finished", "reused"].includes(verdict) ? verdict : "refused";
        return { keeping: told, at, count: this.desk?.waiting ?? 1 };
      }
      const age = performance.now() - (this.added.get(event.id) ?? -PATIENCE);
      if (this.links.size) return { keeping: age < PATIENCE ? "saving" : this.desk?.trouble ? "unsent" : "unheard", at };
      return { keeping: this.shelf.works ? "kept" : "lost", at };
    }
  };
}

/** @param {EventPayload} event */
function numberOf(event) {
  return Number(event.id.slice(event.id.lastIndexOf("/") + 1));
}

/** A time zone, if this browser knows it. @param {string} zone */
function known(zone) {
  try {
    new Intl.DateTimeFormat("en", { timeZone: zone });
    return zone;
  } catch {
    return undefined;
  }
}
