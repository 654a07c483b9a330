"""Whole matches, odd positions and ends of matches, driven through both engines."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from tests.literal.beside import Beside, DisagreementError
from tests.literal.chance import (
    again_with_one_card,
    caught_soon,
    nothing_left,
    only_jacks_after_a_free_starter,
    random_position,
    random_seats,
    random_start,
)
from tests.literal.compiled import Compiled
from tests.literal.lines import Lines
from tests.literal.match import LiteralMatch
from tests.literal.position import from_position

from maumau import Match, PositionError, Round, Ruleset
from maumau.game.referee import settle

LONGEST_ROUND = 300  # actions; where every card makes others draw, random play may never come to an end


@dataclass
class Drive:
    """Random play under one rule code until enough actions are done; `lines` tells what was met on the way."""

    code: str
    chance: random.Random
    seats: int | None = None  # None: any number that the rules allow, anew for each round
    lines: Lines = field(default_factory=Lines)
    compiled: Compiled = field(default_factory=Compiled)
    done: int = 0

    def run(self, actions: int) -> None:
        rules = Ruleset.parse(self.code)
        while self.done < actions:
            seats = self.seats or random_seats(self.chance, rules)
            resolved = rules.at(seats)
            aim = self.chance.random()
            if aim < 0.04:
                self.match(Match(resolved, seats, self.chance.getrandbits(64)), LONGEST_ROUND)
            elif aim < 0.3:
                self.start(resolved, seats)
            elif aim < 0.38 and rules["players.min"] == 2 and self.seats in (None, 2):
                self.own_turn(rules.at(2))
            elif aim < 0.53 and resolved["call.needed"]:
                self.silent_last_card(resolved, seats)
            elif aim < (0.58 if resolved["call.needed"] else 0.55) and resolved["call.mode"] == "spoken":
                self.caught_again(resolved, seats)
            else:
                self.position(resolved, seats)

    def play(self, beside: Beside, longest: int) -> None:
        eager = self.chance.choice((0.3, 0.7, 0.95))
        mischief = self.chance.choice((0.0, 0.1, 0.3))
        self.done += beside.play(self.chance, longest, eager, mischief)

    # --- rounds ------------------------------------------------------------------------------------------------------

    def start(self, rules: Ruleset, seats: int) -> None:
        """The first actions of a round with a starter that may have a power."""
        engine = Round.from_position(
            self.code, random_start(self.chance, rules.values, seats), self.chance.getrandbits(64)
        )
        self.play(Beside(engine, True, self.lines, self.compiled), 4)

    def own_turn(self, rules: Ruleset) -> None:
        """After an eight between two players a missed call's window runs through one's own turn."""
        position = again_with_one_card(self.chance, rules.values)
        if position is None:
            return
        beside = Beside(
            Round.from_position(self.code, position, self.chance.getrandbits(64)), False, self.lines, self.compiled
        )
        skip = position["hands"][0][0]
        for text in (skip, "+", "1?0")[: self.chance.randint(2, 3)]:
            beside.do(text)
        self.play(beside, 6)

    def caught_again(self, rules: Ruleset, seats: int) -> None:
        """A missed call is caught; what is drawn fits, so that its player is soon down to one card again."""
        position = caught_soon(self.chance, rules.values, seats)
        if position is None:
            return
        beside = Beside(
            Round.from_position(self.code, position, self.chance.getrandbits(64)), False, self.lines, self.compiled
        )
        beside.do(position["hands"][0][0])
        beside.do("1?0")
        self.done += 2 + beside.play(self.chance, 3 * seats, 0.95, 0.0)

    def silent_last_card(self, rules: Ruleset, seats: int) -> None:
        """A wishing card is the last one, is laid silently where Mau-Mau is needed to win, and is caught."""
        position = random_position(self.chance, rules.values, seats)
        literal = from_position(rules.values, position)
        seat = position["turn"]
        wishing = next((card for card in position["stock"] if literal.wishes(card)), None)
        if wishing is None or literal.penalty:
            return
        position["stock"].remove(wishing)
        position["discard"] += position["hands"][seat]
        if position.pop("free", False):  # the starter lies alone no more
            position["wish"] = "h"
        position["hands"][seat] = [wishing]
        beside = Beside(
            Round.from_position(self.code, position, self.chance.getrandbits(64)), False, self.lines, self.compiled
        )
        beside.do(wishing)
        beside.do(f"{(seat + 1) % seats}?{seat}")
        self.play(beside, 4)

    def position(self, rules: Ruleset, seats: int) -> None:
        """A round from the middle, and the deal after it if it comes to an end."""
        position = self.odd_position(rules, seats)
        try:
            engine = Round.from_position(self.code, position, self.chance.getrandbits(64))
        except PositionError:  # a penalty that these rules cannot bring
            return
        self.match(Match.from_rounds(rules, self.chance.getrandbits(64), [engine]), self.chance.choice((3, 6, 12, 25)))

    def odd_position(self, rules: Ruleset, seats: int) -> dict[str, Any]:
        odd = self.chance.random()
        if odd < 0.15 and self.code == "family" and rules["pack.cards"] == "32":
            return only_jacks_after_a_free_starter(self.chance, seats)
        make = nothing_left if odd > 0.86 else random_position
        return make(self.chance, rules.values, seats)

    def match(self, match: Match, longest: int) -> None:
        """Some rounds of a match, the first perhaps from its middle, and the book-keeping between them."""
        literal = LiteralMatch(match.rules.values, [0] * match.seats, match.dealer)
        dealt, untidy = longest == LONGEST_ROUND, False
        for _ in range(4):
            beside = Beside(match.round, dealt, self.lines, self.compiled)
            self.lines.hit("next-round-clean", match.round_number > 1 and untidy)
            self.play(beside, longest)
            if not match.round.over:
                return
            literal.round_over(beside.literal.winner, beside.literal.points)
            self.compare_match(match, literal)
            if literal.over:
                return
            untidy, dealt, longest = beside.untidy, True, min(longest, 15)
            match.next_round()
            literal.next_round()

    def compare_match(self, match: Match, literal: LiteralMatch) -> None:
        engine: list[object] = [list(match.totals), list(match.winners), list(match.next_players)]
        ours: list[object] = [literal.totals, literal.winners, literal.next_players]
        if not literal.over:
            engine.append(match.next_dealer)
            ours.append(literal.next_dealer)
        if engine != ours:
            raise DisagreementError(f"match {match.rules.code}: the engine says {engine}, the literal referee {ours}")


def decisive(chance: random.Random, code: str) -> dict[str, Any]:
    """A case whose round is over with one card, at totals where a match may end or be tied, for all or for the tied."""
    rules = Ruleset.parse(code)
    seats = random_seats(chance, rules)
    values = rules.at(seats).values
    target = int(values["match.target"]) or 5
    most = target + 2 if values["score.count"] == "cards" else target
    players = sorted(chance.sample(range(seats), chance.choice((seats, seats, max(2, seats - 1)))))
    cards = [rank + suit for rank in "9TQKA" for suit in "cds"]
    chance.shuffle(cards)
    hands: list[list[str] | None] = [[cards.pop()] if seat in players else None for seat in range(seats)]
    winner = chance.choice(players)
    hands[winner] = ["9h"]
    tied = chance.randrange(most)
    totals = [chance.choice((tied, max(0, most - 11), chance.randrange(most))) for _ in range(seats)]
    call = "!" if values["call.mode"] == "spoken" else ""
    return {
        "id": "decisive",
        "rules": code,
        "position": {"top": "Kh", "hands": hands, "turn": winner, "dealer": chance.choice(players), "totals": totals},
        "do": [f"9h{call}"],
    }


def match_end(case: dict[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    """What the engine and the literal match say after such a case."""
    position = case["position"]
    seats = len(position["hands"])
    found = settle(case)
    if not found["over"]:
        return {}, {}
    values = Ruleset.parse(case["rules"]).at(seats).values
    literal = LiteralMatch(values, position["totals"], position["dealer"])
    literal.players = [seat for seat in range(seats) if position["hands"][seat] is not None]
    literal.round_over(found["winner"], found["points"])
    keys = ("totals", "match_winners", "match_over", "next_players")
    ours = dict(zip(keys, (literal.totals, literal.winners, literal.over, literal.next_players), strict=True))
    if not literal.over:
        ours["next_dealer"] = literal.next_dealer
    return {key: found[key] for key in ours}, ours


def tie_breaks(chance: random.Random, code: str, lines: Lines) -> Iterator[tuple[dict[str, Any], dict[str, Any]]]:
    """Ends of matches without number; counts the extra rounds among the tied and the skips over seats sitting out."""
    while True:
        case = decisive(chance, code)
        engine, ours = match_end(case)
        if not ours:  # the others play on
            yield engine, ours
            continue
        out = None in case["position"]["hands"]
        tied = 1 < len(ours["next_players"]) < len(ours["totals"])
        lines.hit("tie-break", (out and ours["match_over"]) or tied)
        lines.hit("turns-skip-seats-out", out)
        yield engine, ours
