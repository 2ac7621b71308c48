"""All measurements of one run."""

from collections import Counter, defaultdict
from statistics import median

from contenders import BASELINE


# The share of the processors that others may use, and the fewest rounds whose figures may be quoted.
QUIET, FEWEST_ROUNDS = 0.05, 5


class Samples:
    def __init__(self, options, cells, missing):
        self.options, self.missing = options, missing
        # For each cell, the results of each complete round by the client's name, and the results and failures of the current one.
        self.rounds = {cell: [] for cell in cells}
        self.current, self.failed = {}, Counter()
        self.failures = defaultdict(Counter)
        self.versions = {}
        # The instructions of a call by cell and client, if they were counted.
        self.instructions = {}
        # The share of the processors that others used before each cell, the share that other machines took during it, and how many were discarded.
        self.busy, self.stolen, self.discarded = [], [], 0

    def begin_round(self):
        self.current, self.failed = {}, Counter()

    def ends_round(self, cell, stolen):
        """Keeps the round of a cell, unless other machines took too much time of it. Returns whether it is kept."""
        if stolen > QUIET:
            self.discarded += 1
            return False
        self.stolen.append(stolen)
        self.rounds[cell].append(self.current)
        for (name, reason), count in self.failed.items():
            self.failures[cell, name][reason] += count
        return True

    def add(self, name, result):
        self.current[name] = result
        if result.version:
            self.versions[name] = result.version

    def fail(self, name, reason):
        self.failed[name, reason] += 1

    def has_only_failed(self, cell, name):
        """Whether a client failed twice in a cell and never succeeded. It is not measured again."""
        return self.failures[cell, name].total() > 1 and not self.results(cell, name)

    def results(self, cell, name):
        return [results[name] for results in self.rounds.get(cell, []) if name in results]

    def names(self, cell):
        """The clients with results, the fastest first."""
        names = {name for results in self.rounds.get(cell, []) for name in results}
        return sorted(names, key=lambda name: -self.median(cell, name, "per_second"))

    def median(self, cell, name, figure):
        values = [getattr(result, figure) for result in self.results(cell, name)]
        values = [value for value in values if value is not None]
        return median(values) if values else None

    def ratios(self, cell, name, other=BASELINE):
        """The speed in each round, divided by that of another client in the same round."""
        return [
            results[name].per_second / results[other].per_second
            for results in self.rounds.get(cell, []) if name in results and other in results
        ]

    def ratio(self, cell, name, other=BASELINE):
        """The median of the rounds' ratios, or None."""
        ratios = self.ratios(cell, name, other)
        return median(ratios) if ratios else None

    def is_quiet(self):
        """Whether the machine was idle, for enough rounds, for figures that others read."""
        return max(self.busy, default=0) <= QUIET and self.counts()[0] >= FEWEST_ROUNDS

    def counts(self):
        """The fewest and most rounds of a cell. A client that failed in some of them is listed with its failures."""
        counts = [len(rounds) for rounds in self.rounds.values()]
        return min(counts), max(counts)
