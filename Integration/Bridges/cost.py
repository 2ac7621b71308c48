"""Measures what the log, the metrics and the spans of calls cost: cost.py [ROUNDS] [SECONDS] [VARIANT…]

It needs nginx and the program `cost`, which this command builds:

    TRAITS=SwiftLog,SwiftMetrics,SwiftTracing swift build --configuration release --package-path Integration/Bridges --product cost \\
        --scratch-path Integration/Bridges/.build-cost

It prints the calls per second with 64 calls of 1 KiB in flight over http, the CPU time of a call, and both in proportion to a client without
observers. The variants take turns in one process: see `Sources/cost`.

    cost.py instructions [VARIANT…]

prints the instructions of a call instead, which valgrind counts, so that other programs of the machine do not matter. OUT=FOLDER keeps
valgrind's files for callgrind_annotate.
"""

import os
import pathlib
import re
import subprocess
import sys
import tempfile

folder = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(folder.parent.parent / "Benchmarks"))
from driver.server import Server  # noqa: E402

program = folder / ".build-cost" / "release" / "cost"
VARIANTS = ["none", "empty", "log", "metrics", "tracing", "all", "hand", "quiet", "quietHand"]


def instructions(origin, names):
    """Prints the difference between two runs with different numbers of calls, so that start-up does not count."""
    with tempfile.TemporaryDirectory() as work:
        # Valgrind cannot read the debug information of so large a program.
        subprocess.run(["strip", "--strip-debug", "-o", work + "/cost", program], check=True)

        def total(name, calls):
            command = ["valgrind", "--tool=callgrind", f"--callgrind-out-file={os.environ.get('OUT', work)}/{name}.{calls}"]
            command += [work + "/cost", origin, "calls", str(calls), name]
            text = subprocess.run(command, env={**os.environ, "SWIFT_DETERMINISTIC_HASHING": "1"}, capture_output=True, text=True).stderr
            return int(re.search(r"Collected : (\d+)", text)[1])

        first = None
        for name in names or VARIANTS:
            count = (total(name, 2_560) - total(name, 640)) / 1_920
            first = first or count
            print(f"{name:10} {count:9.0f} instructions a call  {count / first:.3f} ×", flush=True)


with Server() as server:
    origin = server.origins["http"] + "/"
    if sys.argv[1:2] == ["instructions"]:
        instructions(origin, sys.argv[2:])
    else:
        sys.exit(subprocess.run([program, origin, *sys.argv[1:]]).returncode)
