"""`Tables`: the service that pages, the JSON API and the terminal talk to. Async; one object per process.

A seat is known by its token alone. Every refusal is a `TableError` with a code, one sentence in the language asked for
and an HTTP status.

Not here: wake-ups between processes (another's commits are seen with the next question, not announced), and with them
presence across processes.
"""

from __future__ import annotations

import asyncio
import secrets
import time
from collections.abc import Callable
from types import TracebackType

from maumau import bots as bot_room
from maumau.game import fair
from maumau.tables.acting import Acting
from maumau.tables.clockwork import BotMaker, Clockwork
from maumau.tables.firing import Firing
from maumau.tables.joining import Joining
from maumau.tables.knocking import Knocking
from maumau.tables.matches import Matches
from maumau.tables.people import People
from maumau.tables.presence import Presence
from maumau.tables.reading import Reading
from maumau.tables.slots import Subscription
from maumau.tables.spec import Pace, Seated, SeatSpec, TableSpec
from maumau.tables.store import Store
from maumau.tables.sweeping import Sweeper
from maumau.tables.together import Together

__all__ = ["Pace", "SeatSpec", "Seated", "Subscription", "TableSpec", "Tables"]


class Tables(Reading, Joining, Knocking, Together, People, Matches, Acting, Presence, Firing):
    """All tables of one store.

    ``async with Tables(Store(path)) as tables`` opens the service and starts the clockwork that fires bot turns;
    leaving closes both. ``clock`` gives seconds since the epoch, ``draw`` the 32 bytes of a deal's secret, ``bots`` makes
    a bot from a level and a seed: for tests. So are ``seeds``, 128-bit numbers to deal from without any commitment.
    """

    def __init__(
        self,
        store: Store,
        *,
        clock: Callable[[], float] = time.time,
        seeds: Callable[[], int] | None = None,
        draw: Callable[[], bytes] | None = None,
        bots: BotMaker | None = None,
    ) -> None:
        super().__init__()
        self.store = store
        self._clock = clock
        self._seeds = seeds or (lambda: secrets.randbits(128))
        self._draw = None if seeds else draw or (lambda: secrets.token_bytes(fair.SECRET_BYTES))
        self._clockwork = Clockwork(self, bots or bot_room.get)
        self._sweeper = Sweeper(self)

    async def __aenter__(self) -> Tables:
        await self._clockwork.start()
        self.lag.start()
        self._sweeper.start()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self._sweeper.stop()
        await self._clockwork.stop()
        await self.lag.stop()
        await asyncio.gather(*self._running, return_exceptions=True)
        for slot in self._slots.values():
            for watcher in list(slot.watchers):
                watcher.close()
        await self.store.aclose()
