"""A live table: the fold of one log over `maumau.Match`, and the commands that lengthen it.

Each command writes rows; the first of those that an action of the engine brings about keeps the action itself
(``does``). Replaying does these actions again, with the round seeds from the store, and compares every event that comes
out with the one that was stored. No rule is known here: the engine is asked.
"""

from __future__ import annotations

import hashlib
import json
from collections import deque
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, Final, cast

from maumau.cards import Card, Suit
from maumau.game import Action, Event, IllegalActionError, Match, Observation, Outcome, Round, fair
from maumau.game.event import EventKind
from maumau.ruleset import Ruleset
from maumau.tables.errors import LogError
from maumau.tables.ledger import Row, Stored
from maumau.tables.names import bot_name

TAIL: Final = 100
"""So many of the last events stay in memory, for the log of a view."""

REACTIONS: Final = ("hello", "well-played", "wow", "haha", "oh-no", "sorry", "thanks", "go-on")
"""What people may say to each other at any table, strangers too."""
REACTION_MS: Final = 3_000
"""One reaction in this time for each seat."""

FORGET_EVERY: Final = 16
"""After so many actions the engine's way back to earlier states is dropped."""

HUMAN: Final = "human"
BOT: Final = "bot"
OPEN: Final = "open"
BOT_COMMAND: Final = "bot:"
"""How the ids of bots' commands begin; the version follows. No person's id may."""
STAND_IN: Final = "normal"
"""The bot that sits in for a person who has left, and that fills an open seat at the start."""


@dataclass(slots=True)
class Chair:
    """Who sits on a seat."""

    kind: str
    level: str | None
    name: str = ""
    token: bytes | None = None
    away: bool = False
    """Has left, and a bot sits in."""
    absent: bool = False
    """A person whose last device has gone; the seat waits."""
    overdue: bool = False
    """Absent for so long that the others may ask a bot to sit in."""
    reaction: tuple[str, int, int] | None = None
    """The last quick reaction: its code, the number of its event, and when it was."""

    @property
    def plays_itself(self) -> bool:
        """A bot acts here: by nature, or for a person who has left."""
        return self.kind == BOT or self.away

    @property
    def present(self) -> bool:
        """A person sits here and plays."""
        return self.kind == HUMAN and not self.away

    @property
    def attended(self) -> bool:
        """A person sits here, plays, and has not gone away from the screen."""
        return self.present and not self.absent

    def settled(self) -> None:
        """Whoever sits here now is there."""
        self.absent = self.overdue = False


@dataclass(slots=True)
class Deal:
    """How the seed of a round came about; the secret is empty until the round is over."""

    number: int
    """The table's n-th round, over all its matches."""
    commitment: str
    contributions: tuple[str, ...]
    secret: str = ""

    def as_json(self, table: str) -> dict[str, Any]:
        """The deal as it stands in a record."""
        said: dict[str, Any] = {
            "table": table,
            "deal": self.number,
            "commitment": self.commitment,
            "contributions": list(self.contributions),
        }
        return said | {"secret": self.secret} if self.secret else said


@dataclass(frozen=True, slots=True)
class FinishedRound:
    """What a finished round left on the score sheet."""

    match: int
    round: int
    points: tuple[int | None, ...]
    winner: int | None
    blocked: bool


