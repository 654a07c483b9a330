"""A live table: the commands that lengthen its log, and the replay of one. The fold is in `folding`, the questions in `state`.

Each command writes rows; the first of those that an action of the engine brings about keeps the action itself
(``does``). Replaying does these actions again, with the round seeds from the store, and compares every event that comes
out with the one that was stored. No rule is known here: the engine is asked.
"""

from __future__ import annotations

import json
from collections import deque
from collections.abc import Callable
from typing import Any, Final

from maumau.game import Action, IllegalActionError, Match, fair
from maumau.ruleset import Ruleset
from maumau.tables.chairs import OPEN, STAND_IN, Chair
from maumau.tables.errors import LogError
from maumau.tables.folding import Folding
from maumau.tables.knocks import IN, Knock
from maumau.tables.ledger import Row, Stored
from maumau.tables.names import bot_name
from maumau.tables.timing import EXTENSION_MS

REACTIONS: Final = ("hello", "well-played", "wow", "haha", "oh-no", "sorry", "thanks", "go-on")
"""What people may say to each other at any table, strangers too."""
REACTION_MS: Final = 3_000
"""One reaction in this time for each seat."""

FORGET_EVERY: Final = 16
"""After so many actions the engine's way back to earlier states is dropped."""
GOES_ON: Final = ("draw", "call", "catch")
"""Actions after which the seat on turn, where it is the same, is still in the same turn: its clock runs on."""


