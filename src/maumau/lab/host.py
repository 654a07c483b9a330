"""Rounds through the public engine, for bots that only run as Python. Slower, and the same in every result."""

from __future__ import annotations

from collections.abc import Sequence

from maumau import bots as registry
from maumau.bots import Bot
from maumau.game.action import Action
from maumau.game.round import Round
from maumau.kernel.layout import NOBODY
from maumau.lab.batch import Batch, empty_batch
from maumau.ruleset import Ruleset


def ask_for_shout(bot: Bot, round_: Round, seat: int) -> Action | None:
    """What a bot shouts, None where it never does."""
    shout = getattr(bot, "shout", None)
    answer: Action | None = shout(round_.observation(seat)) if shout else None
    return answer


def let_shout(round_: Round, bots: Sequence[Bot]) -> int:
    """Ask every seat in seat order for a shout, anew after each; returns how many there were."""
    count = seat = 0
    throws = bool(round_.rules["play.throw_in"])
    while seat < round_.seats and (round_.owing or throws):
        action = ask_for_shout(bots[seat], round_, seat) if round_.shouts_of(seat) else None
        seat += 1
        if action is not None:
            round_.push(action)
            count += 1
            seat = 0
    return count


def play_round(round_: Round, bots: Sequence[Bot], longest: int = 1_000_000) -> int:
    """Play a round to its end with a bot on each seat; returns how many actions and shouts there were."""
    actions = 0
    while round_.turn is not None and actions < longest:
        seat = round_.turn
        round_.push(bots[seat].choose(round_.observation(seat)), seat)
        actions += 1 + let_shout(round_, bots)
    return actions


class HostBench:
    """Seats with any bots under a ruleset; plays the same deals as the compiled bench."""

    def __init__(self, rules: Ruleset, bots: Sequence[str]) -> None:
        self.rules = rules.at(len(bots))
        self.bots = tuple(bots)

    def play(self, seed: int, first: int, rounds: int, longest: int) -> Batch:
        """Play rounds ``first`` and on."""
        batch = empty_batch(rounds)
        for i in range(rounds):
            own = seed << 64 | first + i
            round_ = Round(self.rules, len(self.bots), own)
            players = [registry.get(bot, seed=own ^ seat) for seat, bot in enumerate(self.bots)]
            batch.lengths[i] = play_round(round_, players, longest)
            outcome = round_.outcome()
            batch.winners[i] = NOBODY if outcome is None or outcome.winner is None else outcome.winner
            batch.blocked[i] = outcome is not None and outcome.blocked
        return batch
