// What is measured inside JupyterLab's page: with the page's own clock, and without a message from outside in between.

window.probe = (() => {
  const PLAYERS = ".quiz-widgets-live"; // the only tool here that keeps its elements in shadow roots
  const app = () => window.jupyterapp;
  const panel = () => app().shell.currentWidget;
  const kernel = () => panel().sessionContext.session.kernel;
  const cellNode = (cell) => panel().content.widgets[cell].outputArea.node;
  const place = (cell) => (cell === null ? document.body : cellNode(cell)); // null: a page that is no notebook
  const roots = (root) => [root, ...[...root.querySelectorAll(PLAYERS)].flatMap((host) => host.shadowRoot ?? [])];

  /** All elements that fit, in the order of the page, also those in the players' shadow roots. */
  const all = (root, selector) => roots(root).flatMap((part) => [...part.querySelectorAll(selector)]);
  const shown = (element) => element.getBoundingClientRect().height > 0;
  const words = (element) => (element.matches("style, script") ? "" : element.innerText ?? "");
  const text = (root) => roots(root).map((part) => (part === root ? words(root) : [...part.children].map(words).join("\n"))).join("\n");
  const count = (root, pattern) => (text(root).match(new RegExp(pattern, "g")) ?? []).length;
  const turn = () => new Promise((resolve) => setTimeout(resolve, 0));
  const frame = () => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve, 0)));
  const buttons = (root, pattern) => all(root, "button").filter((button) => shown(button) && new RegExp(pattern).test(button.textContent.trim()));

  /** Wait until something is true; how many ms that took, or null after the limit. */
  const until = async (reached, limit, from = performance.now()) => {
    while (!reached()) {
      if (performance.now() - from > limit) return null;
      await turn();
    }
    return performance.now() - from;
  };

  const bytesOf = (value) => new TextEncoder().encode(JSON.stringify(value)).length;

  /** Whether the kernel has nothing to do any more; false when it has not come to rest within the limit. */
  const settle = async (limit) => {
    await frame(); // what was just clicked may still be on its way
    return (await until(() => kernel().status === "idle" && !kernel().hasPendingInput, limit)) !== null;
  };

  /** Run cells; ms until the first option is laid out and until all are, and the bytes that came for it. */
  const run = async ({ first, last, options, expected, limit }) => {
    const notebook = panel().content;
    const areas = notebook.widgets.slice(first, last + 1).map((cell) => cell.outputArea);
    for (const area of areas) area.model.clear();
    notebook.activeCellIndex = first;
    notebook.deselectAll();
    if (last > first) notebook.extendContiguousSelectionTo(last);
    await frame();
    await frame();
    const came = [];
    const note = (_, { msg, direction }) => direction === "recv" && msg.header.msg_type.startsWith("comm_") && came.push(msg);
    const sender = kernel();
    sender.anyMessage.connect(note);
    const found = () => areas.flatMap((area) => all(area.node, options));
    const failed = () => areas.some((area) => area.node.querySelector('[data-mime-type="application/vnd.jupyter.error"], [data-mime-type="application/vnd.jupyter.stderr"]'));
    const from = performance.now();
    app().commands.execute("notebook:run-cell");
    const one = await until(() => found().some(shown) || failed(), limit, from);
    const every = await until(() => failed() || (found().length >= expected && shown(found()[expected - 1])), limit, from);
    if (failed()) throw new Error(`the cell failed: ${areas.map((area) => text(area.node)).join("\n").slice(0, 2000)}`);
    notebook.deselectAll();
    const seen = found().length;
    if (every !== null) await settle(limit);
    sender.anyMessage.disconnect(note);
    return {
      first: one,
      all: every,
      seen,
      output: areas.reduce((sum, area) => sum + bytesOf(area.model.toJSON()), 0),
      messages: came.reduce((sum, { content, buffers = [] }) => sum + bytesOf(content) + buffers.reduce((all, one) => all + one.byteLength, 0), 0),
      models: came.filter(({ header }) => header.msg_type === "comm_open").length,
    };
  };

  /** The text that stands beside a control: that of the nearest element around it that has any. */
  const besides = (control) => {
    const written = (element) => element.textContent.replaceAll("\u200b", "").trim(); // ipywidgets leaves such in empty labels
    let around = control;
    while (around && !written(around)) around = around.parentElement;
    return around ? written(around) : "";
  };

  /** The control of one option of one question: its text is looked for, since some tools shuffle. */
  const option = (root, { options, per }, question, wanted) =>
    all(root, options).slice(question * per, (question + 1) * per).find((control) => besides(control) === wanted);

  const follows = (control) => (button) => control.compareDocumentPosition(button) & Node.DOCUMENT_POSITION_FOLLOWING;

  /** What a learner clicks to get feedback on a question: `answers` holds question and text of the option. */
  const clicks = (root, tool, answers) => {
    const choices = answers.map(([question, wanted]) => () => option(root, tool, question, wanted));
    if (!tool.check) return choices;
    const check = () => buttons(root, tool.check).find(follows(choices.at(-1)()));
    return [...choices, check];
  };

  /** Ms from the last click to the feedback, how many clicks, and whether it came before the next frame. */
  const feedback = async ({ cell, tool, answers, limit }) => {
    const root = place(cell);
    const todo = clicks(root, tool, answers);
    for (const click of todo.slice(0, -1)) {
      click().click();
      await frame();
    }
    const target = todo.at(-1)();
    if (!target) throw new Error(`no button or option to click in: ${text(root).slice(0, 500)}`);
    const before = count(root, tool.said);
    let framed = false;
    requestAnimationFrame(() => (framed = true));
    const from = performance.now();
    target.click();
    const ms = await until(() => count(root, tool.said) > before, limit, from);
    return { ms, clicks: todo.length, same_frame: ms !== null && !framed };
  };

  const nodes = (cell) => all(cellNode(cell), "*").length;

  /** Whether feedback lands in a live region that stood in the page before the answer. */
  const announced = async (how) => {
    const live = "[role=status],[role=alert],[role=log],output,[aria-live=polite],[aria-live=assertive]";
    const before = all(cellNode(how.cell), live).map((region) => [region, region.textContent]);
    await feedback(how);
    return before.some(([region, text]) => region.isConnected && region.textContent.trim() && region.textContent !== text);
  };

  /** Put focus on the control of an option, as after a click on it. */
  const focusOn = (cell, options, number) => {
    const found = all(cellNode(cell), options)[number];
    const control = found.matches("input, button") ? found : found.querySelector("input");
    control.focus();
  };

  /** What keys could have changed: how many cells there are, which is active, which options are chosen. */
  const state = (cell, options) => {
    const { widgets, activeCellIndex } = panel().content;
    const chosen = widgets[cell] ? all(cellNode(cell), options).map((control) => (control.matches("input") ? control : control.querySelector("input") ?? {}).checked ?? null) : [];
    return { cells: widgets.length, active: activeCellIndex, chosen };
  };

  return { app, panel, kernel, cellNode, place, all, shown, text, count, until, frame, run, feedback, announced, settle, nodes, focusOn, state };
})();
