// The tab that explains a call: its result, error, cache verdict, waterfall and moments.

import { el, redactable } from "./dom.js";
import { facts, headline, momentTexts, shortened, statusHint, verdictTexts } from "./explain.js";
import { bytes, counted, dateAndTime, duration } from "./format.js";
import { phaseTable, waterfall } from "./waterfall.js";

const section = (title, ...content) => el("section", { class: "block" }, el("h3", { text: title }), ...content);

function errorCard(call) {
  if (!call.error) return null;
  const hint = statusHint(call.status);
  return el("div", { class: "card card-bad" },
    el("div", { class: "card-title" }, el("code", { text: call.error.case }), call.error.stage ? el("span", { class: "mark mark-bad", text: call.error.stage }) : null),
    el("p", { class: "card-text" }, ...redactable(call.error.text)), hint ? el("p", { class: "dim", text: hint }) : null);
}

function cacheCard(call) {
  if (!call.cache || ["miss", "bypassed"].includes(call.cache.verdict)) return null;
  const [title, text] = verdictTexts[call.cache.verdict];
  return el("div", { class: `card card-${call.cache.verdict}` }, el("div", { class: "card-title", text: title }), el("p", { class: "card-text", text }),
    call.cache.text ? el("p", { class: "dim" }, ...redactable(call.cache.text)) : null);
}

function progressCard(call) {
  if (!call.progress) return null;
  const { done, total } = call.progress;
  const text = total ? `${bytes(done)} of ${bytes(total)} (${Math.floor((done / total) * 100)} %)` : `${bytes(done)}, total size unknown`;
  const bar = el("progress", { max: total ?? 1, value: total ? done : false, "aria-label": "Progress" });
  return el("div", { class: "progress" }, bar, el("span", { text }));
}

function moments(call) {
  if (!call.timeline.length) return null;
  const shown = shortened(call.timeline);
  const reports = call.timeline.length - shown.length;
  const rows = shown.slice(0, 500).map((moment) => el("li", { class: `moment moment-${moment.kind}` },
    el("span", { class: "moment-at", text: `+${duration(moment.at)}` }),
    el("span", { class: "moment-dot", "aria-hidden": "true" }),
    el("div", {}, el("b", { text: momentTexts[moment.kind] }), moment.attempt ? el("span", { class: "dim", text: ` ${moment.attempt}` }) : null, " ",
      el("span", { class: "moment-text" }, ...redactable(moment.text)), moment.duration !== null ? el("span", { class: "dim", text: ` ${duration(moment.duration)}` }) : null)));
  const rest = shown.length - rows.length;
  return section("What happened", el("ol", { class: "moments" }, ...rows), 
    reports > 0 ? el("p", { class: "dim", text: `${counted(reports, "progress report")} in between ${reports === 1 ? "is" : "are"} not shown.` }) : null,
    rest > 0 ? el("p", { class: "dim", text: `${rest} later moments are not shown.` }) : null);
}

export class Overview {
  node = el("div", { class: "tab-body" });
  #choose;

  constructor(choose) { this.#choose = choose; }

  /// Updates the time of a running call.
  tick(call) {
    const line = this.node.querySelector(".headline");
    if (line) line.textContent = headline(call);
  }

  /// Draws the tab for a call; it keeps the scroll position, because the panel scrolls.
  update(call) {
    const pairs = facts(call, dateAndTime).flatMap(([name, value]) => [el("dt", { text: name }), el("dd", {}, ...redactable(value))]);
    const chart = call.attempts.length || call.timeline.some((moment) => moment.duration !== null)
      ? section("Waterfall", waterfall(call, this.#choose), phaseTable(call)) : null;
    const focused = this.node.contains(document.activeElement) ? document.activeElement.getAttribute("aria-label")?.split(",")[0] : null;
    this.node.replaceChildren(
      ...[el("p", { class: `headline headline-${call.state}`, text: headline(call) }), progressCard(call), errorCard(call), cacheCard(call), chart, moments(call),
        section("Facts", el("dl", { class: "facts" }, ...pairs))].filter(Boolean));
    if (focused) [...this.node.querySelectorAll("button")].find((node) => node.getAttribute("aria-label")?.startsWith(`${focused},`))?.focus({ preventScroll: true });
  }
}
