// The list: draws only the visible rows, keeps the position, and moves the selection.

import { elapsed } from "./call.js";
import { byID, el } from "./dom.js";
import { makeRow } from "./row.js";

const rowHeight = 46;

export class List {
  #frame = byID("list");
  #spacer = el("div", { class: "list-space", role: "presentation" });
  #calls = [];
  #rows = new Map();
  #scale = 1;
  #selected = null;
  #isDrawing = false;
  #unseen = 0;
  isFollowing = true;
  onSelect = () => {};

  constructor() {
    this.#frame.append(this.#spacer);
    this.#frame.addEventListener("scroll", () => {
      this.isFollowing = this.#frame.scrollTop + this.#frame.clientHeight >= this.#spacer.offsetHeight - rowHeight / 2;
      if (this.isFollowing) this.#showUnseen(0);
      this.draw();
    }, { passive: true });
    this.#frame.addEventListener("click", (event) => this.#click(event));
    new ResizeObserver(() => this.draw()).observe(this.#frame);
    byID("newer").addEventListener("click", () => this.scrollToEnd());
    setInterval(() => { if (this.#calls.some((call) => call.state === "running")) this.draw(true); }, 500);
  }

  get calls() { return this.#calls; }
  get selected() { return this.#selected; }

  /// Shows calls. `isAppending` means that new calls appear at the end, which the list follows if it is scrolled there.
  show(calls, isAppending) {
    const added = calls.length - this.#calls.length;
    this.#calls = calls;
    const ended = calls.filter((call) => call.state !== "running").map((call) => elapsed(call) ?? 0).sort((a, b) => a - b);
    // A few slow calls are cut, so that the others stay visible.
    const usual = ended[Math.floor(ended.length * 0.95)] ?? 1;
    this.#scale = Math.max(0.001, Math.min(ended.at(-1) ?? 1, usual * 4) * 1.02);
    this.#spacer.style.setProperty("height", `${calls.length * rowHeight}px`);
    if (isAppending && this.isFollowing && added > 0) this.#frame.scrollTop = this.#spacer.offsetHeight;
    else if (isAppending && added > 0 && this.#frame.scrollTop > 0) this.#showUnseen(this.#unseen + added);
    this.draw(true);
  }

  scrollToEnd() {
    this.#frame.scrollTop = this.#spacer.offsetHeight;
    this.isFollowing = true;
    this.#showUnseen(0);
  }

  #showUnseen(count) {
    this.#unseen = count;
    byID("newer").hidden = count === 0;
    byID("newer").textContent = `${count} new ↓`;
  }

  #click(event) {
    const offset = event.clientY - this.#frame.getBoundingClientRect().top + this.#frame.scrollTop;
    const call = this.#calls[Math.floor(offset / rowHeight)];
    if (call) this.select(call.id, true);
  }

  /// Draws the visible rows in the next frame. `isChanged` also replaces rows whose calls changed.
  draw(isChanged = false) {
    if (isChanged) for (const row of this.#rows.values()) row.isStale = true;
    if (this.#isDrawing) return;
    this.#isDrawing = true;
    requestAnimationFrame(() => {
      this.#isDrawing = false;
      this.#drawNow();
    });
  }

  #drawNow() {
    const first = Math.max(0, Math.floor(this.#frame.scrollTop / rowHeight) - 5);
    const last = Math.min(this.#calls.length, Math.ceil((this.#frame.scrollTop + this.#frame.clientHeight) / rowHeight) + 5);
    const kept = new Map();
    let previous = null;
    for (let index = first; index < last; index += 1) {
      const call = this.#calls[index];
      let row = this.#rows.get(call.id);
      const isCurrent = row && row.call === call && (!row.isStale || (call.state !== "running" && row.scale === this.#scale));
      if (!isCurrent) {
        const node = makeRow(call, this.#scale);
        if (row) row.node.replaceWith(node);
        row = { call, node, scale: this.#scale };
      }
      row.isStale = false;
      row.node.style.setProperty("top", `${index * rowHeight}px`);
      row.node.setAttribute("aria-posinset", index + 1);
      row.node.setAttribute("aria-setsize", this.#calls.length);
      row.node.setAttribute("aria-selected", call.id === this.#selected);
      if (previous ? row.node.previousSibling !== previous : row.node !== this.#spacer.firstChild) {
        if (previous) previous.after(row.node);
        else this.#spacer.prepend(row.node);
      }
      previous = row.node;
      kept.set(call.id, row);
    }
    for (const [id, row] of this.#rows) if (!kept.has(id)) row.node.remove();
    this.#rows = kept;
    const isDrawn = this.#selected !== null && kept.has(this.#selected);
    if (isDrawn) this.#frame.setAttribute("aria-activedescendant", `row-${this.#selected}`);
    else this.#frame.removeAttribute("aria-activedescendant");
  }

  /// Selects a call by ID, or none. `isByUser` is passed to `onSelect`.
  select(id, isByUser = false) {
    this.#selected = id;
    const index = this.#calls.findIndex((call) => call.id === id);
    if (index >= 0) this.#reveal(index);
    this.draw();
    this.onSelect(id, isByUser);
  }

  /// Moves the selection by rows; `Infinity` moves to the end.
  move(offset) {
    if (!this.#calls.length) return;
    const index = this.#calls.findIndex((call) => call.id === this.#selected);
    const start = index < 0 ? (offset > 0 ? -1 : this.#calls.length) : index;
    const target = Math.max(0, Math.min(this.#calls.length - 1, start + offset));
    this.select(this.#calls[target].id);
  }

  /// Returns how many rows fit into the list.
  get pageSize() { return Math.max(1, Math.floor(this.#frame.clientHeight / rowHeight) - 1); }

  #reveal(index) {
    const top = index * rowHeight;
    if (top < this.#frame.scrollTop) this.#frame.scrollTop = top;
    else if (top + rowHeight > this.#frame.scrollTop + this.#frame.clientHeight) this.#frame.scrollTop = top + rowHeight - this.#frame.clientHeight;
  }

  /// Keeps the selected row visible after the list's size changed.
  revealSelected() {
    const index = this.#calls.findIndex((call) => call.id === this.#selected);
    if (index >= 0) this.#reveal(index);
  }
}
