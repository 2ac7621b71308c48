// Short messages that disappear by themselves, and the clipboard.

import { byID, el } from "./dom.js";

/// Shows a message for four seconds, or eight for an error.
export function toast(text, isError = false) {
  const node = el("div", { class: isError ? "toast toast-bad" : "toast", text });
  byID("toasts").append(node);
  while (byID("toasts").children.length > 3) byID("toasts").firstChild.remove();
  setTimeout(() => node.remove(), isError ? 8000 : 4000);
}

/// Copies text to the clipboard and says so.
export async function copy(text, what) {
  try {
    await navigator.clipboard.writeText(text);
    toast(`Copied ${what}`);
  } catch {
    const area = el("textarea", { class: "offscreen", "aria-hidden": "true" });
    area.value = text;
    document.body.append(area);
    area.select();
    const isCopied = document.execCommand("copy");
    area.remove();
    toast(isCopied ? `Copied ${what}` : "The browser did not permit access to the clipboard", !isCopied);
  }
}

/// Offers text as a file.
export function download(text, name) {
  const url = URL.createObjectURL(new Blob([text], { type: "application/json" }));
  el("a", { href: url, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(url), 10000);
}
