// Writes calls as HAR 1.2, for saving single calls and recordings in the page.

const ms = (seconds) => (seconds === null ? -1 : Math.round(seconds * 1e6) / 1e3);
const fields = (headers) => headers.map(([name, value]) => ({ name, value }));

function query(url) {
  try {
    return [...new URL(url).searchParams].map(([name, value]) => ({ name, value }));
  } catch {
    return [];
  }
}

function content(body) {
  if (!body) return { size: 0, mimeType: "" };
  const flags = body.isTruncated ? { _isTruncated: true } : {};
  const data = body.text !== null ? { text: body.text } : body.base64 !== null ? { text: body.base64, encoding: "base64" } : {};
  return { size: body.size ?? -1, mimeType: body.type, ...data, ...flags };
}

function postData(body) {
  if (!body) return {};
  const data = { mimeType: body.type, text: body.text ?? body.base64 ?? "" };
  if (body.text === null && body.base64 !== null) data._encoding = "base64";
  if (body.isTruncated) data._isTruncated = true;
  return { postData: data };
}

/// Returns the messages of a WebSocket that belong to an attempt: those between its start and the next connection.
function messages(call, attempt) {
  if (call.kind !== "websocket" || attempt.status !== 101) return {};
  const end = call.attempts.find(({ number, status }) => number > attempt.number && status === 101)?.at ?? Infinity;
  const own = (call.stream ?? []).filter(({ at }) => at >= attempt.at && at < end);
  return { _resourceType: "websocket", _webSocketMessages: own.map((message) => ({
    type: message.event === "sent" ? "send" : "receive", time: call.started + message.at, opcode: message.base64 === null ? 1 : 2, data: message.base64 ?? message.data,
    _size: message.size, ...(message.isTruncated ? { _isTruncated: true } : {}) })) };
}

function entry(call, attempt) {
  const { phases, request, response } = attempt;
  const location = response?.headers.find(([name]) => name.toLowerCase() === "location")?.[1] ?? "";
  return {
    startedDateTime: new Date((call.started + attempt.at) * 1000).toISOString(),
    time: attempt.duration === null ? 0 : ms(attempt.duration),
    request: {
      method: attempt.method, url: attempt.url, httpVersion: attempt.protocol ?? "unknown", cookies: [], headers: fields(request.headers), queryString: query(attempt.url),
      headersSize: -1, bodySize: request.body?.size ?? 0, ...postData(request.body),
    },
    response: {
      status: attempt.status ?? 0, statusText: "", httpVersion: attempt.protocol ?? "unknown", cookies: [], headers: fields(response?.headers ?? []), content: content(response?.body),
      redirectURL: location, headersSize: -1, bodySize: response?.body?.size ?? -1,
    },
    cache: {},
    timings: {
      blocked: ms(phases.queued), dns: ms(phases.dns), connect: phases.connect === null ? -1 : ms(phases.connect + (phases.tls ?? 0)), ssl: ms(phases.tls),
      send: Math.max(0, ms(phases.send)), wait: Math.max(0, ms(phases.wait)), receive: Math.max(0, ms(phases.receive)),
    },
    ...(attempt.address ? { serverIPAddress: attempt.address } : {}),
    ...messages(call, attempt),
    _call: call.id, _attempt: attempt.number, _at: attempt.at, _reused: attempt.reused, _error: attempt.error, _removedFields: attempt.removedFields,
  };
}

/// Returns HAR text of calls with their bodies.
export function writeHAR(calls) {
  const log = {
    version: "1.2",
    creator: { name: "Martlet Inspector", version: "1" },
    entries: calls.flatMap((call) => call.attempts.map((attempt) => entry(call, attempt))),
    _calls: calls.map(({ attempts, stream, ...call }) => (call.kind === "websocket" ? call : { ...call, stream })),
  };
  return JSON.stringify({ log }, null, 1);
}
