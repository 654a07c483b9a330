"""Readings (†) under any rules: each one shown is true of the table it stands on, and each switch does something there."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator
from typing import Final

import pytest
from tests.random_rules import random_rules

from maumau.cards import Card
from maumau.game import Round
from maumau.kernel.layout import TABLE_FIELDS
from maumau.ruleset import ALL_BOOKS, HOUSE_RULES, RuleError, Ruleset
from maumau.ruleset.data import house_rules
from maumau.ruleset.keys import POWERS, powers_of
from maumau.ruleset.tables import pack_tables
from maumau.ruleset.words import Reading, readings, rules_text, sheet

RANKS: Final = {
    "two": "2", "seven": "7", "eight": "8", "nine": "9", "Jack": "J", "Queen": "Q", "King": "K", "Ace": "A",
}  # fmt: skip
NAMED: Final = re.compile(
    r"\b(?:[Aa]n?|[Tt]he|No|further) (two|seven|eight|nine|Jack|Queen|King|Ace)\b(?! (?:cards|players|lowest))"
)
MATCH: Final = ("deal.", "match.", "score.", "points.", "closing.", "call.word")
"""What of the rules is not in the kernel's tables of a round, or only as far as the round goes."""


def shown(rules: Ruleset) -> Iterator[Reading]:
    """The readings on the sheet of these rules."""
    yield from (reading for line in sheet("en", rules).lines for reading in line.readings)


def having(rules: Ruleset, rank: str, power: str) -> set[object]:
    """What the cards of a rank have of a power."""
    return {powers_of(rules.values, Card.parse(rank + suit)).get(power, POWERS[power].default) for suit in "cdhs"}


def legal(rules: Ruleset, seats: int, lying: str, *hand: str, **more: object) -> set[str]:
    """What the engine lets the seat on turn do over a card that lies as the starter or on top."""
    kind, card = lying.split()
    position: dict[str, object] = {kind: card, "hands": [[*hand, "Ks", "Qc"], *[2] * (seats - 1)], **more}
    position |= {"dealer": seats - 1} if kind == "starter" else {"turn": 0}
    round_ = Round.from_position(rules.code, position)
    if round_.turn is not None and round_.turn != 0:  # the starter skips: the same hand, where the turn has gone
        hands: list[object] = [2] * seats
        hands[round_.turn] = [*hand, "Ks", "Qc"]
        round_ = Round.from_position(rules.code, position | {"hands": hands})
    return set(round_.legal_texts)


def starter_acts(rules: Ruleset, seats: int, card: str) -> bool:
    position = {"starter": card, "hands": [["Kc", "Qc"], *[2] * (seats - 1)]}
    told = Round.from_position(rules.code, position)
    return bool(told.penalty) or told.turn != 0


def on_top(rules: Ruleset, seats: int, top: str, card: str, **more: object) -> bool:
    return any(action[:2] == card for action in legal(rules, seats, f"top {top}", card, **more))


def doubled(rules: Ruleset, seats: int) -> int:
    """What is pending once a seven is answered by a seven."""
    round_ = Round.from_position(
        rules.code, {"top": "7h", "penalty": 2, "turn": 0, "hands": [["7s", "Kc", "Qc"], *[2] * (seats - 1)]}
    )
    round_.push(next(text for text in round_.legal_texts if text.startswith("7s")))
    return round_.penalty


