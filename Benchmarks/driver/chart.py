"""The results as a bar chart in SVG: requests per second relative to libcurl in C, without wrk, which only generates load."""

from html import escape

from cells import Cell
from contenders import BASELINE

SHOWN = [
    Cell("1k", "http", 1), Cell("1k", "http", 64), Cell("1k", "http", 1_000), Cell("1k", "h2", 64), Cell("100k", "http", 64),
    Cell("json", "http", 64), Cell("upload", "http", 64),
]
COLOURS = {
    "Martlet": "#c2410c", "Martlet, standard interceptors": "#ea8a4f", "Martlet, Foundation's JSONDecoder": "#f2c3a0", "URLSession": "#2563a8",
    BASELINE: "#6b7280", "Node, fetch": "#3f8f5f", "Python, httpx": "#b59a2a", "Python, aiohttp": "#8a7422",
}
LABELS, BARS, RIGHT = 250, 470, 150
ROW, GAP, TOP = 17, 34, 72


def drawn(samples):
    groups = []
    for cell in SHOWN:
        rows = [(name, samples.ratio(cell, name), samples.median(cell, name, "per_second")) for name in samples.names(cell)]
        rows = [row for row in rows if row[0] in COLOURS and row[1] is not None]
        if rows:
            groups.append((cell.title, rows))
    longest = max([ratio for _, rows in groups for _, ratio, _ in rows], default=1)
    scale = BARS / max(longest, 1)
    parts, y = [], TOP
    for title, rows in groups:
        parts.append(text(12, y, title, "font-weight='600'"))
        y += 8
        one, below = LABELS + scale, y + ROW * len(rows)
        parts.append(f"<line x1='{one:.1f}' x2='{one:.1f}' y1='{y}' y2='{below}' stroke='#999999' stroke-dasharray='3 3'/>")
        for name, ratio, speed in rows:
            width = max(ratio * scale, 1)
            parts.append(text(LABELS - 8, y + 12, name, "text-anchor='end'"))
            parts.append(f"<rect x='{LABELS}' y='{y + 2}' width='{width:.1f}' height='{ROW - 4}' fill='{COLOURS[name]}'/>")
            parts.append(text(LABELS + BARS + 50, y + 12, f"{ratio:.2f}", "text-anchor='end' font-weight='600'"))
            parts.append(text(LABELS + BARS + 138, y + 12, f"{speed:,.0f}/s", "text-anchor='end' fill='#444444'"))
            y += ROW
        y += GAP
    (fewest, _), width = samples.rounds(), LABELS + BARS + RIGHT
    note = "Requests per second; 1.00 is a C program over libcurl. Medians of rounds in random order."
    if fewest < 5:
        note += " FEWER THAN FIVE ROUNDS: do not quote."
    head = [
        f"<svg xmlns='http://www.w3.org/2000/svg' width='{width}' height='{y}' viewBox='0 0 {width} {y}' font-family='sans-serif' font-size='12'>",
        "<title>Requests per second relative to libcurl in C</title>", "<rect width='100%' height='100%' fill='#ffffff'/>",
        text(12, 24, "Martlet beside other clients", "font-size='16' font-weight='600'"), text(12, 42, note, "fill='#444444'"),
    ]
    return "\n".join([*head, *parts, "</svg>"]) + "\n"


def text(x, y, content, attributes):
    return f"<text x='{x:.1f}' y='{y:.1f}' {attributes}>{escape(content)}</text>"
