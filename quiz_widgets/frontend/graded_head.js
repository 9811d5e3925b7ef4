// What stands above the questions of a graded quiz: where and when it is taken, who is logged in, the button that opens
// it, the time that is left, and how things stand.

import { button, el, fill, focusOn } from "./dom.js";

/** @typedef {import("./graded_store.js").GradedStore} GradedStore */
/** @typedef {import("./player.js").Setting} Setting */

export const MINUTE = 60_000;
export const SOON = 5 * MINUTE; // from here on the seconds are shown
const SAID = [SOON, MINUTE]; // what is left when a screen reader says so; more would be a nuisance
const TROUBLES = ["no_desk", "unreachable", "unknown", "who", "scope", "disk", "not_open", "closed", "no_attempts_left", "newer"];

export class HeadView {
  /** @param {Setting} setting @param {boolean} bare there is no question yet */
  constructor(setting, bare) {
    const { words } = setting;
    this.setting = setting;
    this.store = /** @type {GradedStore} */ (setting.store);
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
    this.title = el(setting.heading, { class: "title" });
    this.bar = el("div", { class: "bar" }, this.chips);
    this.root = el("div", { class: "head" }, this.title, this.bar, this.facts, this.left, this.told, this.said, this.open, this.asking);
    /** What was left of the time when it was last looked at. @type {number | undefined} */
    this.before = undefined;
    this.carry(setting, bare);
  }

  /** The same in the same language, with what a link has brought since. @param {Setting} setting @param {boolean} bare */
  carry(setting, bare) {
    const { tongue } = this.setting;
    this.setting = setting;
    fill(this.title, setting.quiz.title);
    if (bare) Object.assign(this.title, { lang: "", dir: "auto" }); // a desk tells a title, not its language
    const focused = tongue?.matches(":focus");
    tongue?.remove();
    if (setting.tongue) this.bar.append(setting.tongue);
    if (focused && setting.tongue instanceof HTMLElement) setting.tongue.focus();
  }

  update() {
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
    if (!desk.excused && !desk.poll) made.push(words.say("left", { count: desk.left }));
    return made;
  }

  /** How things stand, in one sentence or two. */
  message() {
    const { store, setting: { words } } = this;
    const { desk } = store;
    const sentences = [];
    if (!store.links.size) sentences.push(words.say(store.id ? "unlinked_open" : "unlinked"));
    else if (desk?.trouble) sentences.push(words.say(TROUBLES.includes(desk.trouble) ? `trouble_${desk.trouble}` : "trouble_other"));
    else if (store.asked) sentences.push(words.say(performance.now() - store.asked < 4900 ? "opening" : "opening_waits"));
    if (!desk?.who) return sentences.join(" ");
    const done = store.finishing();
    if (desk.revealed) sentences.push(words.say("shown"));
    else if (desk.poll && desk.finished) sentences.push(words.say("poll_ended"));
    else if (desk.finished) sentences.push(words.say(store.over() && !done ? "over" : "handed", { time: words.time(desk.finished, store.clock) }));
    else if (done) sentences.push(words.say("handing"), whereabouts(done, store, words));
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
    this.update();
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
}

/**
 * Where something that was sent is by now, in words.
 * @param {import("./contract.js").EventPayload} event
 * @param {GradedStore} store
 * @param {import("./words.js").Words} words
 */
export function whereabouts(event, store, words) {
  const { keeping, at, count } = store.keeping(event);
  return words.say(keeping, { time: words.time(at, store.clock), count: count ?? 1 });
}

/** Write nodes again only when they say something else. @param {HTMLElement} node @param {HTMLElement[]} kids */
function replace(node, kids) {
  const made = kids.map((kid) => kid.outerHTML).join("");
  if (node.innerHTML !== made) node.replaceChildren(...kids);
  node.hidden = !kids.length;
}

/** A live region must not repeat itself. @param {HTMLElement} node @param {string} text */
export function say(node, text) {
  if (node.textContent !== text) node.textContent = text;
}
