// A graded quiz as its learner sees it: its head, and below it the questions, or the votes of a poll.

import { el, focusOn } from "./dom.js";
import { HeadView, MINUTE, SOON } from "./graded_head.js";
import { pollView } from "./graded_poll.js";
import { questionsView } from "./graded_questions.js";

/** @typedef {import("./contract.js").ItemPayload} ItemPayload */
/** @typedef {import("./graded_store.js").GradedStore} GradedStore */
/** @typedef {import("./player.js").Setting} Setting */

/** @param {import("./mount.js").Core} core */
export function gradedView(core) {
  const [Questions, Poll] = [questionsView(core), pollView(core)];
  return class {
    /** @param {Setting} setting @param {ItemPayload[]} items @param {number} [index] where to go on */
    constructor(setting, items, index) {
      this.setting = setting;
      this.store = /** @type {GradedStore} */ (setting.store);
      this.items = items;
      this.attempt = this.store.id;
      this.head = new HeadView(setting, !items.length);
      this.root = el("div", { class: "player graded" }, this.head.root);
      /** @type {InstanceType<typeof Questions> | InstanceType<typeof Poll> | undefined} */
      this.body = undefined;
      this.fit(index);
      this.update();
      this.wait();
    }

    /** Where another view goes on. */
    get index() {
      return this.body instanceof Questions ? this.body.index : undefined;
    }

    /** What stands below the head: nothing before an attempt is opened. @param {number} [index] */
    fit(index) {
      const { store, setting, items, body } = this;
      const poll = Boolean(store.id && store.desk?.poll);
      if (body && poll === body instanceof Poll) return;
      body?.root.remove();
      this.body = poll ? new Poll(setting, items) : items.length ? new Questions(setting, items, index) : undefined;
      if (this.body) this.root.append(this.body.root);
    }

    /** Take what a link has brought since, if that needs no other view: of a poll, the next question. @param {Setting} setting @param {ItemPayload[]} items */
    carry(setting, items) {
      if (!(this.body instanceof Poll) || setting.words.locale !== this.setting.words.locale) return false;
      const focused = this.root.querySelector(":focus");
      Object.assign(this, { setting, items });
      this.head.carry(setting, !items.length);
      this.body.carry(setting, items);
      this.draw();
      this.hold(focused);
      return true;
    }

    /** Focus goes on here: the questions came while it was inside. */
    enter() {
      if (this.body) this.body.enter();
      else focusOn(this.head.title);
    }

    update() {
      const focused = this.root.querySelector(":focus");
      this.draw();
      this.hold(focused);
    }

    /** A button that is gone takes no focus with it. @param {Element | null} focused what had it */
    hold(focused) {
      if (focused?.isConnected && !focused.checkVisibility()) {
        if (this.body) this.body.enter(focused);
        else focusOn(this.head.title);
      }
    }

    draw() {
      this.head.update();
      this.fit();
      this.body?.update();
      this.root.classList.toggle("locked", Boolean(this.body) && this.store.locked());
    }

    /** Look at the clock again: each minute, each second at the end, and when something opens or ends. */
    wait() {
      const remaining = this.store.running() ? this.store.remaining() : undefined;
      const { desk } = this.store;
      const opens = !this.store.id && desk?.opens ? desk.opens - this.store.deskNow() : 0;
      const pace = remaining === undefined ? MINUTE : remaining <= SOON ? remaining % 1000 : Math.min(remaining % MINUTE, remaining - SOON);
      const known = new WeakRef(this); // a cell run again drops its output without a word
      setTimeout(() => {
        const here = known.deref();
        if (!here) return;
        const locked = here.root.classList.contains("locked");
        if (here.body && locked === here.store.locked()) here.head.update();
        else here.store.tell();
        here.wait();
      }, Math.max(200, Math.min(pace, opens > 0 ? opens : MINUTE) + 20));
    }
  };
}
