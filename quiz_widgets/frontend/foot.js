// The buttons under an item, and what is said of its newest answer. A button is made when it is first wanted: in a
// long list of questions most of them never are.

import { button, el } from "./dom.js";

/** Before what is said at the end, in this order; all others come after it. */
const FIRST = ["back", "main", "again", "hint", "reveal", "clear"];

export class Foot {
  /** @param {Record<string, () => void>} acts what each button does, by name */
  constructor(acts) {
    this.acts = acts;
    /** @type {Record<string, HTMLButtonElement>} */
    this.made = {};
    this.kept = el("span", { class: "kept" });
    this.end = el("span", { class: "end" }, this.kept);
    this.root = el("div", { class: "foot" }, this.end);
  }

  /**
   * Offer a button under a label; without one it is taken away.
   * @param {string} name
   * @param {string | false | undefined} label
   * @param {string} [look] its class
   */
  offer(name, label, look = "") {
    if (label) {
      const made = (this.made[name] ??= this.place(name));
      made.className = look;
      if (made.textContent !== label) made.textContent = label;
    }
    if (this.made[name]) this.made[name].hidden = !label;
  }

  /** @param {string} name */
  place(name) {
    const made = button("", this.acts[name]);
    const at = FIRST.indexOf(name);
    if (at < 0) this.end.append(made);
    else this.root.insertBefore(made, FIRST.slice(at).map((later) => this.made[later]).find(Boolean) ?? this.end);
    return made;
  }
}
