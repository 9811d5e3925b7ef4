// One mount of a quiz in the language that its reader has chosen: from the texts that an output carries, or from a
// pack of another language, opened when it is first wanted. Answers, what is chosen and the place in the quiz stay.

import { el, plain } from "./dom.js";
import { documentOf } from "./host.js";
import { InlineView, PlayerView } from "./player.js";
import { Words, languageName } from "./words.js";

/** @typedef {import("./contract.js").PracticePayload} PracticePayload */
/** @typedef {import("./contract.js").QuizPayload} QuizPayload */
/** @typedef {import("./contract.js").ViewPayload} ViewPayload */
/** @typedef {import("./store.js").Store} Store */
/** What is shown, in one language. @typedef {{quiz: QuizPayload, practice?: PracticePayload}} Texts */
/** Shows all items; `carry` may take later ones where they are; `enter` is called when they came while focus was inside. @typedef {new (setting: import("./player.js").Setting, items: import("./contract.js").ItemPayload[], index?: number) => {root: HTMLElement, update(): void, index?: number, attempt?: string, carry?(setting: import("./player.js").Setting, items: import("./contract.js").ItemPayload[]): boolean, enter?(): void}} View */

export class Frame {
  /**
   * @param {Store} store
   * @param {Element} host
   * @param {Texts} texts
   * @param {Record<string, string>} packs other languages, made by packs.py
   * @param {ViewPayload} view
   * @param {"h1" | "h2"} heading
   * @param {View} [View] of a kind of its own
   */
  constructor(store, host, texts, packs, view, heading, View) {
    this.store = store;
    this.host = host;
    this.view = view;
    this.heading = heading;
    this.View = View;
    this.box = el("div", { class: "quiz", role: "group" });
    this.packs = packs;
    this.locale = texts.quiz.locale;
    this.base = texts;
    /** @type {Record<string, Promise<Texts>>} */
    this.known = {};
    this.carry(texts, packs);
    this.draw(texts);
    this.update(true);
  }

  /** @param {Texts} texts @param {Record<string, string>} packs */
  carry(texts, packs) {
    const { locale } = texts.quiz;
    Object.assign(this, { packs, locale, base: texts, known: { [locale]: Promise.resolve(texts) } });
    const others = typeof DecompressionStream === "function" ? Object.keys(packs) : [];
    /** @type {HTMLSelectElement | null} */
    this.tongue = others.length
      ? el("select", { class: "tongue", change: () => this.choose() },
        ...[locale, ...others].sort().map((code) => el("option", { value: code, lang: code }, languageName(code))))
      : null;
  }

  /** What a link has brought since; in another language it is drawn once that is opened. @param {Texts} texts */
  take(texts) {
    if (this.shown?.attempt !== this.store.id) this.shown = undefined; // another attempt begins anew
    this.carry(texts, this.store.packs);
    if (!this.foreign(this.choice())) this.draw(texts);
  }

  choice() {
    return this.store.chosen.get(documentOf(this.host)) ?? this.locale;
  }

  /** Whether it is another language, which a pack has. @param {string} wanted */
  foreign(wanted) {
    return wanted !== this.locale && (wanted in this.packs || wanted in this.known);
  }

  /** The reader's choice is the whole document's. */
  choose() {
    this.store.chosen.set(documentOf(this.host), this.tongue?.value ?? "");
    this.store.tell();
  }

  /** @param {boolean} [drawn] the texts' own language needs nothing more */
  update(drawn) {
    const { texts } = this.store;
    if (texts && texts !== this.base) this.take(texts);
    const wanted = (this.wanted = this.choice());
    if (!this.foreign(wanted)) return drawn || this.shown?.update();
    this.known[wanted] ??= unpack(this.packs[wanted], this.base);
    this.known[wanted].then((texts) => wanted === this.wanted && wanted !== this.locale && this.draw(texts));
  }

  /** @param {Texts} texts */
  draw({ quiz, practice }) {
    const { store, host, heading, tongue, view, box } = this;
    const words = new Words(quiz);
    const focused = tongue?.matches(":focus");
    const inside = !focused && box.matches(":focus-within");
    this.locale = quiz.locale;
    // The page keeps the frame, the store does not.
    Object.assign(box, { frame: this, lang: quiz.locale, dir: quiz.dir, ariaLabel: plain(quiz.title) });
    if (tongue) Object.assign(tongue, { value: quiz.locale, ariaLabel: words.say("language") });
    const setting = { store, words, quiz, practice, host, heading, tongue };
    const named = view.items;
    const items = this.View ? quiz.items : named
      ? named.flatMap((id) => quiz.items.filter((item) => item.id === id))
      : quiz.items.filter((item) => item.set === (view.set ?? undefined));
    if (this.shown?.carry?.(setting, items)) return;
    /** @type {InstanceType<View> | undefined} */
    this.shown = named ? new InlineView(setting, items) : new (this.View ?? PlayerView)(setting, items, this.shown?.index);
    box.replaceChildren(this.shown.root);
    if (focused) tongue?.focus(); // it was moved
    if (inside) this.shown.enter?.();
  }
}

/** @param {string} packed @param {Texts} base @returns {Promise<Texts>} */
async function unpack(packed, base) {
  const bytes = Uint8Array.from(atob(packed), (char) => char.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
  const leaves = (await new Response(stream).json()).values();
  const [quiz, practice] = translated([base.quiz, base.practice], () => leaves.next().value);
  return { quiz, practice };
}

/** A payload with the leaves of another language in their places; 0 keeps its own. @param {any} base @param {() => any} next @returns {any} */
function translated(base, next) {
  if (Array.isArray(base)) return base.map((part) => translated(part, next));
  if (!(base instanceof Object) || "html" in base || "other" in base) return next() || base;
  return Object.fromEntries(Object.entries(base).map(([name, part]) => [name, translated(part, next)]));
}
