// Reads an entry of a HAR file as an attempt.

import { read } from "./call.js";

const seconds = (ms) => { const value = read.positive(ms); return value === null ? null : value / 1000; };

/// Returns the Unix time of an ISO date, or 0.
export const unixTime = (text) => { const time = Date.parse(read.text(text)); return Number.isFinite(time) ? time / 1000 : 0; };

const pairs = (fields) => read.list(fields).map((field) => read.object(field)).filter(Boolean).map(({ name, value }) => [read.text(name), read.text(value)]);

function requestBody(request) {
  const data = read.object(request.postData);
  if (!data) return read.positive(request.bodySize) ? { type: "", size: request.bodySize } : null;
  const fields = pairs(data.params);
  const text = read.textOrNull(data.text) ?? (fields.length ? fields.map((field) => field.map(encodeURIComponent).join("=")).join("&") : "");
  const isBinary = data._encoding === "base64" || data.encoding === "base64";
  return { type: read.text(data.mimeType), size: read.positive(request.bodySize) || text.length, ...(isBinary ? { base64: text } : { text }), isTruncated: data._isTruncated === true };
}

function responseBody(response) {
  const content = read.object(response.content);
  if (!content) return null;
  const hasText = typeof content.text === "string";
  return { type: read.text(content.mimeType), size: read.positive(content.size), isTruncated: content._isTruncated === true,
    ...(hasText ? (content.encoding === "base64" ? { base64: content.text } : { text: content.text }) : {}) };
}

/// Returns the attempt of an entry. `started` is the start of its call.
export function attemptOfEntry(entry, number, started) {
  const request = read.object(entry.request) ?? {};
  const response = read.object(entry.response) ?? {};
  const timings = read.object(entry.timings) ?? {};
  const tls = seconds(timings.ssl);
  const connect = seconds(timings.connect);
  const status = read.positive(response.status) || null;
  const error = read.textOrNull(entry._error) ?? read.textOrNull(response._error);
  const version = read.text(response.httpVersion) || read.text(request.httpVersion);
  return {
    number: read.positive(entry._attempt) ?? number,
    at: read.positive(entry._at) ?? Math.max(0, unixTime(entry.startedDateTime) - started),
    duration: seconds(entry.time),
    method: read.text(request.method, "GET"),
    url: read.text(request.url),
    protocol: { h2: "HTTP/2", h3: "HTTP/3", "http/2.0": "HTTP/2", "http/2": "HTTP/2", "http/3": "HTTP/3", "http/3.0": "HTTP/3", unknown: null, "": null }[version.toLowerCase()] ?? (/^http\/1/i.test(version) ? version.toUpperCase() : null),
    reused: typeof entry._reused === "boolean" ? entry._reused : null,
    address: read.textOrNull(entry.serverIPAddress),
    phases: { queued: seconds(timings.blocked), dns: seconds(timings.dns), connect: connect !== null && tls !== null ? Math.max(0, connect - tls) : connect, tls, send: seconds(timings.send), wait: seconds(timings.wait), receive: seconds(timings.receive) },
    status,
    error,
    request: { headers: pairs(request.headers), body: requestBody(request) },
    response: status ? { headers: pairs(response.headers), body: responseBody(response) } : null,
    removedFields: read.list(entry._removedFields),
  };
}
