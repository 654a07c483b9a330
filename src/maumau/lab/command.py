"""What ``maumau simulate`` does: a progress bar while it plays, then a table and charts, or JSON."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from json import dumps
from typing import Final, TextIO

import numpy as np

from maumau import bots as registry
from maumau.lab.simulate import SEEDS, Simulation, prepared
from maumau.lab.simulate import simulate as play_rounds
from maumau.lab.texts import TEXTS
from maumau.ruleset import Ruleset
from maumau.ruleset.words import join

_BAR: Final = 40
_BINS: Final = 12
_EIGHTHS: Final = " ▏▎▍▌▋▊▉█"
_GERMAN_POINTS: Final = str.maketrans(",.", ".,")


def simulate(
    rules: str = "family",
    players: int = 4,
    rounds: int = 10_000,
    bots: str = "normal",
    seed: int = 0,
    jobs: int = 1,
    json: bool = False,
    out: TextIO | None = None,
    lang: str = "en",
) -> int:
    """Simulate and print; returns the exit code. Bad names, rules and numbers raise ValueError with one sentence in the
    language.
    """
    names = [name.strip() for name in bots.split(",") if name.strip()]
    result = _with_progress(rules, players, rounds, names, seed, jobs, lang)
    out = out or sys.stdout
    print(dumps(result.as_json()) if json else report(result, lang), file=out)
    return 0


def _refuse(bots: Sequence[str], players: int, seed: int, lang: str) -> None:
    """Raise ValueError for bots that there are not or too many of, and for a seed out of range."""
    for bot in bots:
        if bot not in registry.names():
            known = join(lang, registry.names())
            raise ValueError(TEXTS.say(lang, "error.unknown-bot", bot=bot, bots=known))
    if not 1 <= len(bots) <= players:
        raise ValueError(TEXTS.say(lang, "error.bots-on-seats", bots=str(len(bots)), players=str(players)))
    if not 0 <= seed < SEEDS:
        raise ValueError(TEXTS.say(lang, "error.bad-seed", seed=str(seed)))


def _with_progress(
    rules: str, players: int, rounds: int, bots: Sequence[str], seed: int, jobs: int, lang: str
) -> Simulation:
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    Ruleset.of(rules).at(players)
    _refuse(bots, players, seed, lang)
    prepared(rules, players, rounds, bots, seed)  # what cannot be is said before a bar is drawn
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(TEXTS.say(lang, "bar.ready"), total=rounds)

        def show(done: int, of: int) -> None:
            bar.update(task, description=TEXTS.say(lang, "bar.rounds"), completed=done, total=of)

        return play_rounds(rules, players, rounds, bots, seed, jobs, show)


def report(result: Simulation, lang: str = "en") -> str:
    """The result for people."""
    whole = {name: _number(lang, getattr(result, name)) for name in ("rounds", "actions", "asked", "longest")}
    speeds = {name: _number(lang, getattr(result, name)) for name in ("rounds_per_second", "actions_per_second")}
    seats = str(len(result.bots))
    seconds = _number(lang, result.seconds, 2)
    lines = [
        TEXTS.say(lang, "report.title", rules=result.rules, players=seats, seed=str(result.seed)),
        TEXTS.say(lang, "report.speed", seconds=seconds, **whole, **speeds),
    ]
    if result.stopped:
        lines.append(TEXTS.say(lang, "report.stopped", **whole))
    lines += ["", TEXTS.say(lang, "report.won"), *_wins(result, lang)]
    if result.blocked_won:
        share = _number(lang, 100 * result.share_blocked_won, 2)
        lines.append(TEXTS.say(lang, "report.blocked_won", share=share))
    median = _number(lang, result.median, 0 if result.median == int(result.median) else 1)
    lines += ["", TEXTS.say(lang, "report.lengths", mean=_number(lang, result.mean, 1), median=median, **whole)]
    lines += _lengths(result, lang)
    return "\n".join(lines)


def _number(lang: str, value: float, places: int = 0) -> str:
    """A number as the language writes it: 1,234.5 or 1.234,5."""
    text = f"{value:,.{places}f}"
    return text.translate(_GERMAN_POINTS) if lang == "de" else text


def bar(share: float) -> str:
    """A bar for a share of 1, an eighth of a character exact."""
    whole, eighths = divmod(round(max(0.0, min(1.0, share)) * _BAR * 8), 8)
    return ("█" * whole + _EIGHTHS[eighths]).rstrip()


def _wins(result: Simulation, lang: str) -> list[str]:
    width = max(len(bot) for bot in result.bots)
    rows = [
        (f"{TEXTS.say(lang, 'report.seat', seat=str(seat))} {bot:<{width}}", won)
        for seat, (bot, won) in enumerate(zip(result.bots, result.wins, strict=True))
    ]
    wide = len(rows[0][0])
    rows.append((TEXTS.say(lang, "report.blocked").ljust(wide), result.blocked - result.blocked_won))
    if result.unfinished:
        rows.append((TEXTS.say(lang, "report.unfinished").ljust(wide), result.unfinished))
    of = max(result.rounds, 1)
    return [f"  {name} {_number(lang, 100 * count / of, 2):>6} %  {bar(count / of)}" for name, count in rows]


def _lengths(result: Simulation, lang: str) -> list[str]:
    """A chart of how many rounds had how many actions; the last row holds the longest hundredth."""
    if not result.rounds:
        return []
    upto = result.lengths.cumsum()
    most = int(np.searchsorted(upto, 0.99 * result.rounds)) + 1
    step = -(-most // _BINS)
    rows: list[tuple[str, int]] = []
    for low in range(0, most, step):
        rows.append((f"{low}-{low + step - 1}", int(result.lengths[low : low + step].sum())))
    rows.append((TEXTS.say(lang, "report.longer", low=str(low + step)), int(result.lengths[low + step :].sum())))
    width = max(len(name) for name, _ in rows)
    most_often = max(count for _, count in rows)
    return [
        f"  {name:>{width}} {_number(lang, 100 * n / result.rounds, 2):>6} %  {bar(n / most_often)}" for name, n in rows
    ]
