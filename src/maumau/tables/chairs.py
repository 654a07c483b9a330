"""Who sits on a seat of a table."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

HUMAN: Final = "human"
BOT: Final = "bot"
OPEN: Final = "open"
STAND_IN: Final = "normal"
"""The bot that sits in for a person who has left, and that fills an open seat at the start."""


@dataclass(slots=True)
class Chair:
    """Who sits on a seat."""

    kind: str
    level: str | None
    name: str = ""
    token: bytes | None = None
    away: bool = False
    """Has left, and a bot sits in."""
    absent: bool = False
    """A person whose last device has gone; the seat waits."""
    absent_at: int = 0
    """Since when it is, in milliseconds since the epoch."""
    overdue: bool = False
    """Absent for so long that the others may ask a bot to sit in."""
    uncovered: int = 0
    """The event with which this hand was last uncovered on a device that several people share."""
    timeouts: int = 0
    """So many turns in a row a bot has decided because the clock was at its end."""
    reaction: tuple[str, int, int] | None = None
    """The last quick reaction: its code, the number of its event, and when it was."""

    @property
    def plays_itself(self) -> bool:
        """A bot acts here: by nature, or for a person who has left."""
        return self.kind == BOT or self.away

    @property
    def present(self) -> bool:
        """A person sits here and plays."""
        return self.kind == HUMAN and not self.away

    @property
    def attended(self) -> bool:
        """A person sits here, plays, and has not gone away from the screen."""
        return self.present and not self.absent

    def settled(self) -> None:
        """Whoever sits here now is there."""
        self.absent = self.overdue = False
