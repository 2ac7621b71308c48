"""The instructions of a call in user space, counted with valgrind's callgrind: they repeat, whatever else the machine does."""

import os
import pathlib
import re
import subprocess
import tempfile

from cells import PROTOCOLS

# The works that fit, and the calls of the two runs whose difference is counted.
CALLS = {"1k": (640, 1_920), "json": (320, 960), "100k": (320, 960), "upload": (40, 120), "graphql": (640, 1_920)}


def count(cell, contenders, samples, server):
    """Adds the counts of the clients that make a given number of calls, which are the programs in Swift and C."""
    if cell.work not in CALLS or cell.in_flight > 64:
        return
    for contender in contenders:
        if not contender.counts_calls or not samples.results(cell, contender.name):
            continue
        few, many = CALLS[cell.work]
        try:
            counts = [run(contender, cell, server, calls) for calls in (few, many)]
        except (subprocess.SubprocessError, OSError, TypeError) as error:
            print(f"instructions of {cell.name} {contender.name}: FAILED: {error}"[:200], flush=True)
            continue
        samples.instructions[cell, contender.name] = (counts[1] - counts[0]) / (many - few)
        print(f"instructions of {cell.name} {contender.name}: {samples.instructions[cell, contender.name]:,.0f}", flush=True)


def run(contender, cell, server, calls):
    environment = dict(os.environ, BENCHMARK_PROTOCOL=PROTOCOLS[cell.protocol], BENCHMARK_CA=str(server.certificate))
    with tempfile.TemporaryDirectory() as folder:
        file, program = pathlib.Path(folder) / "counts", pathlib.Path(folder) / "program"
        # Valgrind cannot read the debug information of so large a program.
        subprocess.run(["strip", "--strip-debug", "-o", program, contender.command[0]], check=True, capture_output=True)
        subprocess.run(
            ["valgrind", "--tool=callgrind", f"--callgrind-out-file={file}",
             program, *contender.command[1:], cell.work, server.origins[cell.protocol], str(cell.in_flight), f"{calls}x"],
            env=environment, check=True, capture_output=True, timeout=180)
        return int(re.search(r"^summary: (\d+)", file.read_text(), re.MULTILINE)[1])