class LiveTable:
    """One table in memory. Commands change it at once; whoever called them stores ``fresh`` or throws the table away."""

    def __init__(self, name: str, rules: str, *, public: bool, key: bytes) -> None:
        self.name = name
        self.code = rules
        self.public = public
        self.key = key
        self.version = 0
        self.chairs: list[Chair] = []
        self.seeds: dict[tuple[int, int], bytes] = {}
        self.tail: deque[Row] = deque(maxlen=TAIL)
        self.fresh: list[Row] = []
        self.fresh_seats: list[int] = []
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
        self.match_number = 0
        self.match: Match | None = None
        self.rules: Ruleset | None = None
        self.finished: list[FinishedRound] = []
        self.over = False
        self.totals: tuple[int, ...] = ()
        self.proposed: set[int] = set()
        self.decided: list[int] = []
        self.acted: list[int] = []
        self.round_began = 0
        self.said: dict[tuple[int | None, str], tuple[int, tuple[Any, ...]]] = {}
        """The log's last lines by seat and language, and up to which event: a view only adds to them."""
        self._script: deque[Row] | None = None
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

    @property
    def open_seats(self) -> list[int]:
        """The seats that nobody has taken yet."""
        return [seat for seat, chair in enumerate(self.chairs) if chair.kind == OPEN]

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

    def bot_seed(self, seat: int) -> int:
        """The chance of the bot on a seat at this version: a replay repeats it, and nobody can foresee it."""
        assert self.match is not None
        secret = self.seeds[self.match_number, self.match.round_number]
        text = f"bot|{self.name}|{seat}|{self.version}".encode()
        return int.from_bytes(hashlib.sha256(secret + text).digest()[:8], "big")

    # --- commands -------------------------------------------------------------------------------------------------

    def begin(self, at: int, command: str | None = None) -> None:
        """The next rows belong to a command that came at this time."""
        self.fresh, self.fresh_seats, self.fresh_seeds, self.fresh_secrets = [], [], [], []
        self._at = at
        self._command = command

    def create(self, rules: Ruleset, chairs: list[Chair], pace: str, turn_seconds: int | None) -> None:
        """The first event: what is agreed, resolved for so many seats, and who sits where."""
        seats = [{"kind": chair.kind, "level": chair.level} for chair in chairs]
        self.chairs = chairs
        self.fresh_seats = list(range(len(chairs)))
        self._write(
            "created", None, {"rules": _rules_json(rules), "seats": seats, "pace": pace, "turn_seconds": turn_seconds}
        )
        self._commit_to(1)

    def contribute(self, seat: int, contribution: str) -> None:
        """A seat adds its share to the next deal's chance; the first one stands."""
        if self.committed is not None and seat not in self.contributions:
            self._write("contributed", seat, {"contribution": contribution})

    def join(self, seat: int, name: str, token: bytes) -> None:
        """A person takes an open seat."""
        self.chairs[seat].name, self.chairs[seat].token = name, token
        self.fresh_seats.append(seat)
        self._write("joined", seat, {})

    def remove(self, seat: int) -> None:
        """A seat is open again; the host's role moves to a person who is still here."""
        self.chairs[seat].name, self.chairs[seat].token = "", None
        self.fresh_seats.append(seat)
        self._write("removed", seat, {})
        if seat == self.host and self.people:
            self.make_host(self.people[0])

    def make_host(self, seat: int) -> None:
        """Another person is the host."""
        self._write("host", seat, {})

    def start(self, seed: Callable[[], bytes]) -> None:
        """Bots take the seats still open, and the first match begins."""
        filled = self.open_seats
        self.fresh_seats += filled
        for seat in filled:
            self.chairs[seat].name = bot_name(self.names)
        self._write("started", None, {"filled": filled, "level": STAND_IN})
        self._new_match(seed)

    def rematch(self, seed: Callable[[], bytes]) -> None:
        """Once more at the same table."""
        self._new_match(seed)

    def _new_match(self, seed: Callable[[], bytes]) -> None:
        """A match begins, and its first round is dealt."""
        self._write("match", None, {"match": self.match_number + 1})
        self._next(1, seed())

    def next_round(self, seed: bytes) -> None:
        """The next round is dealt."""
        assert self.match is not None
        self._next(self.match.round_number + 1, seed)

    def _next(self, number: int, seed: bytes) -> None:
        """The engine deals a round from a seed that only the store knows.

        ``seed`` serves where no commitment stands: at a table of an earlier version, or where a test fixes the deals.
        """
        assert self.rules is not None
        told: dict[str, Any] = {"match": self.match_number, "round": number}
        if self.committed is not None:
            deal, commitment = self.committed
            given = [self.contributions.get(seat, "") for seat in range(len(self.chairs))]
            seed = fair.seed_of(self.secrets[deal], self.name, deal, given).to_bytes(fair.SEED_BYTES, "big")
            told |= {"deal": deal, "commitment": commitment, "contributions": given}
        self.seeds[self.match_number, number] = seed
        self.fresh_seeds.append((self.match_number, number, seed))
        chance = int.from_bytes(seed, "big")
        if self.match is None:
            self.match = Match(self.rules, seats=len(self.chairs), seed=0, round_seed=chance)
        else:
            self.match.next_round(chance)
        dealt = self.match.round
        self._write("round", None, told | {"dealer": dealt.dealer})
        self.round_began = self.version
        self._take_events(dealt.events, None, None)
        self._known = []
        self._settle()

    def act(self, seat: int, action: Action, text: str | None = None) -> None:
        """An action of the engine; raises IllegalActionError, and then nothing has changed.

        ``text`` is the action as somebody wrote it, with the number of a take.
        """
        assert self.match is not None
        events = self.match.push(text or action, seat)
        self._take_events(events, str(action), seat)
        self._settle()
        self.acted[seat] = self.version
        self._forget_way_back()

    def _forget_way_back(self) -> None:
        """A table takes nothing back: the states before each action would only fill the memory."""
        assert self.match is not None
        self._actions += 1
        if self._actions % FORGET_EVERY == 0 or self.match.round.over:
            self.match.round = self.match.round.copy()

    def leave(self, seat: int, asked_by: int | None = None) -> None:
        """A bot sits in, perhaps because somebody else asked it to; the host's role moves to a person who is here."""
        self._write("left", seat, {"level": STAND_IN} | ({} if asked_by is None else {"asked_by": asked_by}))
        if seat == self.host and self.people:
            self.make_host((self.attended or self.people)[0])

    def go_away(self, seat: int) -> None:
        """A person is away; the host's role moves to somebody who is here."""
        self._write("away", seat, {})
        if seat == self.host and self.attended:
            self.make_host(self.attended[0])

    def be_overdue(self, seat: int) -> None:
        """A person has been away for the table's limit."""
        self._write("overdue", seat, {})

    def come_back(self, seat: int) -> None:
        """A person who was away is here, and is the host where the host is not."""
        self._write("here", seat, {})
        if self.chairs[self.host].absent:
            self.make_host(seat)

    def return_(self, seat: int) -> None:
        """A person takes the seat back, and the host's role where nobody else had it."""
        alone = not self.people
        self._write("returned", seat, {})
        if alone and self.host != seat:
            self.make_host(seat)

    def react(self, seat: int, reaction: str) -> None:
        """A person shows what it thinks of the game, in one of few ways."""
        self._write("react", seat, {"reaction": reaction})

    def make_public(self, public: bool, seat: int) -> None:
        """Strangers may see the table in the lobby, join and watch; or no longer."""
        self._write("public", seat, {"public": public})

    def set_pace(self, pace: str, seat: int) -> None:
        """The bots take their time as people like it."""
        self._write("pace", seat, {"pace": pace})

    def propose_end(self, seat: int) -> None:
        """Somebody wants to stop; when everybody here does, the match is over."""
        if seat not in self.proposed:
            self._write("end-proposed", seat, {})
        self.end_if_agreed()

    def end_if_agreed(self) -> None:
        """End the match when every person here wants to."""
        if self.match is not None and not self.over and self.people and self.proposed.issuperset(self.people):
            self._write("ended", None, {})

    # --- writing and folding --------------------------------------------------------------------------------------

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
        text, secret = _dumps(shown), None if hidden is None else _dumps(hidden)
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
        fold = _FOLDS.get(row.kind)
        if fold is not None:
            fold(self, row, shown)

    def _take_events(self, events: Iterable[Event], does: str | None, by_seat: int | None) -> None:
        for event in events:
            shown, hidden = split(event)
            if event.kind in ("play", "call") and event.seat is not None and self.match is not None:
                shown["left"] = self.match.round.counts[event.seat]
            self._write(event.kind, event.seat, shown, hidden, does, by_seat)
            does = by_seat = None

    def _settle(self, *, ended: bool = False) -> None:
        """After the engine has moved: what became of everybody's decision, of the round and of the match."""
        assert self.match is not None
        now = self._decisions()
        for seat, decision in enumerate(now):
            if not self._known or self._known[seat] != decision:
                self.decided[seat] = self.version
        self._known = now
        if not self.match.round.over and not ended:
            return
        if self.match.round.over and not self._round_is_noted():
            self._note_round()
        self._reveal()
        self.over, self.totals = self.match.over, self.match.totals
        if self.over:
            self._write("match-over", None, {"winners": list(self.winners)})

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

    def _note_round(self) -> None:
        assert self.match is not None
        outcome = self.match.round.outcome()
        if outcome is None:
            return
        playing = self.match.players
        points = tuple(p if seat in playing else None for seat, p in enumerate(outcome.points))
        self.finished.append(
            FinishedRound(self.match_number, self.match.round_number, points, outcome.winner, outcome.blocked)
        )

    def _created(self, row: Row, shown: dict[str, Any]) -> None:
        self.rules = _rules_from(shown["rules"])
        if not self.chairs:
            self.chairs = [Chair(seat["kind"], seat["level"]) for seat in shown["seats"]]
        self.pace, self.turn_seconds = shown["pace"], shown["turn_seconds"]
        self.decided = [0] * len(self.chairs)
        self.acted = [0] * len(self.chairs)
        self.totals = (0,) * len(self.chairs)

    def _joined(self, row: Row, shown: dict[str, Any]) -> None:
        self._chair(row).kind = HUMAN
        self._chair(row).settled()
        self.said.clear()

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

    def _revealed(self, row: Row, shown: dict[str, Any]) -> None:
        self.deals[shown["round"]].secret = shown["secret"]

    def _hosted(self, row: Row, shown: dict[str, Any]) -> None:
        assert row.seat is not None
        self.host = row.seat

    def _started(self, row: Row, shown: dict[str, Any]) -> None:
        for seat in shown["filled"]:
            self.chairs[seat].kind, self.chairs[seat].level = BOT, shown["level"]

    def _matched(self, row: Row, shown: dict[str, Any]) -> None:
        self.match_number = shown["match"]
        self.match, self.over = None, False
        self.totals = (0,) * len(self.chairs)
        self.deals.clear()
        self.proposed.clear()

    def _left(self, row: Row, shown: dict[str, Any]) -> None:
        self._chair(row).away, self._chair(row).level = True, shown["level"]
        self._chair(row).settled()
        assert row.seat is not None
        self.proposed.discard(row.seat)

    def _returned(self, row: Row, shown: dict[str, Any]) -> None:
        self._chair(row).away, self._chair(row).level = False, None

    def _gone(self, row: Row, shown: dict[str, Any]) -> None:
        self._chair(row).absent = True

    def _overdue(self, row: Row, shown: dict[str, Any]) -> None:
        self._chair(row).overdue = True

    def _here(self, row: Row, shown: dict[str, Any]) -> None:
        self._chair(row).settled()

    def _reacted(self, row: Row, shown: dict[str, Any]) -> None:
        self._chair(row).reaction = (shown["reaction"], row.seq, row.at)

    def _published(self, row: Row, shown: dict[str, Any]) -> None:
        self.public = shown["public"]

    def _paced(self, row: Row, shown: dict[str, Any]) -> None:
        self.pace = shown["pace"]

    def _proposed(self, row: Row, shown: dict[str, Any]) -> None:
        assert row.seat is not None
        self.proposed.add(row.seat)

    def _ended(self, row: Row, shown: dict[str, Any]) -> None:
        assert self.match is not None
        self.match.end()
        self._settle(ended=True)

    def _chair(self, row: Row) -> Chair:
        assert row.seat is not None
        return self.chairs[row.seat]

    # --- replaying ------------------------------------------------------------------------------------------------

    @classmethod
    def replay(cls, stored: Stored, upto: int | None = None) -> LiveTable:
        """A table from its log, whole or up to a version; raises LogError where the engine tells another story."""
        table = cls(stored.table, stored.rules, public=stored.public, key=stored.key)
        table.seeds, table.secrets = dict(stored.seeds), dict(stored.secrets)
        table._script = deque(row for row in stored.rows if upto is None or row.seq <= upto)
        while table._script:
            table._redo(table._script[0])
            if table.version == 1:
                table._name_seats(stored)
        table._script = None
        return table

    def _redo(self, row: Row) -> None:
        if row.kind == "round":
            shown = json.loads(row.shown)
            self._next(shown["round"], self.seeds[shown["match"], shown["round"]])
        elif row.does is None:
            self._fold(self._scripted(), json.loads(row.shown))
        elif self.match is None or row.by_seat is None:
            raise LogError(f"Table {self.name} does not replay: event {row.seq} acts before the first deal.")
        else:
            self._redo_action(row.by_seat, row.does)

    def _redo_action(self, seat: int, does: str) -> None:
        try:
            self.act(seat, Action.parse(does))
        except IllegalActionError as error:
            told = f"{does} of seat {seat} is refused ({error.reason})"
            # without the error itself: its text holds every hand
            raise LogError(f"Table {self.name} does not replay after event {self.version}: {told}.") from None

    def _scripted(self) -> Row:
        """The next row of the log that is being replayed."""
        if not self._script:
            raise LogError(
                f"Table {self.name} does not replay: more comes out after event {self.version} than is stored."
            )
        return self._script.popleft()

    def _name_seats(self, stored: Stored) -> None:
        for seat in stored.seats:
            self.chairs[seat.seat].name, self.chairs[seat.seat].token = seat.name, seat.token


