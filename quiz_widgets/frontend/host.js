// The only place that knows differences between hosts: where things are kept, who else listens to keys, where
// a guide's section is.

/** The settings of JupyterLab or Notebook 7, where one of them runs this page. */
export function jupyterConfig() {
  return document.getElementById("jupyter-config-data");
}

/**
 * What names this page in its storage. Jupyter's address follows the notebook in front, so there the server's
 * base address stands for all of its pages.
 */
function pagePath() {
  const config = jupyterConfig()?.textContent;
  try {
    if (config) return String(JSON.parse(config).baseUrl);
  } catch {
    // not the configuration we know: the address will do
  }
  return location.pathname;
}

/** A page's storage for one quiz; where storage is forbidden it keeps nothing, and says so. */
export class Shelf {
  /** @param {string} quizId */
  constructor(quizId) {
    this.name = `quiz_widgets/${quizId}/${pagePath()}`;
    this.works = true;
    /** Whether it is being written: then it is kept as long as its tab, and no kernel records it. */
    this.draft = quizId.startsWith("draft:");
  }

  place() {
    return this.draft ? sessionStorage : localStorage;
  }

  /** @returns {any} what was kept; undefined for nothing, and for what something else has written */
  read() {
    try {
      const all = JSON.parse(this.place()[this.name]);
      for (const { event } of Object.values(all.outcomes)) event.id.at();
      for (const { id, response } of all.events) response.at(id.at());
      return all;
    } catch {
      // every other shape throws above
    }
  }

  /** @param {unknown} value */
  write(value) {
    try {
      this.place().setItem(this.name, JSON.stringify(value));
      this.works = true;
    } catch {
      this.works = false; // sandboxed frame, forbidden or full
    }
  }

  clear() {
    try {
      this.place().removeItem(this.name);
    } catch {
      // nothing can stand there either
    }
  }

  /** @param {() => void} callback called when another tab has written */
  watch(callback) {
    addEventListener("storage", (event) => {
      if (event.key === this.name) callback();
    });
  }
}

/** 128 random bits in hex. Not `randomUUID`: plain http has none. */
export function randomId() {
  return [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

const SUPPRESS = "data-lm-suppress-shortcuts";

/**
 * Keep plain keys inside: JupyterLab would take arrows, and `b`, `x` or `d d` would change cells. Ctrl and Meta
 * combinations, Tab, Escape and Shift+Enter reach the host: Ctrl+S saves, Shift+Enter runs the cell.
 *
 * JupyterLab listens in the bubbling phase, so stopping the event at the shadow root is enough. Notebook 7 listens
 * at the document in the capture phase, before any of our elements hear of the key; it honours an attribute, but
 * only on the event's target as seen from outside: the shadow host. There the attribute would keep Ctrl+S as well,
 * so a listener at the window, which comes first of all, sets it for each key anew.
 * @param {ShadowRoot} root
 * @param {AbortSignal} signal
 */
export function shieldKeys(root, signal) {
  const known = new WeakRef(root); // a cell run again drops its output without a word
  addEventListener(
    "keydown",
    (event) => {
      const ours = known.deref();
      if (ours && event.composedPath().includes(ours)) ours.host.toggleAttribute(SUPPRESS, isPlain(event));
    },
    { capture: true, signal },
  );
  root.addEventListener("keydown", (event) => isPlain(/** @type {KeyboardEvent} */ (event)) && event.stopPropagation(), { signal });
}

/** @param {KeyboardEvent} event */
function isPlain(event) {
  const target = event.composedPath()[0];
  const typing = target instanceof HTMLInputElement && target.type === "text";
  if (event.ctrlKey || event.metaKey) return typing && /^[acvxyz]$/i.test(event.key); // editing the text itself
  return !(event.key === "Tab" || event.key === "Escape" || (event.key === "Enter" && event.shiftKey));
}

/**
 * The document around an element: its notebook, where a page holds several.
 * @param {Element} near
 * @returns {Element | Document}
 */
export function documentOf(near) {
  return near.closest(".jp-Notebook") ?? document;
}

/**
 * A place in the same document, by id. JupyterLab's sanitiser renames ids.
 * @param {Element} near
 * @param {string} id
 * @returns {HTMLElement | null}
 */
export function findPlace(near, id) {
  const name = CSS.escape(id);
  return documentOf(near).querySelector(`#${name}, [data-jupyter-id="${name}"]`);
}

/** Whether the reader wants nothing to move. */
export function stillness() {
  return matchMedia("(prefers-reduced-motion: reduce)").matches;
}

/**
 * Scroll to a place and go on reading from there.
 * @param {HTMLElement} place
 */
export function goTo(place) {
  place.scrollIntoView({ behavior: stillness() ? "auto" : "smooth", block: "start" });
  if (!place.matches("a[href], button")) place.tabIndex = -1; // a bare anchor has 0 and yet takes no focus
  place.focus({ preventScroll: true });
}
