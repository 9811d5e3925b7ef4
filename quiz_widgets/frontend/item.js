// One item: stem, field, hints, feedback, and the buttons that act on it. Everything shown follows from the store.

import { ChoiceView } from "./choice.js";
import { el, fill, focusOn } from "./dom.js";
import { FeedbackView } from "./feedback.js";
import { Foot } from "./foot.js";
import { NumberView } from "./number.js";
import { drawn } from "./order.js";
import { registry } from "./registry.js";
import { SureView } from "./sure.js";
import { TextView } from "./text.js";
import { languageName } from "./words.js";

/** @typedef {import("./contract.js").ItemPayload} ItemPayload */
/** @typedef {import("./contract.js").PracticeItemPayload} PracticeItemPayload */
/** @typedef {import("./contract.js").QuizPayload} QuizPayload */
/** @typedef {import("./state.js").ItemState} ItemState */
/** @typedef {import("./state.js").Phase} Phase */
/** @typedef {import("./store.js").Store} Store */
/** @typedef {import("./words.js").Words} Words */

/**
 * What every part of an item needs.
 * @typedef {Object} Shown
 * @property {Store} store
 * @property {Words} words
 * @property {QuizPayload} quiz
 * @property {ItemPayload} item
 * @property {PracticeItemPayload | undefined} practice
 * @property {Element} host where the player stands in the page
 * @property {(name: string) => string} id of a part: several items may stand in one root
 * @property {number} [variant]
 * @property {import("./order.js").Numbers} [numbers]
 */

/**
 * What a field shows now; `sent` is said of responses that are graded elsewhere.
 * @typedef {{phase: Phase, chosen: string[], draft: boolean, right: boolean, state: ItemState, sent: string[]}} Look
 */

/** What stands around an item. @typedef {{position: string, next?: () => void, back?: () => void, last?: boolean}} Around */

/**
 * The part of an item that takes the response.
 * @typedef {Object} Field
 * @property {HTMLElement} root
 * @property {() => string[] | null} read the response; null while there is none
 * @property {() => string} fault why there is none
 * @property {(wrong: boolean) => void} complain
 * @property {() => HTMLElement} first the control to which focus goes
 * @property {(look: Look) => void} show
 * @property {() => string | null} spoken what is heard with the verdict
 * @property {() => Node | undefined} answer the key in words, where the field does not show it
 */

/** @type {Record<string, new (shown: Shown, choose: (chosen: string[]) => void, check: () => void) => Field>} */
const VIEWS = { number: NumberView, text: TextView };

export class ItemView {
  /** @param {Omit<Shown, "id" | "variant" | "numbers">} parts @param {Around} around */
  constructor(parts, around) {
    const { item, store, words } = parts;
    /** @type {Shown} */
    this.shown = { ...parts, id: (name) => `${item.id}/${name}`, ...drawn(item, store.id, words.locale) };
    const { id, numbers } = this.shown;
    this.around = around;
    this.notice = "";
    /** @param {string[]} chosen */
    const choose = (chosen) => {
      if (store.state(item).phase === "closed") return this.update();
      this.say("");
      store.choose(item, chosen);
    };
    /** @type {Field} */
    this.field = new (VIEWS[item.kind] ?? registry().kinds[item.kind]?.View ?? ChoiceView)(this.shown, choose, () => this.act());
    this.sure = parts.quiz.confidence
      ? new SureView(this.shown, (sure) => {
        this.notice = "";
        store.beSure(item, sure);
      }) : null;
    this.feedback = new FeedbackView(this.shown, this.field);
    this.hints = el("ul", { class: "hints" });
    this.stem = fill(el("div", { class: "stem", id: id("stem") }), item.stem, numbers);
    const ask = item.kind === "multiple" ? el("p", { class: "note", id: id("how") }, words.say("choose_several")) : null;
    this.group = el("fieldset", { "aria-labelledby": `${id("position")} ${id("stem")}`, "aria-describedby": `${id("foreign")} ${id("how")}` },
      el("legend", { class: "sr", id: id("position") }, around.position), this.stem, foreignNote(this.shown), ask, this.field.root, this.sure?.root);
    this.foot = new Foot({
      back: () => around.back?.(),
      main: () => this.act(),
      again: () => this.retry(),
      hint: () => this.ask(),
      reveal: () => this.open(),
      clear: () => this.empty(),
      skip: () => around.next?.(),
    });
    this.root = el("div", { class: "item" }, this.group, this.hints, this.feedback.root, this.foot.root);
    store.see(item);
    this.update();
    this.known = this.facts();
  }

  /** All that the store can change in what is shown. */
  facts() {
    const { store, item, practice } = this.shown;
    const state = store.state(item);
    const { evidence } = practice ?? {};
    return JSON.stringify([state, store.drafts.get(item.id), store.sure.get(item.id), state.event && store.keeping(state.event), evidence && store.measured(evidence.name)]);
  }

  /** Whether to ask how sure the learner is: before any feedback. @param {ItemState} state */
  asks({ submits, round, phase }) {
    return Boolean(this.sure) && phase !== "closed" && (!this.shown.practice || !(submits || round));
  }

  /** Show the store's news, if they are about this item: most are about another one of many. */
  follow() {
    const facts = this.facts();
    if (facts !== this.known) this.update();
    this.known = facts;
  }

