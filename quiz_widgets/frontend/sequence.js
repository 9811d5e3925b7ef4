// The rows of an `order` item: dragged by pointer, or moved by their buttons. Either way the other row moves past the
// one that is held, so that neither focus nor the pointer is lost.

import { button, el, fill, local, plain } from "./dom.js";
import { stillness } from "./host.js";
import { optionOrder } from "./order.js";
import { rowsCss } from "./styles.js";

/** @typedef {import("./item.js").Shown} Shown */
/** @typedef {import("./item.js").Look} Look */
/** @typedef {import("./contract.js").OptionPayload} OptionPayload */
/** @typedef {ReturnType<SequenceView["row"]>} Row */

export class SequenceView {
  /** @param {Shown} shown @param {(chosen: string[]) => void} choose */
  constructor(shown, choose) {
    this.shown = shown;
    this.choose = choose;
    const { id, item, store, words, practice } = shown;
    this.locked = false;
    /** @type {Row | undefined} */
    this.held = undefined;
    /** What was moved where; the verdict has a live region of its own. */
    this.said = el("p", { class: "sr", role: "status" });
    /** As they are first shown. */
    this.start = optionOrder(item.options, store.id, item.id, practice?.key).map((option) => this.row(option));
    /** As they stand. */
    this.rows = [...this.start];
    this.how = el("p", { class: "note", id: id("how") }, words.say("order_how"));
    this.list = el("ol", { class: "order" }, ...this.rows.map(({ box }) => box));
    this.root = el("div", {}, el("style", {}, rowsCss), this.how, this.list, this.said);
  }

  /** @param {OptionPayload} option */
  row({ id, text }) {
    const { words } = this.shown;
    const { locale: lang, dir } = words;
    const name = plain(text);
    const mark = el("span", { class: "mark", lang, dir });
    const why = el("div", { class: "why" });
    const arrows = [-1, 1].map((by) => button(by < 0 ? "↑" : "↓", () => this.move(row, by) && this.moved(row), {
      class: "arrow",
      "aria-label": words.say(by < 0 ? "move_up" : "move_down", { text: name }),
    }));
    const ends = el("span", { class: "arrows", lang, dir }, ...arrows);
    /** @param {PointerEvent} event */
    const pointerdown = (event) => this.grab(row, event);
    const lane = el("div", { class: "lane", pointerdown }, el("span", { class: "grip" }), fill(el("div", { class: "text" }), text), mark, ends);
    const row = { id, name, box: local(el("li", { class: "option" }, lane, why), text), mark, why, arrows, ends };
    return row;
  }

  chosen() {
    return this.rows.map((row) => row.id);
  }

  /** An order that nobody has touched is no response. */
  read() {
    return this.touched ? this.chosen() : null;
  }

  fault() {
    return this.shown.words.say("nothing_moved");
  }

  complain() {
    // nothing moved is said once, and no row is at fault
  }

  first() {
    return this.rows[0].arrows[1];
  }

  /** Let the neighbour pass; false where there is none. @param {Row} row @param {number} by -1 or 1 */
  move(row, by) {
    const at = this.rows.indexOf(row);
    const other = this.rows[at + by];
    if (this.locked || !other) return false;
    const before = other.box.offsetTop;
    row.box[by < 0 ? "after" : "before"](other.box);
    this.rows.splice(at, 1);
    this.rows.splice(at + by, 0, row);
    if (!stillness()) other.box.animate({ translate: [`0 ${before - other.box.offsetTop}px`, "0"] }, 130);
    return true;
  }

  /** Tell it, and keep it. @param {Row} row */
  moved(row) {
    const { words } = this.shown;
    this.said.textContent = words.say("moved", { text: row.name, place: this.rows.indexOf(row) + 1, count: this.rows.length });
    this.choose(this.chosen());
  }

