"""The compiled kernel beside the one of another commit: the same rounds, turn about, in one run.

The other commit is put into a folder of its own with its own environment, as its lock says; each plays in a process of its
own, and what is told is processor time, the best of several turns.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from benchmarks.speed import BOOKS_IN_C

Row = dict[str, Any]
ROOT = Path(__file__).resolve().parent.parent
TURNS = 15
SERVE = """
import sys, time
from maumau import Ruleset
from maumau.lab.machine import Bench
for line in sys.stdin:
    book, seats, bot, rounds = line.split()
    bench = Bench(Ruleset.parse(book), [bot] * int(seats))
    bench.play(1, 0, 10, 1_000_000)
    began = time.process_time()
    played = bench.play(1, 0, int(rounds), 1_000_000)
    print(int(played[1].sum()), time.process_time() - began, flush=True)
"""


class Player:
    """A process that plays rounds with one of the kernels."""

    def __init__(self, python: Path, source: Path, cache: str) -> None:
        environment = os.environ | {"PYTHONPATH": str(source), "MAUMAU_CACHE": cache}
        self._process = subprocess.Popen(
            [python, "-c", SERVE], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=environment
        )

    def play(self, book: str, seats: int, bot: str, rounds: int) -> tuple[int, float]:
        """How many actions the rounds had and how many of them a second of processor time saw."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        print(book, seats, bot, rounds, file=self._process.stdin, flush=True)
        actions, seconds = self._process.stdout.readline().split()
        return int(actions), int(actions) / float(seconds)

    def stop(self) -> None:
        self._process.communicate()


@contextmanager
def players(commit: str) -> Iterator[tuple[Player, Player]]:
    """A process for this tree, and one for the commit."""
    with tempfile.TemporaryDirectory() as folder:
        other = Path(folder) / "other"
        other.mkdir()
        packed = subprocess.run(["git", "archive", commit], cwd=ROOT, check=True, capture_output=True).stdout
        subprocess.run(["tar", "-x"], cwd=other, input=packed, check=True)
        subprocess.run([sys.executable, "scripts/setup.py", "play"], cwd=other, check=True, stdout=sys.stderr)
        ours = Player(Path(sys.executable), ROOT / "src", folder)
        theirs = Player(other / ".venv" / "bin" / "python", other / "src", folder)
        yield ours, theirs
        ours.stop()
        theirs.stop()


def against_rows(commit: str, effort: float) -> list[Row]:
    """The four books at four seats with random players and with ``normal``, and ``family`` at two."""
    rows: list[Row] = []
    with players(commit) as (ours, theirs):
        for bot, rounds in (("random", 20_000), ("normal", 5_000)):
            for book, seats in [(book, 4) for book in BOOKS_IN_C] + [("family", 2)]:
                rows.append(_row(ours, theirs, (book, seats, bot, max(200, int(rounds * effort)))))
    return rows


def _row(ours: Player, theirs: Player, game: tuple[str, int, str, int]) -> Row:
    best = [0.0, 0.0]
    actions = [0, 0]
    for _ in range(TURNS):
        for i, player in enumerate((ours, theirs)):
            actions[i], rate = player.play(*game)
            best[i] = max(best[i], rate)
    return {
        "rules": game[0],
        "seats": game[1],
        "bots": game[2],
        "this tree": best[0] / 1e6,
        "the commit": best[1] / 1e6,
        "ratio": best[0] / best[1],
        "same rounds": actions[0] == actions[1],
    }