class LiveTable(Folding):
    """One table in memory. Commands change it at once; whoever called them stores ``fresh`` or throws the table away."""

    def begin(self, at: int, command: str | None = None) -> None:
        """The next rows belong to a command that came at this time."""
        self.fresh, self.fresh_seats, self.fresh_seeds, self.fresh_secrets = [], [], [], []
        self.fresh_knocks = []
        self._at = at
        self._command = command

    def create(
        self, rules: Ruleset, chairs: list[Chair], pace: str, turn_seconds: int | None, stand_in_seconds: int | None
    ) -> None:
        """The first event: what is agreed, resolved for so many seats, and who sits where."""
        seats = [{"kind": chair.kind, "level": chair.level} for chair in chairs]
        self.chairs = chairs
        self.fresh_seats = list(range(len(chairs)))
        times = {"turn_seconds": turn_seconds, "stand_in_seconds": stand_in_seconds}
        self._write("created", None, {"rules": _rules_json(rules), "seats": seats, "pace": pace} | times)
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
        if self.chairs[self.host].kind == OPEN:  # whoever invited has been forgotten
            self.make_host(seat)

    def knock(self, name: str, token: bytes) -> None:
        """Somebody asks to be let in. The name is kept beside the log, as a seat's is."""
        number = len(self.knocks) + 1
        self.knocks[number] = Knock(name, token)
        self.fresh_knocks.append(number)
        self._write("knocked", None, {"knock": number})

    def end_knock(self, number: int, how: str) -> None:
        """A knock waits no more: turned away, or withdrawn."""
        self._write("knock-over", None, {"knock": number, "how": how})

    def let_in(self, number: int, name: str) -> None:
        """Whoever knocked takes the first free seat; the secret of the knock opens it."""
        seat, token = self.open_seats[0], self.knocks[number].token
        self.end_knock(number, IN)
        self.join(seat, name, token)

    def ask_first(self, asks: bool, seat: int) -> None:
        """Whoever comes by the word or from the lobby knocks, or sits down at once."""
        self._write("asks", seat, {"asks": asks})

    def rename(self, seat: int, name: str) -> None:
        """A person goes by another name. The name itself is kept beside the log, so that it can be deleted."""
        self.chairs[seat].name = name
        self.fresh_seats.append(seat)
        self._write("renamed", seat, {})

    def rekey(self, seat: int, token: bytes) -> None:
        """Another token opens this seat from now on, and the one before opens nothing."""
        self.chairs[seat].token = token
        self.fresh_seats.append(seat)
        self._write("rekeyed", seat, {})

    def forget(self, seat: int, name: str) -> None:
        """A person is gone for good: the seat is free before the start, later a bot's, and opens to no token any more."""
        if self.state == "waiting":
            self.remove(seat)
            return
        if self.chairs[seat].present:
            self.leave(seat)
            self.end_if_agreed()
        self.chairs[seat].name, self.chairs[seat].token = name, None
        self.fresh_seats.append(seat)
        self._write("forgotten", seat, {})

    def uncover(self, seat: int) -> None:
        """On a device that several people share, this seat's hand lies open while its turn lasts."""
        self._write("uncovered", seat, {})

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
        self._known, self._turn = [], None
        self._settle()

    def act(self, seat: int, action: Action, text: str | None = None) -> None:
        """An action of the engine; raises IllegalActionError, and then nothing has changed.

        ``text`` is the action as somebody wrote it, with the number of a take.
        """
        assert self.match is not None
        events = self.match.push(text or action, seat)
        self._take_events(events, str(action), seat)
        self._settle(turn_began=action.kind not in GOES_ON, played_by=seat if action.kind == "play" else None)
        self.acted[seat] = self.version
        self._forget_way_back()

    def _forget_way_back(self) -> None:
        """A table takes nothing back: the states before each action would only fill the memory."""
        assert self.match is not None
        self._actions += 1
        if self._actions % FORGET_EVERY == 0 or self.match.round.over:
            self.match.round = self.match.round.copy()

    def leave(self, seat: int, asked_by: int | None = None, *, at_limit: bool = False) -> None:
        """A bot sits in: the person leaves, or is away and somebody else asks for it, or the table's limit is over.

        The host's role moves to a person who is here.
        """
        why = {"asked_by": asked_by} if asked_by is not None else {"after": self.stand_in_seconds} if at_limit else {}
        self._write("left", seat, {"level": STAND_IN} | why)
        if seat == self.host and self.people:
            self.make_host((self.attended or self.people)[0])
        self._note_pause()

    def go_away(self, seat: int) -> None:
        """A person is away; the host's role moves to somebody who is here."""
        self._write("away", seat, {})
        self._note_pause()
        if seat == self.host and self.attended:
            self.make_host(self.attended[0])

    def _note_pause(self) -> None:
        """Everybody is away: what is left of the clock stands in the log, since a restart may have moved its end."""
        if self.clock is not None and self.clock.due is None and not self.attended:
            self._write("clock-paused", None, {"left": self.clock.left})

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

    def set_clock(self, seconds: int | None, seat: int) -> None:
        """How long a person may think about a turn; None: as long as it takes."""
        self._write("clock", seat, {"turn_seconds": seconds})

    def set_stand_in(self, seconds: int | None, seat: int) -> None:
        """After how long away a bot sits in by itself; None: only when somebody asks for one."""
        self._write("stand-in", seat, {"stand_in_seconds": seconds})

    def more_time(self, seat: int) -> None:
        """The seat on turn asks for more time."""
        assert self.clock is not None
        assert self.clock.due is not None
        self._write("more-time", seat, {"due": self.clock.due + EXTENSION_MS})

    def end_grace(self) -> None:
        """From now on whoever owes a call can be caught, and the next card may go down."""
        assert self.grace is not None
        self._write("grace-over", self.grace.seat, {})

    def time_out(self, seat: int) -> None:
        """The clock of the seat on turn is at its end; what a bot decides for it follows."""
        self._write("timed-out", seat, {"level": STAND_IN})

    def propose_end(self, seat: int) -> None:
        """Somebody wants to stop; when everybody here does, the match is over."""
        if seat not in self.proposed:
            self._write("end-proposed", seat, {})
        self.end_if_agreed()

    def take_back_end(self, seat: int) -> None:
        """Somebody who wanted to stop goes on after all."""
        if seat in self.proposed:
            self._write("end-taken-back", seat, {})

    def concede(self, seat: int) -> None:
        """Somebody gives the match up, and it is over."""
        self._write("conceded", seat, {})

    def end_if_agreed(self) -> None:
        """End the match when every person here wants to."""
        if self.match is not None and not self.over and self.people and self.proposed.issuperset(self.people):
            self._write("ended", None, {})

    # --- replaying ------------------------------------------------------------------------------------------------

    @classmethod
    def replay(cls, stored: Stored, upto: int | None = None) -> LiveTable:
        """A table from its log, whole or up to a version; raises LogError where the engine tells another story."""
        table = cls(stored.table, stored.rules, public=stored.public, key=stored.key)
        table.seeds, table.secrets = dict(stored.seeds), dict(stored.secrets)
        table.word = stored.code
        table._script = deque(row for row in stored.rows if upto is None or row.seq <= upto)
        while table._script:
            table._redo(table._script[0])
            if table.version == 1:
                table._name_seats(stored)
        table._script = None
        if upto is None and stored.clock_due is not None and table.clock is not None and table.clock.due is not None:
            table.clock.due = stored.clock_due  # later than the log says where a server was down meanwhile
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

    def _name_seats(self, stored: Stored) -> None:
        for seat in stored.seats:
            self.chairs[seat.seat].name, self.chairs[seat.seat].token = seat.name, seat.token
        self.knocks = {knock.knock: Knock(knock.name, knock.token) for knock in stored.knocks}


def _rules_json(rules: Ruleset) -> dict[str, Any]:
    return {"book": rules.book, "parts": list(rules.parts), "values": dict(rules.pairs), "seats": rules.seats}
