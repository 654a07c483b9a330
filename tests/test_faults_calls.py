"""Public faults of programs of this kind, in calls and catches: each is a position whose right outcome is stated."""

from __future__ import annotations

import pytest
from tests.positions_kit import at, refused


def test_c01_a_false_call_is_refused_and_not_remembered() -> None:
    round_ = at("family", top="9h", hands=[["Qs", "Kc", "7d"], 5], stock=["Qh"])
    assert refused(round_, "0!") == "call-not-due"
    round_.push("+")
    round_.push("Qh")
    assert round_.shouts == {}, "three cards are left: nothing was due, and the call is not kept for later"


def test_c01_a_call_with_a_card_too_many_is_refused() -> None:
    round_ = at("family", top="9h", hands=[["Qh", "Kc", "7d"], 5])
    assert refused(round_, "Qh!") == "call-not-due"
    assert round_.call_due == ()


def test_c02_a_false_catch_gains_nothing() -> None:
    round_ = at("family", top="9h", hands=[5, 5])
    for _ in range(10):
        assert refused(round_, "0?1") == "nothing-to-catch"
    assert round_.counts == (5, 5)
    assert round_.turn == 0


def test_c04_wish_and_call_go_with_the_card() -> None:
    round_ = at("family", top="9h", hands=[["Jc", "Kd"], 5])
    assert {str(action) for action in round_.call_due} == {"Jc=c", "Jc=d", "Jc=h", "Jc=s"}
    round_.push("Jc=d!")
    assert refused(round_, "1?0") == "nothing-to-catch"
    assert round_.observation(1).called == (0,)


def test_c06_two_cards_never_go_down_in_one_turn() -> None:
    round_ = at("family", top="9h", hands=[["Kh", "Qh"], 5])
    round_.push("Kh", seat=0)
    assert refused(round_, "Qh", seat=0) == "not-your-turn"
    assert round_.turn == 1
    assert not round_.over


@pytest.mark.parametrize(
    ("rules", "caught_later"), [("international", False), ("study+players-3", False), ("family", True)]
)
def test_c07_the_window_ends_where_the_book_says(rules: str, caught_later: bool) -> None:
    round_ = at(rules, top="9h", hands=[["Kh", "Qh"], ["Kd", "As", "Ah"], ["8s", "Ts", "9s"]])
    round_.push("Kh")
    assert "1?0" in [str(action) for action in round_.shouts[1]]
    round_.push("Kd")
    assert refused(round_, "0!") == "too-late"
    if caught_later:
        round_.push("2?0")
        assert round_.counts[0] == 2
    else:
        assert refused(round_, "2?0") == "too-late"


def test_c07_international_lets_the_next_player_draw_and_still_be_caught_out() -> None:
    round_ = at("international", top="9h", hands=[["Kh", "2c"], ["3d", "4s"], ["5s", "6s", "7s"]], stock=["Ks", "Kc"])
    round_.push("Kh")
    round_.push("+")
    assert round_.turn == 1, "the king drawn fits, so the turn has begun and not ended"
    round_.push("2?0")
    assert round_.counts[0] == 3


def test_c07_study_closes_the_window_with_the_draw() -> None:
    round_ = at("study", top="9h", hands=[["Kh", "Qc"], ["7d", "8s", "Ts"]], stock=["Ks"])
    round_.push("Kh")
    round_.push("+")
    assert round_.turn == 1
    assert refused(round_, "1?0") == "too-late"


def test_c09_the_call_counts_for_its_own_play_only() -> None:
    round_ = at("family", top="9h", hands=[["Kh", "Qs"], ["9d", "Td"]], stock=["8c", "8d", "7c"])
    round_.push("Kh!")
    assert refused(round_, "1?0") == "nothing-to-catch"
    later = at("family", top="9h", hands=[["Kc", "Qs"], ["9d", "Td"]], stock=["Kh", "8d", "7c"])
    assert refused(later, "0!") == "call-not-due"
    later.push("+")
    later.push("-")
    assert later.observation(0).called == ()


