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

export class Frame {
  /**
   * @param {Store} store
   * @param {Element} host
   * @param {Texts} texts
   * @param {Record<string, string>} packs other languages: deflated JSON of the same texts in base64
   * @param {ViewPayload} view
   * @param {"h1" | "h2"} heading
   */
  constructor(store, host, texts, packs, view, heading) {
    this.store = store;
    this.host = host;
    this.packs = packs;
    this.view = view;
    this.heading = heading;
    this.locale = texts.quiz.locale;
    /** @type {Map<string, Promise<Texts>>} */
    this.known = new Map([[this.locale, Promise.resolve(texts)]]);
    const others = typeof DecompressionStream === "function" ? Object.keys(packs) : [];
    /** @type {HTMLSelectElement | null} */
    this.tongue = others.length
      ? el("select", { class: "tongue", change: () => this.choose() },
        ...[this.locale, ...others].sort().map((code) => el("option", { value: code, lang: code }, languageName(code))))
      : null;
    this.box = el("div", { class: "quiz", role: "group" });
    Object.assign(this.box, { frame: this }); // the page keeps the frame, the store does not
    this.draw(texts);
    this.update();
  }

  /** The reader's choice is the whole document's. */
  choose() {
    this.store.chosen.set(documentOf(this.host), this.tongue?.value ?? "");
    this.store.tell();
  }

  update() {
    const wanted = this.store.chosen.get(documentOf(this.host)) ?? this.locale;
    if (wanted === this.locale || !(wanted in this.packs || this.known.has(wanted))) return this.shown?.update();
    const texts = this.known.get(wanted) ?? unpack(this.packs[wanted]);
    this.known.set(wanted, texts);
    texts.then((found) => wanted === this.store.chosen.get(documentOf(this.host)) && this.locale !== wanted && this.draw(found),
      (error) => console.warn("quiz_widgets: a language cannot be read", error));
  }

  /** @param {Texts} texts */
  draw({ quiz, practice }) {
    const { store, host, heading, tongue, view, box } = this;
    const words = new Words(quiz);
    const focused = tongue?.matches(":focus");
    this.locale = quiz.locale;
    Object.assign(box, { lang: quiz.locale, dir: quiz.dir, ariaLabel: plain(quiz.title) });
    if (tongue) Object.assign(tongue, { value: quiz.locale, ariaLabel: words.say("language") });
    const setting = { store, words, quiz, practice, host, heading, tongue };
    const named = view.items;
    const items = named
      ? named.flatMap((id) => quiz.items.filter((item) => item.id === id))
      : quiz.items.filter((item) => item.set === (view.set ?? undefined));
    this.shown = named ? new InlineView(setting, items) : new PlayerView(setting, items, this.shown?.index);
    box.replaceChildren(this.shown.root);
    if (focused) tongue?.focus(); // it was moved
  }
}

/** @param {string} packed @returns {Promise<Texts>} */
async function unpack(packed) {
  const bytes = Uint8Array.from(atob(packed), (char) => char.charCodeAt(0));
  return JSON.parse(await new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"))).text());
}
