// "Question 3 of 8" and one step a question: each step is a button that goes there.

import { button, el } from "./dom.js";

/** @typedef {import("./state.js").ItemState} ItemState */
/** @typedef {import("./words.js").Words} Words */

export class ProgressView {
  /** @param {Words} words @param {number} count @param {(index: number) => void} go */
  constructor(words, count, go) {
    this.words = words;
    this.text = el("span", { class: "position" });
    this.steps = Array.from({ length: count }, (_, index) => button("", () => go(index)));
    const list = el("ol", {}, ...this.steps.map((step) => el("li", {}, step)));
    this.root = el("div", { class: "progress" }, this.text, el("nav", { "aria-label": words.say("steps") }, list));
  }

  /** @param {number} current @param {ItemState[]} states */
  show(current, states) {
    this.text.textContent = this.words.say("position", { number: current + 1, count: states.length });
    this.steps.forEach((step, index) => {
      const { phase, right, submits } = states[index];
      const [mark, name] = phase === "closed" ? (right ? ["ok", "step_right"] : ["no", "step_wrong"])
        : submits ? ["some", "step_begun"] : ["", "step_open"];
      step.className = `step ${mark}`;
      step.ariaLabel = this.words.say(name, { number: index + 1 });
      step.ariaCurrent = index === current ? "step" : null;
    });
  }
}
