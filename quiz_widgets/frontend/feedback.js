// What an item says after a check: a verdict in whole sentences (a live region that is there from the start), then
// the explanation, the evidence, and the way to the guide's section.

import { el, fill, plain } from "./dom.js";
import { findPlace, goTo } from "./host.js";
import { MOST } from "./sure.js";

/** @typedef {import("./item.js").Shown} Shown */
/** @typedef {import("./item.js").Look} Look */
/** @typedef {import("./item.js").Field} Field */
/** @typedef {import("./state.js").ItemState} ItemState */

export class FeedbackView {
  /** @param {Shown} shown @param {Field} field */
  constructor(shown, field) {
    this.shown = shown;
    this.field = field;
    this.status = el("div", { role: "status", "aria-atomic": "true", class: "verdict" });
    this.more = el("div", { class: "more" });
    this.root = el("div", { class: "feedback" }, this.status, this.more);
    this.said = this.proven = "";
  }

  /** @param {Look} look @param {string} notice a message of its own instead of a verdict */
  show(look, notice) {
    const { practice, store } = this.shown;
    // Written again only when it says something else: a live region must not repeat itself.
    const says = JSON.stringify([look.phase, look.state.last?.id, look.state.revealed, look.draft, notice, look.state.right, look.sent]);
    const measured = practice?.evidence && store.measured(practice.evidence.name);
    const proves = says + JSON.stringify(measured);
    if (proves === this.proven) return;
    this.proven = proves;
    this.more.replaceChildren(...this.proof(look, measured));
    if (says === this.said) return;
    this.said = says;
    this.status.replaceChildren(...(notice ? [el("p", { class: "notice" }, notice)] : this.verdict(look)));
    this.root.classList.toggle("empty", !this.status.hasChildNodes());
  }

  /** @param {Look} look @returns {Node[]} */
  verdict({ phase, state, sent }) {
    const { words, practice, numbers, item } = this.shown;
    if (phase === "open" || phase === "sent") return sent.map((text) => el("p", {}, text));
    const right = Boolean(state.right);
    const word = right ? "right" : state.revealed && !state.last ? "answer_shown" : state.partly ? "partly" : "wrong";
    const sign = right ? "✓ " : word === "answer_shown" ? "" : "✗ ";
    const line = el("p", { class: `line ${right ? "ok" : "no"}` }, el("strong", {}, `${sign}${words.say(word)}`));
    /** @type {Node[]} */
    const said = [line];
    if (phase === "wrong") line.append(" ", el("span", {}, words.say("tries_left", { count: state.left })));
    const { sure, mark } = state;
    const about = right && sure === 1 ? "sure_right" : !right && !state.partly && sure === MOST ? "sure_wrong" : "";
    if (sure && about) said.push(el("p", { class: `line ${right ? "ok" : "no"}` }, el("strong", {}, words.say(about))));
    if (sure) said.push(el("p", {}, words.say("sure_mark", { sure: words.say(`sure_${sure}`), mark, max: MOST * item.points })));
    const why = this.field.spoken();
    if (why) said.push(el("p", { class: "sr" }, why));
    if (phase !== "closed" || !practice) return said;
    const key = this.field.answer();
    if (key) said.push(key);
    if (practice.explanation) said.push(fill(el("div", { class: "explanation" }), practice.explanation, numbers));
    return said;
  }

  /** @param {Look} look @param {Record<string, string> | undefined} measured by a demo in this kernel @returns {Node[]} */
  proof({ phase }, measured) {
    const { words, practice, item, host } = this.shown;
    const { evidence, source } = practice ?? {};
    const closed = phase === "closed";
    const parts = [];
    const values = measured ?? evidence?.facts;
    if (closed && evidence && values) {
      const comma = words.say("list_comma");
      const machine = el("bdi", { lang: "en", dir: "ltr" }, evidence.machine);
      const about = measured ? ["measured_here"] : ["measured", comma, words.day(evidence.date ?? ""), comma, machine];
      parts.push(el("div", { class: "proof" }, el("b", {}, words.say(String(about.shift())), ...about),
        fill(el("span", {}), evidence.text, { locale: words.locale, values }),
        evidence.demo && placeLink(host, `demo-${evidence.demo}`, words.say("show_me"))));
    }
    if (closed && source) {
      parts.push(el("div", { class: "proof" }, el("b", {}, words.say("source")), fill(el("span", {}), source)));
    }
    if ((closed || phase === "wrong") && item.section) parts.push(sectionLink(item.section, words, host));
    return parts.filter((part) => part !== null);
  }
}

/**
 * A link to a section of a guide on this page; null where there is none.
 * @param {import("./contract.js").SectionPayload} section
 * @param {import("./words.js").Words} words
 * @param {Element} host
 * @param {string} [message]
 */
export function sectionLink(section, words, host, message = "read_section") {
  return placeLink(host, section.id, words.say(message, { section: plain(section.title) }));
}

/**
 * A link to a place in this document; null where there is none.
 * @param {Element} host
 * @param {string} id
 * @param {string} label
 */
function placeLink(host, id, label) {
  const place = findPlace(host, id);
  if (!place) return null;
  return el("a", {
    class: "read",
    href: `#${id}`,
    /** @param {Event} event */
    click: (event) => {
      event.preventDefault();
      goTo(place);
    },
  }, label);
}
