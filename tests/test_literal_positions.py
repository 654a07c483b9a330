"""The slow literal referee settles every example position as the rule texts demand."""

from __future__ import annotations

import json
import random
import re
from pathlib import Path
from typing import Any

import pytest
from tests.literal.match import LiteralMatch
from tests.literal.position import answer, from_position
from tests.literal.round import RefusedError

from maumau.ruleset import HOUSE_RULES, Ruleset

DATA = Path(__file__).parent / "data"
UNORDERED = ("legal", "call_due")

Case = dict[str, Any]


def cases(name: str) -> list[Case]:
    return [json.loads(line) for line in (DATA / name).read_text(encoding="utf-8").splitlines()]


def comparable(facts: Case) -> Case:
    return {key: sorted(value) if key in UNORDERED else value for key, value in facts.items()}


def settled(case: Case) -> Case:
    """The literal referee's answer to a case; unseen cards lie in some order that the facts may not hang on."""
    position = case["position"]
    seats = position["deal"] if "deal" in position else len(position["hands"])
    values = Ruleset.parse(case["rules"]).at(seats).values
    shuffle = random.Random(case["id"])

    def order(cards: list[str]) -> list[str]:
        return shuffle.sample(cards, len(cards))

    game = from_position(values, position, order, order)
    refused = None
    for action in case["do"]:
        try:
            game.do(action)
        except RefusedError:
            refused = action
            break
    match = LiteralMatch(values, position.get("totals", [0] * seats), game.dealer)
    match.players = [seat for seat in range(seats) if game.playing[seat]]
    if game.over:
        match.round_over(game.winner, game.points)
    return {
        **answer(game),
        "refused": refused,
        "totals": match.totals,
        "match_over": match.over,
        "match_winners": match.winners,
        "next_dealer": match.next_dealer,
        "next_players": match.next_players,
    }


@pytest.mark.parametrize("case", cases("positions.jsonl") + cases("edge_cases.jsonl"), ids=lambda case: case["id"])
def test_example(case: Case) -> None:
    expected = comparable(case["expect"])
    found = settled(case)
    assert {key: found[key] for key in expected} == expected


@pytest.mark.parametrize("case", cases("house_rules.jsonl"), ids=lambda case: case["id"])
@pytest.mark.parametrize("with_rule", [True, False], ids=["with", "without"])
def test_house_rule(case: Case, with_rule: bool) -> None:
    expected = comparable(case["expect_with" if with_rule else "expect_without"])
    case = {**case, "rules": case["rules" if with_rule else "without"]}
    if "error" in expected:
        # So many do not play, or such a card does not start.
        with pytest.raises(ValueError, match=r"does not work with|may not start"):
            settled(case)
        return
    found = settled(case)
    assert {key: found[key] for key in expected} == expected


def test_every_house_rule_has_a_position_whose_answer_changes_without_it() -> None:
    shown = set()
    for case in cases("house_rules.jsonl"):
        assert case["expect_with"] != case["expect_without"], case["id"]
        assert case["house_rule"] in case["rules"].split("+") or case["house_rule"] == "target-200"
        code = case["house_rule"]
        shown.add(code if code in HOUSE_RULES else re.sub(r"(?<=-)\d+$", "N", code))
    assert shown == set(HOUSE_RULES)
