// A poll as its learner sees it: where it stands, and all questions that were opened so far, in order. It follows what
// the class does without a press: what changed is exchanged in its place, and focus stays where it is.

import { el, fill, focusOn, plain } from "./dom.js";
import { say } from "./graded_head.js";
import { shorten } from "./graded_questions.js";
import { ownVotes, votesTable } from "./graded_votes.js";

/** @typedef {import("./contract.js").ItemPayload} ItemPayload */
/** @typedef {import("./graded_store.js").GradedStore} GradedStore */
/** @typedef {import("./player.js").Setting} Setting */
/** @typedef {import("./words.js").Words} Words */

const PLACES = ["summary", "input, select, .arrow", ".stem"]; // where focus may be in a question, also in the next drawing of it

/** @param {import("./mount.js").Core} core */
export function pollView({ ItemView }) {
  class VoteView extends ItemView {
    /** Votes are told of beside it, all of them. */
    sent() {
      return [];
    }

    update() {
      super.update();
      this.foot.root.hidden = this.shown.store.state(this.shown.item).locked;
    }
  }

  class Question {
    /** @param {Setting} setting @param {ItemPayload} item @param {number} number @param {string} facts all that it is made of */
    constructor(setting, item, number, facts) {
      const { words, practice } = setting;
      this.setting = setting;
      this.store = /** @type {GradedStore} */ (setting.store);
      this.item = item;
      this.facts = facts;
      this.told = "";
      const key = practice?.items[item.id];
      this.view = new VoteView({ ...setting, words: voting(words), item, practice: key }, { position: words.say("poll_question", { number }) });
      this.former = el("div");
      this.mine = el("div", { role: "status", "aria-atomic": "true" });
      this.view.group.after(el("div", { class: "own" }, this.former, this.mine));
      const votes = ["single", "multiple"].includes(item.kind) ? this.store.desk?.poll?.rounds[item.id] ?? [] : [];
      if (key && votes.length) this.view.root.append(el("div", { class: "class" }, votesTable(item, votes, key.key, this.store.id, words)));
      this.state = el("span", { class: "state" });
      const what = fill(el("span", { class: "what" }), shorten(plain(item.stem, this.view.shown.numbers)));
      if (typeof item.stem !== "string") Object.assign(what, { lang: item.stem.lang, dir: item.stem.dir });
      this.summary = el("summary", {}, el("span", {}, words.say("poll_question", { number })), " ", this.state, " ", what);
      this.root = el("details", { class: "question" }, this.summary, this.view.root);
    }

    update() {
      const { store, item, setting: { words } } = this;
      const { poll } = store.desk ?? {};
      const open = poll?.item === item.id && poll.phase === "open";
      const name = store.practice[item.id] ? "revealed" : open ? "open" : "closed";
      say(this.state, words.say(`poll_state_${name}`, { round: poll?.round ?? 1 }));
      this.view.follow();
      const { former, mine } = ownVotes(item, store, words, this.view.shown.numbers);
      replace(this.former, former);
      replace(this.mine, mine);
    }

    /** Which part has focus: its place among its like. @param {Element} focused */
    mark(focused) {
      for (const like of PLACES) {
        const at = [...this.root.querySelectorAll(like)].indexOf(focused);
        if (at >= 0) return { like, at };
      }
      return { like: ".stem", at: 0 };
    }

    /** @param {{like: string, at: number}} mark */
    focus({ like, at }) {
      const found = /** @type {HTMLElement[]} */ ([...this.root.querySelectorAll(like)])[at] ?? this.view.stem;
      if (!found.matches("summary, input, select, button")) found.tabIndex = -1;
      found.focus({ preventScroll: true });
    }
  }

  return class {
    /** @param {Setting} setting @param {ItemPayload[]} items */
    constructor(setting, items) {
      this.store = /** @type {GradedStore} */ (setting.store);
      this.said = el("p", { role: "status", class: "told" });
      this.list = el("div", { class: "questions" });
      this.root = el("div", { class: "poll" }, this.said, this.list);
      /** @type {Map<string, Question>} */
      this.known = new Map();
      /** The question that was last shown as the one at hand. @type {string | undefined} */
      this.at = undefined;
      this.setting = setting;
      this.items = items;
      this.carry(setting, items);
      this.update();
    }

    /** Questions that were opened, and those that have their key now; all others stay as they are. @param {Setting} setting @param {ItemPayload[]} items */
    carry(setting, items) {
      Object.assign(this, { setting, items });
      const rounds = this.store.desk?.poll?.rounds ?? {};
      for (const [index, item] of items.entries()) {
        const facts = JSON.stringify([index, item, setting.practice?.items[item.id], rounds[item.id]]);
        const former = this.known.get(item.id);
        if (former?.facts === facts) continue;
        const made = new Question(setting, item, index + 1, facts);
        this.known.set(item.id, made);
        if (!former) {
          this.list.insertBefore(made.root, this.list.children[index] ?? null);
          continue;
        }
        const focused = former.root.querySelector(":focus");
        made.root.open = former.root.open;
        former.root.replaceWith(made.root);
        if (focused) made.focus(former.mark(focused));
      }
    }

    update() {
      const { store, setting: { words }, items } = this;
      const { poll } = store.desk ?? {};
      const at = items.find((item) => item.id === poll?.item);
      const number = at ? items.indexOf(at) + 1 : 0;
      const phase = !at || !poll || poll.phase === "waiting" ? (items.length ? "next" : "first") : poll.phase === "open" && poll.round > 1 ? "again" : poll.phase;
      const over = !store.links.size || !store.running();
      say(this.said, over ? "" : words.say(`poll_now_${phase}`, { number, round: poll?.round ?? 1 }));
      this.unfold(at ?? items.at(-1));
      for (const question of this.known.values()) question.update();
    }

    /** The question at hand is open, the one before it is folded unless focus is in it. @param {ItemPayload | undefined} item */
    unfold(item) {
      if (!item || item.id === this.at) return;
      this.at = item.id;
      for (const { root, item: { id } } of this.known.values()) root.open = id === item.id || root.matches(":focus-within");
    }

    /** Focus goes on in the question in which it was, else in the one at hand. @param {Element} [focused] */
    enter(focused) {
      const questions = [...this.known.values()];
      const here = questions.find(({ root }) => focused && root.contains(focused)) ?? this.known.get(this.at ?? "");
      focusOn(here ? here.view.stem : this.said);
    }
  };
}

/** The words of a vote in the place of those of a saved answer. @param {Words} words @returns {Words} */
function voting(words) {
  const own = Object.entries(words.messages).filter(([name]) => name.startsWith("vote_"));
  const messages = { ...words.messages, ...Object.fromEntries(own.map(([name, message]) => [name.slice(5), message])) };
  return Object.assign(Object.create(Object.getPrototypeOf(words)), words, { messages });
}

/** A live region must not repeat itself. @param {HTMLElement} node @param {HTMLElement[]} kids */
function replace(node, kids) {
  if (node.textContent !== kids.map((kid) => kid.textContent).join("")) node.replaceChildren(...kids);
}
