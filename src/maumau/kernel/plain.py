"""The plain build: what most tables never use, left out of the compiled kernel.

Rulesets whose tables hold these values run on a build in which they are known, so that what only other values need is
not there at all. Which ruleset may is read off its tables; which fields of a state then never change is proved when the
build is made (``maumau.kernel.compiler``).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from maumau.kernel.layout import NO_EXTRA, NOBODY, TABLE_FIELDS, TURN_ENDS, Tables

PLAIN_TABLES: Final[Mapping[str, int]] = {
    "again": NO_EXTRA,
    "back": 0,
    "cancel": 0,
    "passes_on": 0,
    "jokers": 0,
    "start_pays": 0,
    "redraw": 0,
    "draw_most": 1,
    "forced": 0,
    "free_pass": 0,
    "doubling": 0,
    "after_penalty": TURN_ENDS,
    "skip_answerable": 0,
    "skip_adds": 0,
    "wish_other": 0,
    "wish_one_turn": 0,
    "free_one_turn": 0,
    "several": 0,
    "throw_in": 0,
    "false_call": 0,
    "false_catch": 0,
    "call_to_finish": 0,
    "final_back": 0,
    "play_on": 0,
    "blocked_fewest": 0,
}
"""The values of tables that the plain build is made for; a field for each card has this value for every card."""

PLAIN_STATE: Final[Mapping[str, int]] = {"extra": NO_EXTRA, "skips": 0, "rest": 0, "hanging": NOBODY, "fined": 0}
"""The fields of a state that keep one value then."""

PLAIN: Final = {"Tables": PLAIN_TABLES, "State": PLAIN_STATE}


def is_plain(t: Tables) -> bool:
    """Whether the plain build plays these tables."""
    return all(
        all(one == value for one in getattr(t, name)) if TABLE_FIELDS[name] > 1 else getattr(t, name) == value
        for name, value in PLAIN_TABLES.items()
    )
