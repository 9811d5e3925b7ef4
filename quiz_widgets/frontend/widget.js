// Entry of the displayable widget, for layouts and for hosts where only a shown widget reaches its kernel. With a
// quiz written before it, it is the module that books show without a kernel (page.py).

import { el } from "./dom.js";
import { joinMessages } from "./messages.js";
import { mount } from "./mount.js";
import { joinLink } from "./registry.js";
import "./graded.js";
import "./rows.js";
import { css } from "./styles.js";

/** @typedef {import("./contract.js").ViewPayload} ViewPayload */
/** @typedef {import("./mount.js").MountData} MountData */
/** @typedef {import("./registry.js").Model} Model */

/** The quiz of a book's module, which only that module can see. @type {MountData | undefined} */
const carried = /** @type {any} */ (import.meta).quiz;

export default {
  /** @param {{model: Model}} context */
  initialize({ model }) {
    if (carried) return undefined; // a book's model reaches no kernel
    return (model.get("graded") ? joinMessages : joinLink)(model.get("quiz_id"), model);
  },

  /** @param {{model: Model, el: HTMLElement}} context */
  render({ model, el: place }) {
    const [quiz, practice, packs, view] = ["quiz", "practice", "packs", "view"].map((name) => model.get(name) ?? undefined);
    const linked = { quiz: model.get("shell") ?? quiz, practice, packs, view, attempt: model.get("attempt"), outcomes: model.get("outcomes") };
    const data = carried ? { ...carried, view: asked(model, carried) } : linked;
    return mount(place.appendChild(el("div", { class: "quiz-widgets" })), data, css);
  },
};

/**
 * What a book's page asks for: `items` by id or a `set`, else the main set. An error for what is not there.
 * @param {Model} model
 * @param {MountData} data
 * @returns {ViewPayload}
 */
function asked(model, { quiz }) {
  const [items, set] = ["items", "set"].map((name) => model.get(name));
  const ids = quiz.items.map(({ id }) => id);
  const sets = [...new Set(quiz.items.flatMap((item) => item.set ?? []))];
  for (const [what, names, known] of [["item", items ?? [], ids], ["set", set ?? [], sets]]) {
    const strange = [names].flat().filter((name) => !known.includes(name));
    if (strange.length) throw new Error(`quiz ${quiz.id}: there is no ${what} ${strange}; it has ${known.join(", ") || "none"}`);
  }
  return items ? { items: [items].flat() } : { set };
}
