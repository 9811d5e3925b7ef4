// Practice grading in the page: the rules of grading.py, in whole numbers (BigInt), never in floats.
// tests/cases/grading.json holds the cases that both pass.

/** @typedef {import("./contract.js").ItemPayload} ItemPayload */
/** @typedef {import("./contract.js").PracticeItemPayload} PracticeItemPayload */
/** @typedef {{score: number, max: number}} Grade */

import { registry } from "./registry.js";
import { accepted } from "./typed.js";

const DECIMAL_TEXT = /^-?[0-9]{1,200}(\.[0-9]{1,200})?$/;

/**
 * What the response earns, in points.
 * @param {ItemPayload} item
 * @param {PracticeItemPayload} practice
 * @param {string[]} response option ids, pairs, one canonical decimal, or what was typed
 * @param {number} [variant] index of the drawn variant that was shown
 * @returns {Grade}
 */
export function grade(item, practice, response, variant) {
  const [won, all] = item.kind === "number" ? numberShare(practice, response, variant)
    : item.kind === "text" ? textShare(practice, response)
      : (registry().kinds[item.kind]?.share ?? choiceShare)(item, practice, response);
  // points × won/all in steps of 1/10000, halves up
  const hundredths = BigInt(Math.round(item.points * 100));
  const top = hundredths * 100n * won;
  return { score: Number((top * 2n + all) / (all * 2n)) / 10000, max: item.points };
}

/**
 * @param {ItemPayload} item
 * @param {PracticeItemPayload} practice
 * @param {string[]} response
 * @returns {[bigint, bigint]}
 */
function choiceShare(item, practice, response) {
  const chosen = new Set(response);
  const key = new Set(practice.key);
  const distractors = new Set(item.options.map((option) => option.id).filter((id) => !key.has(id)));
  const hits = [...chosen].filter((id) => key.has(id)).length;
  const misses = [...chosen].filter((id) => distractors.has(id)).length;
  if (hits + misses < chosen.size) return [0n, 1n];
  if (item.kind === "single" || practice.credit === "exact") return [hits === key.size && !misses ? 1n : 0n, 1n];
  const keys = BigInt(key.size);
  const others = BigInt(distractors.size || 1);
  const won = BigInt(hits) * others - BigInt(misses) * keys;
  return [won > 0n ? won : 0n, keys * others];
}

/**
 * The credit of the first accepted text that fits.
 * @param {PracticeItemPayload} practice
 * @param {string[]} response
 * @returns {[bigint, bigint]}
 */
function textShare(practice, response) {
  const credit = accepted(practice, response)?.credit ?? "0";
  const places = (credit.split(".")[1] ?? "").length;
  return [scaled(credit, places), 10n ** BigInt(places)];
}

/**
 * @param {PracticeItemPayload} practice
 * @param {string[]} response
 * @param {number} [variant]
 * @returns {[bigint, bigint]}
 */
function numberShare(practice, response, variant) {
  const value = expectedValue(practice, variant);
  if (value === undefined || response.length !== 1 || !DECIMAL_TEXT.test(response[0])) return [0n, 1n];
  return [near(response[0], value, practice) ? 1n : 0n, 1n];
}

/**
 * The value that a response is compared with.
 * @param {PracticeItemPayload} practice
 * @param {number} [variant]
 */
export function expectedValue(practice, variant) {
  if (!practice.variants) return practice.value;
  return practice.variants.find((drawn) => drawn.index === variant)?.value;
}

/**
 * The known mistake that leads to this number, if there is one.
 * @param {PracticeItemPayload} practice
 * @param {string} number
 * @param {number} [variant]
 */
export function slipOf(practice, number, variant) {
  const drawn = practice.variants?.find((one) => one.index === variant);
  return practice.slips?.find((slip) => {
    const value = drawn ? drawn.slips[slip.id] : slip.value;
    return value !== undefined && near(number, value, practice);
  });
}

/**
 * Whether a number is as near as the tolerance allows; both edges belong to it.
 * @param {string} number
 * @param {string} value
 * @param {PracticeItemPayload} practice
 */
function near(number, value, practice) {
  const amount = practice.tolerance?.amount ?? "0";
  const places = Math.max(...[number, value, amount].map((text) => (text.split(".")[1] ?? "").length));
  const [n, v, a] = [number, value, amount].map((text) => scaled(text, places));
  const one = 10n ** BigInt(places);
  const relative = practice.tolerance?.kind === "relative";
  return size(n - v) * one <= a * (relative ? size(v) : one);
}

/**
 * @param {string} decimal
 * @param {number} places
 */
function scaled(decimal, places) {
  const [whole, fraction = ""] = decimal.split(".");
  return BigInt(whole + fraction.padEnd(places, "0"));
}

/** @param {bigint} number */
function size(number) {
  return number < 0n ? -number : number;
}
