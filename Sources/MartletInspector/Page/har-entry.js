// Makes a call from a HAR entry that belongs to no call: an entry of another tool.

import { read } from "./call.js";
import { urlParts } from "./format.js";
import { attemptOfEntry, unixTime } from "./har-attempt.js";

function graphQLOperation(attempt) {
  const text = attempt.request.body?.text ?? "";
  if (!text.includes("\"query\"") || text.length > 1000000) return null;
  try {
    const { query, operationName } = JSON.parse(text);
    const match = /^\s*(?:#.*\n\s*)*(query|mutation|subscription)?\s*([A-Za-z_][A-Za-z0-9_]*)?/.exec(query);
    return { type: match[1] ?? "query", name: typeof operationName === "string" ? operationName : match[1] ? match[2] ?? null : null };
  } catch {
    return null;
  }
}

function cacheVerdict(entry, attempt) {
  if (entry._fromCache || entry.fromCache) return { verdict: "hit", text: `The browser used its ${read.text(entry._fromCache) || "HTTP"} cache.` };
  return attempt.status === 304 ? { verdict: "revalidated" } : null;
}

/// Returns the events of a stream as browsers write them, or nil.
function events(entry, started) {
  const list = entry._eventStreamMessages;
  return Array.isArray(list) ? list.slice(-2000).map((value) => read.object(value) ?? {}).map((message) =>
    ({ at: Math.max(0, (read.number(message.time) ?? started) - started), event: read.text(message.eventName) || read.text(message.type) || "message", id: message.eventId, data: read.text(message.data) })) : null;
}

const size = (message, data) => read.positive(message._size) ?? (message.opcode === 2 ? Math.floor(data.replace(/=+$/, "").length * 0.75) : new TextEncoder().encode(data).length);

/// Returns the messages of a WebSocket as browsers write them, or nil.
export function messages(entry, started) {
  const list = entry._webSocketMessages;
  return Array.isArray(list) ? list.slice(-2000).map((value) => read.object(value) ?? {}).map((message) => {
    const data = read.text(message.data);
    return { at: Math.max(0, (read.number(message.time) ?? started) - started), event: message.type === "send" ? "sent" : "received", size: size(message, data),
      isTruncated: message._isTruncated === true, ...(message.opcode === 2 ? { base64: data } : { data }) };
  }) : null;
}

/// Returns the call of an entry.
export function callOfEntry(entry, id) {
  const started = unixTime(entry.startedDateTime);
  const attempt = attemptOfEntry(entry, 1, started);
  const { host, path } = urlParts(attempt.url);
  const operation = graphQLOperation(attempt);
  const exchanged = messages(entry, started);
  const stream = exchanged ?? events(entry, started);
  const response = read.object(entry.response) ?? {};
  const isCancelled = !attempt.status && /abort|cancel/i.test(attempt.error ?? "");
  const isFailed = !isCancelled && (!attempt.status || attempt.status >= 400);
  const received = read.positive(response._transferSize) ?? read.positive(response.bodySize) ?? read.positive(attempt.response?.body?.size);
  return {
    id,
    name: operation?.name ?? (path.split("/").filter(Boolean).at(-1)?.slice(0, 200) || host || attempt.url),
    kind: operation ? "graphql" : exchanged ? "websocket" : stream || /event-stream/.test(attempt.response?.body?.type ?? "") ? "events" : "request",
    method: attempt.method,
    url: attempt.url,
    operations: operation ? [operation] : [],
    started,
    duration: attempt.duration,
    state: isCancelled ? "cancelled" : isFailed ? "failed" : "succeeded",
    error: isFailed ? { case: attempt.status ? "status" : "failed", text: attempt.error ?? (attempt.status ? `The server returned status ${attempt.status}.` : "The recording contains no response.") } : null,
    status: attempt.status,
    cache: cacheVerdict(entry, attempt),
    bytes: { sent: read.positive(read.object(entry.request)?.bodySize), received },
    attempts: [attempt],
    stream,
  };
}
