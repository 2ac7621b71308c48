"""WebSockets of the PyPI package websockets: echo, fragments, close codes, a slow reader, and tokens that expire while a socket is open.

    websocket_server.py PORT

permessage-deflate is accepted if the client offers it, and the subprotocols are `chat.v2` and `chat.v1`.
"""

import asyncio
import collections
import http
import json
import sys
from urllib.parse import parse_qsl, urlsplit

from websockets.asyncio.server import serve

# The number of tokens of each session that have expired.
generations = collections.Counter()
openings = collections.Counter()


async def echo(socket, query):
    async for message in socket:
        await socket.send(message)


async def agreed(socket, query):
    """Says what the handshake has agreed on, and then echoes."""
    extensions = [str(extension) for extension in socket.protocol.extensions]
    await socket.send(json.dumps({"subprotocol": socket.subprotocol, "extensions": extensions}))
    await echo(socket, query)


async def fragments(socket, query):
    """Sends a text and bytes in many frames, which divide characters, with pings in between. Then counts the pongs."""
    pongs = []

    async def pieces(whole):
        for start in range(0, len(whole), 7):
            if start % 21 == 0:
                pongs.append(await socket.ping())
            yield whole[start : start + 7]

    await socket.send(pieces(("é€𝄞" * 100).encode()), text=True)
    await socket.send(pieces(bytes(range(256))))
    await asyncio.gather(*pongs)
    await socket.send(f"{len(pongs)} pongs")


async def close(socket, query):
    await socket.close(int(query["code"]), query.get("reason", ""))


async def count(socket, query):
    """Sends numbers as fast as the client reads them, and `sent` says how many the system has accepted."""
    for number in range(int(query["to"])):
        await socket.send(f"{number:08d}" + "x" * int(query.get("padding", 0)))


async def slow(socket, query):
    """Reads nothing for a while."""
    await asyncio.sleep(float(query["seconds"]))
    total = 0
    async for message in socket:
        total += len(message)
        if message == b"end":
            await socket.send(str(total))


async def private(socket, query):
    """Greets, and closes the connection with 4001 when the client says so, after which its token is refused."""
    session = socket.request.headers["X-Session"]
    openings[session] += 1
    await socket.send(f"welcome {socket.request.headers['Authorization']}, opening {openings[session]}")
    async for message in socket:
        if message == "expire":
            generations[session] += 1
            await socket.close(4001, "the token has expired")


handlers = {"/echo": echo, "/agreed": agreed, "/fragments": fragments, "/close": close, "/count": count, "/slow": slow, "/private": private}


async def handle(socket):
    target = urlsplit(socket.request.path)
    await handlers[target.path](socket, dict(parse_qsl(target.query)))


def check(connection, request):
    path = urlsplit(request.path).path
    if path not in handlers:
        return connection.respond(http.HTTPStatus.NOT_FOUND, "no socket\n")
    if path == "/private":
        expected = f"Bearer token-{generations[request.headers['X-Session']]}"
        if request.headers.get("Authorization") != expected:
            response = connection.respond(http.HTTPStatus.UNAUTHORIZED, "expired\n")
            response.headers["WWW-Authenticate"] = "Bearer"
            return response


def select(connection, offered):
    """Selects a subprotocol, and none if the client offers none, which the package would refuse."""
    return next((name for name in ("chat.v2", "chat.v1") if name in offered), None)


async def main():
    options = dict(select_subprotocol=select, process_request=check, max_size=1 << 26, compression="deflate")
    async with serve(handle, "127.0.0.1", int(sys.argv[1]), **options):
        await asyncio.get_running_loop().create_future()


asyncio.run(main())
