// The field of a `number` item: typed text, its unit, and what a known mistake says.

import { el, fill, plain } from "./dom.js";
import { slipOf } from "./grade.js";
import { canonicalNumber, localNumber } from "./numbers.js";

/** @typedef {import("./item.js").Shown} Shown */
/** @typedef {import("./item.js").Look} Look */

export class NumberView {
  /** @param {Shown} shown @param {(chosen: string[]) => void} choose @param {() => void} check */
  constructor(shown, choose, check) {
    this.shown = shown;
    const { item, words, numbers } = shown;
    this.mark = el("span", { class: "mark" });
    this.why = el("div", { class: "why", id: "why" });
    this.input = el("input", {
      type: "text",
      id: "number",
      inputmode: "decimal",
      autocomplete: "off",
      spellcheck: "false",
      dir: "ltr",
      "aria-describedby": "unit why format",
      input: () => choose(this.chosen()),
      /** @param {KeyboardEvent} event */
      keydown: (event) => {
        if (event.key === "Enter" && !event.shiftKey && !event.repeat) check();
      },
    });
    const unit = el("span", { class: "unit", id: "unit" });
    if (item.unit) fill(unit, item.unit, numbers);
    const label = el("label", { for: "number" }, words.say("number_label"));
    const row = el("div", { class: "row" }, this.input, unit, this.mark);
    const format = el("p", { class: "note", id: "format" }, words.say("number_format", { example: localNumber("1234.5", words.locale) }));
    this.box = el("div", { class: "number" }, label, row, this.why, format);
    this.root = this.box;
  }

  chosen() {
    return this.input.value.trim() ? [this.input.value] : [];
  }

  /** One canonical decimal; null when nothing is typed, undefined when it is no number. */
  read() {
    if (!this.input.value.trim()) return null;
    const number = canonicalNumber(this.input.value, this.shown.words.locale);
    return number === null ? undefined : [number];
  }

  first() {
    return this.input;
  }

  /** @param {Look} look */
  show({ phase, chosen, draft, right }) {
    const { practice, words, variant, numbers } = this.shown;
    const typed = chosen[0] ?? "";
    // What was typed stays as typed; only a record from elsewhere is written in the reader's digits.
    const same = draft || (typed && canonicalNumber(this.input.value, words.locale) === typed);
    if (!same) this.input.value = typed && localNumber(typed, words.locale);
    else if (draft && this.input.value !== typed) this.input.value = typed;
    this.input.readOnly = phase === "closed";
    const judged = typed !== "" && (phase === "closed" || phase === "wrong");
    this.box.className = `number${judged ? (right ? " right" : " wrong") : ""}`;
    this.mark.textContent = judged ? (right ? `✓ ${words.say("sum_right")}` : `✗ ${words.say("sum_wrong")}`) : "";
    const slip = judged && !right && practice && slipOf(practice, typed, variant);
    if (slip) fill(this.why, slip.rationale, numbers);
    else this.why.replaceChildren();
  }

  /** @param {boolean} wrong whether what stands there is no number */
  complain(wrong) {
    this.input.setAttribute("aria-invalid", String(wrong));
  }

  spoken() {
    return this.why.textContent;
  }

  /** @param {string} value the key as text, with its unit */
  written(value) {
    const { item, words, numbers } = this.shown;
    return `${localNumber(value, words.locale)} ${item.unit ? plain(item.unit, numbers) : ""}`.trim();
  }
}
