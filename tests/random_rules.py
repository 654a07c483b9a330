"""Random rulesets over every key and power, for tests that must hold under any rules."""

from __future__ import annotations

import random

from maumau.ruleset import ALL_BOOKS, RuleError, Ruleset
from maumau.ruleset.keys import PLAIN_KEYS, POWERS, Key

TABLE_KEYS = ("players.min", "players.max", "deal.two")
THINGS = (*"6789TJQKA", "joker", "Kh", "Ks")


def random_value(chance: random.Random, key: Key) -> str:
    """One allowed value of a key as text; numbers stay small, so that rounds stay playable."""
    if key.kind == "bool":
        return chance.choice(("yes", "no"))
    if key.kind == "ranks":
        return str(chance.choice((*key.words, "J", "A8")))
    numbers = [str(number) for number in range(key.least, min(key.most, key.least + 4) + 1)]
    choices = [*(numbers if key.kind in ("int", "either") else ()), *(str(word) for word in key.words)]
    return str(chance.choice(choices))


def random_rules(chance: random.Random) -> Ruleset:
    """A ruleset at a number of seats that it allows."""
    while True:
        values: dict[str, str] = {}
        for _ in range(chance.randint(0, 12)):
            name = chance.choice([name for name in PLAIN_KEYS if name not in TABLE_KEYS])
            values[name] = random_value(chance, PLAIN_KEYS[name])
        for _ in range(chance.randint(0, 5)):
            power = chance.choice(list(POWERS))
            values[f"power.{chance.choice(THINGS)}.{power}"] = random_value(chance, POWERS[power])
        code = gathered(chance.choice(ALL_BOOKS), [f"{name}={value}" for name, value in values.items()])
        rules = Ruleset.parse(code)
        try:
            return rules.at(chance.randint(rules.least_seats, min(6, rules.most_seats)))
        except RuleError:
            continue


def gathered(code: str, parts: list[str]) -> str:
    """The code with those of the parts added that stand together and say something there; each is tried twice."""
    left: list[str] = []
    for part in parts:
        try:
            code = Ruleset.parse(f"{code}+{part}").code
        except RuleError:
            left.append(part)
    for part in left:
        try:
            code = Ruleset.parse(f"{code}+{part}").code
        except RuleError:
            continue
    return code
