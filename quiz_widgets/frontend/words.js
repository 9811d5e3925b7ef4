// Interface words: whole messages with {placeholders}; a message that counts holds one form per plural category.

/** @typedef {Record<string, string | number | Node>} Values */
/** @typedef {import("./contract.js").QuizPayload} QuizPayload */

/** What a view says, in one locale. */
export class Words {
  /** @param {QuizPayload} quiz */
  constructor(quiz) {
    this.locale = quiz.locale;
    this.dir = quiz.dir;
    this.messages = quiz.words;
    this.plural = new Intl.PluralRules(quiz.locale);
    this.format = new Intl.NumberFormat(quiz.locale, { maximumFractionDigits: 2 });
  }

  /**
   * A message as text. The form of a counting message follows `count`.
   * @param {string} key
   * @param {Values} [values]
   */
  say(key, values = {}) {
    return this.parts(key, values).map((part) => (typeof part === "string" ? part : part.textContent)).join("");
  }

  /**
   * A message as pieces, so that a value may be an element.
   * @param {string} key
   * @param {Values} [values]
   * @returns {(string | Node)[]}
   */
  parts(key, values = {}) {
    const message = this.messages[key] ?? key;
    const form = typeof message === "string" ? message : message[this.plural.select(Number(values.count))] ?? message.other;
    if (!form.includes("{")) return [form];
    return form.split(/\{(\w+)\}/).map((piece, index) => {
      if (index % 2 === 0) return piece;
      const value = values[piece] ?? "";
      if (typeof value === "number") return this.format.format(value);
      // From right to left a text set into another keeps its own direction.
      return this.dir === "rtl" && typeof value === "string" ? `\u2068${value}\u2069` : value;
    });
  }

  /**
   * A time of day.
   * @param {number} at ms since 1970 UTC
   * @param {Intl.DateTimeFormatOptions} [clock] how to write it
   */
  time(at, clock = { hour: "numeric", minute: "2-digit" }) {
    return new Intl.DateTimeFormat(this.locale, clock).format(at);
  }

  /**
   * A day, from an ISO date; as it is when it is none.
   * @param {string} iso
   */
  day(iso) {
    const at = Date.parse(iso);
    return isNaN(at) ? iso : new Intl.DateTimeFormat(this.locale, { dateStyle: "medium", timeZone: "UTC" }).format(at);
  }

}

/**
 * The name of a language, in a language.
 * @param {string} code
 * @param {string} [locale] its own by default
 */
export function languageName(code, locale = code) {
  return new Intl.DisplayNames([locale], { type: "language" }).of(code) ?? code;
}
