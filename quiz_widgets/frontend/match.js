// The rows of a `match` item: a prompt and a native select of what may belong to it, with mark and rationale.

import { el, fill, local, plain } from "./dom.js";
import { optionOrder, targetOrder } from "./order.js";
import { rowsCss } from "./styles.js";

/** @typedef {import("./item.js").Shown} Shown */
/** @typedef {import("./item.js").Look} Look */

export class MatchView {
  /** @param {Shown} shown @param {(chosen: string[]) => void} choose */
  constructor(shown, choose) {
    this.shown = shown;
    const { id, item, store, words } = shown;
    const { locale: lang, dir } = words;
    const targets = targetOrder(item, store.id);
    // A select shows plain text only: what needs more stands above it under a number.
    const rich = targets.some(({ text }) => /<(math|pre)/.test(typeof text === "string" ? text : text.html));
    const names = targets.map(({ text }, at) => (rich ? `${at + 1}. ` : "") + plain(text));
    this.targets = new Map(targets.map((target) => [target.id, target.text]));
    this.rows = optionOrder(item.options, store.id, item.id).map((option) => {
      const why = el("div", { class: "why", id: id(`why-${option.id}`) });
      const select = el("select", { id: id(option.id), lang, dir, "aria-describedby": why.id, change: () => choose(this.chosen()) },
        el("option", { value: "" }, words.say("match_choose")),
        ...targets.map((target, at) => local(el("option", { value: target.id }, names[at]), target.text)));
      const mark = el("span", { class: "mark", lang, dir });
      const given = el("div", { class: "given", lang, dir });
      const prompt = fill(el("label", { class: "text", for: select.id }), option.text);
      const box = local(el("div", { class: "option" }, el("div", { class: "lane" }, prompt, select, given, mark), why), option.text);
      return { id: option.id, box, prompt, select, mark, given, why };
    });
    const list = rich ? el("ol", { class: "targets" }, ...targets.map(({ text }) => fill(el("li"), text))) : null;
    this.root = el("div", { class: "match" }, el("style", {}, rowsCss), list, ...this.rows.map(({ box }) => box));
  }

  chosen() {
    return this.rows.filter(({ select }) => select.value).map(({ id, select }) => `${id}:${select.value}`);
  }

  /** The rows without a choice. */
  open() {
    return this.rows.filter(({ select }) => !select.value);
  }

  /** All pairs; null while one is missing. */
  read() {
    return this.open().length ? null : this.chosen();
  }

  fault() {
    return this.shown.words.say("match_open", { count: this.open().length });
  }

  /** @param {boolean} wrong whether a row without a choice keeps it from being checked */
  complain(wrong) {
    for (const { select } of this.rows) select.ariaInvalid = wrong && !select.value ? "true" : null;
    if (wrong) this.first().focus();
  }

  first() {
    return (this.open()[0] ?? this.rows[0]).select;
  }

  /** @param {Look} look */
  show({ phase, chosen }) {
    const { practice } = this.shown;
    const closed = phase === "closed";
    const picks = pairs(chosen);
    const key = pairs(practice?.key ?? []);
    for (const { id, box, select, mark, given, why } of this.rows) {
      const picked = picks.get(id) ?? "";
      const right = picked === key.get(id);
      const judged = practice && picked && (closed || (phase === "wrong" && !right));
      if (select.value !== picked) select.value = picked;
      select.hidden = closed;
      given.replaceChildren(...(closed ? this.told(picked, key.get(id) ?? "", right) : []));
      box.className = `option${judged ? (right ? " right" : " wrong") : ""}`;
      mark.textContent = judged && !closed ? this.sign("mark_wrong") : "";
      fill(why, ((closed || judged) && practice?.rationales[id]) || "");
    }
  }

  /** A row's end: what was chosen, and what belongs there. @param {string} picked @param {string} key @param {boolean} right */
  told(picked, key, right) {
    if (!this.shown.practice) return [fill(el("span"), this.targets.get(picked) ?? "")];
    const line = (/** @type {string} */ target, /** @type {string} */ name) =>
      el("div", { class: name === "mark_wrong" ? "wrong" : "right" }, fill(el("span"), this.targets.get(target) ?? ""),
        el("span", { class: "mark" }, this.sign(name)));
    return [...(picked && !right ? [line(picked, "mark_wrong")] : []), line(key, right ? "mark_right" : "mark_key")];
  }

  /** @param {string} name of a message */
  sign(name) {
    return `${name === "mark_wrong" ? "✗" : "✓"} ${this.shown.words.say(name)}`;
  }

  /** What a screen reader hears with the verdict. */
  spoken() {
    return this.rows.filter(({ box }) => box.matches(".wrong")).map(({ prompt, why }) => `${prompt.textContent}: ${why.textContent}`).join(" ");
  }

  /** The key stands in the rows. @returns {Node | undefined} */
  answer() {
    return undefined;
  }
}

/** Prompt and target of each pair. @param {string[]} texts @returns {Map<string, string>} */
function pairs(texts) {
  return new Map(texts.map((text) => /** @type {[string, string]} */ (text.split(":"))));
}
