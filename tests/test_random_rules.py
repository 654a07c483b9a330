"""Under any rules: bots are never refused, rounds end, positions and records come back the same."""

from __future__ import annotations

import json
import random

import pytest
from tests.random_rules import random_rules

from maumau import Action, Match, Record, Round, bots
from maumau.game.action import ACTIONS
from maumau.lab.host import play_round

LONGEST = 20_000
"""Far more actions than the limit on reshuffles (``draw.reshuffles``) leaves to a round."""


def bots_play(first: int, rulesets: int, rounds: int) -> int:
    """Let bots of both levels play rounds of random rulesets; returns how many rounds were played."""
    played = 0
    for number in range(first, first + rulesets):
        chance = random.Random(number)
        rules = random_rules(chance)
        seated = [bots.get(chance.choice(("normal", "easy")), seed=seat) for seat in range(rules.seats or 0)]
        for seed in range(rounds):
            round_ = Round(rules, rules.seats or 0, seed)
            play_round(round_, seated, LONGEST)
            assert round_.over, f"no end after {LONGEST} actions: {rules.code} at {rules.seats}, seed {seed}"
            played += 1
    return played


def test_bots_play_random_rulesets() -> None:
    assert bots_play(0, rulesets=30, rounds=2) == 60


@pytest.mark.prove
def test_bots_play_ten_thousand_rounds_of_random_rulesets() -> None:
    assert bots_play(1000, rulesets=2500, rounds=4) == 10_000


def random_action(chance: random.Random, round_: Round) -> Action:
    shouts = [action for actions in round_.shouts.values() for action in actions]
    if shouts and chance.random() < 0.3:
        return chance.choice(shouts)
    action = chance.choice(list(round_.legal_actions))
    return action.with_call if action in round_.call_due and chance.random() < 0.5 else action


def check_round(number: int) -> None:
    """Play one round of a random ruleset and hold what must hold after every action against it."""
    chance = random.Random(number)
    rules = random_rules(chance)
    round_ = Round(rules, rules.seats or 0, number)
    for _ in range(600):
        if round_.over:
            break
        assert len(round_.legal_actions) > 0, round_.position_text()
        if chance.random() < 0.05:
            again = Round.from_position(rules, json.loads(round_.position_text()))
            assert again.position_text() == round_.position_text(), rules.code
            assert again.legal_texts == round_.legal_texts, (rules.code, round_.position_text())
            assert again.shouts == round_.shouts, (rules.code, round_.position_text())
        if chance.random() < 0.02:
            check_every_action(round_)
        before = round_.position_text()
        round_.push(random_action(chance, round_))
        held = sum(round_.counts) + len(round_.stock) + len(round_.discard)
        assert held == len(rules.pack), (rules.code, before)
        if chance.random() < 0.02:
            after, taken_back = round_.position_text(), round_.pop()
            assert round_.position_text() == before
            round_.push(taken_back)
            assert round_.position_text() == after


def check_every_action(round_: Round) -> None:
    """The legal list is exactly what is accepted, apart from calls, shouts and a wish that a last card does not need."""
    legal = set(round_.legal_actions)
    last = round_.turn is not None and round_.counts[round_.turn] == 1
    for number in range(ACTIONS):
        action = Action.from_id(number)
        needless = last and action.kind == "play" and action.wish is not None
        if action.called or action.seat is not None or needless:
            continue
        accepted = round_.why_not(action) is None
        assert accepted == (action in legal), (str(action), round_.position_text(), round_.rules.code)


def test_invariants_hold_under_random_rulesets() -> None:
    for number in range(60):
        check_round(number)


@pytest.mark.prove
def test_invariants_hold_under_many_random_rulesets() -> None:
    for number in range(1000, 4000):
        check_round(number)


def test_records_of_random_rulesets_replay() -> None:
    for number in range(20):
        chance = random.Random(500 + number)
        rules = random_rules(chance)
        match = Match(rules, rules.seats or 0, seed=number)
        for _ in range(200):
            if match.round.over:
                break
            match.push(random_action(chance, match.round))
        record = match.record()
        assert Record.from_json(record.to_json()).replay().record() == record, rules.code
