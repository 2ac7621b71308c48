// What the list says when it is empty, and the line below it.

import { elapsed } from "./call.js";
import { button, byID, el } from "./dom.js";
import { bytes, counted, duration } from "./format.js";

/// Shows why the list is empty and what the user can do.
export function emptyState({ isEmpty, hasCalls, connection, isLoaded, reset }) {
  const node = byID("empty");
  node.hidden = !isEmpty || (!isLoaded && connection === "connecting");
  const key = `${hasCalls}/${connection}/${isLoaded}`;
  if (node.hidden || node.dataset.key === key) return;
  node.dataset.key = key;
  const show = (title, text, ...rest) => node.replaceChildren(el("h2", { text: title }), el("p", { text }), ...rest);
  if (hasCalls) show("No call matches", "Change the search or the filter.", button("Show all calls", {}, reset));
  else if (connection === "lost") show("The app does not respond", "Start the app and open the new address that it prints. A HAR file can be dropped here.");
  else if (connection === "file") show("The recording is empty", "It contains no entries. Drop another HAR file here.");
  else show("No calls yet", "Calls appear here as soon as the app sends them, if the inspector is one of the client's observers. A HAR file can be dropped here.",
    el("pre", { class: "text", text: "let inspector = try await Inspector.start()\nlet client = HTTPClient(…, observers: [inspector])" }));
}

/// Returns the totals of the shown calls.
export function summaryText(shown, all, limits) {
  if (!all.length) return "";
  const count = shown.length === all.length ? counted(all.length, "call") : `${shown.length} of ${counted(all.length, "call")}`;
  const received = shown.reduce((sum, call) => sum + (call.bytes.received ?? 0), 0);
  const slowest = shown.filter((call) => call.state !== "running").reduce((longest, call) => Math.max(longest, elapsed(call) ?? 0), 0);
  const limit = limits?.calls && all.length >= limits.calls ? `, the last ${limits.calls} are kept` : "";
  return [count + limit, `${bytes(received)} received`, slowest ? `slowest ${duration(slowest)}` : null].filter(Boolean).join("  ·  ");
}
