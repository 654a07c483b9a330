"""Figures about a running server, in the text format that Prometheus reads; written here, so that nothing is installed for it.

Names of tables, seats and people are in none of them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

import apsw

from maumau.tables import ledger
from maumau.tables.histogram import Histogram


@dataclass(frozen=True, slots=True)
class Gauges:
    """Figures of this process at one moment."""

    sockets: int
    conflicts: int
    waiting: int
    """Transactions that wait for the writer."""
    wal_bytes: int
    loop_lag: float
    """By how many seconds the event loop was late at most in the last minute."""


def exposition(db: apsw.Connection, now: int, actions: Counter[str], batches: Histogram, gauges: Gauges) -> str:
    """All figures; ``now`` in milliseconds. Asks the store, so it runs off the loop."""
    states = ledger.states(db)
    overdue, longest = ledger.overdue(db, now)
    lines = [
        *_family("maumau_actions_total", "counter", "Actions by what was answered.", _labelled(actions, "result")),
        *_family("maumau_tables", "gauge", "Tables by state.", _labelled(states, "state")),
        *_family("maumau_store_batch_seconds", "histogram", "One batch of writes, until it is on the disk."),
        *batches.lines("maumau_store_batch_seconds"),
        *_family("maumau_sockets", "gauge", "Live sockets that are open.", [("", gauges.sockets)]),
        *_family("maumau_conflicts_total", "counter", "Commands that came second.", [("", gauges.conflicts)]),
        *_family("maumau_store_waiting", "gauge", "Writes that wait.", [("", gauges.waiting)]),
        *_family("maumau_store_wal_bytes", "gauge", "Size of the write-ahead log.", [("", gauges.wal_bytes)]),
        *_family("maumau_loop_lag_seconds", "gauge", "Worst delay in a minute.", [("", gauges.loop_lag)]),
        *_family("maumau_due_overdue", "gauge", "Rows that should have been fired.", [("", overdue)]),
        *_family("maumau_due_overdue_seconds", "gauge", "How long the oldest of them waits.", [("", longest / 1000)]),
    ]
    return "\n".join(lines) + "\n"


def _labelled(counts: Mapping[str, int], label: str) -> list[tuple[str, float]]:
    return [(f'{{{label}="{value}"}}', counts[value]) for value in sorted(counts)]


def _family(name: str, kind: str, told: str, samples: Iterable[tuple[str, float]] = ()) -> Iterator[str]:
    yield f"# HELP {name} {told}"
    yield f"# TYPE {name} {kind}"
    for labels, value in samples:
        yield f"{name}{labels} {value:g}"
