"""What holds for every round under every ruleset, whatever is played."""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st
from tests.lab_kit import random_rules

from maumau import Action, Card, IllegalActionError, Round
from maumau.game.action import ACTIONS

SHOUTS = frozenset(action for action in map(Action.from_id, range(ACTIONS)) if action.kind in ("call", "catch"))
TURNS = tuple(action for action in map(Action.from_id, range(ACTIONS)) if action not in SHOUTS)


def random_round(dice: random.Random) -> Round:
    rules, seats = random_rules(dice)
    return Round(rules, seats, dice.getrandbits(128))


def any_action(dice: random.Random, round_: Round) -> Action:
    """A legal action, sometimes with its call, sometimes somebody's shout instead."""
    shouts = [action for actions in round_.shouts.values() for action in actions]
    if shouts and dice.random() < 0.3:
        return dice.choice(shouts)
    action = dice.choice(round_.legal_actions)
    return action.with_call if action in round_.call_due and dice.random() < 0.5 else action


def cards_on_the_table(round_: Round) -> Counter[Card]:
    return Counter([*round_.stock, *round_.discard, *(card for hand in round_.hands for card in hand)])


dices = st.integers(0, 2**32).map(random.Random)


@given(dices)
@settings(max_examples=30)
def test_cards_are_conserved_and_there_is_always_something_to_do(dice: random.Random) -> None:
    round_ = random_round(dice)
    pack = Counter(round_.rules.pack)
    for _ in range(150):
        assert cards_on_the_table(round_) == pack
        assert round_.over or len(round_.legal_actions) > 0
        assert round_.over == (round_.turn is None)
        assert all(shout in SHOUTS for actions in round_.shouts.values() for shout in actions)
        if round_.over:
            break
        round_.push(any_action(dice, round_))


def look(round_: Round) -> tuple[Any, ...]:
    """All there is to see of a round from inside and outside."""
    seen = tuple(round_.observation(seat) for seat in (None, *range(round_.seats)))
    return round_.position_text(), round_.events, seen, tuple(round_.legal_actions), round_.shouts


@given(dices)
@settings(max_examples=20)
def test_pop_takes_back_what_push_did(dice: random.Random) -> None:
    round_ = random_round(dice)
    before = [look(round_)]
    pushed: list[Action] = []
    while len(pushed) < 25 and not round_.over:
        pushed.append(any_action(dice, round_))
        round_.push(pushed[-1])
        before.append(look(round_))
    for action in reversed(pushed):
        assert look(round_) == before.pop()
        assert round_.pop().without_call == action.without_call
    assert look(round_) == before.pop()


@given(dices)
@settings(max_examples=20)
def test_a_position_text_is_read_back_to_the_same_position(dice: random.Random) -> None:
    round_ = random_round(dice)
    for _ in range(30):
        if round_.over or round_.phase != "playing":
            break
        again = Round.from_position(round_.rules, round_.position())
        assert again.position_text() == round_.position_text()
        assert again.legal_actions[:] == round_.legal_actions[:]
        assert again.shouts.keys() == round_.shouts.keys()
        round_.push(any_action(dice, round_))


def accepts(round_: Round, action: Action) -> bool:
    try:
        round_.push(action)
    except IllegalActionError:
        return False
    round_.pop()
    return True


def may_cost(round_: Round, action: Action) -> bool:
    """Whether these rules let one shout this without cause and pay for it: no list offers it."""
    if action.kind == "catch":
        return bool(round_.rules["call.false_catch"])
    return (action.kind == "call" or action.called) and bool(round_.rules["call.false"])


@given(dices)
@settings(max_examples=12)
def test_the_legal_list_is_what_push_accepts_of_all_actions(dice: random.Random) -> None:
    round_ = random_round(dice)
    for _ in range(dice.randint(0, 60)):
        if round_.over:
            break
        round_.push(any_action(dice, round_))
    listed = {*round_.legal_actions, *(action.with_call for action in round_.call_due)}
    shouts = {action for actions in round_.shouts.values() for action in actions}
    one_left = not round_.over and round_.turn is not None and round_.counts[round_.turn] == 1
    for action in map(Action.from_id, range(ACTIONS)):
        legal = action in listed or action in shouts
        if not legal and may_cost(round_, action):
            continue
        if one_left and action.kind == "play" and action.wish is not None:
            # A wish given with the last card is ignored, so it is accepted though the list shows the card bare.
            bare = Action.play(action.card or Card(0), None, action.called)
            legal = bare in listed and accepts(round_, action)
        assert accepts(round_, action) == legal, f"{action} at {round_.position_text()}"
        assert (round_.why_not(action) is None) == legal, f"{action} at {round_.position_text()}"


@given(dices)
@settings(max_examples=12)
def test_a_round_ends(dice: random.Random) -> None:
    """Random play under random rules comes to an end, and then costs what the hands say."""
    round_ = random_round(dice)
    for _ in range(20_000):
        if round_.over:
            break
        round_.push(any_action(dice, round_))
        round_._undo.clear()
    outcome = round_.outcome()
    if outcome is not None:
        assert outcome.blocked == (outcome.winner is None)
        assert len(outcome.points) == round_.seats
        assert outcome.winner is None or outcome.hands[outcome.winner] == ()


def redealt(dice: random.Random, round_: Round, seat: int) -> Round:
    """The same position with the cards that the seat cannot see dealt anew."""
    position = dict(round_.position())
    hands = [list(hand) for hand in position["hands"]]
    hidden = [card for other, hand in enumerate(hands) if other != seat for card in hand] + list(position["stock"])
    dice.shuffle(hidden)
    for other, hand in enumerate(hands):
        if other != seat:
            hands[other] = [hidden.pop() for _ in hand]
    return Round.from_position(round_.rules, position | {"hands": hands, "stock": hidden})


@given(dices)
@settings(max_examples=30)
def test_what_a_seat_sees_hangs_on_nothing_hidden(dice: random.Random) -> None:
    round_ = random_round(dice)
    for _ in range(dice.randint(0, 30)):
        if round_.over or round_.phase != "playing":
            break
        round_.push(any_action(dice, round_))
    seat = dice.randrange(round_.seats)
    another_drew = round_.position().get("drawn") is not None and round_.turn != seat
    if round_.over or round_.phase != "playing" or another_drew:
        return
    same = Round.from_position(round_.rules, round_.position())
    assert redealt(dice, round_, seat).observation(seat) == same.observation(seat)
