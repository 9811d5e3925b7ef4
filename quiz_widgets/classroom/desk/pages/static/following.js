// Hears of a state and its changes: by a stream, or by questions every few seconds where streams do not come through.

/** Where to ask, with which word; what takes in a state or a change, and what says how they come. @typedef {{stream: string, state: string, word: string, take: (told: any, whole: boolean) => void, tell: (name: string) => void}} Source */

const SILENT_MS = 15_000; // a stream says every few seconds that it lives
const POLL_MS = /** @type {const} */ ([5_000, 10_000]);

export let ahead = 0; // by how many ms the desk's clock is ahead of this one

/** @param {Source} source @param {string} address @param {AbortSignal} signal */
async function ask({ word }, address, signal) {
  const headers = { "X-Quiz-Desk-Word": word };
  const reply = await fetch(address, { headers, signal, cache: "no-store", redirect: "manual" });
  if (reply.ok) {
    ahead = Date.parse(reply.headers.get("Date") ?? "") - Date.now() || 0;
    return reply;
  }
  // A redirection leads to the login.
  if (reply.type === "opaqueredirect" || [401, 403, 404].includes(reply.status)) throw new Ended();
  throw new Error(`${reply.status}`);
}

class Ended extends Error {}

/** Follow the stream until it ends; whether it had told anything. @param {Source} source */
async function follow(source) {
  const cut = new AbortController();
  let timer = setTimeout(() => cut.abort(), SILENT_MS);
  let told = false;
  try {
    const reply = await ask(source, source.stream, cut.signal);
    const reader = /** @type {ReadableStream<Uint8Array>} */ (reply.body).getReader();
    const decoder = new TextDecoder();
    let rest = "";
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return told;
      clearTimeout(timer);
      timer = setTimeout(() => cut.abort(), SILENT_MS);
      const parts = (rest + decoder.decode(value, { stream: true })).split("\n\n");
      rest = parts.pop() ?? "";
      for (const part of parts) {
        const [, event, data] = /^event: (state|change)\ndata: (.*)$/.exec(part) ?? [];
        if (!data) continue;
        source.take(JSON.parse(data), event === "state");
        source.tell("following");
        told = true;
      }
    }
  } catch (error) {
    if (error instanceof Ended) throw error;
    return told;
  } finally {
    clearTimeout(timer);
    cut.abort();
  }
}

/** Ask once for all of it. @param {Source} source */
async function poll(source) {
  try {
    const reply = await ask(source, source.state, AbortSignal.timeout(SILENT_MS));
    source.take(await reply.json(), true);
    source.tell("polling");
  } catch (error) {
    if (error instanceof Ended) throw error;
    source.tell("away");
  }
}

/** @param {number} ms */
function pause(ms) {
  return new Promise((done) => setTimeout(done, ms));
}

/** Follow the source for as long as there is a login. @param {Source} source */
export async function run(source) {
  try {
    for (;;) {
      if (await follow(source)) {
        await pause(Math.random() * 1_000); // a stream that lasted its time: a whole class of pages must not come at once
        if (await follow(source)) continue;
      }
      await poll(source);
      await pause(POLL_MS[0] + Math.random() * (POLL_MS[1] - POLL_MS[0]));
    }
  } catch (error) {
    if (!(error instanceof Ended)) throw error;
    source.tell("ended");
  }
}
