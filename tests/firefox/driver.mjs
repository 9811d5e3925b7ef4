// Drives Firefox for tests/firefox: one JSON command a line in, one JSON answer a line out.
//
// Elements are found by role and name in Firefox's own accessibility tree, through shadow roots.

import { createInterface } from "node:readline";
import puppeteer from "puppeteer-core";

const PATIENCE = 20_000; // ms; a busy machine draws late
const [executablePath] = process.argv.slice(2);
const browser = await puppeteer.launch({ browser: "firefox", executablePath, headless: true, protocolTimeout: 60_000 });
/** Browser contexts by name: each has storage of its own. @type {Map<string, import("puppeteer-core").BrowserContext>} */
const profiles = new Map();
/** @type {Map<number, {page: import("puppeteer-core").Page, errors: string[]}>} */
const tabs = new Map();

/** @param {string} role @param {string | undefined} name */
function selector(role, name) {
  const named = name === undefined ? "" : `[name=${JSON.stringify(name)}]`;
  return `>>> ::-p-aria(${named}[role=${JSON.stringify(role)}])`;
}

/** @param {import("puppeteer-core").Page} page @param {{role: string, name?: string}} wanted */
async function visible(page, { role, name }) {
  const found = await page.$$(selector(role, name));
  const shown = await Promise.all(found.map((handle) => handle.isVisible()));
  return found.filter((_, index) => shown[index]);
}

/** @param {import("puppeteer-core").Page} page @param {{role: string, name?: string, index?: number}} wanted */
async function element(page, wanted) {
  const end = Date.now() + PATIENCE;
  for (;;) {
    const found = (await visible(page, wanted))[wanted.index ?? 0];
    if (found) return found;
    if (Date.now() > end) throw new Error(`no ${wanted.role} is called ${JSON.stringify(wanted.name)}`);
    await new Promise((go) => setTimeout(go, 100));
  }
}

/** @type {Record<string, (command: any, tab: any) => Promise<unknown>>} */
const commands = {
  async open({ tab, profile, url }) {
    if (!profiles.has(profile)) profiles.set(profile, await browser.createBrowserContext());
    const page = await profiles.get(profile).newPage();
    const errors = [];
    page.on("pageerror", (error) => errors.push(error.message));
    page.on("console", (message) => message.type() === "error" && errors.push(message.text()));
    tabs.set(tab, { page, errors });
    await page.goto(url);
  },
  reload: async (_, { page }) => void (await page.reload()),
  click: async (command, { page }) => (await element(page, command)).click(),
  focus: async (command, { page }) => (await element(page, command)).focus(),
  count: async (command, { page }) => (await visible(page, command)).length,
  text: async (command, { page }) => (await element(page, command)).evaluate((node) => node.innerText),
  type: async ({ text }, { page }) => page.keyboard.type(text),
  async press({ key }, { page }) {
    const keys = key.split("+");
    for (const held of keys.slice(0, -1)) await page.keyboard.down(held);
    await page.keyboard.press(keys.at(-1));
    for (const held of keys.slice(0, -1)) await page.keyboard.up(held);
  },
  async drag({ points }, { page }) {
    const [start, ...way] = points;
    await page.mouse.move(...start);
    await page.mouse.down();
    for (const point of way) await page.mouse.move(...point, { steps: 4 });
    await page.mouse.up();
  },
  evaluate: async ({ code, value }, { page }) => page.evaluate(`(${code})(${JSON.stringify(value ?? null)})`),
  async width({ width }, { page }) {
    // The ESR of 2025 does as it is told, but knows no orientation of screens, which puppeteer sets as well.
    const failed = await page.setViewport({ width, height: 900 }).catch((error) => error);
    const fits = page.waitForFunction(`innerWidth === ${width}`, { timeout: PATIENCE });
    await fits.catch((error) => Promise.reject(failed ?? error));
  },
  errors: async (_, { errors }) => errors,
  version: async () => browser.version(),
  async close() {
    await Promise.all([...profiles.values()].map((profile) => profile.close()));
    profiles.clear();
    tabs.clear();
  },
};

for await (const line of createInterface({ input: process.stdin })) {
  const command = JSON.parse(line);
  let answer;
  try {
    answer = { value: (await commands[command.do](command, tabs.get(command.tab))) ?? null };
  } catch (error) {
    answer = { error: String(error) };
  }
  process.stdout.write(`${JSON.stringify(answer)}\n`);
}
await browser.close();
