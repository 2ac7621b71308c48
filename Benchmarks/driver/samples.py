"""All measurements of one run."""

from collections import Counter, defaultdict
from statistics import median

from contenders import BASELINE


class Samples:
    def __init__(self, options, missing):
        self.options, self.missing = options, missing
        self.results = defaultdict(list)
        self.failures = defaultdict(Counter)
        self.ratios = defaultdict(list)
        self.versions = {}
        self.current = {}

    def add(self, cell, name, result):
        self.results[cell, name].append(result)
        self.current[name] = result
        if result.version:
            self.versions[name] = result.version

    def fail(self, cell, name, reason):
        self.failures[cell, name][reason] += 1

    def end_round(self, cell):
        """Adds the ratios to the baseline of the same round."""
        if BASELINE in self.current:
            for name, result in self.current.items():
                self.ratios[cell, name].append(result.per_second / self.current[BASELINE].per_second)
        self.current = {}

    def names(self, cell):
        """The clients with results, the fastest first."""
        names = [name for other, name in self.results if other == cell]
        return sorted(names, key=lambda name: -self.median(cell, name, "per_second"))

    def median(self, cell, name, figure):
        values = [getattr(result, figure) for result in self.results.get((cell, name), [])]
        values = [value for value in values if value is not None]
        return median(values) if values else None

    def ratio(self, cell, name):
        """The median of the rounds' ratios to the baseline, or None."""
        ratios = self.ratios.get((cell, name))
        return median(ratios) if ratios else None

    def rounds(self):
        """The fewest and most measurements of one client in one cell."""
        counts = [len(results) for results in self.results.values()] or [0]
        return min(counts), max(counts)
