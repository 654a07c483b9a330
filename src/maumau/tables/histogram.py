"""A histogram: how often a figure fell under each of a few bounds."""

from __future__ import annotations

import bisect
from collections.abc import Iterator
from typing import Final

BATCH_BUCKETS: Final = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5)
"""Upper ends in seconds; what a batch of writes takes until it is on the disk."""


class Histogram:
    """How often a figure fell under each of a few bounds; one thread adds, any may read."""

    def __init__(self, bounds: tuple[float, ...]) -> None:
        self.bounds = bounds
        self.counts = [0] * (len(bounds) + 1)
        self.total = 0.0

    def add(self, value: float) -> None:
        """One more measurement."""
        self.counts[bisect.bisect_left(self.bounds, value)] += 1
        self.total += value

    def lines(self, name: str) -> Iterator[str]:
        """The samples of this histogram."""
        below = 0
        for bound, count in zip((*map(str, self.bounds), "+Inf"), list(self.counts), strict=True):
            below += count
            yield f'{name}_bucket{{le="{bound}"}} {below}'
        yield f"{name}_sum {self.total:.6f}"
        yield f"{name}_count {below}"
