"""One measurement: a client in its own process, for one cell."""

import json
import os
import re
import resource
import subprocess
import time
from dataclasses import dataclass

from cells import COUNTED, PROTOCOLS
from server import EVENTS


class Failed(Exception):
    pass


@dataclass
class Result:
    per_second: float
    cpu_microseconds: float
    # MiB at most, and above the process after its first call; the latter is unknown for wrk.
    peak: float
    growth: float | None
    version: str | None


def measured(contender, cell, server, seconds):
    """Runs the client. Throws `Failed` if it fails, takes too long, reads other bytes, or speaks another protocol."""
    environment = dict(
        os.environ, BENCHMARK_PROTOCOL=PROTOCOLS[cell.protocol], BENCHMARK_CA=str(server.certificate), NODE_EXTRA_CA_CERTS=str(server.certificate))
    used, had = children_seconds(), server.requests()
    process = subprocess.Popen(
        contender.arguments(cell, server.origins[cell.protocol], seconds), env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        text=True)
    try:
        output, errors, peak = waited(process, seconds * 2 + 60, samples_memory=contender.is_wrk)
    finally:
        # Also when the benchmark is interrupted.
        if process.poll() is None:
            process.kill()
            process.communicate()
    if process.returncode != 0:
        lines = [line for line in errors.strip().split("\n") if line.strip()]
        raise Failed((lines[-1] if lines else f"ended with {process.returncode}")[:160])
    if contender.is_wrk:
        return of_wrk(output, children_seconds() - used, peak, server.requests() - had)
    figures = json.loads(output.strip().split("\n")[-1])
    check(figures, cell, server.sizes[cell.work], server.requests() - had, contender.caches)
    return of_figures(figures, cell)


def waited(process, limit, samples_memory):
    """Returns the output, the errors and, if it was sampled, the peak of the memory. Throws `Failed` after `limit` seconds."""
    began, peak = time.monotonic(), 0
    while True:
        try:
            return *process.communicate(timeout=0.1 if samples_memory else limit), peak
        except subprocess.TimeoutExpired:
            peak = max(peak, peak_of(process.pid))
            if time.monotonic() - began > limit:
                raise Failed(f"took more than {limit:.0f} s") from None


def children_seconds():
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def peak_of(pid):
    try:
        with open(f"/proc/{pid}/status") as file:
            return int(re.search(r"VmHWM:\s*(\d+)", file.read())[1])
    except (OSError, TypeError):
        return 0


def check(figures, cell, size, served, caches):
    """Throws `Failed` unless the client's figures agree with the size of the body and with the requests that the server had."""
    if figures["protocol"] != PROTOCOLS[cell.protocol]:
        raise Failed(f"speaks {figures['protocol']}")
    # Clients that return decoded values, and not bodies, count no bytes.
    if (figures["bytes"] or cell.work in COUNTED) and figures["bytes"] != figures["requests"] * size:
        raise Failed(f"read {figures['bytes']} bytes in {figures['requests']} calls")
    counts_events = cell.work == "events" and not figures["bytes"]
    calls = figures["requests"] // EVENTS if counts_events else figures["requests"]
    # Before the first response is stored, each call in flight may be sent.
    if served < calls if not caches else served > cell.in_flight + 10:
        raise Failed(f"made {calls} calls with {served} requests")


def of_figures(figures, cell):
    requests = figures["requests"]
    # Clients that know no events count streams and their bytes.
    if cell.work == "events" and figures["bytes"]:
        requests *= EVENTS
    return Result(
        requests / figures["seconds"], figures["cpu"] / requests * 1e6, figures["peak"] / 1024, (figures["peak"] - figures["idle"]) / 1024,
        figures.get("version"))


def of_wrk(output, cpu, peak, served):
    if "Socket errors" in output or "Non-2xx" in output:
        raise Failed(re.search(r".*(Socket errors|Non-2xx).*", output)[0].strip())
    requests = int(re.search(r"(\d+) requests in", output)[1])
    if not requests:
        raise Failed("no response")
    if served < requests:
        raise Failed(f"made {requests} calls with {served} requests")
    return Result(float(re.search(r"Requests/sec:\s*([\d.]+)", output)[1]), cpu / requests * 1e6, peak / 1024, None, None)
