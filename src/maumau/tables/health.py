"""Whether a store can write: what its last try came to, and what the log says of it, once for all who were refused."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from typing import Final

log = logging.getLogger(__name__)

TELL_SECONDS: Final = 60.0
"""While nothing can be written, the log says so once, and then at most so often."""
TRY_SECONDS: Final = 1.0
"""So often at most somebody who asks whether it works again may try."""


class Health:
    """What the last try of the writer came to. The writer tells it, anybody may read it."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self.reason: str | None = None
        """Why nothing can be written; None where the last try went well."""
        self._clock = clock
        self._refused = 0
        self._told = self._tried = clock()

    def failed(self, why: str, transactions: int) -> None:
        """Nothing of so many transactions could be written."""
        now, first = self._clock(), self.reason is None
        self.reason = why
        self._refused += transactions
        if first or now - self._told >= TELL_SECONDS:
            log.error("the store cannot write (%s); refused so far: %d", why, self._refused)
            self._told = now
        if first:
            self._tried = now

    def wrote(self) -> None:
        """A transaction is on the disk."""
        if self.reason is not None:
            log.warning("the store can write again; refused meanwhile: %d", self._refused)
            self.reason, self._refused = None, 0

    def may_try(self) -> bool:
        """Whether it is time to try again; who is told so has to."""
        now = self._clock()
        if self.reason is None or now - self._tried < TRY_SECONDS:
            return False
        self._tried = now
        return True
