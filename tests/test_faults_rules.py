"""Public faults of programs of this kind, in rules and packs: each is a position whose right outcome is stated.

The names say the fault; the marks (R-01 …) are those under which the faults were collected.
"""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest
from tests.positions_kit import at, refused

from maumau import Card, Match, Round, RuleError, Ruleset
from maumau.cards import CARDS


def test_r01_a_jack_never_lies_without_a_suit() -> None:
    round_ = at("classic+players-3", top="9h", hands=[["Jc", "Kd", "8s"], ["Qh", "7c", "Ts"], ["Ad", "Kc", "9s"]])
    assert refused(round_, "Jc") == "wish-missing"
    assert round_.top == Card.parse("9h")
    assert round_.turn == 0
    assert Card.parse("Jc") in round_.hands[0]


@pytest.mark.parametrize("last", ["Jc", "Jc=s"])
def test_r03_a_wish_never_reaches_the_next_round(last: str) -> None:
    match = Match("family", seats=2, seed=5)
    match.round = at("family", top="9h", hands=[["Jc"], ["Kd", "Qd"]])
    match.push(last)
    assert match.round.over
    following = match.next_round()
    assert following.wish is None
    assert following.penalty in (0, 2)
    assert following.direction == 1
    assert following.owing == ()


def test_r03_the_next_round_follows_its_own_starter() -> None:
    round_ = at("international", starter="Td", hands=[["Kc", "9c", "8h", "Qs", "Ts"], 5])
    assert round_.legal_texts == ("Ts",)
    assert refused(round_, "Qs") == "suit-not-followed"


@pytest.mark.parametrize("rules", ["family", "classic", "study"])
@pytest.mark.parametrize("action", ["Jc", "Jc=d"])
def test_r04_the_last_jack_needs_no_wish(rules: str, action: str) -> None:
    hands = [["Jc"], 5, 5, 5] if rules == "classic" else [["Jc"], 5]
    round_ = at(rules, top="9h", hands=hands)
    assert "Jc" in round_.legal_texts
    round_.push(action)
    assert round_.over
    assert round_.outcome() is not None
    assert round_.wish is None


def test_r06_a_forbidden_last_jack_leaves_a_way_on() -> None:
    round_ = at("family+no-jack-finish", top="9c", hands=[["Jc"], 5], stock=["Td"])
    assert refused(round_, "Jc=c") == "may-not-finish"
    round_.push("+")
    assert round_.turn == 1, "only the drawn card may be played, and it does not fit"
    freer = at("family+no-jack-finish+draw.then=any", top="9c", hands=[["Jc"], 5], stock=["Td"])
    freer.push("+")
    assert "Jc=c" in freer.legal_texts


def test_r06_with_nothing_to_draw_the_turn_moves_on() -> None:
    rest = [str(card) for card in Ruleset.parse("family").at(2).pack if str(card) not in ("Jc", "9c")]
    round_ = at("family+no-jack-finish", top="9c", hands=[["Jc"], rest], stock=[], discard=[])
    assert round_.legal_texts == ("-",)
    round_.push("-")
    assert round_.turn == 1


def test_r08_a_seven_is_paid_once() -> None:
    round_ = at("family", top="9h", hands=[["7h", "Kd", "8s", "Td"], ["Qs", "Kc", "9d"]], stock=["Ac", "As", "Ad"])
    round_.push("7h")
    round_.push("+2")
    assert round_.counts == (3, 5)
    assert round_.penalty == 0
    assert round_.turn == 0
    assert refused(round_, "+2") == "no-penalty"
    assert refused(round_, "+", seat=1) == "not-your-turn"


def test_r08_an_answered_seven_costs_four() -> None:
    round_ = at("family", top="9h", hands=[["7h", "Kd", "8s", "Td"], ["Qs", "Kc", "7s"]])
    for action in ("7h", "7s", "+4"):
        round_.push(action)
    assert round_.counts[0] == 7


def test_r10_one_card_a_turn() -> None:
    round_ = at("classic", top="9h", hands=[["Qs", "Kc", "Ad"], 5, 5, 5], stock=["Th", "Td", "9c"])
    round_.push("+")
    assert refused(round_, "+") == "already-drawn"
    assert set(round_.legal_texts) == {"Th", "-"}


