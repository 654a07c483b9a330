"""What a table in memory is, and what can be asked about it. Only its log changes it: see `folding`."""

from __future__ import annotations

import hashlib
from collections import Counter, deque
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final

from maumau.game import Match, Observation, Outcome, Round
from maumau.ruleset import Ruleset
from maumau.tables.chairs import OPEN, Chair
from maumau.tables.knocks import WAITING, Knock
from maumau.tables.ledger import Row
from maumau.tables.names import derived
from maumau.tables.played import Result
from maumau.tables.rounds import Deal, FinishedRound, PlayedMatch

if TYPE_CHECKING:
    from maumau.tables.timing import Grace, TurnClock

TAIL: Final = 100
"""So many of the last events stay in memory, for the log of a view."""


class TableState:
    """One table in memory at one version."""

    def __init__(self, name: str, rules: str, *, public: bool, key: bytes) -> None:
        self.name = name
        self.code = rules
        self.public = public
        self.key = key
        self.watch = derived(key, "watch")
        """The token that lets somebody watch without a seat."""
        self.version = 0
        self.chairs: list[Chair] = []
        self.seeds: dict[tuple[int, int], bytes] = {}
        self.tail: deque[Row] = deque(maxlen=TAIL)
        self.fresh: list[Row] = []
        self.fresh_seats: list[int] = []
        self.fresh_knocks: list[int] = []
        self.fresh_seeds: list[tuple[int, int, bytes]] = []
        self.fresh_secrets: list[tuple[int, bytes]] = []
        self.draw_secret: Callable[[], bytes] | None = None
        """Where the secrets of coming deals come from; None makes no more commitments."""
        self.secrets: dict[int, bytes] = {}
        self.committed: tuple[int, str] | None = None
        """The deal that comes next, and the commitment to its secret."""
        self.last_deal = 0
        self.contributions: dict[int, str] = {}
        self.deals: dict[int, Deal] = {}
        """The committed deals of this match, by round."""
        self.host = 0
        self.pace = "normal"
        self.turn_seconds: int | None = None
        self.stand_in_seconds: int | None = None
        """After so long away a bot sits in by itself; None: only when somebody asks for one."""
        self.match_number = 0
        self.match: Match | None = None
        self.rules: Ruleset | None = None
        self.finished: list[FinishedRound] = []
        self.over = False
        self.totals: tuple[int, ...] = ()
        self.proposed: set[int] = set()
        self.beside: Counter[int] = Counter()
        """How much each seat has added to the log since the last deal without playing."""
        self.refused: Counter[int] = Counter()
        """How many refusals of each seat have been kept since the last deal, in this process."""
        self.decided: list[int] = []
        self.acted: list[int] = []
        self.round_began = 0
        self.turn_began = 0
        """The event with which the turn came to the seat that has it."""
        self.word: str | None = None
        """By which people in one room sit down, while the table waits."""
        self.knocks: dict[int, Knock] = {}
        """Who has asked to be let in, by number."""
        self.asks_first: bool | None = None
        """What the host has said about those who come by the word or from the lobby; None: as it is usual."""
        self.ended: dict[int, tuple[tuple[int, ...], tuple[int, ...]]] = {}
        """Totals and winners of the matches that are over."""
        self.clock: TurnClock | None = None
        """The time of the seat on turn, where it is counted."""
        self.grace: Grace | None = None
        """Nobody can be caught yet, and no other card goes down."""
        self.pace_from = 0
        """From when the bots' waiting counts: the last action, or when somebody came back."""
        self.waits_from = 0
        """From when time away counts at the earliest: somebody is there to wait, and a match is on."""
        self.served_from = 0
        """The same for the process that has the table in memory: before that nobody could be here."""
        self.said: dict[tuple[int | None, str], tuple[int, tuple[Any, ...]]] = {}
        """The log's last lines by seat and language, and up to which event: a view only adds to them."""
        self._script: deque[Row] | None = None
        self._turn: int | None = None
        self._known: list[object] = []
        """What each seat's decision hung on after the last action."""
        self._at = 0
        self._actions = 0
        self._command: str | None = None

    # --- what is asked about a table ------------------------------------------------------------------------------

    @property
    def round(self) -> Round | None:
        """The round on the table: running, or the last one."""
        return None if self.match is None else self.match.round

    @property
    def state(self) -> str:
        """``waiting``, ``playing``, ``round-over`` or ``match-over``."""
        if self.match is None:
            return "waiting"
        if self.over:
            return "match-over"
        return "round-over" if self.match.round.over else "playing"

    @property
    def people(self) -> list[int]:
        """The seats of people who are here."""
        return [seat for seat, chair in enumerate(self.chairs) if chair.present]

    @property
    def attended(self) -> list[int]:
        """The seats of people who are here and look."""
        return [seat for seat, chair in enumerate(self.chairs) if chair.attended]

    def stand_in_at(self, seat: int) -> int | None:
        """When a bot sits in for a seat by itself, in milliseconds since the epoch.

        None where nobody is away there or nobody else waits: while everybody is away, so does the table.
        """
        chair = self.chairs[seat]
        on = self.state in ("playing", "round-over") and bool(self.attended)
        if self.stand_in_seconds is None or not on or not chair.present or not chair.absent:
            return None
        return max(chair.absent_at, self.waits_from, self.served_from) + 1_000 * self.stand_in_seconds

    def may_concede(self, seat: int) -> bool:
        """Whether a seat may give the match up: of two, or where bots play on all the others. More people want to go on."""
        alone = len(self.chairs) == 2 or self.people == [seat]
        return self.state in ("playing", "round-over") and self.chairs[seat].present and alone

    @property
    def open_seats(self) -> list[int]:
        """The seats that nobody has taken yet."""
        return [seat for seat, chair in enumerate(self.chairs) if chair.kind == OPEN]

    @property
    def asks(self) -> bool:
        """Whoever comes by the word or from the lobby is let in by the host; at a public table only if the host says so."""
        usual = not self.public if self.asks_first is None else self.asks_first
        return usual and bool(self.chairs) and self.chairs[self.host].kind != OPEN

    @property
    def knocking(self) -> dict[int, Knock]:
        """The knocks that wait for an answer."""
        return {number: knock for number, knock in self.knocks.items() if knock.state == WAITING}

    @property
    def names(self) -> list[str]:
        """Everybody's name, by seat."""
        return [chair.name for chair in self.chairs]

    @property
    def winners(self) -> tuple[int, ...]:
        """Who has won the match: nobody where it was ended before a round was."""
        return self.match.winners if self.match is not None and self.match.scores else ()

    @property
    def commitment(self) -> str | None:
        """The commitment to the running round's secret, between rounds the one to the next round's."""
        if self.state == "playing" and self.match is not None:
            deal = self.deals.get(self.match.round_number)
            return None if deal is None else deal.commitment
        return None if self.committed is None else self.committed[1]

    def observation(self, seat: int | None) -> Observation | None:
        """What a seat may know of the round; None before the first deal."""
        return None if self.match is None else self.match.round.observation(seat)

    def outcome(self) -> Outcome | None:
        """How the round ended; None while it runs."""
        return None if self.match is None else self.match.round.outcome()

    def stale(self, seat: int, version: int) -> bool:
        """Whether what this seat decides on has changed since a version."""
        return not self.decided[seat] <= version <= self.version

    @property
    def matches(self) -> tuple[PlayedMatch, ...]:
        """Every match of this table, the running one last."""
        told = []
        for number in range(1, self.match_number + 1):
            rounds = tuple(row for row in self.finished if row.match == number)
            totals, winners = self.ended.get(number, (self.totals, ()))
            told.append(PlayedMatch(number, rounds, totals, winners, number in self.ended))
        return tuple(told)

    def results(self) -> tuple[Result, ...]:
        """What the match has come to for each person here; nothing before a round is over."""
        rounds = [row for row in self.finished if row.match == self.match_number]
        if self.rules is None or not rounds:
            return ()
        counts = self.rules["score.count"] == "cards"
        return tuple(
            Result(
                seat=seat,
                match=self.match_number,
                book=self.rules.book,
                seats=len(self.chairs),
                rounds=sum(row.points[seat] is not None for row in rounds),
                rounds_won=sum(row.winner == seat for row in rounds),
                points=self.totals[seat] if counts else None,
                over=self.over,
                won=self.over and seat in self.winners,
            )
            for seat in self.people
        )

    def bot_seed(self, seat: int) -> int:
        """The chance of the bot on a seat at this version: a replay repeats it, and nobody can foresee it."""
        assert self.match is not None
        secret = self.seeds[self.match_number, self.match.round_number]
        text = f"bot|{self.name}|{seat}|{self.version}".encode()
        return int.from_bytes(hashlib.sha256(secret + text).digest()[:8], "big")
