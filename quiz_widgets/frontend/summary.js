// The end of a quiz: score, first tries, what to read again, each question with its mark, and what to do next.

import { button, el, plain } from "./dom.js";
import { sectionLink } from "./feedback.js";
import { drawn } from "./order.js";
import { MOST } from "./sure.js";

/** @typedef {import("./contract.js").ItemPayload} ItemPayload */
/** @typedef {import("./store.js").Store} Store */
/** @typedef {import("./words.js").Words} Words */
/** @typedef {{go: (index: number) => void, retry: (items: ItemPayload[]) => void, restart: () => void}} Acts */

/**
 * @param {ItemPayload[]} items
 * @param {Store} store
 * @param {Words} words
 * @param {Element} host
 * @param {Acts} acts
 */
export function summaryView(items, store, words, host, acts) {
  const rows = items.map((item) => ({ item, state: store.state(item) }));
  const judged = rows.every(({ item }) => store.practice[item.id]);
  const max = items.reduce((sum, item) => sum + item.points, 0);
  const score = rows.reduce((sum, { state }) => sum + state.score, 0);
  const firsts = rows.filter(({ state }) => state.firstTry).length;
  const missed = rows.filter(({ state }) => state.phase === "closed" && !state.right).map(({ item }) => item);
  const open = rows.filter(({ state }) => state.open);
  const later = rows.filter(({ state }) => state.right && !state.scored).length;

  const head = el("div", { class: "score", id: "score" });
  if (judged) {
    head.append(el("strong", {}, words.say("score", { score, max })), el("span", {}, words.say("first_try", { count: firsts })));
    const marked = rows.filter(({ state }) => state.mark === state.mark); // no number where nothing was said
    const sureOf = marked.filter(({ state }) => state.sure === MOST && state.mark < 0).length;
    if (marked.length) {
      const sum = marked.reduce((all, { state }) => all + state.mark, 0);
      head.append(el("span", {}, words.say("sure_score", { score: sum, max: MOST * max })));
    }
    if (sureOf) head.append(el("span", { class: "no" }, words.say("sure_missed", { count: sureOf })));
    if (later) head.append(el("span", {}, words.say("later", { count: later })));
  } else head.append(el("strong", {}, words.say("finished")));

  const sections = new Map(missed.flatMap((item) => (item.section ? [[item.section.id, item.section]] : [])));
  const links = [...sections.values()].map((section) => sectionLink(section, words, host, "section")).filter((link) => link !== null);
  const read = links.length ? el("p", { class: "again" }, words.say("read_again"), " ") : null;
  links.forEach((link, index) => read?.append(index ? " · " : "", link));

  const list = el("ol", { class: "sum" }, ...rows.map(({ item, state }, index) => {
    const [mark, sign, name] = state.phase !== "closed" ? ["", "–", state.submits ? "sum_begun" : "sum_open"]
      : state.right ? ["ok", "✓", "sum_right"] : ["no", "✗", "sum_wrong"];
    const stem = el("span", { class: "what" }, shorten(plain(item.stem, drawn(item, store.id, words.locale).numbers)));
    if (typeof item.stem !== "string") Object.assign(stem, { lang: item.stem.lang, dir: item.stem.dir });
    const label = words.say("review_of", { number: index + 1 });
    return el("li", {}, el("span", { class: `sign ${mark}`, "aria-hidden": "true" }, sign), stem,
      el("span", { class: "state" }, words.say(name)), button(words.say("review"), () => acts.go(index), { class: "link", "aria-label": label }));
  }));

  const foot = el("div", { class: "foot" });
  if (open.length) {
    const first = rows.indexOf(open[0]);
    foot.append(button(words.say("go_on", { count: open.length }), () => acts.go(first), { class: "main" }));
  }
  if (missed.length) {
    foot.append(button(words.say("try_missed", { count: missed.length }), () => acts.retry(missed), { class: open.length ? "" : "main" }));
  }
  foot.append(button(words.say("restart"), acts.restart));
  return el("div", { class: "summary", role: "group", "aria-labelledby": "score" }, head, read, list, foot);
}

/** @param {string} text the first words of a long stem */
function shorten(text) {
  const line = text.replace(/\s+/g, " ");
  return line.length > 120 ? `${line.slice(0, 110).replace(/\s\S*$/, "")}…` : line;
}
