"""The times that a table's own log sets: the clock of the turn, the grace after a card, when its bots may go on.

All of it follows from the events and their times, so that a restart finds it again. Firing is the clockwork's business.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from maumau.tables.state import TableState

EXTENSION_MS: Final = 30_000
"""So much more a person gets, once a turn, for asking."""
GRACE_MS: Final = 1_500
"""So long after a card went down without its call nobody can be caught for it, and no other card goes down."""


@dataclass(slots=True)
class TurnClock:
    """The time of the seat on turn."""

    seat: int
    due: int | None
    """When it is over, in milliseconds since the epoch; None while everybody is away."""
    left: int = 0
    """What is left of it while everybody is away."""
    extended: bool = False


class Timing(TableState):
    """A table that knows what its events mean for its times."""

    def _wind(self, now: int, *, anew: bool = False) -> None:
        """Let the clock of the seat on turn run; ``anew`` when a turn has begun. Bots and tables without a clock have none."""
        r = self.round
        seat = r.turn if r is not None and self.state == "playing" else None
        if seat is None or self.turn_seconds is None or self.chairs[seat].plays_itself:
            self.clock = None
            return
        if anew or self.clock is None or self.clock.seat != seat:
            self.clock = TurnClock(seat, now + 1_000 * self.turn_seconds)
        if self.attended:
            self._go_on(self.clock, now)
        else:
            self._pause(self.clock, now)

    @staticmethod
    def _go_on(clock: TurnClock, now: int) -> None:
        if clock.due is None:
            clock.due = now + clock.left

    @staticmethod
    def _pause(clock: TurnClock, now: int) -> None:
        if clock.due is not None:
            clock.left, clock.due = max(0, clock.due - now), None
