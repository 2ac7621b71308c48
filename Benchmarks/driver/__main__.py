"""Measures Martlet beside other clients. `scripts/benchmark --help` prints the options."""

import argparse
import os
import pathlib
import random
import resource
import signal
import sys
import tempfile
import time

import chart
import instructions
import machine
import report
import summary
from cells import chosen_cells
from contenders import FOLDER, found
from measuring import Failed, measured
from samples import QUIET, Samples
from server import Server

# How often a cell is measured in a round, if other machines take too much time.
TRIES = 3


def options():
    parser = argparse.ArgumentParser(
        prog="scripts/benchmark", description="Measures Martlet beside other clients against nginx on loopback, and writes benchmark.md and "
        "benchmark.svg. Every client runs in its own process; cells and clients run in random order in each round.")
    parser.add_argument("--summary", action="store_true", help="only the cells and clients of the summary, in half an hour; writes summary.md and .svg")
    parser.add_argument("--short", action="store_true", help="one round of 0.3 s, to see that everything works")
    parser.add_argument("--only", metavar="CELL", action="append", default=[], help="a cell such as 1k/http/64, 1k or '*/h2/1'; repeatable")
    parser.add_argument("--client", metavar="TEXT", action="append", default=[], help="only clients whose names contain the text; repeatable")
    parser.add_argument("--rounds", type=int, help="default: 5; 7 with --summary, 1 with --short")
    parser.add_argument("--seconds", type=float, help="the time of one measurement without its start and end; default: 2")
    parser.add_argument("--minutes", type=float, help="stops after this time and reports what was measured; default: 180, and 30 with --short")
    parser.add_argument(
        "--output", type=pathlib.Path,
        help="the folder of the results; default: Benchmarks/Results, or Benchmarks/.build/benchmark with --short, --only or --client")
    parser.add_argument(
        "--instructions", action="store_true", help="counts the instructions of a call too, with valgrind's callgrind: 20 s for each cell and client")
    parser.add_argument("--list", action="store_true", help="prints the cells")
    chosen = parser.parse_args()
    short = chosen.short
    chosen.rounds = chosen.rounds or (1 if short else 7 if chosen.summary else 5)
    chosen.seconds = chosen.seconds or (0.3 if short else 2)
    chosen.minutes = chosen.minutes or (30 if short else 180)
    # Published results are replaced only by those of an idle machine with enough rounds.
    partial = short or chosen.only or chosen.client
    chosen.output = chosen.output or FOLDER / (".build/benchmark" if partial else "Results")
    chosen.name = "summary" if chosen.summary else "benchmark"
    return chosen


def interrupt(*_):
    raise KeyboardInterrupt


def main():
    # The server is stopped, and what was measured is written.
    signal.signal(signal.SIGTERM, interrupt)
    chosen = options()
    cells = [cell for cell in chosen_cells(chosen.only) if not chosen.summary or cell in summary.CLIENTS]
    if chosen.list or not cells:
        print("\n".join(cell.name for cell in cells or chosen_cells([])))
        return 0 if chosen.list else 2
    raise_descriptors()
    with tempfile.TemporaryDirectory() as folder:
        contenders, missing = found(pathlib.Path(folder))
        contenders = [each for each in contenders if not chosen.client or any(text in each.name for text in chosen.client)]
        for name, reason in missing.items():
            print(f"missing: {name}: {reason}")
        samples = Samples(chosen, cells, missing)
        # libcurl in C and the driver would use a proxy for the server on loopback.
        for name in [name for name in os.environ if name.lower().endswith("_proxy")]:
            del os.environ[name]
        with Server() as server:
            try:
                run(chosen, cells, contenders, samples, server)
            except KeyboardInterrupt:
                print("interrupted")
        if not samples.is_quiet() and chosen.output == FOLDER / "Results":
            chosen.output = FOLDER / ".build/benchmark"
            print(f"not published: others used up to {max(samples.busy):.0%} of the processors before a cell, or rounds are missing")
        write(chosen, cells, samples)
    return 0


def raise_descriptors():
    """A client has as many descriptors as connections, and some have one for each of 5,000 calls, and so has nginx."""
    most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    if most < 8_192:
        print(f"only {most} descriptors: clients with a connection for each call fail with 5,000 in flight (ulimit -Hn 8192)")


def run(chosen, cells, contenders, samples, server):
    def takes_part(contender, cell):
        return contender.can_do(cell) and (not chosen.summary or contender.name in summary.CLIENTS[cell])

    plan = [(cell, [each for each in contenders if takes_part(each, cell)]) for cell in cells]
    total, done, began = chosen.rounds * sum(len(clients) for _, clients in plan), 0, time.monotonic()
    # The cells of all rounds, and how often each was tried in its round.
    waiting = [(cell, clients, 1) for _ in range(chosen.rounds) for cell, clients in random.sample(plan, len(plan))]
    while waiting:
        # All clients of a cell run within a minute, because the speed of a machine varies over time.
        if time.monotonic() - began > chosen.minutes * 60:
            print(f"stopped after {chosen.minutes:g} minutes")
            return
        cell, clients, tries = waiting.pop(0)
        samples.begin_round()
        samples.busy.append(machine.wait_until_idle(QUIET))
        counters = machine.counters()
        for contender in random.sample(clients, len(clients)):
            done += 1
            if samples.has_only_failed(cell, contender.name):
                continue
            text = measure(contender, cell, samples, server, chosen.seconds)
            minutes = (time.monotonic() - began) / 60
            progress = f"[{done}/{total}, {minutes:.1f} min, {minutes / done * (total - done):.0f} left]"
            print(progress, cell.name, f"{contender.name}: {text}", flush=True)
        stolen = machine.stolen_share(counters)
        if samples.ends_round(cell, stolen):
            continue
        print(f"{cell.name}: discarded, because other machines took {stolen:.0%} of the time")
        if tries < TRIES:
            waiting.append((cell, clients, tries + 1))
            total += len(clients)
    if chosen.instructions:
        for cell, clients in plan:
            instructions.count(cell, clients, samples, server)


def measure(contender, cell, samples, server, seconds):
    """Adds one measurement, or its failure. Returns a line about it."""
    try:
        result = measured(contender, cell, server, seconds)
    except Failed as failure:
        samples.fail(contender.name, str(failure))
        return f"FAILED: {failure}"
    samples.add(contender.name, result)
    return f"{result.per_second:,.1f}/s, {result.cpu_microseconds:,.0f} µs, {result.peak:.0f} MiB"


def write(chosen, cells, samples):
    chosen.output.mkdir(parents=True, exist_ok=True)
    (chosen.output / f"{chosen.name}.svg").write_text(chart.drawn(samples))
    (chosen.output / f"{chosen.name}.md").write_text(report.written(samples, cells))
    print(f"wrote {chosen.output / chosen.name}.md")


sys.exit(main())
