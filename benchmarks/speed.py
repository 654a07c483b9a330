"""How fast the kernel is both ways, beside the same game written out in C, and what starting costs."""

from __future__ import annotations

import json
import os
import random
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from maumau import Round, Ruleset
from maumau.bots import get
from maumau.kernel.layout import State
from maumau.lab.host import play_round
from maumau.lab.machine import Bench
from maumau.lab.playouts import random_round
from maumau.lab.seats import start_round
from maumau.ruleset.tables import pack_tables

Row = dict[str, Any]
BOOKS_IN_C = ("family", "classic", "international", "study")
SOURCE = Path(__file__).with_name("limit.c")
TURNS = 5
SEED = 1
LONGEST = 1_000_000


def random_rows(effort: float) -> list[Row]:
    """Each book at four seats, and ``family`` at two."""
    games = [(book, 4) for book in BOOKS_IN_C] + [("family", 2)]
    with tempfile.TemporaryDirectory() as folder:
        return [_beside_c(book, seats, effort, Path(folder)) for book, seats in games]


def _beside_c(book: str, seats: int, effort: float, folder: Path) -> Row:
    program = _compile_c(book, folder)
    bench, full = (Bench(Ruleset.parse(book), ["random"] * seats, plain=plain) for plain in (True, False))
    rounds = max(1000, int(40_000 * effort))
    bench.play(SEED, 0, 10, LONGEST)
    full.play(SEED, 0, 10, LONGEST)
    ours = fully = theirs = 0.0
    same: bool | None = None
    for _ in range(TURNS):
        began = time.process_time()
        played = bench.play(SEED, 0, rounds, LONGEST)
        actions = int(played.lengths.sum())
        ours = max(ours, actions / (time.process_time() - began))
        began = time.process_time()
        fully = max(fully, int(full.play(SEED, 0, rounds, LONGEST).lengths.sum()) / (time.process_time() - began))
        if program is None:
            continue
        done = subprocess.run([program, str(seats), str(SEED), str(rounds)], capture_output=True, check=True)
        answer = json.loads(done.stdout)
        theirs = max(theirs, answer["actions"] / answer["seconds"])
        same = (answer["actions"], answer["won"]) == (actions, int((played.winners == 0).sum()))
    return {
        "rules": book,
        "seats": seats,
        "compiled": ours / 1e6,
        "full build": fully / 1e6,
        "in C": theirs / 1e6 if program else None,
        "ratio": ours / theirs if program else None,
        "same rounds": same,
        "actions a round": actions / rounds,
    }


def _compile_c(book: str, folder: Path) -> Path | None:
    """The C program for a rule book, None where there is no gcc."""
    gcc = shutil.which("gcc")
    if gcc is None:
        return None
    program = folder / book
    flags = ["-O3", "-march=native", f"-DBOOK={BOOKS_IN_C.index(book)}"]
    subprocess.run([gcc, *flags, str(SOURCE), "-o", str(program)], check=True)
    return program


def best(work: Callable[[], int]) -> float:
    """The most a second of several turns; ``work`` returns how much it did."""
    rates = []
    for _ in range(TURNS):
        began = time.process_time()
        done = work()
        rates.append(done / (time.process_time() - began))
    return max(rates)


def engine_rows(effort: float) -> list[Row]:
    """The interpreted kernel, checked pushes, and a bot's decisions, under ``family`` with four seats."""
    rounds = max(4, int(40 * effort))
    return [
        {"what": "interpreted kernel, random rounds: actions", "a second": best(lambda: _interpreted(rounds)) / 1e3},
        {"what": "Round.push, checked, with its events: actions", "a second": _pushes(rounds) / 1e3},
        {"what": "Round.push, then pop: pairs", "a second": best(lambda: _push_and_pop(rounds)) / 1e3},
        {"what": "observation and choice of normal: decisions", "a second": best(lambda: _choices(rounds)) / 1e3},
        {"what": "whole rounds of normal through Round: actions", "a second": best(lambda: _bot_rounds(rounds)) / 1e3},
    ]


def _interpreted(rounds: int) -> int:
    s, r, t = State(), State(), pack_tables(Ruleset.parse("family").at(4))
    actions = 0
    for number in range(rounds):
        start_round(s, t, r, 4, SEED, 0, number)
        actions += random_round(s, t, r, LONGEST)
        s.notes.clear()
        s.orders.clear()
    return actions


def _pushes(rounds: int) -> float:
    """Rounds played beforehand are pushed again, so that only pushing is measured."""
    played = []
    dice = random.Random(SEED)
    for seed in range(rounds):
        round_ = Round("family", 4, seed)
        while not round_.over:
            round_.push(dice.choice(round_.legal_actions))
        played.append(round_.actions)

    def push_all() -> float:
        spent, actions = 0.0, 0
        for seed, taken in enumerate(played):
            round_ = Round("family", 4, seed)
            began = time.process_time()
            for action in taken:
                round_.push(action)
            spent += time.process_time() - began
            actions += len(taken)
        return actions / spent

    return max(push_all() for _ in range(TURNS))


def _push_and_pop(rounds: int) -> int:
    round_ = Round("family", 4, SEED)
    actions = tuple(round_.legal_actions)
    for _ in range(rounds * 20):
        for action in actions:
            round_.push(action)
            round_.pop()
    return rounds * 20 * len(actions)


def _choices(rounds: int) -> int:
    round_, bot = Round("family", 4, SEED), get("normal")
    for _ in range(rounds * 50):
        bot.choose(round_.observation(round_.turn))
    return rounds * 50


def _bot_rounds(rounds: int) -> int:
    return sum(
        play_round(Round("family", 4, seed), [get("normal", seat) for seat in range(4)]) for seed in range(rounds)
    )


def start_rows(effort: float) -> list[Row]:
    """Wall-clock seconds of fresh interpreters, without what starting Python itself costs."""
    with tempfile.TemporaryDirectory() as folder:
        python = _wall("pass", folder)
        lab = "from maumau.lab import simulate; simulate('family', 4, 1, ['{}'])"
        return [
            {"what": "import maumau", "seconds": _wall("import maumau", folder) - python},
            {
                "what": "first simulation with random, compiling",
                "seconds": _wall(lab.format("random"), folder, 1) - python,
            },
            {"what": "the same from the cache", "seconds": _wall(lab.format("random"), folder) - python},
            {
                "what": "first simulation with normal, compiling",
                "seconds": _wall(lab.format("normal"), folder, 1) - python,
            },
            {"what": "the same from the cache", "seconds": _wall(lab.format("normal"), folder) - python},
        ]


def _wall(code: str, cache: str, turns: int = 3) -> float:
    seconds = []
    for _ in range(turns):
        began = time.perf_counter()
        subprocess.run([sys.executable, "-c", code], check=True, env=os.environ | {"MAUMAU_CACHE": cache})
        seconds.append(time.perf_counter() - began)
    return min(seconds)