Fold = Callable[[LiveTable, Row, dict[str, Any]], None]
_FOLDS: Final[dict[str, Fold]] = {
    "created": LiveTable._created,
    "committed": LiveTable._committed,
    "contributed": LiveTable._contributed,
    "revealed": LiveTable._revealed,
    "round": LiveTable._dealt,
    "joined": LiveTable._joined,
    "removed": LiveTable._removed,
    "host": LiveTable._hosted,
    "started": LiveTable._started,
    "match": LiveTable._matched,
    "left": LiveTable._left,
    "returned": LiveTable._returned,
    "away": LiveTable._gone,
    "overdue": LiveTable._overdue,
    "here": LiveTable._here,
    "react": LiveTable._reacted,
    "public": LiveTable._published,
    "pace": LiveTable._paced,
    "end-proposed": LiveTable._proposed,
    "ended": LiveTable._ended,
}
OWN_KINDS: Final = frozenset((*_FOLDS, "match-over"))
"""The kinds of events that are a table's own; all others are the engine's."""


# --- events as they are stored --------------------------------------------------------------------------------------


def split(event: Event) -> tuple[dict[str, Any], dict[str, Any] | None]:
    """What everybody may know of an event, and what only its own seat may know besides."""
    shown = _event_json(event.seen_by(None))
    own = shown if event.seat is None else _event_json(event.seen_by(event.seat))
    hidden = {key: value for key, value in own.items() if shown.get(key) != value}
    return shown, hidden or None


