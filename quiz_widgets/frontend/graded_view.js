// The graded quiz as its learner sees it: where and when it is taken, who is logged in, the button that opens it, its
// questions, the time that is left, the list before handing in, and what was right once the desk shows it.

import { button, el, fill, focusOn, plain } from "./dom.js";
import { drawn } from "./order.js";

/** @typedef {import("./contract.js").ItemPayload} ItemPayload */
/** @typedef {import("./graded_store.js").GradedStore} GradedStore */
/** @typedef {import("./player.js").Setting} Setting */

const MINUTE = 60_000;
const SOON = 5 * MINUTE; // from here on the seconds are shown
const SAID = [SOON, MINUTE]; // what is left when a screen reader says so; more would be a nuisance
const TROUBLES = ["no_desk", "unreachable", "unknown", "who", "scope", "disk", "not_open", "closed", "no_attempts_left", "newer"];

/** @param {import("./mount.js").Core} core */
export function gradedView({ ItemView, ProgressView, contentsView }) {
  return class {
    /** @param {Setting} setting @param {ItemPayload[]} items @param {number} [index] where to go on */
    constructor(setting, items, index) {
      const { words } = setting;
      this.setting = setting;
      this.store = /** @type {GradedStore} */ (setting.store);
      this.items = items;
      this.chips = el("p", { class: "chips" });
      this.facts = el("ul", { class: "facts" });
      this.left = el("p", { class: "left", role: "timer", "aria-live": "off" });
      this.told = el("p", { role: "status", class: "told" });
      this.said = el("p", { role: "status", class: "sr" });
      this.startButton = button("", () => this.ask(), { class: "main" });
      this.sure = button(words.say("start_now"), () => this.begin(), { class: "main" });
      this.stay = button(words.say("start_later"), () => this.dismiss());
      this.question = el("p", { id: "start-sure" });
      this.asking = el("div", { class: "asking", role: "group", "aria-labelledby": "start-sure" }, this.question,
        el("div", { class: "foot" }, this.sure, this.stay));
      this.asking.hidden = true;
      this.open = el("div", { class: "foot start" }, this.startButton);
      this.progress = new ProgressView(words, items.length, (at) => this.go(at));
      this.stage = el("div", { class: "stage" });
      this.below = el("div", {}, items.length ? contentsView(items, words, this.store) : null);
      const title = fill(el(setting.heading, { class: "title" }), setting.quiz.title);
      if (!items.length) Object.assign(title, { lang: "", dir: "auto" }); // a desk tells a title, not its language
      this.title = title;
      this.root = el("div", { class: "player graded" },
        el("div", { class: "head" }, title, el("div", { class: "bar" }, this.chips, setting.tongue), this.facts, this.left, this.told, this.said, this.open, this.asking),
        this.progress.root, this.stage, this.below);
      /** @type {InstanceType<typeof ItemView> | undefined} */
      this.view = undefined;
      this.listed = "";
      /** What was left of the time when it was last looked at. @type {number | undefined} */
      this.before = undefined;
      const states = this.states();
      const fresh = states.findIndex((state) => state.open);
      this.attempt = this.store.id;
      this.index = index ?? (fresh < 0 || !this.store.running() ? items.length : fresh);
      if (items.length) this.show(this.index);
      this.update();
      this.wait();
    }

    states() {
      return this.items.map((item) => this.store.state(item));
    }

    /** The questions came while focus was inside: it goes on from there. */
    enter() {
      const target = this.view?.stem ?? this.stage.querySelector(".score") ?? this.title;
      if (target instanceof HTMLElement) focusOn(target);
    }

    update() {
      const focused = this.root.querySelector(":focus");
      this.draw();
      if (focused && !focused.checkVisibility()) this.enter(); // a button that is gone takes no focus with it
    }

    draw() {
      const { store } = this;
      this.head();
      const bare = !this.items.length;
      this.progress.root.hidden = bare || this.index >= this.items.length;
      this.stage.hidden = this.below.hidden = bare;
      if (bare) return;
      if (this.view) {
        this.view.follow();
        this.steps();
      } else this.overview();
      this.root.classList.toggle("locked", store.locked());
    }

    // What stands above the questions.

    head() {
      const { store, setting: { words, quiz } } = this;
      const { desk } = store;
      const running = store.running();
      const chips = [words.parts("name", { name: el("bdi", { dir: "ltr" }, quiz.id) })];
      if (desk?.course) chips.push([el("bdi", {}, desk.course)]);
      if (desk?.who) chips.push(words.parts("who", { who: el("bdi", {}, el("b", {}, desk.who)) }));
      replace(this.chips, chips.map((parts) => el("span", {}, ...parts)));
      replace(this.facts, this.times().map((text) => el("li", {}, text)));
      const may = store.mayStart() && !store.asked;
      this.open.hidden = !may || !this.asking.hidden;
      if (!may) this.asking.hidden = true;
      this.startButton.textContent = words.say(store.id ? "start_again" : "start");
      say(this.told, this.message());
      this.left.hidden = !running || store.remaining() === undefined;
      this.clock();
    }

    /** The times and limits that a learner may know, as sentences. */
    times() {
      const { store, setting: { words } } = this;
      const { desk } = store;
      if (!desk || desk.phase === "away" || desk.revealed) return [];
      const timeZone = store.clock?.timeZone;
      /** @param {string} name @param {number | null} at */
      const time = (name, at) => (at === null ? [] : [words.say(name, { time: words.time(at, { dateStyle: "full", timeStyle: "short", timeZone }) })]);
      const made = [...(store.running() ? [] : time("opens", desk.opens)), ...time("due", desk.due)];
      if (desk.closes !== desk.due) made.push(...time("closes", desk.closes));
      if (made.length) made.push(words.say("zone", { zone: desk.zone }));
      if (store.running()) return made;
      if (desk.time_limit !== null) made.push(words.say("limit", { time: this.span(desk.time_limit) }));
      if (!desk.excused) made.push(words.say("left", { count: desk.left }));
      return made;
    }

    /** How things stand, in one sentence or two. */
    message() {
      const { store, setting: { words } } = this;
      const { desk } = store;
      const sentences = [];
      if (!store.links.size) sentences.push(words.say(this.items.length ? "unlinked_open" : "unlinked"));
      else if (desk?.trouble) sentences.push(words.say(TROUBLES.includes(desk.trouble) ? `trouble_${desk.trouble}` : "trouble_other"));
      else if (store.asked) sentences.push(words.say(performance.now() - store.asked < 4900 ? "opening" : "opening_waits"));
      if (!desk?.who) return sentences.join(" ");
      const done = store.finishing();
      if (desk.revealed) sentences.push(words.say("shown"));
      else if (desk.finished) sentences.push(words.say(store.over() && !done ? "over" : "handed", { time: words.time(desk.finished, store.clock) }));
      else if (done) sentences.push(words.say("handing"), this.keeping(done));
      else if (store.id && store.over()) sentences.push(words.say("over"));
      else if (!store.id) sentences.push(...this.why());
      return sentences.join(" ");
    }

    /** Why there is no button to start with. */
    why() {
      const { store, setting: { words } } = this;
      const { desk } = store;
      if (!desk || desk.phase === "away" || store.mayStart() || !store.links.size) return [];
      if (desk.excused) return [words.say("excused")];
      if (desk.phase === "before") return [words.say("trouble_not_open")];
      if (desk.trouble) return [];
      return [words.say(desk.phase === "closed" || desk.left ? "trouble_closed" : "trouble_no_attempts_left")];
    }

    /** @param {import("./contract.js").EventPayload} event */
    keeping(event) {
      const { store, setting: { words } } = this;
      const { keeping, at, count } = store.keeping(event);
      return words.say(keeping, { time: words.time(at, store.clock), count: count ?? 1 });
    }

    // Starting.

    ask() {
      const { store, setting: { words } } = this;
      const limit = store.desk?.time_limit;
      if (limit == null) return this.begin();
      this.question.textContent = words.say("start_sure", { time: this.span(limit) });
      this.asking.hidden = false;
      this.open.hidden = true;
      this.sure.focus();
    }

    dismiss() {
      this.asking.hidden = true;
      this.head();
      this.startButton.focus();
    }

    begin() {
      focusOn(this.title); // the button goes
      this.store.start();
    }

    // The time that is left.

    clock() {
      const { store, setting: { words } } = this;
      const remaining = store.remaining();
      if (remaining === undefined || this.left.hidden) return;
      this.left.textContent = words.say("time_left", { time: this.span(Math.max(0, remaining)) });
      this.left.classList.toggle("soon", remaining <= SOON);
      const { before = remaining } = this;
      const passed = SAID.find((mark) => before > mark && remaining <= mark && remaining > 0);
      if (passed) this.said.textContent = words.say("time_left", { time: this.span(passed) });
      this.before = remaining;
    }

    /** Look at the clock again: each minute, each second at the end, and when something opens or ends. */
    wait() {
      const remaining = this.store.running() ? this.store.remaining() : undefined;
      const { desk } = this.store;
      const opens = !this.store.id && desk?.opens ? desk.opens - this.store.deskNow() : 0;
      const pace = remaining === undefined ? MINUTE : remaining <= SOON ? remaining % 1000 : Math.min(remaining % MINUTE, remaining - SOON);
      const known = new WeakRef(this); // a cell run again drops its output without a word
      setTimeout(() => {
        const here = known.deref();
        if (!here) return;
        const locked = here.root.classList.contains("locked");
        if (here.items.length && locked === here.store.locked()) here.head();
        else here.store.tell();
        here.wait();
      }, Math.max(200, Math.min(pace, opens > 0 ? opens : MINUTE) + 20));
    }

    /** A span of time in words; seconds only near the end. @param {number} ms */
    span(ms) {
      const { locale } = this.setting.words;
      const seconds = ms <= SOON ? Math.ceil(ms / 1000) : Math.floor(ms / MINUTE) * 60;
      const parts = [["hour", Math.floor(seconds / 3600)], ["minute", Math.floor(seconds / 60) % 60], ["second", ms <= SOON ? seconds % 60 : 0]];
      const said = parts.filter(([, value]) => value);
      const written = (said.length ? said : [["second", 0]]).map(([unit, value]) =>
        new Intl.NumberFormat(locale, { style: "unit", unit: String(unit), unitDisplay: "long" }).format(Number(value)));
      return new Intl.ListFormat(locale, { type: "unit", style: "long" }).format(written);
    }

    // The questions.

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
        const kept = revealed ? `${words.say(name)} · ${words.say("score", { score, max })}` : state.event ? this.keeping(state.event) : "";
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

/** Write nodes again only when they say something else. @param {HTMLElement} node @param {HTMLElement[]} kids */
function replace(node, kids) {
  const made = kids.map((kid) => kid.outerHTML).join("");
  if (node.innerHTML !== made) node.replaceChildren(...kids);
  node.hidden = !kids.length;
}

/** A live region must not repeat itself. @param {HTMLElement} node @param {string} text */
function say(node, text) {
  if (node.textContent !== text) node.textContent = text;
}

/** @param {string} text the first words of a long stem */
function shorten(text) {
  const line = text.replace(/\s+/g, " ");
  return line.length > 120 ? `${line.slice(0, 110).replace(/\s\S*$/, "")}…` : line;
}
