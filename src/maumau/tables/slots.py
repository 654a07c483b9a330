"""A table's place in the memory of a process, and the wake-ups of those who watch it."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import AsyncIterator

from maumau.tables.table import LiveTable
from maumau.tables.view import View


class Subscription(AsyncIterator[int]):
    """Wake-ups of one table: the version now, then the latest after each change."""

    def __init__(self, slot: Slot, version: int) -> None:
        self._slot = slot
        self._version: int | None = version
        self._changed = asyncio.Event()
        self._changed.set()
        self._closed = False
        slot.watchers.add(self)

    def tell(self, version: int) -> None:
        """The table has a new version."""
        self._version = version
        self._changed.set()

    async def __anext__(self) -> int:
        while not self._closed:
            await self._changed.wait()
            self._changed.clear()
            version, self._version = self._version, None
            if version is not None:
                return version
        raise StopAsyncIteration

    def close(self) -> None:
        """No more wake-ups; whoever waits for one stops waiting."""
        self._closed = True
        self._slot.watchers.discard(self)
        self._changed.set()


class Slot:
    """One table's place in memory: its lock, the table (or nothing, then the log is read), views, watchers."""

    def __init__(self) -> None:
        self.lock = asyncio.Lock()
        self.table: LiveTable | None = None
        self.views: dict[tuple[int | None, str], View] = {}
        self.watchers: set[Subscription] = set()
        self.hurried = False
        self.devices: Counter[int] = Counter()
        """How many live connections each seat has."""
        self.looked: dict[int, int] = {}
        """When each seat without a live connection last asked or did something."""
        self.devices_known = False
        """Connections are counted here since the table was made or since the first one came after a restart."""

    def forget(self) -> None:
        """The log is the truth: read it again."""
        self.table = None
        self.views.clear()

    def tell(self) -> None:
        """Wake everybody who watches."""
        if self.table is not None:
            for watcher in self.watchers:
                watcher.tell(self.table.version)
