// Writes a request as a command line of curl, for calls of recordings that have none.

import { decodedBase64 } from "./text-view.js";

const isToken = (name) => /^[!#$%&'*+.^_`|~0-9a-z-]+$/i.test(name);

/// Quotes an argument for a POSIX shell. Control characters become escapes, so that pasted text cannot press keys.
export function quoted(text) {
  if (/^[a-z0-9_./:=,+-]+$/i.test(text)) return text;
  if (!/[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/.test(text)) return `'${text.replaceAll("'", "'\\''")}'`;
  const escaped = text.replace(/[\\'\u0000-\u001f\u007f-\u009f]/g, (character) => {
    const code = character.charCodeAt(0);
    return character === "\\" || character === "'" ? `\\${character}` : code > 127 ? `\\u00${code.toString(16)}` : `\\x${code.toString(16).padStart(2, "0")}`;
  });
  return `$'${escaped}'`;
}

/// Returns the command that repeats an attempt. Connection-specific fields are left out, because curl sets them.
export function curlCommand(attempt) {
  const parts = ["curl --globoff"];
  const { body } = attempt.request;
  const hasBody = Boolean(body && body.text);
  if (attempt.method !== (hasBody ? "POST" : "GET")) parts.push(attempt.method === "HEAD" ? "--head" : `--request ${quoted(attempt.method)}`);
  parts.push(`--url ${quoted(attempt.url)}`);
  for (const [name, value] of attempt.request.headers) {
    if (!isToken(name) || ["content-length", "host", "connection", "transfer-encoding"].includes(name.toLowerCase())) continue;
    parts.push(`--header ${quoted(value === "" ? `${name};` : `${name}: ${value}`)}`);
  }
  if (attempt.request.headers.some(([name, value]) => name.toLowerCase() === "accept-encoding" && /gzip|br|deflate|zstd/.test(value))) parts.push("--compressed");
  if (hasBody) parts.push(`--data-raw ${quoted(body.text)}`);
  const isBinary = body && body.text === null && body.base64 && decodedBase64(body.base64)?.length;
  return parts.join(" \\\n  ") + (isBinary ? "\n# The binary body is left out." : "");
}
