// Text and binary bodies, shown in parts so that large bodies stay fluid.

import { el, redactable } from "./dom.js";
import { bytes } from "./format.js";

const textPart = 100000;
const binaryPart = 1024;

/// Creates a block of text that shows 100,000 characters at a time.
export function textView(text) {
  const pre = el("pre", { class: "text" });
  const node = el("div", {}, pre);
  let shown = 0;
  const showMore = () => {
    const part = text.slice(shown, shown + textPart);
    pre.append(...redactable(part));
    shown += part.length;
    node.querySelector(".link")?.remove();
    const rest = text.length - shown;
    if (rest > 0) node.append(el("button", { type: "button", class: "link", text: `Show more (${rest.toLocaleString("en")} characters left)`, on: { click: showMore } }));
  };
  showMore();
  return node;
}

/// Decodes base64. Returns nil for malformed text.
export function decodedBase64(text) {
  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  } catch {
    return null;
  }
}

function hexLines(data, start, end) {
  const lines = [];
  for (let at = start; at < end; at += 16) {
    const part = data.subarray(at, Math.min(at + 16, end));
    const hex = [...part].map((byte) => byte.toString(16).padStart(2, "0"));
    const left = hex.slice(0, 8).join(" ").padEnd(23);
    const right = hex.slice(8).join(" ").padEnd(23);
    const characters = [...part].map((byte) => (byte > 31 && byte < 127 ? String.fromCharCode(byte) : "·")).join("");
    lines.push(`${at.toString(16).padStart(6, "0")}  ${left}  ${right}  ${characters}`);
  }
  return `${lines.join("\n")}\n`;
}

/// Creates a hexadecimal view that shows 1 KiB at a time.
export function hexView(data) {
  const pre = el("pre", { class: "text hex" });
  const node = el("div", {}, pre);
  let shown = 0;
  const showMore = () => {
    const end = Math.min(data.length, shown + binaryPart * (shown ? 16 : 1));
    pre.append(hexLines(data, shown, end));
    shown = end;
    node.querySelector(".link")?.remove();
    if (shown < data.length) node.append(el("button", { type: "button", class: "link", text: `Show more (${bytes(data.length - shown)} left)`, on: { click: showMore } }));
  };
  showMore();
  return node;
}
