// The field of a `number` item: typed text, its unit, and what a known mistake says.

import { el, fill, plain } from "./dom.js";
import { slipOf } from "./grade.js";
import { canonicalNumber, localNumber, readings } from "./numbers.js";

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

  /** What is typed, and how it is meant to be read. */
  chosen() {
    return this.input.value.trim() ? [this.input.value, this.shown.words.locale] : [];
  }

  /** One canonical decimal; null while there is none. */
  read() {
    const number = canonicalNumber(this.input.value, this.shown.words.locale);
    return number === null ? null : [number];
  }

  /** What keeps the text from being checked, in words. */
  fault() {
    const { words } = this.shown;
    const typed = this.input.value.trim();
    const [whole, decimal] = readings(typed, words.locale).map((number) => localNumber(number, words.locale));
    return words.say(!typed ? "nothing_typed" : decimal ? "two_ways" : "no_number", { typed, whole, decimal });
  }

  first() {
    return this.input;
  }

  /** @param {Look} look */
  show({ phase, chosen, draft, right }) {
    const { practice, words, variant, numbers } = this.shown;
    const { locale } = words;
    const [typed = "", from = "en"] = chosen; // a record is canonical, which is how English reads it
    // What was typed stays as typed; what comes from elsewhere is written as this language does.
    const text = draft && from === locale ? typed : localNumber(canonicalNumber(typed, from) ?? typed, locale);
    const same = !draft && typed && canonicalNumber(this.input.value, locale) === typed;
    if (!same && this.input.value !== text) this.input.value = text;
    this.input.readOnly = phase === "closed";
    const judged = typed !== "" && (phase === "closed" || phase === "wrong");
    this.box.className = `number${judged ? (right ? " right" : " wrong") : ""}`;
    this.mark.textContent = judged ? (right ? `✓ ${words.say("sum_right")}` : `✗ ${words.say("sum_wrong")}`) : "";
    const slip = judged && !right && practice && slipOf(practice, typed, variant);
    fill(this.why, slip ? slip.rationale : "", numbers);
  }

  /** @param {boolean} wrong whether what stands there cannot be checked */
  complain(wrong) {
    this.input.ariaInvalid = String(wrong);
    if (wrong) this.input.focus();
  }

  spoken() {
    return this.why.textContent;
  }

  /** The key with its unit; number and unit each keep their direction. @param {string} value */
  written(value) {
    const { item, words, numbers } = this.shown;
    const { unit = "" } = item;
    const number = el("bdi", { dir: "ltr" }, localNumber(value, words.locale));
    return el("bdi", { dir: typeof unit === "string" ? words.dir : unit.dir }, number, unit && ` ${plain(unit, numbers)}`);
  }
}
