"""How a round ended, and what it cost."""

from __future__ import annotations

from dataclasses import dataclass

from maumau.cards import Card
from maumau.game.concession import conceded_points
from maumau.game.hands import face, hand_of
from maumau.kernel.layout import NOBODY, State, Tables
from maumau.kernel.score import closing_factor, round_points


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a round ended: ``winner`` is None when it was blocked without one, or conceded among more than two.

    ``points`` is what each seat's total grows by, ``hands`` the cards left, ``places`` the seats that went out in order,
    ``closing`` the winner's last card and ``factor`` what it multiplied everybody else's points by. ``conceded`` is the
    seat that gave the match up, and with it this round: only its own hand counts then, once.
    """

    winner: int | None
    blocked: bool
    points: tuple[int, ...]
    hands: tuple[tuple[Card, ...], ...]
    places: tuple[int, ...]
    closing: Card | None
    factor: int
    conceded: int | None = None


def outcome_of(s: State, t: Tables, conceded: int | None = None) -> Outcome:
    """The outcome of a round that is over; ``conceded`` is the seat that gave it up, if one did."""
    seats = range(s.seats)
    winner = None if s.winner == NOBODY else s.winner
    hands = tuple(hand_of(s, seat) for seat in seats)
    places = tuple(s.places[: s.places_n])
    if conceded is not None:
        points = tuple(conceded_points(s, t, seat, conceded) for seat in seats)
        return Outcome(winner, False, points, hands, places, closing=None, factor=1, conceded=conceded)
    return Outcome(
        winner=winner,
        blocked=bool(s.blocked),
        points=tuple(round_points(s, t, seat) for seat in seats),
        hands=hands,
        places=places,
        closing=None if s.closed_with == NOBODY else face(s.closed_with),
        factor=closing_factor(s, t),
    )
