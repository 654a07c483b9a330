"""The fold of a table's log: an event is written, or taken from the log that is replayed, and changes the table.

While a log is replayed every event that comes out is compared with the one that was stored. No rule is known here: the
engine has been asked before.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from typing import Any, Final

from maumau.game import Event, fair
from maumau.ruleset import Ruleset
from maumau.tables.chairs import BOT, HUMAN, OPEN, Chair
from maumau.tables.errors import LogError
from maumau.tables.events import BOT_COMMAND, dumps, split
from maumau.tables.knocks import FULL, STARTED, WAITING
from maumau.tables.ledger import Row
from maumau.tables.rounds import Deal, FinishedRound
from maumau.tables.timing import Timing


class Folding(Timing):
    """A table that its own events change."""

    def _write(
        self,
        kind: str,
        seat: int | None,
        shown: dict[str, Any],
        hidden: dict[str, Any] | None = None,
        does: str | None = None,
        by_seat: int | None = None,
    ) -> None:
        """Append a row and fold it in; while a log is replayed, take the stored one, which must say the same."""
        text, secret = dumps(shown), None if hidden is None else dumps(hidden)
        if self._script is not None:
            row = self._scripted()
            if (row.kind, row.seat, row.shown, row.hidden) != (kind, seat, text, secret):
                raise LogError(
                    f"Table {self.name} does not replay: event {self.version + 1} is stored as {row.kind} of seat"
                    f" {row.seat}, and comes out as {kind} of seat {seat}, or with other cards."
                )
        else:
            row = Row(self.version + 1, kind, seat, does, by_seat, self._command, self._at, text, secret)
            self.fresh.append(row)
        self._fold(row, shown)

    def _fold(self, row: Row, shown: dict[str, Any]) -> None:
        self.version = row.seq
        self.tail.append(row)
        if row.by_seat is not None and not (row.command or "").startswith(BOT_COMMAND):
            self.chairs[row.by_seat].timeouts = 0
        if row.kind in BESIDE and row.seat is not None:
            self.beside[row.seat] += 1
        fold = _FOLDS.get(row.kind)
        if fold is not None:
            fold(self, row, shown)

    def _take_events(self, events: Iterable[Event], does: str | None, by_seat: int | None) -> None:
        for event in events:
            shown, hidden = split(event)
            if event.kind in ("play", "call") and event.seat is not None and self.match is not None:
                shown["left"] = self.match.round.counts[event.seat]
            if event.kind == "round-over" and self._tells_points():
                shown["points"] = self._points()
            self._write(event.kind, event.seat, shown, hidden, does, by_seat)
            does = by_seat = None

    def _settle(self, *, ended: bool = False, turn_began: bool = True, played_by: int | None = None) -> None:
        """After the engine has moved: what became of everybody's decision, of the round and of the match."""
        assert self.match is not None
        now = self._decisions()
        for seat, decision in enumerate(now):
            if not self._known or self._known[seat] != decision:
                self.decided[seat] = self.version
        self._known = now
        if self.match.round.turn != self._turn:
            self._turn, self.turn_began = self.match.round.turn, self.version
        self._clocks(turn_began=turn_began, played_by=played_by)
        if not self.match.round.over and not ended:
            return
        if self.match.round.over and not self._round_is_noted():
            self._note_round()
        self._reveal()
        self.over, self.totals = self.match.over, self.match.totals
        self.clock = self.grace = None
        if self.over:
            self._write("match-over", None, {"winners": list(self.winners)})

    def _clocks(self, *, turn_began: bool, played_by: int | None) -> None:
        """What an action of the engine, just folded in, means for the table's times."""
        self._give_grace(self.tail[-1].at, played_by)
        self.pace_from = self.tail[-1].at
        self._wind(self.tail[-1].at, anew=turn_began)

    def _commit_to(self, deal: int) -> None:
        """Draw the secret of a coming deal and publish the commitment to it, before anybody contributes."""
        if self._script is not None:
            if not self._script or self._script[0].kind != "committed":
                return  # written by a version that made no commitments
        elif self.draw_secret is None:
            return
        else:
            self.secrets[deal] = self.draw_secret()
            self.fresh_secrets.append((deal, self.secrets[deal]))
        commitment = fair.commitment(self.secrets[deal], self.name, deal)
        self._write("committed", None, {"deal": deal, "commitment": commitment})

    def _reveal(self) -> None:
        """The round is over: publish its secret, and commit to the next one."""
        assert self.match is not None
        number = self.match.round_number
        deal = self.deals.get(number)
        if deal is not None and not deal.secret:
            secret = self.secrets[deal.number].hex()
            self._write("revealed", None, {"round": number, "deal": deal.number, "secret": secret})
        if self.committed is None:
            self._commit_to(self.last_deal + 1)

    def _decisions(self) -> list[object]:
        """What each seat's decision hangs on: turn, top card, wish, penalty, own hand."""
        assert self.match is not None
        r = self.match.round
        shared = (r.turn, r.top, r.wish, r.penalty, r.phase)
        return [(shared, tuple(hand or ())) for hand in r.hands]

    def _round_is_noted(self) -> bool:
        assert self.match is not None
        last = self.finished[-1] if self.finished else None
        return last is not None and (last.match, last.round) == (self.match_number, self.match.round_number)

    def _tells_points(self) -> bool:
        """Whether the end of a round tells its points: not in a log that an earlier version wrote."""
        return not self._script or "points" in json.loads(self._script[0].shown)

    def _points(self) -> list[int | None]:
        """What the round, just over, costs or brings each seat; None for one that sat out."""
        assert self.match is not None
        outcome = self.match.round.outcome()
        assert outcome is not None
        return [p if seat in self.match.players else None for seat, p in enumerate(outcome.points)]

    def _note_round(self) -> None:
        assert self.match is not None
        outcome = self.match.round.outcome()
        if outcome is None:
            return
        points = tuple(self._points())
        self.finished.append(
            FinishedRound(self.match_number, self.match.round_number, points, outcome.winner, outcome.blocked)
        )

    def _created(self, row: Row, shown: dict[str, Any]) -> None:
        self.rules = _rules_from(shown["rules"])
        if not self.chairs:
            self.chairs = [Chair(seat["kind"], seat["level"]) for seat in shown["seats"]]
        self.pace, self.turn_seconds = shown["pace"], shown["turn_seconds"]
        self.stand_in_seconds = shown.get("stand_in_seconds")  # a table of an earlier version has none
        self.decided = [0] * len(self.chairs)
        self.acted = [0] * len(self.chairs)
        self.totals = (0,) * len(self.chairs)

    def _joined(self, row: Row, shown: dict[str, Any]) -> None:
        self._chair(row).kind = HUMAN
        self._chair(row).settled()
        self.said.clear()
        if not self.open_seats:
            self._end_knocks(FULL)

    def _removed(self, row: Row, shown: dict[str, Any]) -> None:
        chair = self._chair(row)
        chair.kind, chair.level, chair.away = OPEN, None, False
        if row.seat is not None:
            self.contributions.pop(row.seat, None)
        chair.settled()
        self.said.clear()

    def _committed(self, row: Row, shown: dict[str, Any]) -> None:
        self.last_deal = shown["deal"]
        self.committed = self.last_deal, shown["commitment"]

    def _contributed(self, row: Row, shown: dict[str, Any]) -> None:
        assert row.seat is not None
        self.contributions[row.seat] = shown["contribution"]

    def _dealt(self, row: Row, shown: dict[str, Any]) -> None:
        if "commitment" in shown:
            given = tuple(shown["contributions"])
            self.deals[shown["round"]] = Deal(shown["deal"], shown["commitment"], given)
        self.committed = None
        self.contributions.clear()
        self.proposed.clear()  # whoever deals again has said no
        self.beside.clear()
        self.refused.clear()

    def _revealed(self, row: Row, shown: dict[str, Any]) -> None:
        self.deals[shown["round"]].secret = shown["secret"]

    def _hosted(self, row: Row, shown: dict[str, Any]) -> None:
        assert row.seat is not None
        self.host = row.seat

    def _started(self, row: Row, shown: dict[str, Any]) -> None:
        for seat in shown["filled"]:
            self.chairs[seat].kind, self.chairs[seat].level = BOT, shown["level"]
        self._end_knocks(STARTED)

    def _matched(self, row: Row, shown: dict[str, Any]) -> None:
        self.match_number = shown["match"]
        self.match, self.over = None, False
        self.totals = (0,) * len(self.chairs)
        self.deals.clear()
        self.proposed.clear()
        self.waits_from = row.at

    def _left(self, row: Row, shown: dict[str, Any]) -> None:
        self._chair(row).away, self._chair(row).level = True, shown["level"]
        self._chair(row).settled()
        assert row.seat is not None
        self.proposed.discard(row.seat)
        self._wind(row.at)

    def _returned(self, row: Row, shown: dict[str, Any]) -> None:
        self._chair(row).away, self._chair(row).level, self._chair(row).timeouts = False, None, 0
        self._resume(row)

    def _gone(self, row: Row, shown: dict[str, Any]) -> None:
        self._chair(row).absent, self._chair(row).absent_at = True, row.at
        self._wind(row.at)

    def _overdue(self, row: Row, shown: dict[str, Any]) -> None:
        self._chair(row).overdue = True

    def _here(self, row: Row, shown: dict[str, Any]) -> None:
        self._chair(row).settled()
        self._resume(row)

    def _resume(self, row: Row) -> None:
        """Somebody is back: where nobody was, all that waits takes its time from now on, and the clock goes on."""
        if len(self.attended) == 1:
            self.pace_from = self.waits_from = row.at
        self._wind(row.at)

    def _clock_set(self, row: Row, shown: dict[str, Any]) -> None:
        self.turn_seconds = shown["turn_seconds"]

    def _stand_in_set(self, row: Row, shown: dict[str, Any]) -> None:
        self.stand_in_seconds = shown["stand_in_seconds"]

    def _more_time(self, row: Row, shown: dict[str, Any]) -> None:
        assert self.clock is not None
        self.clock.due, self.clock.extended = shown["due"], True

    def _timed_out(self, row: Row, shown: dict[str, Any]) -> None:
        self._chair(row).timeouts += 1

    def _grace_over(self, row: Row, shown: dict[str, Any]) -> None:
        self.grace = None

    def _paused(self, row: Row, shown: dict[str, Any]) -> None:
        assert self.clock is not None
        self.clock.left = shown["left"]

    def _changed_beside(self, row: Row, shown: dict[str, Any]) -> None:
        """A seat's name or token has changed, which stand beside the log."""
        self.said.clear()

    def _uncovered(self, row: Row, shown: dict[str, Any]) -> None:
        self._chair(row).uncovered = row.seq

    def _match_over(self, row: Row, shown: dict[str, Any]) -> None:
        self.ended[self.match_number] = self.totals, tuple(shown["winners"])

    def _reacted(self, row: Row, shown: dict[str, Any]) -> None:
        self._chair(row).reaction = (shown["reaction"], row.seq, row.at)

    def _published(self, row: Row, shown: dict[str, Any]) -> None:
        self.public = shown["public"]

    def _asked(self, row: Row, shown: dict[str, Any]) -> None:
        self.asks_first = shown["asks"]

    def _knocked(self, row: Row, shown: dict[str, Any]) -> None:
        self.knocks[shown["knock"]].state = WAITING

    def _knock_over(self, row: Row, shown: dict[str, Any]) -> None:
        self._end_knock(shown["knock"], shown["how"])

    def _end_knocks(self, how: str) -> None:
        for number in self.knocking:
            self._end_knock(number, how)

    def _end_knock(self, number: int, how: str) -> None:
        self.knocks[number].state, self.knocks[number].name = how, ""
        if self._script is None:
            self.fresh_knocks.append(number)

    def _paced(self, row: Row, shown: dict[str, Any]) -> None:
        self.pace = shown["pace"]

    def _proposed(self, row: Row, shown: dict[str, Any]) -> None:
        assert row.seat is not None
        self.proposed.add(row.seat)

    def _taken_back(self, row: Row, shown: dict[str, Any]) -> None:
        assert row.seat is not None
        self.proposed.discard(row.seat)

    def _ended(self, row: Row, shown: dict[str, Any]) -> None:
        assert self.match is not None
        self.match.end()
        self._settle(ended=True)

    def _conceded(self, row: Row, shown: dict[str, Any]) -> None:
        assert self.match is not None
        assert row.seat is not None
        self._take_events(self.match.concede(row.seat), None, None)
        self._settle(ended=True)

    def _chair(self, row: Row) -> Chair:
        assert row.seat is not None
        return self.chairs[row.seat]

    def _scripted(self) -> Row:
        """The next row of the log that is being replayed."""
        if not self._script:
            raise LogError(
                f"Table {self.name} does not replay: more comes out after event {self.version} than is stored."
            )
        return self._script.popleft()


