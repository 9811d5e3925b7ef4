// Items whose options stand in rows: `order` and `match`. A part of its own: an output carries it, before its script,
// only if it shows such items. What they bring is the whole page's, as stores are.

import { matchShare, orderShare } from "./grade_rows.js";
import { MatchView } from "./match.js";
import { registry } from "./registry.js";
import { SequenceView } from "./sequence.js";

Object.assign(registry().kinds, {
  order: { View: SequenceView, share: orderShare },
  match: { View: MatchView, share: matchShare },
});
