// Reads calls of the format (Documentation/InspectorFormat.md). Every value is checked, because a HAR file can contain anything.

const text = (value, fallback = "") => (typeof value === "string" ? value : typeof value === "number" ? String(value) : fallback);
const textOrNull = (value) => (typeof value === "string" && value !== "" ? value : null);
const number = (value) => (typeof value === "number" && Number.isFinite(value) ? value : null);
const positive = (value) => { const result = number(value); return result !== null && result >= 0 ? result : null; };
const list = (value) => (Array.isArray(value) ? value : []);
const object = (value) => (value !== null && typeof value === "object" && !Array.isArray(value) ? value : null);
const oneOf = (values, value, fallback) => (values.includes(value) ? value : fallback);

export const kinds = ["request", "stream", "events", "download", "upload", "graphql", "websocket"];
export const states = ["running", "succeeded", "failed", "cancelled"];
export const verdicts = ["hit", "revalidated", "stale", "miss", "bypassed"];
export const moments = ["attempt", "head", "redirect", "wait", "refresh", "cache", "decision", "progress", "end"];
export const phases = ["queued", "dns", "connect", "tls", "send", "wait", "receive"];
export const read = { text, textOrNull, number, positive, list, object };

/// Reads a body, or returns nil for a missing one.
export function readBody(value) {
  const body = object(value);
  if (!body) return null;
  return {
    type: text(body.type),
    size: positive(body.size),
    text: typeof body.text === "string" ? body.text : null,
    base64: typeof body.base64 === "string" ? body.base64 : null,
    isTruncated: body.isTruncated === true,
  };
}

/// Reads header fields: pairs of a name and a value.
export const readHeaders = (value) => list(value).filter((field) => Array.isArray(field) && field.length >= 2).map(([name, content]) => [text(name), text(content)]);

function readMessage(value) {
  const message = object(value) ?? {};
  return { headers: readHeaders(message.headers), body: readBody(message.body) };
}

function readAttempt(value, index) {
  const attempt = object(value) ?? {};
  const durations = object(attempt.phases) ?? {};
  return {
    number: positive(attempt.number) ?? index + 1,
    at: positive(attempt.at) ?? 0,
    duration: positive(attempt.duration),
    method: text(attempt.method, "GET"),
    url: text(attempt.url),
    protocol: textOrNull(attempt.protocol),
    reused: typeof attempt.reused === "boolean" ? attempt.reused : null,
    address: textOrNull(attempt.address),
    phases: Object.fromEntries(phases.map((phase) => [phase, positive(durations[phase])])),
    status: positive(attempt.status),
    error: textOrNull(attempt.error),
    request: readMessage(attempt.request),
    response: object(attempt.response) ? readMessage(attempt.response) : null,
    removedFields: list(attempt.removedFields).map((name) => text(name)).filter(Boolean),
  };
}

const readMoment = (value) => {
  const moment = object(value) ?? {};
  return {
    at: positive(moment.at) ?? 0,
    kind: oneOf(moments, moment.kind, "decision"),
    text: text(moment.text),
    attempt: positive(moment.attempt),
    duration: positive(moment.duration),
  };
};

/// Reads one event of a stream, or a message of a WebSocket, which has a size and may have bytes in place of a text.
export const readEvent = (value) => {
  const event = object(value) ?? {};
  return { at: positive(event.at) ?? 0, event: text(event.event, "message"), id: textOrNull(event.id), data: text(event.data),
    base64: textOrNull(event.base64), size: positive(event.size), isTruncated: event.isTruncated === true };
};

/// Reads a call. Returns nil for a value that is not an object with an ID.
export function readCall(value) {
  const call = object(value);
  const id = call ? text(call.id) : "";
  if (!id) return null;
  const error = object(call.error);
  const cache = object(call.cache);
  const sizes = object(call.bytes) ?? {};
  const progress = object(call.progress);
  const stream = Array.isArray(call.stream) ? call.stream.map(readEvent) : null;
  return {
    id,
    revision: positive(call.revision) ?? 0,
    name: text(call.name) || text(call.url) || "Call",
    kind: oneOf(kinds, call.kind, "request"),
    method: text(call.method, "GET"),
    url: text(call.url),
    route: textOrNull(call.route),
    operations: list(call.operations).map(object).filter(Boolean).map((operation) => ({ name: textOrNull(operation.name), type: text(operation.type, "query") })),
    tags: list(call.tags).map((tag) => text(tag)).filter(Boolean),
    started: number(call.started) ?? 0,
    duration: positive(call.duration),
    state: oneOf(states, call.state, "succeeded"),
    outcome: textOrNull(call.outcome),
    error: error ? { case: text(error.case, "error"), stage: textOrNull(error.stage), text: text(error.text) } : null,
    status: positive(call.status),
    cache: cache ? { verdict: oneOf(verdicts, cache.verdict, "miss"), text: textOrNull(cache.text) } : null,
    bytes: { sent: positive(sizes.sent), received: positive(sizes.received) },
    progress: progress ? { done: positive(progress.done) ?? 0, total: positive(progress.total) } : null,
    timeline: list(call.timeline).map(readMoment),
    attempts: list(call.attempts).map(readAttempt),
    stream,
    streamCount: positive(call.streamCount) ?? stream?.length ?? 0,
    curl: textOrNull(call.curl),
    swift: textOrNull(call.swift),
  };
}

/// Returns how long a call has taken until now.
export const elapsed = (call) => call.duration ?? (call.state === "running" ? Math.max(0, Date.now() / 1000 - call.started) : null);

/// Whether an attempt of the call failed and another one followed. Redirects and validations of the cache do not count.
export const isRetried = (call) => call.attempts.slice(0, -1).some((attempt) => attempt.error || attempt.status >= 400);

/// Whether events of the call can be shown as they arrive: those of a stream, or the messages of a WebSocket.
export const hasEvents = (call) => call.streamCount > 0 || ["events", "stream", "websocket"].includes(call.kind);

/// Returns what an event of the call is called.
export const eventNoun = (call) => (call.kind === "websocket" ? "message" : "event");

/// Returns the kind of result of a status or an attempt, for its color: `ok`, `redirect`, `bad` or `none`.
export function tone(code, error) {
  if (error || code >= 400) return "bad";
  if (code >= 300) return "redirect";
  return code ? "ok" : "none";
}

/// Whether the response to a GraphQL call has errors, instead of data or beside it.
export const hasGraphQLErrors = (call) => call.error?.case === "graphQLErrors"
  || call.timeline.some(({ kind, text }) => kind === "decision" && text.startsWith("GraphQL errors beside data"));

/// Returns the tone of a call's status. A call whose response could not be used keeps the tone of its status.
export function callTone(call) {
  if (call.state === "running") return "running";
  if (call.state === "cancelled") return "none";
  if (call.state === "failed") return call.status ? tone(call.status) : "bad";
  return call.status ? tone(call.status) : "ok";
}