@pytest.mark.parametrize("rules", ["family", "classic", "international"])
@pytest.mark.parametrize("seats", [2, 4])
def test_r11_every_starter_leaves_the_first_seat_something_to_do(rules: str, seats: int) -> None:
    code = rules if rules != "classic" or seats == 4 else f"classic+players-{seats}"
    for card in Ruleset.parse(code).at(seats).pack:
        round_ = at(code, starter=str(card), hands=[5] * seats)
        assert round_.legal_texts, card


def test_r11_starters_act_as_the_book_says() -> None:
    assert at("family", starter="7h", hands=[["8h"], 5]).legal_texts == ("+2",)
    assert at("international", starter="7h", hands=[["8h", "2c"], 5]).legal_texts == ("8h",)
    assert at("family", starter="8h", hands=[5, 5, 5]).turn == 1
    assert at("international", starter="8h", hands=[5, 5, 5]).turn == 0
    assert at("international", starter="Jc", hands=[5, 5, 5]).legal_texts == ("=c", "=d", "=h", "=s")


@pytest.mark.parametrize(("two", "turn"), [("skip", 0), ("none", 1)])
def test_r13_a_reverse_between_two(two: str, turn: int) -> None:
    round_ = at(f"family+nine-reverse+reverse.two={two}", top="Kh", hands=[["9h", "Td", "As"], 5])
    round_.push("9h")
    assert round_.turn == turn
    assert round_.direction == 1


def test_r13_three_seats_and_two_left_use_the_same_switch() -> None:
    code = "family+nine-reverse+end.play_on=yes"
    three = at(code, top="Kh", hands=[["9h", "Td", "As"], 5, 5])
    three.push("9h")
    assert three.turn == 2
    two = at(code, top="Kh", hands=[["9h", "Td", "As"], 5, []], places=[2])
    two.push("9h")
    assert two.turn == 0


def test_r16_stacking_is_a_house_rule() -> None:
    position: dict[str, Any] = {"top": "7h", "penalty": 2, "hands": [["7s", "Kc"], 5]}
    assert set(at("family", **position).legal_texts) == {"7s", "+2"}
    off = at("family+no-stacking", top="9h", hands=[["7h", "Kc", "As"], ["7s", "Kd"], 4])
    off.push("7h")
    assert off.turn == 2
    assert off.counts == (2, 4, 4)


def test_r16_the_rules_of_a_running_match_cannot_be_changed() -> None:
    match = Match("family", seats=2, seed=1)
    with pytest.raises((AttributeError, TypeError)):
        match.rules.values["penalty.answer"] = "none"  # type: ignore[index]  # that it cannot be written is the test
    assert match.rules["penalty.answer"] == "same"


def test_r17_a_seat_that_is_out_is_out() -> None:
    hands = [["Kh"], ["Kd", "9c", "Ts"], ["Tc", "8c", "As"], ["8d", "Qc", "Qs"]]
    round_ = at("family+end.play_on=yes", top="9h", hands=hands)
    round_.push("Kh")
    assert not round_.over
    assert round_.observation(1).places == (0,)
    for action in ("Kd", "+"):
        round_.push(action)
    if round_.turn == 2:
        round_.push("-")
    round_.push("8d")
    assert round_.turn == 2, "the eight of seat 3 skips seat 1, since seat 0 is out"
    assert refused(round_, "2?0") == "not-playing"


def test_r17_play_goes_on_until_one_holds_cards() -> None:
    rng = __import__("random").Random(4)
    for seed in range(20):
        round_ = Round("family+end.play_on=yes", seats=4, seed=seed)
        while not round_.over:
            round_.push(rng.choice(list(round_.legal_actions)))
        outcome = round_.outcome()
        assert outcome is not None
        if not outcome.blocked and len(outcome.places) == 3:
            assert sum(bool(hand) for hand in outcome.hands) == 1


def test_d01_an_empty_stock_is_made_of_the_discards() -> None:
    held = {"9h", "Ks", "Qs", "Ts", "8c", "Ad"}
    rest = [str(card) for card in Ruleset.parse("family").at(2).pack if str(card) not in held]
    round_ = at("family", top="9h", hands=[["8c", "Ad"], rest], stock=[], discard=["Ks", "Qs", "Ts"])
    events = round_.push("+")
    assert round_.counts[0] == 3
    assert len(round_.stock) == 2
    assert round_.discard == (Card.parse("9h"),)
    assert events[0].kind == "reshuffle"
    assert events[0].count == 3
    assert all(event.seen_by(None) == event for event in events if event.kind == "reshuffle")


