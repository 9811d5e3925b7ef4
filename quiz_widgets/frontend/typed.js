// Typed texts: which two writings count as the same, and which accepted text a response is.
// tests/cases/text-normalisation.json and grading.json hold the cases that locales/typed.py and grading.py pass too;
// the reasons stand in typed.py.

/** @typedef {import("./contract.js").AcceptPayload} AcceptPayload */
/** @typedef {import("./contract.js").PracticeItemPayload} PracticeItemPayload */

const UNSEEN = /[\u00ad\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufe00-\ufe0f\ufeff]/g;
const MARKS = /[\u0610-\u061a\u0640\u064b-\u065f\u0670\u06d6-\u06dc\u06df-\u06e8\u06ea-\u06ed]/g;
const SPACES = /[\u0000-\u0020\u0085\u00a0\u1680\u2028\u2029]+/g;
const DIGITS = /[\u0660-\u0669\u06f0-\u06f9]/g;
/** Signs that count as the same one. @type {[RegExp, string][]} */
const ALIKE = [
  [/[\u2018-\u201b\u2032\u02b9\u02bb\u02bc\u0060\u00b4]/g, "'"],
  [/[\u201c-\u201f\u2033\u00ab\u00bb]/g, '"'],
  [/[\u2010-\u2015\u2212]/g, "-"],
  [/[\u2044\u2215]/g, "/"],
  [/[\u060c\u066c]/g, ","],
  [/\u066b/g, "."],
  [/\u061b/g, ";"],
  [/\u061f/g, "?"],
  [/[\u0622\u0623\u0625\u0671]/g, "\u0627"],
  [/\u0624/g, "\u0648"],
  [/[\u0626\u0649\u06cc]/g, "\u064a"],
  [/\u06a9/g, "\u0643"],
  [/\u0629/g, "\u0647"],
];

/**
 * The text as it is compared with accepted ones under the rules of a locale.
 * @param {string} text
 * @param {string} locale
 * @param {boolean} [matchCase]
 */
export function normalised(text, locale, matchCase) {
  const plain = same(same(text.replace(UNSEEN, "")).normalize("NFKC").replace(MARKS, ""))
    .replace(SPACES, " ").replace(/^ | $/g, "");
  if (matchCase) return plain;
  const letters = locale.split("-")[0] === "tr"
    ? plain.replace(/I/g, "\u0131").replace(/\u0130/g, "i")
    : plain.replace(/[\u0130\u0131]/g, "i");
  return Array.from(letters, (letter) => (letter === "\u0131" ? letter : letter.toUpperCase().toLowerCase())).join("").normalize("NFKC");
}

/** @param {string} text */
function same(text) {
  for (const [signs, sign] of ALIKE) text = text.replace(signs, sign);
  return text.replace(DIGITS, (digit) => String(digit.charCodeAt(0) & 15));
}

/**
 * The first accepted text that a response is, in any locale; undefined when it is none.
 * @param {PracticeItemPayload} practice
 * @param {string[]} response
 */
export function accepted({ accept, match_case }, [typed = "", ...more]) {
  if (more.length || [...typed].length > 1000) return;
  return accept?.find(({ patterns }) => Object.entries(patterns).some(([locale, alternatives]) => {
    const text = normalised(typed, locale, match_case);
    return text && alternatives.some((parts) => fits(parts, text));
  }));
}

/** @param {string[]} parts the texts between an alternative's stars @param {string} text */
function fits([first, ...middle], text) {
  const last = middle.pop();
  if (last === undefined) return text === first;
  let at = text.startsWith(first) ? first.length : -1;
  for (const part of middle) {
    const found = at < 0 ? at : text.indexOf(part, at);
    at = found < 0 ? found : found + part.length;
  }
  return at >= 0 && text.endsWith(last) && text.length - last.length >= at;
}
