"""Cards that cannot be turned up at the start: told in a sentence; and no case stops those after it."""

from __future__ import annotations

import json

import pytest

from maumau.game import referee
from maumau.game.referee import settle_line

SPECIAL = {
    "de": "Eine besondere Karte liegt nie zum Start, sie kommt unter den Stapel.",
    "en": "a special card never starts, it goes under the stock.",
}
WISHING = {
    "de": "Eine Wunschkarte liegt nie zum Start, sie kommt unter den Stapel.",
    "en": "a wishing card never starts, it goes under the stock.",
}


def line(rules: str, starter: str) -> str:
    return json.dumps({"id": 7, "rules": rules, "position": {"starter": starter, "hands": [["Ac", "8c"], 5, 5, 5]}})


@pytest.mark.parametrize("lang", ["de", "en"])
@pytest.mark.parametrize(
    ("rules", "starter", "said"),
    [
        ("pesten", "7h", SPECIAL),
        ("family+start.redraw=power", "7h", SPECIAL),
        ("family+start.redraw=wish", "Jh", WISHING),
    ],
)
def test_a_starter_that_goes_under_the_stock_is_refused_in_a_sentence(
    rules: str, starter: str, said: dict[str, str], lang: str
) -> None:
    answer = settle_line(line(rules, starter), lang)
    assert answer["id"] == 7
    assert answer["error"].endswith(said[lang])


def fail(*_: object) -> None:
    raise KeyError("a key that is not there")


def test_what_is_wrong_within_stops_one_case_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as broken:
        broken.setattr(referee, "settle", fail)
        answer = settle_line(line("family", "9h"), "en")
    assert answer["id"] == 7
    assert "KeyError: 'a key that is not there'" in answer["error"]
    assert "error" not in settle_line(line("family", "9h"), "en")
