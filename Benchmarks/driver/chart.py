"""The results as a bar chart in SVG: requests per second relative to libcurl in C, without wrk, which only generates load."""

from html import escape

from cells import UNITS, Cell
from contenders import BASELINE
from samples import FEWEST_ROUNDS

SHOWN = [
    Cell("1k", "http", 1), Cell("1k", "http", 64), Cell("1k", "http", 1_000), Cell("1k", "h2", 64), Cell("100k", "http", 64),
    Cell("json", "http", 64), Cell("1g", "http", 1),
]
# An image in a page follows the reader's colour scheme, and cannot see the page's: so it has its own background in both.
STYLE = """
text { fill: #1f2328 } .soft { fill: #59636e } .bold { font-weight: 600 } .right { text-anchor: end }
.background { fill: #ffffff; stroke: #d1d9e0 } .line { stroke: #59636e; stroke-dasharray: 3 3 }
.own { fill: #c2410c } .c { fill: #57606a } .peer { fill: #a3b3c4 }
@media (prefers-color-scheme: dark) {
  text { fill: #f0f6fc } .soft { fill: #9198a1 } .background { fill: #0d1117; stroke: #3d444d } .line { stroke: #9198a1 }
  .own { fill: #f0883e } .c { fill: #b1bac4 } .peer { fill: #4d5f73 }
}
"""
LABELS, BARS, RIGHT = 330, 400, 156
ROW, GAP, TOP = 18, 28, 104


def drawn(samples):
    groups = []
    for cell in SHOWN:
        rows = [(name, samples.ratio(cell, name), samples.median(cell, name, "per_second")) for name in samples.names(cell)]
        rows = [row for row in rows if row[0] != "wrk" and row[1] is not None]
        if rows:
            groups.append((cell, rows))
    scale = BARS / max([1, *(ratio for _, rows in groups for _, ratio, _ in rows)])
    parts, y = [], TOP
    for cell, rows in groups:
        parts.append(text(16, y, cell.title + (" (C does not decode it)" if cell.work == "json" else ""), "bold"))
        y += 8
        for name, ratio, speed in rows:
            colour = "own" if name.startswith("Martlet") else "c" if name == BASELINE else "peer"
            parts.append(text(LABELS - 8, y + 13, name, "right bold" if colour == "own" else "right"))
            parts.append(f"<rect class='{colour}' x='{LABELS}' y='{y + 2}' width='{max(ratio * scale, 1):.1f}' height='{ROW - 4}' rx='2'/>")
            parts.append(text(LABELS + BARS + 46, y + 13, f"{ratio:.2f}", "right bold"))
            parts.append(text(LABELS + BARS + RIGHT - 16, y + 13, speed_text(cell, speed), "right soft"))
            y += ROW
        one = LABELS + scale
        parts.append(f"<line class='line' x1='{one:.1f}' x2='{one:.1f}' y1='{y - ROW * len(rows)}' y2='{y}'/>")
        y += GAP
    (fewest, _), width, height = samples.counts(), LABELS + BARS + RIGHT, y - GAP + 16
    notes = [
        "Each bar is the speed divided by that of a C program over libcurl in the same round (dashed line: 1.00).",
        "Right: this ratio, and the speed. Medians of the rounds; the clients share the machine with nginx.",
    ]
    if fewest < FEWEST_ROUNDS:
        notes.append("FEWER THAN FIVE ROUNDS: do not quote these numbers.")
    head = [
        f"<svg xmlns='http://www.w3.org/2000/svg' width='{width}' height='{height}' viewBox='0 0 {width} {height}' role='img' "
        "font-family='system-ui, -apple-system, Segoe UI, Helvetica, Arial, DejaVu Sans, sans-serif' font-size='12'>",
        "<title>Calls per second relative to libcurl in C</title>", f"<style>{STYLE}</style>",
        f"<rect class='background' x='0.5' y='0.5' width='{width - 1}' height='{height - 1}' rx='6'/>",
        "<text x='16' y='28' class='bold' font-size='16'>Speed of Martlet and other clients on Linux: longer is faster</text>",
        *[text(16, 48 + 16 * line, note, "soft") for line, note in enumerate(notes)],
    ]
    return "\n".join([*head, *parts, "</svg>"]) + "\n"


def speed_text(cell, speed):
    unit, factor = UNITS.get(cell.work, ("/s", 1))
    return f"{speed * factor:,.0f} {unit}".replace(" /s", "/s")


def text(x, y, content, styles):
    return f"<text x='{x:.1f}' y='{y:.1f}' class='{styles}'>{escape(content)}</text>"
