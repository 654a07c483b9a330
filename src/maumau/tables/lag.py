"""How late the event loop is: a sleep that wakes too late means that everything else waits as long."""

from __future__ import annotations

import asyncio
import contextlib
from collections import deque
from typing import Final

EVERY_SECONDS: Final = 0.5
KEPT: Final = 120
"""So many measurements make a minute."""


class Lag:
    """Measures while it runs; ``worst`` is the largest delay of the last minute, in seconds."""

    def __init__(self) -> None:
        self._late: deque[float] = deque(maxlen=KEPT)
        self._task: asyncio.Task[None] | None = None

    @property
    def worst(self) -> float:
        """The largest delay of the last minute, in seconds."""
        return max(self._late, default=0.0)

    def start(self) -> None:
        """Begin to measure."""
        self._task = asyncio.create_task(self._run(), name="maumau-lag")

    async def stop(self) -> None:
        """Measure no more."""
        if self._task is not None:
            self._task.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._task

    async def _run(self) -> None:
        loop = asyncio.get_running_loop()
        while True:
            began = loop.time()
            await asyncio.sleep(EVERY_SECONDS)
            self._late.append(max(0.0, loop.time() - began - EVERY_SECONDS))
