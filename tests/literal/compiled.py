"""The compiled kernel as the third beside the engine and the literal referee."""

from __future__ import annotations

import numpy as np

from maumau import Action, Round
from maumau.game.action import ACTIONS
from maumau.kernel.jit import to_record
from maumau.kernel.layout import STATE_FIELDS, TABLE_FIELDS, State, record_type
from maumau.lab.machine import loops
from maumau.lab.trace import mix, state_print


class Compiled:
    """Keeps what was done in the engine, and does it all again on the compiled kernel.

    The engine's fingerprints are taken after actions of which the literal referee says the same.
    """

    def __init__(self) -> None:
        self.rounds: list[Round] = []
        self.states: list[State] = []
        self.ends: list[int] = []
        self.actions: list[int] = []
        self.prints: list[int] = []

    def begin(self, engine: Round) -> None:
        """A round as it stands; what is done from here on is kept."""
        self.rounds.append(engine)
        self.states.append(engine._state.copy())
        self.ends.append(len(self.actions))

    def did(self, engine: Round) -> None:
        """The round that was begun last has done one more action."""
        print_ = state_print(engine._state, 0)
        for action in engine.legal_actions:
            print_ = mix(print_, action)
        self.actions.append(engine.actions[-1])
        self.prints.append(print_)
        self.ends[-1] = len(self.actions)

    def compare(self) -> int:
        """Replay everything compiled; returns how many actions. Raises AssertionError at the first that differs."""
        states = np.concatenate([to_record(state, STATE_FIELDS) for state in self.states])
        tables = np.concatenate([to_record(engine._tables, TABLE_FIELDS) for engine in self.rounds])
        actions, ends = np.array(self.actions, dtype=np.int64), np.array(self.ends, dtype=np.int64)
        listed, prints = np.zeros(ACTIONS, dtype=np.int64), np.zeros(len(actions), dtype=np.int64)
        assert states.dtype == record_type(STATE_FIELDS)
        done: int = loops().replay_rounds(states, tables, ends, actions, listed, prints)
        wrong = np.nonzero(prints != np.array(self.prints, dtype=np.int64))[0]
        if len(wrong):
            at = int(wrong[0])
            engine = self.rounds[int(np.searchsorted(ends, at, side="right"))]
            raise AssertionError(f"{engine.rules.code}: compiled differs after {Action.from_id(self.actions[at])}")
        return done
