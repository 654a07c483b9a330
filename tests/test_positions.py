"""The referee settles every example position, edge case and house rule with the facts that must hold."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

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
