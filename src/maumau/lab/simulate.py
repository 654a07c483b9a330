"""Many rounds under one ruleset: who wins, how long they last, how often they are blocked.

Round ``i`` of a seed is always the same round, whatever the number of rounds, of jobs, or the load of the machine: its own
seed is made from the seed and ``i`` alone. What was played when a run is stopped is a prefix of the whole run.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
import time
from collections import deque
from collections.abc import Callable, Generator, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, Final

import numpy as np

from maumau import bots as registry
from maumau.lab.batch import Batch
from maumau.lab.host import HostBench
from maumau.ruleset import Ruleset

LONGEST: Final = 100_000
"""A round is given up after so many actions; none has come near it."""
SHOWN: Final = 20
"""How many first results a simulation keeps one by one."""
SEEDS: Final = 1 << 64
_BATCH_SECONDS: Final = 0.2
_FIRST_BATCH: Final = 64
_LARGEST_BATCH: Final = 1 << 20

Progress = Callable[[int, int], None]
"""Told how many rounds are done, of how many."""


Batches = Generator[Any, None, None]
"""The moment play began, then batch after batch in the order of their rounds."""


def round_seed(seed: int, number: int) -> int:
    """The seed of a simulation's round, counted from 0; the public engine deals the same cards from it."""
    return seed << 64 | number


