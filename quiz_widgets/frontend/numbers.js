// Typed numbers to one canonical decimal (never through a float), and decimals to the reader's digits.
// tests/cases/numbers.json holds the cases that locales/numbers.py passes too.

const DIGIT = /[\u0660-\u0669\u06f0-\u06f9]/g;
const INVISIBLE = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;
const SHAPE = /^([+-]?)([0-9.,DG ]+)(?:[eE]([+-]?[0-9]{1,2}))?$/;
const GROUPED_POINT = /^[1-9][0-9]{0,2}([,G ])[0-9]{3}(?:\1[0-9]{3})*(?:[.D][0-9]*)?$/;
const GROUPED_COMMA = /^[1-9][0-9]{0,2}([.G ])[0-9]{3}(?:\1[0-9]{3})*(?:[,D][0-9]*)?$/;
const PLAIN_POINT = /^(?=.?[0-9])[0-9]*(?:[.D][0-9]*)?$/;
const PLAIN_COMMA = /^(?=.?[0-9])[0-9]*(?:[.,D][0-9]*)?$/;

/**
 * The typed text as a plain decimal such as "3.5", or null when it is no number.
 * @param {string} typed
 * @param {string} locale
 */
export function canonicalNumber(typed, locale) {
  const [language] = locale.split("-");
  const comma = ["ar", "tr"].includes(language);
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
  if (!shape || clean.length > 64) return null;
  let body = shape[2];
  const onePoint = language === "ar" && /^[0-9]+\.[0-9]+$/.test(body);
  const grouped = shape[3] === undefined && !onePoint && (comma ? GROUPED_COMMA : GROUPED_POINT).exec(body);
  if (grouped) body = body.split(grouped[1]).join("");
  else if (!(comma ? PLAIN_COMMA : PLAIN_POINT).test(body)) return null;
  const [whole, fraction = ""] = body.replace(/[,D]/, ".").split(".");
  return shift(shape[1] === "-", whole + fraction, Number(shape[3] || 0) - fraction.length);
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
 * A canonical decimal with the decimal sign of a locale; no groups, so that it can be typed as it stands.
 * @param {string} decimal
 * @param {string} locale
 */
export function localNumber(decimal, locale) {
  return locale.split("-")[0] === "tr" ? decimal.replace(".", ",") : decimal;
}
