// One row of the list.

import { callTone, elapsed, eventNoun, hasEvents, hasGraphQLErrors, isRetried } from "./call.js";
import { el, redactable } from "./dom.js";
import { bytes, counted, duration, status, timeOfDay, urlParts } from "./format.js";

const stateTexts = { running: "Running", failed: "Failed", cancelled: "Cancelled" };

/// Returns the short text of a call's status: a code, or what happened instead.
export function statusText(call) {
  if (call.status) return String(call.status);
  if (call.state === "running") return "···";
  if (call.state === "cancelled") return "Cancel";
  return call.state === "failed" ? "Error" : call.cache?.verdict === "hit" ? "Cache" : "Done";
}

const spanTexts = { attempt: "Attempt", bad: "Failed attempt", cancelled: "Cancelled attempt", redirect: "Redirect or validation", refresh: "Credential", wait: "Wait" };

const marks = (call) => [
  hasGraphQLErrors(call) ? [call.state === "failed" ? "bad" : "warn", "GraphQL errors"]
    : call.state === "failed" && call.status && call.status < 400 ? ["bad", call.error?.stage ?? "failed"] : null,
  isRetried(call) ? ["warn", `${call.attempts.length} attempts`] : null,
  call.cache && call.cache.verdict !== "miss" && call.cache.verdict !== "bypassed" ? ["note", call.cache.verdict === "hit" ? "cache" : call.cache.verdict] : null,
  call.operations.length ? ["violet", call.operations.length > 1 ? `${call.operations.length} operations` : call.operations[0].type] : null,
  hasEvents(call) ? ["plain", call.streamCount ? counted(call.streamCount, eventNoun(call)) : call.kind === "websocket" ? "WebSocket" : "stream"] : null,
  call.kind === "download" || call.kind === "upload" ? ["plain", call.kind] : null,
].filter(Boolean);

/// Returns the parts of a call's time for its bar: the kind, the start and the end in seconds.
function spans(call, total) {
  const attempts = call.attempts.map((attempt) => {
    const end = attempt.duration !== null ? attempt.at + attempt.duration : total;
    const isCancelled = call.state === "cancelled" && attempt.error && attempt === call.attempts.at(-1);
    return [isCancelled ? "cancelled" : attempt.error || attempt.status >= 400 ? "bad" : attempt.status >= 300 ? "redirect" : "attempt", attempt.at, end];
  });
  const pauses = call.timeline.filter((moment) => moment.duration && (moment.kind === "wait" || moment.kind === "refresh"))
    .map((moment) => [moment.kind, moment.at, moment.at + moment.duration]);
  return attempts.length ? [...pauses, ...attempts] : [["attempt", 0, total], ...pauses];
}

function bar(call, scale) {
  const total = elapsed(call) ?? 0;
  const percent = (seconds) => `${Math.min(100, (seconds / scale) * 100)}%`;
  const parts = spans(call, total).filter(([, start]) => start <= scale).map(([kind, start, end]) =>
    el("i", { class: `bar-part bar-${kind}`, title: `${spanTexts[kind]}, ${duration(end - start)}`, css: { left: percent(start), width: `max(2px, ${((Math.min(end, scale) - start) / scale) * 100}%)` } }));
  return el("div", { class: `row-bar${total > scale * 1.001 ? " row-bar-cut" : ""}` }, ...parts);
}

/// Creates the row of a call. `scale` is the duration in seconds that fills the bar.
export function makeRow(call, scale) {
  const { host, path } = urlParts(call.url);
  const tone = callTone(call);
  const size = call.progress && call.state === "running" && call.progress.total
    ? `${Math.floor((call.progress.done / call.progress.total) * 100)} %` : (call.bytes.received ? bytes(call.bytes.received) : "") || "–";
  const label = [call.name, call.status ? status(call.status) : null, stateTexts[call.state], call.method, duration(elapsed(call))].filter(Boolean).join(", ");
  return el("div", { class: `row row-${tone}${call.state === "failed" ? " row-failed" : ""}`, role: "option", id: `row-${call.id}`, "aria-label": label },
    el("span", { class: `pill pill-${tone}`, text: statusText(call), title: call.status ? status(call.status) : stateTexts[call.state] ?? "" }),
    el("div", { class: "row-main" },
      el("div", { class: "row-name" }, el("span", { class: "row-title" }, ...redactable(call.name)),
        ...marks(call).map(([style, text]) => el("span", { class: `mark mark-${style}`, text }))),
      el("div", { class: "row-route" }, el("b", { text: call.method }), el("span", { class: "row-path" }, ...redactable(call.route ?? path)), el("span", { class: "row-host", text: host }))),
    el("span", { class: "row-size", text: size }),
    el("span", { class: "row-time", text: duration(elapsed(call)) }),
    el("span", { class: "row-started", text: timeOfDay(call.started) }),
    bar(call, scale));
}
