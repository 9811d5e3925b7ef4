// The whole quiz, one question at a time; and inline items, one under the other.

import { contentsView } from "./contents.js";
import { el, fill, focusOn } from "./dom.js";
import { ItemView } from "./item.js";
import { drawnItems } from "./order.js";
import { ProgressView } from "./progress.js";
import { summaryView } from "./summary.js";

/** @typedef {import("./contract.js").ItemPayload} ItemPayload */
/** @typedef {import("./contract.js").PracticePayload} PracticePayload */
/** @typedef {import("./contract.js").QuizPayload} QuizPayload */
/** @typedef {import("./store.js").Store} Store */
/** @typedef {import("./words.js").Words} Words */
/** @typedef {{store: Store, words: Words, quiz: QuizPayload, practice: PracticePayload | undefined, host: Element, heading: "h1" | "h2", tongue: Element | null}} Setting */

/** Items in the middle of a guide. */
export class InlineView {
  /** @param {Setting} setting @param {ItemPayload[]} items */
  constructor(setting, items) {
    this.setting = setting;
    this.items = items;
    this.root = el("div", { class: "inline" });
    this.build();
  }

  build() {
    const { quiz, words, practice, tongue } = this.setting;
    this.attempt = this.setting.store.id;
    this.views = this.items.map((item) => {
      const position = words.say(item.pool ? "position_drawn" : "position_in", { number: item.place, count: item.of, title: fill(el("i"), quiz.title).textContent ?? "" });
      return new ItemView({ ...this.setting, item, practice: practice?.items[item.id] }, { position });
    });
    this.root.replaceChildren(...this.views.map((view) => view.root), tongue ?? "");
  }

  update() {
    if (this.attempt !== this.setting.store.id) this.build(); // another order of options
    else for (const view of this.views ?? []) view.follow();
  }
}

/** The whole quiz, or one of its sets. */
export class PlayerView {
  /** @param {Setting} setting @param {ItemPayload[]} carried @param {number} [index] where to go on, if not at the first open one */
  constructor(setting, carried, index) {
    this.setting = setting;
    this.carried = carried;
    const { words } = setting;
    this.items = this.drawn();
    this.progress = new ProgressView(words, this.items.length, (index) => this.go(index));
    this.stage = el("div", { class: "stage" });
    this.below = el("div");
    this.root = el("div", { class: "player" }, this.head(), this.progress.root, this.stage, this.below);
    this.index = 0;
    /** @type {ItemView | undefined} */
    this.view = undefined;
    this.begin(index);
  }

  head() {
    const { quiz, words, heading, tongue } = this.setting;
    const level = el("span", {}, ...words.parts("level", { level: el("b", {}, words.say(`level_${quiz.level}`)) }));
    const guides = quiz.guides.map((guide) => el("span", {}, ...words.parts("guide", { guide: fill(el("b"), guide.title) })));
    const title = fill(el(heading, { class: "title" }), quiz.title);
    if (this.items[0]?.set) return el("div", { class: "head" }, title, tongue); // a set beside the main one
    const about = fill(el("div", { class: "about" }), quiz.description);
    return el("div", { class: "head" }, title, about, el("p", { class: "chips" }, level, ...guides, tongue));
  }

  /** Every attempt draws as many. */
  drawn() {
    const { quiz, store } = this.setting;
    return drawnItems(this.carried, quiz.pools, store.id);
  }

  states() {
    return this.items.map((item) => this.setting.store.state(item));
  }

  /** Where a learner goes on: the first open question, or the summary. @param {number} [index] another place */
  begin(index = -1) {
    const { store, words } = this.setting;
    this.attempt = store.id;
    this.items = this.drawn();
    this.below.replaceChildren(contentsView(this.items, words, store));
    const open = this.states().findIndex((state) => state.open);
    this.show(index < 0 ? (open < 0 ? this.items.length : open) : index);
  }

  /** @param {number} index the question to show; the number of questions: the summary */
  show(index) {
    const { store, words, practice, host } = this.setting;
    this.index = index;
    this.progress.root.hidden = index >= this.items.length;
    if (index >= this.items.length) {
      this.view = undefined;
      const acts = {
        go: (/** @type {number} */ to) => this.go(to),
        retry: (/** @type {ItemPayload[]} */ missed) => {
          store.retry(missed);
          this.go(this.items.indexOf(missed[0]));
        },
        restart: () => {
          store.restart();
          this.go(0);
        },
      };
      this.stage.replaceChildren(summaryView(this.items, store, words, host, acts));
      return;
    }
    const item = this.items[index];
    const position = words.say("position", { number: index + 1, count: this.items.length });
    this.view = new ItemView({ ...this.setting, item, practice: practice?.items[item.id] }, {
      position,
      last: this.after(index) >= this.items.length,
      next: () => this.forward(),
      back: index ? () => this.go(index - 1) : undefined,
    });
    this.stage.replaceChildren(this.view.root);
    this.progress.show(index, this.states());
  }

  /** The next question: in a later round only those that are tried again. @param {number} index */
  after(index) {
    const states = this.states();
    const later = states.some((state) => state.round > 0);
    const open = (/** @type {number} */ at) => !later || states[at].open;
    let next = index + 1;
    while (next < this.items.length && !open(next)) next++;
    return next;
  }

  forward() {
    const next = this.after(this.index);
    if (next >= this.items.length) {
      const states = this.states();
      if (!states.some((state) => state.open)) {
        this.setting.store.finish(Math.max(...states.map((state) => state.round)));
      }
    }
    this.go(next);
  }

  /** Show, and put focus there: a removed button must not take focus with it. @param {number} index */
  go(index) {
    this.show(index);
    const target = this.view?.stem ?? this.stage.querySelector(".score");
    if (target instanceof HTMLElement) focusOn(target);
  }

  update() {
    if (this.attempt !== this.setting.store.id) return this.begin();
    if (this.view) {
      this.view.update();
      this.progress.show(this.index, this.states());
    }
  }
}
