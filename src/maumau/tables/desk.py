"""What every command and question at a table stands on: the tables in memory, who may sit where, and the way to the store.

`Desk` loads a table under its lock, runs a command on it, commits what came out and announces it. What people can do is in
the classes over it: `reading`, `joining`, `acting`, `matches`, `presence`, `firing`; `service.Tables` is all of them.
"""

from __future__ import annotations

import asyncio
import logging
import secrets
from collections import Counter
from collections.abc import Callable, Coroutine
from typing import Any, Final, TypeVar

from maumau.tables import checks, ledger, render
from maumau.tables.clockwork import SILENT_MS, Clockwork, plans
from maumau.tables.errors import ConflictError, LogError, StoreError, TableError, is_told
from maumau.tables.lag import Lag
from maumau.tables.ledger import SEAT, Append, Command, Knocker, Seat, Timer
from maumau.tables.names import digest, same
from maumau.tables.slots import Slot
from maumau.tables.store import Store, Transaction
from maumau.tables.table import LiveTable
from maumau.tables.texts import tell
from maumau.tables.view import View

log = logging.getLogger(__name__)
T = TypeVar("T")

TRIES: Final = 3
"""So often a command is decided anew when somebody else has appended first."""
NOBODY_DID: Final = ("away", "overdue", "clock-paused")
"""Events that tell of somebody's absence: no table is kept longer for them."""
LOADED: Final = 2_000
"""So many tables stay in memory; the longest untouched are read again when they are asked for."""


