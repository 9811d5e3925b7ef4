/** A poll's pages follow the poll: the counter goes up, and what changed is shown anew from the page itself. */

const EVERY_MS = 1000;

const first = document.getElementById("poll");
if (first) void follow(first);

/** @param {HTMLElement} shown */
async function follow(shown) {
  for (;;) {
    await new Promise((resolve) => setTimeout(resolve, EVERY_MS));
    if (document.hidden) continue;
    try {
      shown = await look(shown);
      note(shown, "");
    } catch {
      note(shown, shown.dataset.away ?? "");
    }
  }
}

/**
 * Ask where the poll stands; the element that then shows it.
 * @param {HTMLElement} shown
 */
async function look(shown) {
  const reply = await ask(shown, shown.dataset.state ?? "");
  const state = /** @type {{ sequence: number, counter: string }} */ (await reply.json());
  if (String(state.sequence) !== shown.dataset.sequence) return await again(shown);
  const counter = shown.querySelector("[data-counter]");
  if (counter && counter.textContent !== state.counter) counter.textContent = state.counter;
  return shown;
}

/**
 * Show the page's part anew, and keep the focus on what it was on, if that is still there.
 * @param {HTMLElement} shown
 */
async function again(shown) {
  const page = location.pathname; // without what was done before
  const text = await (await ask(shown, page)).text();
  const made = new DOMParser().parseFromString(text, "text/html").getElementById("poll");
  if (!made) throw new Error("the page has no poll");
  const focused = shown.contains(document.activeElement) ? document.activeElement?.id : undefined;
  shown.replaceWith(made);
  if (focused !== undefined) (document.getElementById(focused) ?? document.getElementById("main"))?.focus();
  return made;
}

/**
 * @param {HTMLElement} shown
 * @param {string} address
 */
async function ask(shown, address) {
  const reply = await fetch(address, { headers: { "X-Quiz-Desk-Word": shown.dataset.word ?? "" }, cache: "no-store" });
  if (!reply.ok) throw new Error(`${reply.status}`);
  return reply;
}

/**
 * Say that the page does not follow at this moment; nothing when it does.
 * @param {HTMLElement} shown
 * @param {string} words
 */
function note(shown, words) {
  const place = /** @type {HTMLElement | null} */ (shown.querySelector("[data-note]"));
  if (!place) return;
  if (place.textContent !== words) place.textContent = words;
  place.hidden = words === "";
}
