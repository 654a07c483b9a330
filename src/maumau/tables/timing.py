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


@dataclass(frozen=True, slots=True)
class Grace:
    """The moment after a card that went down without the call that was due: the seat may still call it."""

    seat: int
    until: int
    """In milliseconds since the epoch."""


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

    def _give_grace(self, now: int, played_by: int | None) -> None:
        """Begin the grace when ``played_by`` laid a card and owes a call; end it when nobody owes one.

        A person alone among bots needs none against anybody: a bot calls with its card or not at all, and where bots
        are to act at once the person has asked for that.
        """
        owing = self._owing()
        if self.grace is not None and self.grace.seat not in owing:
            self.grace = None
        if played_by is None or played_by not in owing:
            return
        if len(self.people) > 1 or (self.chairs[played_by].present and self.pace != "instant"):
            self.grace = Grace(played_by, now + GRACE_MS)

    def in_grace(self, seat: int | None) -> bool:
        """Whether nobody can catch this seat yet: the button comes for everybody at the same moment."""
        return seat is not None and self.grace is not None and self.grace.seat == seat

    def _owing(self) -> set[int]:
        """The seats that can be caught."""
        r = self.round
        shouts = {} if r is None or self.state != "playing" else r.shouts
        return {
            action.target
            for actions in shouts.values()
            for action in actions
            if action.kind == "catch" and action.target is not None
        }

    @staticmethod
    def _go_on(clock: TurnClock, now: int) -> None:
        if clock.due is None:
            clock.due = now + clock.left

    @staticmethod
    def _pause(clock: TurnClock, now: int) -> None:
        if clock.due is not None:
            clock.left, clock.due = max(0, clock.due - now), None