def _event_json(event: Event) -> dict[str, Any]:
    """The fields of an event that say something; cards only where all of them are seen."""
    said = {key: value for key, value in event.as_json().items() if key not in ("kind", "seat")}
    if None in event.cards:
        said["cards_n"] = len(said.pop("cards"))
    return said


def seen(row: Row, seat: int | None) -> dict[str, Any]:
    """What a seat may know of a stored event; None is a spectator."""
    said: dict[str, Any] = json.loads(row.shown)
    if row.hidden is not None and seat is not None and seat == row.seat:
        said |= json.loads(row.hidden)
        said.pop("cards_n", None)
    return said


def event_of(row: Row, seat: int | None) -> Event:
    """The engine's event that a row keeps, as a seat may see it."""
    said = seen(row, seat)
    text = said.get("action", "")
    cards = said.get("cards")
    return Event(
        kind=cast("EventKind", row.kind),
        seat=row.seat,
        action=Action.parse(text) if text else None,
        text=text,
        cards=(None,) * said.get("cards_n", 0) if cards is None else tuple(Card.parse(card) for card in cards),
        count=said.get("count", 0),
        wish=Suit.parse(said["wish"]) if "wish" in said else None,
        target=said.get("target"),
        by_itself=said.get("by_itself", False),
    )


def _rules_json(rules: Ruleset) -> dict[str, Any]:
    return {"book": rules.book, "parts": list(rules.parts), "values": dict(rules.pairs), "seats": rules.seats}


def _rules_from(said: dict[str, Any]) -> Ruleset:
    return Ruleset(said["book"], tuple(said["parts"]), tuple(sorted(said["values"].items())), said["seats"])


def _dumps(value: dict[str, Any]) -> str:
    return json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
