"""What the tests of kernel, bots and laboratory share: random rules, and both ways of running the same loops."""

from __future__ import annotations

import random

import numpy as np

from maumau import RuleError, Ruleset
from maumau.bots.sight import SIGHT_FIELDS, Sight
from maumau.kernel.jit import to_record
from maumau.kernel.layout import STATE_FIELDS, TABLE_FIELDS, State, record_type
from maumau.kernel.plain import is_plain
from maumau.lab import trace
from maumau.lab.machine import BOT_WEIGHTS, loops
from maumau.lab.seats import RANDOM, THUMB
from maumau.ruleset.data import BOOKS, house_rules
from maumau.ruleset.keys import Key, all_keys, format_value
from maumau.ruleset.tables import pack_tables

LONGEST = 400
_KEYS = tuple(all_keys())
_HOUSE_RULES = tuple(house_rules())


def random_value(dice: random.Random, key: Key) -> str:
    """A value that a key may hold, as it stands in a code."""
    if key.kind == "bool":
        return dice.choice(("yes", "no"))
    if key.kind == "word":
        return dice.choice(key.words)
    if key.kind == "ranks":
        return dice.choice(("none", "J", "A8", "78J"))
    if key.kind == "skip" and dice.random() < 0.2:
        return "all"
    return format_value(dice.randint(key.least, min(key.most, 12)))


def random_code(dice: random.Random) -> str:
    """A code of a book with house rules and single values, many of which cannot be played."""
    parts = [dice.choice(BOOKS)]
    parts += [rule.replace("N", str(dice.randint(2, 5))) for rule in dice.sample(_HOUSE_RULES, dice.randint(0, 2))]
    parts += [f"{name}={random_value(dice, key)}" for name, key in dice.sample(_KEYS, dice.randint(0, 12))]
    return "+".join(parts)


def random_rules(dice: random.Random) -> tuple[Ruleset, int]:
    """Rules that can be played, and a number of seats to play them with."""
    while True:
        try:
            rules = Ruleset.parse(random_code(dice))
            seats = dice.randint(rules.least_seats, rules.most_seats)
            return rules.at(seats), seats
        except RuleError:
            continue


def traced_interpreted(rules: Ruleset, bots: list[str], seed: int, rounds: int) -> tuple[list[int], list[int]]:
    """The fingerprints and lengths of rounds, the kernel run as Python."""
    prints, lengths = [0] * rounds, [0] * rounds
    trace.trace_rounds(
        [State(), State()],
        [pack_tables(rules)],
        [Sight()],
        [RANDOM if bot == "random" else THUMB for bot in bots],
        [BOT_WEIGHTS[bot] for bot in bots],
        len(bots), seed, 0, LONGEST, prints, lengths,
    )  # fmt: skip
    return prints, lengths


def traced_compiled(
    rules: Ruleset, bots: list[str], seed: int, rounds: int, plain: bool = False
) -> tuple[list[int], list[int]]:
    """The same from the compiled kernel, the full build or the plain one."""
    prints, lengths = np.zeros(rounds, dtype=np.int64), np.zeros(rounds, dtype=np.int64)
    loops(plain).trace_rounds(
        np.zeros(2, dtype=record_type(STATE_FIELDS)),
        to_record(pack_tables(rules), TABLE_FIELDS),
        to_record(Sight(), SIGHT_FIELDS),
        np.array([RANDOM if bot == "random" else THUMB for bot in bots]),
        np.array([BOT_WEIGHTS[bot] for bot in bots]),
        len(bots), seed, 0, LONGEST, prints, lengths,
    )  # fmt: skip
    return prints.tolist(), lengths.tolist()


def compare(cases: int, rounds: int, seed: int) -> int:
    """Run random rulesets both ways, compiled on the full build and on the one that is chosen for them.

    Returns how many actions were compared; raises AssertionError where they differ.
    """
    dice = random.Random(seed)
    actions = 0
    for case in range(cases):
        rules, seats = random_rules(dice)
        bots = [dice.choice(("random", "random", "easy", "normal")) for _ in range(seats)]
        one = traced_interpreted(rules, bots, case, rounds)
        other = traced_compiled(rules, bots, case, rounds)
        assert one == other, f"{rules.code} at {seats} with {bots}, seed {case}: {one} interpreted, {other} compiled"
        if is_plain(pack_tables(rules)):
            other = traced_compiled(rules, bots, case, rounds, plain=True)
            assert one == other, f"{rules.code} at {seats} with {bots}, seed {case}: the plain build differs"
        actions += sum(one[1])
    return actions