ASKED: Final[dict[str, Callable[[Ruleset, int], bool]]] = {
    "starter-seven-idle": lambda rules, n: not starter_acts(rules, n, "7h"),
    "starter-eight-idle": lambda rules, n: not starter_acts(rules, n, "8h"),
    "starter-seven-answer": lambda rules, n: (
        {"7s", "+2"} <= {text[:2] for text in legal(rules, n, "starter 7h", "7s", "8h")}
    ),
    "starter-jack-lasts": lambda rules, n: (
        {"9s", "7d"} <= {text[:2] for text in legal(rules, n, "starter Jh", "9s", "7d")}
    ),
    "starter-jack-plain": lambda rules, n: (
        "9s" in legal(rules, n, "starter Jh", "9s")
        and not any(text[0] == "J" for text in legal(rules, n, "starter Jh", "Js"))
    ),
    "jack-of-the-wish": lambda rules, n: not on_top(rules, n, "Jh", "Js", wish="s"),
    "eights-on-eight": lambda rules, n: on_top(rules, n, "8h", "8s", wish="c"),
    "sepp-jacks": lambda rules, n: on_top(rules, n, "Jh", "Js", wish="c"),
    "two-answered-by-two": lambda rules, n: (
        legal(rules, n, "top 2h", "2s", "7h", penalty=2) == {"2s", "+2"} and having(rules, "7", "draw") != {0}
    ),
    "seven-adds": lambda rules, n: doubled(rules, n) == 4,
    "tie-all": lambda rules, n: (
        (rules["score.count"], rules["score.to"], rules["match.elimination"]) == ("cards", "losers", False)
    ),
    "pass-only-empty": lambda rules, n: "-" not in legal(rules, n, "top 9h"),
    "blocked-own": lambda rules, n: (rules["score.count"], rules["score.to"]) == ("cards", "losers"),
    "blocked-nobody": lambda rules, n: rules["score.count"] == "rounds" and rules["end.blocked"] == "own",
    "spoken-like-international": lambda rules, n: (
        (rules["call.needed"], rules["call.mau"], rules["call.maumau"]) == (True, 2, 2)
    ),
    "nine-two-players": lambda rules, n: rules.least_seats == 2 and rules["reverse.two"] == "skip",
    "switch-two-players": lambda rules, n: rules.least_seats == 2 and rules["reverse.two"] == "skip",
    "eights-stock": lambda rules, n: rules["draw.reshuffles"] != 0,
    "sepp-five": lambda rules, n: {rules.at(m)["deal.cards"] for m in seats_of(rules)} == {5},
    "nine-starts": lambda rules, n: having(rules, "J", "wish") == {False},
    "vandatta-cost": lambda rules, n: (rules["call.mau"], rules["call.to_finish"]) == (0, True),
    "nine-knock": lambda rules, n: (
        (rules["call.word"], rules["call.mau"], rules["call.to_finish"]) == ("knock", 2, True)
    ),
    "prsi-aces": lambda rules, n: (rules["skip.answer"], rules["skip.adds"]) == ("same", False),
    "olsen-values": lambda rules, n: all(
        rules[f"points.{rank}"] == Ruleset.parse("crazy-eights")[f"points.{rank}"] for rank in "23456789TJQKA"
    ),
}
"""What each reading says, asked of the engine or of the rules in other words than the reading's own conditions."""


def seats_of(rules: Ruleset) -> list[int]:
    """The numbers of players that these rules can be dealt for."""
    found = []
    for seats in range(rules.least_seats, rules.most_seats + 1):
        try:
            rules.at(seats)
        except RuleError:
            continue
        found.append(seats)
    return found


def unlike(one: Ruleset, other: Ruleset) -> bool:
    """Whether a table plays otherwise by these rules than by those: its match, or the kernel's tables at some size."""
    of_match = ([(key, value) for key, value in rules.pairs if key.startswith(MATCH)] for rules in (one, other))
    if next(of_match) != next(of_match) or seats_of(one) != seats_of(other):
        return True
    tables = ([pack_tables(rules.at(seats)) for rules in (one, other)] for seats in seats_of(one))
    return any(getattr(here, name) != getattr(there, name) for here, there in tables for name in TABLE_FIELDS)


def false_ranks(rules: Ruleset, reading: Reading) -> list[str]:
    """The ranks that a reading names although its line is not about their points and they have no power here."""
    if reading.line.startswith("points.") or reading.id == "prsi-queen":
        return []
    named = {RANKS[word] for text in (reading.this("en"), reading.other("en")) for word in NAMED.findall(text)}
    return [
        rank for rank in named if not any(having(rules, rank, power) != {POWERS[power].default} for power in POWERS)
    ]


def assert_true(code: str) -> None:
    rules = Ruleset.parse(code)
    seats = seats_of(rules)[0]
    for reading in shown(rules):
        assert not false_ranks(rules, reading), (code, reading.id)
        asked = ASKED.get(reading.id)
        assert asked is None or asked(rules, seats), (code, reading.id)
        if reading.switch is not None:
            assert unlike(rules, Ruleset.parse(f"{code}+{reading.switch}")), (code, reading.id)


