"""How often somebody may be wrong, or do something at all: counted in memory only.

Mistakes and new tables are counted by address over a sliding window, the commands of a seat against what it has saved up.
"""

from __future__ import annotations

import ipaddress
import time
from collections import OrderedDict, deque
from collections.abc import Callable
from typing import Final

MOST_ADDRESSES: Final = 10_000
"""So many addresses are remembered; the ones longest without a mistake are forgotten first."""


def network_of(host: str | None) -> str:
    """Whom an address belongs to: an IPv4 address, or the /64 of an IPv6 address, which one person may fill alone."""
    try:
        address = ipaddress.ip_address((host or "").partition("%")[0])
    except ValueError:
        return host or ""
    if isinstance(address, ipaddress.IPv4Address):
        return str(address)
    mapped = address.ipv4_mapped
    return str(mapped) if mapped else str(ipaddress.ip_network((address, 64), strict=False))


TABLES_PER_HOUR: Final = 120
"""So many new tables by one address, where nothing else is said."""
COMMANDS_PER_SECOND: Final = 100
"""So many commands by one seat, where nothing else is said: what a program that plays by itself does not reach."""
MOST_SEATS: Final = 20_000
"""So many seats are remembered; one that is forgotten starts with all that may be saved up."""
SAVED_SECONDS: Final = 3
"""A seat saves up the commands of so many seconds."""


class Mistakes:
    """At most ``each`` mistakes by one address and ``everybody`` by all together, in ``seconds``; 0: any number."""

    def __init__(self, each: int, everybody: int, seconds: float, clock: Callable[[], float] = time.monotonic) -> None:
        self.each = each
        self.everybody = everybody
        self.seconds = seconds
        self._clock = clock
        self._all: deque[float] = deque(maxlen=everybody)
        self._by: dict[str, deque[float]] = {}

    def too_many(self, host: str | None) -> bool:
        """Whether this address has to wait before it may try again."""
        since = self._clock() - self.seconds
        by = self._by.get(network_of(host))
        return _full(self._all, self.everybody, since) or (by is not None and _full(by, self.each, since))

    def add(self, host: str | None) -> None:
        """This address was wrong."""
        now, network = self._clock(), network_of(host)
        by = self._by.pop(network, None) or deque(maxlen=self.each)
        self._by[network] = by  # the last to be wrong is the last in the dictionary
        if len(self._by) > MOST_ADDRESSES:
            del self._by[next(iter(self._by))]
        by.append(now)
        self._all.append(now)


def _full(moments: deque[float], most: int, since: float) -> bool:
    return most > 0 and len(moments) == most and moments[0] > since


class Haste:
    """At most ``per_second`` commands a second by one seat, and at once what three seconds bring; 0: any number."""

    def __init__(self, per_second: float, clock: Callable[[], float] = time.monotonic) -> None:
        self.per_second = per_second
        self._clock = clock
        self._by: OrderedDict[bytes, tuple[float, float]] = OrderedDict()

    def too_fast(self, seat: bytes) -> bool:
        """Count a command of this seat; whether it has to wait, and then nothing has been counted."""
        if self.per_second <= 0:
            return False
        most, now = self.per_second * SAVED_SECONDS, self._clock()
        saved, at = self._by.pop(seat, (most, now))
        saved = min(most, saved + (now - at) * self.per_second)
        fast = saved < 1
        self._by[seat] = (saved if fast else saved - 1, now)
        if len(self._by) > MOST_SEATS:
            self._by.popitem(last=False)
        return fast
