"""A bot without a thought."""

from __future__ import annotations

from maumau.bots.dice import roll
from maumau.game.action import Action
from maumau.game.observation import Observation


class RandomBot:
    """Does any of the legal actions, each equally likely, and never says a word."""

    def __init__(self, seed: int = 0) -> None:
        self.seed = seed

    def choose(self, observation: Observation) -> Action:
        """One of the legal actions; a card that wishes counts once for each suit."""
        legal = observation.legal
        return legal[roll(self.seed, observation) * len(legal) >> 32]

    def shout(self, observation: Observation) -> Action | None:
        """Nothing, ever."""
        return None
