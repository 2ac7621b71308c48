"""Sends messages to an echo server with the package websockets: python3 websocket.py URL COUNT WINDOW"""

import asyncio
import resource
import sys
import time

import websockets


async def main(url: str, count: int, flight: int) -> None:
    async with websockets.connect(url.replace("http", "ws"), compression=None, max_size=None) as socket:
        text = "x" * 100
        began = time.monotonic()
        sender = asyncio.create_task(send(socket, text, min(flight, count) if flight else count))
        for number in range(count):
            await socket.recv()
            if flight and number + flight < count:
                await socket.send(text)
        await sender
        seconds = time.monotonic() - began
    used = resource.getrusage(resource.RUSAGE_SELF)
    print(f"{count / seconds:.0f} {(used.ru_utime + used.ru_stime) / count * 1e6:.2f}")


async def send(socket: "websockets.ClientConnection", text: str, count: int) -> None:
    for _ in range(count):
        await socket.send(text)


asyncio.run(main(sys.argv[1], int(sys.argv[2]), int(sys.argv[3])))
