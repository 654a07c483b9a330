"""The kernel is written once and runs two ways: both must be the same game, and the public engine the same again."""

from __future__ import annotations

import inspect
import os
import random
import subprocess
import sys
from collections import Counter
from collections.abc import Callable
from itertools import pairwise, permutations
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.lab_kit import compare, random_rules

from maumau import Action, Round, Ruleset
from maumau.game.action import ACTIONS
from maumau.kernel import jit
from maumau.kernel.chance import seed_chance, shuffle_stock
from maumau.kernel.jit import to_record
from maumau.kernel.layout import STATE_FIELDS, TABLE_FIELDS, State, record_type
from maumau.kernel.supply import reshuffle
from maumau.lab import trace
from maumau.lab.machine import MODULES, loops
from maumau.lab.simulate import round_seed
from maumau.ruleset.data import BOOKS
from maumau.ruleset.tables import pack_tables

PERFT_DEPTH = 6
PERFT = {
    ("family", 2): 649,
    ("family", 4): 1655,
    ("classic", 4): 5828,
    ("international", 3): 517,
    ("study", 4): 564,
    ("family+ace-others-draw+nine-reverse", 3): 1333,
    ("classic+spoken-calls+power.joker.draw=5+pack.jokers=2+pack.packs=2+players-2", 2): 648,
}


def test_interpreted_is_compiled_state_for_state() -> None:
    assert compare(cases=80, rounds=2, seed=1) > 10_000


@pytest.mark.prove
def test_interpreted_is_compiled_over_many_rulesets() -> None:
    assert compare(cases=20_000, rounds=3, seed=2) > 1_000_000


def test_compiled_kernel_stays_within_its_arrays(tmp_path: Path) -> None:
    """Nothing checks bounds by itself: once more with the check compiled in."""
    work = "from tests.lab_kit import compare; print(compare(cases=20, rounds=2, seed=3))"
    root = Path(__file__).parent.parent
    environment = os.environ | {jit.CHECK: "1", "MAUMAU_CACHE": str(tmp_path)}
    done = subprocess.run(
        [sys.executable, "-c", work], cwd=root, env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr[-2000:]
    assert int(done.stdout) > 1000


def test_modules_put_together_use_each_name_once() -> None:
    """A function or number of one module must not take the place of another's."""
    import ast

    seen: Counter[str] = Counter()
    for package, name in [*(("maumau.kernel", module) for module in jit.MODULES), *MODULES]:
        tree = ast.parse(jit._text(package, name))
        seen.update(node.name for node in tree.body if isinstance(node, ast.FunctionDef))
        names = (
            node.target.id
            for node in tree.body
            if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name)
        )
        seen.update(names)
    assert [name for name, times in seen.items() if times > 1 and name != "IN_LINE"] == []


@pytest.mark.parametrize("function", [trace.state_print, trace.copy_into])
def test_fingerprints_and_copies_hold_every_field(function: Callable[..., Any]) -> None:
    source = inspect.getsource(function)
    assert [name for name in STATE_FIELDS if f"s.{name}" not in source and f"source.{name}" not in source] == []


def perft_pushed(round_: Round, depth: int) -> int:
    if depth == 0:
        return 1
    total = 0
    for action in round_.legal_actions:
        round_.push(action)
        total += perft_pushed(round_, depth - 1)
        round_.pop()
    return total


def perft_compiled(rules: Ruleset, seats: int, seed: int, depth: int) -> int:
    levels = depth + 2
    counted: int = loops().perft(
        np.zeros(levels, dtype=record_type(STATE_FIELDS)),
        to_record(pack_tables(rules.at(seats)), TABLE_FIELDS),
        np.zeros((levels, ACTIONS), dtype=np.int64),
        np.zeros(levels, dtype=np.int64),
        np.zeros(levels, dtype=np.int64),
        seats,
        seed,
        depth,
    )
    return counted


@pytest.mark.parametrize(("code", "seats"), PERFT)
def test_perft_counts(code: str, seats: int) -> None:
    """How many ways the first actions of a round can go, counted by the engine, by the compiled kernel, and before."""
    pushed = perft_pushed(Round(code, seats, round_seed(7, 0)), PERFT_DEPTH)
    assert pushed == perft_compiled(Ruleset.parse(code), seats, 7, PERFT_DEPTH) == PERFT[code, seats]


def test_perft_counts_of_random_rules() -> None:
    dice = random.Random(5)
    for seed in range(15):
        rules, seats = random_rules(dice)
        assert perft_pushed(Round(rules, seats, round_seed(seed, 0)), 3) == perft_compiled(rules, seats, seed, 3), rules


def test_t01_every_order_of_the_shuffle_is_as_likely() -> None:
    """T-01: 24 orders of four cards over 240,000 shuffles; the bound is the 0.1 % point at 23 degrees of freedom."""
    s = State()
    seed_chance(s, 1, 2, 3, 4)
    counts: Counter[tuple[int, ...]] = Counter()
    for _ in range(24_000):
        for _ in range(10):
            s.stock[:4] = [0, 1, 2, 3]
            s.stock_n = 4
            shuffle_stock(s)
            counts[tuple(s.stock[:4])] += 1
    assert sum((counts[order] - 10_000) ** 2 / 10_000 for order in permutations(range(4))) < 49.7


@pytest.mark.parametrize("again", [False, True], ids=["deal", "reshuffle"])
def test_t01_every_card_is_as_likely_in_every_place(again: bool) -> None:
    """T-01: the 32 × 32 matrix of places, 31² degrees of freedom, for the deal's shuffle and the reshuffle."""
    rounds, n = 4000, 32
    s = State()
    seed_chance(s, 5, 6, 7, 8 + again)
    matrix = np.zeros((n, n))
    for _ in range(rounds):
        if again:
            s.discard[: n + 1] = range(n + 1)
            s.discard_n, s.stock_n = n + 1, 0
            reshuffle(s)
            s.notes.clear()
            s.orders.clear()
        else:
            s.stock[:n] = range(n)
            s.stock_n = n
            shuffle_stock(s)
        matrix[range(n), s.stock[:n]] += 1
    expected = rounds / n
    degrees = (n - 1) ** 2
    chi = float(((matrix - expected) ** 2 / expected).sum())
    assert chi < degrees + 3.1 * (2 * degrees) ** 0.5


def test_rounds_that_follow_each_other_are_not_alike() -> None:
    """The seeds of a simulation differ in their last bits only; their deals must not."""
    starters = [Round("family", 4, round_seed(0, number)).position()["hands"] for number in range(200)]
    assert all(one != other for one, other in pairwise(starters))
    same = sum(card in other[0] for one, other in pairwise(starters) for card in one[0])
    assert abs(same / 199 - 5 * 5 / 32) < 0.35


def test_actions_the_kernel_lists_are_those_the_engine_lists() -> None:
    from maumau.lab.trace import list_actions

    dice = random.Random(11)
    ids = [0] * ACTIONS
    for seed in range(40):
        rules, seats = random_rules(dice)
        round_ = Round(rules, seats, seed)
        for _ in range(60):
            if round_.over:
                break
            n = list_actions(round_._state, round_._tables, ids)
            assert tuple(Action.from_id(number) for number in ids[:n]) == tuple(round_.legal_actions)
            round_.push(dice.choice(round_.legal_actions))


def test_every_book_is_counted() -> None:
    assert {code for code, _ in PERFT} >= set(BOOKS)
