"""Calls per second over async-http-client, alone and below Martlet, and over libcurl, in one run: bench.py PROGRAM [ROUNDS] [SECONDS].

PROGRAM is the release build of `bench`. The server is nginx on loopback; each round runs every contender once, in turn.
"""

import os
import pathlib
import statistics
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "Benchmarks"))
from driver.server import Server

CONTENDERS = ["bare", "bridge", "given", "send", "curl"]


def main():
    program, rounds, seconds = sys.argv[1], int((sys.argv[2:] or [5])[0]), (sys.argv[3:] or ["3"])[0]
    with Server() as server:
        environment = dict(os.environ, CA=str(server.certificate))
        for origin, in_flight in [("http", 64), ("http", 1)]:
            results = {name: [] for name in CONTENDERS}
            for turn in range(rounds):
                for name in CONTENDERS[turn % 5:] + CONTENDERS[:turn % 5]:
                    command = [program, name, server.origins[origin] + "/1k", str(in_flight), seconds]
                    output = subprocess.run(command, env=environment, check=True, capture_output=True, text=True).stdout
                    results[name].append([float(figure) for figure in output.split()])
            bare = statistics.median(figures[0] for figures in results["bare"])
            print(f"1 KiB over {origin}, {in_flight} in flight, medians of {rounds} rounds of {seconds} s:")
            for name, figures in results.items():
                calls = statistics.median(each[0] for each in figures)
                cost = statistics.median(each[1] for each in figures)
                print(f"  {name:7} {calls:8.0f} calls/s  {cost:5.1f} µs of CPU each  {calls / bare:.2f} of bare", flush=True)


main()
