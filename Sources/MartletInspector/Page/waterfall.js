// The waterfall of one call: a row for each attempt with its phases, and for each wait, refresh and use of the cache.

import { elapsed, phases, tone } from "./call.js";
import { el } from "./dom.js";
import { phaseTexts } from "./explain.js";
import { duration, urlParts } from "./format.js";

/// Returns a step of 1, 2 or 5 times a power of ten that divides `total` into at most `count` parts.
function step(total, count) {
  const raw = total / count;
  const power = 10 ** Math.floor(Math.log10(raw));
  return [1, 2, 5, 10].map((factor) => factor * power).find((value) => value >= raw * 0.999);
}

/// Returns a URL without its query, and without its origin unless that differs from the call's.
function shortURL(text, call) {
  const { origin, host, path, query } = urlParts(text);
  return `${origin === urlParts(call.url).origin ? "" : host}${path || "/"}${query ? "?…" : ""}`;
}

/// Returns the rows of the chart in the order of their start.
function rowsOf(call, total) {
  const attempts = call.attempts.map((attempt) => ({ at: attempt.at, end: attempt.duration !== null ? attempt.at + attempt.duration : total, attempt, kind: "attempt" }));
  const pauses = call.timeline.filter((moment) => moment.duration !== null && ["wait", "refresh", "cache", "decision"].includes(moment.kind))
    .map((moment) => ({ at: moment.at, end: moment.at + moment.duration, moment, kind: moment.kind }));
  return [...attempts, ...pauses].sort((a, b) => a.at - b.at);
}

function phaseBars(attempt, end, percent) {
  const known = phases.filter((phase) => attempt.phases[phase]);
  const style = `track-bar track-${attempt.error || attempt.status >= 400 ? "bad" : "attempt"}`;
  if (!known.length) return [el("i", { class: style, css: { left: percent(attempt.at), width: percent(end - attempt.at) } })];
  let at = attempt.at;
  const bars = known.map((phase) => {
    const length = Math.min(attempt.phases[phase], Math.max(0, end - at));
    const bar = el("i", { class: `track-bar phase-${phase}`, title: `${phaseTexts[phase][0]}: ${duration(attempt.phases[phase])}`, css: { left: percent(at), width: percent(length) } });
    at += length;
    return bar;
  });
  if (end - at > 0.001 * end) bars.push(el("i", { class: `${style} track-rest`, css: { left: percent(at), width: percent(end - at) } }));
  return bars;
}

function label(row, call) {
  if (row.attempt) {
    const { attempt } = row;
    return el("div", { class: "track-label" },
      el("span", { class: "track-number", text: attempt.number }),
      el("span", { class: `pill pill-${tone(attempt.status, attempt.error)}`, text: attempt.status ?? (attempt.error ? "Error" : "···") }),
      el("span", { class: "track-url", text: `${attempt.method} ${shortURL(attempt.url, call)}`, title: attempt.url }));
  }
  const texts = { wait: "Wait before the next attempt", refresh: "Token refresh", cache: "Cache", decision: "Decision" };
  return el("div", { class: "track-label track-pause" }, el("span", { class: "track-number" }), el("span", { class: "track-url", text: texts[row.kind], title: row.moment.text }));
}

/// Creates the chart. `choose` receives the number of the attempt that the user clicks.
export function waterfall(call, choose) {
  const total = Math.max(elapsed(call) ?? 0, ...call.attempts.map((attempt) => attempt.at + (attempt.duration ?? 0)), 0.0001);
  const percent = (seconds) => `${Math.max(0, Math.min(100, (seconds / total) * 100))}%`;
  const ticks = [];
  const size = step(total, 4);
  for (let index = 0; index * size <= total * 0.97 && index < 12; index += 1) ticks.push(index * size);
  const scale = el("div", { class: "track track-scale", "aria-hidden": "true" }, el("div", { class: "track-label" }),
    el("div", { class: "track-lane" }, ...ticks.map((tick) => el("span", { class: "tick", text: tick ? duration(tick) : "0", css: { left: percent(tick) } }))));
  const rows = rowsOf(call, total).slice(0, 100).map((row) => {
    const lines = ticks.slice(1).map((tick) => el("i", { class: "tick-line", css: { left: percent(tick) } }));
    const bars = row.attempt ? phaseBars(row.attempt, row.end, percent)
      : [el("i", { class: `track-bar track-${row.kind}`, css: { left: percent(row.at), width: percent(row.end - row.at) } })];
    const content = [label(row, call), el("div", { class: "track-lane" }, ...lines, ...bars), el("span", { class: "track-time", text: duration(row.end - row.at) })];
    if (!row.attempt) return el("div", { class: "track" }, ...content);
    const text = `Attempt ${row.attempt.number}, ${row.attempt.status ?? row.attempt.error ?? "running"}, ${duration(row.end - row.at)}. Show its response.`;
    return el("button", { type: "button", class: "track track-button", "aria-label": text, on: { click: () => choose(row.attempt.number) } }, ...content);
  });
  return el("div", { class: "waterfall" }, scale, ...rows);
}

/// Creates the table of phases with their durations; it is the chart's legend too. Returns nil if no phase is known.
export function phaseTable(call) {
  const used = phases.filter((phase) => call.attempts.some((attempt) => attempt.phases[phase] !== null));
  if (!used.length) return null;
  const head = el("tr", {}, el("th", { scope: "col", text: "Attempt" }), ...used.map((phase) =>
    el("th", { scope: "col", title: phaseTexts[phase][1] }, el("i", { class: `swatch phase-${phase}` }), phaseTexts[phase][0])), el("th", { scope: "col", text: "Total" }));
  const rows = call.attempts.slice(0, 100).map((attempt) => el("tr", {}, el("th", { scope: "row", text: attempt.number }),
    ...used.map((phase) => el("td", { text: attempt.phases[phase] === null ? "–" : duration(attempt.phases[phase]) })), el("td", { text: duration(attempt.duration) || "running" })));
  return el("div", { class: "scroll-x", tabindex: "0", role: "region", "aria-label": "Phases" }, el("table", { class: "phases" }, el("thead", {}, head), el("tbody", {}, ...rows)));
}
