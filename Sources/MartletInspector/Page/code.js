// The tab with the call as a curl command and as Swift.

import { curlCommand } from "./curl.js";
import { button, el, redactable } from "./dom.js";
import { copy } from "./toast.js";

/// Returns the call as a curl command: the app's, or one made from the first attempt.
export const curlOf = (call) => call.curl ?? (call.attempts[0] ? curlCommand(call.attempts[0]) : null);

const block = (title, text, missing) => el("section", { class: "block" },
  el("div", { class: "block-head" }, el("h3", { text: title }), text ? button("Copy", { class: "button button-small", icon: "copy", label: `Copy as ${title}` }, () => copy(text, `as ${title}`)) : null),
  text ? el("pre", { class: "text" }, ...redactable(text)) : el("p", { class: "dim none", text: missing }));

export class CodeTab {
  node = el("div", { class: "tab-body" });
  #key = null;

  update(call) {
    const curl = curlOf(call);
    const key = `${call.id}|${curl}|${call.swift}`;
    if (key === this.#key) return;
    this.#key = key;
    const hasRedacted = /<redacted>|‹redacted›/.test(`${curl}${call.swift}`);
    this.node.replaceChildren(...[hasRedacted ? el("p", { class: "note" }, "Replace ", el("span", { class: "redacted", text: "<redacted>" }), " with real values before you run the code.") : null,
      block("cURL", curl, "No request was sent."), block("Swift", call.swift, "Swift code is available for calls that Martlet recorded.")].filter(Boolean));
  }
}
