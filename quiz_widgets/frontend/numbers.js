// Typed numbers to one canonical decimal (never through a float), and decimals to the reader's digits.
// tests/cases/numbers.json holds the cases that locales/numbers.py passes too.

const DIGIT = /[\u0660-\u0669\u06f0-\u06f9]/g;
const INVISIBLE = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;
const SHAPE = /^([+-]?)([0-9.,DG ]+)(?:[eE]([+-]?[0-9]{1,2}))?$/;
const BY_COMMA = grouping(",", ".");
const BY_POINT = grouping(".", ",");
const PLAIN_POINT = /^(?=.?[0-9])[0-9]*(?:[.D][0-9]*)?$/;
const PLAIN_EITHER = /^(?=.?[0-9])[0-9]*(?:[.,D][0-9]*)?$/;
const TWO_WAYS = /^[+-]?[1-9][0-9]{0,2}([.,])[0-9]{3}$/;

/** Thousands grouped by a sign, a special one or spaces, then decimals. @param {string} sign @param {string} point */
function grouping(sign, point) {
  return new RegExp(`^[1-9][0-9]{0,2}([${sign}G ])[0-9]{3}(?:\\1[0-9]{3})*(?:[${point}D][0-9]*)?$`);
}

/**
 * The typed text as a plain decimal such as "3.5"; null when it is no number, or might be two.
 * @param {string} typed
 * @param {string} locale
 */
export function canonicalNumber(typed, locale) {
  const found = readings(typed, locale);
  return found.length === 1 ? found[0] : null;
}

/**
 * What the typed text may mean: nothing, one number, or a whole number and one with decimals.
 * @param {string} typed
 * @param {string} locale
 * @returns {string[]}
 */
export function readings(typed, locale) {
  const language = locale.split("-")[0];
  const turkish = language === "tr";
  const arabic = language === "ar";
  const clean = typed
    .replace(DIGIT, (digit) => String((digit.charCodeAt(0) - (digit < "\u06f0" ? 0x660 : 0x6f0)) % 10))
    .replace(/[\t\u00a0\u2009\u202f]/g, " ")
    .replace(INVISIBLE, "")
    .replace(/\u2212/g, "-")
    .replace(/\u060c/g, ",")
    .replace(/\u066b/g, "D")
    .replace(/\u066c/g, "G")
    .replace(/^ +| +$/g, "");
  const shape = SHAPE.exec(clean);
  if (!shape || clean.length > 64) return [];
  const sign = TWO_WAYS.exec(clean)?.[1];
  if (sign && sign === (turkish ? "." : arabic && ",")) {
    return ["", "."].map((mark) => canonicalNumber(clean.replace(sign, mark), "en") ?? "");
  }
  let body = shape[2];
  if (!(turkish || arabic ? PLAIN_EITHER : PLAIN_POINT).test(body)) {
    const grouped = (!turkish && BY_COMMA.exec(body)) || ((turkish || arabic) && BY_POINT.exec(body));
    if (!grouped || shape[3] !== undefined) return [];
    body = body.split(grouped[1]).join("");
  }
  const [whole, fraction = ""] = body.replace(/[,D]/, ".").split(".");
  return [shift(shape[1] === "-", whole + fraction, Number(shape[3] || 0) - fraction.length)];
}

/**
 * digits × 10^exponent, written plainly: no exponent, no needless zeros, no -0.
 * @param {boolean} negative
 * @param {string} digits
 * @param {number} exponent
 */
function shift(negative, digits, exponent) {
  if (exponent > 0) digits += "0".repeat(exponent);
  const places = Math.max(0, -exponent);
  digits = digits.padStart(places + 1, "0");
  const whole = digits.slice(0, digits.length - places).replace(/^0+(?=.)/, "");
  const fraction = digits.slice(digits.length - places).replace(/0+$/, "");
  const plain = fraction ? `${whole}.${fraction}` : whole;
  return negative && plain !== "0" ? `-${plain}` : plain;
}

/**
 * A canonical decimal with the decimal sign of a locale; no groups, so that it can be typed as it stands. Texts with
 * more points (versions) stay.
 * @param {string} decimal
 * @param {string} locale
 */
export function localNumber(decimal, locale) {
  return locale.split("-")[0] === "tr" ? decimal.replace(/^([^.]*)\.([^.]*)$/, "$1,$2") : decimal;
}