def with_house_rule(book: str, rule: str) -> str | None:
    name = rule.replace("-N", "-3")
    for more in ("", "+52-cards", "+spoken-calls"):
        try:
            return Ruleset.parse(f"{book}{more}+{name}").code
        except RuleError:
            continue
    return None


def under_house_rules(book: str, step: int) -> None:
    """The book, and every house rule that goes with it (of every so many one)."""
    assert_true(book)
    for rule in list(HOUSE_RULES)[ALL_BOOKS.index(book) % step :: step]:
        code = with_house_rule(book, rule)
        if code is not None:
            assert_true(code)


@pytest.mark.parametrize("book", ALL_BOOKS)
def test_under_house_rules_each_reading_shown_is_true_and_its_switch_does_something(book: str) -> None:
    under_house_rules(book, 8)


@pytest.mark.prove
@pytest.mark.parametrize("book", ALL_BOOKS)
def test_under_every_house_rule_each_reading_shown_is_true_and_its_switch_does_something(book: str) -> None:
    under_house_rules(book, 1)


def many_random_rules(number: int) -> None:
    chance = random.Random(20261130)
    for _ in range(number):
        assert_true(random_rules(chance).code)


def test_under_random_rules_each_reading_shown_is_true_and_its_switch_does_something() -> None:
    many_random_rules(25)


@pytest.mark.prove
def test_under_thousands_of_random_rules_each_reading_shown_is_true_and_its_switch_does_something() -> None:
    many_random_rules(4000)


def test_a_reading_that_names_a_rank_asks_for_its_power() -> None:
    for reading in readings():
        keys = {*reading.when, reading.line}
        if reading.house_rule is not None:
            keys |= set(house_rules()[reading.house_rule].sets)
        text = f"{reading.this('en')} {reading.other('en')}"
        for rank in {RANKS[word] for word in NAMED.findall(text)}:
            assert any(key.split(".")[1] == rank for key in keys), (reading.id, rank)


@pytest.mark.parametrize(
    ("code", "gone"),
    [
        ("family+no-stacking", "starter-seven-answer"),
        ("family+no-draw-two", "starter-seven-answer"),
        ("family+power.7h.draw=4", "starter-seven-answer"),
        ("family+52-cards+two-draw+no-stacking", "two-answered-by-two"),
        ("international+penalty.grows=double", "seven-adds"),
        ("international+power.7.cancel=yes", "seven-adds"),
        ("classic+power.J.draw=2", "starter-jack-lasts"),
        ("family+power.J.draw=2", "starter-jack-plain"),
        ("international+no-draw-two", "starter-seven-idle"),
        ("international+power.7.wish=yes", "starter-seven-idle"),
        ("international+power.8.wish=yes", "starter-eight-idle"),
        ("family+power.7.skip=all", "starter-seven-answer"),
        ("family+power.7.wish=yes", "starter-seven-answer"),
        ("family+power.J.skip=2", "starter-jack-plain"),
        ("study+end.blocked=fewest", "blocked-nobody"),
        ("classic+draw.pass=yes", "pass-only-empty"),
        ("family+win-points-5", "tie-all"),
        ("family+power.J.wish=no+power.Q.wish=yes", "jack-of-the-wish"),
        ("family+players-2", "tie-all"),
    ],
)
def test_a_reading_is_gone_where_its_sentence_would_be_false(code: str, gone: str) -> None:
    book, house = code.split("+")[0], code.split("+")[1:]
    before = "family+52-cards+two-draw" if gone.startswith("two") else book
    assert house
    assert gone in {reading.id for reading in shown(Ruleset.parse(before))}
    assert gone not in {reading.id for reading in shown(Ruleset.parse(code))}


def test_a_switch_that_does_not_go_with_the_rest_is_not_offered() -> None:
    here, with_part = (
        next(reading for reading in shown(Ruleset.parse(code)) if reading.id == "sepp-five")
        for code in ("tschau-sepp", "tschau-sepp+deal.cards=5")
    )
    assert (here.switch, with_part.switch) == ("seven-cards", None)
    assert "Everyone would get up to seven cards.\n" in rules_text("tschau-sepp+deal.cards=5", "en")
