"""The selection of `--summary`: the few cells that describe Martlet's speed and memory, and a table of their ratios."""

from statistics import median

from cells import Cell
from contenders import BARE, BARE_ON_EXECUTOR, BASELINE, FOUNDATION, STANDARD, STANDARD_ON_EXECUTOR

ONE, MANY, LARGE = Cell("1k", "http", 1), Cell("1k", "http", 64), Cell("100k", "http", 64)
DOWNLOAD, JSON = Cell("1g", "http", 1), Cell("json", "http", 64)
# The cells with more calls than connections, most of which wait.
WAITING = [Cell("1k", "http", 1_000), Cell("1k", "http", 5_000)]

CLIENTS = {
    **{cell: (BARE, STANDARD, BARE_ON_EXECUTOR, STANDARD_ON_EXECUTOR, BASELINE) for cell in (ONE, MANY, LARGE)},
    **{cell: (BARE, BARE_ON_EXECUTOR, BASELINE) for cell in WAITING},
    DOWNLOAD: (BARE, BASELINE), JSON: (BARE, FOUNDATION, BASELINE),
}


def waiting_kibibytes(samples, many, name):
    """The memory of a call that waits for a connection: the difference from 64 in flight, which all have one. None if it is unknown."""
    peaks = samples.median(MANY, name, "peak"), samples.median(many, name, "peak")
    return None if None in peaks else (peaks[1] - peaks[0]) * 1024 / (many.in_flight - MANY.in_flight)


def table(samples):
    """The ratios of the summary's cells, with the range of the rounds, or an empty text if none was measured."""
    rows = []
    for cell in (MANY, LARGE, ONE, *WAITING):
        for name in (BARE, STANDARD, BARE_ON_EXECUTOR, STANDARD_ON_EXECUTOR):
            add(rows, f"{cell.title}: {name}", "C's speed", samples.ratios(cell, name))
    for cell in WAITING:
        memory = [waiting_kibibytes(samples, cell, name) for name in (BARE, BASELINE)]
        if None not in memory:
            title = f"memory of a waiting call of {cell.in_flight:,}, above C's"
            rows.append(f"| {title} | {memory[0] - memory[1]:.1f} KiB | {memory[0]:.1f} − {memory[1]:.1f} KiB |")
    add(rows, f"{DOWNLOAD.title}: {BARE}", "C's time", [1 / ratio for ratio in samples.ratios(DOWNLOAD, BARE)])
    growths = sorted(result.growth for result in samples.results(DOWNLOAD, BARE))
    if growths:
        rows.append(f"| memory of this download, above idle | {median(growths):.1f} MiB | {growths[0]:.1f}–{growths[-1]:.1f} MiB |")
    add(rows, f"{JSON.title}: decoded by {BARE}", "the speed with Foundation's decoder", samples.ratios(JSON, BARE, FOUNDATION))
    head = ["## Summary", "", "| | median | range of the rounds |", "|---|---|---|"]
    return "\n".join([*head, *rows]) if rows else ""


def add(rows, title, unit, ratios):
    if ratios:
        rows.append(f"| {title} | {median(ratios):.2f} × {unit} | {min(ratios):.2f}–{max(ratios):.2f} |")
