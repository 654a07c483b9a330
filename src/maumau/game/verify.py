"""Checks a record: were its shuffles fixed beforehand, and do deal, reshuffles and result follow from the seeds?

Everything is worked out anew from the seeds and the actions; the recorded orders are only compared with what comes out.
That a commitment was published before the deal, only those can say who saw it then: compare it with the one that the
table showed.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, Final

from maumau.cards import format_cards
from maumau.game import fair
from maumau.game.match import Match, Standing
from maumau.game.record import Record, RecordError, check_shape, rules_of, stop
from maumau.game.round import Round
from maumau.ruleset import Ruleset

_DAMAGED: Final = (KeyError, TypeError, IndexError, AttributeError, ValueError)


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that was checked: ``holds`` is None where it cannot be said. ``code`` is the key of its sentence."""

    code: str
    holds: bool | None
    round: int | None = None
    params: dict[str, Any] = field(default_factory=dict)


def verify(record: Record) -> tuple[Finding, ...]:
    """All findings, round by round; raises RecordError where the record cannot be read."""
    data = record.data
    check_shape(data)
    try:
        return tuple(_Verifier(rules_of(data), data).findings())
    except RecordError:
        raise
    except _DAMAGED as error:
        raise RecordError(f"the record is damaged: {error}") from None


class _Verifier:
    """One record on its way to its findings."""

    def __init__(self, rules: Ruleset, data: dict[str, Any]) -> None:
        self.rules = rules
        self.data = data
        self.seats: int = data["seats"]
        self.rounds: list[Round] = []
        self.totals = [0] * self.seats
        self.broken = False
        """A round could not be played again, so that nothing that hangs on all of them is known."""

    def findings(self) -> Iterator[Finding]:
        last: dict[str, Any] | None = None
        for number, entry in enumerate(self.data["rounds"], 1):
            if entry.get("running"):
                yield Finding("running", None, number)
                return
            given = entry.get("fair")
            if given is None:
                yield Finding("no-commitment", None, number)
            else:
                yield from self.chance(number, entry, given, last)
            last = given
            yield self.dealt(number, entry)
        if not self.broken and self.rounds:
            yield self.result()

    def chance(
        self, number: int, entry: dict[str, Any], given: dict[str, Any], last: dict[str, Any] | None
    ) -> Iterator[Finding]:
        """The commitment, the seed, and that no deal lies between this and the last."""
        table, deal, shares = given["table"], given["deal"], given["contributions"]
        if last is not None and (last["table"], last["deal"] + 1) != (table, deal):
            yield Finding("deal-skipped", False, number, {"deal": deal})
        if "secret" not in given:
            yield Finding("secret-missing", False, number)
            return
        secret = bytes.fromhex(given["secret"])
        kept = len(secret) == fair.SECRET_BYTES and fair.commitment(secret, table, deal) == given["commitment"]
        code = "commitment-kept" if kept else "commitment-broken"
        yield Finding(code, kept, number, {"commitment": given["commitment"]})
        well = len(shares) == self.seats and all(share == "" or fair.is_contribution(share) for share in shares)
        made = well and fair.seed_of(secret, table, deal, shares) == int(entry["seed"], 16)
        who = [self.data["names"][seat] for seat, share in enumerate(shares) if share] if well else []
        code = ("seed-shared" if who else "seed-alone") if made else "seed-wrong"
        yield Finding(code, made, number, {"who": who})

    def dealt(self, number: int, entry: dict[str, Any]) -> Finding:
        """The round from its seed and its actions: the same deal, the same reshuffles, the right dealer and seats."""
        seed, out = int(entry["seed"], 16), entry["sitting_out"]
        try:
            round_ = self.first(seed, entry, out) if number == 1 else self.later(seed, entry, out)
        except ValueError:
            round_ = None
        if round_ is None:
            self.broken = True
            return Finding("dealer-wrong", False, number, {"seat": entry["dealer"]})
        if format_cards(round_.orders[0]) != entry["deal"]:
            self.broken = True
            return Finding("deal-wrong", False, number)
        for text in entry["actions"]:
            try:
                round_.push(text)
            except ValueError:
                self.broken = True
                return Finding("action-wrong", False, number, {"action": str(text)[:20]})
        self.rounds.append(round_)
        outcome = round_.outcome()
        if outcome is not None:
            self.totals = [total + points for total, points in zip(self.totals, outcome.points, strict=True)]
        came = [format_cards(order) for order in round_.orders[1:]]
        if came != entry["reshuffles"]:
            return Finding("reshuffle-wrong", False, number)
        return Finding("deal-kept" if came else "deal-kept-alone", True, number, {"n": len(came)})

    def first(self, seed: int, entry: dict[str, Any], out: list[int]) -> Round | None:
        """The first round, whose dealer is drawn by lot; where nothing is committed, the dealer may have been agreed."""
        by_lot = Round(self.rules, self.seats, seed, None, out)
        if by_lot.dealer == entry["dealer"] and format_cards(by_lot.orders[0]) == entry["deal"]:
            return by_lot
        if "fair" in entry:
            return by_lot if by_lot.dealer == entry["dealer"] else None
        return Round(self.rules, self.seats, seed, entry["dealer"], out)

    def later(self, seed: int, entry: dict[str, Any], out: list[int]) -> Round | None:
        """A later round; None where the rules let somebody else deal, or other seats play."""
        if not self.broken and self.following() != (entry["dealer"], out):
            return None
        return Round(self.rules, self.seats, seed, entry["dealer"], out)

    def following(self) -> tuple[int, list[int]] | None:
        """Who deals after the rounds so far, and who sits out; None where no round may follow."""
        last, totals = self.rounds[-1], tuple(self.totals)
        outcome = last.outcome()
        if outcome is None:
            return None
        standing = Standing(self.rules, len(self.rounds))
        players = tuple(seat for seat in range(self.seats) if seat not in last.sitting_out)
        if standing.winners(totals, outcome, players):
            return None
        playing = standing.next_players(totals, players)
        dealer = standing.next_dealer(outcome, last.dealer, playing)
        return dealer, [seat for seat in range(self.seats) if seat not in playing]

    def result(self) -> Finding:
        """Totals and winners, as the rounds give them."""
        match = Match.from_rounds(self.rules, 0, self.rounds)
        stop(match, self.data)
        winners = sorted(match.winners)
        right = list(match.totals) == self.data["totals"] and winners == sorted(self.data["winners"])
        return Finding("result-kept" if right else "result-wrong", right, None, {"totals": match.totals})
