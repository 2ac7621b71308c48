// A tree of a JSON value. Children are created when a node is unfolded, at most 100 at a time.

import { el, redactable } from "./dom.js";
import { counted } from "./format.js";

const pageSize = 100;
const longText = 400;
const openRows = 60;

/// A number whose text JavaScript cannot represent exactly.
class ExactNumber {
  constructor(text) { this.text = text; }
}

/// Parses JSON and keeps the text of numbers that a Double would change, such as 64-bit IDs.
export function parseJSON(text) {
  return JSON.parse(text, (key, value, context) =>
    typeof value === "number" && context?.source !== undefined && String(value) !== context.source ? new ExactNumber(context.source) : value);
}

const isContainer = (value) => value !== null && typeof value === "object" && !(value instanceof ExactNumber);
const childCount = (value) => (Array.isArray(value) ? value.length : Object.keys(value).length);

function preview(value) {
  if (Array.isArray(value)) return value.length ? `[ ${counted(value.length, "item")} ]` : "[ ]";
  const keys = Object.keys(value);
  if (!keys.length) return "{ }";
  const text = keys.slice(0, 4).join(", ").slice(0, 60);
  return `{ ${text}${keys.length > 4 || text.length === 60 ? ", …" : ""} }`;
}

function scalar(value) {
  if (value instanceof ExactNumber) return el("span", { class: "json-number", text: value.text, title: "Shown exactly. JavaScript would round this number." });
  if (typeof value === "string") {
    const node = el("span", { class: "json-string" });
    const show = (text) => node.replaceChildren("\"", ...redactable(JSON.stringify(text).slice(1, -1)), "\"");
    if (value.length <= longText) show(value);
    else {
      show(value.slice(0, longText));
      node.append(el("button", { type: "button", class: "link", text: `Show all ${counted(value.length, "character")}`, on: { click: () => show(value.slice(0, 200000)) } }));
    }
    return node;
  }
  return el("span", { class: typeof value === "number" ? "json-number" : "json-word", text: String(value) });
}

function keyNode(key) {
  if (key === null) return null;
  return typeof key === "number" ? el("span", { class: "json-index", text: `${key} ` }) : el("span", { class: "json-key" }, ...redactable(key), el("span", { class: "json-colon", text: ": " }));
}

class Branch {
  #value;
  #children = el("div", { class: "json-children", hidden: true });
  #button;
  #shown = 0;
  branches = [];

  constructor(key, value) {
    this.#value = value;
    this.count = childCount(value);
    this.#button = el("button", { type: "button", class: "json-fold", "aria-expanded": "false", disabled: this.count === 0, on: { click: () => this.toggle() } },
      keyNode(key), el("span", { class: "json-preview", text: preview(value) }));
    this.node = el("div", { class: "json-branch" }, this.#button, this.#children);
    this.#button.addEventListener("keydown", (event) => this.#key(event));
  }

  get isOpen() { return !this.#children.hidden; }

  toggle(isOpen = !this.isOpen) {
    if (!this.count) return;
    this.#button.setAttribute("aria-expanded", isOpen);
    this.#children.hidden = !isOpen;
    if (isOpen && !this.#shown) this.#showMore();
  }

  #showMore() {
    const isArray = Array.isArray(this.#value);
    const keys = isArray ? null : Object.keys(this.#value);
    const end = Math.min(this.count, this.#shown + pageSize);
    const rows = [];
    for (let index = this.#shown; index < end; index += 1) {
      const key = isArray ? index : keys[index];
      const value = this.#value[key];
      if (isContainer(value)) {
        const branch = new Branch(key, value);
        this.branches.push(branch);
        rows.push(branch.node);
      } else rows.push(el("div", { class: "json-leaf" }, keyNode(key), scalar(value)));
    }
    this.#shown = end;
    const rest = this.count - end;
    if (rest > 0) {
      const more = el("button", { type: "button", class: "link json-more", text: `Show ${Math.min(pageSize, rest)} more of ${rest.toLocaleString("en")}` });
      more.addEventListener("click", () => { more.remove(); this.#showMore(); });
      rows.push(more);
    }
    this.#children.append(...rows);
  }

  #key(event) {
    if (event.key === "ArrowRight" && !this.isOpen) this.toggle(true);
    else if (event.key === "ArrowLeft" && this.isOpen) this.toggle(false);
    else if (event.key === "ArrowLeft") this.node.parentElement?.closest(".json-branch")?.querySelector(".json-fold")?.focus();
    else if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      const all = [...this.node.closest(".json").querySelectorAll(".json-fold")].filter((node) => node.offsetParent && !node.disabled);
      all[all.indexOf(this.#button) + (event.key === "ArrowDown" ? 1 : -1)]?.focus();
    } else return;
    event.preventDefault();
    event.stopPropagation();
  }
}

/// Unfolds from the root while at most `limit` rows are visible. Returns whether everything is unfolded.
function open(root, limit) {
  let rows = 0;
  const queue = [root];
  while (queue.length) {
    const branch = queue.shift();
    if (rows + Math.min(branch.count, pageSize) > limit && branch !== root) return false;
    branch.toggle(true);
    rows += Math.min(branch.count, pageSize);
    queue.push(...branch.branches);
  }
  return true;
}

function close(branch) {
  for (const child of branch.branches) close(child);
  branch.toggle(false);
}

/// Creates the tree of a JSON value, with functions to unfold (at most 2,000 rows) and fold it.
export function jsonTree(value) {
  if (!isContainer(value)) return { node: el("div", { class: "json" }, el("div", { class: "json-leaf" }, scalar(value))), open: () => true, close: () => {} };
  const root = new Branch(null, value);
  open(root, openRows);
  return { node: el("div", { class: "json" }, root.node), open: () => open(root, 2000), close: () => { close(root); root.toggle(true); } };
}
