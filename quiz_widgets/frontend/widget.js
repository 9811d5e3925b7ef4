// Entry of the displayable widget, for layouts and for hosts where only a shown widget reaches its kernel.

import { el } from "./dom.js";
import { mount } from "./mount.js";
import { joinLink } from "./registry.js";
import { css } from "./styles.js";

/** @typedef {import("./registry.js").Model} Model */

export default {
  /** @param {{model: Model}} context */
  initialize({ model }) {
    return joinLink(model.get("quiz_id"), model);
  },

  /** @param {{model: Model, el: HTMLElement}} context */
  render({ model, el: place }) {
    const host = place.appendChild(el("div", { class: "quiz-widgets" }));
    const [quiz, practice, packs, view] = ["quiz", "practice", "packs", "view"].map((name) => model.get(name) ?? undefined);
    return mount(host, { quiz, practice, packs, view, attempt: model.get("attempt"), outcomes: model.get("outcomes") }, css);
  },
};
