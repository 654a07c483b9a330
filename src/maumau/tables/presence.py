"""Presence: which seats are looked from, and what follows when nobody looks from one any more."""

from __future__ import annotations

import asyncio

from maumau.tables import ledger
from maumau.tables.clockwork import AWAY_MS, LIMIT_MS, SILENT_MS
from maumau.tables.desk import Desk
from maumau.tables.ledger import SEAT, Timer


class Presence(Desk):
    """The live connections of each seat, and who counts as away."""

    async def arrive(self, table: str, seat: int | None) -> None:
        """A live connection of this seat has opened: whoever was away is here again. None is a spectator."""
        if seat is not None:
            await self._shielded(self._arrive(table, seat))

    async def _arrive(self, name: str, seat: int) -> None:
        slot = self._slot(name)
        async with slot.lock:
            slot.devices[seat] += 1
            slot.looked.pop(seat, None)
            live = await self._fresh(name, "en")
            await self._store_it(ledger.clear_timer(name, f"{SEAT}{seat}"), "en")
            if not slot.devices_known:
                slot.devices_known = True
                for other in live.attended:
                    if not slot.devices[other]:
                        await self._store_it(ledger.set_timer(self._gone(name, other, AWAY_MS)), "en")
                self._clockwork.wake()
            if live.chairs[seat].absent:
                live.begin(self.now())
                live.come_back(seat)
                await self._commit(slot, live, None)

    async def look(self, table: str, token: str | None, lang: str = "en") -> None:
        """A seat has asked for the table: it is there, also where it keeps no live connection. 404 no-table, 401 bad-token."""
        await self._shielded(self._look(table, token, lang))

    async def _look(self, table: str, token: str | None, lang: str) -> None:
        slot = self._slot(table)
        async with slot.lock:
            live = await self._fresh(table, lang)
            seat = self._seat(live, token, lang)
            if seat is None or slot.devices[seat]:
                return
            await self._heard(slot, live, seat)
            if live.chairs[seat].absent:
                live.begin(self.now())
                live.come_back(seat)
                await self._commit(slot, live, None)

    def depart(self, table: str, seat: int | None) -> asyncio.Task[None]:
        """A live connection of this seat has closed; with the last one its time away begins.

        Nobody needs to wait for it: whoever has gone may be cancelled at any moment.
        """
        task = asyncio.create_task(self._depart(table, seat))
        self._running.add(task)
        task.add_done_callback(self._finished)
        return task

    async def _depart(self, name: str, seat: int | None) -> None:
        if seat is None:
            return
        slot = self._slot(name)
        async with slot.lock:
            slot.devices[seat] -= 1
            if slot.devices[seat] <= 0:
                del slot.devices[seat]
                live = await self._fresh(name, "en")
                if live.chairs[seat].attended:
                    await self._store_it(ledger.set_timer(self._gone(name, seat, AWAY_MS)), "en")
                    self._clockwork.wake()

    def devices(self, table: str) -> dict[int, int]:
        """How many live connections each seat has here."""
        return dict(self._slot(table).devices)

    async def seat_is_due(self, timer: Timer) -> None:
        """Somebody has been gone for so long that it shows, or that a bot may be asked to sit in."""
        slot = self._slot(timer.table)
        async with slot.lock:
            live = await self._fresh(timer.table, "en")
            seat = timer.expected
            chair = live.chairs[seat]
            live.begin(self.now())
            later: Timer | None = None
            seen = slot.looked.get(seat, 0) + SILENT_MS
            if not slot.devices[seat] and chair.attended and seen > self.now():
                await self._store_it(ledger.put_off(timer, Timer(timer.table, timer.kind, seat, seen)), "en")
                return
            if not slot.devices[seat] and chair.attended:
                live.go_away(seat)
                later = Timer(timer.table, timer.kind, seat, self.now() + LIMIT_MS - AWAY_MS)
            elif not slot.devices[seat] and chair.present and not chair.overdue:
                live.be_overdue(seat)
            if live.fresh:
                await self._commit(slot, live, None)
            if later is None:
                slot.looked.pop(seat, None)
            done = ledger.drop_timer(timer) if later is None else ledger.put_off(timer, later)
            await self._store_it(done, "en")
            if not any(chair.present and not chair.overdue for chair in live.chairs):
                slot.forget()  # nobody will ask for a long time: no memory is kept for those who never come back