Fold = Callable[[Folding, Row, dict[str, Any]], None]
_FOLDS: Final[dict[str, Fold]] = {
    "created": Folding._created,
    "committed": Folding._committed,
    "contributed": Folding._contributed,
    "revealed": Folding._revealed,
    "round": Folding._dealt,
    "joined": Folding._joined,
    "removed": Folding._removed,
    "host": Folding._hosted,
    "started": Folding._started,
    "match": Folding._matched,
    "left": Folding._left,
    "returned": Folding._returned,
    "away": Folding._gone,
    "overdue": Folding._overdue,
    "here": Folding._here,
    "renamed": Folding._changed_beside,
    "forgotten": Folding._changed_beside,
    "rekeyed": Folding._changed_beside,
    "uncovered": Folding._uncovered,
    "match-over": Folding._match_over,
    "react": Folding._reacted,
    "public": Folding._published,
    "asks": Folding._asked,
    "knocked": Folding._knocked,
    "knock-over": Folding._knock_over,
    "pace": Folding._paced,
    "clock": Folding._clock_set,
    "stand-in": Folding._stand_in_set,
    "more-time": Folding._more_time,
    "timed-out": Folding._timed_out,
    "grace-over": Folding._grace_over,
    "clock-paused": Folding._paused,
    "end-proposed": Folding._proposed,
    "end-taken-back": Folding._taken_back,
    "ended": Folding._ended,
    "conceded": Folding._conceded,
}
OWN_KINDS: Final = frozenset(_FOLDS)
"""The kinds of events that are a table's own; all others are the engine's."""
BESIDE: Final = frozenset(
    {
        "joined",
        "host",
        "renamed",
        "rekeyed",
        "public",
        "asks",
        "pace",
        "clock",
        "stand-in",
        "react",
        "left",
        "end-proposed",
    }
)
"""Those that somebody could add again and again without a card being played; `checks.room` sets an end to it.

All others come once for one of these, for a deal or a turn, at most so often at a table (knocks), or at the pace at which
somebody counts as away.
"""


def _rules_from(said: dict[str, Any]) -> Ruleset:
    return Ruleset(said["book"], tuple(said["parts"]), tuple(sorted(said["values"].items())), said["seats"])
