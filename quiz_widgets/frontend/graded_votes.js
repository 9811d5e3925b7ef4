// The votes on an item of a poll: what its learner voted, in words, and after the reveal how the class voted each time.

import { el, fill, plain } from "./dom.js";
import { localNumber } from "./numbers.js";
import { optionOrder } from "./order.js";

/** @typedef {import("./contract.js").ItemPayload} ItemPayload */
/** @typedef {import("./contract.js").TextPayload} TextPayload */
/** @typedef {import("./contract.js").VotesPayload} VotesPayload */
/** @typedef {import("./graded_store.js").GradedStore} GradedStore */
/** @typedef {import("./order.js").Numbers} Numbers */
/** @typedef {import("./words.js").Words} Words */

/**
 * What the learner has voted and what became of it, a line each: of each vote what counts, and what was sent after it.
 * Of a vote before the one at hand, `former`.
 * @param {ItemPayload} item
 * @param {GradedStore} store
 * @param {Words} words
 * @param {Numbers} [numbers] of a drawn item
 * @returns {{former: HTMLElement[], mine: HTMLElement[]}}
 */
export function ownVotes(item, store, words, numbers) {
  const sent = store.sentFor(item).filter((event) => event.kind === "submit");
  const { poll } = store.desk ?? {};
  const told = (poll?.rounds[item.id] ?? []).map(({ number }) => number);
  const now = Math.max(1, poll?.item === item.id ? poll.round : 1, ...told, ...sent.map((event) => event.round));
  /** @param {import("./contract.js").EventPayload} event */
  const line = (event) => {
    const { keeping, at, count = 1 } = store.keeping(event);
    const time = words.time(at, store.clock);
    const values = { vote: voteText(item, event.response, words, numbers), time, round: event.round };
    const state = words.say(keeping, { time, count });
    const name = keeping === "recorded" ? (event.round < now ? "poll_was" : "poll_recorded") : keeping === "late" ? "poll_late" : "poll_sent";
    return el("p", {}, ...words.parts(name, { ...values, state }));
  };
  /** @param {number} round */
  const lines = (round) => {
    const mine = sent.filter((event) => event.round === round);
    const counts = mine.filter((event) => store.keeping(event).keeping === "recorded").at(-1);
    return [...new Set([counts, mine.at(-1)])].flatMap((event) => (event ? [line(event)] : []));
  };
  const rounds = [...new Set(sent.map((event) => event.round))].sort((a, b) => a - b);
  const mine = lines(now);
  if (!mine.length && store.locked(item) && store.links.size) mine.push(el("p", {}, words.say("poll_none")));
  return { former: rounds.filter((round) => round < now).flatMap(lines), mine };
}

/** A response as it is read out. @param {ItemPayload} item @param {string[]} response @param {Words} words @param {Numbers} [numbers] */
function voteText(item, response, words, numbers) {
  /** @param {string} part @param {{id: string, text: TextPayload}[] | undefined} [among] */
  const said = (part, among = item.options) => {
    const text = among.find(({ id }) => id === part)?.text;
    if (text !== undefined) return isolated(text);
    return el("bdi", {}, item.kind === "number" ? localNumber(part, words.locale) : part);
  };
  /** @param {string} part @returns {(Node | string)[]} */
  const row = (part) => {
    const [option, target] = part.split(":");
    return [said(option), " → ", said(target, item.targets)];
  };
  const parts = response.map((part) => (item.kind === "match" ? row(part) : [said(part)]));
  const unit = item.kind === "number" && item.unit ? [" ", plain(item.unit, numbers)] : [];
  return el("b", {}, ...parts.flatMap((part, at) => (at ? [words.say("list_comma"), ...part] : part)), ...unit);
}

/** @param {TextPayload} text */
function isolated(text) {
  const made = el("bdi", {}, plain(text));
  if (typeof text !== "string") Object.assign(made, { lang: text.lang, dir: text.dir });
  return made;
}

/**
 * How the class voted, side by side: a row for each option, a column for each vote.
 * @param {ItemPayload} item
 * @param {VotesPayload[]} rounds
 * @param {string[]} key the right options
 * @param {string} attempt
 * @param {Words} words
 */
export function votesTable(item, rounds, key, attempt, words) {
  const share = new Intl.NumberFormat(words.locale, { style: "percent", maximumFractionDigits: 0 });
  const options = optionOrder(item.options, attempt, item.id);
  const rows = options.map(({ id, text }) => {
    const right = key.includes(id);
    const name = el("th", { scope: "row" }, right ? el("b", { class: "mark" }, `✓ ${words.say("mark_key")}`) : null, fill(el("div"), text));
    return el("tr", {}, name, ...rounds.map(({ voters, counts }) => {
      const count = counts[id] ?? 0;
      const part = voters ? count / voters : 0;
      const bar = el("span", { class: "share", "aria-hidden": "true" });
      bar.style.inlineSize = `${100 * part}%`;
      return el("td", {}, words.say("poll_share", { number: count, share: share.format(part) }), bar);
    }));
  });
  const heads = rounds.map(({ number, voters }) => el("th", { scope: "col" }, words.say("poll_round", { number }), el("div", {}, words.say("poll_voters", { count: voters }))));
  return el("table", { class: "votes" }, el("caption", {}, words.say("poll_votes")),
    el("thead", {}, el("tr", {}, el("th", { scope: "col" }, words.say("poll_option")), ...heads)), el("tbody", {}, ...rows));
}
