// Graded quizzes: a part of its own, which an output carries before its script only for one. It is built on the core's
// own classes: the store and the items of the page are those of practice, but for what follows from the desk.

import { gradedStore } from "./graded_store.js";
import { gradedView } from "./graded_view.js";
import { registry } from "./registry.js";
import { gradedCss } from "./styles.js";

registry().graded = (core) => ({ Store: gradedStore(core), View: gradedView(core), css: gradedCss });
