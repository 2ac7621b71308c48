"""Makes calls of the format from few values."""

import itertools

_ids = itertools.count(1)
_PHASES = ("queued", "dns", "connect", "tls", "send", "wait", "receive")


def reset():
    global _ids
    _ids = itertools.count(1)


def phases(*durations):
    return dict(zip(_PHASES, (*durations, *[None] * 7)))


def body(type, text):
    return {"type": type, "size": len((text or "").encode()), "isTruncated": False, **({} if text is None else {"text": text})}


def moment(at, kind, text, attempt=None, duration=None):
    return {"at": at, "kind": kind, "text": text, "attempt": attempt, "duration": duration}


def attempt(number, at, method, url, status, durations, *, headers=None, fields=None, method_body=None, reply=None, reused=None, duration=None, error=None, removed=(), running=False, address="192.0.2.10:443"):
    total = None if running else duration if duration is not None else sum(value or 0 for value in durations.values())
    fields = fields if fields is not None else [["content-type", reply["type"] if reply else "text/plain"], ["date", "Mon, 23 Nov 2026 20:00:00 GMT"], ["server", "shop"]]
    return {
        "number": number, "at": at, "duration": total, "method": method, "url": url, "protocol": "HTTP/2" if status else None, "reused": reused, "address": address if status else None, "phases": durations,
        "status": status, "error": error, "request": {"headers": headers or [["accept", "application/json"], ["authorization", "Bearer <redacted>"], ["user-agent", "shop/4.2 (Martlet)"]], "body": method_body},
        "response": {"headers": fields, "body": reply} if status else None, "removedFields": list(removed),
    }


def call(name, url, attempts, *, started, kind="request", method="GET", state="succeeded", status=..., duration=..., timeline=None, received=None, curl=..., swift=..., route=None, operation=None, tags=(), outcome=None, error=None, cache=None, progress=None, stream=None):
    last = attempts[-1] if attempts else None
    if duration is ...:
        duration = None if state == "running" else (last["at"] + last["duration"] + 0.001 if last else 0.001)
    if timeline is None:
        timeline = [entry for one in attempts for entry in [moment(one["at"], "attempt", f"{method} {url.split('/')[2] if '//' in url else url}", one["number"])] + ([moment(one["at"] + one["duration"], "head", str(one["status"]), one["number"])] if one["status"] and one["duration"] else [])]
        timeline += [moment(duration, "end", outcome or state)] if duration is not None else []
    reply = last["response"]["body"] if last and last["response"] else None
    sent = last["request"]["body"] if last else None
    return {
        "id": str(next(_ids)), "name": name, "kind": kind, "method": method, "url": url, "route": route, "operations": [operation] if operation else [], "tags": list(tags), "started": started, "duration": duration, "state": state, "outcome": outcome,
        "error": error, "status": (last["status"] if last else None) if status is ... else status, "cache": cache, "bytes": {"sent": sent["size"] if sent else 0, "received": received if received is not None else reply["size"] if reply else 0},
        "progress": progress, "timeline": timeline, "attempts": attempts, "stream": stream,
        "curl": f"curl --request {method} \\\n  --url '{url}' \\\n  --header 'accept: application/json' \\\n  --header 'authorization: Bearer <redacted>'" if curl is ... else curl,
        "swift": f"let request = Request<Data>.{method.lower()}(url: \"{url}\")\nlet value = try await client.send(request)" if swift is ... else swift,
    }
