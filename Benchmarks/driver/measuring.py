"""One measurement: a client in its own process, for one cell."""

import json
import os
import re
import resource
import subprocess
import time
from dataclasses import dataclass

from cells import BYTES, PROTOCOLS
from server import EVENTS


class Failed(Exception):
    pass


@dataclass
class Result:
    per_second: float
    cpu_microseconds: float
    # MiB at most, and above the process before its first calls; the latter is unknown for wrk.
    peak: float
    growth: float | None
    version: str | None


def measured(contender, cell, server, seconds):
    """Runs the client. Throws `Failed` if it fails, takes too long, reads other bytes, or speaks another protocol."""
    environment = dict(
        os.environ, BENCHMARK_PROTOCOL=PROTOCOLS[cell.protocol], BENCHMARK_CA=str(server.certificate), NODE_EXTRA_CA_CERTS=str(server.certificate))
    used = children_seconds()
    process = subprocess.Popen(
        contender.arguments(cell, server.origins[cell.protocol], seconds), env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        text=True)
    began, peak = time.monotonic(), 0
    limit = seconds * 2 + 60
    while True:
        try:
            output, errors = process.communicate(timeout=0.1 if contender.is_wrk else limit)
            break
        except subprocess.TimeoutExpired:
            peak = max(peak, peak_of(process.pid))
            if time.monotonic() - began > limit:
                process.kill()
                process.communicate()
                raise Failed(f"took more than {limit:.0f} s") from None
    if process.returncode != 0:
        lines = [line for line in errors.strip().split("\n") if line.strip()]
        raise Failed((lines[-1] if lines else f"ended with {process.returncode}")[:160])
    return of_wrk(output, children_seconds() - used, peak) if contender.is_wrk else of_line(output, cell)


def children_seconds():
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def peak_of(pid):
    try:
        with open(f"/proc/{pid}/status") as file:
            return int(re.search(r"VmHWM:\s*(\d+)", file.read())[1])
    except (OSError, TypeError):
        return 0


def of_line(output, cell):
    figures = json.loads(output.strip().split("\n")[-1])
    if figures["protocol"] != PROTOCOLS[cell.protocol]:
        raise Failed(f"speaks {figures['protocol']}")
    expected = BYTES.get(cell.work)
    if expected and figures["bytes"] != figures["requests"] * expected:
        raise Failed(f"read {figures['bytes']} bytes in {figures['requests']} calls")
    requests = figures["requests"]
    # Clients that know no events count streams and their bytes.
    if cell.work == "events" and figures["bytes"]:
        requests *= EVENTS
    return Result(
        requests / figures["seconds"], figures["cpu"] / requests * 1e6, figures["peak"] / 1024, (figures["peak"] - figures["idle"]) / 1024,
        figures.get("version"))


def of_wrk(output, cpu, peak):
    if "Socket errors" in output or "Non-2xx" in output:
        raise Failed(re.search(r".*(Socket errors|Non-2xx).*", output)[0].strip())
    requests = int(re.search(r"(\d+) requests in", output)[1])
    if not requests:
        raise Failed("no response")
    return Result(float(re.search(r"Requests/sec:\s*([\d.]+)", output)[1]), cpu / requests * 1e6, peak / 1024, None, None)
