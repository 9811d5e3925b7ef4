// The field of a `number` item: typed text, its unit, and what a known mistake says.

import { el, fill, plain } from "./dom.js";
import { expectedValue, slipOf } from "./grade.js";
import { canonicalNumber, localNumber, readings } from "./numbers.js";
import { TextView } from "./text.js";

/** @typedef {import("./item.js").Shown} Shown */
/** @typedef {import("./item.js").Look} Look */

export class NumberView extends TextView {
  /** @param {Shown} shown @param {(chosen: string[]) => void} choose @param {() => void} check */
  constructor(shown, choose, check) {
    const { id, item, words, numbers } = shown;
    super(shown, choose, check, { inputmode: "decimal", "aria-describedby": ["unit", "why", "format"].map(id).join(" ") });
    this.root.classList.add("number");
    const unit = el("span", { class: "unit", id: id("unit") });
    if (item.unit) fill(unit, item.unit, numbers);
    this.input.after(unit);
    const format = words.say("number_format", { example: localNumber("1234.5", words.locale) });
    this.root.append(el("p", { class: "note", id: id("format") }, format));
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

  fault() {
    const { words } = this.shown;
    const typed = this.input.value.trim();
    const [whole, decimal] = readings(typed, words.locale).map((number) => localNumber(number, words.locale));
    return words.say(!typed ? "nothing_typed" : decimal ? "two_ways" : "no_number", { typed, whole, decimal });
  }

  /** What was typed stays as typed; what comes from elsewhere is written as this language does. @param {Look} look */
  written({ chosen, draft }) {
    const { locale } = this.shown.words;
    const [typed = "", from = "en"] = chosen; // a record is canonical, which is how English reads it
    if (draft && from === locale) return typed;
    if (!draft && typed && canonicalNumber(this.input.value, locale) === typed) return null;
    return localNumber(canonicalNumber(typed, from) ?? typed, locale);
  }

  /** The known mistake. @param {Look} look */
  reason({ chosen, right }) {
    const { practice, variant } = this.shown;
    return right || !practice ? undefined : slipOf(practice, chosen[0], variant)?.rationale;
  }

  /** The key with its unit; number and unit each keep their direction. */
  answer() {
    const { item, practice, words, variant, numbers } = this.shown;
    const value = practice && expectedValue(practice, variant);
    if (value === undefined) return;
    const { unit = "" } = item;
    const number = el("bdi", { dir: "ltr" }, localNumber(value, words.locale));
    return this.told(el("bdi", { dir: typeof unit === "string" ? words.dir : unit.dir }, number, unit && ` ${plain(unit, numbers)}`));
  }
}
