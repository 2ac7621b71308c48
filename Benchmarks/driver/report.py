"""The results as Markdown."""

import datetime
import os
import platform
import re
import subprocess

import summary
from cells import PROTOCOL_NAMES, UNITS, WORK_NAMES
from contenders import BASELINE, FOLDER, PEER, PLAIN_CURL
from samples import FEWEST_ROUNDS

NOTES = {
    "json": "C and wrk count the bytes; the others decode 75 objects.",
    "graphql": "C and wrk count the bytes; the others decode the data.",
    "cached": "C reads a response of nginx each time.",
    "events": "A stream has 200,000 events. Martlet parses them; the others only read their bytes.",
}


def written(samples, cells):
    sections = [head(samples), summary.table(samples)]
    measured = [cell for cell in cells if samples.names(cell)]
    for work in WORK_NAMES:
        for protocol in PROTOCOL_NAMES:
            some = [cell for cell in measured if (cell.work, cell.protocol) == (work, protocol)]
            if some:
                sections.append(table(samples, some))
    sections += [*(waiting(samples, cell) for cell in summary.WAITING), failures(samples)]
    return "\n\n".join(section for section in sections if section) + "\n"


def head(samples):
    options, (fewest, most) = samples.options, samples.counts()
    command = "scripts/benchmark --summary" if options.summary else "scripts/benchmark"
    rounds = f"{most}" if fewest == most else f"{fewest} to {most}"
    lines = [
        "# Martlet beside other clients", "",
        f"Measured on {datetime.date.today()} by `{command}` at commit {commit()}, on {processor()} with {os.cpu_count()} cores,",
        f"which the clients share with nginx. {rounds} round{'s' if most != 1 else ''} of {options.seconds:g} s for each client; medians.", "",
    ]
    if options.short or fewest < FEWEST_ROUNDS:
        lines += ["**Fewer than five rounds: do not quote these numbers.**", ""]
    lines += [
        f"![Calls per second relative to libcurl in C]({options.name}.svg)", "",
        f"- \"{BASELINE}\" is a C program over libcurl's multi interface that keeps bodies, offers codings, and has the fastest buffers for the work; "
        f"\"{PLAIN_CURL}\" only counts the bytes. \"Of C\" is the speed divided by that of the first in the same round, \"of AHC\" by "
        f"that of {PEER}: the median of the rounds, and their range.",
        f"- Others used at most {max(samples.busy, default=0):.0%} of the processors before a cell, and other machines took at most "
        f"{max(samples.stolen, default=0):.0%} of the time of its round. {samples.discarded} rounds of a cell in which they took more were discarded.",
        "- CPU is the client's own, user and system, for each request (for each event of an event stream). Memory is the client's at most, and how far "
        "that is above the process after its first call, before the calls in flight begin.",
    ]
    if not options.summary:
        lines += [
            "- All clients have at most 64 connections, except Node's fetch and wrk, which have one for each call in flight. C and wrk count the bytes "
            "of a body; the others return it.",
            "- URLSession is not measured over TLS: on Linux it cannot be told to trust the server's certificate. httpx is not measured with 5,000 in "
            "flight, because its calls then take more than a minute.",
        ]
        lines += [f"- Missing: {name}: {reason}." for name, reason in samples.missing.items()]
    return "\n".join([*lines, f"- Versions: {versions(samples)}."])


def table(samples, cells):
    work, protocol = cells[0].work, cells[0].protocol
    unit, factor = UNITS.get(work, ("requests/s", 1))
    each = "event" if work == "events" else "request"
    lines = [
        f"## {WORK_NAMES[work]}, {PROTOCOL_NAMES[protocol]}", "", *([NOTES[work], ""] if work in NOTES else []),
        f"| in flight | client | CPU for each {each} | instructions | {unit} | of AHC | of C | memory | above idle |",
        "|---|---|---|---|---|---|---|---|---|",
    ]
    for cell in cells:
        for name in samples.names(cell):
            def number(figure):
                return samples.median(cell, name, figure)
            growth, counted = number("growth"), samples.instructions.get((cell, name))
            speeds = [result.per_second * factor for result in samples.results(cell, name)]
            ratios = " | ".join(summary.ratio_text(samples.ratios(cell, name, other)) for other in (PEER, BASELINE))
            lines.append(
                f"| {cell.in_flight:,} | {name} | {time(number('cpu_microseconds'))} | {'' if counted is None else f'{counted:,.0f}'} "
                f"| {plain(number('per_second') * factor)} ({plain(min(speeds))}–{plain(max(speeds))}) | {ratios} "
                f"| {number('peak'):.0f} MiB | {'' if growth is None else f'{growth:.1f} MiB'} |")
    return "\n".join(lines)


def time(microseconds):
    return f"{plain(microseconds)} µs" if microseconds < 100_000 else f"{microseconds / 1_000:,.0f} ms"


def plain(number):
    return f"{number:,.0f}" if number >= 100 else f"{number:.1f}" if number >= 10 else f"{number:.2f}"


def waiting(samples, many):
    """The memory of calls that wait for a connection, by client."""
    lines, baseline = [], summary.waiting_kibibytes(samples, many, BASELINE)
    for name in samples.names(many):
        memory = summary.waiting_kibibytes(samples, many, name)
        if memory is not None:
            above = "" if baseline is None else f"{memory - baseline:.1f} KiB"
            lines.append(f"| {name} | {memory:.1f} KiB | {above} |")
    few = summary.MANY.in_flight
    title = [
        f"## Memory of a waiting call, {many.in_flight:,} in flight", "",
        f"The difference between the memory with {many.in_flight:,} and with {few} calls in flight (GET 1 KiB, http), divided by "
        f"{many.in_flight - few:,}. It includes the task of the caller. Node's fetch and wrk have a connection for each call instead.", "",
    ]
    return "\n".join([*title, "| client | memory | above C's |", "|---|---|---|", *lines]) if lines else ""


def failures(samples):
    lines = [
        f"- {cell.title}: {name}: {reason} ({count} of {len(samples.rounds[cell])} rounds)"
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
    # The results of an earlier run are replaced during this one.
    changed = " with changes" if output("git", "status", "--porcelain", "--untracked-files=no", "--", "..", ":!Results") else ""
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
