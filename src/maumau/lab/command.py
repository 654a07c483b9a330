"""What ``maumau simulate`` does: a progress bar while it plays, then a table and charts, or JSON."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from json import dumps
from typing import Final, TextIO

import numpy as np

from maumau.lab.simulate import Simulation, prepared
from maumau.lab.simulate import simulate as play_rounds

_BAR: Final = 40
_BINS: Final = 12
_EIGHTHS: Final = " ▏▎▍▌▋▊▉█"


def simulate(
    rules: str = "family",
    players: int = 4,
    rounds: int = 10_000,
    bots: str = "normal",
    seed: int = 0,
    jobs: int = 1,
    json: bool = False,
    out: TextIO | None = None,
) -> int:
    """Simulate and print; returns the exit code. Bad names, rules and numbers raise ValueError with one sentence."""
    names = [name.strip() for name in bots.split(",") if name.strip()]
    result = _with_progress(rules, players, rounds, names, seed, jobs)
    out = out or sys.stdout
    print(dumps(result.as_json()) if json else report(result), file=out)
    return 0


def _with_progress(rules: str, players: int, rounds: int, bots: Sequence[str], seed: int, jobs: int) -> Simulation:
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    prepared(rules, players, rounds, bots, seed)  # what cannot be is said before a bar is drawn
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("getting ready", total=rounds)

        def show(done: int, of: int) -> None:
            bar.update(task, description="rounds", completed=done, total=of)

        return play_rounds(rules, players, rounds, bots, seed, jobs, show)


def report(result: Simulation) -> str:
    """The result for people."""
    lines = [f"{result.rules}, {len(result.bots)} players, seed {result.seed}"]
    lines.append(
        f"{result.rounds:,} rounds, {result.actions:,} actions in {result.seconds:.2f} s: "
        f"{result.rounds_per_second:,.0f} rounds/s, {result.actions_per_second:,.0f} actions/s"
    )
    if result.stopped:
        lines.append(f"Stopped before the {result.asked:,} rounds asked for; these are the first {result.rounds:,}.")
    lines += ["", "Rounds won", *_wins(result)]
    lines += ["", f"Actions per round: mean {result.mean:.1f}, median {result.median:g}, longest {result.longest:,}"]
    lines += _lengths(result)
    return "\n".join(lines)


def bar(share: float) -> str:
    """A bar for a share of 1, an eighth of a character exact."""
    whole, eighths = divmod(round(max(0.0, min(1.0, share)) * _BAR * 8), 8)
    return ("█" * whole + _EIGHTHS[eighths]).rstrip()


def _wins(result: Simulation) -> list[str]:
    width = max(len(bot) for bot in result.bots)
    rows = [
        (f"seat {seat} {bot:<{width}}", won)
        for seat, (bot, won) in enumerate(zip(result.bots, result.wins, strict=True))
    ]
    rows.append(("blocked".ljust(width + 7), result.blocked))
    if result.unfinished:
        rows.append(("given up".ljust(width + 7), result.unfinished))
    of = max(result.rounds, 1)
    return [f"  {name} {100 * count / of:6.2f} %  {bar(count / of)}" for name, count in rows]


def _lengths(result: Simulation) -> list[str]:
    """A chart of how many rounds had how many actions; the last row holds the longest hundredth."""
    if not result.rounds:
        return []
    upto = result.lengths.cumsum()
    most = int(np.searchsorted(upto, 0.99 * result.rounds)) + 1
    step = -(-most // _BINS)
    rows: list[tuple[str, int]] = []
    for low in range(0, most, step):
        rows.append((f"{low}-{low + step - 1}", int(result.lengths[low : low + step].sum())))
    rows.append((f"{low + step} and more", int(result.lengths[low + step :].sum())))
    width = max(len(name) for name, _ in rows)
    most_often = max(count for _, count in rows)
    return [f"  {name:>{width}} {100 * n / result.rounds:6.2f} %  {bar(n / most_often)}" for name, n in rows]
