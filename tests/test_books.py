"""The rule books as data say exactly what the table of rules says: a transcription by hand, value by value.

Where the table has a dash (a value that the book never asks for), no value is demanded.
"""

from __future__ import annotations

from collections.abc import Mapping

import pytest
from tests.literal.round import Values

from maumau.ruleset import BOOKS, RuleError, Ruleset

RANKS = "23456789TJQKA"

EVERYWHERE: Values = {
    "deal.cards": 5,
    "power.7.draw": 2,
    "power.8.skip": 1,
    "power.J.wish": True,
    "penalty.cap": 0,
    "reverse.two": "skip",
    "end.forbidden": "none",
    "end.play_on": False,
    "pack.jokers": 0,
    "pack.packs": 1,
}

SPOKEN_AS_INTERNATIONAL: Values = {
    "call.window": "next-ends",
    "call.mau": 2,
    "call.needed": True,
    "call.maumau": 2,
}

TABLE: Mapping[str, Values] = {
    "classic": {
        "players.min": 4,
        "players.max": 4,
        "pack.cards": "32",
        "pack.full_from": 0,
        "pack.double_from": 0,
        "deal.next": "winner",
        "start.rank": "any",
        "start.acts": True,
        "start.wish": "free",
        "draw.when": "any",
        "draw.then": "any",
        "wish.on_wish": True,
        "penalty.answer": "same",
        "call.mode": "automatic",
        "end.final_draw": False,
        "score.count": "cards",
        "match.target": 100,
        "match.ends": "pass",
        "match.tie": "all",
    },
    "international": {
        "players.min": 2,
        "players.max": 8,
        "pack.cards": "52",
        "pack.full_from": 0,
        "pack.double_from": 7,
        "deal.next": "left",
        "start.rank": "any",
        "start.acts": False,
        "start.wish": "dealer",
        "draw.when": "stuck",
        "draw.then": "drawn",
        "wish.on_wish": True,
        "penalty.answer": "same",
        "call.mode": "spoken",
        **SPOKEN_AS_INTERNATIONAL,
        "end.final_draw": False,
        "score.count": "cards",
        "match.target": 100,
        "match.ends": "reach",
        "match.tie": "tied",
    },
    "study": {
        "players.min": 2,
        "players.max": 4,
        "pack.cards": "32",
        "pack.full_from": 0,
        "pack.double_from": 0,
        "deal.next": "left",
        "start.rank": "9",
        "draw.when": "stuck",
        "draw.then": "drawn",
        "wish.on_wish": True,
        "penalty.answer": "none",
        "call.mode": "spoken",
        "call.window": "next-begins",
        "call.mau": 2,
        "call.needed": False,
        "end.final_draw": True,
        "score.count": "rounds",
        "match.target": 0,
    },
    "family": {
        "players.min": 2,
        "players.max": 8,
        "pack.cards": "32",
        "pack.full_from": 5,
        "pack.double_from": 6,
        "deal.next": "left",
        "start.rank": "any",
        "start.acts": True,
        "start.wish": "free-plain",
        "draw.when": "any",
        "draw.then": "drawn",
        "wish.on_wish": False,
        "penalty.answer": "same",
        "call.mode": "spoken",
        "call.window": "own-begins",
        "call.mau": 1,
        "call.needed": False,
        "end.final_draw": False,
        "score.count": "cards",
        "match.target": 100,
        "match.ends": "reach",
        "match.tie": "all",
    },
}

FACE: Values = {**{str(number): number for number in range(2, 10)}, "T": 10}
CARD_POINTS: Mapping[str, Values] = {
    "classic": {**{str(number): number for number in range(7, 10)}, "T": 10, "J": 20, "Q": 10, "K": 10, "A": 11},
    "international": {**FACE, "J": 10, "Q": 10, "K": 10, "A": 10},
    "family": {**FACE, "J": 2, "Q": 3, "K": 4, "A": 11},
}

