// The questions of a graded quiz, one at a time, and the list of all of them: what is not answered, handing in, and the
// score once the desk shows it.

import { button, el, focusOn, plain } from "./dom.js";
import { whereabouts } from "./graded_head.js";
import { drawn } from "./order.js";

/** @typedef {import("./contract.js").ItemPayload} ItemPayload */
/** @typedef {import("./graded_store.js").GradedStore} GradedStore */
/** @typedef {import("./player.js").Setting} Setting */

/** @param {import("./mount.js").Core} core */
export function questionsView({ ItemView, ProgressView, contentsView }) {
  return class {
    /** @param {Setting} setting @param {ItemPayload[]} items @param {number} [index] where to go on */
    constructor(setting, items, index) {
      const { words } = setting;
      this.setting = setting;
      this.store = /** @type {GradedStore} */ (setting.store);
      this.items = items;
      this.progress = new ProgressView(words, items.length, (at) => this.go(at));
      this.stage = el("div", { class: "stage" });
      this.root = el("div", {}, this.progress.root, this.stage, contentsView(items, words, this.store));
      /** @type {InstanceType<typeof ItemView> | undefined} */
      this.view = undefined;
      this.listed = "";
      const fresh = this.states().findIndex((state) => state.open);
      this.index = index ?? (fresh < 0 || !this.store.running() ? items.length : fresh);
      this.show(this.index);
    }

    states() {
      return this.items.map((item) => this.store.state(item));
    }

    /** Focus goes on from here. */
    enter() {
      const target = this.view?.stem ?? this.stage.querySelector(".score");
      if (target instanceof HTMLElement) focusOn(target);
    }

    update() {
      this.progress.root.hidden = this.index >= this.items.length;
      if (!this.view) return this.overview();
      this.view.follow();
      this.steps();
    }

    steps() {
      this.progress.show(this.index, this.states().map((state) => ({ ...state, submits: state.last ? 1 : 0 })));
    }

    /** @param {number} index a question; their number: the list of all */
    show(index) {
      const { setting, items } = this;
      const { words, practice } = setting;
      this.index = index;
      this.progress.root.hidden = index >= items.length;
      this.listed = "";
      if (index >= items.length) {
        this.view = undefined;
        return this.overview();
      }
      const item = items[index];
      const position = words.say("position", { number: index + 1, count: items.length });
      this.view = new ItemView({ ...setting, item, practice: practice?.items[item.id] }, {
        position,
        last: index + 1 >= items.length,
        next: () => this.go(index + 1),
        back: index ? () => this.go(index - 1) : undefined,
      });
      this.stage.replaceChildren(this.view.root);
      this.steps();
    }

    /** @param {number} index */
    go(index) {
      this.show(index);
      this.enter();
    }

    /** All questions: what is not answered, and handing in; the score once it is shown. Drawn again only for news. */
    overview() {
      const { store, items, setting: { words } } = this;
      const rows = items.map((item) => ({ item, state: store.state(item), draft: Boolean(store.drafts.get(item.id)?.length) }));
      const locked = store.locked();
      const facts = JSON.stringify([rows.map(({ state, draft }) => [state.last?.id, state.event && store.keeping(state.event).keeping, state.right, state.score, draft]), locked, store.desk?.revealed]);
      if (facts === this.listed) return;
      this.listed = facts;
      const focused = this.stage.querySelector(":focus");
      const at = focused instanceof HTMLElement ? focused.dataset.at ?? (focused.matches(".score") ? "score" : "") : "";
      const revealed = Boolean(store.desk?.revealed && rows.some(({ item }) => store.practice[item.id]));
      const open = rows.filter(({ state }) => !state.last).length;
      const unsaved = rows.filter(({ draft }) => draft).length;
      const head = el("div", { class: "score", id: "score", "data-at": "score" });
      if (revealed) {
        const all = Object.values(store.desk?.scores ?? {});
        const [score, max] = [0, 1].map((part) => all.reduce((sum, one) => sum + one[part], 0));
        head.append(el("strong", {}, words.say("score", { score, max })));
      } else {
        head.append(el("strong", {}, words.say(locked ? "overview_locked" : "overview")),
          el("span", {}, words.say(open ? "unanswered" : "all_answered", { count: open })));
        if (unsaved && !locked) head.append(el("span", {}, words.say("unsaved_some", { count: unsaved })));
      }
      const list = el("ol", { class: "sum" }, ...rows.map(({ item, state, draft }, index) => {
        const [mark, sign] = !revealed ? ["", state.last ? "•" : "–"] : state.right ? ["ok", "✓"] : ["no", "✗"];
        const name = revealed ? (state.right ? "sum_right" : state.partly ? "sum_partly" : "sum_wrong") : draft && !locked ? "unsaved" : state.last ? "sum_begun" : "sum_open";
        const [score, max] = store.desk?.scores[item.id] ?? [0, item.points];
        const kept = revealed ? `${words.say(name)} · ${words.say("score", { score, max })}` : state.event ? whereabouts(state.event, store, words) : "";
        const stem = el("span", { class: "what" }, shorten(plain(item.stem, drawn(item, store.id, words.locale).numbers)));
        if (typeof item.stem !== "string") Object.assign(stem, { lang: item.stem.lang, dir: item.stem.dir });
        const label = words.say(locked ? "review_of" : state.last ? "change_of" : "answer_of", { number: index + 1 });
        return el("li", {}, el("span", { class: `sign ${mark}`, "aria-hidden": "true" }, sign), stem,
          el("span", { class: "state" }, name !== "unsaved" && kept ? kept : words.say(name)),
          button(label, () => this.go(index), { class: "link", "data-at": index }));
      }));
      const foot = el("div", { class: "foot" });
      if (!locked) foot.append(button(words.say("finish"), () => this.finish(), { class: "main", "data-at": "finish" }));
      this.stage.replaceChildren(el("div", { class: "summary", role: "group", "aria-labelledby": "score" }, head, list, foot));
      const again = at && this.stage.querySelector(`[data-at="${at}"]`);
      if (focused) focusOn(/** @type {HTMLElement} */ (again || head));
    }

    finish() {
      this.store.finish(0);
      const head = this.stage.querySelector(".score");
      if (head instanceof HTMLElement) focusOn(head);
    }
  };
}

/** @param {string} text the first words of a long stem */
export function shorten(text) {
  const line = text.replace(/\s+/g, " ");
  return line.length > 120 ? `${line.slice(0, 110).replace(/\s\S*$/, "")}…` : line;
}
