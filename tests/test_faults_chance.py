"""Faults that others had with chance: deals that players hold for rigged, and error margins that are too small."""

from __future__ import annotations

import asyncio
import hashlib
import hmac
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from benchmarks.strength import interval
from tests.tables_kit import first_bot, play_round, spec

from maumau import Round, Ruleset
from maumau.game import fair
from maumau.tables import Store, Tables

SEATS, CARDS_EACH = 4, 5
SHARE = "00112233445566778899aabbccddeeff"
PACK = [rank + suit for rank in "789TJQKA" for suit in "cdhs"]
NEVER = 16.27
"""Chi-square with three degrees of freedom is above this once in a thousand times."""


def independent_deal(secret: str, table: str, deal: int, shares: list[str]) -> tuple[int, list[list[str]], list[str]]:
    """Dealer, hands and the pack as dealt of a first round from what is revealed, by what docs/architecture.md says and by no line of ours."""
    given = f"mm1|{table}|{deal}|" + ",".join(f"{seat}:{share}" for seat, share in enumerate(shares))
    mac = hmac.new(bytes.fromhex(secret), given.encode(), hashlib.sha256).digest()
    a, b, c, d = (int.from_bytes(mac[at : at + 4], "big") for at in (0, 4, 8, 12))
    word = 2**32

    def draw() -> int:
        nonlocal a, b, c, d
        out = (a + b + d) % word
        a, b, c, d = b ^ b >> 9, c * 9 % word, ((c << 21 | c >> 11) + out) % word, (d + 1) % word
        return out

    def below(n: int) -> int:
        while True:
            high, low = divmod(draw() * n, word)
            if low >= word % n:
                return high

    for _ in range(12):
        draw()
    dealer, deck = below(len(shares)), list(PACK)
    for last in range(len(deck) - 1, 0, -1):
        other = below(last + 1)
        deck[last], deck[other] = deck[other], deck[last]
    deck.reverse()
    dealt = deck[: CARDS_EACH * len(shares)]
    first = (dealer + 1) % len(shares)
    hands = [dealt[(seat - first) % len(shares) :: len(shares)] for seat in range(len(shares))]
    return dealer, hands, deck


def by_seat(deals: int) -> tuple[dict[str, Counter[int]], Counter[int]]:
    """How many sevens, eights and jacks each seat gets at a table of one person and three bots, and how often each deals."""
    rules, dealers = Ruleset.parse("family"), Counter[int]()
    got: dict[str, Counter[int]] = {rank: Counter() for rank in "78J"}
    for deal in range(1, deals + 1):
        secret = hashlib.sha256(b"deal %d" % deal).digest()
        shares = [hashlib.sha256(b"share %d" % deal).hexdigest()[:32], "", "", ""]
        round_ = Round(rules, seats=SEATS, seed=fair.seed_of(secret, "t", deal, shares))
        hands = [sorted(str(card) for card in hand) for hand in round_.hands]
        dealer, expected, _ = independent_deal(secret.hex(), "t", deal, shares)
        assert (round_.dealer, hands) == (dealer, [sorted(hand) for hand in expected]), f"deal {deal}"
        dealers[dealer] += 1
        for seat, hand in enumerate(hands):
            for rank, counts in got.items():
                counts[seat] += sum(card[0] == rank for card in hand)
    return got, dealers


def chi_square(counts: Counter[int]) -> float:
    """How far the seats' counts are from each other."""
    even = counts.total() / SEATS
    return sum((counts[seat] - even) ** 2 / even for seat in range(SEATS))


@pytest.mark.parametrize("deals", [4_000, pytest.param(50_000, marks=pytest.mark.prove)])
def test_t07_no_seat_gets_more_of_the_powerful_cards(deals: int) -> None:
    """And what deals is what was promised: another program comes to the same dealer and hands, every time."""
    got, dealers = by_seat(deals)
    for rank, counts in got.items():
        assert abs(counts.total() / deals - CARDS_EACH * SEATS / 8) < 0.1, "four of a rank in a pack of 32"
        assert chi_square(counts) < NEVER, (rank, counts)
    assert chi_square(dealers) < NEVER, dealers


def test_t07_a_table_reveals_what_another_program_deals_the_same_from(tmp_path: Path) -> None:
    async def main() -> None:
        async with Tables(Store(tmp_path / "tables.db"), bots=first_bot) as tables:
            seated = await tables.create(spec("family+automatic-calls", bots=3), contribution=SHARE)
            before = [event["kind"] for event in await tables.events(seated.table, seated.token)]
            assert before.index("committed") < before.index("round")
            assert "revealed" not in before
            await play_round(tables, seated)
            told = {event["kind"]: event for event in await tables.events(seated.table, seated.token, after=0)}
            played = (await tables.record(seated.table, seated.token))["rounds"][0]
        secret = played["fair"]["secret"]
        label = f"mm1|{seated.table}|1|".encode()
        assert played["fair"]["commitment"] == hashlib.sha256(label + bytes.fromhex(secret)).hexdigest()
        assert told["revealed"]["secret"] == secret
        dealer, _, deck = independent_deal(secret, seated.table, 1, [SHARE, "", "", ""])
        assert (played["dealer"], played["deal"].split()) == (dealer, deck)

    asyncio.run(main())


# ---- error margins -----------------------------------------------------------------------------------------------------

MATCHES, GAMES = 1_000, 400


def covered(p: float, draw: Callable[[np.random.Generator], Any]) -> float:
    """How often the interval of a match holds the true share."""
    chance = np.random.default_rng(20_261_130)
    held = 0
    for _ in range(MATCHES):
        low, high = interval(draw(chance))
        assert 0 <= low <= high <= 1
        held += low <= p <= high
    return held / MATCHES


@pytest.mark.parametrize("p", [0.5, 0.1, 0.02, 0.98])
def test_t05_of_the_95_percent_intervals_95_percent_hold(p: float) -> None:
    share = covered(p, lambda chance: chance.random(GAMES) < p)
    assert share >= 0.93
    if p == 0.5:
        assert share <= 0.97, "nor are they wider than they say"


@pytest.mark.parametrize("luck", [0.0, 0.3])
def test_t05_a_deal_that_is_played_twice_is_one_deal(luck: float) -> None:
    """Both rounds of a deal favour the same cards: the interval must not take them for two rounds."""

    def draw(chance: np.random.Generator) -> Any:
        favoured = 0.5 + luck * chance.choice([-1, 1], GAMES)
        return ((chance.random(GAMES) < favoured).astype(float) + (chance.random(GAMES) < 1 - favoured)) / 2

    assert 0.93 <= covered(0.5, draw) <= 0.98


def test_t05_none_of_thirty_is_no_certainty() -> None:
    low, high = interval(np.zeros(30))
    assert low == 0
    assert 0.08 < high < 0.2, "even a share of one in ten shows nothing in thirty once in twenty times"
    assert interval(np.ones(30)) == pytest.approx((1 - high, 1))
