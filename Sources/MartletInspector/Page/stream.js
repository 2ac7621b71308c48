// The tab of a stream or a WebSocket: its events or messages as they arrive.

import { el, redactable } from "./dom.js";
import { eventNoun } from "./call.js";
import { bytes, counted, duration } from "./format.js";
import { jsonTree, parseJSON } from "./json-tree.js";
import { decodedBase64, hexView, textView } from "./text-view.js";

const shownEvents = 500;

const directions = { sent: "↑ sent", received: "↓ received" };

function eventRow(event, index) {
  const isMessage = event.size !== null;
  const data = event.base64 !== null ? decodedBase64(event.base64) ?? new Uint8Array() : null;
  const line = data ? "binary data" : event.data.slice(0, 300);
  const content = el("div", { class: "event-body", hidden: true });
  const head = el("button", { type: "button", class: isMessage ? "event-head message-head" : "event-head", "aria-expanded": "false" },
    el("span", { class: "event-index", text: index + 1 }), el("span", { class: "event-at", text: `+${duration(event.at)}` }),
    el("span", { class: `mark mark-${isMessage && event.event === "sent" ? "note" : "plain"}`, text: (isMessage && directions[event.event]) || event.event.slice(0, 60) }),
    isMessage ? el("span", { class: "event-at", text: bytes(event.size) }) : null, el("span", { class: "event-data" }, ...redactable(line)));
  head.addEventListener("click", () => {
    content.hidden = !content.hidden;
    head.setAttribute("aria-expanded", String(!content.hidden));
    if (content.hidden || content.firstChild) return;
    if (event.id !== null) content.append(el("p", { class: "dim", text: `ID ${event.id}` }));
    if (event.isTruncated) content.append(el("p", { class: "note", text: `Only the first part of this message of ${bytes(event.size)} was recorded.` }));
    if (data) return content.append(hexView(data));
    let value = null;
    try {
      value = /^\s*[[{]/.test(event.data) ? parseJSON(event.data) : null;
    } catch {
      value = null;
    }
    content.append(value === null ? textView(event.data) : jsonTree(value).node);
  });
  return el("li", { class: "event" }, head, content);
}

export class StreamTab {
  node = el("div", { class: "tab-body" });
  #list = el("ol", { class: "events" });
  #note = el("p", { class: "dim stream-note", role: "status" });
  #id = null;
  #end = 0;

  constructor() { this.node.append(this.#note, this.#list); }

  /// Shows the events of a call that was loaded.
  update(call) {
    if (call.id !== this.#id) {
      this.#id = call.id;
      this.#end = 0;
      this.#list.replaceChildren();
    }
    // The version of the list has no events. They are loaded later, and must not count as shown.
    if (call.stream === null) this.append(call, this.#end, []);
    else this.append(call, call.streamCount - call.stream.length, call.stream);
  }

  /// Appends events; `first` is the index of the first one in the stream. Known ones are skipped.
  append(call, first, events) {
    const panel = this.node.closest(".panel");
    const isAtEnd = panel ? panel.scrollTop + panel.clientHeight >= panel.scrollHeight - 40 : false;
    const start = Math.max(this.#end, first);
    const added = events.slice(Math.max(0, start - first)).slice(-shownEvents);
    const end = first + events.length;
    if (end > this.#end) {
      this.#list.append(...added.map((event, index) => eventRow(event, end - added.length + index)));
      this.#end = end;
      while (this.#list.children.length > shownEvents) this.#list.firstChild.remove();
      if (isAtEnd && panel) panel.scrollTop = panel.scrollHeight;
    }
    const count = Math.max(call.streamCount, this.#end);
    const hidden = count - this.#list.children.length;
    const noun = eventNoun(call);
    const what = call.kind === "websocket" ? "connection" : "stream";
    this.#note.textContent = count === 0 ? (call.state === "running" ? `No ${noun} yet. ${noun[0].toUpperCase()}${noun.slice(1)}s appear here as they arrive.` : `The ${what} ended without ${noun === "event" ? "an event" : "a message"}.`)
      : `${counted(count, noun)}${hidden > 0 ? `; the last ${this.#list.children.length} are shown` : ""}${call.state === "running" ? `; the ${what} is open` : ""}`;
  }
}
