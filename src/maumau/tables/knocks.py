"""Somebody in front of a table, who asks to be let in: what the table remembers of a knock."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

WAITING: Final = "waiting"
IN: Final = "in"
AWAY: Final = "away"
WITHDRAWN: Final = "withdrawn"
STARTED: Final = "started"
FULL: Final = "full"
MOST_WAITING: Final = 8
"""So many may wait in front of a table at once."""
MOST_KNOCKS: Final = 200
"""So often at all a table hears a knock."""


@dataclass(slots=True)
class Knock:
    """One knock. ``token`` is the SHA-256 of the secret of whoever knocked; let in, that secret opens the seat."""

    name: str
    """Kept beside the log, and only while the knock waits."""
    token: bytes
    state: str = ""
    """``waiting``, or how it ended: ``in``, ``away``, ``withdrawn``, ``started`` or ``full``; empty before it was heard."""
