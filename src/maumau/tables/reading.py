"""Questions: the view of a seat, the events it may see, records, the links of a table. Nothing changes."""

from __future__ import annotations

from collections import Counter
from contextlib import suppress
from typing import Any

from maumau.tables import checks, ledger, render
from maumau.tables.desk import Desk
from maumau.tables.errors import StoreError, TableError
from maumau.tables.metrics import Gauges, exposition
from maumau.tables.names import derived, digest
from maumau.tables.slots import Subscription
from maumau.tables.texts import tell
from maumau.tables.view import View


class Reading(Desk):
    """What can be asked about tables."""

    async def view(self, table: str, token: str | None, lang: str = "en") -> View:
        """The table as the seat of ``token`` may see it, without a token as a spectator. 404 no-table, 401 bad-token."""
        async with self._slot(table).lock:
            live = await self._fresh(table, lang)
            return self._view(live, self._seat(live, token, lang), lang)

    async def seat_of(self, table: str, token: str | None, lang: str = "en") -> int | None:
        """The seat that a token opens; None without one. 404 no-table, 401 bad-token."""
        async with self._slot(table).lock:
            return self._seat(await self._fresh(table, lang), token, lang)

    async def table_of(self, token: str, lang: str = "en") -> str:
        """The table that a seat's token opens. 404 bad-token."""
        found = ledger.table_of_token(self.store.read(), digest(token))
        if found is None:
            raise TableError("bad-token", tell(lang, "error.bad-token"), 404)
        return found[0]

    async def events(
        self, table: str, token: str | None, after: int = 0, limit: int = 500, lang: str = "en"
    ) -> list[dict[str, Any]]:
        """The events after ``after`` that this seat may see, as the JSON API gives them."""
        seat = await self.seat_of(table, token, lang)
        after = max(0, min(after, 2**53))
        rows = await self.store.in_thread(lambda db: ledger.rows_after(db, table, after, max(1, min(limit, 1_000))))
        return [render.event_json(row, seat) | {"at": render.iso(row.at)} for row in rows]

    def subscribe(self, table: str, lang: str = "en") -> Subscription:
        """Wake-ups: the version now, then the latest after each change. Slow readers skip versions, never miss the last.

        Close it (``aclose``) when done. 404 no-table.
        """
        head = ledger.head_of(self.store.read(), table)
        if head is None:
            raise checks.no_table(table, lang)
        return Subscription(self._slot(table), head)

    async def record(self, table: str, token: str | None, lang: str = "en") -> dict[str, Any]:
        """After a match its whole record; during it, finished rounds open and the running one as this seat saw it.

        404 not-started before the first deal.
        """
        async with self._slot(table).lock:
            live = await self._fresh(table, lang)
            seat = self._seat(live, token, lang)
            if live.match is None:
                raise TableError("not-started", tell(lang, "error.not-started", host=checks.host_name(live)), 404)
            return render.record(live, seat)

    async def invite(self, table: str, token: str | None, lang: str = "en") -> str:
        """The invite of a table, for a seated person to pass on."""
        async with self._slot(table).lock:
            live = await self._fresh(table, lang)
            self._seated(live, token, lang)
            return derived(live.key, "invite")

    async def watch_link(self, table: str, token: str | None, lang: str = "en") -> str:
        """The token that lets somebody watch without a seat; ``view`` takes it in a token's place."""
        async with self._slot(table).lock:
            live = await self._fresh(table, lang)
            self._seated(live, token, lang)
            return live.watch

    async def trouble(self) -> str | None:
        """Why the store can write nothing now; None where it can.

        As the last write came out: nothing is written only to know it, but where that failed it is tried at most once a
        second whether there is room again.
        """
        health = self.store.health
        if health.may_try():
            with suppress(StoreError):
                await self.store.write(ledger.beat(self.now()))
        return health.reason

    async def metrics(self, sockets: int) -> str:
        """Figures about this server for Prometheus; see ``maumau.tables.metrics``."""
        now, actions = self.now(), Counter(self._actions)
        gauges = Gauges(sockets, self.conflicts, self.store.waiting, self.store.wal_bytes, self.lag.worst)
        return await self.store.in_thread(lambda db: exposition(db, now, actions, self.store.batches, gauges))
