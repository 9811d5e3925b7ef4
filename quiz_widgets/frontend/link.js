// Entry of the link: an anywidget that is never displayed and joins the page's store to a kernel.

import { joinMessages } from "./messages.js";
import { joinLink } from "./registry.js";

/** @typedef {import("./registry.js").Model} Model */

export default {
  /** @param {{model: Model}} context */
  initialize({ model }) {
    return (model.get("graded") ? joinMessages : joinLink)(model.get("quiz_id"), model);
  },
};
