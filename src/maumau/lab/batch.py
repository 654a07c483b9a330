"""What a batch of rounds comes to, whatever plays it."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np


class Batch(NamedTuple):
    """A number for each round, as arrays of 64-bit integers.

    ``winners`` are the seats that have won (-1: nobody), ``lengths`` the actions until the end, or until the round was given
    up. ``blocked`` is 1 where nobody could go on; such a round has a winner where the fewest cards win it, or where somebody
    was out before.
    """

    winners: Any
    lengths: Any
    blocked: Any


def empty_batch(rounds: int) -> Batch:
    """Room for so many rounds."""
    return Batch(*(np.zeros(rounds, dtype=np.int64) for _ in Batch._fields))
