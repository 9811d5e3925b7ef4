// The order of options, the drawn variant and the items drawn from pools, from ids alone: the same as in ordering.py.
// tests/cases/order.json holds the cases that both pass.

/** @typedef {import("./contract.js").ItemPayload} ItemPayload */
/** What stands for {name}, to be written as in `locale`. @typedef {{locale: string, values: Record<string, string>}} Numbers */

const UTF8 = new TextEncoder();

/**
 * FNV-1a over the UTF-8 bytes, then murmur3's finaliser; unsigned 32 bits.
 * @param {string} text
 */
export function hash32(text) {
  let value = 0x811c9dc5;
  for (const byte of UTF8.encode(text)) value = Math.imul(value ^ byte, 0x01000193);
  value = Math.imul(value ^ (value >>> 16), 0x85ebca6b);
  value = Math.imul(value ^ (value >>> 13), 0xc2b2ae35);
  return (value ^ (value >>> 16)) >>> 0;
}

/**
 * The options as this attempt shows them: shuffled by hash, then pins; never in the order that is the key.
 * @template {{id: string, pin?: "first" | "last"}} T
 * @param {T[]} options
 * @param {string} attempt
 * @param {string} item
 * @param {string[]} [key] of an item to put in order
 */
export function optionOrder(options, attempt, item, key) {
  const place = { first: 0, last: 2 };
  const shown = options
    .map((option) => ({ option, pin: option.pin ? place[option.pin] : 1, hash: hash32(`${attempt}/${item}/${option.id}`) }))
    .sort((a, b) => a.pin - b.pin || a.hash - b.hash || (a.option.id < b.option.id ? -1 : 1))
    .map((entry) => entry.option);
  return key && shown.every((option, at) => option.id === key[at]) ? [...shown.slice(1), ...shown.slice(0, 1)] : shown;
}

/**
 * The targets of a `match` as this attempt lists them.
 * @param {ItemPayload} item
 * @param {string} attempt
 */
export function targetOrder({ id, targets = [] }, attempt) {
  return optionOrder(targets, attempt, `${id}/target`);
}

/**
 * The index, among those given, of the drawn variant that this attempt shows.
 * @param {string} attempt
 * @param {string} item
 * @param {number[]} indexes
 */
export function pickVariant(attempt, item, indexes) {
  const hashed = indexes.map((index) => ({ index, hash: hash32(`${attempt}/${item}/${index}`) }));
  hashed.sort((a, b) => a.hash - b.hash || a.index - b.index);
  return hashed[0].index;
}

/**
 * What an attempt shows of the items that a page carries: those drawn from a pool stand where its first item stands.
 * @param {ItemPayload[]} items
 * @param {Record<string, number>} [pools] how many of each are drawn
 * @param {string} [attempt]
 */
export function drawnItems(items, pools, attempt = "") {
  const met = new Set();
  return items.flatMap((item) => {
    const { pool } = item;
    if (!pool || !pools) return item;
    if (met.has(pool)) return [];
    met.add(pool);
    return optionOrder(items.filter((one) => one.pool === pool), attempt, `pool/${pool}`).slice(0, pools[pool]);
  });
}

/**
 * What this attempt shows of an item with drawn numbers; nothing for any other item.
 * @param {ItemPayload} item
 * @param {string} attempt
 * @param {string} locale
 * @returns {{variant?: number, numbers?: Numbers}}
 */
export function drawn({ id, variants }, attempt, locale) {
  if (!variants) return {};
  const variant = pickVariant(attempt, id, variants.map((one) => one.index));
  return { variant, numbers: { locale, values: variants.find((one) => one.index === variant)?.numbers ?? {} } };
}
