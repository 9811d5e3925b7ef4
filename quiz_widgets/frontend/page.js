// Entry of the classic script in a `text/html` output: finds the host beside itself, never by id, so the same
// output shown twice on a page is two quizzes.

import { mount } from "./mount.js";

/** @typedef {import("./mount.js").MountData} MountData */

/** @param {MountData & {css: string}} data */
export function start(data) {
  const fresh = ".quiz-widgets-live:not([data-mounted])";
  let place = document.currentScript?.parentElement;
  while (place && !place.querySelector(fresh)) place = place.parentElement;
  const host = (place ?? document).querySelector(fresh);
  if (!(host instanceof HTMLElement)) return;
  host.dataset.mounted = "";
  mount(host, data, data.css);
}
