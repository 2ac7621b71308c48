// The buttons of the header, the chips, the columns and the divider.

import { chips } from "./filter.js";
import { button, byID, el } from "./dom.js";

const themes = ["system", "light", "dark"];

/// Applies a theme and remembers it for this address.
export function applyTheme(theme) {
  if (theme === "system") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
  try {
    localStorage.setItem("theme", theme);
  } catch {
    // Private windows can refuse storage; the theme then lasts until the page is closed.
  }
}

/// Returns the remembered theme.
export function savedTheme() {
  try {
    const theme = localStorage.getItem("theme");
    return themes.includes(theme) ? theme : "system";
  } catch {
    return "system";
  }
}

/// Switches between light and dark, starting with the opposite of the one that is shown. Returns its name.
export function nextTheme() {
  const shown = document.documentElement.dataset.theme ?? (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light");
  const theme = shown === "dark" ? "light" : "dark";
  applyTheme(theme);
  return theme;
}

/// Creates the buttons of the header.
export function makeActions({ open, save, clear, help }) {
  byID("actions").append(
    button("Open HAR", { icon: "open", label: "Open a HAR file", title: "Open a HAR file (O)", id: "open" }, open),
    button("Save HAR", { icon: "save", label: "Save all calls as HAR", title: "Save all calls as HAR (H)", id: "save" }, save),
    button("Clear", { icon: "clear", label: "Clear the list", title: "Clear the list (X)", id: "clear" }, clear),
    button("", { icon: "theme", class: "button button-icon", label: "Switch between light and dark", title: "Light or dark (T)" }, nextTheme),
    button("", { icon: "help", class: "button button-icon", label: "Keyboard and search", title: "Keyboard and search (?)" }, help));
}

/// Creates the chips. `choose` receives the name of the chosen one.
export function makeChips(choose) {
  byID("filters").append(...chips.map(([name, title]) => el("button", { type: "button", class: "chip", "data-chip": name, "aria-pressed": String(name === "all"), on: { click: () => choose(name) } },
    el("span", { text: title }), el("span", { class: "chip-count" }))));
}

/// Updates the counts of the chips.
export function updateChips(calls, chosen) {
  for (const node of byID("filters").children) {
    const [name, , test] = chips.find(([chip]) => chip === node.dataset.chip);
    const count = calls.filter(test).length;
    node.lastChild.textContent = count;
    node.setAttribute("aria-pressed", String(name === chosen));
    node.classList.toggle("chip-alert", name === "failed" && count > 0);
  }
}

/// Creates the headings of the columns, which sort the list.
export function makeColumns(choose) {
  const columns = [["status", "Status"], ["name", "Call"], ["size", "Size"], ["duration", "Duration"], ["time", "Started"]];
  byID("columns").append(...columns.map(([name, title]) =>
    el("button", { type: "button", class: `column column-${name}`, "data-column": name, "data-title": title, on: { click: () => choose(name) } }, el("span", { text: title }), el("span", { class: "arrow", "aria-hidden": "true" }))));
}

/// Shows the order of the list in the headings.
export function updateColumns({ column, isDescending }) {
  for (const node of byID("columns").children) {
    const isChosen = node.dataset.column === column;
    node.setAttribute("aria-pressed", String(isChosen));
    node.lastChild.textContent = isChosen ? (isDescending ? "↓" : "↑") : "";
    node.setAttribute("aria-label", `Sort by ${node.dataset.title.toLowerCase()}${isChosen ? (isDescending ? ", descending" : ", ascending") : ""}`);
  }
}

/// Makes the divider change the width of the list by pointer and by arrow keys.
export function makeDivider() {
  const divider = byID("divider");
  const split = byID("split");
  const set = (width) => {
    const percent = Math.max(25, Math.min(70, (width / split.clientWidth) * 100));
    split.style.setProperty("--list", `${percent}%`);
    divider.setAttribute("aria-valuenow", Math.round(percent));
  };
  divider.setAttribute("aria-valuemin", 25);
  divider.setAttribute("aria-valuemax", 70);
  divider.setAttribute("aria-valuenow", 40);
  divider.addEventListener("pointerdown", (event) => { divider.setPointerCapture(event.pointerId); event.preventDefault(); });
  divider.addEventListener("pointermove", (event) => { if (divider.hasPointerCapture(event.pointerId)) set(event.clientX - split.getBoundingClientRect().left); });
  divider.addEventListener("dblclick", () => split.style.removeProperty("--list"));
  divider.addEventListener("keydown", (event) => {
    const offset = { ArrowLeft: -24, ArrowRight: 24 }[event.key];
    if (!offset) return;
    set(byID("columns").parentElement.clientWidth + offset);
    event.preventDefault();
    event.stopPropagation();
  });
}
