// Grading of items whose options stand in rows, by the rules of grading.py and tests/cases/grading.json.

/** @typedef {import("./contract.js").ItemPayload} ItemPayload */
/** @typedef {import("./contract.js").PracticeItemPayload} PracticeItemPayload */

/**
 * All in place, or the right neighbours of n - 1.
 * @param {ItemPayload} _item
 * @param {PracticeItemPayload} practice
 * @param {string[]} response
 * @returns {[bigint, bigint]}
 */
export function orderShare(_item, { key, credit }, response) {
  if ([...response].sort().join() !== [...key].sort().join()) return [0n, 1n];
  const pairs = key.length - 1;
  const right = response.filter((id, at) => at < pairs && key.indexOf(id) + 1 === key.indexOf(response[at + 1])).length;
  return shareOf(right, pairs, credit);
}

/**
 * All pairs, or the right ones of all prompts.
 * @param {ItemPayload} item
 * @param {PracticeItemPayload} practice
 * @param {string[]} response
 * @returns {[bigint, bigint]}
 */
export function matchShare({ options, targets = [] }, { key, credit }, response) {
  const pairs = response.map((pair) => pair.split(":"));
  const known = pairs.every(([prompt, target, more]) => more === undefined
    && options.some(({ id }) => id === prompt) && targets.some(({ id }) => id === target));
  if (!known || new Set(pairs.map(([prompt]) => prompt)).size < pairs.length) return [0n, 1n];
  return shareOf(response.filter((pair) => key.includes(pair)).length, options.length, credit);
}

/** @param {number} right @param {number} all @param {"exact" | "partial"} credit @returns {[bigint, bigint]} */
function shareOf(right, all, credit) {
  return [BigInt(right < all && credit === "exact" ? 0 : right), BigInt(all)];
}
