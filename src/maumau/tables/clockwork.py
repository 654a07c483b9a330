"""What is due: bots' turns and shouts at their pace, clocks, seats that nobody looks from. Nothing is kept only in memory.

Each is a row of the store. One loop claims the rows that are due and fires each as a command of its own; a bot's is
called ``bot:<version>``, so that a row fired twice does nothing the second time. A bot gets the Observation of its seat
and nothing else.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, TypeVar

from maumau.bots import Bot
from maumau.game import Action, Observation
from maumau.tables import ledger
from maumau.tables.chairs import STAND_IN
from maumau.tables.errors import WriteError, is_told
from maumau.tables.ledger import CLOCK, SEAT, Timer
from maumau.tables.table import LiveTable

if TYPE_CHECKING:
    from maumau.tables.service import Tables

log = logging.getLogger(__name__)
T = TypeVar("T")

BOTS: Final = "bots"
LIFE: Final = "life"
GRACE: Final = "grace"
SITS_IN: Final = "sits-in"
AWAY_MS: Final = 10_000
"""So long after the last device has gone a person counts as away."""
SILENT_MS: Final = 120_000
"""So long after its last question or command a person counts as away whose browser or program keeps no live connection."""
LIMIT_MS: Final = 30_000
"""So long after it has gone the others may ask a bot to sit in."""
POLL_SECONDS: Final = 1.0
"""Rows of another process are seen at the latest after this."""
RETRY_MS: Final = 5_000
"""A row whose firing failed is tried again after this."""
BEAT_MS: Final = 2_000
"""So often a server with running clocks notes that it runs."""
RECONNECT_MS: Final = 5_000
"""What a clock gets after a restart, besides the time that the server was down."""
GRACE_AT_START_MS: Final = 1_500
"""So long after a start people who must call, or could catch, have time before the bots act."""
AT_ONCE: Final = 64
"""So many rows are fired at the same time."""

HOUR_MS: Final = 3_600_000
DAY_MS: Final = 24 * HOUR_MS
KEPT_MS: Final = {"waiting": DAY_MS, "playing": 7 * DAY_MS, "round-over": 7 * DAY_MS, "match-over": 90 * DAY_MS}
"""How long a table is kept after the last thing that happened there."""
NAMES_MS: Final = 30 * DAY_MS
"""How long the names of people are kept at a table whose match is over."""


BotMaker = Callable[[str, int], Bot]
"""A bot by its level and a seed for its chance."""


@dataclass(frozen=True, slots=True)
class Waits:
    """How long bots wait, in milliseconds."""

    turn: int
    """before a turn"""
    mercy: int
    """before they catch a person, who may still call"""
    chance: int
    """before the next of them acts when one has forgotten its call, so that people can catch it"""


WAITS: Final = {
    "instant": Waits(0, 0, 0),
    "fast": Waits(600, 1_800, 1_800),
    "normal": Waits(900, 1_800, 2_500),
    "slow": Waits(1_800, 2_500, 3_500),
}


@dataclass(frozen=True, slots=True)
class Asked:
    """A bot that has something to decide, and all that it is told."""

    seat: int
    level: str
    seed: int
    observation: Observation
    on_turn: bool
    """Asked for its turn; else for a shout."""


def ask(table: LiveTable, seat: int, *, on_turn: bool) -> Asked:
    """What the bot on a seat is told now."""
    seen = table.match.round.observation(seat) if table.match else None
    assert seen is not None
    return Asked(seat, table.chairs[seat].level or STAND_IN, table.bot_seed(seat), seen, on_turn)


def ask_all(table: LiveTable) -> list[Asked]:
    """The bots that have something to decide: those that may shout, in seat order, then the one on turn."""
    r = table.round
    if r is None or table.state != "playing" or not table.attended:
        return []
    shouts = r.shouts
    bots = [seat for seat, chair in enumerate(table.chairs) if chair.plays_itself]
    asked = [ask(table, seat, on_turn=False) for seat in bots if shouts.get(seat)]
    return asked + [ask(table, seat, on_turn=True) for seat in bots if seat == r.turn]


def plan(table: LiveTable, now: int, *, hurried: bool = False) -> Timer | None:
    """When the bots of a table have something to do; None when there is nothing, or no person is left to see it."""
    r = table.round
    if r is None or table.state != "playing" or not table.attended:
        return None
    bots = {seat for seat, chair in enumerate(table.chairs) if chair.plays_itself}
    shouting = any(seat in bots and actions for seat, actions in r.shouts.items())
    if r.turn not in bots and not shouting:
        return None
    waits = WAITS["instant" if hurried else table.pace]
    wait = waits.turn if r.turn in bots else 0
    owing = set(r.observation(None).owing)
    if owing - bots and shouting:
        wait = max(wait, waits.mercy)
    throwing = {seat for seat, actions in r.shouts.items() if any(action.kind == "throw" for action in actions)}
    if throwing & bots:
        wait = max(wait, waits.turn)
    if owing & bots or throwing - bots:
        wait = max(wait, waits.chance)
    return Timer(table.name, BOTS, table.version, max(now, table.pace_from + wait, _grace_until(table)))


def plan_clock(table: LiveTable) -> Timer | None:
    """When the clock of the seat on turn is at its end; None where none runs."""
    clock = table.clock
    if clock is None or clock.due is None:
        return None
    return Timer(table.name, CLOCK, table.version, max(clock.due, _grace_until(table)))


def plan_grace(table: LiveTable) -> Timer | None:
    """When the grace after a card is over; None where there is none."""
    return None if table.grace is None else Timer(table.name, GRACE, table.version, table.grace.until)


def plan_stand_in(table: LiveTable) -> Timer | None:
    """When a bot sits in next for somebody who has been away for the table's limit; None where nobody waits for that."""
    due = [moment for seat in range(len(table.chairs)) if (moment := table.stand_in_at(seat)) is not None]
    return Timer(table.name, SITS_IN, table.version, min(due)) if due else None


