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
        self.players = list(range(len(totals)))  # who plays the present round
        self.over = False
        self.winners: list[int] = []
        self.next_dealer: int | None = None
        self.next_players: list[int] = []

    def round_over(self, winner: int | None, points: Sequence[int]) -> None:
        """Book a round: `winner` is None after a blocked one."""
        self.totals = [total + new for total, new in zip(self.totals, points, strict=True)]
        everybody = list(range(len(self.totals)))
        breaking_tie = self.players != everybody
        if breaking_tie:
            # The winner of an extra round among the tied wins the match.
            # Reading: a blocked extra round decides nothing, and the same seats play another.
            self._decide([] if winner is None else [winner], self.players)
        elif not self._target_met():
            self._go_on(everybody)
        else:
            best = self._best()
            self._decide(best if len(best) == 1 else [], best if self.values["match.tie"] == "tied" else everybody)
        if not self.over:
            self.next_dealer = self._deals_next(winner)

    def next_round(self) -> None:
        assert self.next_dealer is not None
        self.dealer = self.next_dealer
        self.players = self.next_players

    def _target_met(self) -> bool:
        """A target of 0 is an open match. `reach`: a total of the target ends it; `pass`: only more than that."""
        target = int(self.values["match.target"])
        if not target or self.values["score.count"] == "none":
            return False
        return max(self.totals) >= target + (self.values["match.ends"] == "pass")

    def _best(self) -> list[int]:
        """The lowest totals where cards are counted, the most rounds won where rounds are."""
        best = max(self.totals) if self.values["score.count"] == "rounds" else min(self.totals)
        return [seat for seat, total in enumerate(self.totals) if total == best]

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
