"""A match: rounds until it is decided."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from maumau.game.action import Action
from maumau.game.arguments import SEED_BITS, refuse_no_seat, refuse_no_seed
from maumau.game.event import Event
from maumau.game.outcome import Outcome
from maumau.game.round import Round
from maumau.ruleset import Ruleset

if TYPE_CHECKING:
    from maumau.game.record import Record


def round_seed(seed: int, number: int) -> int:
    """The seed of a match's n-th round (from 1), told apart from all others by SHA-256."""
    digest = hashlib.sha256(f"maumau match {seed} round {number}".encode()).digest()
    return int.from_bytes(digest[: SEED_BITS // 8], "big")


class Standing:
    """Totals and what follows from them: whether the match is over, who has won, who deals and plays next.

    ``number`` is the number of the round that has just ended, ``players`` are the seats that played it.
    """

    __slots__ = ("number", "rules", "seats")

    def __init__(self, rules: Ruleset, number: int = 1) -> None:
        self.rules = rules
        self.seats = rules.seats or 0
        self.number = number

    def winners(self, totals: tuple[int, ...], outcome: Outcome, players: tuple[int, ...]) -> tuple[int, ...]:
        """The winners of a match that is decided after this round, () while it goes on.

        A tie for the lead at the end makes another round, for all or for just the tied, as the book says; in a round of
        the tied its winner wins the match. Where totals past the target put a seat out, the last one left wins.
        """
        if self.rules["match.elimination"]:
            left = self.next_players(totals, players)
            return left if len(left) == 1 else ()
        if len(players) < self.seats:
            return () if outcome.winner is None else (outcome.winner,)
        if not self.at_end(totals):
            return ()
        leaders = self.leaders(totals, players)
        return leaders if len(leaders) == 1 else ()

    def at_end(self, totals: tuple[int, ...]) -> bool:
        """Whether the match ends here unless the lead is shared: a total is at the target, or the rounds are played."""
        rounds = self.rules.number("match.rounds")
        return (0 < rounds <= self.number) or any(self.reached(total) for total in totals)

    def reached(self, total: int) -> bool:
        """Whether a total has reached (or passed) the target."""
        target = self.rules.number("match.target")
        return target > 0 and (total > target or (total == target and self.rules["match.ends"] == "reach"))

    def leaders(self, totals: tuple[int, ...], players: Iterable[int]) -> tuple[int, ...]:
        """The seats with the best total: the lowest where everybody's own cards count, else the highest."""
        lowest = self.rules["score.count"] == "cards" and self.rules["score.to"] == "losers"
        best = (min if lowest else max)(totals[seat] for seat in players)
        return tuple(seat for seat in players if totals[seat] == best)

    def next_dealer(self, outcome: Outcome, dealer: int, players: tuple[int, ...]) -> int:
        """Who deals next: the winner or one seat left, among those who play."""
        if self.rules["deal.next"] == "winner" and outcome.winner is not None and outcome.winner in players:
            return outcome.winner
        seat = (dealer + 1) % self.seats
        while seat not in players:
            seat = (seat + 1) % self.seats
        return seat

    def next_players(self, totals: tuple[int, ...], players: tuple[int, ...]) -> tuple[int, ...]:
        """Who plays the next round: everybody, those not yet put out, or just those tied where the book says so."""
        if self.rules["match.elimination"]:
            left = tuple(seat for seat in players if not self.reached(totals[seat]))
            # Everybody past the target at once: the best of them play it out.
            return left or self.leaders(totals, players)
        if len(players) < self.seats:
            return players
        if self.rules["match.tie"] == "tied" and self.at_end(totals):
            return self.leaders(totals, players)
        return players


class Match:
    """Rounds under one ruleset until it is decided.

    ``seed`` (up to 128 bits) decides every deal: each round's own seed is made from it, or given with ``round_seed`` and
    ``next_round(seed)``. ``dealer`` None draws the first dealer by lot from the first round's seed.
    Raises RuleError where the rules do not allow so many players, ValueError for a seed out of range.
    """

    __slots__ = ("_conceded", "_ended", "finished", "round", "rules", "seats", "seed")

    def __init__(
        self, rules: str | Ruleset, seats: int, seed: int, dealer: int | None = None, round_seed: int | None = None
    ) -> None:
        refuse_no_seed(seed)
        self.round = Round(rules, seats, self._seed_of(seed, 1, round_seed), dealer)
        self.rules = self.round.rules
        self.seats = seats
        self.seed = seed
        self.finished: list[Round] = []
        self._ended = False
        self._conceded: int | None = None

    @classmethod
    def from_rounds(cls, rules: Ruleset, seed: int, rounds: Iterable[Round]) -> Match:
        """A match put together from its rounds, the present one last, as a record or a log holds them."""
        *finished, present = rounds
        match = cls.__new__(cls)
        match.round = present
        match.rules = rules
        match.seats = present.seats
        match.seed = seed
        match.finished = finished
        match._ended = False
        match._conceded = None
        return match

    @staticmethod
    def _seed_of(seed: int, number: int, given: int | None) -> int:
        return round_seed(seed, number) if given is None else given

    @property
    def round_number(self) -> int:
        """The number of the present round, from 1."""
        return len(self.finished) + 1

    @property
    def rounds(self) -> tuple[Round, ...]:
        """All rounds so far, the present one last."""
        return (*self.finished, self.round)

    @property
    def scores(self) -> tuple[tuple[int, ...], ...]:
        """Each finished round's points by seat."""
        outcomes = (round_.outcome() for round_ in self.rounds)
        return tuple(outcome.points for outcome in outcomes if outcome is not None)

    @property
    def totals(self) -> tuple[int, ...]:
        """The totals by seat after all finished rounds."""
        return tuple(sum(points[seat] for points in self.scores) for seat in range(self.seats))

    @property
    def dealer(self) -> int:
        """Who dealt the present round."""
        return self.round.dealer

    @property
    def players(self) -> tuple[int, ...]:
        """Who plays the present round."""
        return tuple(seat for seat in range(self.seats) if seat not in self.round.sitting_out)

    @property
    def _standing(self) -> Standing:
        return Standing(self.rules, self.round_number)

    @property
    def winners(self) -> tuple[int, ...]:
        """Who has won the match, () while it is open; several where it was ended or conceded at equal totals."""
        if self._conceded is not None:
            rest = tuple(seat for seat in range(self.seats) if seat != self._conceded)
            return self._standing.leaders(self.totals, rest)
        if self._ended:
            return self._standing.leaders(self.totals, range(self.seats))
        outcome = self.round.outcome()
        return () if outcome is None else self._standing.winners(self.totals, outcome, self.players)

    @property
    def over(self) -> bool:
        """Whether the match is decided, or was ended or conceded."""
        return self._ended or bool(self.winners)

    @property
    def ended(self) -> bool:
        """Whether the match was ended by agreement."""
        return self._ended

    @property
    def conceded(self) -> int | None:
        """The seat that conceded the match, None where nobody did."""
        return self._conceded

    @property
    def next_players(self) -> tuple[int, ...]:
        """Who plays the next round; () while this one runs or when the match is over."""
        if self.over or not self.round.over:
            return ()
        return self._standing.next_players(self.totals, self.players)

    @property
    def next_dealer(self) -> int | None:
        """Who deals the next round, None while this one runs."""
        outcome = self.round.outcome()
        if outcome is None:
            return None
        return self._standing.next_dealer(outcome, self.dealer, self.next_players or self.players)

    def push(self, action: Action | str, seat: int | None = None) -> tuple[Event, ...]:
        """Do an action in the present round; see ``Round.push``."""
        return self.round.push(action, seat)

    def next_round(self, seed: int | None = None) -> Round:
        """Deal the next round; raises ValueError while this one runs or when the match is over."""
        if self.over:
            raise ValueError("the match is over; start a new one")
        if not self.round.over:
            raise ValueError(f"round {self.round_number} is still running; finish it before the next deal")
        playing = self.next_players
        sitting_out = [seat for seat in range(self.seats) if seat not in playing]
        seed = self._seed_of(self.seed, self.round_number + 1, seed)
        following = Round(self.rules, self.seats, seed, self.next_dealer, sitting_out)
        self.finished.append(self.round)
        self.round = following
        return following

    def end(self) -> tuple[int, ...]:
        """End the match now by agreement, scored by its finished rounds, and return the winners."""
        self._ended = True
        return self.winners

    def concede(self, seat: int) -> tuple[Event, ...]:
        """A seat gives the match up, and it is over; the best of the others by the book have won it.

        A round that runs ends at once (see ``Round.concede``): whoever concedes is charged its own hand, once, and nobody
        else anything. Where the winner takes what the others hold, the other one of two gets that hand; where rounds are
        counted, the other one of two has won this one. Returns what happened in the round, nothing between two rounds.
        Raises ValueError where there is no such seat, and when the match is over.
        """
        refuse_no_seat(seat, self.seats)
        if self.over:
            raise ValueError("the match is over; it can no longer be conceded")
        events = () if self.round.over else self.round.concede(seat)
        self._conceded = seat
        return events

    def record(self, names: Sequence[str] | None = None) -> Record:
        """The match written down; it holds every card, so show it when the match is over."""
        from maumau.game.record import Record

        return Record.of(self, names)
