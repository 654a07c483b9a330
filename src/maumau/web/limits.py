"""How often somebody may be wrong: mistakes are counted by address, in memory only, over a sliding window."""

from __future__ import annotations

import ipaddress
import time
from collections import deque
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


class Mistakes:
    """At most ``each`` mistakes by one address and ``everybody`` by all together, in ``seconds``."""

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
    return len(moments) == most and moments[0] > since
