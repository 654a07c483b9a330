"""Firing what is due: a bot's turn or shout as a command of its own, and the end of a table's life."""

from __future__ import annotations

import hashlib
import logging
from collections.abc import Awaitable, Callable
from typing import Final

from maumau.game import Action, IllegalActionError
from maumau.tables import ledger, played
from maumau.tables.clockwork import KEPT_MS, NAMES_MS, Asked, ask, ask_all, plan_stand_in
from maumau.tables.desk import Desk
from maumau.tables.errors import ConflictError
from maumau.tables.events import BOT_COMMAND
from maumau.tables.ledger import Command, Timer
from maumau.tables.slots import Slot
from maumau.tables.table import GOES_ON, LiveTable

TIMEOUTS: Final = 2
"""After so many turns in a row a bot sits in for a person who is away, unless the table wants to be asked."""

log = logging.getLogger(__name__)


class Firing(Desk):
    """What the clockwork asks for."""

    async def ask_bots(self, timer: Timer) -> list[Asked]:
        """The bots that have something to decide at the version of a due row; none when the table has moved on."""
        async with self._slot(timer.table).lock:
            live = await self._fresh(timer.table, "en")
            return ask_all(live) if live.version == timer.expected else []

    async def act_for_bot(
        self, timer: Timer, asked: Asked, action: Action, choose: Callable[[Asked], Awaitable[Action]]
    ) -> bool:
        """Do what a bot has decided, as the command ``bot:<version>``; False when it may not, or is too late.

        A pass right after a draw is kept in the same moment as the draw: to the others it looks like the pass that
        follows by itself when the drawn card does not fit.
        """
        return await self._shielded(self._act_for_bot(timer, asked, action, choose))

    async def _act_for_bot(
        self, timer: Timer, asked: Asked, action: Action, choose: Callable[[Asked], Awaitable[Action]]
    ) -> bool:
        slot = self._slot(timer.table)
        async with slot.lock:
            live = await self._fresh(timer.table, "en")
            if live.version != timer.expected:
                return False
            live.begin(self.now(), _command_of(timer))
            try:
                if not _bot_acts(live, asked, action):
                    return False
                if action.kind == "draw" and live.round is not None and live.round.turn == asked.seat:
                    following = await choose(ask(live, asked.seat, on_turn=True))
                    if following.kind == "pass":
                        live.act(asked.seat, following)
            except BaseException:
                slot.forget()
                raise
            return await self._keep(timer, slot, live, asked.seat, action)

    async def _keep(self, timer: Timer, slot: Slot, live: LiveTable, seat: int, action: Action) -> bool:
        """Keep what a bot has done for a seat, as the command of the version it was asked at; False where that is too late."""
        body = hashlib.sha256(str(action).encode()).digest()
        try:
            await self._commit(slot, live, Command(seat, _command_of(timer), body, live.version, "en"))
        except ConflictError:
            return False
        return True

    async def ask_for_person(self, timer: Timer) -> Asked | None:
        """What a bot is told that decides a turn whose clock is at its end; None when the table has moved on."""
        async with self._slot(timer.table).lock:
            live = await self._fresh(timer.table, "en")
            clock = live.clock
            if live.version != timer.expected or clock is None or clock.due is None or clock.due > self.now():
                return None
            return ask(live, clock.seat, on_turn=True)

    async def act_for_person(
        self, timer: Timer, asked: Asked, action: Action, choose: Callable[[Asked], Awaitable[Action]]
    ) -> bool:
        """Do what a bot has decided for a person whose clock is at its end, to the end of the turn."""
        return await self._shielded(self._act_for_person(timer, asked, action, choose))

    async def _act_for_person(
        self, timer: Timer, asked: Asked, action: Action, choose: Callable[[Asked], Awaitable[Action]]
    ) -> bool:
        slot = self._slot(timer.table)
        async with slot.lock:
            live = await self._fresh(timer.table, "en")
            if live.version != timer.expected:
                return False
            live.begin(self.now(), _command_of(timer))
            try:
                live.time_out(asked.seat)
                _bot_acts(live, asked, action)
                while action.kind in GOES_ON and live.round is not None and live.round.turn == asked.seat:
                    again = ask(live, asked.seat, on_turn=True)
                    action = await choose(again)
                    _bot_acts(live, again, action)
                chair = live.chairs[asked.seat]
                if chair.absent and chair.timeouts >= TIMEOUTS and live.stand_in_seconds is not None:
                    live.leave(asked.seat)
                    live.end_if_agreed()
            except BaseException:
                slot.forget()
                raise
            return await self._keep(timer, slot, live, asked.seat, action)

    async def stand_in_is_due(self, timer: Timer) -> None:
        """Somebody has been away for the table's limit: a bot sits in, and whoever comes back takes the seat again."""
        slot = self._slot(timer.table)
        async with slot.lock:
            live = await self._fresh(timer.table, "en")
            due = {seat: live.stand_in_at(seat) for seat in range(len(live.chairs))}
            over = [seat for seat, moment in due.items() if moment is not None and moment <= self.now()]
            if not over:  # the row is older than this process, or than what happened since
                later = plan_stand_in(live)
                await self.store.write(ledger.drop_timer(timer) if later is None else ledger.set_timer(later))
                return
            live.begin(self.now())
            for seat in over:
                live.leave(seat, at_limit=True)
            live.end_if_agreed()
            await self._commit(slot, live, None)

    async def grace_is_due(self, timer: Timer) -> None:
        """The grace after a card is over."""
        slot = self._slot(timer.table)
        async with slot.lock:
            live = await self._fresh(timer.table, "en")
            if live.version == timer.expected and live.grace is not None:
                await self._end_grace(slot, live)
            await self.store.write(ledger.drop_timer(timer))

    async def end_of_life(self, timer: Timer) -> None:
        """Delete a table that nobody has touched for its time, or look again later."""
        slot = self._slot(timer.table)
        async with slot.lock:
            found = ledger.last_activity(self.store.read(), timer.table)
            if found is None:
                await self.store.write(ledger.drop_timer(timer))
                return
            state, last_at = found
            over, names = last_at + KEPT_MS[state], last_at + NAMES_MS
            if state == "match-over" and names <= self.now():
                await self.store.write(ledger.drop_names(timer.table))
                slot.forget()
            if over > self.now():
                later = names if state == "match-over" and names > self.now() else over
                await self.store.write(ledger.put_off(timer, Timer(timer.table, timer.kind, timer.expected, later)))
            elif await self.store.write(ledger.drop_table(timer.table, last_at)):
                slot.forget()
                for watcher in list(slot.watchers):
                    watcher.close()
                self._slots.pop(timer.table, None)
                await self.store.write(lambda db: played.forget_old(db, self.now()))


def _command_of(timer: Timer) -> str:
    """The id of the command that a row fires: the same whichever process fires it."""
    return f"{BOT_COMMAND}{timer.expected}"


def _bot_acts(live: LiveTable, asked: Asked, action: Action) -> bool:
    """Do a bot's action; where the rules refuse it, the first legal one of its turn, and the log says so."""
    try:
        live.act(asked.seat, action)
    except IllegalActionError as error:
        log.error("bot %s at table %s: %s is refused (%s)", asked.level, live.name, action.kind, error.reason)
        if not asked.on_turn:
            return False
        live.act(asked.seat, asked.observation.legal[0])
    return True
