// Shows a class at work. The server's tables stand there already; this brings them up to date with what `following`
// hears, sorts them, and shows or hides names.

import { ahead, run } from "./following.js";

/** @typedef {[string, number, string, number | null, number, number, number | null, boolean, number, number | null, number | null, boolean]} Row */
/** @typedef {[string, number | null, number]} ItemRow */
/** @typedef {{sequence: number, at: number, totals: Record<string, number>, learners: Row[], items: ItemRow[], gone?: string[]}} Told */
/** @typedef {string | Record<string, string>} Word */
/** @typedef {{row: HTMLTableRowElement, line: Line}} Shown */

const POLITE_MS = 15_000; // between two announcements
const AGES_MS = 5_000;
const ORDER = ["not_opened", "excused", "at_work", "handed_in", "time_over"];

/** One learner, with the names that the desk gives the places of its line. */
class Line {
  /** @param {Row} row */
  constructor(row) {
    this.who = row[0];
    this.label = row[1];
    this.name = row[2];
    this.opened = row[3];
    this.answered = row[4];
    this.asked = row[5];
    this.finished = row[6];
    this.byDesk = row[7];
    this.late = row[8];
    this.held = row[9];
    this.heard = row[10];
    this.excused = row[11];
  }

  /** The word for where this learner stands. */
  get state() {
    if (this.finished !== null) return this.byDesk ? "time_over" : "handed_in";
    if (this.opened !== null) return "at_work";
    return this.excused ? "excused" : "not_opened";
  }

  /** Questions shown and not answered. */
  get open() {
    return this.finished === null ? this.asked - this.answered : 0;
  }

  /** What a column is sorted by. @param {string} column @param {boolean} names */
  key(column, names) {
    if (column === "label") return names ? this.name : this.label;
    if (column === "state") return ORDER.indexOf(this.state);
    if (column === "answered") return this.opened === null ? -1 : this.answered;
    if (column === "open") return this.opened === null ? -1 : this.open;
    return column === "late" ? this.late : this.held ?? -1;
  }
}

const root = /** @type {HTMLElement} */ (document.getElementById("live"));
const { stream = "", state = "", word = "", locale = "en", words: sent = "{}" } = root.dataset;
/** @type {Record<string, Word>} */
const words = JSON.parse(sent);
const plural = new Intl.PluralRules(locale);
const compare = new Intl.Collator(locale, { numeric: true }).compare;
/** @type {Map<string, Shown>} */
const learners = new Map();
/** @type {Map<string, HTMLTableRowElement>} */
const items = new Map();
/** @type {Map<string, HTMLTableRowElement>} */
const standing = new Map(); // the rows that the server made
const byLearner = /** @type {HTMLTableElement} */ (document.getElementById("by-learner"));
const byItem = /** @type {HTMLTableElement} */ (document.getElementById("by-item"));
const sorted = { column: "label", down: false };
let names = false;
let polite = "";
let totals = /** @type {Record<string, number>} */ ({});

/** A word, with its values in place. @param {string} name @param {Record<string, string | number>} [values] */
function say(name, values = {}) {
  const found = words[name];
  const text = typeof found === "string" ? found : found[plural.select(Number(values.count))] ?? found.other;
  return text.replace(/\{(\w+)\}/g, (_, value) => String(values[value]));
}

/** @param {string} tag @param {string} text @param {string} [kind] */
function element(tag, text, kind = "") {
  const made = document.createElement(tag);
  made.textContent = text;
  if (kind) made.className = kind;
  return made;
}

/** Set a text only where it differs: what a reader has selected, or hears, stays. @param {Element} place @param {string} text */
function put(place, text) {
  if (place.textContent !== text) place.textContent = text;
}

/** @param {HTMLTableCellElement} cell @param {number} done @param {number} all */
function share(cell, done, all) {
  let bar = cell.querySelector("progress");
  if (!bar) {
    bar = document.createElement("progress");
    bar.setAttribute("aria-hidden", "true");
    cell.replaceChildren(element("span", "", "number"), " ", bar);
  }
  put(/** @type {Element} */ (cell.firstElementChild), say("progress", { done, all }));
  bar.max = all || 1;
  bar.value = done;
}

/** @param {HTMLTableElement} table @param {string} tag of what names the row @param {number} cells */
function newRow(table, tag, cells) {
  const row = document.createElement("tr");
  const head = document.createElement("th");
  head.scope = "row";
  head.append(document.createElement(tag));
  row.append(head, ...Array.from({ length: cells }, () => document.createElement("td")));
  table.tBodies[0].append(row);
  return row;
}

/** @param {Shown} shown */
function showLearner({ row, line }) {
  const [head, where, answered, open, late, held] = row.cells;
  put(/** @type {Element} */ (head.firstElementChild), names ? line.name : say("learner_number", { number: line.label }));
  put(where, say(line.state));
  for (const cell of [answered, open, late]) cell.className = "number";
  if (line.opened === null) put(answered, say("none"));
  else share(answered, line.answered, line.asked);
  put(open, line.opened === null ? say("none") : String(line.open));
  put(late, String(line.late));
  if (line.heard === null) put(held, say("none"));
  else held.replaceChildren(say("held", { count: line.held ?? 0 }), " ", element("span", age(line.heard), "hint"));
}

