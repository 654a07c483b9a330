"""What a bot is asked."""

from __future__ import annotations

from typing import Protocol, runtime_checkable

from maumau.game.action import Action
from maumau.game.observation import Observation


@runtime_checkable
class Bot(Protocol):
    """A player. Whatever it knows comes with the observation, which holds all that its seat has seen since the deal.

    A bot may also have a method ``shout(observation) -> Action | None``. Where no clock runs it is asked of every seat,
    in seat order, after each event, and answers with one of ``observation.shouts`` or None.
    """

    def choose(self, observation: Observation) -> Action:
        """The action on this seat's turn: one of ``observation.legal``, or one of ``call_due`` with its call."""
        ...
