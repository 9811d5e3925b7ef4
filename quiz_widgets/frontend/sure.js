// "How sure are you?": asked before the first check of an item, and the mark that follows from the answer, as in
// certainty.py. tests/cases/certainty.json holds the cases that both pass.

import { el } from "./dom.js";

/** @typedef {import("./item.js").Shown} Shown */

/** By certainty: how a mark grows with the score, and where it begins, both in points. */
const MARKS = [[1, 0], [4, -2], [9, -6]];
/** What a right answer of the greatest certainty earns for each point. */
export const MOST = 3;

/**
 * @param {number} score
 * @param {number} points
 * @param {number} [sure] 1 to 3
 */
export function certaintyMark(score, points, sure = 0) {
  const [slope, start] = MARKS[sure - 1] ?? [NaN, NaN];
  return Math.round((slope * score + start * points) * 1e4) / 1e4;
}

export class SureView {
  /** @param {Shown} shown @param {(sure: number) => void} choose */
  constructor({ id, words }, choose) {
    this.radios = MARKS.map((_, at) => el("input", { type: "radio", name: id("sure"), change: () => choose(at + 1) }));
    const labels = this.radios.map((radio, at) => el("label", {}, radio, words.say(`sure_${at + 1}`)));
    this.root = el("fieldset", { class: "sure" }, el("legend", {}, words.say("sure_ask")), ...labels);
  }

  /** @param {boolean} asked @param {number} [sure] */
  show(asked, sure) {
    this.root.hidden = !asked;
    this.radios.forEach((radio, at) => {
      radio.checked = at + 1 === sure;
    });
  }
}