/** @param {number} at the desk's clock, in ms */
function age(at) {
  const seconds = Math.max(0, Math.floor((Date.now() + ahead - at) / 1000));
  if (seconds < 90) return say("seconds_ago", { count: seconds });
  if (seconds < 5400) return say("minutes_ago", { count: Math.round(seconds / 60) });
  return say("hours_ago", { count: Math.round(seconds / 3600) });
}

/** @param {ItemRow} told */
function showItem([item, opened, answered]) {
  let row = items.get(item);
  if (!row) {
    row = newRow(byItem, "code", 2);
    items.set(item, row);
  }
  const [head, before, done] = row.cells;
  put(/** @type {Element} */ (head.firstElementChild), item);
  before.className = done.className = "number";
  put(before, opened === null ? say("none") : String(opened));
  if (opened === null) put(done, String(answered));
  else share(done, answered, opened);
}

/** Take in the state, or a change of it. @param {Told} told @param {boolean} whole */
function take(told, whole) {
  totals = told.totals;
  const gone = whole ? new Set(learners.keys()) : new Set(told.gone);
  for (const row of told.learners) {
    const line = new Line(row);
    gone.delete(line.who);
    const known = learners.get(line.who);
    const shown = known ?? { row: standing.get(line.who) ?? newRow(byLearner, "bdi", 5), line };
    shown.line = line;
    if (!known) learners.set(line.who, shown);
    showLearner(shown);
  }
  for (const who of gone) {
    learners.get(who)?.row.remove();
    learners.delete(who);
    standing.delete(who);
  }
  if (whole) {
    const there = new Set(told.items.map(([item]) => item));
    for (const [item, row] of items) if (!there.has(item)) (row.remove(), items.delete(item));
  }
  told.items.forEach(showItem);
  for (const place of root.querySelectorAll("[data-total]")) {
    put(place, String(totals[/** @type {HTMLElement} */ (place).dataset.total ?? ""] ?? ""));
  }
  arrange();
}

/** Put the rows in order; those that stand right are not touched, and nothing with the focus ever moves. */
function arrange() {
  const { column, down } = sorted;
  const rows = [...learners.values()].sort(({ line: one }, { line: other }) => {
    const [first, second] = [one.key(column, names), other.key(column, names)];
    const order = typeof first === "string" ? compare(first, String(second)) : first - Number(second);
    return (down ? -order : order) || one.label - other.label;
  });
  let place = byLearner.tBodies[0].firstElementChild;
  for (const { row } of rows) {
    if (row === place) place = place.nextElementSibling;
    else byLearner.tBodies[0].insertBefore(row, place);
  }
}

/** Make buttons of the headings. */
function letSort() {
  for (const heading of /** @type {NodeListOf<HTMLElement>} */ (byLearner.querySelectorAll("th[data-sort]"))) {
    const button = element("button", heading.textContent ?? "");
    /** @type {HTMLButtonElement} */ (button).type = "button";
    heading.replaceChildren(button);
    button.addEventListener("click", () => {
      const column = heading.dataset.sort ?? "label";
      sorted.down = sorted.column === column ? !sorted.down : column !== "label" && column !== "state";
      sorted.column = column;
      tellOrder();
      arrange();
    });
  }
  tellOrder();
}

function tellOrder() {
  for (const heading of /** @type {NodeListOf<HTMLElement>} */ (byLearner.querySelectorAll("th[data-sort]"))) {
    if (heading.dataset.sort === sorted.column) heading.ariaSort = sorted.down ? "descending" : "ascending";
    else heading.removeAttribute("aria-sort");
  }
}

/** A button in place of the form that loads the page with names; what it shows is remembered nowhere. */
function letName() {
  const form = /** @type {HTMLFormElement} */ (document.getElementById("names"));
  names = form.querySelector("button") === null; // the form was sent
  const button = /** @type {HTMLButtonElement} */ (element("button", ""));
  button.type = "button";
  const label = () => put(button, say(names ? "hide_names" : "show_names"));
  button.addEventListener("click", () => {
    names = !names;
    label();
    learners.forEach(showLearner);
    arrange();
  });
  label();
  form.replaceChildren(button);
}

/** Say how the state comes, for everybody; only a change is announced. @param {string} name */
function tell(name) {
  const place = /** @type {HTMLElement} */ (document.getElementById("source"));
  place.setAttribute("role", "status");
  root.dataset.source = name;
  put(place, say(name));
}

function announce() {
  const text = totals.learners === undefined ? "" : say("summary", totals);
  if (text === polite) return;
  polite = text;
  put(/** @type {HTMLElement} */ (document.getElementById("polite")), text);
}

for (const row of /** @type {NodeListOf<HTMLTableRowElement>} */ (byItem.querySelectorAll("tr[data-item]"))) {
  items.set(row.dataset.item ?? "", row);
}
for (const row of /** @type {NodeListOf<HTMLTableRowElement>} */ (byLearner.querySelectorAll("tr[data-who]"))) {
  standing.set(row.dataset.who ?? "", row);
}
letName();
letSort();
setInterval(announce, POLITE_MS);
setInterval(() => learners.forEach(showLearner), AGES_MS);
run({ stream, state, word, take, tell });