def test_d03_the_draw_that_empties_the_stock_ends_the_turn_alike() -> None:
    held = {"8c", "Kh", "9s", "Td", "Qc"}
    rest = [str(card) for card in Ruleset.parse("family").at(2).pack if str(card) not in held]
    round_ = at("family", top="Kh", hands=[["9s", "Td", "Qc"], rest], stock=["8c"], discard=[])
    round_.push("+")
    assert round_.stock == ()
    assert round_.turn == 1
    assert round_.counts[0] == 4


def test_d05_a_penalty_larger_than_the_supply() -> None:
    rest = [str(card) for card in Ruleset.parse("family").at(2).pack if str(card)[0] != "7"]
    position: dict[str, Any] = {"top": "7s", "penalty": 8, "stock": [], "discard": ["7h", "7d", "7c"], "turn": 1}
    round_ = at("family", hands=[rest[:14], rest[14:]], **position)
    round_.push("+8")
    assert round_.penalty == 0
    assert round_.counts == (14, 17)
    assert round_.turn == 0
    assert round_.legal_texts


def test_d06_nothing_to_draw_is_never_a_negative_count() -> None:
    rest = [str(card) for card in Ruleset.parse("family").at(2).pack if str(card) not in ("9h", "8c", "Ad")]
    round_ = at("family", top="9h", hands=[["8c", "Ad"], rest], stock=[], discard=[])
    assert round_.legal_texts == ("-",)
    for _ in range(100):
        assert refused(round_, "+") == "nothing-to-draw"
    assert round_.stock == ()


@pytest.mark.parametrize(
    ("code", "size", "copies"),
    [
        ("family", 32, 1),
        ("family+52-cards", 52, 1),
        ("family+two-packs", 64, 2),
        ("family+52-cards+pack.jokers=2", 54, 1),
        ("family+52-cards+two-packs+pack.jokers=2", 108, 2),
    ],
)
def test_d08_a_pack_is_exactly_its_cards(code: str, size: int, copies: int) -> None:
    rules = Ruleset.parse(code).at(4)
    counted = Counter(rules.pack)
    assert len(rules.pack) == size
    assert all(count == copies for card, count in counted.items() if not card.is_joker)
    round_ = Round(code, seats=4, seed=9)
    dealt = Counter(card for hand in round_.hands for card in hand) + Counter(round_.stock) + Counter(round_.discard)
    assert dealt == counted


def test_d08_one_of_two_equal_cards_stays_in_the_hand() -> None:
    round_ = at("family+two-packs", top="9h", hands=[["Kh", "Kh", "As"], 5])
    assert round_.legal_texts.count("Kh") == 1
    round_.push("Kh")
    assert round_.hands[0].count(Card.parse("Kh")) == 1
    assert round_.discard.count(Card.parse("Kh")) == 1


def test_jokers_are_one_card_to_everybody() -> None:
    round_ = at("family+pack.jokers=2+power.joker.wish=yes", top="9h", hands=[["*", "*", "As"], 5])
    assert [text for text in round_.legal_texts if text[0] == "*"] == ["*=c", "*=d", "*=h", "*=s"]
    round_.push("*=s")
    assert [str(card) for card in round_.hands[0]] == ["As", "*"]
    assert round_.top == CARDS[52]
    assert round_.wish is not None


def test_a_wishing_queen_and_a_heart_king_that_draws_three() -> None:
    code = "family+power.J.wish=no+power.Q.wish=yes+power.Kh.draw=3"
    round_ = at(code, top="9h", hands=[["Qc", "Jc", "Kh", "Ah"], ["Kd", "9c"], 5])
    assert {"Qc=c", "Qc=s", "Kh", "Ah"} <= set(round_.legal_texts)
    assert not any(text.startswith("Jc") for text in round_.legal_texts)
    round_.push("Kh")
    assert round_.penalty == 3
    assert round_.legal_texts == ("+3",), "no other king draws, so none answers"


def test_contradicting_house_rules_name_both() -> None:
    with pytest.raises(RuleError) as error:
        Ruleset.parse("family+ace-again+ace-others-draw")
    assert "ace-again" in str(error.value)
    assert "ace-others-draw" in str(error.value)


def test_equal_rules_written_in_two_ways_keep_their_own_code() -> None:
    wordy = Ruleset.parse("family+fine.J=0").at(5)
    plain = Ruleset.parse("family").at(5)
    assert wordy == plain
    assert (wordy.code, plain.code) == ("family+fine.J=0", "family")
