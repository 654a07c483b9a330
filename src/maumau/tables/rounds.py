"""What a table keeps of its rounds: how each seed came about, and what each left on the score sheet."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


@dataclass(slots=True)
class Deal:
    """How the seed of a round came about; the secret is empty until the round is over."""

    number: int
    """The table's n-th round, over all its matches."""
    commitment: str
    contributions: tuple[str, ...]
    secret: str = ""

    def as_json(self, table: str) -> dict[str, Any]:
        """The deal as it stands in a record."""
        said: dict[str, Any] = {
            "table": table,
            "deal": self.number,
            "commitment": self.commitment,
            "contributions": list(self.contributions),
        }
        return said | {"secret": self.secret} if self.secret else said


@dataclass(frozen=True, slots=True)
class FinishedRound:
    """What a finished round left on the score sheet."""

    match: int
    round: int
    points: tuple[int | None, ...]
    winner: int | None
    blocked: bool


@dataclass(frozen=True, slots=True)
class PlayedMatch:
    """A match of a table: its finished rounds, and what it has come to."""

    match: int
    rounds: tuple[FinishedRound, ...]
    totals: tuple[int, ...]
    winners: tuple[int, ...]
    over: bool
