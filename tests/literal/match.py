"""Round after round until a match is decided, as literal as the round beside it."""

from __future__ import annotations

from collections.abc import Sequence

from tests.literal.round import Values


class LiteralMatch:
    """Totals, the deal and the end of a match; rounds themselves are played elsewhere."""

    def __init__(self, values: Values, totals: Sequence[int], dealer: int) -> None:
        self.values = values
        self.totals = list(totals)
        self.dealer = dealer
        self.rounds = 0  # played so far
        self.players = list(range(len(totals)))  # who plays the present round
        self.over = False
        self.winners: list[int] = []
        self.next_dealer: int | None = None
        self.next_players: list[int] = []

    def round_over(self, winner: int | None, points: Sequence[int]) -> None:
        """Book a round: `winner` is None after a blocked one."""
        self.totals = [total + new for total, new in zip(self.totals, points, strict=True)]
        self.rounds += 1
        everybody = list(range(len(self.totals)))
        if self.values["match.elimination"]:
            self._put_out()
        elif self.players != everybody:
            # The winner of an extra round among the tied wins the match.
            # Reading: a blocked extra round decides nothing, and the same seats play another.
            self._decide([] if winner is None else [winner], self.players)
        elif not self._target_met() and not 0 < int(self.values["match.rounds"]) <= self.rounds:
            self._go_on(everybody)
        else:
            best = self._best(everybody)
            self._decide(best if len(best) == 1 else [], best if self.values["match.tie"] == "tied" else everybody)
        if not self.over:
            self.next_dealer = self._deals_next(winner)

    def next_round(self) -> None:
        assert self.next_dealer is not None
        self.dealer = self.next_dealer
        self.players = self.next_players

    def _put_out(self) -> None:
        """A total at the target puts a seat out; the last one left wins. All past it at once: the best play on."""
        left = [seat for seat in self.players if not self._past(self.totals[seat])]
        left = left or self._best(self.players)
        self._decide(left if len(left) == 1 else [], left)

    def _past(self, total: int) -> bool:
        """A target of 0 is an open match. `reach`: a total of the target is enough; `pass`: only more than that."""
        target = int(self.values["match.target"])
        return target > 0 and total >= target + (self.values["match.ends"] == "pass")

    def _target_met(self) -> bool:
        return self.values["score.count"] != "none" and any(self._past(total) for total in self.totals)

    def _best(self, seats: Sequence[int]) -> list[int]:
        """The highest totals where rounds won or the others' cards are counted, the lowest where own cards are."""
        totals = [self.totals[seat] for seat in seats]
        highest = self.values["score.count"] == "rounds" or self.values["score.to"] == "winner"
        best = max(totals) if highest else min(totals)
        return [seat for seat in seats if self.totals[seat] == best]

    def _decide(self, winners: list[int], otherwise: list[int]) -> None:
        if winners:
            self.over = True
            self.winners = winners
            self.next_players = []
            self.next_dealer = None
        else:
            self._go_on(otherwise)

    def _go_on(self, players: list[int]) -> None:
        self.next_players = players

    def _deals_next(self, winner: int | None) -> int:
        """The round's winner, or one seat left (which is clockwise) among those who play the next round.

        Reading: a winner who sits the next round out cannot deal it; then the deal goes left.
        """
        if self.values["deal.next"] == "winner" and winner in self.next_players and winner is not None:
            return winner
        seat = (self.dealer + 1) % len(self.totals)
        while seat not in self.next_players:
            seat = (seat + 1) % len(self.totals)
        return seat
