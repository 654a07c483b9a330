"""The game as others use it: rounds, matches, actions, observations, records, and the referee."""

from maumau.game.action import Action
from maumau.game.errors import IllegalActionError, PositionError, Reason
from maumau.game.event import Event
from maumau.game.match import Match
from maumau.game.observation import Observation
from maumau.game.outcome import Outcome
from maumau.game.record import Record, RecordError
from maumau.game.round import LegalActions, Round

__all__ = [
    "Action",
    "Event",
    "IllegalActionError",
    "LegalActions",
    "Match",
    "Observation",
    "Outcome",
    "PositionError",
    "Reason",
    "Record",
    "RecordError",
    "Round",
]
