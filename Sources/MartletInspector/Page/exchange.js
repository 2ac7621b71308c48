// The tabs of the request and the response: the attempt, its header fields and its body.

import { tone } from "./call.js";
import { bodyView, pairTable } from "./body.js";
import { button, el, redactable } from "./dom.js";
import { duration, formPairs, status, urlParts } from "./format.js";
import { copy } from "./toast.js";

/// Creates the buttons that choose an attempt. One attempt needs none.
function attemptChooser(call, selected, choose) {
  if (call.attempts.length < 2) return null;
  return el("div", { class: "attempts", role: "group", "aria-label": "Attempt" }, ...call.attempts.slice(0, 100).map((attempt) =>
    el("button", { type: "button", "aria-pressed": String(attempt.number === selected.number), "aria-label": `Attempt ${attempt.number}, ${attempt.status ?? attempt.error ?? "running"}`, on: { click: () => choose(attempt.number) } },
      el("span", { text: attempt.number }), el("span", { class: `code code-${tone(attempt.status, attempt.error)}`, text: attempt.status ?? (attempt.error ? "Error" : "···") }))));
}

function headerSection(headers) {
  if (!headers.length) return el("section", { class: "block" }, el("h3", { text: "Headers" }), el("p", { class: "dim none", text: "No header fields were recorded" }));
  const text = headers.map(([name, value]) => `${name}: ${value}`).join("\n");
  return el("section", { class: "block" },
    el("div", { class: "block-head" }, el("h3", { text: "Headers" }), el("span", { class: "count", text: headers.length }), button("Copy", { class: "button button-small", icon: "copy", label: "Copy headers" }, () => copy(text, "the headers"))),
    pairTable(headers.slice(0, 500), "Headers"), headers.length > 500 ? el("p", { class: "note", text: `${headers.length - 500} more fields are not shown.` }) : null);
}

const bodySection = (body, loading) => el("section", { class: "block" }, el("h3", { text: "Body" }), loading ? el("p", { class: "dim none", text: loading }) : bodyView(body));

function requestParts(attempt, loading, call) {
  const { query } = urlParts(attempt.url);
  const pairs = query.length > 1 ? formPairs(query.slice(1)) : [];
  const removed = attempt.removedFields.length
    ? el("p", { class: "note" }, "Removed for this attempt, because the redirect leads to another origin: ", el("code", { text: attempt.removedFields.join(", ") })) : null;
  return [
    call.attempts.length > 1 || attempt.url !== call.url ? el("p", { class: "start-line" }, el("b", { text: attempt.method }), " ", ...redactable(attempt.url)) : null, removed,
    pairs.length ? el("section", { class: "block" }, el("h3", { text: "Query" }), pairTable(pairs, "Query")) : null,
    headerSection(attempt.request.headers), bodySection(attempt.request.body, loading)];
}

function responseParts(attempt, loading) {
  const line = el("p", { class: "start-line" },
    attempt.status ? el("span", { class: `code code-${tone(attempt.status)}`, text: status(attempt.status) }) : null,
    el("span", { class: "dim", text: [attempt.protocol, duration(attempt.duration)].filter(Boolean).join(", ") }));
  const error = attempt.error ? el("div", { class: "card card-bad" }, el("p", { class: "card-text" }, ...redactable(attempt.error))) : null;
  if (!attempt.response) return [attempt.status ? line : null, error, el("p", { class: "dim none", text: attempt.duration === null && !attempt.error ? "No response yet" : "This attempt has no response" })];
  return [line, error, headerSection(attempt.response.headers), bodySection(attempt.response.body, loading)];
}

const bodyKey = (body) => (body ? `${body.size}/${body.text?.length}/${body.base64?.length}` : "");

export class Exchange {
  node = el("div", { class: "tab-body" });
  #parts;
  #choose;
  #key = null;

  /// `side` is `request` or `response`.
  constructor(side, choose) {
    this.#parts = side === "request" ? requestParts : responseParts;
    this.side = side;
    this.#choose = choose;
  }

  /// Draws the tab. It is left as it is if nothing visible changed, so that folds and positions stay.
  /// `loading` replaces the body until the app has sent it.
  update(call, attemptNumber, loading) {
    const attempt = call.attempts.find(({ number }) => number === attemptNumber) ?? call.attempts.at(-1);
    const key = attempt ? [call.id, attempt.number, loading, call.attempts.map(({ status: code, error }) => code ?? error).join(), attempt.duration,
      attempt[this.side]?.headers.length, bodyKey(attempt[this.side]?.body)].join("|") : `${call.id}|${call.state}`;
    if (key === this.#key) return;
    this.#key = key;
    if (!attempt) {
      const text = call.cache?.verdict === "hit" ? "No request was sent. The response comes from the cache." : call.state === "running" ? "No attempt yet" : "No request was sent.";
      this.node.replaceChildren(el("p", { class: "dim none", text }));
      return;
    }
    const isRefocused = this.node.contains(document.activeElement) && document.activeElement.closest(".attempts");
    this.node.replaceChildren(...[attemptChooser(call, attempt, this.#choose), ...this.#parts(attempt, loading, call)].filter(Boolean));
    if (isRefocused) this.node.querySelector(".attempts [aria-pressed=true]")?.focus();
  }
}
