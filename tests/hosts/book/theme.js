// What the theme of MyST and Jupyter Book 2 does with outputs and `{anywidget}` directives of a built page, by the
// packages that it does it with. The theme around them is an application that npm does not have.

import { ANY_RENDERERS } from "@myst-theme/anywidget";
import { createElement } from "react";
import { createRoot } from "react-dom/client";

/** As `convertToIOutputs` of nbtx does: large contents lie in files of their own. */
async function whole(output) {
  const data = {};
  for (const [mime, { path, content }] of Object.entries(output.data)) {
    data[mime] = path ? await (await fetch(path)).text() : content;
  }
  return { ...output, data };
}

/** As `PassiveOutputRenderer` of @myst-theme/jupyter does, where there is no kernel. */
async function showOutput(place, node) {
  const { module: core } = window.thebeCore;
  const cell = new core.PassiveCellRenderer(node.id, core.makeRenderMimeRegistry(), undefined);
  cell.attachToDOM(place, true);
  cell.render(core.stripWidgets([await whole(node.jupyter_data)]));
}

async function show(node) {
  const place = document.querySelector("main").appendChild(document.createElement("div"));
  if (node.type === "output") await showOutput(place, node);
  else if (node.type === "anywidget") createRoot(place).render(createElement(ANY_RENDERERS.anywidget, { node }));
  else for (const child of node.children ?? []) await show(child);
}

const name = new URLSearchParams(location.search).get("page");
const { mdast } = await (await fetch(`/content/${name}.json`)).json();
await show(mdast);
