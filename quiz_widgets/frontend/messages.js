// The link of a graded quiz: what it shares comes and goes in messages, and is held here. What a model holds, JupyterLab
// saves in the notebook where it is told to; of a graded quiz nothing may stand there.

import { joinLink } from "./registry.js";

/** @typedef {import("./registry.js").Model} Model */

/**
 * Join the page's store to a kernel once that has said what it shares; returns the function that takes it back.
 *
 * Each message has a number, which the model holds too: a page that missed one asks for everything.
 * @param {string} quizId
 * @param {Model} model
 */
export function joinMessages(quizId, model) {
  /** @type {Record<string, any>} */
  const held = {};
  /** @type {Map<string, Set<() => void>>} */
  const calls = new Map();
  /** @param {string} event */
  const of = (event) => calls.get(event) ?? new Set();
  let turn = 0;
  /** @type {(() => void) | undefined} */
  let leave;

  /** What the store sees of it. @type {Model} */
  const link = {
    get: (name) => held[name],
    set: (name, value) => void (held[name] = value),
    save_changes: () => model.send?.({ kind: "state", state: { events: held.events } }),
    on: (event, call) => void calls.set(event, of(event).add(call)),
    off: (event, call) => void of(event).delete(call),
  };
  const ask = () => model.send?.({ kind: "hello" });

  /** @param {{kind: string, turn: number, whole: boolean, state: Record<string, unknown>} | undefined} content */
  const hear = (content) => {
    if (content?.kind !== "state") return;
    if (!content.whole && content.turn !== turn + 1) return ask();
    turn = content.turn;
    // What is the same stays the same object: a page is drawn anew for another one.
    const news = Object.entries(content.state).filter(([name, value]) => JSON.stringify(value) !== JSON.stringify(held[name]));
    Object.assign(held, Object.fromEntries(news));
    if (!leave) leave = joinLink(quizId, link);
    else for (const call of new Set(news.flatMap(([name]) => [...of(`change:${name}`)]))) call();
  };
  // After a lost connection models are given their state again, and messages are not sent again.
  const compare = () => {
    if (leave && model.get("turn") > turn) ask();
  };

  model.on("msg:custom", hear);
  model.on("change:turn", compare);
  ask();
  return () => {
    model.off("msg:custom", hear);
    model.off("change:turn", compare);
    leave?.();
  };
}
