// Reads a GIFT file with gift-pegjs, a grammar that is not ours, and prints its questions as JSON.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";

const { parse } = createRequire(import.meta.url)("gift-pegjs");
process.stdout.write(JSON.stringify(parse(readFileSync(process.argv[2], "utf-8"))));
