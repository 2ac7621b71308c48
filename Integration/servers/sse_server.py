"""Event streams by FastAPI, with the variations of real servers: every kind of line ending, lost connections, IDs for resumption.

One process, so that its counters are correct:
    uvicorn --app-dir Integration/servers --port PORT sse_server:app
"""

import asyncio
import collections
import json

from fastapi import FastAPI, Header, Request, Response
from fastapi.responses import StreamingResponse

app = FastAPI()
asked = collections.defaultdict(list)
open_streams = collections.Counter()


def stream(pieces):
    return StreamingResponse(pieces, media_type="text/event-stream")


async def begins_and_breaks():
    """A byte order mark in two pieces, lines that end with CRLF, and an end within an event."""
    yield b"\xef\xbb"
    yield b"\xbf: welcome\r"
    yield b"\nretry: 20\r\nid: 1\r\nevent: bird\r\ndata: swift\r\n\r\n"
    yield b"id: 2\r\ndata: two\r\ndata: lines\r\n\r\nid: 3\r\ndata: cut o"
    await asyncio.sleep(0.05)
    raise ConnectionError("as if the process died")


async def goes_on():
    """Lines that end with CR."""
    yield b"id: 3\rdata: three\r\rid: 4\rdata: four\r\r"


async def byte_by_byte():
    for byte in "data: fünf €\n\nid: ü6\ndata: six\n\n".encode():
        yield bytes([byte])
        await asyncio.sleep(0)


@app.get("/feed/{session}")
async def feed(session: str, request: Request):
    id = request.headers.get("last-event-id")
    id = id.encode("latin-1").decode() if id else None
    asked[session].append(id)
    answers = {None: begins_and_breaks, "2": goes_on, "4": byte_by_byte}
    return stream(answers[id]()) if id in answers else Response(status_code=204)


@app.get("/asked/{session}")
async def ids(session: str):
    return asked[session]


@app.post("/chat")
async def chat(prompt: dict):
    async def answer():
        for word in prompt["text"].split():
            yield f"data: {json.dumps({'word': word})}\n\n"
            await asyncio.sleep(0.005)
        yield "data: [DONE]\n\n"

    return stream(answer())


@app.get("/silent/{session}")
async def silent(session: str, request: Request):
    """Sends one event, and then nothing until the client disconnects."""

    async def wait():
        open_streams[session] += 1
        try:
            yield b"data: here\n\n"
            while not await request.is_disconnected():
                await asyncio.sleep(0.01)
        finally:
            open_streams[session] -= 1

    return stream(wait())


@app.get("/open/{session}")
async def count(session: str):
    return open_streams[session]


@app.get("/page")
async def page():
    return Response("<p>no stream</p>", media_type="text/html; charset=utf-8")


@app.get("/private")
async def private(authorization: str = Header(default="")):
    if authorization != "Bearer feather":
        return Response('{"detail":"no feather"}', status_code=401, media_type="application/json")

    async def once():
        yield b"data: welcome\n\n"

    return stream(once())