class Desk:
    """The tables of one store in memory, and the way of a command to the disk."""

    store: Store
    _clock: Callable[[], float]
    _seeds: Callable[[], int]
    _draw: Callable[[], bytes] | None
    _clockwork: Clockwork

    def __init__(self) -> None:
        self._slots: dict[str, Slot] = {}
        self._actions: Counter[str] = Counter()
        self.lag = Lag()
        self.conflicts = 0
        """So often somebody else had appended first."""
        self._running: set[asyncio.Task[Any]] = set()

    def now(self) -> int:
        """Milliseconds since the epoch."""
        return int(self._clock() * 1000)

    async def _run(
        self,
        name: str,
        token: str | None,
        lang: str,
        do: Callable[[LiveTable, Any], None],
        *,
        anybody: bool = False,
    ) -> View:
        """Run a command that changes a table: ``do`` refuses before it changes anything."""
        return await self._shielded(self._run_locked(name, token, lang, do, anybody=anybody))

    async def _run_locked(
        self, name: str, token: str | None, lang: str, do: Callable[[LiveTable, Any], None], *, anybody: bool
    ) -> View:
        slot = self._slot(name)
        async with slot.lock:
            for _ in range(TRIES):
                live = await self._fresh(name, lang)
                seat = None if anybody else self._seated(live, token, lang)
                if seat is not None:
                    await self._heard(slot, live, seat)
                live.begin(self.now())
                try:
                    do(live, seat)
                    if live.fresh:
                        await self._commit(slot, live, None, lang)
                except ConflictError:
                    continue
                except BaseException:
                    if live.fresh:
                        slot.forget()
                    raise
                return self._view(live, seat, lang)
            raise TableError("busy", tell(lang, "error.busy"), 503)

    async def _shielded(self, work: Coroutine[Any, Any, T]) -> T:
        """A command runs to its end although whoever sent it has hung up: what is on the disk is in memory too."""
        task = asyncio.create_task(work)
        self._running.add(task)
        task.add_done_callback(self._finished)
        return await asyncio.shield(task)

    def _finished(self, task: asyncio.Task[Any]) -> None:
        self._running.discard(task)
        if not task.cancelled():
            task.exception()  # asked for, so that a refusal that nobody waits for is no warning

    async def _commit(self, slot: Slot, live: LiveTable, command: Command | None, lang: str = "en") -> Command | None:
        """Append what is fresh; then announce it. An earlier answer to this command, if there is one.

        Whenever the store does not take it, the table in memory is thrown away: the log is the truth.
        """
        if live.round is None or live.round.turn is None or not live.chairs[live.round.turn].plays_itself:
            slot.hurried = False
        due = plans(live, self.now(), hurried=slot.hurried) + self._newcomers(slot, live)
        try:
            earlier = await self.store.write(ledger.append(self._append(live, command, due)))
        except ConflictError:
            self.conflicts += 1
            slot.forget()
            raise
        except StoreError as error:
            slot.forget()
            if not is_told(error):
                log.exception("table %s could not be stored", live.name)
            raise TableError("busy", tell(lang, "error.busy"), 503) from error
        except BaseException:
            slot.forget()
            raise
        if earlier is not None:
            slot.forget()
            return earlier
        live.begin(self.now())
        slot.views.clear()
        slot.tell()
        if any(timer is not None for _, timer in due):
            self._clockwork.wake()
        return None

    def _gone(self, table: str, seat: int, after: int) -> Timer:
        """When somebody counts as away of whom nothing more is heard."""
        return Timer(table, f"{SEAT}{seat}", seat, self.now() + after)

    def _newcomers(self, slot: Slot, live: LiveTable) -> tuple[tuple[str, Timer], ...]:
        """Whoever has just sat down may never be heard of again: the page did not load, or the phone is gone."""
        came = [seat for seat in sorted(set(live.fresh_seats)) if live.chairs[seat].attended and not slot.devices[seat]]
        return tuple((f"{SEAT}{seat}", self._gone(live.name, seat, SILENT_MS)) for seat in came)

    async def _heard(self, slot: Slot, live: LiveTable, seat: int) -> None:
        """A seat has asked or done something: without a live connection it is there until it has been silent for long."""
        if slot.devices[seat] or not live.chairs[seat].present:
            return
        if seat not in slot.looked:
            await self._store_it(ledger.set_timer_where_none(self._gone(live.name, seat, SILENT_MS)), "en")
        slot.looked[seat] = self.now()

    async def _end_grace(self, slot: Slot, live: LiveTable) -> bool:
        """From now on catches count and cards go down; also told to those who look. False when another was first."""
        live.begin(self.now())
        live.end_grace()
        try:
            await self._commit(slot, live, None)
        except ConflictError:
            return False
        return True

    def _append(self, live: LiveTable, command: Command | None, due: tuple[tuple[str, Timer | None], ...]) -> Append:
        chairs = live.chairs
        return Append(
            table=live.name,
            head=live.version - len(live.fresh),
            rows=tuple(live.fresh),
            state=live.state,
            at=self.now(),
            lived=any(row.kind not in NOBODY_DID for row in live.fresh),
            command=command,
            seats=tuple(Seat(seat, chairs[seat].name, chairs[seat].token) for seat in sorted(set(live.fresh_seats))),
            seeds=tuple(live.fresh_seeds),
            secrets=tuple(live.fresh_secrets),
            public=live.public,
            results=live.results() if any(row.kind in ("round-over", "match-over") for row in live.fresh) else (),
            timers=due,
            knocks=tuple(
                Knocker(number, live.knocks[number].name, live.knocks[number].token)
                for number in sorted(set(live.fresh_knocks))
            ),
        )

    async def _store_it(self, transaction: Transaction[T], lang: str) -> T:
        try:
            return await self.store.write(transaction)
        except StoreError as error:
            if not is_told(error):
                log.exception("the store refused")
            raise TableError("busy", tell(lang, "error.busy"), 503) from error

    def _seed(self) -> bytes:
        return self._seeds().to_bytes(16, "big")

    def _slot(self, name: str) -> Slot:
        slot = self._slots.pop(name, None)
        if slot is None:
            slot = Slot()
            if len(self._slots) >= LOADED:
                self._unload()
        self._slots[name] = slot  # the last touched is the last in the dictionary
        return slot

    def _unload(self) -> None:
        """Forget the longest untouched tables that nobody watches or waits for."""
        for name in list(self._slots)[: LOADED // 4]:
            slot = self._slots[name]
            if not slot.watchers and not slot.lock.locked():
                del self._slots[name]

    async def _fresh(self, name: str, lang: str, known: int | None = None) -> LiveTable:
        """The table as the store has it now; the caller holds its lock. 404 no-table.

        Where the table in memory has reached a version that is ``known`` to be stored, the store is not asked.
        """
        slot = self._slot(name)
        if known is not None and slot.table is not None and slot.table.version >= known:
            return slot.table
        head = ledger.head_of(self.store.read(), name)
        if head is None:
            if not slot.watchers:
                self._slots.pop(name, None)
            raise checks.no_table(name, lang)
        if slot.table is None or slot.table.version != head:
            slot.forget()
            stored = await self.store.in_thread(lambda db: ledger.load(db, name))
            if stored is None:
                raise checks.no_table(name, lang)
            try:
                slot.table = await asyncio.to_thread(LiveTable.replay, stored)
                slot.table.draw_secret, slot.table.served_from = self._draw, self._clockwork.since
            except LogError as error:
                log.exception("table %s cannot be read", name)
                raise TableError("unreadable-table", tell(lang, "error.unreadable-table"), 503) from error
        return slot.table

    def _seat(self, live: LiveTable, token: str | None, lang: str) -> int | None:
        """The seat that a token opens; None for a spectator. 401 watch-link where only its watch link lets one look."""
        if token is None and not live.public:
            raise TableError("watch-link", tell(lang, "error.watch-link"), 401)
        if token is None or same(live.watch, token):
            return None
        wanted, found = digest(token), None
        for seat, chair in enumerate(live.chairs):
            if chair.token is not None and secrets.compare_digest(chair.token, wanted):
                found = seat
        if found is None:
            raise TableError("bad-token", tell(lang, "error.bad-token"), 401)
        return found

    def _seated(self, live: LiveTable, token: str | None, lang: str) -> int:
        seat = self._seat(live, token, lang)
        if seat is None:
            raise TableError("not-seated", tell(lang, "error.not-seated"), 401)
        return seat

    def _view(self, live: LiveTable, seat: int | None, lang: str) -> View:
        """The view of a seat now, built once for each version and language."""
        slot = self._slot(live.name)
        if slot.table is not live:
            return render.build(live, seat, lang)
        view = slot.views.get((seat, lang))
        if view is None or view.version != live.version:
            view = slot.views[seat, lang] = render.build(live, seat, lang)
        return view
