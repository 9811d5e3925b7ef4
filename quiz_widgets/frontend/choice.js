// The options of a `single` or `multiple` item: native radios and checkboxes in boxes with marks and rationales.

import { el, fill, local } from "./dom.js";
import { optionOrder } from "./order.js";

/** @typedef {import("./item.js").Shown} Shown */
/** @typedef {import("./item.js").Look} Look */
/** @typedef {import("./contract.js").OptionPayload} OptionPayload */

export class ChoiceView {
  /** @param {Shown} shown @param {(chosen: string[]) => void} choose */
  constructor(shown, choose) {
    this.shown = shown;
    const { id, item, store, words } = shown;
    const type = item.kind === "single" ? "radio" : "checkbox";
    this.rows = optionOrder(item.options, store.id, item.id).map((option) => {
      const why = el("div", { class: "why", id: id(`why-${option.id}`) });
      const input = el("input", { type, name: id("option"), "aria-describedby": why.id, change: () => choose(this.chosen()), click: (event) => this.locked && event.preventDefault() });
      const mark = el("span", { class: "mark", lang: words.locale, dir: words.dir });
      const text = fill(el("span", { class: "text" }), option.text);
      const box = local(el("div", { class: "option" }, el("label", {}, input, text, mark), why), option.text);
      return { id: option.id, box, input, mark, why };
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
      row.mark.textContent = name && `${right ? "✓" : "✗"} ${words.say(name)}`;
      fill(row.why, (judged && practice?.rationales[row.id]) || "");
    }
  }

  /** What a screen reader hears with the verdict: the rationales just shown. */
  spoken() {
    return this.rows.filter((row) => row.input.checked && row.why.textContent).map((row) => row.why.textContent).join(" ");
  }

  /** The key stands in the rows. @returns {Node | undefined} */
  answer() {
    return undefined;
  }
}
