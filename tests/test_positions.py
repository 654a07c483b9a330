"""The referee settles every example position, edge case and house rule with the facts that must hold."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from maumau.game import PositionError, Round
from maumau.game.referee import settle

Case = dict[str, Any]

UNORDERED = ("legal", "call_due")
FACTS = ("id", "rules", "position", "do")


def cases(name: str) -> list[Case]:
    lines = (Path(__file__).parent / "data" / name).read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines]


def fact(answer: Case, key: str) -> object:
    """What the answer says about one expected fact."""
    if key == "refused":
        return answer.get("refused", {}).get("action")
    if key == "top_rank":
        return answer["top"][0]
    if key == "error":
        return "error" in answer
    return sorted(answer[key]) if key in UNORDERED else answer[key]


def check(case: Case, expected: Case) -> None:
    answer = settle({key: case[key] for key in FACTS})
    assert "error" not in answer or "error" in expected, answer
    facts = {key: sorted(value) if key in UNORDERED else value for key, value in expected.items()}
    assert {key: fact(answer, key) for key in facts} == facts
    assert "refused" not in answer or "refused" in expected, answer


@pytest.mark.parametrize("case", cases("positions.jsonl") + cases("edge_cases.jsonl"), ids=lambda case: case["id"])
def test_example(case: Case) -> None:
    check(case, case["expect"])


@pytest.mark.parametrize("case", cases("house_rules.jsonl"), ids=lambda case: case["id"])
def test_with_the_house_rule(case: Case) -> None:
    check(case, case["expect_with"])


@pytest.mark.parametrize("case", cases("house_rules.jsonl"), ids=lambda case: case["id"])
def test_without_the_house_rule(case: Case) -> None:
    check({**case, "rules": case["without"]}, case["expect_without"])


@pytest.mark.parametrize("case", cases("positions.jsonl"), ids=lambda case: case["id"])
def test_a_refusal_says_why(case: Case) -> None:
    answer = settle({key: case[key] for key in FACTS})
    if "refused" in case["expect"]:
        assert answer["refused"]["reason"]
        assert answer["refused"]["text"].endswith(".")
    else:
        assert "refused" not in answer


HELD = [["7s", "7c", "Kd"], 5, 5, 5]
KING = [["Kd"], 5, 5, 5]


@pytest.mark.parametrize(
    ("rules", "position", "said"),
    [
        ("family", {"top": "7h", "penalty": 6, "hands": HELD}, "möglich sind 2 bis 4"),
        ("family+stack-cap-1", {"top": "7h", "penalty": 6, "hands": KING}, "möglich sind 2 bis 4"),
        ("family", {"top": "Jh", "free": True, "hands": KING, "discard": 3}, "kann der Zug nicht frei sein"),
        ("family", {"top": "9h", "passes": 2, "hands": KING}, "es sind noch 15 Karten zu ziehen"),
        ("family", {"top": "9h", "skips": 2, "hands": KING}, "„skips“ gibt es nach diesen Regeln nicht"),
        ("family", {"top": "7h", "penalty": 2, "hanging": 0, "hands": KING}, "„hanging“ gibt es nach diesen Regeln"),
        ("family", {"top": "9h", "extra": "equal", "hands": KING}, "„extra“ gibt es nach diesen Regeln nicht"),
        ("family", {"top": "9h", "paid": True, "hands": KING}, "„paid“ gibt es nach diesen Regeln nicht"),
        ("family", {"top": "9h", "rest": [0, 1, 0, 0], "hands": KING}, "„rest“ gibt es nach diesen Regeln nicht"),
        ("family", {"top": "9h", "answers": 1, "hands": KING}, "„answers“ kann es in dieser Stellung nicht geben"),
        ("family", {"top": "9h", "due_skips": 1, "hands": KING}, "„due_skips“ kann es in dieser Stellung nicht geben"),
        ("family", {"top": "9h", "drawn": "Kd", "drew": 3, "hands": KING}, "möglich ist 1 bis 1"),
        ("classic", {"top": "9h", "called": [0], "hands": KING}, "„called“ gibt es nach diesen Regeln nicht"),
        ("family+skip.answer=same", {"top": "8h", "rest": 3, "hands": KING}, "eine Liste mit 4 ganzen Zahlen"),
    ],
)
def test_what_cannot_be_is_refused_in_german_to_its_end(rules: str, position: Case, said: str) -> None:
    assert said in settle({"rules": rules, "position": position}, "de")["error"]


def test_who_has_paid_has_acted_also_once_the_position_is_written_down() -> None:
    position = {"top": "7h", "turn": 1, "direction": -1, "hands": [["Ac"], ["7c", "Kc"], ["8h", "9c"]], "owing": [0]}
    rules = "family+spoken-calls+penalty.then=play"
    unpaid, paid = (Round.from_position(rules, position | {"paid": has}) for has in (False, True))
    assert [*map(str, unpaid.shouts.get(0, ()))] == ["0!"]
    assert 0 not in paid.shouts
    assert Round.from_position(rules, json.loads(paid.position_text())).shouts == paid.shouts


def test_a_penalty_may_be_larger_than_its_cards_once_the_stock_was_renewed() -> None:
    position = {"top": "7d", "turn": 0, "penalty": 10, "hands": [["7c", "7s"], ["7h", "8d"], ["9c"]], "stock": ["8c"]}
    again = Round.from_position("family", position | {"reshuffles": 1})
    assert again.penalty == 10
    with pytest.raises(PositionError, match="10"):
        Round.from_position("family", position)


def test_a_last_card_that_may_come_back_is_read_as_it_was_written() -> None:
    from maumau import Round

    code = "family+end.final_back=yes"
    round_ = Round.from_position(code, {"top": "9h", "turn": 0, "hands": [["7h"], ["7s", "Kd"], 5]})
    round_.push("7h")
    again = Round.from_position(code, json.loads(round_.position_text()))
    assert again.position_text() == round_.position_text()
    for one in (round_, again):
        one.push("7s")
    assert again.position_text() == round_.position_text()