def _grace_until(table: LiveTable) -> int:
    return 0 if table.grace is None else table.grace.until + 1


def plans(table: LiveTable, now: int, *, hurried: bool) -> tuple[tuple[str, Timer | None], ...]:
    """Everything that is due at a table at this version, by kind."""
    return (
        (BOTS, plan(table, now, hurried=hurried)),
        (CLOCK, plan_clock(table)),
        (GRACE, plan_grace(table)),
        (SITS_IN, plan_stand_in(table)),
    )


class Clockwork:
    """The loop that fires what is due."""

    def __init__(self, tables: Tables, bots: BotMaker) -> None:
        self._tables = tables
        self._store = tables.store
        self._make = bots
        self._wake = asyncio.Event()
        self._beat = 0
        self.since = 0
        """When this process began to serve, in milliseconds since the epoch."""
        self._firing: dict[str, asyncio.Task[None]] = {}
        self._resting: dict[str, int] = {}
        """Tables whose row could neither be fired nor be put off, and until when it is left alone."""
        self._loop: asyncio.Task[None] | None = None
        self._pool = ThreadPoolExecutor(max_workers=2, thread_name_prefix="maumau-bot")

    async def start(self) -> None:
        """Begin to fire; what fell due while no server ran waits until people may be back."""
        now = self.since = self._tables.now()
        beat = ledger.last_beat(self._store.read())
        if beat is not None:
            await self._store.write(ledger.give_back(CLOCK, max(0, now - beat) + RECONNECT_MS))
        await self._store.write(ledger.beat(now))
        self._beat = now
        await self._store.write(ledger.shift_overdue(BOTS, now, now + GRACE_AT_START_MS))
        await self._store.write(ledger.shift_overdue(GRACE, now, now + GRACE_AT_START_MS))
        await self._store.write(ledger.shift_overdue(f"{SEAT}*", now + AWAY_MS, now + AWAY_MS))
        await self._store.write(ledger.nobody_looks(now + AWAY_MS, (BOTS, CLOCK, GRACE, SITS_IN)))
        self._loop = asyncio.create_task(self._run(), name="maumau-clockwork")

    async def stop(self) -> None:
        """Fire nothing more; what is being fired is finished."""
        if self._loop is not None:
            self._loop.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._loop
        await asyncio.gather(*self._firing.values(), return_exceptions=True)
        if self._loop is not None:
            with contextlib.suppress(WriteError):  # on a full disk one goes as well
                await self._store.write(ledger.beat(self._tables.now()))
        self._pool.shutdown()

    def wake(self) -> None:
        """Something may be due earlier than the loop knows."""
        self._wake.set()

    async def _run(self) -> None:
        while True:
            self._wake.clear()
            try:
                await self._keep_beating(self._tables.now())
                pause = self._fire_due(self._tables.now())
            except Exception as error:
                if not is_told(error):
                    log.exception("the clockwork could not read what is due")
                pause = POLL_SECONDS
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(pause):
                    await self._wake.wait()

    async def _keep_beating(self, now: int) -> None:
        """Note that the server runs, as long as a clock somewhere needs to know it."""
        if now - self._beat >= BEAT_MS and ledger.any_due(self._store.read(), CLOCK):
            await self._store.write(ledger.beat(now))
        if now - self._beat >= BEAT_MS:
            self._beat = now

    def _fire_due(self, now: int) -> float:
        """Fire what is due; how long to sleep then."""
        self._resting = {table: until for table, until in self._resting.items() if until > now}
        busy = self._firing.keys() | self._resting.keys()
        for timer in ledger.due(self._store.read(), now, AT_ONCE + len(busy)):
            if timer.table not in self._firing and timer.table not in self._resting and len(self._firing) < AT_ONCE:
                self._fire(timer)
        return self._pause(now)

    def _pause(self, now: int) -> float:
        """Until the next row is due, at most a poll; what is being fired wakes the loop when it is done."""
        moment = ledger.next_after(self._store.read(), now)
        return POLL_SECONDS if moment is None else min(POLL_SECONDS, max(0.0, (moment - self._tables.now()) / 1000))

    def _fire(self, timer: Timer) -> None:
        task = asyncio.create_task(self._fire_safely(timer))
        self._firing[timer.table] = task

        def done(_: asyncio.Task[None]) -> None:
            self._firing.pop(timer.table, None)
            self.wake()

        task.add_done_callback(done)

    async def _fire_safely(self, timer: Timer) -> None:
        """A row that cannot be fired is put off; it never stops the others."""
        try:
            if timer.kind == BOTS:
                await self._play(timer)
            elif timer.kind == GRACE:
                await self._tables.grace_is_due(timer)
            elif timer.kind == CLOCK:
                await self._decide_for_person(timer)
            elif timer.kind == SITS_IN:
                await self._tables.stand_in_is_due(timer)
            else:
                await self._tables.seat_is_due(timer)
        except Exception as error:
            if not is_told(error):
                log.exception("due %s of table %s could not be fired", timer.kind, timer.table)
            later = Timer(timer.table, timer.kind, timer.expected, self._tables.now() + RETRY_MS)
            try:
                await self._store.write(ledger.put_off(timer, later))
            except Exception:  # the disk is full, say: nothing in the store would keep the loop from firing it at once
                self._resting[timer.table] = later.due_at

    # --- bots -----------------------------------------------------------------------------------------------------

    async def _play(self, timer: Timer) -> None:
        """One shout, asked in seat order, or else the turn of the bot whose turn it is."""
        asked = await self._tables.ask_bots(timer)
        for seat in asked:
            action = await (self._choose(seat) if seat.on_turn else self._shout(seat))
            if action is not None:
                done = await self._tables.act_for_bot(timer, seat, action, self._choose)
                if done:
                    return
        await self._store.write(ledger.drop_timer(timer))

    async def _decide_for_person(self, timer: Timer) -> None:
        """The clock of a person is at its end: the stand-in decides this one turn."""
        asked = await self._tables.ask_for_person(timer)
        if asked is not None:
            await self._tables.act_for_person(timer, asked, await self._choose(asked), self._choose)
        later = Timer(timer.table, timer.kind, timer.expected, self._tables.now() + RETRY_MS)
        await self._store.write(ledger.put_off(timer, later))  # only where the row still stands, unchanged

    async def _choose(self, asked: Asked) -> Action:
        try:
            return await self._think(lambda: self._make(asked.level, asked.seed).choose(asked.observation))
        except Exception:
            log.exception("bot %s could not choose in %s", asked.level, asked.observation.rules.code)
            return asked.observation.legal[0]

    async def _shout(self, asked: Asked) -> Action | None:
        try:
            shout = getattr(self._make(asked.level, asked.seed), "shout", None)
            said: Action | None = None if shout is None else await self._think(lambda: shout(asked.observation))
            return said
        except Exception:
            log.exception("bot %s could not shout in %s", asked.level, asked.observation.rules.code)
            return None

    async def _think(self, thought: Callable[[], T]) -> T:
        return await asyncio.get_running_loop().run_in_executor(self._pool, thought)
