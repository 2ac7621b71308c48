"""Serves WebSockets on loopback that are idle, not read, flooded or killed. Prints its port and serves until it is terminated.

    /idle            answers pings and the Close frame
    /unread?seconds= reads nothing for a while, then counts bytes, and says how many at the message "end"
    /flood?bytes=    sends messages of 1,000 bytes as fast as the client reads
    /kill?seed=      exchanges numbered messages, and ends the connection at a random byte
    /account         what this server has sent and received: the killed connections by seed, and the bytes of the last flood
"""
import asyncio
import base64
import hashlib
import json
import random
import re
import socket
import struct

account = {"kills": {}, "flooded": 0}


def frame(payload, opcode=1, is_final=True):
    length = len(payload)
    head = bytes([opcode | (0x80 if is_final else 0)])
    head += bytes([length]) if length < 126 else b"\x7e" + struct.pack(">H", length) if length < 65536 else b"\x7f" + struct.pack(">Q", length)
    return head + payload


async def read_frame(reader):
    """Returns the opcode and the payload of a frame, or raises IncompleteReadError at the end."""
    first, second = await reader.readexactly(2)
    length = second & 0x7F
    if length == 126:
        (length,) = struct.unpack(">H", await reader.readexactly(2))
    elif length == 127:
        (length,) = struct.unpack(">Q", await reader.readexactly(8))
    mask = await reader.readexactly(4)
    payload = await reader.readexactly(length)
    repeated = (mask * (length // 4 + 1))[:length]
    return first & 15, (int.from_bytes(payload, "big") ^ int.from_bytes(repeated, "big")).to_bytes(length, "big")


async def idle(reader, writer, _):
    while True:
        opcode, payload = await read_frame(reader)
        if opcode == 9:
            writer.write(frame(payload, 10))
        elif opcode == 8:
            writer.write(frame(payload, 8))
            return


async def unread(reader, writer, query):
    await asyncio.sleep(float(query["seconds"]))
    total = 0
    while True:
        opcode, payload = await read_frame(reader)
        total += len(payload)
        if payload == b"end":
            writer.write(frame(str(total - 3).encode()))
        elif opcode == 8:
            writer.write(frame(payload, 8))
            return


async def flood(reader, writer, query):
    account["flooded"] = 0
    message = frame(b"x" * 1000)
    for _ in range(int(query["bytes"]) // 1000):
        writer.write(message)
        await writer.drain()
        account["flooded"] += 1000
    await idle(reader, writer, query)


def content(number, factor):
    return f"{number} ".encode() + b"x" * (number * factor % 2000)


async def kill(reader, writer, query):
    seed = int(query["seed"])
    rng = random.Random(seed)
    own = account["kills"][query["seed"]] = {"sent": 0, "received": 0, "isOrdered": True, "isReset": rng.random() < 0.5}

    async def receive():
        while True:
            opcode, payload = await read_frame(reader)
            if opcode == 1:
                own["isOrdered"] &= payload == content(own["received"] + 1, 37)
                own["received"] += 1

    receiving = asyncio.ensure_future(receive())
    for number in range(1, rng.randrange(2, 60)):
        payload = content(number, 53)
        cut = rng.randrange(len(payload) + 1)
        if rng.random() < 0.3:
            writer.write(frame(payload[:cut], 1, False) + frame(b"between", 9) + frame(payload[cut:], 0))
        else:
            writer.write(frame(payload))
        await writer.drain()
        own["sent"] += 1
        await asyncio.sleep(rng.choice((0, 0, 0, 0.001, 0.003)))
    last = frame(content(own["sent"] + 1, 53))
    writer.write(last[: rng.randrange(len(last))])
    await writer.drain()
    if own["isReset"]:
        receiving.cancel()
        writer.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        writer.transport.abort()
    else:
        # What the client sends until it has seen the end is still read.
        writer.write_eof()
        await asyncio.wait((receiving,), timeout=10)
        own["isStuck"] = not receiving.done()
        receiving.cancel()


handlers = {"/idle": idle, "/unread": unread, "/flood": flood, "/kill": kill}


async def serve(reader, writer):
    try:
        head = (await reader.readuntil(b"\r\n\r\n")).decode()
        target = head.split(" ", 2)[1].partition("?")
        query = dict(pair.split("=", 1) for pair in target[2].split("&") if pair)
        if target[0] in handlers:
            key = re.search(r"(?i)\r\nsec-websocket-key: *(\S+)", head)[1]
            accept = base64.b64encode(hashlib.sha1((key + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11").encode()).digest()).decode()
            writer.write(f"HTTP/1.1 101 S\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: {accept}\r\n\r\n".encode())
            await handlers[target[0]](reader, writer, query)
        else:
            body = json.dumps(account).encode()
            writer.write(b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nConnection: close\r\nContent-Length: %d\r\n\r\n" % len(body) + body)
    except (asyncio.IncompleteReadError, ConnectionError):
        pass
    finally:
        writer.close()


async def main():
    server = await asyncio.start_server(serve, "127.0.0.1", 0, backlog=4096)
    print(server.sockets[0].getsockname()[1], flush=True)
    async with server:
        await server.serve_forever()


asyncio.run(main())
