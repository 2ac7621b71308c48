"""The results as Markdown."""

import datetime
import os
import platform
import re
import subprocess

from cells import PROTOCOL_NAMES, WORK_NAMES, Cell
from contenders import BASELINE, FOLDER

UNITS = {"1g": ("MiB/s", 1024), "upload": ("MiB/s", 1), "events": ("events/s", 1)}


def written(samples, cells):
    sections = [head(samples)]
    measured = [cell for cell in cells if samples.names(cell)]
    for work in WORK_NAMES:
        for protocol in PROTOCOL_NAMES:
            some = [cell for cell in measured if (cell.work, cell.protocol) == (work, protocol)]
            if some:
                sections.append(table(samples, some))
    sections += [waiting(samples), failures(samples)]
    return "\n\n".join(section for section in sections if section) + "\n"


def head(samples):
    options, (fewest, most) = samples.options, samples.rounds()
    rounds = f"{most}" if fewest == most else f"{fewest} to {most}"
    lines = [
        "# Martlet beside other clients", "",
        f"Measured on {datetime.date.today()} by `scripts/benchmark` at commit {commit()}, on {processor()} with {os.cpu_count()} cores,",
        f"which the clients share with nginx. {rounds} round{'s' if most != 1 else ''} of {options.seconds:g} s for each client; medians.", "",
    ]
    if options.short or fewest < 5:
        lines += ["**Fewer than five rounds: do not quote these numbers.**", ""]
    lines += [
        "![Requests per second relative to libcurl](benchmark.svg)", "",
        "- \"Of C\" is the speed divided by that of a C program over libcurl's multi interface in the same round, the median of the rounds.",
        "- CPU is the client's own, user and system, for each request (for each event of an event stream). Memory is the client's at most, and how far "
        "that is above the process before its first calls.",
        "- All clients have at most 64 connections, except Node's fetch and wrk, which have one for each call in flight. C and wrk count the bytes of a "
        "body; the others return it, and decode JSON in the JSON and GraphQL cells. An event stream has 200,000 events, which only Martlet parses; "
        "the others read its bytes.",
        "- URLSession is not measured over TLS: on Linux it cannot be told to trust the server's certificate.",
        f"- Versions: {versions(samples)}.",
    ]
    for name, reason in samples.missing.items():
        lines.append(f"- Missing: {name}: {reason}.")
    return "\n".join(lines)


def table(samples, cells):
    work, protocol = cells[0].work, cells[0].protocol
    unit, factor = UNITS.get(work, ("requests/s", 1))
    each = "event" if work == "events" else "request"
    lines = [
        f"## {WORK_NAMES[work]}, {PROTOCOL_NAMES[protocol]}", "",
        f"| in flight | client | {unit} | of C | CPU for each {each} | memory | above idle |",
        "|---|---|---|---|---|---|---|",
    ]
    for cell in cells:
        for name in samples.names(cell):
            def number(figure):
                return samples.median(cell, name, figure)
            ratio, growth = samples.ratio(cell, name), number("growth")
            lines.append(
                f"| {cell.in_flight:,} | {name} | {plain(number('per_second') * factor)} | {'' if ratio is None else f'{ratio:.2f}'} "
                f"| {time(number('cpu_microseconds'))} | {number('peak'):.0f} MiB | {'' if growth is None else f'{growth:.1f} MiB'} |")
    return "\n".join(lines)


def time(microseconds):
    return f"{plain(microseconds)} µs" if microseconds < 100_000 else f"{microseconds / 1_000:,.0f} ms"


def plain(number):
    return f"{number:,.0f}" if number >= 100 else f"{number:.1f}" if number >= 10 else f"{number:.2f}"


def waiting(samples):
    """The memory of a call that waits for a connection, from the difference between 64 and 5,000 calls in flight."""
    few, many = Cell("1k", "http", 64), Cell("1k", "http", 5_000)
    lines = []
    for name in samples.names(many):
        peaks = samples.median(few, name, "peak"), samples.median(many, name, "peak")
        if None not in peaks:
            lines.append(f"| {name} | {(peaks[1] - peaks[0]) * 1024 / (many.in_flight - few.in_flight):.1f} KiB |")
    title = ["## Memory of a waiting call", "", "The difference between 5,000 and 64 calls in flight (GET 1 KiB, http), divided by 4,936.", ""]
    return "\n".join([*title, "| client | memory |", "|---|---|", *lines]) if lines else ""


def failures(samples):
    lines = [
        f"- {cell.title}: {name}: {reason}" + (f" ({count} times)" if count > 1 else "")
        for (cell, name), reasons in samples.failures.items() for reason, count in reasons.items()
    ]
    return "\n".join(["## Failures", "", *lines]) if lines else ""


def output(*command):
    try:
        result = subprocess.run(command, capture_output=True, text=True, cwd=FOLDER)
        return (result.stdout + result.stderr).strip()
    except OSError:
        return ""


def commit():
    changed = " with changes" if output("git", "status", "--porcelain", "--untracked-files=no", "..") else ""
    return output("git", "rev-parse", "--short", "HEAD") + changed


def processor():
    try:
        with open("/proc/cpuinfo") as file:
            return re.search(r"model name\s*: (.*)", file.read())[1]
    except (OSError, TypeError):
        return platform.machine()


def versions(samples):
    known = {
        "Swift": re.search(r"Swift version (\S+)", output("swift", "--version")), "nginx": re.search(r"nginx/(\S+)", output("nginx", "-v")),
        "wrk": re.search(r"wrk (?:debian/)?(\S+)", output("wrk", "-v")), "Linux": re.match(r"(\S+)", platform.release()),
    }
    texts = [f"{name} {match[1]}" for name, match in known.items() if match]
    names = {BASELINE: "libcurl", "Node, fetch": "Node.js", "Python, httpx": "httpx", "Python, aiohttp": "aiohttp"}
    texts += [f"{names[name]} {version}" for name, version in sorted(samples.versions.items()) if name in names]
    return ", ".join([*texts, f"Python {platform.python_version()}"])
