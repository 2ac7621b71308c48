// The panel of the selected call: its title, the buttons and the tabs.

import { callTone, hasEvents } from "./call.js";
import { CodeTab, curlOf } from "./code.js";
import { button, byID, el, redactable } from "./dom.js";
import { Exchange } from "./exchange.js";
import { status, urlParts } from "./format.js";
import { Overview } from "./overview.js";
import { statusText } from "./row.js";
import { StreamTab } from "./stream.js";
import { copy } from "./toast.js";

export const tabNames = ["Overview", "Request", "Response", "Events", "Messages", "Code"];

export class Detail {
  #node = byID("detail");
  #head = el("header", { class: "detail-head" });
  #tabs = el("div", { class: "tabs", role: "tablist", "aria-label": "Parts of the call" });
  #panel = el("div", { class: "panel", role: "tabpanel", id: "panel", tabindex: "0" });
  #message = el("p", { class: "panel-message", hidden: true });
  #call = null;
  #isComplete = false;
  #attempt = null;
  #tab = "Overview";
  #views = {};
  #positions = new Map();
  onClose = () => {};
  onSave = () => {};

  constructor() {
    this.#tabs.append(...tabNames.map((name) => el("button", { type: "button", role: "tab", id: `tab-${name}`, "aria-controls": "panel", "data-text": name, text: name, on: { click: () => this.choose(name) } })));
    this.#tabs.addEventListener("keydown", (event) => {
      const offset = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
      if (!offset) return;
      const names = this.#available();
      this.choose(names[(names.indexOf(this.#tab) + offset + names.length) % names.length]);
      byID(`tab-${this.#tab}`).focus();
      event.preventDefault();
    });
    this.#node.append(this.#head, this.#tabs, this.#message, this.#panel);
    setInterval(() => { if (this.#call?.state === "running") this.#views.Overview.tick(this.#call); }, 500);
  }

  get call() { return this.#call; }
  get isOpen() { return !this.#node.hidden; }

  #available() {
    const isSocket = this.#call?.kind === "websocket";
    return tabNames.filter((name) => (name === "Messages" ? isSocket : name !== "Events" || (this.#call && !isSocket && hasEvents(this.#call))));
  }

  /// Shows a call. `isComplete` means that it has its bodies.
  show(call, isComplete) {
    const isOther = call.id !== this.#call?.id;
    if (!isComplete && !isOther && this.#isComplete) call = withBodies(call, this.#call);
    else this.#isComplete = isComplete;
    this.#call = call;
    this.#node.hidden = false;
    this.#message.hidden = true;
    if (isOther) {
      this.#attempt = null;
      const choose = (number) => { this.#attempt = number; if (this.#tab === "Overview") this.choose("Response"); else this.#draw(); };
      const stream = new StreamTab();
      this.#views = { Overview: new Overview(choose), Request: new Exchange("request", choose), Response: new Exchange("response", choose), Events: stream, Messages: stream, Code: new CodeTab() };
      this.#positions.clear();
      if (!this.#available().includes(this.#tab)) this.#tab = "Overview";
      this.#panel.scrollTop = 0;
    }
    this.#drawHead(isOther);
    this.#draw();
  }

  #drawHead(isOther) {
    const call = this.#call;
    const tone = callTone(call);
    const { origin, path, query } = urlParts(call.url);
    const key = [call.id, tone, statusText(call), call.curl === null, call.swift === null, this.#isComplete].join("|");
    if (!isOther && this.#head.dataset.key === key) return;
    this.#head.dataset.key = key;
    const curl = curlOf(call);
    this.#head.replaceChildren(
      el("div", { class: "detail-title" },
        button("", { icon: "back", class: "button button-icon back", label: "Back to the list" }, () => this.onClose()),
        el("span", { class: `pill pill-${tone}`, text: call.status ? status(call.status) : statusText(call) }),
        el("h2", {}, ...redactable(call.name)),
        button("", { icon: "close", class: "button button-icon close", label: "Close", title: "Close (Esc)" }, () => this.onClose())),
      el("p", { class: "detail-url" }, el("b", { text: call.method }), " ", el("span", { class: "dim" }, ...redactable(origin)), ...redactable(path), el("span", { class: "query" }, ...redactable(query))),
      el("div", { class: "detail-actions" },
        button("cURL", { icon: "copy", class: "button", label: "Copy as cURL", title: "Copy as cURL (C)", disabled: !curl }, () => this.copyCurl()),
        button("Swift", { icon: "copy", class: "button", label: "Copy as Swift", title: "Copy as Swift (S)", disabled: !call.swift }, () => this.copySwift()),
        button("URL", { icon: "copy", class: "button", label: "Copy URL" }, () => copy(call.url, "the URL")),
        button("HAR", { icon: "save", class: "button", label: "Save this call as HAR", title: "Save this call as HAR" }, () => this.onSave(call))));
  }

  copyCurl() { const text = curlOf(this.#call); if (text) copy(text, "as cURL"); }
  copySwift() { if (this.#call.swift) copy(this.#call.swift, "as Swift"); }

  #draw() {
    const names = this.#available();
    for (const node of this.#tabs.children) {
      const name = node.textContent;
      node.hidden = !names.includes(name);
      node.setAttribute("aria-selected", String(name === this.#tab));
      node.tabIndex = name === this.#tab ? 0 : -1;
    }
    const view = this.#views[this.#tab];
    this.#panel.setAttribute("aria-labelledby", `tab-${this.#tab}`);
    view.update(this.#call, this.#attempt, this.#isComplete ? null : this.#message.hidden ? "Loading…" : "The body was not loaded.");
    if (this.#panel.firstChild !== view.node) this.#panel.replaceChildren(view.node);
  }

  /// Shows a tab by name or by its number among the visible ones.
  choose(tab) {
    const name = typeof tab === "number" ? this.#available()[tab] : tab;
    if (!this.#call || !name || name === this.#tab) return;
    this.#positions.set(this.#tab, this.#panel.scrollTop);
    this.#tab = name;
    this.#draw();
    this.#panel.scrollTop = this.#positions.get(name) ?? 0;
  }

  /// Moves to the previous or next attempt.
  moveAttempt(offset) {
    const numbers = this.#call?.attempts.map(({ number }) => number) ?? [];
    const index = numbers.indexOf(this.#attempt ?? numbers.at(-1)) + offset;
    if (index < 0 || index >= numbers.length) return;
    this.#attempt = numbers[index];
    if (this.#tab !== "Request" && this.#tab !== "Response") this.choose("Response");
    else this.#draw();
  }

  /// Appends events of the shown call's stream.
  addEvents(id, first, events) {
    if (this.#call?.id !== id || !this.#isComplete) return;
    const known = this.#call.streamCount;
    const added = events.slice(Math.max(0, known - first));
    // After a gap, the call is loaded again.
    if (first > known || !added.length) return;
    this.#call = { ...this.#call, streamCount: known + added.length, stream: [...(this.#call.stream ?? []), ...added].slice(-2000) };
    this.#draw();
  }

  /// Shows why a call could not be loaded.
  fail(text) {
    this.#message.textContent = text;
    this.#message.hidden = false;
    if (this.#call) this.#draw();
  }

  close() {
    this.#call = null;
    this.#node.hidden = true;
  }

  focus() { this.#panel.focus({ preventScroll: true }); }
  back() { this.#head.querySelector(".back")?.focus(); }
}

/// Returns a newer version of a call with the bodies and events that are already loaded, and the count that belongs to these events.
function withBodies(call, loaded) {
  const attempts = call.attempts.map((attempt) => {
    const known = loaded.attempts.find(({ number }) => number === attempt.number);
    if (!known) return attempt;
    const response = attempt.response && known.response ? { ...attempt.response, body: attempt.response.body ?? known.response.body } : attempt.response;
    return { ...attempt, request: { ...attempt.request, body: attempt.request.body ?? known.request.body }, response };
  });
  return { ...call, attempts, stream: loaded.stream, streamCount: loaded.streamCount, curl: call.curl ?? loaded.curl, swift: call.swift ?? loaded.swift };
}
