"""Calls of each kind, for the stand-in server."""

import base64
import json
import random
import struct
import time
import zlib

import builder
from builder import attempt, body, call, moment, phases

SCRIPT = "alert(document.domain);window.isOwned=true"
MARKUP = f"<img src=x onerror=\"{SCRIPT}\"><script>{SCRIPT}</script>\"'`{{{{7*7}}}}"
API = "https://api.shop.example"


def png(width, height):
    """A small image: a color gradient."""
    rows = b"".join(b"\0" + b"".join(bytes((40 + x * 150 // width, 90 + y * 120 // height, 200)) for x in range(width)) for y in range(height))
    chunk = lambda type, data: struct.pack(">I", len(data)) + type + data + struct.pack(">I", zlib.crc32(type + data))
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)) + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b"")


def difficult(started):
    """401 and a refresh, 503 and a wait, a redirect to another origin, a validation of the cache, and a failed decoding."""
    url, cdn = f"{API}/v2/users/42/orders?include=lines&locale=en-GB", "https://eu.cdn.example/users/42/orders"
    headers = [["accept", "application/json"], ["accept-encoding", "gzip, br"], ["authorization", "Bearer <redacted>"], ["if-none-match", "\"a41f\""], ["user-agent", "shop/4.2 (Martlet)"]]
    orders = {"orders": [{"id": 9007199254740993, "placed": "2026-11-23T18:31:07Z", "total": "12,50", "lines": [{"sku": f"bird-{n}", "count": n, "price": 4.1 + n} for n in range(1, 9)],
                          "customer": {"name": "Ada <redacted>", "token": "<redacted>", "address": None, "isGuest": False}} for _ in range(3)], "next": None}
    problem = {"type": "about:blank", "title": "Unauthorized", "status": 401, "detail": "The token has expired."}
    attempts = [
        attempt(1, 0.004, "GET", url, 401, phases(0.001, 0.006, 0.018, 0.031, 0.001, 0.042, 0.002), headers=headers, fields=[["content-type", "application/problem+json"], ["www-authenticate", "Bearer error=\"invalid_token\""]], reply=body("application/problem+json", json.dumps(problem))),
        attempt(2, 0.282, "GET", url, 503, phases(0.0, None, None, None, 0.001, 0.068, 0.001), headers=headers, fields=[["content-type", "text/plain"], ["retry-after", "1"]], reply=body("text/plain", "The database is being restarted.\n"), reused=True),
        attempt(3, 1.353, "GET", url, 307, phases(0.0, None, None, None, 0.001, 0.038, 0.0), headers=headers, fields=[["location", cdn], ["content-length", "0"]], reused=True),
        attempt(4, 1.394, "GET", cdn, 200, phases(0.001, 0.012, 0.021, 0.046, 0.001, 0.094, 0.163), headers=[field for field in headers if field[0] != "authorization"],
                fields=[["content-type", "application/json"], ["etag", "\"b7c2\""], ["cache-control", "max-age=60"], ["vary", "accept-encoding"], ["x-request-id", "8b1f6f0e-41f2-4d7a-9d0b-6a8c9f1f7e11"]], reply=body("application/json", json.dumps(orders)), removed=["authorization"], address="198.51.100.20:443"),
    ]
    timeline = [
        moment(0.0, "cache", "A stored response exists and is stale since 41 s. It is validated with If-None-Match."),
        moment(0.004, "attempt", "GET api.shop.example", 1), moment(0.103, "head", "401 Unauthorized", 1),
        moment(0.105, "refresh", "The access token was refused. Two calls share this refresh.", duration=0.174),
        moment(0.282, "attempt", "GET api.shop.example", 2), moment(0.351, "head", "503 Service Unavailable, Retry-After: 1", 2),
        moment(0.351, "decision", "Retry 1 of 3: 503 is transient and GET is idempotent."), moment(0.352, "wait", "Retry-After asks for 1 s.", duration=1.0),
        moment(1.353, "attempt", "GET api.shop.example", 3), moment(1.392, "head", "307 Temporary Redirect", 3),
        moment(1.393, "redirect", "To eu.cdn.example. Authorization was removed, because the origin differs."), moment(1.394, "attempt", "GET eu.cdn.example", 4),
        moment(1.569, "head", "200 OK", 4), moment(1.57, "cache", "The server sent a new response, which replaces the stored one."), moment(1.738, "end", "decodingFailed at orders[0].total: expected a number, found a string"),
    ]
    return call("GetOrders", url, attempts, started=started, route="users/{}/orders", state="failed", status=200, duration=1.738, timeline=timeline, tags=["orders", "screen:account"],
                error={"case": "decodingFailed", "stage": "decoding", "text": "orders[0].total: expected a number, found the string \"12,50\"."}, cache={"verdict": "miss", "text": "Validation with \"a41f\" returned a new response, which was stored for 60 s."},
                swift="let request = Request<Orders>.get(\"users/\\(42)/orders\")\n    .query([\"include\": \"lines\", \"locale\": \"en-GB\"])\nlet orders = try await client.send(request)")


def simple(started):
    """Calls of everyday: hits, a created resource, a missing one, a form, images and bytes."""
    users = {"users": [{"id": n, "name": f"User {n}", "email": "<redacted>", "roles": ["reader"] * (n % 3)} for n in range(1, 250)]}
    image, svg = base64.b64encode(png(320, 180)).decode(), f"<svg xmlns='http://www.w3.org/2000/svg' width='120' height='60' onload='{SCRIPT}'><script>{SCRIPT}</script><circle cx='30' cy='30' r='28' fill='teal'/></svg>"
    random_bytes = base64.b64encode(random.Random(7).randbytes(4096)).decode()
    icon = f"{API}/icons/bird.svg"
    return [
        call("GetUsers", f"{API}/v2/users?page=1", [attempt(1, 0.002, "GET", f"{API}/v2/users?page=1", 200, phases(0.0, None, None, None, 0.0, 0.061, 0.02), reply=body("application/json; charset=utf-8", json.dumps(users)), reused=True)], started=started, route="users", outcome="decoded Users"),
        call("GetSettings", f"{API}/v2/settings", [], started=started + 0.3, status=200, duration=0.0011, cache={"verdict": "hit", "text": "Stored 12 s ago, fresh for another 48 s."}, outcome="decoded Settings", timeline=[moment(0.0005, "cache", "Fresh stored response"), moment(0.001, "end", "decoded Settings")]),
        call("GetFlags", f"{API}/v2/flags", [attempt(1, 0.001, "GET", f"{API}/v2/flags", 304, phases(0.0, None, None, None, 0.0, 0.027, 0.0), headers=[["if-none-match", "\"f3\""]], reused=True)], started=started + 0.5, status=200, cache={"verdict": "revalidated", "text": "304 Not Modified. The stored response is fresh for another 60 s."}, outcome="decoded Flags"),
        call("CreateOrder", f"{API}/v2/orders", [attempt(1, 0.002, "POST", f"{API}/v2/orders", 201, phases(0.0, None, None, None, 0.002, 0.118, 0.003), method_body=body("application/json", json.dumps({"sku": "bird-7", "count": 2, "card": "<redacted>"})), reply=body("application/json", "{\"id\":\"o-981\"}"), reused=True)], method="POST", started=started + 1.1, route="orders", outcome="decoded Order", tags=["checkout"]),
        call("SignIn", "https://login.shop.example/token", [attempt(1, 0.001, "POST", "https://login.shop.example/token", 400, phases(0.0, 0.004, 0.019, 0.027, 0.001, 0.07, 0.0), method_body=body("application/x-www-form-urlencoded", "grant_type=password&username=ada%40example.org&password=%3Credacted%3E"), reply=body("application/json", "{\"error\":\"invalid_grant\"}"))], method="POST", started=started + 1.5, state="failed", error={"case": "unacceptableStatus", "stage": "validation", "text": "The server returned 400 Bad Request: invalid_grant."}),
        call("Avatar", "https://img.shop.example/u/42.png", [attempt(1, 0.001, "GET", "https://img.shop.example/u/42.png", 200, phases(0.0, 0.005, 0.02, 0.03, 0.001, 0.02, 0.04), reply={**body("image/png", None), "base64": image, "size": len(image) * 3 // 4})], started=started + 1.6),
        call("Icon", icon, [attempt(1, 0.001, "GET", icon, 200, phases(0.0, None, None, None, 0.0, 0.02, 0.001), reply=body("image/svg+xml", svg), reused=True)], started=started + 1.7),
        call("Model", f"{API}/v2/model.bin", [attempt(1, 0.001, "GET", f"{API}/v2/model.bin", 200, phases(0.0, None, None, None, 0.0, 0.05, 0.3), reply={**body("application/octet-stream", None), "base64": random_bytes, "size": 4_194_304, "isTruncated": True}, reused=True)], started=started + 1.9, route="model.bin", received=4_194_304),
        call("Lookup", "https://nowhere.invalid/v1", [attempt(1, 0.001, "GET", "https://nowhere.invalid/v1", None, phases(0.0, 0.041), error="The host nowhere.invalid could not be resolved.", duration=0.042)], started=started + 2.2, state="failed", status=None, error={"case": "hostNotFound", "stage": "connecting", "text": "The host nowhere.invalid could not be resolved. Check the base URL and the network."}),
        call("SearchSuggestions", f"{API}/v2/suggest?q=swif", [attempt(1, 0.001, "GET", f"{API}/v2/suggest?q=swif", None, phases(0.0, None, None, None, 0.0), duration=0.09, reused=True)], started=started + 2.4, state="cancelled", status=None, route="suggest", timeline=[moment(0.09, "end", "Cancelled by the caller's task")]),
    ]


def graphql(started):
    url = f"{API}/graphql"
    document = "query Birds($first: Int!) {\n  birds(first: $first) {\n    nodes { id name wingspan }\n    pageInfo { endCursor hasNextPage }\n  }\n}"
    nodes = [{"id": f"b{n}", "name": name, "wingspan": n * 3.5} for n, name in enumerate(["Swift", "Martin", "Swallow", "Wagtail"], 1)]
    sent = body("application/json", json.dumps({"operationName": "Birds", "query": document, "variables": {"first": 4}}))
    subscription = body("application/json", json.dumps({"operationName": "OrderChanged", "query": "subscription OrderChanged($id: ID!) {\n  orderChanged(id: $id) { id state }\n}", "variables": {"id": "o-981"}}))
    stream = [{"at": 0.4 + n * 1.7, "event": "next", "id": str(n), "data": json.dumps({"data": {"orderChanged": {"id": "o-981", "state": state}}})} for n, state in enumerate(["PAID", "PACKED", "SENT"], 1)]
    return [
        call("Birds", url, [attempt(1, 0.002, "POST", url, 200, phases(0.0, None, None, None, 0.001, 0.083, 0.004), method_body=sent, reply=body("application/json", json.dumps({"data": {"birds": {"nodes": nodes, "pageInfo": {"endCursor": "b4", "hasNextPage": False}}}})), reused=True)], kind="graphql", method="POST", operation={"name": "Birds", "type": "query"}, started=started, outcome="decoded BirdsData"),
        call("OrderChanged", url, [attempt(1, 0.002, "POST", url, 200, phases(0.0, None, None, None, 0.001, 0.1, None), method_body=subscription, running=True, fields=[["content-type", "text/event-stream"]], reused=True)], kind="events", method="POST", operation={"name": "OrderChanged", "type": "subscription"}, started=started + 0.4, state="running", stream=stream),
    ]


def hostile(started):
    url = f"https://x.example/{MARKUP}?q={MARKUP}#{MARKUP}"
    result = call(MARKUP, url, [attempt(1, 0.001, MARKUP, url, 200, phases(0.0, None, None, None, 0.0, 0.01, 0.0), headers=[[MARKUP, MARKUP], ["cookie", MARKUP]], fields=[[MARKUP, MARKUP], ["content-type", "text/html"]],
                  method_body=body("application/json", json.dumps({MARKUP: MARKUP, "__proto__": {"a": 1}, "constructor": MARKUP, "query": MARKUP, "operationName": MARKUP, "variables": {MARKUP: [MARKUP]}})), reply=body("text/html", MARKUP), error=MARKUP, removed=[MARKUP])],
                  started=started, state="failed", kind="events", route=MARKUP, method=MARKUP, tags=[MARKUP], operation={"name": MARKUP, "type": MARKUP}, outcome=MARKUP, error={"case": MARKUP, "stage": MARKUP, "text": MARKUP}, cache={"verdict": "stale", "text": MARKUP},
                  timeline=[moment(0.0, kind, MARKUP, duration=0.01) for kind in ("wait", "refresh", "decision", "end")], stream=[{"at": 0.1, "event": MARKUP, "id": MARKUP, "data": json.dumps({MARKUP: MARKUP})}], curl=MARKUP, swift=MARKUP)
    large = {"items": [{"id": n, "name": f"Item {n}", "text": "x" * 40, "tags": ["a", "b"], "deep": {"at": n}} for n in range(9000)], "long": "y" * 50_000}
    url = f"{API}/v2/export"
    return [result, call("Export", url, [attempt(1, 0.001, "GET", url, 200, phases(0.0, None, None, None, 0.0, 0.4, 0.9), reply=body("application/json", json.dumps(large)), reused=True)], started=started + 0.2, outcome="decoded Export")]


def download(started, done, total=48_000_000):
    url = "https://cdn.shop.example/maps/europe.pack"
    steps = [moment(0.3 + n * 0.4, "progress", f"{n * 4} MB of 48 MB") for n in range(done * 12 // total + 1)]
    is_done = done >= total
    return call("EuropeMap", url, [attempt(1, 0.002, "GET", url, 206, phases(0.0, 0.006, 0.02, 0.03, 0.001, 0.08, None), running=not is_done, duration=6.0 if is_done else None, headers=[["range", "bytes=12000000-"]], fields=[["content-type", "application/octet-stream"], ["content-range", "bytes 12000000-47999999/48000000"]], reply={"type": "application/octet-stream", "size": total})], kind="download",
                started=started, state="succeeded" if is_done else "running", duration=6.0 if is_done else None, received=done, progress={"done": done, "total": total}, timeline=[moment(0.0, "decision", "Resumes at byte 12,000,000 with the stored ETag.")] + steps, outcome="file europe.pack" if is_done else None)


def feed(started, count):
    url = f"{API}/v2/prices/stream"
    stream = [{"at": 0.5 + n * 0.8, "event": "price", "id": str(n), "data": json.dumps({"sku": f"bird-{n % 9}", "price": 10 + n / 4})} for n in range(count)]
    return call("Prices", url, [attempt(1, 0.002, "GET", url, 200, phases(0.0, None, None, None, 0.0, 0.05, None), running=True, headers=[["accept", "text/event-stream"]], fields=[["content-type", "text/event-stream"]], reused=True)], kind="events", started=started, state="running", stream=stream, received=count * 62, timeline=[moment(0.06, "head", "200 OK", 1)])


def chat(started):
    """An open WebSocket with messages in both directions, one of them binary, and one that was cut."""
    url = f"{API}/v2/rooms/7"
    stream = [
        {"at": 0.2, "event": "sent", "size": 16, "data": '{"text":"hello"}'},
        {"at": 0.3, "event": "received", "size": 33, "data": '{"text":"hi","token":"<redacted>"}'},
        {"at": 0.4, "event": "received", "size": 4, "base64": "3q2+7w=="},
        {"at": 0.5, "event": "received", "size": 2_000_000, "data": "x" * 500, "isTruncated": True},
    ]
    return call("Room", url, [attempt(1, 0.002, "GET", url, 101, phases(0.0, 0.001, 0.01, None, 0.0, 0.02, 0.0), headers=[["upgrade", "websocket"]], fields=[["upgrade", "websocket"]], reused=False)], kind="websocket", started=started, state="running", stream=stream, received=2_000_037, timeline=[moment(0.03, "head", "101 Switching Protocols", 1)])


def all_calls():
    """All fixtures, the last ones running."""
    builder.reset()
    start = time.time() - 14
    calls = [*simple(start), difficult(start + 3), *graphql(start + 5), *hostile(start + 6), download(start + 7, 20_000_000), feed(start + 8, 6)]
    return sorted(calls, key=lambda value: value["started"])


def many(count):
    """Plain calls, as many as the limit permits."""
    builder.reset()
    chance, start, calls = random.Random(3), time.time() - count, []
    for n in range(count):
        url, status, wait = f"{API}/v2/items/{n}", chance.choice([200] * 12 + [304, 404, 500]), chance.expovariate(9)
        calls.append(call(f"GetItem{n}", url, [attempt(1, 0.001, "GET", url, status, phases(0.0, None, None, None, 0.0, wait, 0.004), reply=body("application/json", f"{{\"n\":{n}}}"), reused=True)], started=start + n, route="items/{}", state="failed" if status >= 400 else "succeeded"))
    return calls


class Traffic:
    """Continues the running calls and adds new ones."""

    def __init__(self, inspector):
        self.inspector = inspector
        self.feed = next(call for call in inspector.calls.values() if call["name"] == "Prices")
        self.download = next(call for call in inspector.calls.values() if call["name"] == "EuropeMap")

    def step(self, n):
        self.inspector.add_event(self.feed["id"], {"at": time.time() - self.feed["started"], "event": "price", "id": str(6 + n), "data": json.dumps({"sku": f"bird-{n % 9}", "price": 11 + n / 4})})
        done = 20_000_000 + n * 2_000_000
        if done <= 48_000_000:
            self.inspector.put({**download(self.download["started"], done), "id": self.download["id"]})

    def run(self):
        n = 0
        while True:
            time.sleep(1)
            n += 1
            self.step(n)
            if n % 5 == 0:
                self.inspector.put(simple(time.time())[n % 10])
