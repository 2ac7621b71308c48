// Builds elements. Data enters the page only as text nodes and attribute values, never as markup.

/// Creates an element. `props` sets `class`, `text`, `on` (listeners) and `css` (properties through CSSOM); other keys are attributes.
export function el(tag, props = {}, ...children) {
  const node = document.createElement(tag);
  for (const [key, value] of Object.entries(props)) {
    if (value === undefined || value === null || value === false) continue;
    if (key === "class") node.className = value;
    else if (key === "text") node.textContent = value;
    else if (key === "on") for (const [type, listener] of Object.entries(value)) node.addEventListener(type, listener);
    else if (key === "css") for (const [name, part] of Object.entries(value)) node.style.setProperty(name, part);
    else node.setAttribute(key, value === true ? "" : value);
  }
  node.append(...children.filter((child) => child !== null && child !== undefined && child !== false));
  return node;
}

/// Returns the element with an ID of index.html.
export const byID = (id) => document.getElementById(id);

const redactedParts = /<redacted>|‹redacted›|%3Credacted%3E|%E2%80%B9redacted%E2%80%BA/i;

/// Creates text nodes, with each redacted value in a dimmed span.
export function redactable(text) {
  const nodes = [];
  let rest = String(text);
  for (let match = redactedParts.exec(rest); match; match = redactedParts.exec(rest)) {
    if (match.index) nodes.push(document.createTextNode(rest.slice(0, match.index)));
    nodes.push(el("span", { class: "redacted", text: "<redacted>", title: "The app replaced this value before it recorded the call." }));
    rest = rest.slice(match.index + match[0].length);
  }
  if (rest || !nodes.length) nodes.push(document.createTextNode(rest));
  return nodes;
}

const paths = {
  back: "M10 3 5 8l5 5",
  clear: "M3 4.5h10M6 4.5V3h4v1.5M4.5 4.5l.6 8.5h5.8l.6-8.5M7 7v3.5M9 7v3.5",
  close: "M4 4l8 8M12 4l-8 8",
  copy: "M6 6h7v7H6zM10 6V3H3v7h3",
  help: "M6 6.2a2 2 0 1 1 2.8 1.9c-.6.3-.8.7-.8 1.4M8 12v.2",
  open: "M2.5 12.5v-9h4l1.5 2h5.5v7z",
  save: "M8 2.5v7M5 7l3 3 3-3M3 12.5h10",
  search: "M11 7A4 4 0 1 1 3 7a4 4 0 0 1 8 0zM10 10l3.5 3.5",
  theme: "M8 2.5a5.5 5.5 0 1 0 5.5 6.5A4.3 4.3 0 0 1 8 2.5z",
  check: "M3.5 8.5l3 3 6-7",
};

/// Creates a 16-pixel line icon that assistive technology skips.
export function icon(name) {
  const namespace = "http://www.w3.org/2000/svg";
  const svg = document.createElementNS(namespace, "svg");
  for (const [key, value] of [["viewBox", "0 0 16 16"], ["width", "16"], ["height", "16"], ["class", "icon"], ["aria-hidden", "true"]]) svg.setAttribute(key, value);
  const path = document.createElementNS(namespace, "path");
  path.setAttribute("d", paths[name]);
  svg.append(path);
  return svg;
}

/// Creates a button with an optional icon. `props.label` names it where the text is hidden at phone width.
export function button(text, { icon: name, label, class: style = "button", ...props } = {}, action) {
  return el("button", { type: "button", class: style, "aria-label": label, on: { click: action }, ...props },
    name ? icon(name) : null, text ? el("span", { text }) : null);
}