@dataclass
class Simulation:
    """What came of it. ``first`` holds (winner or None, actions) of the first rounds, one by one.

    ``blocked`` are the rounds in which nobody could go on; ``blocked_won`` those of them that have a winner all the same.
    """

    rules: str
    bots: tuple[str, ...]
    seed: int
    asked: int
    rounds: int = 0
    actions: int = 0
    seconds: float = 0.0
    blocked: int = 0
    blocked_won: int = 0
    unfinished: int = 0
    wins: list[int] = field(default_factory=list)
    lengths: Any = field(default_factory=lambda: np.zeros(1, dtype=np.int64), repr=False)
    first: list[tuple[int | None, int]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.wins = [0] * len(self.bots)

    @property
    def stopped(self) -> bool:
        """Whether it was stopped before all the rounds were played."""
        return self.rounds < self.asked

    @property
    def rounds_per_second(self) -> float:
        return self.rounds / self.seconds if self.seconds else 0.0

    @property
    def actions_per_second(self) -> float:
        return self.actions / self.seconds if self.seconds else 0.0

    @property
    def share_blocked(self) -> float:
        return self.blocked / self.rounds if self.rounds else 0.0

    @property
    def share_blocked_won(self) -> float:
        return self.blocked_won / self.rounds if self.rounds else 0.0

    @property
    def mean(self) -> float:
        """Actions per round."""
        return self.actions / self.rounds if self.rounds else 0.0

    @property
    def longest(self) -> int:
        """The most actions in a round."""
        return len(self.lengths) - 1 if self.rounds else 0

    @property
    def median(self) -> float:
        """As many rounds were shorter as were longer."""
        if not self.rounds:
            return 0.0
        upto = self.lengths.cumsum()
        low = int(np.searchsorted(upto, (self.rounds - 1) // 2 + 1))
        high = int(np.searchsorted(upto, self.rounds // 2 + 1))
        return (low + high) / 2

    def add(self, batch: Batch) -> None:
        """Count a batch that follows the ones counted before."""
        winners, lengths, blocked = batch
        for winner, length in zip(winners[: SHOWN - len(self.first)], lengths, strict=False):
            self.first.append((None if winner < 0 else int(winner), int(length)))
        seats = np.bincount(winners + 1, minlength=len(self.bots) + 1)
        self.blocked += int(blocked.sum())
        self.blocked_won += int((blocked * (winners >= 0)).sum())
        self.unfinished += int(((lengths >= LONGEST) & (blocked == 0)).sum())
        self.wins = [before + int(won) for before, won in zip(self.wins, seats[1:], strict=True)]
        self.rounds += len(winners)
        self.actions += int(lengths.sum())
        counts = np.bincount(lengths, minlength=len(self.lengths))
        counts[: len(self.lengths)] += self.lengths
        self.lengths = counts

    def as_json(self) -> dict[str, Any]:
        """The result as plain data."""
        return {
            "rules": self.rules,
            "players": len(self.bots),
            "bots": list(self.bots),
            "seed": self.seed,
            "rounds": self.rounds,
            "stopped": self.stopped,
            "actions": self.actions,
            "seconds": round(self.seconds, 6),
            "rounds_per_second": round(self.rounds_per_second, 1),
            "actions_per_second": round(self.actions_per_second, 1),
            "wins_by_seat": self.wins,
            "actions_per_round": {"mean": round(self.mean, 3), "median": self.median, "longest": self.longest},
            "share_blocked": self.share_blocked,
            "share_blocked_won": self.share_blocked_won,
            "unfinished": self.unfinished,
            "first": [{"winner": winner, "actions": actions} for winner, actions in self.first],
        }


def seat_bots(bots: Sequence[str], players: int) -> tuple[str, ...]:
    """A bot for each seat: those named, in turn; raises UnknownBotError or ValueError where that cannot be."""
    for bot in bots:
        registry.get(bot)
    if not bots or len(bots) > players:
        raise ValueError(f"{len(bots)} bots do not fit on {players} seats; name between 1 and {players}")
    return tuple(bots[seat % len(bots)] for seat in range(players))


def bench_for(rules: Ruleset, bots: Sequence[str]) -> Any:
    """Whatever can play these bots: the compiled loops, or the engine itself for bots of other packages and for rules
    under which cards are thrown in out of turn, which the compiled loops do not ask about.
    """
    from maumau.lab.machine import BOT_WEIGHTS, Bench

    compiled = all(bot in BOT_WEIGHTS for bot in bots) and not rules["play.throw_in"]
    return Bench(rules, bots) if compiled else HostBench(rules, bots)


def simulate(
    rules: str | Ruleset,
    players: int,
    rounds: int,
    bots: Sequence[str] = ("random",),
    seed: int = 0,
    jobs: int = 1,
    progress: Progress | None = None,
) -> Simulation:
    """Play rounds and count. ``bots`` sit down in turn until every seat has one; ``jobs`` 0 takes every core.

    Ctrl-C stops it with what was played so far. With several jobs, call it from a module that can be imported (below
    ``if __name__ == "__main__"`` in a script). Raises RuleError, UnknownBotError or ValueError for what cannot be.
    """
    parsed, result = prepared(rules, players, rounds, bots, seed)
    jobs = jobs or os.cpu_count() or 1
    batches = _in_processes(result, jobs) if jobs > 1 else _here(parsed, result)
    try:
        started = next(batches)
        for batch in batches:
            result.add(batch)
            result.seconds = time.perf_counter() - started
            if progress:
                progress(result.rounds, rounds)
    except KeyboardInterrupt:
        pass
    finally:
        batches.close()
    return result


def prepared(
    rules: str | Ruleset, players: int, rounds: int, bots: Sequence[str], seed: int
) -> tuple[Ruleset, Simulation]:
    """The rules and an empty result; raises what ``simulate`` raises for what cannot be."""
    parsed = Ruleset.of(rules)
    parsed.at(players)
    if not 0 <= seed < SEEDS:
        raise ValueError(f"seed {seed} is out of range; a seed is a whole number from 0 to 2**64 - 1")
    if rounds < 0:
        raise ValueError(f"{rounds} rounds cannot be played; ask for 0 or more")
    return parsed, Simulation(parsed.code, seat_bots(bots, players), seed, rounds)


def _here(rules: Ruleset, result: Simulation) -> Batches:
    """Batches played in this process."""
    bench = bench_for(rules, result.bots)
    bench.play(result.seed, 0, 0, LONGEST)
    yield time.perf_counter()
    first, size = 0, _FIRST_BATCH
    while first < result.asked:
        began = time.perf_counter()
        size = min(size, result.asked - first)
        yield bench.play(result.seed, first, size, LONGEST)
        first += size
        size = _next_size(size, time.perf_counter() - began)


def _next_size(size: int, seconds: float) -> int:
    """How many rounds the next batch should have, to take about as long as a batch should."""
    fitting = int(size * _BATCH_SECONDS / max(seconds, 1e-6))
    return max(1, min(fitting, size * 8, _LARGEST_BATCH))


_worker: Any = None


def _start_worker(code: str, bots: tuple[str, ...]) -> None:
    global _worker  # each process has one bench for all its batches
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    _worker = bench_for(Ruleset.parse(code), bots)


def _work(seed: int, first: int, rounds: int) -> tuple[float, Any]:
    began = time.perf_counter()
    batch = _worker.play(seed, first, rounds, LONGEST)
    return time.perf_counter() - began, batch


@contextmanager
def _deaf_to_ctrl_c() -> Iterator[None]:
    """Processes started in here ignore Ctrl-C from their first instruction on: whoever started them stops them."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def _in_processes(result: Simulation, jobs: int) -> Batches:
    """The same in several processes; they end with the batches, in the middle of their work if need be."""
    others = multiprocessing.active_children()
    pool = ProcessPoolExecutor(
        jobs,
        mp_context=multiprocessing.get_context("spawn"),
        initializer=_start_worker,
        initargs=(result.rules, result.bots),
    )
    running: deque[tuple[int, Future[tuple[float, Any]]]] = deque()
    try:
        with _deaf_to_ctrl_c():
            warming = [pool.submit(_work, result.seed, 0, 0) for _ in range(jobs)]
        for job in warming:
            job.result()
        yield time.perf_counter()
        first, size = 0, _FIRST_BATCH
        while first < result.asked or running:
            while first < result.asked and len(running) < 2 * jobs:
                size = min(size, result.asked - first)
                running.append((size, pool.submit(_work, result.seed, first, size)))
                first += size
            played, job = running.popleft()
            seconds, batch = job.result()
            yield batch
            size = _next_size(max(size, played), seconds * max(size, played) / played)
    finally:
        for worker in multiprocessing.active_children():
            if worker not in others:
                worker.terminate()
        pool.shutdown(wait=True, cancel_futures=True)
