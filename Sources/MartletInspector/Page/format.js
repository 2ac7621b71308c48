// Formats numbers, times and addresses for display.

/// Formats seconds: `0.4 ms`, `312 ms`, `1.92 s`, `2 min 05 s`.
export function duration(seconds) {
  if (seconds === null || seconds === undefined) return "";
  const ms = seconds * 1000;
  if (ms === 0) return "0 ms";
  if (ms < 1) return `${Math.max(0.1, ms).toFixed(1)} ms`;
  if (ms < 10) return `${ms.toFixed(1)} ms`;
  if (ms < 999.5) return `${Math.round(ms)} ms`;
  if (seconds < 10) return `${seconds.toFixed(2)} s`;
  if (seconds < 59.95) return `${seconds.toFixed(1)} s`;
  const whole = Math.round(seconds);
  const minutes = Math.floor(whole / 60);
  if (minutes < 60) return `${minutes} min ${String(whole % 60).padStart(2, "0")} s`;
  return `${Math.floor(minutes / 60)} h ${String(minutes % 60).padStart(2, "0")} min`;
}

/// Formats a number of bytes with decimal units: `812 B`, `1.2 kB`, `20 MB`.
export function bytes(count) {
  if (count === null || count === undefined) return "";
  if (count < 1000) return `${count} B`;
  for (const [unit, size] of [["kB", 1e3], ["MB", 1e6], ["GB", 1e9]]) {
    if (count < size * 999.5 || unit === "GB") {
      const value = count / size;
      return `${value < 10 ? value.toFixed(1) : Math.round(value)} ${unit}`;
    }
  }
  return "";
}

const clock = new Intl.DateTimeFormat(undefined, { hour: "2-digit", minute: "2-digit", second: "2-digit", fractionalSecondDigits: 3, hourCycle: "h23" });
const shortClock = new Intl.DateTimeFormat(undefined, { hour: "2-digit", minute: "2-digit", second: "2-digit", hourCycle: "h23" });
const date = new Intl.DateTimeFormat(undefined, { dateStyle: "medium" });

/// Formats a Unix time as the time of day with milliseconds.
export const time = (seconds) => clock.format(new Date(seconds * 1000));

/// Formats a Unix time as the time of day.
export const timeOfDay = (seconds) => shortClock.format(new Date(seconds * 1000));

/// Formats a Unix time as a date and a time of day.
export const dateAndTime = (seconds) => `${date.format(new Date(seconds * 1000))}, ${time(seconds)}`;

/// Formats a count with its noun: `1 call`, `2 calls`.
export const counted = (count, one, many = `${one}s`) => `${count.toLocaleString("en")} ${count === 1 ? one : many}`;

/// Splits a URL into its origin, path and query. Text that is not a URL is returned as the path.
export function urlParts(text) {
  const match = /^([a-z][a-z0-9+.-]*:\/\/[^/?#]*)?([^?#]*)(\?[^#]*)?(#.*)?$/is.exec(text);
  if (!match) return { origin: "", host: "", path: text, query: "" };
  const origin = match[1] ?? "";
  return { origin, host: origin.replace(/^[^:]*:\/\/(?:[^@]*@)?/, ""), path: match[2] ?? "", query: match[3] ?? "", fragment: match[4] ?? "" };
}

/// Decodes a percent-encoded value of a query or a form. Malformed text is returned unchanged.
export function formDecoded(text) {
  try {
    return decodeURIComponent(text.replaceAll("+", " "));
  } catch {
    return text;
  }
}

/// Returns the pairs of a query or a form.
export const formPairs = (text) => text.split("&").filter(Boolean).slice(0, 1000).map((pair) => {
  const index = pair.indexOf("=");
  return index < 0 ? [formDecoded(pair), ""] : [formDecoded(pair.slice(0, index)), formDecoded(pair.slice(index + 1))];
});

const reasons = {
  100: "Continue", 101: "Switching Protocols", 103: "Early Hints", 200: "OK", 201: "Created", 202: "Accepted", 204: "No Content", 206: "Partial Content",
  301: "Moved Permanently", 302: "Found", 303: "See Other", 304: "Not Modified", 307: "Temporary Redirect", 308: "Permanent Redirect",
  400: "Bad Request", 401: "Unauthorized", 403: "Forbidden", 404: "Not Found", 405: "Method Not Allowed", 406: "Not Acceptable", 408: "Request Timeout",
  409: "Conflict", 410: "Gone", 412: "Precondition Failed", 413: "Content Too Large", 415: "Unsupported Media Type", 416: "Range Not Satisfiable",
  421: "Misdirected Request", 422: "Unprocessable Content", 429: "Too Many Requests", 500: "Internal Server Error", 501: "Not Implemented",
  502: "Bad Gateway", 503: "Service Unavailable", 504: "Gateway Timeout",
};

/// Returns a status code with its reason phrase (RFC 9110 §15).
export const status = (code) => (reasons[code] ? `${code} ${reasons[code]}` : String(code));
