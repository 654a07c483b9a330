"""Sweeping: tables that nobody has touched for their time are deleted, one after the other, in nobody's way.

However many are due at once, each goes in a transaction of its own with a pause after it: whoever plays waits for one of
them at the most, and what is due in play never stands behind them.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
from typing import TYPE_CHECKING, Final

from maumau.tables import ledger
from maumau.tables.errors import is_told
from maumau.tables.ledger import Timer

if TYPE_CHECKING:
    from maumau.tables.service import Tables

log = logging.getLogger(__name__)

LOOK_SECONDS: Final = 1.0
"""So often it is looked whether a table's time is over."""
PAUSE_SECONDS: Final = 0.002
"""Between two tables; the writer is free meanwhile."""
AT_ONCE: Final = 64
"""So many are looked up together."""
RETRY_MS: Final = 60_000
"""A table that could not be deleted is tried again after this."""


class Sweeper:
    """The loop that ends tables' lives."""

    def __init__(self, tables: Tables) -> None:
        self._tables = tables
        self._loop: asyncio.Task[None] | None = None

    def start(self) -> None:
        """Begin to look."""
        self._loop = asyncio.create_task(self._run(), name="maumau-sweeper")

    async def stop(self) -> None:
        """Look no more; a table that is being deleted is deleted."""
        if self._loop is not None:
            self._loop.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._loop

    async def _run(self) -> None:
        while True:
            try:
                over = ledger.lives_over(self._tables.store.read(), self._tables.now(), AT_ONCE)
                for timer in over:
                    await self._end(timer)
                    await asyncio.sleep(PAUSE_SECONDS)
            except Exception:
                log.exception("the sweeper could not read whose time is over")
                over = ()
            if not over:
                await asyncio.sleep(LOOK_SECONDS)

    async def _end(self, timer: Timer) -> None:
        """A table that cannot be deleted is put off; it never stops the others."""
        try:
            await self._tables.end_of_life(timer)
        except Exception as error:
            if not is_told(error):
                log.exception("table %s could not be swept", timer.table)
            later = Timer(timer.table, timer.kind, timer.expected, self._tables.now() + RETRY_MS)
            try:
                await self._tables.store.write(ledger.put_off(timer, later))
            except Exception:  # the disk is full, say: it would be the first again at once
                await asyncio.sleep(LOOK_SECONDS)
