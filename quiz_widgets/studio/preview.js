// The preview page: every question in every language, light and dark, with its problems. It asks the server for the
// next version of the author's files, and draws anew only what has changed, so the place on the page, what is typed
// and what is answered stay.

/** @typedef {{severity: "error" | "warning" | "note", place: string, path: string, message: string, hint: string, line: [string, string, string] | null}} Problem */
/** @typedef {{quiz: Object, practice: Object, view: Object} | {html: string}} Mount */
/** @typedef {{key: string, number?: number, id?: string, set?: string | null, found: string, problems: Problem[], mounts: Record<string, Mount>}} Section */
/** @typedef {{name: string, dir: string, words: Object}} Language */
/**
 * @typedef {Object} State
 * @property {number} version
 * @property {string} locale
 * @property {string} dir
 * @property {Record<string, string>} words
 * @property {string | null} title
 * @property {string} count
 * @property {boolean} readable
 * @property {Problem[]} problems
 * @property {string} css
 * @property {Record<string, Language>} locales
 * @property {Section[]} sections
 */

const start = /** @type {(data: Object) => void} */ (/** @type {any} */ (globalThis).quizWidgetsStart);
const SCHEMES = ["light", "dark"];
const PAUSE = 1000; // ms between two tries to reach a server that does not answer
const HIDDEN = "quiz-widgets-preview"; // where the page keeps which languages and schemes are hidden

let state = /** @type {State} */ (/** @type {any} */ (undefined));
let version = 0;
/** Sections by key, with the text that they were drawn from. @type {Map<string, {text: string, element: HTMLElement}>} */
const drawn = new Map();
/** @type {Set<string>} */
const hidden = new Set(JSON.parse(sessionStorage.getItem(HIDDEN) ?? "[]"));

/**
 * @param {string} tag
 * @param {Record<string, string>} [attributes]
 * @param {...(Node | string)} children
 */
function el(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  made.append(...children);
  return made;
}

/** An interface word; in a language from right to left its values are isolated. @param {string} name @param {Record<string, string>} [values] */
function say(name, values = {}) {
  return state.words[name].replace(/\{(\w+)\}/g, (_, key) => (state.dir === "rtl" ? `\u2068${values[key]}\u2069` : values[key]));
}

/** Text in which backticks mark code. @param {string} text */
function marked(text) {
  return text.split("`").map((part, index) => (index % 2 ? el("code", {}, part) : part));
}

const title = el("h1");
const news = el("p", { role: "status" });
const stale = el("p", { class: "stale" });
const filters = el("div", { class: "filters" });
const contents = el("nav");
const header = el("header", {}, title, news, stale, filters, contents);
const main = el("main");
document.body.append(header, main);

/** @param {Problem[]} problems */
function problemList(problems) {
  return el("ul", { class: "problems" }, ...problems.map((problem) => {
    const where = problem.path ? [el("code", {}, problem.path), ": "] : [];
    const said = el("p", { lang: "en", dir: "ltr" }, ...where, ...marked(problem.message));
    if (problem.hint) said.append(el("br"), el("span", { class: "hint" }, ...marked(problem.hint)));
    const place = el("p", { class: "place" }, el("strong", {}, state.words[problem.severity]), " ", el("bdi", { dir: "ltr" }, problem.place));
    const entry = el("li", { class: problem.severity }, place, said);
    if (problem.line) {
      const [before, found, after] = problem.line;
      entry.append(el("pre", { dir: "ltr", tabindex: "0", "aria-label": problem.place }, before, el("mark", {}, found || " "), after));
    }
    return entry;
  }));
}

/** @param {Section} section */
function heading(section) {
  if (section.number !== undefined) return say("question", { number: String(section.number) });
  return section.set == null ? say("whole") : say("set", { set: section.set });
}

/** A section without its players: these find their place in the document, so it must stand there first. @param {Section} section */
function sectionView(section) {
  const name = `at-${section.key.replace(/\W/g, "-")}`;
  const head = el("h2", { id: `${name}-title`, tabindex: "-1" }, heading(section));
  if (section.id) head.append(" ", el("code", { dir: "ltr" }, section.id));
  const element = el("section", { id: name, "aria-labelledby": `${name}-title` }, head);
  if (section.problems.length) element.append(problemList(section.problems));
  return element;
}

/**
 * A place for each language and scheme. A player is put in when its place comes near the window: a bank of questions
 * has more of them than a browser can follow at once.
 * @param {Section} section
 * @param {HTMLElement} element
 */
function mountAll(section, element) {
  for (const [locale, mount] of Object.entries(section.mounts)) {
    const { name } = state.locales[locale];
    const row = el("div", { class: "row" });
    element.append(el("div", { class: "language", "data-locale": locale }, el("h3", {}, name), row));
    for (const scheme of SCHEMES) {
      const label = `${heading(section)}, ${name}, ${say(scheme)}`;
      const card = el("div", { class: `card ${scheme}`, "data-scheme": scheme, role: "group", "aria-label": label });
      row.append(card);
      if ("html" in mount) {
        card.classList.add("still");
        card.innerHTML = mount.html; // made and sanitised as for a notebook; the page's policy lets no script of it run
      } else {
        waiting.set(card, () => startIn(card, label, { ...mount, quiz: { ...mount.quiz, words: state.locales[locale].words } }));
        near.observe(card);
      }
    }
  }
}

