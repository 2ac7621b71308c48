"""A stand-in for the Swift side of the inspector: serves the page and the format of Documentation/InspectorFormat.md on loopback.

    python3 Integration/inspector/server.py            fixtures, with a running download, stream and new calls
    python3 Integration/inspector/server.py FILE.har   a recording
"""

import http.server
import json
import pathlib
import queue
import secrets
import sys
import threading
import time

import har

PAGE = pathlib.Path(__file__).resolve().parents[2] / "Sources/MartletInspector/Page"
TYPES = {".html": "text/html", ".css": "text/css", ".js": "text/javascript", ".svg": "image/svg+xml"}
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; connect-src 'self'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)


def without_bodies(call):
    """A call as in the list: no bodies, no events of its stream."""

    def message(value):
        return value and {**value, "body": None}

    attempts = [{**attempt, "request": message(attempt["request"]), "response": message(attempt["response"])} for attempt in call["attempts"]]
    return {**call, "attempts": attempts, "stream": None, "streamCount": len(call.get("stream") or [])}


class Inspector:
    """The recorded calls, the subscribers, and the server."""

    def __init__(self, app="shop", recording=None, limits=(500, 20_000_000), port=0):
        self.app, self.recording, self.limits = app, recording, limits
        self.token = secrets.token_urlsafe(24)
        self.calls, self.subscribers, self.refused, self.revision = {}, [], [], 0
        self.lock, self.is_stopped = threading.RLock(), False
        handler = type("Handler", (Handler,), {"inspector": self})
        self.server = Server(("127.0.0.1", port), handler)
        self.port = self.server.server_address[1]
        self.url = f"http://127.0.0.1:{self.port}/{self.token}/"

    def start(self):
        threading.Thread(target=self.server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True).start()
        return self

    def stop(self):
        self.is_stopped = True
        with self.lock:
            for subscriber in self.subscribers:
                subscriber.put(None)
            self.subscribers.clear()
        self.server.shutdown()
        self.server.server_close()

    def put(self, call):
        with self.lock:
            self.revision += 1
            call["revision"] = self.revision
            self.calls[call["id"]] = call
            self.send("call", without_bodies(call))
            removed = list(self.calls)[: max(0, len(self.calls) - self.limits[0])]
            for id in removed:
                del self.calls[id]
            if removed:
                self.send("removed", {"ids": removed})

    def add_event(self, id, event):
        with self.lock:
            call = self.calls[id]
            call["stream"].append(event)
            self.send("stream", {"id": id, "first": len(call["stream"]) - 1, "items": [event]})
            self.put(call)

    def clear(self):
        with self.lock:
            self.calls = {id: call for id, call in self.calls.items() if call["state"] == "running"}
            self.send("cleared", {"revision": self.revision})

    def send(self, name, data):
        message = f"event: {name}\ndata: {json.dumps(data)}\n\n".encode()
        for subscriber in self.subscribers:
            subscriber.put(message)


class Server(http.server.ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, request, client_address):
        """Browsers reset connections when a page is closed."""
        if not isinstance(sys.exc_info()[1], ConnectionError):
            super().handle_error(request, client_address)


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    inspector: Inspector

    def log_message(self, *_):
        pass

    def is_allowed(self):
        """Refuses other hosts (DNS rebinding), origins and sites, and paths without the token."""
        if self.inspector.is_stopped:
            self.close_connection = True
            return False
        hosts = {f"127.0.0.1:{self.inspector.port}", f"localhost:{self.inspector.port}"}
        origin, site = self.headers.get("Origin"), self.headers.get("Sec-Fetch-Site")
        problem = None
        if self.headers.get("Host") not in hosts:
            problem = "host"
        elif origin is not None and origin not in {f"http://{host}" for host in hosts}:
            problem = "origin"
        elif site not in (None, "same-origin", "none"):
            problem = "site"
        elif not secrets.compare_digest(self.path.split("/")[1].encode(), self.inspector.token.encode()):
            problem = "token"
        if problem:
            self.inspector.refused.append((problem, self.path))
            self.reply(403 if problem != "token" else 404, "text/plain", b"Refused\n")
        return problem is None

    def reply(self, status, type, body, close=True):
        self.send_response(status)
        for name, value in {
            "Content-Type": f"{type}; charset=utf-8",
            "Content-Security-Policy": POLICY,
            "Cache-Control": "no-store",
            "Referrer-Policy": "no-referrer",
            "X-Content-Type-Options": "nosniff",
            "Cross-Origin-Resource-Policy": "same-origin",
            "Cross-Origin-Opener-Policy": "same-origin",
        }.items():
            self.send_header(name, value)
        if body is not None:
            self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        if body is not None:
            self.wfile.write(body)

    def json(self, value):
        self.reply(200, "application/json", json.dumps(value).encode())

    def do_POST(self):
        self.rfile.read(int(self.headers.get("Content-Length") or 0))
        if not self.is_allowed():
            return
        if self.path.split("/", 2)[2] != "clear":
            return self.reply(404, "text/plain", b"Not found\n")
        self.inspector.clear()
        self.reply(204, "text/plain", None)

    def do_GET(self):
        if not self.is_allowed():
            return
        inspector, name = self.inspector, (self.path.split("/", 2) + [""])[2]
        if name == "calls":
            with inspector.lock:
                calls = [without_bodies(call) for call in inspector.calls.values()]
            reply = {"version": 1, "app": inspector.app, "limits": dict(zip(("calls", "bytes"), inspector.limits)), "calls": calls}
            return self.json({**reply, "recording": inspector.recording.name} if inspector.recording else reply)
        if name.startswith("calls/"):
            call = inspector.calls.get(name[6:])
            if call is None:
                return self.reply(404, "text/plain", b"Not found\n")
            return self.json({**call, "streamCount": len(call.get("stream") or [])})
        if name == "events":
            return self.events()
        if name == "har":
            if inspector.recording:
                return self.reply(200, "application/json", inspector.recording.read_bytes())
            with inspector.lock:
                return self.json(har.written(list(inspector.calls.values())))
        file = PAGE / (name or "index.html")
        if file.parent != PAGE or not file.is_file() or file.suffix not in TYPES:
            return self.reply(404, "text/plain", b"Not found\n")
        self.reply(200, TYPES[file.suffix], file.read_bytes())

    def events(self):
        messages = queue.Queue()
        self.inspector.subscribers.append(messages)
        self.close_connection = True
        try:
            self.reply(200, "text/event-stream", None)
            self.wfile.write(b"retry: 1000\n\n")
            while True:
                try:
                    message = messages.get(timeout=10)
                except queue.Empty:
                    message = b": keep-alive\n\n"
                if message is None:
                    return
                self.wfile.write(message)
        except OSError:
            pass
        finally:
            if messages in self.inspector.subscribers:
                self.inspector.subscribers.remove(messages)


def main():
    import fixtures

    file = pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else None
    inspector = Inspector(recording=file, app=file.name if file else "shop").start()
    print(inspector.url, flush=True)
    if file is None:
        for call in fixtures.all_calls():
            inspector.put(call)
        fixtures.Traffic(inspector).run()
    while True:
        time.sleep(3600)


if __name__ == "__main__":
    try:
        main()
    except KeyboardInterrupt:
        pass
