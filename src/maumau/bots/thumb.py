"""Bots that play by rules of thumb, under any rules."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from maumau.bots.dice import roll
from maumau.bots.sight import look, tables_of
from maumau.bots.thumb_rules import (
    EASY,
    FORGET,
    ID_CALLED,
    KEEP_DRAWN,
    NO_ID,
    NORMAL,
    choose_id,
    choose_play,
    noise,
    play_worth,
    shout_id,
)
from maumau.cards import Suit
from maumau.game.action import Action
from maumau.game.observation import Observation


class ThumbBot:
    """Plays what its weights hold for the most worth; see ``thumb_rules`` for what is weighed."""

    weights: ClassVar[Sequence[int]]

    def __init__(self, seed: int = 0) -> None:
        self.seed = seed

    def choose(self, observation: Observation) -> Action:
        """The best action by the rules of thumb."""
        v, dice = look(observation), roll(self.seed, observation)
        return Action.from_id(choose_id(v, tables_of(observation.rules), self.weights, dice))

    def shout(self, observation: Observation) -> Action | None:
        """Say late what is owed, catch somebody who owes it, or throw in a card out of turn where that is worth it."""
        if not observation.shouts or observation.seat is None:
            return None
        throws = [shout for shout in observation.shouts if shout.kind == "throw"]
        thrown = self._throw(observation, throws) if throws else None
        if thrown is not None:
            return thrown
        targets = sum(1 << shout.target for shout in observation.shouts if shout.target is not None)
        may_call = int(any(shout.kind == "call" for shout in observation.shouts))
        dice = roll(self.seed, observation)
        chosen = shout_id(observation.seat, may_call, targets, self.weights, dice)
        return None if chosen == NO_ID else Action.from_id(chosen)

    def _throw(self, observation: Observation, throws: Sequence[Action]) -> Action | None:
        """The throw to make, None where keeping the card is worth more than being rid of it and on turn with it."""
        v, dice, t = look(observation), roll(self.seed, observation), tables_of(observation.rules)
        card = observation.top
        if v.hand_n > 1 and play_worth(v, t, self.weights, card, dice) <= self.weights[KEEP_DRAWN]:
            return None
        called = v.hand_n == 2 and bool(t.spoken) and noise(dice, 70, 256) >= self.weights[FORGET]
        suits = {throw.wish: throw for throw in throws}
        v.suits = sum(1 << suit for suit in suits if suit is not None) or v.suits
        wished = None if None in suits else Suit((choose_play(v, t, self.weights, card, dice) % ID_CALLED) - 1)
        throw = suits.get(wished, throws[0])
        return throw.with_call if called else throw


class NormalBot(ThumbBot):
    """Plays well and forgets nothing.

    Keeps cards that wish for when they are needed, aims cards that make others draw or lose a turn at whoever is about
    to go out, plays and wishes the suit it holds most, sheds points when the end is near, never keeps only cards that
    may not be the last, calls with the play and catches everybody who owes a call. Cards that go together in one turn it
    keeps together, then lays them all, the best one last; with its last card it rather passes than draws where it may.
    """

    weights = NORMAL


class EasyBot(ThumbBot):
    """Plays whatever fits, with a mild preference for the sensible; chance decides much.

    Forgets one call in four, and then seldom remembers in time; misses half of the catches.
    """

    weights = EASY
