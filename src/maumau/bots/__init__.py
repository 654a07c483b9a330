"""Players that see an Observation and nothing else.

>>> from maumau import Round, bots
>>> round = Round("family", seats=3, seed=1)
>>> bot = bots.get("normal")
>>> bot.choose(round.observation(round.turn)) in round.legal_actions
True
"""

from maumau.bots.protocol import Bot
from maumau.bots.registry import GROUP, UnknownBotError, get, names

__all__ = ["GROUP", "Bot", "UnknownBotError", "get", "names"]
