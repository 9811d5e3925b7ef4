// "Preview all questions": every stem and option, without answers. Built when it is opened.

import { el, fill, local } from "./dom.js";
import { drawn, optionOrder, targetOrder } from "./order.js";

/** @typedef {import("./contract.js").ItemPayload} ItemPayload */
/** @typedef {import("./words.js").Words} Words */

/**
 * @param {ItemPayload[]} items
 * @param {Words} words
 * @param {import("./store.js").Store} store
 */
export function contentsView(items, words, store) {
  const list = el("ol");
  const root = el("details", {
    class: "contents",
    toggle: () => {
      if (root.open && !list.hasChildNodes()) list.append(...items.map((item) => entry(item, store, words)));
    },
  }, el("summary", {}, words.say("preview_all", { count: items.length })), list);
  return root;
}

/** @param {ItemPayload} item @param {import("./store.js").Store} store @param {Words} words */
function entry(item, { id, practice }, words) {
  const key = item.kind === "order" ? practice[item.id]?.key : undefined; // which must not show here either
  const lists = [optionOrder(item.options, id, item.id, key), targetOrder(item, id)]
    .map((texts) => (texts.length ? el("ul", {}, ...texts.map(({ text }) => fill(el("li"), text))) : null));
  const stem = fill(el("div", { class: "stem" }), item.stem, drawn(item, id, words.locale).numbers);
  const from = lists[1] && el("div", { lang: words.locale, dir: words.dir }, words.say("match_from"));
  return local(el("li", {}, stem, lists[0], from, lists[1]), item.stem);
}