def test_c10_an_illegal_card_stays_in_the_hand() -> None:
    round_ = at("family", top="9h", hands=[["Qs", "Kc", "8d"], 5])
    assert refused(round_, "Qs") == "suit-not-followed"
    assert round_.counts[0] == 3
    assert round_.turn == 0


def test_a_caught_player_must_call_again() -> None:
    round_ = at("family", top="Kh", hands=[["9h", "Qc"], ["9d", "Td"]], stock=["9c", "As"])
    round_.push("9h")
    round_.push("1?0")
    assert round_.counts[0] == 2
    round_.push("9d!")
    assert [str(action) for action in round_.call_due] == ["9c"]
    round_.push("9c")
    assert "1?0" in [str(action) for action in round_.shouts[1]]


def test_a_silent_last_card_waits_to_be_caught() -> None:
    hands = [["8h"], ["3d", "4d", "5d"], ["6d", "6c", "6s"]]
    round_ = at("international", top="Kh", hands=hands, stock=["2c", "2d", "2s"])
    round_.push("8h")
    assert round_.phase == "waiting"
    assert round_.legal_texts == ("-",)
    assert {seat: [str(action) for action in actions] for seat, actions in round_.shouts.items()} == {
        0: ["0!"],
        1: ["1?0"],
        2: ["2?0"],
    }
    assert refused(round_, "3d") == "last-card-waits"
    round_.push("2?0")
    assert round_.counts == (2, 3, 3)
    assert round_.turn == 2, "its eight skips seat 1"


def test_a_silent_last_card_may_still_be_called_and_let_stand() -> None:
    for action in ("0!", "-"):
        round_ = at("international", top="Kh", hands=[["9h"], ["3d", "4d"]])
        round_.push("9h")
        round_.push(action)
        outcome = round_.outcome()
        assert outcome is not None
        assert outcome.winner == 0


def test_a_caught_last_jack_leaves_its_suit() -> None:
    round_ = at("international", top="Kh", hands=[["Js"], ["3s", "4d"]], stock=["2c", "2d"])
    round_.push("Js=d")
    round_.push("1?0")
    assert round_.wish is None
    assert round_.legal_texts == ("3s",)


def test_a_late_call_is_open_until_another_seat_acts() -> None:
    round_ = at("family", top="9h", hands=[["Kh", "Qh"], ["Kd", "As", "7c"], 5])
    round_.push("Kh")
    round_.push("0!")
    assert refused(round_, "1?0") == "nothing-to-catch"
    again = at("family", top="9h", hands=[["Kh", "Qh"], ["Kd", "As", "7c"], 5])
    again.push("Kh")
    again.push("Kd")
    assert refused(again, "0!") == "too-late"
    assert "2?0" in [str(action) for action in again.shouts[2]]


def test_after_an_eight_between_two_the_own_turn_is_the_next() -> None:
    hands = [["8h", "Qh"], ["9d", "Td"]]
    for rules, open_after_draw in (("study", False), ("international", True), ("family", False)):
        round_ = at(rules, top="Kh", hands=[["8h", "Qs"], hands[1]], stock=["8s", "7c", "7d", "9c"])
        round_.push("8h")
        assert round_.turn == 0
        assert "1?0" in [str(action) for action in round_.shouts[1]]
        round_.push("+")
        assert round_.turn == 0, "the eight drawn fits"
        assert bool(round_.shouts.get(1)) is open_after_draw, rules


def test_a_duty_outlives_a_hand_that_has_grown() -> None:
    round_ = at("family+ace-others-draw", top="Kh", hands=[["9h", "Qc"], ["Ah", "Td", "7s"], 4], stock=["8c", "8d"])
    round_.push("9h")
    round_.push("Ah")
    assert round_.counts[0] == 2
    round_.push("2?0")
    assert round_.counts[0] == 3
