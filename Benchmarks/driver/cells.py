"""The cells of the benchmark: a work, a protocol and a number of calls in flight."""

from dataclasses import dataclass

PROTOCOLS = {"http": "HTTP/1.1", "tls": "HTTP/1.1", "h2": "HTTP/2.0"}
PROTOCOL_NAMES = {"http": "http", "tls": "TLS, HTTP/1.1", "h2": "TLS, HTTP/2"}
WORK_NAMES = {
    "1k": "GET 1 KiB", "json": "GET 6.9 KB of JSON", "100k": "GET 100 KiB", "1g": "GET 1 GiB", "upload": "POST 1 MiB",
    "cached": "Cache hit, 1 KiB", "graphql": "GraphQL query", "events": "Server-sent events",
}
# The units of works that are not measured in calls per second, and how many of them a call is.
UNITS = {"1g": ("MiB/s", 1024), "upload": ("MiB/s", 1), "events": ("events/s", 1)}
# The works for which every client counts the bytes of the bodies.
COUNTED = {"1k", "100k", "1g", "cached"}


@dataclass(frozen=True)
class Cell:
    work: str
    protocol: str
    in_flight: int

    @property
    def name(self):
        return f"{self.work}/{self.protocol}/{self.in_flight}"

    @property
    def title(self):
        return f"{WORK_NAMES[self.work]}, {PROTOCOL_NAMES[self.protocol]}, {self.in_flight:,} in flight"


def every_cell():
    cells = [
        Cell(work, protocol, in_flight)
        for work in ("1k", "json", "100k") for protocol in PROTOCOLS for in_flight in (1, 64, 1_000, 5_000)
    ]
    cells += [Cell("1g", protocol, 1) for protocol in PROTOCOLS]
    cells += [Cell("upload", protocol, in_flight) for protocol in PROTOCOLS for in_flight in (1, 8, 64)]
    cells += [Cell("cached", "http", in_flight) for in_flight in (1, 64)]
    cells += [Cell("graphql", protocol, in_flight) for protocol in ("http", "h2") for in_flight in (1, 64)]
    cells += [Cell("events", protocol, 1) for protocol in PROTOCOLS]
    return cells


def chosen_cells(patterns):
    """The cells that match a pattern such as `1k/http/64`, `1k` or `*/h2/1`. Without patterns, all of them."""
    def matches(cell, pattern):
        parts = pattern.split("/")
        return all(part in ("*", own) for part, own in zip(parts, cell.name.split("/")))

    return [cell for cell in every_cell() if not patterns or any(matches(cell, pattern) for pattern in patterns)]
