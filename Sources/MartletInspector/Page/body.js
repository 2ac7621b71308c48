// Chooses how to show a body: JSON, GraphQL, a form, an image, text or bytes.

import { button, el, redactable } from "./dom.js";
import { bytes, formPairs } from "./format.js";
import { jsonTree, parseJSON } from "./json-tree.js";
import { decodedBase64, hexView, textView } from "./text-view.js";
import { copy } from "./toast.js";

const imageTypes = ["png", "jpeg", "gif", "webp", "avif", "svg+xml", "bmp", "x-icon", "vnd.microsoft.icon"].map((type) => `image/${type}`);
const largestJSON = 8000000;

const mediaType = (body) => body.type.split(";")[0].trim().toLowerCase();
const isJSON = (type, text) => /[/+]json$/.test(type) || (/^(text\/plain|application\/octet-stream|application\/graphql)?$/.test(type) && /^\s*[[{]/.test(text));
const note = (text) => el("p", { class: "note", text });

function imageView(type, data) {
  const url = URL.createObjectURL(new Blob([data], { type }));
  const caption = el("figcaption", { class: "dim", text: "Loading…" });
  const image = el("img", { alt: "The body as an image", src: url });
  image.addEventListener("load", () => { caption.textContent = `${image.naturalWidth} × ${image.naturalHeight} pixels`; URL.revokeObjectURL(url); });
  image.addEventListener("error", () => { image.remove(); caption.textContent = "The body is not a valid image."; URL.revokeObjectURL(url); });
  return el("figure", { class: "image" }, el("div", { class: "image-frame" }, image), caption);
}

/// Creates a table of names and values.
export function pairTable(pairs, label) {
  return el("table", { class: "fields", "aria-label": label }, el("tbody", {}, ...pairs.map(([name, value]) =>
    el("tr", {}, el("th", { scope: "row" }, ...redactable(name)), el("td", {}, ...redactable(value))))));
}

const isOperation = (value) => value !== null && typeof value === "object" && typeof value.query === "string";

/// Returns the operations of a GraphQL request: one, or those of a batch. Other values have none.
const operationsOf = (value) => (isOperation(value) ? [value] : Array.isArray(value) && value.length && value.length <= 100 && value.every(isOperation) ? value : []);

function operationParts({ query, operationName, variables }) {
  const name = operationName ? String(operationName) : /^\s*(?:query|mutation|subscription)\s+([A-Za-z_][A-Za-z0-9_]*)/.exec(query)?.[1];
  const parts = [el("h4", {}, ...redactable(name ? `Operation ${name.slice(0, 200)}` : "Operation")), textView(query)];
  if (variables !== null && typeof variables === "object" && Object.keys(variables).length) parts.push(el("h4", { text: "Variables" }), jsonTree(variables).node);
  return parts;
}

const graphQLView = (operations) => el("div", {}, ...operations.flatMap(operationParts));

/// Returns the ways to show a body as pairs of a label and a function that creates the view; the first is the default.
function views(body) {
  const type = mediaType(body);
  const data = body.base64 !== null ? decodedBase64(body.base64) : null;
  const text = body.text ?? (data && /^text\/|json|xml|javascript/.test(type) ? new TextDecoder().decode(data) : null);
  const result = [];
  if (imageTypes.includes(type)) result.push(["Image", () => imageView(type, data ?? new TextEncoder().encode(text ?? ""))]);
  if (text !== null && text.trim() && text.length <= largestJSON && isJSON(type, text)) {
    let value;
    try {
      value = parseJSON(text);
    } catch (error) {
      result.push(["Text", () => el("div", {}, body.isTruncated ? null : note(`This body is not valid JSON: ${error.message}`), textView(text))]);
      return result;
    }
    const operations = operationsOf(value);
    if (operations.length) result.push(["GraphQL", () => ({ node: graphQLView(operations) })]);
    result.push(["Tree", () => jsonTree(value)]);
  }
  if (text !== null && type === "application/x-www-form-urlencoded") result.push(["Form", () => pairTable(formPairs(text), "Form")]);
  if (text !== null) result.push(["Text", () => textView(text)]);
  if (data) result.push(["Bytes", () => hexView(data)]);
  return result;
}

/// Creates the view of a body with its type, size, ways to show it and a button that copies it.
export function bodyView(body) {
  if (!body || (body.size === 0 && !body.text && !body.base64)) return el("p", { class: "dim none", text: "No body" });
  const title = [body.type || "no media type", body.size !== null ? bytes(body.size) : null].filter(Boolean).join(", ");
  const tools = el("div", { class: "body-tools" });
  const frame = el("div", { class: "body-frame" });
  const notes = [];
  if (body.isTruncated) notes.push(note(`Only the first part of this body was recorded${body.size !== null ? ` (${bytes((body.text ?? "").length || Math.floor((body.base64 ?? "").length * 0.75))} of ${bytes(body.size)})` : ""}.`));
  if (body.base64 !== null && decodedBase64(body.base64) === null) notes.push(note("The recorded body is not valid base64."));
  const ways = views(body);
  if (!ways.length) notes.push(note("Only the size of this body was recorded."));
  if (mediaType(body).includes("json") && (body.text?.length ?? 0) > largestJSON) notes.push(note(`JSON larger than ${bytes(largestJSON)} is shown as text.`));
  const segments = el("div", { class: "segments", role: "group", "aria-label": "Show as" });
  const choose = (index) => {
    const shown = ways[index][1]();
    [...segments.children].forEach((node, position) => node.setAttribute("aria-pressed", position === index));
    frame.replaceChildren(shown.node ?? shown);
    tools.replaceChildren(...(shown.open ? [
      button("Unfold", { class: "button button-small", label: "Unfold all" }, () => { if (!shown.open()) frame.prepend(note("Unfolding stopped at 2,000 rows.")); }),
      button("Fold", { class: "button button-small", label: "Fold all" }, () => shown.close())] : []),
    ...(body.text !== null ? [button("Copy", { class: "button button-small", icon: "copy", label: "Copy body" }, () => copy(body.text, "the body"))] : []));
  };
  segments.append(...ways.map(([name], index) => el("button", { type: "button", text: name, "aria-pressed": "false", on: { click: () => choose(index) } })));
  if (ways.length) choose(0);
  return el("div", { class: "body" }, el("div", { class: "body-bar" }, el("span", { class: "body-type", text: title }), ways.length > 1 ? segments : null, tools), ...notes, frame);
}
