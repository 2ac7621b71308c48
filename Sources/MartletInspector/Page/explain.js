// Explains calls in words: the result, the cache's verdict, errors and moments.

import { elapsed, hasGraphQLErrors } from "./call.js";
import { bytes, counted, duration } from "./format.js";

/// Returns one sentence about the result of a call.
export function headline(call) {
  const total = duration(elapsed(call));
  const attempts = call.attempts.length > 1 ? ` and ${counted(call.attempts.length, "attempt")}` : "";
  switch (call.state) {
    case "running": return `Running for ${total}${attempts}`;
    case "failed": return failure(call, total ? `after ${total}${attempts}` : "");
    case "cancelled": return `Cancelled by the app after ${total}${attempts}`;
    default: {
      const result = hasGraphQLErrors(call) ? "Succeeded, with GraphQL errors beside the data," : "Succeeded";
      return total ? `${result} after ${total}${attempts}` : result;
    }
  }
}

/// Returns the sentence about a failure: that nothing was sent and why, or where the call failed.
function failure(call, when) {
  const { case: name } = call.error ?? {};
  const isSent = call.attempts.length > 0;
  if (Object.hasOwn(rejections, name)) return `${[isSent ? "Failed" : "Not sent", when].filter(Boolean).join(" ")}: ${rejections[name]}`;
  const where = place(call);
  const isEarly = !isSent && where === "" && (name === "timeout" || call.error?.stage === "sending");
  return [name === "timeout" ? "Timed out" : "Failed", where, when].filter(Boolean).join(" ") + (isEarly ? ", before a request was sent" : "");
}

/// Why this client sends nothing, by the case of the error.
const rejections = { circuitOpen: "the circuit is open", limitExceeded: "a limit of the client was reached", draining: "the client starts no new calls" };

/// Where a call failed, by the case of the error and otherwise by its stage.
const places = { graphQLErrors: "with GraphQL errors", authenticationFailed: "while getting a credential", integrityFailed: "while checking the digest of the body", fileFailed: "while using a file" };
const stages = { decoding: "while decoding the response", connecting: "while connecting", receiving: "while receiving the response", validation: "while checking the response", validating: "while checking the response", building: "while building the request", interceptor: "in an interceptor", redirect: "while following a redirect" };

/// Returns where a call failed, or an empty text if its error does not say so.
function place(call) {
  const { case: name, stage } = call.error ?? {};
  if (Object.hasOwn(places, name)) return places[name];
  if (name === "timeout" && waitsForCredential(call)) return "while waiting for a credential";
  if (name === "timeout" && !call.attempts.length) return "";
  // The error does not say whether the request was sent completely, or whether a part of the response arrived.
  if (stage === "sending") return call.attempts.at(-1)?.status !== null ? "" : name === "invalidResponse" ? "without a valid response" : "without a complete response";
  return Object.hasOwn(stages, stage ?? "") ? stages[stage] : stage ? `in stage “${stage}”` : "";
}

/// Whether the last step of a call was the wait for a credential.
const waitsForCredential = (call) => call.error.text.includes("waiting for a credential")
  || call.timeline.findLast(({ kind }) => kind !== "end")?.kind === "refresh";

/// Explains a verdict of the cache.
export const verdictTexts = {
  hit: ["Cache hit", "A fresh stored response was used. No request was sent."],
  revalidated: ["Revalidated", "The stored response was stale. The server confirmed it with 304, and the stored body was used."],
  stale: ["Stale response used", "The stored response was stale and was used anyway, because the cache policy or the response permits it."],
  miss: ["Cache miss", "No stored response could be used. The response comes from the server."],
  bypassed: ["Cache bypassed", "The call did not consult the cache."],
};

/// The labels of moments, by kind.
export const momentTexts = {
  attempt: "Attempt", head: "Response", redirect: "Redirect", wait: "Wait", refresh: "Credential", cache: "Cache", decision: "Decision", progress: "Progress", end: "End",
};

/// The phases of an attempt: a label and what happens in it.
export const phaseTexts = {
  queued: ["Queued", "The attempt waited for a connection or a place in the queue."],
  dns: ["DNS", "The host name was resolved."],
  connect: ["Connect", "The TCP or QUIC connection was opened."],
  tls: ["TLS", "The TLS handshake was performed."],
  send: ["Send", "The request was sent."],
  wait: ["Wait", "The client waited for the first byte of the response. Without a time for Send, this includes sending the request."],
  receive: ["Receive", "The response was received."],
};

/// Returns what a developer can do about a status.
export function statusHint(code) {
  if (code === 401) return "The credentials are missing, expired or invalid.";
  if (code === 403) return "The server knows the user but refuses the request.";
  if (code === 429) return "The rate limit is exceeded. See Retry-After in the response's headers.";
  return null;
}

/// Returns the facts about a call as pairs of a label and a value.
export function facts(call, timeText) {
  const last = call.attempts.at(-1);
  const connection = last ? [last.protocol, last.reused === null ? null : last.reused ? "reused connection" : "new connection"].filter(Boolean).join(", ") : "";
  return [
    ["Started", timeText(call.started)],
    ["Duration", duration(elapsed(call))],
    ["Sent", bytes(call.bytes.sent)],
    ["Received", bytes(call.bytes.received)],
    ["Connection", connection],
    ["Address", last?.address],
    ["Route", call.route],
    [call.operations.length > 1 ? "Operations" : "Operation", call.operations.map(({ type, name }) => [type, name].filter(Boolean).join(" ")).join(", ")],
    ["Outcome", call.outcome],
    ["Cache", call.cache ? [`${verdictTexts[call.cache.verdict][0]}.`, call.cache.text ?? ""].join(" ") : null],
    ["Tags", call.tags.join(", ")],
  ].filter(([, value]) => value);
}

/// Keeps the first and the last progress moment of each run, because a transfer can report hundreds.
export function shortened(timeline) {
  return timeline.filter((moment, index) => moment.kind !== "progress" || timeline[index + 1]?.kind !== "progress" || timeline[index - 1]?.kind !== "progress");
}