  update() {
    const { store, item, words, practice, quiz } = this.shown;
    const { foot } = this;
    const graded = quiz.mode === "graded";
    const state = store.state(item);
    const draft = store.drafts.get(item.id);
    const editing = draft !== undefined && state.phase !== "closed";
    const phase = editing ? "open" : state.phase;
    const chosen = editing ? draft : state.last?.response ?? [];
    /** @type {Look} */
    const look = { phase, chosen, draft: editing, right: Boolean(state.right), state, sent: this.sent(state, phase) };
    this.field.show(state.locked && !practice ? { ...look, phase: "closed" } : look);
    this.sure?.show(this.asks(state) && phase === "open" && !state.locked, store.sure.get(item.id));
    this.feedback.show(look, this.notice);
    const inQuiz = Boolean(this.around.next);
    const closed = phase === "closed";
    const main = phase === "wrong" ? "try_again" : !closed ? (practice ? "check" : phase === "sent" ? "change" : "submit")
      : inQuiz ? (this.around.last ? "to_summary" : "next") : "try_again";
    const saved = graded && phase === "sent";
    const acts = state.locked ? Boolean(practice) : phase !== "sent" || state.left > 0;
    const hint = { number: state.hints + 1, count: item.hints };
    foot.offer("main", acts && words.say(main), (!closed || inQuiz) && !saved ? "main" : "");
    foot.offer("back", this.around.back && words.say("back"));
    foot.offer("again", !state.locked && closed && inQuiz && !state.right && words.say("try_again"));
    foot.offer("hint", !closed && state.hints < item.hints && words.say(item.hints > 1 ? "hint_of" : "hint", hint));
    foot.offer("reveal", !closed && practice && state.submits > 0 && state.last && words.say("show_answer"));
    foot.offer("clear", phase === "open" && chosen.length > 0 && !state.locked && words.say("clear"), "quiet");
    foot.offer("skip", !closed && inQuiz && words.say(this.around.last ? "to_summary" : "skip"), saved ? "main" : "");
    this.showHints(state.hints);
    foot.kept.textContent = graded ? (editing && !practice ? words.say("unsaved") : "")
      : state.event ? this.keeping(state) : inQuiz ? "" : this.around.position;
  }

  /** @param {number} count */
  showHints(count) {
    const { practice, words, numbers } = this.shown;
    while (this.hints.children.length < count) {
      const index = this.hints.children.length;
      const label = words.say("hint_label", { number: index + 1 });
      this.hints.append(el("li", {}, el("b", {}, label), " ", fill(el("div"), practice?.hints[index] ?? "", numbers)));
    }
    while (this.hints.children.length > count) this.hints.lastElementChild?.remove();
    this.hints.hidden = !count;
  }

  /** Where responses are that are graded elsewhere; of one that does not count, and of the one that does. @param {ItemState} state @param {Phase} phase */
  sent({ event, last }, phase) {
    const { quiz, practice, words } = this.shown;
    if (quiz.mode !== "graded") return phase === "sent" ? [words.say("sent")] : [];
    if (practice || (phase === "open" && event === last)) return [];
    return [...new Set([event, last])].filter(Boolean).map((one) => this.keeping({ event: one }));
  }

  /** @param {{event: ItemState["event"]}} state */
  keeping({ event }) {
    const { store, words } = this.shown;
    if (!event) return "";
    const { keeping, at, ...more } = store.keeping(event);
    return words.say(keeping, { time: words.time(at, store.clock), ...more });
  }

  /** The main button: check, try again, or go on. */
  act() {
    const { store, item, variant, words } = this.shown;
    const state = store.state(item);
    const { phase } = state;
    const editing = store.drafts.has(item.id);
    if (phase === "closed") return this.around.next ? this.around.next() : this.retry();
    if ((phase === "wrong" || phase === "sent") && !editing) return this.retry();
    const response = this.field.read();
    const sure = this.asks(state) ? store.sure.get(item.id) || 0 : undefined;
    this.say(response ? "" : this.field.fault());
    if (response && sure === 0) this.notice = words.say("sure_missing");
    if (response && sure !== 0) return store.submit(item, response, variant, sure);
    this.update();
    if (response) this.sure?.radios[0].focus();
  }

  /** Another try: within the round while tries are left, else in a round of its own. */
  retry() {
    const { store, item } = this.shown;
    const { phase, last } = store.state(item);
    if (phase === "closed") store.retry([item]);
    else store.choose(item, last?.response ?? []);
    focusOn(this.field.first());
  }

  ask() {
    this.shown.store.hint(this.shown.item);
    const newest = this.hints.lastElementChild;
    if (newest instanceof HTMLElement) focusOn(newest);
  }

  open() {
    this.shown.store.reveal(this.shown.item);
    focusOn(this.feedback.root);
  }

  empty() {
    const { store, item } = this.shown;
    this.say("");
    store.sure.delete(item.id);
    store.choose(item, []);
    focusOn(this.field.first());
  }

  /** @param {string} notice */
  say(notice) {
    this.notice = notice;
    this.field.complain(Boolean(notice));
  }
}

/** Says which language a question, or a part of it, is in when it is not the reader's. @param {Shown} shown */
function foreignNote({ id, item, practice, words }) {
  const texts = [item.stem, ...[...item.options, ...(item.targets ?? [])].map(({ text }) => text), practice?.explanation, ...Object.values(practice?.rationales ?? {}), ...(practice?.hints ?? [])];
  const language = (/** @type {string} */ tag) => tag.split("-")[0];
  const at = texts.findIndex((text) => typeof text === "object" && language(text.lang) !== language(words.locale));
  const found = texts[at];
  if (typeof found !== "object") return null;
  const name = languageName(found.lang, words.locale);
  return el("p", { class: "note", id: id("foreign") }, words.say(at ? "untranslated_part" : "untranslated", { language: name }));
}
