// "Preview all questions": every stem and option, without answers. Built when it is opened.

import { el, fill, local } from "./dom.js";
import { drawn, optionOrder } from "./order.js";

/** @typedef {import("./contract.js").ItemPayload} ItemPayload */
/** @typedef {import("./words.js").Words} Words */

/**
 * @param {ItemPayload[]} items
 * @param {Words} words
 * @param {string} attempt
 */
export function contentsView(items, words, attempt) {
  const list = el("ol");
  const root = el("details", {
    class: "contents",
    toggle: () => {
      if (root.open && !list.hasChildNodes()) list.append(...items.map((item) => entry(item, attempt, words.locale)));
    },
  }, el("summary", {}, words.say("preview_all", { count: items.length })), list);
  return root;
}

/** @param {ItemPayload} item @param {string} attempt @param {string} locale */
function entry(item, attempt, locale) {
  const options = optionOrder(item.options, attempt, item.id).map((option) => fill(el("li"), option.text));
  const stem = fill(el("div", { class: "stem" }), item.stem, drawn(item, attempt, locale).numbers);
  return local(el("li", {}, stem, options.length ? el("ul", {}, ...options) : null), item.stem);
}
