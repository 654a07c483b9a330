"""Faults that a stranger found by trying to break things; each test is named after its fault."""

from __future__ import annotations

import json
from contextlib import suppress
from typing import Any

import pytest

from maumau import Match, Record
from maumau.game.record import RecordError


def played_record() -> dict[str, Any]:
    match = Match("family+target-10", seats=2, seed=1)
    while not match.over:
        if match.round.over:
            match.next_round()
        match.push(match.round.legal_actions[0])
    data: dict[str, Any] = json.loads(match.record().to_json())
    assert Record.from_json(json.dumps(data)).replay().totals == match.totals
    return data


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("seats", float("inf")),
        ("seats", True),
        ("seats", 99),
        ("rules", "nonsense"),
        ("rounds", []),
        ("rounds", [5]),
        ("names", None),
        ("seed", "x"),
        ("ended", "no"),
    ],
)
def test_a_damaged_record_is_refused_as_a_record_and_never_crashes(key: str, value: object) -> None:
    data = played_record() | {key: value}
    with pytest.raises(RecordError, match=r"damaged"):
        Record.from_json(json.dumps(data)).replay()


@pytest.mark.parametrize("key", ["rules", "values", "seats", "rounds", "totals", "winners", "ended"])
def test_a_record_that_lacks_a_part_is_refused(key: str) -> None:
    data = played_record()
    del data[key]
    with pytest.raises(RecordError, match=key):
        Record.from_json(json.dumps(data)).replay()


@pytest.mark.parametrize("value", [None, 5, [], ["9h"], [[]], "x", "9" * 500])
@pytest.mark.parametrize("key", ["deal", "reshuffles", "seed", "dealer", "actions"])
def test_a_round_that_is_damaged_is_refused(key: str, value: object) -> None:
    data = played_record()
    data["rounds"][0][key] = value
    with suppress(RecordError):  # anything else would be a crash; the value may also say the same in other words
        Record.from_json(json.dumps(data)).replay()


def test_a_record_nested_too_deep_is_no_json() -> None:
    with pytest.raises(RecordError, match="not JSON"):
        Record.from_json("[" * 100_000)
