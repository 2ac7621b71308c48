// Reads HAR 1.2: recordings of Martlet, whose entries are attempts of calls, and of other tools, whose entries are calls.

import { read } from "./call.js";
import { callOfEntry, messages } from "./har-entry.js";
import { attemptOfEntry } from "./har-attempt.js";

const largestFile = 300000000;
const mostEntries = 20000;

/// An error whose message is meant for the user.
export class HARError extends Error {}

/// Reads a file. Throws `HARError` if it is not a HAR file.
export async function readFile(file) {
  if (file.size > largestFile) throw new HARError(`“${file.name}” is larger than 300 MB.`);
  return readHAR(await file.text(), file.name);
}

/// Returns the calls of a HAR text, the tool that wrote it, and the entries that could not be read.
export function readHAR(text, name) {
  let value;
  try {
    value = JSON.parse(text.charCodeAt(0) === 0xfeff ? text.slice(1) : text);
  } catch (error) {
    if (text.includes("\0")) throw new HARError(`“${name}” is not a text file.`);
    if (!text.trim()) throw new HARError(`“${name}” is empty.`);
    const isCut = text.trimStart().startsWith("{") && !text.trimEnd().endsWith("}");
    throw new HARError(isCut ? `“${name}” ends in the middle; it is damaged or was not written completely.` : `“${name}” is not valid JSON: ${error.message.slice(0, 200)}`);
  }
  const log = read.object(read.object(value)?.log);
  if (!log || !Array.isArray(log.entries)) throw new HARError(`“${name}” is JSON but not a HAR file: “log.entries” is missing.`);
  const skipped = [];
  const entries = log.entries.slice(0, mostEntries).filter((entry, index) => {
    const isUsable = read.object(entry) && read.object(entry.request) && typeof entry.request.url === "string";
    if (!isUsable) skipped.push(index + 1);
    return isUsable;
  });
  const calls = Array.isArray(log._calls) ? callsOfMartlet(log._calls, entries) : entries.map((entry, index) => callOfEntry(entry, `har-${index + 1}`));
  const creator = read.object(log.creator);
  return { calls: calls.sort((a, b) => a.started - b.started), creator: creator ? read.text(creator.name) : "", skipped, omitted: Math.max(0, log.entries.length - mostEntries) };
}

/// Joins the calls of Martlet with their attempts. An entry without its call becomes a call.
function callsOfMartlet(values, entries) {
  const groups = new Map();
  const calls = [];
  for (const value of values) {
    const call = read.object(value);
    if (!call || !read.text(call.id) || groups.has(read.text(call.id))) continue;
    const group = { ...call, attempts: [] };
    groups.set(read.text(call.id), group);
    calls.push(group);
  }
  entries.forEach((entry, index) => {
    const call = groups.get(read.text(entry._call));
    if (call) {
      const started = read.number(call.started) ?? 0;
      call.attempts.push(attemptOfEntry(entry, call.attempts.length + 1, started));
      const added = messages(entry, started);
      if (added) call.stream = [...read.list(call.stream), ...added].slice(-2000);
    } else calls.push(callOfEntry(entry, `entry-${index + 1}`));
  });
  for (const call of calls) call.attempts.sort((a, b) => a.number - b.number);
  return calls;
}
