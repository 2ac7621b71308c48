// Selects and sorts calls: the chips, the search text with its terms, and the columns.

import { elapsed, hasEvents, hasGraphQLErrors, isRetried } from "./call.js";
import { urlParts } from "./format.js";

/// The chips above the list, by name.
export const chips = [
  ["all", "All", () => true],
  ["failed", "Failed", (call) => call.state === "failed"],
  ["running", "Running", (call) => call.state === "running"],
  ["retried", "Retried", isRetried],
  ["cached", "Cached", (call) => ["hit", "revalidated", "stale"].includes(call.cache?.verdict)],
  ["graphql", "GraphQL", (call) => call.kind === "graphql" || call.operations.length > 0],
  ["graphql-errors", "GraphQL errors", hasGraphQLErrors],
  ["streams", "Streams", hasEvents],
  ["transfers", "Transfers", (call) => call.kind === "download" || call.kind === "upload"],
];

const texts = new WeakMap();

function searchText(call) {
  let result = texts.get(call);
  if (result === undefined) {
    const parts = [call.name, call.method, call.url, call.route, ...call.operations.flatMap(({ name, type }) => [name, type]), call.kind, call.state, call.status,
      call.outcome, call.error?.case, call.error?.text, call.cache?.verdict, ...call.tags, ...call.attempts.flatMap((attempt) => [attempt.url, attempt.status, attempt.error])];
    result = parts.filter((part) => part !== null && part !== undefined).join("\n").toLowerCase();
    texts.set(call, result);
  }
  return result;
}

const units = { "": 1, b: 1, k: 1e3, kb: 1e3, m: 1e6, mb: 1e6, g: 1e9, gb: 1e9 };
const times = { "": 0.001, ms: 0.001, s: 1, m: 60, min: 60 };

function quantity(text, factors) {
  const match = /^([0-9.]+)([a-z]*)$/.exec(text);
  return match && factors[match[2]] !== undefined ? Number(match[1]) * factors[match[2]] : null;
}

const statuses = (call) => [call.status, ...call.attempts.map((attempt) => attempt.status)].filter((code) => code !== null).map(String);
const matchesStatus = (call, value) => {
  const pattern = new RegExp(`^${value.replace(/[^0-9x]/g, "").replaceAll("x", "[0-9]")}`);
  return statuses(call).some((code) => pattern.test(code));
};

/// The terms `NAME:VALUE` of the search text.
export const terms = {
  status: ["status:5xx", "a status of any attempt", matchesStatus],
  method: ["method:post", "the method", (call, value) => call.method.toLowerCase() === value],
  host: ["host:cdn", "part of the host", (call, value) => urlParts(call.url).host.toLowerCase().includes(value)],
  kind: ["kind:download", "the kind of call", (call, value) => call.kind.startsWith(value)],
  tag: ["tag:login", "part of a tag", (call, value) => call.tags.some((tag) => tag.toLowerCase().includes(value))],
  cache: ["cache:hit", "the verdict of the cache", (call, value) => call.cache?.verdict.startsWith(value) ?? false],
  error: ["error:decoding", "part of the error", (call, value) => `${call.error?.case ?? ""} ${call.error?.text ?? ""}`.toLowerCase().includes(value)],
  slower: ["slower:500ms", "calls that took longer", (call, value) => (elapsed(call) ?? 0) > (quantity(value, times) ?? 0)],
  larger: ["larger:10kb", "calls that received more", (call, value) => (call.bytes.received ?? 0) > (quantity(value, units) ?? 0)],
};

/// Parses the search text: words, `"quoted text"`, terms, and `-` before any of them to exclude.
export function parseSearch(text) {
  const tests = [];
  for (const [, minus, name, quoted, word] of text.toLowerCase().matchAll(/(-?)(?:([a-z]+):)?(?:"([^"]*)"?|(\S+))/g)) {
    const value = quoted ?? word;
    const term = name && Object.hasOwn(terms, name) ? terms[name][2] : null;
    const whole = term || !name ? value : `${name}:${value}`;
    const isUnfinished = !value || value === "-" || (value.endsWith(":") && Object.hasOwn(terms, value.slice(0, -1)));
    if (isUnfinished) continue;
    const test = term ? (call) => term(call, whole) : (call) => searchText(call).includes(whole);
    tests.push(minus ? (call) => !test(call) : test);
  }
  return (call) => tests.every((test) => test(call));
}

/// The orders of the list, by column.
export const orders = {
  time: (call) => call.started,
  status: (call) => call.status ?? (call.state === "failed" ? 1000 : 0),
  name: (call) => call.name.toLowerCase(),
  size: (call) => call.bytes.received ?? 0,
  duration: (call) => elapsed(call) ?? 0,
};

/// Sorts calls. Calls with equal keys stay in the order in which they started.
export function sorted(calls, { column, isDescending }) {
  const key = orders[column];
  const sign = isDescending ? -1 : 1;
  return calls.map((call) => [key(call), call]).sort(([a], [b]) => (a < b ? -sign : a > b ? sign : 0)).map(([, call]) => call);
}
