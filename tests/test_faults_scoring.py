"""Public faults of programs of this kind, in scoring and the end of a match: positions whose right outcome is stated."""

from __future__ import annotations

from typing import Any

import pytest

from maumau import Match, Round
from maumau.game.referee import settle


def settled(rules: str, do: list[str], **position: Any) -> dict[str, Any]:
    answer = settle({"rules": rules, "position": position, "do": do})
    assert "error" not in answer, answer
    assert "refused" not in answer, answer
    return answer


def test_s01_an_ended_match_counts_finished_rounds_only() -> None:
    match = Match("family", seats=2, seed=3)
    assert match.end() == (0, 1)
    assert match.totals == (0, 0)
    assert match.over


def test_s01_a_conceded_round_never_credits_the_winner_with_its_own_hand() -> None:
    code = "family+points.J=20+points.Q=3+points.K=4+points.A=11"
    round_ = Round.from_position(code, {"top": "9h", "hands": [["Ac", "Qd"], ["9c", "8h", "Jd", "Ks"]]})
    match = Match.from_rounds(round_.rules, 7, [round_])
    match.concede(0)
    assert match.scores == ((14, 0),)
    assert match.totals == (14, 0)
    assert match.winners == (1,)
    assert 41 not in {abs(total) for total in match.totals}


def test_s02_equal_best_totals_play_on() -> None:
    answer = settled("family+jack-20", ["9h"], top="Kh", hands=[["Js"], ["9h"], ["Td"]], turn=1, totals=[95, 60, 50])
    assert answer["totals"] == [115, 60, 60]
    assert answer["match_over"] is False
    assert answer["match_winners"] == []
    assert answer["next_players"] == [0, 1, 2]


def test_s02_international_plays_on_among_the_tied() -> None:
    answer = settled("international", ["9h!"], top="Kh", hands=[["Js"], ["9h"], ["Td"]], turn=1, totals=[95, 60, 50])
    assert answer["totals"] == [105, 60, 60]
    assert answer["next_players"] == [1, 2]
    assert answer["next_dealer"] in (1, 2)
    tied = settled(
        "international", ["9h!"], top="Kh", hands=[None, ["9h"], ["Td"]], turn=1, dealer=2, totals=[105, 60, 60]
    )
    assert tied["match_over"] is True
    assert tied["match_winners"] == [1]


def test_s02_the_tied_play_a_round_of_their_own() -> None:
    code = "international+target-12"
    first = Round.from_position(code, {"top": "Kh", "hands": [["9h"], ["Td"], ["5d"]]})
    first.push("9h!")
    second = Round.from_position(code, {"top": "Kh", "hands": [["Td"], ["9h"], ["7d"]], "turn": 1, "dealer": 0})
    second.push("9h!")
    match = Match.from_rounds(first.rules, 7, [first, second])
    assert match.totals == (10, 10, 12)
    assert not match.over
    assert match.next_players == (0, 1)
    extra = match.next_round()
    assert extra.players == (0, 1)
    assert extra.counts[2] == 0
    assert extra.dealer == 1
    while not extra.over:
        extra.push(extra.legal_actions[0])
    outcome = extra.outcome()
    assert outcome is not None
    if outcome.winner is None:
        assert match.next_players == (0, 1)
    else:
        assert match.winners == (outcome.winner,)


def test_s05_the_target_is_part_of_the_rules() -> None:
    match = Match("family+target-200", seats=2, seed=1)
    assert match.rules["match.target"] == 200
    with pytest.raises(AttributeError):
        match.rules.seats = 3  # type: ignore[misc]  # that it cannot be written is the test


@pytest.mark.parametrize(("extra", "points"), [("+final-seven-draws", [0, 32, 3]), ("", [0, 11, 3])])
def test_s06_cards_drawn_for_a_final_seven_count(extra: str, points: list[int]) -> None:
    hands = [["7h"], ["Kd", "7s"], ["Qc"]]
    assert settled(f"family{extra}", ["7h"], top="9h", hands=hands, stock=["Ac", "Td"])["points"] == points


def test_s06_a_final_seven_on_a_live_chain_draws_all_of_it() -> None:
    hands = [["7h"], ["Kd"], ["Qc"]]
    answer = settled(
        "family+final-seven-draws", ["7h"], top="7s", penalty=2, hands=hands, stock=["Ac", "Td", "9s", "8s"]
    )
    assert answer["hands_n"] == [0, 5, 1]


def test_s07_first_out_or_places() -> None:
    hands = [["Kh"], ["9h", "8c"], ["Qh"]]
    assert settled("family", ["Kh"], top="Th", hands=hands)["over"] is True
    round_ = Round.from_position("family+end.play_on=yes", {"top": "Th", "hands": hands})
    for action in ("Kh", "9h!", "Qh"):
        round_.push(action)
    outcome = round_.outcome()
    assert outcome is not None
    assert outcome.places == (0, 2)
    assert outcome.winner == 0
    assert round_.turn is None


def test_out_with_a_jack_doubles_everybody_else() -> None:
    answer = settled("classic", ["Jh"], top="Kh", hands=[["Jh"], ["Js"], ["Ac"], ["7c"]])
    assert answer["points"] == [0, 40, 22, 14]
    assert settled("family", ["Jh"], top="Kh", hands=[["Jh"], ["Js"]])["points"] == [0, 2]


def test_a_blocked_round_never_doubles_and_moves_the_deal() -> None:
    suits = {suit: [rank + suit for rank in "789TJQKA"] for suit in "shdc"}
    hands = [suits["s"], suits["d"], suits["c"], [card for card in suits["h"] if card != "9h"]]
    answer = settled("classic", ["-"] * 4, top="9h", stock=[], discard=[], dealer=2, turn=3, hands=hands)
    assert answer["winner"] is None
    assert answer["points"] == [85, 85, 85, 76]
    assert answer["next_dealer"] == 3


@pytest.mark.parametrize(
    ("rules", "totals", "over"),
    [("classic", [90, 0, 0, 0], False), ("classic", [91, 0, 0, 0], True), ("family", [90, 0, 0, 0], True)],
)
def test_reaching_and_passing_the_target(rules: str, totals: list[int], over: bool) -> None:
    hands = [["Td"], ["9h"], ["8c"], ["7c"]]
    answer = settled(rules, ["9h"], top="Kh", hands=hands, turn=1, totals=totals)
    assert answer["match_over"] is over


def test_rounds_won_decide_where_they_are_counted() -> None:
    answer = settled("family+win-points-5", ["9h"], top="Kh", hands=[["9h"], ["Td"]], totals=[4, 4])
    assert answer["totals"] == [5, 4]
    assert answer["match_winners"] == [0]
    assert settled("family+casual", ["9h"], top="Kh", hands=[["9h"], ["Td"]])["points"] == [0, 0]
