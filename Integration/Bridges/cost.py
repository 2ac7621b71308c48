"""Measures what the log, the metrics and the spans of calls cost: cost.py [ROUNDS] [SECONDS] [VARIANT…]

It needs nginx and the program `cost`, which this command builds:

    TRAITS=SwiftLog,SwiftMetrics,SwiftTracing swift build --configuration release --package-path Integration/Bridges --product cost \\
        --scratch-path Integration/Bridges/.build-cost

It prints the calls per second with 64 calls of 1 KiB in flight over http, the CPU time of a call, and both in proportion to a client without
observers. The variants take turns in one process: see `Sources/cost`.
"""

import pathlib
import subprocess
import sys

folder = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(folder.parent.parent / "Benchmarks"))
from driver.server import Server  # noqa: E402

with Server() as server:
    program = folder / ".build-cost" / "release" / "cost"
    sys.exit(subprocess.run([program, server.origins["http"] + "/", *sys.argv[1:]]).returncode)
