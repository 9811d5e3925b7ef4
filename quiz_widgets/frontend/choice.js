// The options of a `single` or `multiple` item: native radios and checkboxes in boxes with marks and rationales.

import { el, fill, local } from "./dom.js";
import { optionOrder } from "./order.js";

/** @typedef {import("./item.js").Shown} Shown */
/** @typedef {import("./item.js").Look} Look */
/** An option; mark and rationale once it was judged. @typedef {{id: string, box: HTMLElement, label: HTMLElement, input: HTMLInputElement, mark?: HTMLElement, why?: HTMLElement}} Row */

export class ChoiceView {
  /** @param {Shown} shown @param {(chosen: string[]) => void} choose */
  constructor(shown, choose) {
    this.shown = shown;
    const { id, item, store } = shown;
    const type = item.kind === "single" ? "radio" : "checkbox";
    this.rows = optionOrder(item.options, store.id, item.id).map((option) => {
      const input = el("input", { type, name: id("option"), change: () => choose(this.chosen()), click: (event) => this.locked && event.preventDefault() });
      const label = el("label", {}, input, fill(el("span", { class: "text" }), option.text));
      /** @type {Row} */
      const row = { id: option.id, box: local(el("div", { class: "option" }, label), option.text), label, input };
      return row;
    });
    this.locked = false;
    this.root = el("div", { class: "options" }, ...this.rows.map((row) => row.box));
  }

  chosen() {
    return this.rows.filter((row) => row.input.checked).map((row) => row.id);
  }

  /** Nothing chosen is no response. */
  read() {
    const chosen = this.chosen();
    return chosen.length ? chosen : null;
  }

  fault() {
    return this.shown.words.say("nothing_chosen");
  }

  complain() {
    // nothing chosen is said once, and no option is at fault
  }

  /** The control to which focus goes. */
  first() {
    return (this.rows.find((row) => row.input.checked) ?? this.rows[0]).input;
  }

  /** @param {Look} look */
  show({ phase, chosen }) {
    const { practice, words } = this.shown;
    this.locked = phase === "closed";
    for (const row of this.rows) {
      const picked = chosen.includes(row.id);
      const right = Boolean(practice?.key.includes(row.id));
      const judged = practice && (phase === "closed" ? picked || right : phase === "wrong" && picked && !right);
      row.input.checked = picked;
      row.input.ariaDisabled = this.locked ? "true" : null;
      row.box.className = `option${picked ? " picked" : ""}${judged ? (right ? " right" : " wrong") : ""}`;
      const name = !judged ? "" : !right ? "mark_wrong" : picked ? "mark_right" : "mark_key";
      if (judged) this.prepare(row);
      if (!row.mark || !row.why) continue;
      row.mark.textContent = name && `${right ? "✓" : "✗"} ${words.say(name)}`;
      fill(row.why, (judged && practice?.rationales[row.id]) || "");
    }
  }

  /** Room for the mark and the rationale: in a long list most options never need it. @param {Row} row */
  prepare(row) {
    if (row.mark) return;
    const { id, words } = this.shown;
    row.mark = el("span", { class: "mark", lang: words.locale, dir: words.dir });
    row.why = el("div", { class: "why", id: id(`why-${row.id}`) });
    row.label.append(row.mark);
    row.box.append(row.why);
    row.input.setAttribute("aria-describedby", row.why.id);
  }

  /** What a screen reader hears with the verdict: the rationales just shown. */
  spoken() {
    return this.rows.flatMap((row) => (row.input.checked && row.why?.textContent) || []).join(" ");
  }

  /** The key stands in the rows. @returns {Node | undefined} */
  answer() {
    return undefined;
  }
}
