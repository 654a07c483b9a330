"""Mau-Mau by any family's rules: an engine, bots, a table in the browser.

>>> import maumau
>>> match = maumau.Match("family+nine-reverse", seats=3, seed=1)
>>> len(match.round.legal_actions) > 0
True
"""

from maumau.cards import JOKER, Card, Rank, Suit
from maumau.game.action import Action
from maumau.game.errors import IllegalActionError, PositionError, Reason
from maumau.game.event import Event
from maumau.game.match import Match
from maumau.game.observation import Observation
from maumau.game.outcome import Outcome
from maumau.game.record import Record, RecordError
from maumau.game.round import LegalActions, Round
from maumau.ruleset import RuleError, Ruleset

__all__ = [
    "JOKER",
    "Action",
    "Card",
    "Event",
    "IllegalActionError",
    "LegalActions",
    "Match",
    "Observation",
    "Outcome",
    "PositionError",
    "Rank",
    "Reason",
    "Record",
    "RecordError",
    "Round",
    "RuleError",
    "Ruleset",
    "Suit",
]