  /** Drag a row: by its handle, or with a mouse anywhere; a finger elsewhere scrolls. @param {Row} row @param {PointerEvent} event */
  grab(row, event) {
    const { target, pointerId } = event;
    const on = (/** @type {string} */ what) => target instanceof Element && target.closest(what);
    if (this.locked || this.held || event.button || on("button, a") || (event.pointerType !== "mouse" && !on(".grip"))) return;
    const { box } = row;
    const before = this.chosen().join();
    let from = event.clientY;
    const end = (/** @type {HTMLElement} */ row) => row.offsetTop + row.offsetHeight;
    const drag = (/** @type {PointerEvent} */ { clientY }) => {
      const by = Math.sign(clientY - from);
      for (;;) {
        const other = this.rows[this.rows.indexOf(row) + by]?.box;
        // As far as the row would go, gap included: half of less, and it would at once be as far on the other side.
        const far = other && (by < 0 ? box.offsetTop - other.offsetTop : end(other) - end(box));
        if (!far || by * (clientY - from) <= far / 2 || !this.move(row, by)) break;
        from += by * far;
      }
      box.style.translate = `0 ${clientY - from}px`;
    };
    const drop = () => {
      box.removeEventListener("pointermove", drag);
      box.classList.remove("held");
      box.style.translate = "";
      this.held = undefined;
      if (before === this.chosen().join()) return;
      this.moved(row);
    };
    this.held = row;
    box.classList.add("held");
    box.setPointerCapture(pointerId);
    box.addEventListener("pointermove", drag);
    box.addEventListener("lostpointercapture", drop, { once: true });
  }

  /** @param {Look} look */
  show({ phase, chosen }) {
    const { practice, words } = this.shown;
    const closed = phase === "closed";
    const key = practice?.key ?? [];
    const places = chosen.map((id) => key.indexOf(id));
    const settled = longest(places).map((at) => chosen[at]);
    this.locked = closed;
    this.touched = chosen.length > 0;
    if (!this.held) this.arrange(closed && practice ? key : chosen);
    this.rows.forEach((row, at) => {
      const had = chosen.indexOf(row.id);
      const right = closed ? had === at : settled.includes(row.id);
      const judged = Boolean(practice) && had >= 0 && (closed || (phase === "wrong" && !right));
      row.box.className = `option${judged ? (right ? " right" : " wrong") : ""}${row === this.held ? " held" : ""}`;
      row.mark.textContent = !judged ? "" : right ? `✓ ${words.say("sum_right")}`
        : `✗ ${closed ? words.say("mark_place", { place: had + 1 }) : words.say("mark_misplaced")}`;
      fill(row.why, ((closed || judged) && practice?.rationales[row.id]) || "");
      row.ends.hidden = closed;
      row.arrows.forEach((arrow, end) => {
        arrow.ariaDisabled = at === (end ? this.rows.length - 1 : 0) ? "true" : null;
      });
    });
    this.how.hidden = closed;
    this.list.classList.toggle("closed", closed);
  }

  /** Put the rows in an order that came from elsewhere; none: as first shown. @param {string[]} ids */
  arrange(ids) {
    const wanted = ids.length ? ids.flatMap((id) => this.start.filter((row) => row.id === id)) : this.start;
    if (wanted.every((row, at) => row === this.rows[at])) return;
    this.rows = [...wanted];
    this.list.replaceChildren(...wanted.map(({ box }) => box));
  }

  /** What a screen reader hears with the verdict. */
  spoken() {
    return this.rows.filter(({ box }) => box.matches(".wrong")).map(({ name, why }) => `${name}: ${why.textContent}`).join(" ");
  }

  answer() {
    return el("p", {}, this.shown.words.say("order_answer"));
  }
}

/**
 * Where the longest run of growing numbers stands: what is outside of it has to move.
 * @param {number[]} numbers
 * @returns {number[]}
 */
function longest(numbers) {
  /** The longest run that ends at each place. @type {number[][]} */
  const runs = [];
  const best = (/** @type {number[][]} */ some) => some.reduce((a, b) => (b.length > a.length ? b : a), []);
  for (const [at, number] of numbers.entries()) runs.push([...best(runs.filter((_, before) => numbers[before] < number)), at]);
  return best(runs);
}
