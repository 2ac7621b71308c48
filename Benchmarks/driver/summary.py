"""The selection of `--summary`: the cells that describe Martlet's speed and memory, and a table of their ratios."""

from statistics import median

from cells import Cell
from contenders import (
    BARE, BARE_ON_EXECUTOR, BASELINE, FOUNDATION, PEER, PLAIN_CURL, READING, STANDARD, WIRE, WIRE_ON_EXECUTOR, WIRE_READING, WIRE_STANDARD,
)

ONE, MANY, THOUSAND = Cell("1k", "http", 1), Cell("1k", "http", 64), Cell("1k", "http", 1_000)
LARGE, JSON, TLS, HTTP2 = Cell("100k", "http", 64), Cell("json", "http", 64), Cell("1k", "tls", 64), Cell("1k", "h2", 64)
DOWNLOAD, UPLOAD, GRAPHQL = Cell("1g", "http", 1), Cell("upload", "http", 8), Cell("graphql", "http", 64)
# The cells with more calls than connections, most of which wait.
WAITING = [THOUSAND, Cell("1k", "http", 5_000)]

EVERYWHERE = (BARE, PEER, BASELINE)
WITH_WIRE = (*EVERYWHERE, WIRE, WIRE_ON_EXECUTOR, BARE_ON_EXECUTOR)
CLIENTS = {
    MANY: (*WITH_WIRE, STANDARD, WIRE_STANDARD, PLAIN_CURL, "URLSession", "Alamofire", "Get"),
    ONE: (*WITH_WIRE, PLAIN_CURL, "URLSession", "Alamofire", "Get"), THOUSAND: (*WITH_WIRE, PLAIN_CURL),
    LARGE: (*WITH_WIRE, PLAIN_CURL),
    JSON: (*EVERYWHERE, WIRE, READING, WIRE_READING, FOUNDATION, "Alamofire", "Get"), GRAPHQL: (*EVERYWHERE, READING, WIRE, WIRE_READING),
    TLS: EVERYWHERE, HTTP2: EVERYWHERE, DOWNLOAD: (*EVERYWHERE, WIRE, PLAIN_CURL), UPLOAD: (*EVERYWHERE, WIRE, PLAIN_CURL),
    WAITING[1]: (BARE, BASELINE),
}


def waiting_kibibytes(samples, many, name):
    """The memory of a call that waits for a connection: the difference from 64 in flight, which all have one. None if it is unknown."""
    peaks = samples.median(MANY, name, "peak"), samples.median(many, name, "peak")
    return None if None in peaks else (peaks[1] - peaks[0]) * 1024 / (many.in_flight - MANY.in_flight)


def ratio_text(ratios):
    """A median with its range, such as `1.21 (1.09–1.76)`."""
    return f"{median(ratios):.2f} ({min(ratios):.2f}–{max(ratios):.2f})" if ratios else "–"


def table(samples):
    """The ratios of the summary's cells, with the ranges of the rounds, or an empty text if none was measured."""
    lines = []
    for cell in CLIENTS:
        for name in (BARE, BARE_ON_EXECUTOR, STANDARD, READING, WIRE, WIRE_ON_EXECUTOR, WIRE_STANDARD, WIRE_READING):
            own = samples.median(cell, name, "cpu_microseconds")
            if own is None:
                continue
            peer, c = (samples.median(cell, other, "cpu_microseconds") for other in (PEER, BASELINE))
            processor = " | ".join("–" if other is None else f"{own / other:.2f}" for other in (peer, c))
            ratios = [ratio_text(samples.ratios(cell, name, other)) for other in (PEER, BASELINE)]
            lines.append(f"| {cell.title} | {name} | {processor} | {ratios[0]} | {ratios[1]} |")
    for cell in WAITING:
        memory = [waiting_kibibytes(samples, cell, name) for name in (BARE, BASELINE)]
        if None not in memory:
            lines.append(f"| memory of a waiting call of {cell.in_flight:,} | {BARE} | | | | {memory[0]:.1f} KiB, C {memory[1]:.1f} KiB |")
    head = [
        "## Summary", "", f"| | client | CPU of {PEER}'s | CPU of C's | speed of {PEER}'s | speed of C's |", "|---|---|---|---|---|---|",
    ]
    return "\n".join([*head, *lines]) if lines else ""