/** @param {HTMLElement} card @param {string} label @param {Object} data */
function startIn(card, label, data) {
  const host = el("div", { class: "quiz-widgets-live" });
  card.append(host);
  start({ ...data, css: state.css, packs: {}, heading: "h3" });
  // A page of learners shows a quiz once; of this many, each landmark needs a name of its own.
  for (const steps of host.shadowRoot?.querySelectorAll("nav") ?? []) steps.ariaLabel += `, ${label}`;
}

/** How to begin what is not yet near. @type {WeakMap<Element, () => void>} */
const waiting = new WeakMap();

const near = new IntersectionObserver((entries) => {
  for (const { target, isIntersecting } of entries) if (isIntersecting) begin(target);
}, { rootMargin: "1500px" });

/** @param {Element} card */
function begin(card) {
  near.unobserve(card);
  waiting.get(card)?.();
  waiting.delete(card);
}

addEventListener("beforeprint", () => document.querySelectorAll(".card").forEach(begin));

function drawSections() {
  const general = { key: "general", found: "", problems: state.problems, mounts: {} };
  const wanted = [...(state.problems.length ? [general] : []), ...state.sections];
  const shared = JSON.stringify([state.locale, state.css, state.locales]);
  for (const [key, { element }] of drawn) {
    if (wanted.some((section) => section.key === key)) continue;
    element.remove();
    drawn.delete(key);
  }
  let last = /** @type {Element | null} */ (null);
  for (const section of wanted) {
    const text = shared + JSON.stringify(section);
    let known = drawn.get(section.key);
    if (known?.text !== text) {
      const element = section === general ? generalView() : sectionView(section);
      if (known) known.element.replaceWith(element);
      else if (last) last.after(element);
      else main.prepend(element);
      mountAll(section, element);
      drawn.set(section.key, (known = { text, element }));
    } else if (known.element.previousElementSibling !== last) {
      if (last) last.after(known.element);
      else main.prepend(known.element);
    }
    last = known.element;
  }
}

function generalView() {
  const head = el("h2", { id: "general-title", tabindex: "-1" }, say("general"));
  return el("section", { id: "at-general", "aria-labelledby": "general-title" }, head, problemList(state.problems));
}

function drawContents() {
  const entries = state.sections.map((section) => {
    const link = el("a", { href: `#at-${section.key.replace(/\W/g, "-")}` }, section.id ? String(section.number) : heading(section));
    if (section.id) link.append(" ", el("code", { dir: "ltr" }, section.id));
    const weight = section.problems.some(({ severity }) => severity === "error") ? "error" : "warning";
    if (section.found) link.append(" ", el("span", { class: `count ${weight}` }, section.found));
    return el("li", {}, link);
  });
  contents.setAttribute("aria-label", say("questions"));
  contents.replaceChildren(el("ol", {}, ...entries));
}

function drawFilters() {
  const focused = document.activeElement?.getAttribute("value");
  /** @param {string} legend @param {[string, string][]} choices */
  const group = (legend, choices) => el("fieldset", {}, el("legend", {}, legend), ...choices.map(([value, text]) => {
    const box = /** @type {HTMLInputElement} */ (el("input", { type: "checkbox", value }));
    box.checked = !hidden.has(value);
    box.addEventListener("change", () => {
      hidden[box.checked ? "delete" : "add"](value);
      sessionStorage.setItem(HIDDEN, JSON.stringify([...hidden]));
      applyFilters();
    });
    return el("label", {}, box, " ", text);
  }));
  const languages = Object.entries(state.locales).map(([code, { name }]) => /** @type {[string, string]} */ ([code, name]));
  const schemes = SCHEMES.map((scheme) => /** @type {[string, string]} */ ([scheme, say(scheme)]));
  filters.replaceChildren(...(languages.length > 1 ? [group(say("languages"), languages)] : []), group(say("appearance"), schemes));
  if (focused) /** @type {HTMLElement | null} */ (filters.querySelector(`[value="${focused}"]`))?.focus();
}

function applyFilters() {
  for (const part of main.querySelectorAll("[data-locale], [data-scheme]")) {
    const { locale, scheme } = /** @type {HTMLElement} */ (part).dataset;
    part.toggleAttribute("hidden", hidden.has(locale ?? scheme ?? ""));
  }
}

function draw() {
  document.documentElement.lang = state.locale;
  document.documentElement.dir = state.dir;
  document.title = say("title", { title: state.title ?? state.words.untitled });
  title.textContent = document.title;
  stale.textContent = state.readable || state.title === null ? "" : say("unread");
  stale.hidden = !stale.textContent;
  drawFilters();
  drawContents();
  drawSections();
  applyFilters();
  const time = new Intl.DateTimeFormat(state.locale, { timeStyle: "medium" }).format(new Date());
  news.textContent = `${state.count}. ${say("read", { time })}`;
}

/** @returns {Promise<boolean>} whether the server is still there */
async function next() {
  const answer = await fetch(`state?after=${version}`);
  if (answer.status === 204) return true;
  if (!answer.ok) return false;
  state = await answer.json();
  version = state.version;
  draw();
  return true;
}

export {}; // a module: it may wait

for (;;) {
  const there = await next().catch((error) => {
    if (!(error instanceof TypeError)) console.error(error);
    return false;
  });
  document.body.classList.toggle("ended", !there);
  if (!there && state) news.textContent = say("ended");
  if (!there) await new Promise((resolve) => setTimeout(resolve, PAUSE));
}