PACK_POINTS = {"classic": 340, "international": 376, "family": 216}

POWERS: Values = {"draw": 0, "skip": 0, "wish": False, "reverse": False, "others": 0}
"""What a rank does that "does nothing"."""


def values_of(code: str, seats: int | None = None) -> Values:
    rules = Ruleset.parse(code)
    return (rules if seats is None else rules.at(seats)).values


def test_there_are_four_books_and_family_is_the_first() -> None:
    assert set(BOOKS) == set(TABLE)
    assert BOOKS[0] == "family"


@pytest.mark.parametrize("book", TABLE)
def test_every_value_is_the_one_of_the_table(book: str) -> None:
    values = values_of(book)
    demanded = {**EVERYWHERE, **TABLE[book]}
    assert {key: values[key] for key in demanded} == demanded


@pytest.mark.parametrize("book", TABLE)
def test_other_ranks_do_nothing(book: str) -> None:
    values = values_of(book)
    special = {("7", "draw"), ("8", "skip"), ("J", "wish")}
    owners = (*RANKS, "joker", *(rank + suit for rank in RANKS for suit in "cdhs"))
    named = {
        (owner, power)
        for owner in owners
        for power, nothing in POWERS.items()
        if values.get(f"power.{owner}.{power}", nothing) != nothing
    }
    assert named == special


@pytest.mark.parametrize("book", CARD_POINTS)
def test_card_points(book: str) -> None:
    values = values_of(book)
    assert {rank: values[f"points.{rank}"] for rank in CARD_POINTS[book]} == CARD_POINTS[book]


@pytest.mark.parametrize("book", PACK_POINTS)
def test_the_points_of_a_pack_add_up(book: str) -> None:
    values = values_of(book)
    ranks = RANKS if values["pack.cards"] == "52" else RANKS[5:]
    assert sum(4 * int(values[f"points.{rank}"]) for rank in ranks) == PACK_POINTS[book]


@pytest.mark.parametrize("book", TABLE)
def test_only_out_with_a_jack_at_classic_doubles(book: str) -> None:
    values = values_of(book)
    factors = {rank: values.get(f"closing.{rank}", 1) for rank in (*RANKS, "joker")}
    doubling = {"J": 2} if book == "classic" else {}
    assert factors == {**dict.fromkeys((*RANKS, "joker"), 1), **doubling}


@pytest.mark.parametrize(
    "book, seats, cards, packs",
    [
        ("classic", 4, "32", 1),
        *[("family", seats, "32", 1) for seats in (2, 3, 4)],
        ("family", 5, "52", 1),
        *[("family", seats, "52", 2) for seats in (6, 7, 8)],
        *[("international", seats, "52", 1) for seats in (2, 3, 4, 5, 6)],
        *[("international", seats, "52", 2) for seats in (7, 8)],
        *[("study", seats, "32", 1) for seats in (2, 3, 4)],
    ],
)
def test_the_pack_hangs_on_the_number_of_seats(book: str, seats: int, cards: str, packs: int) -> None:
    values = values_of(book, seats)
    assert (values["pack.cards"], values["pack.packs"]) == (cards, packs)


@pytest.mark.parametrize(
    "book, seats", [("classic", 2), ("classic", 3), ("classic", 5), ("study", 5), ("family", 9), ("international", 1)]
)
def test_a_table_size_outside_the_book_is_refused(book: str, seats: int) -> None:
    rules = Ruleset.parse(book)
    with pytest.raises(RuleError) as refusal:
        rules.at(seats)
    assert refusal.value.code == "seats-not-allowed"


def test_spoken_calls_at_classic_are_those_of_international() -> None:
    values = values_of("classic+spoken-calls")
    assert values["call.mode"] == "spoken"
    assert {key: values[key] for key in SPOKEN_AS_INTERNATIONAL} == SPOKEN_AS_INTERNATIONAL
