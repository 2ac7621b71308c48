// The keyboard: one table of keys, used by the page and by its help.

import { button, byID, el } from "./dom.js";
import { terms } from "./filter.js";

/// Creates the help from the table of keys.
function makeHelp(keys) {
  const dialog = byID("help");
  const rows = (pairs) => el("dl", { class: "keys" }, ...pairs.flatMap(([names, text]) => [el("dt", {}, ...names.map((name) => el("kbd", { text: name }))), el("dd", { text })]));
  const searches = [...Object.values(terms).map(([example, text]) => [example, text]), ["\"two words\"", "the exact text"], ["-word", "excludes; works with each term"]];
  dialog.append(
    el("div", { class: "help-head" }, el("h2", { id: "help-title", text: "Keyboard and search" }), button("", { icon: "close", class: "button button-icon", label: "Close" }, () => dialog.close())),
    el("div", { class: "help-columns" },
      el("section", {}, el("h3", { text: "Keyboard" }), rows(keys.filter(({ text }) => text).map(({ label, text }) => [label, text]))),
      el("section", {}, el("h3", { text: "Search" }), el("p", { class: "dim", text: "Words match names, URLs, routes, operations, tags, statuses and errors." }),
        el("dl", { class: "keys" }, ...searches.flatMap(([example, text]) => [el("dt", {}, el("code", { text: example })), el("dd", { text })])))));
  dialog.addEventListener("click", (event) => { if (event.target === dialog) dialog.close(); });
}

const isTyping = (node) => node instanceof HTMLElement && (node.matches("input, textarea, select") || node.isContentEditable);

/// Connects the keys. Each entry has `keys` (values of `event.key`), `label` and `text` for the help, `run`, and `inList` if it only works outside the panel.
export function connectKeys(keys) {
  makeHelp(keys);
  addEventListener("keydown", (event) => {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || byID("help").open) return;
    const typing = isTyping(event.target);
    const entry = keys.find((candidate) => candidate.keys.includes(event.key) && (!typing || candidate.whileTyping));
    if (!entry) return;
    const isOnControl = event.target instanceof Element && event.target.closest("button, [role=separator], [role=tab]");
    if (event.key === "Enter" && isOnControl) return;
    if (entry.inList && event.target instanceof Element && event.target.closest("#detail, #columns, #filters, .bar") && !typing) return;
    event.preventDefault();
    entry.run(event.key);
  });
}
