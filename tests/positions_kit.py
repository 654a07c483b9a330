"""What the tests of hand-worked positions share: a round set up and played on, and what may be done in it."""

from __future__ import annotations

from typing import Any

import pytest

from maumau import IllegalActionError, Round


def at(rules: str, *do: str, **position: Any) -> Round:
    round_ = Round.from_position(rules, position)
    for action in do:
        round_.push(action)
    return round_


def legal(round_: Round) -> set[str]:
    return set(round_.legal_texts)


def refused(round_: Round, action: str, seat: int | None = None) -> str:
    """The reason for which an action is refused; the position must be as before."""
    before = round_.position_text()
    with pytest.raises(IllegalActionError) as error:
        round_.push(action, seat)
    assert round_.position_text() == before
    assert error.value.position == before
    return error.value.reason
