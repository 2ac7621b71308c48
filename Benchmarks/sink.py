"""Reads each request body and responds with its number of bytes: sink.py PORT"""
import sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


class Sink(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def take(self, count):
        while count:
            piece = self.rfile.read(min(count, 1 << 20))
            if not piece:
                raise ConnectionError("cut off")
            count -= len(piece)

    def do_PUT(self):
        total = 0
        if self.headers.get("Transfer-Encoding", "").lower() == "chunked":
            while size := int(self.rfile.readline().split(b";")[0], 16):
                self.take(size)
                total += size
                self.rfile.readline()
            self.rfile.readline()
        else:
            total = int(self.headers.get("Content-Length", 0))
            self.take(total)
        answer = str(total).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(answer)))
        self.end_headers()
        self.wfile.write(answer)

    do_POST = do_PUT

    def log_message(self, *arguments):
        pass


ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1])), Sink).serve_forever()
