// The field of a `text` item, and what every typed answer shares: a labelled input, its mark, and what is said of it.

import { el, fill } from "./dom.js";
import { accepted } from "./typed.js";

/** @typedef {import("./item.js").Shown} Shown */
/** @typedef {import("./item.js").Look} Look */

export class TextView {
  /**
   * @param {Shown} shown
   * @param {(chosen: string[]) => void} choose
   * @param {() => void} check
   * @param {import("./dom.js").Props} [props] of the input
   */
  constructor(shown, choose, check, props) {
    this.shown = shown;
    const { id, item, words } = shown;
    this.mark = el("span", { class: "mark" });
    this.why = el("div", { class: "why", id: id("why") });
    this.input = el("input", {
      type: "text",
      id: id("typed"),
      autocomplete: "off",
      autocapitalize: "off",
      spellcheck: "false",
      dir: item.dir ?? "ltr",
      maxlength: 1000, // as in locales/typed.py
      "aria-describedby": this.why.id,
      ...props,
      input: () => choose(this.chosen()),
      /** @param {KeyboardEvent} event */
      keydown: (event) => {
        if (event.key === "Enter" && !event.shiftKey && !event.repeat && !event.isComposing) check();
      },
    });
    const label = el("label", { for: this.input.id }, words.say("typed_label"));
    this.row = el("div", { class: "row" }, this.input, this.mark);
    this.root = el("div", { class: "typed" }, label, this.row, this.why);
  }

  /** What is typed, as a draft. */
  chosen() {
    return this.input.value.trim() ? [this.input.value] : [];
  }

  /** The response; null while there is none. Halves of characters, which no file can hold, are left out. */
  read() {
    const text = this.input.value.replace(/[\ud800-\udfff]/gu, "").trim();
    return text ? [text] : null;
  }

  /** What keeps the text from being checked, in words. */
  fault() {
    return this.shown.words.say("nothing_written");
  }

  first() {
    return this.input;
  }

  /** @param {Look} look */
  show(look) {
    const { phase, chosen, right } = look;
    const text = this.written(look);
    if (text !== null && this.input.value !== text) this.input.value = text;
    this.input.readOnly = phase === "closed";
    const judged = this.shown.practice && chosen.length > 0 && (phase === "closed" || phase === "wrong");
    this.root.className = `typed${judged ? (right ? " right" : " wrong") : ""}`;
    this.mark.textContent = judged ? `${right ? "✓" : "✗"} ${this.shown.words.say(right ? "sum_right" : "sum_wrong")}` : "";
    fill(this.why, (judged && this.reason(look)) || "", this.shown.numbers);
  }

  /** What stands in the field; null: what stands there. @param {Look} look @returns {string | null} */
  written({ chosen }) {
    return chosen[0] ?? "";
  }

  /** What is said of what was typed. @param {Look} look @returns {import("./contract.js").TextPayload | undefined} */
  reason({ chosen }) {
    const { practice } = this.shown;
    return practice?.rationales[accepted(practice, chosen)?.id ?? ""];
  }

  /** @param {boolean} wrong whether what stands there cannot be checked */
  complain(wrong) {
    this.input.ariaInvalid = String(wrong);
    if (wrong) this.input.focus();
  }

  spoken() {
    return this.why.textContent;
  }

  /** The key, in words. @returns {Node | undefined} */
  answer() {
    const example = this.shown.practice?.example;
    return example === undefined ? example : this.told(fill(el("bdi"), example));
  }

  /** @param {Node} value */
  told(value) {
    return el("p", {}, ...this.shown.words.parts("typed_answer", { value }));
  }
}
