"""What happened in a round, one event after the other, and what each seat may see of it."""

from __future__ import annotations

from typing import Any, Final, Literal, NamedTuple

from maumau.cards import UNKNOWN_TEXT, Card, Suit
from maumau.game.action import Action

EventKind = Literal[
    "deal",
    "starter",
    "play",
    "draw",
    "take",
    "pass",
    "wish",
    "call",
    "catch",
    "false-call",
    "false-catch",
    "made-to-draw",
    "skip",
    "reverse",
    "reshuffle",
    "silent",
    "out",
    "round-over",
]

_PRIVATE: Final = frozenset(("deal", "draw", "take", "made-to-draw"))


class Event(NamedTuple):
    """One thing that happened.

    ``seat`` is whom it concerns: who plays, draws, is dealt, skipped, out, has won (None: nobody). ``cards`` are the cards
    that moved: public for a play and the starter, otherwise known to the seat alone (None in their place for others).
    ``count`` is how many cards moved, the new direction, the place, or with how few cards a blocked round is won. ``wish``
    is the suit named; ``target`` who is caught, or who conceded the round that is over.
    ``text`` is the action as text, with the number a take had. ``by_itself`` marks a pass that followed by itself after a
    draw that does not fit; only its own seat is told.
    """

    kind: EventKind
    seat: int | None = None
    action: Action | None = None
    text: str = ""
    cards: tuple[Card | None, ...] = ()
    count: int = 0  # type: ignore[assignment]  # hides tuple.count, which nobody wants of an event
    wish: Suit | None = None
    target: int | None = None
    by_itself: bool = False

    def seen_by(self, seat: int | None) -> Event:
        """This event as a seat may see it; None is a spectator."""
        if seat == self.seat and seat is not None:
            return self
        if self.kind in _PRIVATE:
            return self._replace(cards=(None,) * len(self.cards))
        return self._replace(by_itself=False) if self.by_itself else self

    def as_json(self) -> dict[str, Any]:
        """The event as plain data; what says nothing is left out."""
        data: dict[str, Any] = {"kind": self.kind, "seat": self.seat}
        if self.text:
            data["action"] = self.text
        if self.cards:
            data["cards"] = [UNKNOWN_TEXT if card is None else str(card) for card in self.cards]
        if self.count:
            data["count"] = self.count
        if self.wish is not None:
            data["wish"] = self.wish.letter
        if self.target is not None:
            data["target"] = self.target
        if self.by_itself:
            data["by_itself"] = True
        return data
