"""httpx or aiohttp: asynchronous.py LIBRARY WORK ORIGIN IN-FLIGHT SECONDS. Usage and output: Benchmarks/driver/README.md."""

import asyncio
import json
import os
import re
import ssl
import sys
import time

MOST_CONNECTIONS = 64
UPLOAD = bytes(1 << 20)
QUERY = {"query": "query Bird($id: ID!) { bird(id: $id) { name } }", "variables": {"id": "1"}}


def memory(name):
    with open("/proc/self/status") as file:
        return int(re.search(name + r":\s*(\d+)", file.read())[1])


def trust():
    return ssl.create_default_context(cafile=os.environ.get("BENCHMARK_CA"))


class WithHTTPX:
    def __init__(self, origin):
        import httpx

        self.version, self.origin = httpx.__version__, origin
        limits = httpx.Limits(max_connections=MOST_CONNECTIONS, max_keepalive_connections=MOST_CONNECTIONS)
        self.client = httpx.AsyncClient(
            http2=os.environ.get("BENCHMARK_PROTOCOL") == "HTTP/2.0", verify=trust(), limits=limits, timeout=None, trust_env=False)

    async def text(self, path):
        return (await self.client.get(f"{self.origin}/{path}")).text

    async def call(self, work):
        url = f"{self.origin}/{work}"
        if work == "upload":
            response = await self.client.post(url, content=UPLOAD)
        elif work == "graphql":
            response = await self.client.post(url, json=QUERY)
        elif work in ("1g", "events"):
            async with self.client.stream("GET", url) as response:
                response.raise_for_status()
                return sum([len(chunk) async for chunk in response.aiter_raw()])
        else:
            response = await self.client.get(url)
        response.raise_for_status()
        if work in ("json", "graphql"):
            response.json()
        return len(response.content)

    async def close(self):
        await self.client.aclose()


class WithAIOHTTP:
    def __init__(self, origin):
        import aiohttp

        self.version, self.origin = aiohttp.__version__, origin
        connector = aiohttp.TCPConnector(limit=MOST_CONNECTIONS, ssl=trust())
        self.client = aiohttp.ClientSession(connector=connector, timeout=aiohttp.ClientTimeout(total=None), raise_for_status=True)

    async def text(self, path):
        async with self.client.get(f"{self.origin}/{path}") as response:
            return await response.text()

    async def call(self, work):
        url = f"{self.origin}/{work}"
        if work == "upload":
            request = self.client.post(url, data=UPLOAD)
        elif work == "graphql":
            request = self.client.post(url, json=QUERY)
        else:
            request = self.client.get(url)
        async with request as response:
            if work in ("1g", "events"):
                return sum([len(chunk) async for chunk in response.content.iter_any()])
            body = await response.read()
        if work in ("json", "graphql"):
            json.loads(body)
        return len(body)

    async def close(self):
        await self.client.close()


async def drive(client, work, in_flight, end):
    done = received = 0

    async def worker():
        nonlocal done, received
        while True:
            size = await client.call(work)
            received += size
            done += 1
            if time.perf_counter() >= end:
                return

    await asyncio.gather(*[worker() for _ in range(in_flight)])
    return done, received


async def main():
    library, work, origin, in_flight, seconds = sys.argv[1:]
    client = {"httpx": WithHTTPX, "aiohttp": WithAIOHTTP}[library](origin)
    protocol = await client.text("protocol")
    idle = memory("VmRSS")
    warm = "1k" if work in ("1g", "events") else work
    await drive(client, warm, int(in_flight), time.perf_counter() + float(seconds) / 4)
    began, used = time.perf_counter(), time.process_time()
    requests, received = await drive(client, work, int(in_flight), began + float(seconds))
    took, cpu = time.perf_counter() - began, time.process_time() - used
    print(json.dumps({
        "requests": requests, "seconds": took, "cpu": cpu, "bytes": received, "idle": idle, "peak": memory("VmHWM"), "protocol": protocol,
        "version": client.version,
    }))
    await client.close()


try:
    asyncio.run(main())
except Exception as error:
    # One line, which the driver puts into the report. The libraries print more at the end of the process.
    print(f"{type(error).__name__}: {error}".split("\n")[0], file=sys.stderr, flush=True)
    os._exit(1)
