"""Serves good and hostile responses on loopback, selected by the path. Prints its port and serves until it is terminated."""
import asyncio
import gzip
import os
import socket
import struct
import zlib

GOOD = b"a" * 1024


def response(body, *fields, length=None):
    head = ["HTTP/1.1 200 OK", f"Content-Length: {len(body) if length is None else length}", *fields, "", ""]
    return "\r\n".join(head).encode() + body


def layers(body, count):
    for _ in range(count):
        body = zlib.compress(body)
    return body


CODED = [
    # Not gzip.
    response(b"\x00" * 2000, "Content-Encoding: gzip"),
    # Exceeds the client's limit, in 10 KB.
    response(gzip.compress(b"\x00" * 10_000_000), "Content-Encoding: gzip"),
    # Four nested codings.
    response(layers(b"\x00" * 1_000_000, 4), "Content-Encoding: deflate, deflate, deflate, deflate"),
    # Starts valid and continues with noise.
    response(gzip.compress(os.urandom(4000))[:2000] + b"\xff" * 2000, "Content-Encoding: gzip"),
]

HEADS = [
    # A folded first line, which made libcurl 7.84 to 8.0 free memory twice.
    b"HTTP/1.1 200 OK\r\n\tX: 1\r\nContent-Length: 0\r\n\r\n",
    b"HTTP/1.1 200 OK\r\n X: 1\r\nContent-Length: 0\r\n\r\n",
    # Framing that can be read in two ways.
    b"HTTP/1.1 200 OK\r\nTransfer-Encoding : chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n",
    b"HTTP/1.1 200 OK\r\nTransfer-Encoding:\r\n chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n",
    b"HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip, chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n",
    b"HTTP/1.1 200 OK\r\nContent-Length: 3\r\nContent-Length: 4\r\n\r\nabcd",
    b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\n",
    b"http/1.1 200 OK\r\nContent-Length: 0\r\n\r\n",
]

CHUNKED = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
CHUNKS = [
    CHUNKED + b"-1\r\na\r\n0\r\n\r\n",
    CHUNKED + b"FFFFFFFFFFFFFFFFF\r\na\r\n0\r\n\r\n",
    CHUNKED + b"2\r\nabcd\r\n0\r\n\r\n",
    CHUNKED + b"zz\r\n0\r\n\r\n",
]
# One byte a chunk, each with an extension.
TINY_CHUNKS = CHUNKED + b"1;x=%s\r\na\r\n" % (b"y" * 100) * len(GOOD) + b"0\r\n\r\n"

# Text in which each word could begin a secret.
TEXT = b'{"detail":"' + b"value: " * 35_000 + b'"}'
REFUSAL = b"HTTP/1.1 400 Bad Request\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n" % len(TEXT) + TEXT


class Hostile(asyncio.Protocol):
    def connection_made(self, transport):
        self.transport = transport
        self.received = b""
        self.is_stale = False

    def data_received(self, data):
        self.received += data
        while b"\r\n\r\n" in self.received:
            head, self.received = self.received.split(b"\r\n\r\n", 1)
            self.reply(head.split(b" ", 2)[1].decode())

    def reply(self, path):
        kind, _, number = path.strip("/").partition("/")
        if self.is_stale:
            # The request is read, and lost.
            self.transport.abort()
        elif kind == "stale":
            self.write(response(GOOD))
            self.is_stale = True
        elif kind == "head":
            self.write(HEADS[int(number) % len(HEADS)])
            self.transport.close()
        elif kind == "chunks":
            self.write(CHUNKS[int(number) % len(CHUNKS)])
            self.transport.close()
        elif kind == "tiny":
            self.write(TINY_CHUNKS)
        elif kind == "text":
            self.write(REFUSAL)
        elif kind == "slow":
            asyncio.get_running_loop().call_later(0.01, self.write, response(GOOD))
        elif kind == "reset":
            sock = self.transport.get_extra_info("socket")
            sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            self.transport.abort()
        elif kind == "cut":
            self.write(response(GOOD[:10], length=1000))
            self.transport.close()
        elif kind == "coded":
            self.write(CODED[int(number) % len(CODED)])
        else:
            self.write(response(GOOD))

    def write(self, data):
        if not self.transport.is_closing():
            self.transport.write(data)


async def main():
    server = await asyncio.get_running_loop().create_server(Hostile, "127.0.0.1", 0, backlog=1024)
    print(server.sockets[0].getsockname()[1], flush=True)
    await server.serve_forever()


asyncio.run(main())
