// Entry of the classic script in a `text/html` output: finds the host beside itself, never by id, so the same
// output shown twice on a page is two quizzes.

import { mount } from "./mount.js";

/** @typedef {import("./mount.js").MountData} MountData */

/** @param {MountData & {css: string}} data */
export function start(data) {
  const script = document.currentScript;
  const near = script?.parentNode ?? document;
  const host = near.querySelector(".quiz-widgets:not([data-mounted])") ?? document.querySelector(".quiz-widgets:not([data-mounted])");
  if (!(host instanceof HTMLElement)) return;
  host.dataset.mounted = "";
  mount(host, data, data.css);
}
