// Making elements. `fill` is the only place where HTML goes in, and only HTML that markup.py made.

import { localNumber } from "./numbers.js";

/** @typedef {import("./contract.js").TextPayload} TextPayload */
/** @typedef {import("./order.js").Numbers} Numbers */
/** @typedef {Record<string, string | number | boolean | ((event: any) => void) | undefined>} Props */

/**
 * An element. Properties that are functions listen (`click: …`); `true` sets an empty attribute; strings are text.
 * @template {keyof HTMLElementTagNameMap} T
 * @param {T} tag
 * @param {Props} [props]
 * @param {(Node | string | null | undefined)[]} kids
 * @returns {HTMLElementTagNameMap[T]}
 */
export function el(tag, props = {}, ...kids) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(props)) {
    if (typeof value === "function") node.addEventListener(name, value);
    else if (value !== undefined && value !== false) node.setAttribute(name, value === true ? "" : String(value));
  }
  for (const kid of kids) if (kid !== null && kid !== undefined) node.append(kid);
  return node;
}

/**
 * A button. A held key and the second half of a double click do nothing.
 * @param {string} label
 * @param {() => void} act
 * @param {Props} [props]
 */
export function button(label, act, props = {}) {
  return el("button", {
    type: "button",
    ...props,
    /** @param {KeyboardEvent} event */
    keydown: (event) => event.repeat && event.key !== "Tab" && event.preventDefault(),
    /** @param {MouseEvent} event */
    click: (event) => event.detail < 2 && act(),
  }, label);
}

/**
 * Language and direction of a text on its box: of the whole box of control and label, not of a part.
 * @template {HTMLElement} T
 * @param {T} box
 * @param {TextPayload} text
 */
export function local(box, text) {
  if (typeof text !== "string") {
    box.lang = text.lang;
    box.dir = text.dir;
  }
  return box;
}

/**
 * Put a text of the content in an element, with what a drawn item puts for {name}.
 * @template {HTMLElement} T
 * @param {T} node
 * @param {TextPayload} text
 * @param {Numbers} [numbers]
 */
export function fill(node, text, numbers) {
  let html = typeof text === "string" ? text : text.html;
  if (numbers) {
    const { values, locale } = numbers;
    // A sign stays before its number in any direction; the text may be in another language than the page.
    const written = typeof text === "string" ? locale : text.lang;
    html = html.replace(/\{(\w+)\}/g, (whole, name) =>
      Object.hasOwn(values, name) ? el("bdi", { dir: "ltr" }, localNumber(values[name], written)).outerHTML : whole);
  }
  if (/[<&]/.test(html) || node instanceof HTMLTemplateElement) node.innerHTML = html;
  else node.textContent = html; // plain text needs no parser
  return local(node, text);
}

/** @param {TextPayload} text the same without markup; formulas as they are written @param {Numbers} [numbers] */
export function plain(text, numbers) {
  const made = fill(document.createElement("template"), text, numbers);
  for (const math of made.content.querySelectorAll("math")) math.replaceWith(math.getAttribute("alttext") ?? "");
  return (made.content.textContent ?? "").trim();
}

/** @param {HTMLElement} node focus, wherever it is */
export function focusOn(node) {
  if (!node.matches("button, input, select, a")) node.tabIndex = -1;
  node.focus();
}
