"""The compiled loops of the laboratory, and what they work on."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any, Final

import numpy as np

from maumau.bots.sight import SIGHT_FIELDS, Sight
from maumau.bots.thumb_rules import EASY, NORMAL, WEIGHTS
from maumau.kernel.jit import Library, to_record
from maumau.kernel.layout import STATE_FIELDS, TABLE_FIELDS, record_type
from maumau.kernel.plain import PLAIN, is_plain
from maumau.lab.batch import Batch, empty_batch
from maumau.lab.seats import RANDOM, THUMB
from maumau.ruleset import Ruleset
from maumau.ruleset.tables import pack_tables

MODULES: Final = (
    ("maumau.bots", "thumb_rules"),
    ("maumau.lab", "playouts"),
    ("maumau.lab", "seats"),
    ("maumau.lab", "trace"),
)

BOT_WEIGHTS: Final = {"random": (0,) * WEIGHTS, "easy": EASY, "normal": NORMAL}
"""The bots that run compiled."""


@cache
def loops(plain: bool = False) -> Any:
    """The compiled loops, for any tables or for plain ones; their machine code is kept on disk."""
    return Library(MODULES, {"Sight": SIGHT_FIELDS, "CardTables": TABLE_FIELDS}, PLAIN if plain else None)


class Bench:
    """Seats with bots under a ruleset, ready to play batches of rounds.

    Tables that the plain build can play run on it, unless ``plain`` is false.
    """

    def __init__(
        self,
        rules: Ruleset,
        bots: Sequence[str],
        weights: Sequence[Sequence[int]] | None = None,
        plain: bool = True,
    ) -> None:
        self.seats = len(bots)
        self.bots = tuple(bots)
        tables = pack_tables(rules.at(self.seats))
        self._loops = loops(plain and is_plain(tables))
        self._states = np.zeros(2, dtype=record_type(STATE_FIELDS))
        self._tables = to_record(tables, TABLE_FIELDS)
        self._sights = to_record(Sight(), SIGHT_FIELDS)
        self._kinds = np.array([RANDOM if bot == "random" else THUMB for bot in bots], dtype=np.int64)
        rows = [BOT_WEIGHTS[bot] for bot in bots] if weights is None else weights
        self._weights = np.array(rows, dtype=np.int64)

    def play(self, seed: int, first: int, rounds: int, longest: int) -> Batch:
        """Play rounds ``first`` and on."""
        batch = empty_batch(rounds)
        low, high = seed & 0xFFFFFFFF, seed >> 32
        if self._kinds.any():
            self._loops.play_bots(
                self._states, self._tables, self._sights, self._kinds, self._weights, self.seats, low, high, first,
                longest, *batch,
            )  # fmt: skip
        else:
            self._loops.play_random(self._states, self._tables, self.seats, low, high, first, longest, *batch)
        return batch
