"""What other tables play: a hand-worked example for every option, each with where it is played.

Every example also stands once without its option where the answer would differ, so that none can be inert.
"""

from __future__ import annotations

from typing import Any

import pytest
from tests.positions_kit import at, legal, refused

from maumau import Card, Event, Match, Round, RuleError, Ruleset
from maumau.game.match import Standing


def test_36_cards() -> None:
    """Six to ace, the Swiss and Russian pack (Tschau Sepp)."""
    assert len(Ruleset.parse("family+pack.cards=36").at(3).pack) == 36


def test_the_starter_is_turned_again_until_it_is_plain() -> None:
    """Crazy Eights: an eight turned up goes back into the pack."""
    for seed in range(60):
        assert Round("family+start.redraw=power", seats=3, seed=seed).top.label[0] not in "78J"
        assert Round("family+start.redraw=wish", seats=3, seed=seed).top.label[0] != "J"
    assert any(Round("family", seats=3, seed=seed).top.label[0] in "78J" for seed in range(60))


def test_a_starting_seven_may_not_be_answered() -> None:
    """The other reading of a seven that starts in `family`: the first player draws the two and loses the turn."""
    position: dict[str, Any] = {"starter": "7h", "hands": [["7s", "Kc"], 4, 5], "stock": ["9h", "Td", "8c"]}
    round_ = at("family+start.answer=no", dealer=2, **position)
    assert (round_.turn, round_.penalty, round_.counts) == (1, 0, (4, 4, 5))
    answered = at("family", dealer=2, **position)
    assert (answered.turn, answered.penalty) == (0, 2)
    assert legal(answered) == {"7s", "+2"}
    round_ = at("family+start.answer=no", top="7h", penalty=2, hands=[["7s", "Kc"], 4, 5])
    assert legal(round_) == {"7s", "+2"}, "a seven that was played is answered as ever"


def test_a_free_start_may_end_with_the_first_turn() -> None:
    """The other reading of a Jack that starts in `classic`: only the first player's turn is free."""
    hands = [["Qs", "Kc"], ["9s", "9h", "Jc", "7d"], 5, 5]
    position: dict[str, Any] = {"starter": "Jh", "hands": hands, "dealer": 3, "stock": ["8c"]}
    round_ = at("classic+start.free_for=turn", **position)
    assert {"Qs", "Kc"} < legal(round_)
    round_.push("+")
    assert {"Qs", "Kc", "8c"} < legal(round_), "the turn still runs"
    round_.push("-")
    assert legal(round_) == {"9h", "Jc=c", "Jc=d", "Jc=h", "Jc=s", "+"}
    assert {"9s", "9h", "7d"} < legal(at("classic", "+", "-", **position))


def test_the_stock_is_not_renewed() -> None:
    """Eights, as others have it: once the stock is gone, whoever cannot play passes, until all have passed."""
    position: dict[str, Any] = {"top": "9h", "hands": [["Qs", "Kc"], ["Qd", "8s"]], "stock": []}
    round_ = at("international+draw.reshuffles=0", **position)
    assert legal(round_) == {"-"}
    assert legal(at("international", **position)) == {"+"}
    assert refused(round_, "+") == "nothing-to-draw"
    round_.push("-")
    assert legal(round_) == {"-"}
    round_.push("-")
    outcome = round_.outcome()
    assert outcome is not None
    assert outcome.blocked


def test_the_stock_is_renewed_so_often() -> None:
    """A round that gets nowhere ends: the reshuffles are counted, and after the last a penalty finds nothing to draw."""
    position: dict[str, Any] = {"top": "7h", "penalty": 4, "hands": [["Qs", "Kc"], 5], "stock": []}
    round_ = at("family+draw.reshuffles=3", "+4", reshuffles=2, **position)
    assert (round_.counts[0], round_.position()["reshuffles"]) == (6, 3)
    round_ = at("family+draw.reshuffles=3", "+4", reshuffles=3, **position)
    assert round_.counts[0] == 2
    with pytest.raises(ValueError, match="reshuffles"):
        at("family+draw.reshuffles=3", reshuffles=4, **position)


def test_a_blocked_round_may_score_nothing() -> None:
    """Four books say nothing about a round in which nobody can move; at some tables nobody scores it."""
    position: dict[str, Any] = {"top": "9h", "hands": [["Qs", "Kc"], ["Qd", "8s"]], "stock": []}
    own = at("international+draw.reshuffles=0", "-", "-", **position).outcome()
    nothing = at("international+draw.reshuffles=0+end.blocked=nothing", "-", "-", **position).outcome()
    assert own is not None
    assert nothing is not None
    assert own.points == (20, 18)
    assert nothing.blocked
    assert nothing.points == (0, 0)
    won = at("international+end.blocked=nothing", "9s!", top="9h", hands=[["9s"], ["Qd", "8s"]]).outcome()
    assert won is not None
    assert won.points == (0, 18), "a round that is won is scored as ever"


def test_a_blocked_round_may_be_won_by_the_fewest_cards() -> None:
    """The other reading of a round in which nobody can move, as in Crazy Eights: the fewest cards win it."""
    position: dict[str, Any] = {"top": "9h", "hands": [["Qs", "Kc"], ["Qd"], ["8s", "Kd"]], "stock": []}
    code = "study+draw.reshuffles=0"
    nobody = at(code, "-", "-", "-", **position).outcome()
    assert nobody is not None
    assert (nobody.blocked, nobody.winner, nobody.points) == (True, None, (0, 0, 0))
    round_ = at(f"{code}+end.blocked=fewest", "-", "-", "-", **position)
    fewest = round_.outcome()
    assert fewest is not None
    assert (fewest.blocked, fewest.winner, fewest.points, fewest.places) == (True, 1, (0, 1, 0), ())
    assert round_.events[-1] == Event("round-over", 1, count=1)
    position["hands"] = [["Qs"], ["Qd"], ["8s", "Kd"]]
    level = at(f"{code}+end.blocked=fewest", "-", "-", "-", **position).outcome()
    assert level is not None
    assert (level.winner, level.points) == (None, (0, 0, 0)), "two have as few"


def test_what_a_round_costs_that_the_fewest_cards_have_won() -> None:
    """Its winner is no loser: own cards cost nothing, the others' may be taken, and no last card counts."""
    position: dict[str, Any] = {"top": "9h", "hands": [["Qs"], ["Qd", "8s"]], "stock": []}
    own = at("family+draw.reshuffles=0+end.blocked=fewest+fine.J=20", "-", "-", **position).outcome()
    assert own is not None
    assert (own.winner, own.points) == (0, (0, 11))
    position["hands"] = [["Qs", "5c"], ["Qd", "7s", "2s"]]
    taken = at("crazy-eights+draw.reshuffles=0+end.blocked=fewest", "-", "-", **position).outcome()
    assert taken is not None
    assert taken.points == (10 + 7 + 2, 0)


def test_passing_instead_of_drawing() -> None:
    """The other reading of all four books: whoever may draw may pass as well."""
    position: dict[str, Any] = {"top": "9h", "hands": [["Qh", "Kc"], ["Qs", "Kd"]], "stock": ["8c", "Td", "7c"]}
    assert legal(at("family", **position)) == {"Qh", "+"}
    assert refused(at("family", **position), "-") == "draw-first"
    round_ = at("family+draw.pass=yes", **position)
    assert legal(round_) == {"Qh", "+", "-"}
    round_.push("-")
    assert (round_.turn, round_.counts) == (1, (2, 2))
    forced = at("international+draw.pass=yes", **position)
    assert legal(forced) == {"Qh"}, "whoever may not draw may not pass either"
    assert refused(forced, "-") == "must-play"
    forced.push("Qh!")
    assert legal(forced) == {"Qs"}
    penalty = at("family+draw.pass=yes", top="7h", penalty=2, hands=[["Qh", "Kc"], ["Qs", "Kd"]])
    assert legal(penalty) == {"+2"}, "a penalty is no card that one could do without"


def test_passing_instead_of_drawing_on() -> None:
    """Where more than one card may be drawn, one may stop; and a card that must be covered may be left."""
    position: dict[str, Any] = {"top": "9h", "hands": [["Qs", "Kc"], 5], "stock": ["8c", "Td", "7c", "9c"]}
    round_ = at("international+draw.most=3+draw.pass=yes", "+", **position)
    assert legal(round_) == {"+", "-"}
    assert legal(at("international+draw.most=3", "+", **position)) == {"+"}
    position = {"top": "9h", "hands": [["Ah", "Qs", "Kc"], 5]}
    assert legal(at("international+power.A.again=must", "Ah", **position)) == {"+"}
    round_ = at("international+power.A.again=must+draw.pass=yes", "Ah", **position)
    assert legal(round_) == {"+", "-"}
    round_.push("-")
    assert round_.turn == 1


def test_a_round_ends_once_all_have_passed_instead_of_drawing() -> None:
    """Nobody need move then, so that the round could go on for ever: it is blocked. A card drawn starts the count anew."""
    position: dict[str, Any] = {"top": "9h", "hands": [["Qs", "Kc"], ["Qd", "8s"]], "stock": ["8c", "Td", "7c"]}
    passed = at("family+draw.pass=yes", "-", "-", **position).outcome()
    assert passed is not None
    assert (passed.blocked, passed.winner, passed.points) == (True, None, (7, 11))
    drawn = at("family+draw.pass=yes", "-", "+", "-", **position)
    assert not drawn.over
    again = Round.from_position(drawn.rules, drawn.position())
    assert again.position() == drawn.position()
    assert again.position()["passes"] == 1
    again.push("-")
    assert again.over


def test_draw_up_to_three() -> None:
    """Crazy Eights with a limit: up to three cards, one after the other, while nothing drawn fits."""
    position: dict[str, Any] = {"top": "9h", "hands": [["Qs", "Kc"], 5], "stock": ["8c", "Td", "7c", "9c"]}
    round_ = at("family+draw.most=3", "+", **position)
    assert legal(round_) == {"+"}
    assert refused(round_, "-") == "draw-first"
    round_.push("+")
    round_.push("+")
    assert round_.turn == 1
    assert round_.counts[0] == 5
    assert at("family", "+", **position).turn == 1


def test_draw_until_something_fits() -> None:
    """Crazy Eights as first written down: draw until a card can be played."""
    round_ = at(
        "family+draw.most=fits", "+", "+", "+", top="9h", hands=[["Qs", "Kc", "Ad"], 5], stock=["8c", "Td", "9c"]
    )
    assert legal(round_) == {"9c", "-"}
    assert round_.counts[0] == 6


def test_nothing_is_played_after_drawing() -> None:
    """Strict tables: drawing ends the turn."""
    position: dict[str, Any] = {"top": "9h", "hands": [["Qs", "Kc"], 5], "stock": ["9c"]}
    assert at("family+draw.then=none", "+", **position).turn == 1
    assert at("family", "+", **position).turn == 0


def test_a_drawn_card_that_fits_must_be_played() -> None:
    """Forced play."""
    round_ = at("classic+draw.forced=yes", "+", top="9h", hands=[["Qh", "Kc"], 5, 5, 5], stock=["9c"])
    assert legal(round_) == {"9c"}
    assert refused(round_, "-") == "must-play-drawn"
    assert refused(round_, "Qh") == "only-drawn-card"
    free = at("classic", "+", top="9h", hands=[["Qh", "Kc"], 5, 5, 5], stock=["9c"])
    assert legal(free) == {"9c", "Qh", "-"}


def test_a_wish_only_on_a_card_that_fits() -> None:
    """Tables where a Jack needs its suit."""
    position: dict[str, Any] = {"top": "9h", "hands": [["Jh", "Jc", "Qs"], 5]}
    assert legal(at("family+wish.fits=match", **position)) == {"Jh=c", "Jh=d", "Jh=h", "Jh=s", "+"}
    assert "Jc=c" in legal(at("family", **position))


def test_the_suit_showing_may_not_be_wished() -> None:
    """Tables where a wish must change something."""
    round_ = at("family+wish.suits=other", top="9s", hands=[["Jh", "Qs"], 5])
    assert legal(round_) == {"Jh=c", "Jh=d", "Jh=h", "Qs", "+"}
    assert refused(round_, "Jh=s") == "wish-same-suit"
    standing = at("classic+wish.suits=other", top="Js", wish="d", hands=[["Jh", "Qs"], 5, 5, 5])
    assert legal(standing) == {"Jh=c", "Jh=h", "Jh=s", "+"}


def test_a_jack_of_the_wished_suit_on_a_jack() -> None:
    """`family` says no Jack on a Jack; the other reading of it lets the Jack of the suit that was named through."""
    position: dict[str, Any] = {"top": "Jc", "wish": "s", "hands": [["Js", "Jh", "8s", "Kc"], 5]}
    round_ = at("family+wish.suited_on_wish=yes", **position)
    assert legal(round_) == {"Js=c", "Js=d", "Js=h", "Js=s", "8s", "+"}
    assert refused(round_, "Jh=s") == "wish-on-wish"
    assert legal(at("family", **position)) == {"8s", "+"}
    unnamed = at("family+two-packs+wish.suited_on_wish=yes", top="Jc", hands=[["Jc", "Jh", "8c"], 5])
    assert legal(unnamed) == {"8c", "+"}, "a Jack without a wish: nobody named its suit"


def test_a_wish_for_one_turn() -> None:
    """Makao: a wish binds the next player only."""
    hands = [["Jh", "Qs"], ["7d", "Kd", "9c"], ["Ah", "8h"]]
    round_ = at("family+wish.lasts=turn", "Jh=s!", "+", top="9s", hands=hands, stock=["7c"])
    assert round_.wish is None
    assert legal(round_) == {"Ah", "8h", "+"}
    assert at("family", "Jh=s!", "+", top="9s", hands=hands, stock=["7c"]).wish is not None


def test_a_penalty_answered_by_suit_or_by_anything_that_draws() -> None:
    """Makao: a drawing card of the suit or rank; some tables: any."""
    two_draws = "+52-cards+two-draw"
    position: dict[str, Any] = {"top": "7h", "penalty": 2, "hands": [["7s", "2h", "2c", "Kh"], 5]}
    assert legal(at("family" + two_draws, **position)) == {"7s", "+2"}
    assert legal(at(f"family{two_draws}+penalty.answer=fitting", **position)) == {"7s", "2h", "+2"}
    assert legal(at(f"family{two_draws}+penalty.answer=any", **position)) == {"7s", "2h", "2c", "+2"}


def test_a_doubling_chain() -> None:
    """Tables where each answer doubles: 2, 4, 8."""
    hands = [["7s", "Qs"], ["7d", "Kd", "9c"], ["7h", "8h"]]
    assert at("family+penalty.grows=double", "7s!", "7d", "7h!", top="9s", hands=hands).penalty == 8
    assert at("family", "7s!", "7d", "7h!", top="9s", hands=hands).penalty == 6


@pytest.mark.parametrize(
    ("then", "turn", "texts"), [("end", 1, None), ("play", 0, {"9h", "-"}), ("turn", 0, {"9h", "+"})]
)
def test_after_the_penalty(then: str, turn: int, texts: set[str] | None) -> None:
    """A fault of another program: what follows a paid seven was unclear and became an option (R-07)."""
    round_ = at(f"family+penalty.then={then}", "+2", top="7h", penalty=2, hands=[["Qs", "Kc"], 5], stock=["9h", "Td"])
    assert round_.turn == turn
    if texts is not None:
        assert legal(round_) == texts


def test_after_the_penalty_one_more_where_nothing_fits() -> None:
    """R-07, the third way: an ordinary turn follows, so one more card is drawn."""
    position: dict[str, Any] = {"top": "7h", "penalty": 2, "hands": [["Qs", "Kc"], 5], "stock": ["9s", "Td", "8c"]}
    round_ = at("family+penalty.then=turn", "+2", "+", **position)
    assert round_.counts[0] == 5
    assert round_.turn == 1
    ended = at("family+penalty.then=play", "+2", **position)
    assert ended.turn == 1
    assert ended.counts[0] == 4


def test_an_eight_of_the_suit_passes_the_penalty_on() -> None:
    """Families where the eight of the same suit wards off a seven."""
    hands = [["8h", "8c", "Qc", "7s"], ["8s", "Td", "7h"], 5]
    round_ = at("family+power.8.pass_on=yes", top="7d", penalty=2, hands=[["8d", "8c", "Qc", "7s"], hands[1], 5])
    assert legal(round_) == {"8d", "7s", "+2"}
    round_.push("8d")
    assert round_.turn == 1, "an eight that passes on does not skip"
    assert round_.penalty == 2
    assert legal(round_) == {"8s", "+2"}


def test_a_jack_cancels_the_penalty() -> None:
    """Tables where a Jack wipes out what is pending."""
    round_ = at("family+power.J.cancel=yes", top="7h", penalty=4, hands=[["Jc", "Qc", "9s"], ["8s", "Td", "Kd"], 5])
    assert legal(round_) == {"Jc=c", "Jc=d", "Jc=h", "Jc=s", "+4"}
    round_.push("Jc=s")
    assert round_.penalty == 0
    assert legal(round_) == {"8s", "+"}


def test_the_previous_player_draws() -> None:
    """Makao: the king of spades makes the previous player draw."""
    round_ = at("family+power.Ks.back=2", "Ks!", top="9s", hands=[["Ks", "Qs"], ["7d", "Kd", "9c"], ["7h", "8h"]])
    assert round_.counts == (1, 3, 4)
    assert round_.turn == 1


def test_again_may_follow() -> None:
    """Families where an ace allows another card."""
    round_ = at("family+power.A.again=may", "Ah", top="9h", hands=[["Ah", "Kh", "Qc", "7s"], 5])
    assert legal(round_) == {"Kh", "-"}
    assert refused(round_, "+") == "no-draw-now"
    round_.push("-")
    assert round_.turn == 1


def test_again_must_be_covered() -> None:
    """Tschau Sepp and Neunerln: an ace must be covered."""
    round_ = at("family+power.A.again=must", "Ah", top="9h", hands=[["Ah", "Kh", "Qc", "7s"], 5])
    assert legal(round_) == {"Kh"}
    assert refused(round_, "-") == "must-cover"
    assert refused(round_, "+") == "must-cover"
    round_.push("Kh")
    assert round_.turn == 1
    stuck = at("family+power.A.again=must", "Ah", top="9h", hands=[["Ah", "Kd", "Qc", "7s"], 5], stock=["As", "8c"])
    assert legal(stuck) == {"+"}
    stuck.push("+")
    assert legal(stuck) == {"As", "-"}


def test_a_skip_may_be_answered() -> None:
    """Prší: an ace is answered by an ace; here with eights (R-14)."""
    hands = [["8h", "Qc", "As"], ["8s", "Td", "Ac"], ["Kc", "Ad", "9s"]]
    round_ = at("family+skip.answer=same", "8h", top="Kh", hands=hands)
    assert legal(round_) == {"8s", "-"}
    assert refused(round_, "Td") == "skip-pending"
    round_.push("8s")
    assert legal(round_) == {"-"}
    round_.push("-")
    assert round_.turn == 0
    assert at("family", "8h", top="Kh", hands=hands).turn == 2


def test_skips_add_up() -> None:
    """Makao: fours add up, and whoever accepts sits out so many turns."""
    hands = [["8h", "Qc", "As"], ["8s", "9d", "Ac"], ["Kc", "Ad", "9c"]]
    round_ = at("family+skip.answer=same+skip.adds=yes", "8h", "8s", "-", top="Kh", hands=hands)
    assert round_.turn == 0
    round_.push("As")
    round_.push("Ac")
    assert round_.turn == 0, "seat 2 sits out a second turn"


def test_several_equal_cards_at_once() -> None:
    """Vändåtta, Makao: all cards of a rank in one turn."""
    round_ = at("family+play.equal=yes", "7h", top="9h", hands=[["7h", "7s", "7d", "Qc", "7c"], 5, 5])
    assert legal(round_) == {"7s", "7d", "7c", "-"}
    assert refused(round_, "Qc") == "equal-only"
    round_.push("7s")
    round_.push("-")
    assert round_.penalty == 4
    assert round_.turn == 1


def test_an_equal_card_drawn_for_a_false_call_opens_no_turn_again() -> None:
    """Said with the card or just after it, a false Mau comes to the same: the card has ended the turn before it is paid for.

    Where the hand holds an equal card anyhow, the turn goes on, and the one drawn may go along as well.
    """
    position: dict[str, Any] = {"top": "9h", "hands": [["9s", "Kd", "Qc", "8c"], 5, 5], "stock": ["9d"]}
    code = "family+play.equal=yes+call.false=1"
    for said in (("9s!",), ("9s", "0!")):
        round_ = at(code, *said, **position)
        assert (round_.turn, round_.counts) == (1, (4, 5, 5))
        assert round_.holds(0, Card.parse("9d"))
    position["hands"] = [["9s", "9c", "Kd", "Qc", "8c"], 5, 5]
    round_ = at(code, "9s!", **position)
    assert (round_.turn, legal(round_)) == (0, {"9c", "9d", "-"})


def test_before_the_ordinary_turn_after_a_penalty_a_card_may_be_thrown_in() -> None:
    """Whoever has paid is as much on turn then as the next one would be else: nobody has acted on the card that lies there.

    Where paying is only followed by a card, the turn is under way, and nobody throws anything in.
    """
    position: dict[str, Any] = {"top": "7h", "penalty": 2, "turn": 0, "hands": [["Kd", "Qh"], 5, ["7h", "9c", "Tc"]]}
    code = "family+two-packs+play.throw_in=yes"
    for then, turn, thrown in (("end", 1, True), ("turn", 0, True), ("play", 0, False)):
        paid = at(f"{code}{'' if then == 'end' else f'+penalty.then={then}'}", "+2", **position)
        assert paid.turn == turn
        assert [str(shout) for shout in paid.shouts_of(2)] == (["2:"] if thrown else [])
    acted = at(f"{code}+penalty.then=turn", "+2", "+", **position)
    assert not acted.shouts_of(2)
    thrown_in = at(f"{code}+penalty.then=turn", "+2", "2:7h", **position)
    assert (thrown_in.turn, thrown_in.penalty, thrown_in.counts[2]) == (0, 2, 2), "paid once, and due again"


def test_a_jack_on_a_starting_jack_has_a_value_of_its_own() -> None:
    """Jacks on Jacks say nothing about the starter: `family` bars a Jack there by its reading, which has its own switch."""
    position: dict[str, Any] = {"starter": "Jh", "dealer": 2, "hands": [["Js", "9d", "Kc"], 5, 5]}
    jacks = {"Js=c", "Js=d", "Js=h", "Js=s"}
    assert legal(at("family+jack-on-jack", **position)) == {"9d", "Kc", "+"}
    assert legal(at("family+jack-on-jack+start.wish=free", **position)) == {"9d", "Kc", "+"} | jacks
    assert legal(at("family+start.wish=free", **position)) == {"9d", "Kc", "+"} | jacks
    assert legal(at("family+jack-on-jack", top="Jh", wish="c", hands=[["Js", "9d", "Kc"], 5, 5])) == {"Kc", "+"} | jacks


def test_an_identical_card_is_thrown_in_out_of_turn() -> None:
    """Tables with two packs: the very same card goes in between."""
    code = "family+two-packs+play.throw_in=yes"
    hands = [["9h", "Qc", "Ks"], 5, ["9h", "Kd", "As"]]
    round_ = at(code, "9h", top="9s", hands=hands)
    assert [round_.text(action) for action in round_.shouts[2]] == ["2:9h"]
    round_.push("2:9h")
    assert round_.counts == (2, 5, 2)
    assert round_.turn == 0
    assert refused(round_, "1:9h") == "cannot-throw-in"
    with pytest.raises(RuleError, match="two-packs"):
        Ruleset.parse("family+play.throw_in=yes").at(3)


def test_a_seven_thrown_in_answers() -> None:
    hands = [["7h", "Qc", "Ks"], ["Kd", "Ac"], ["7h", "Kd", "As"]]
    round_ = at("family+two-packs+play.throw_in=yes", "7h", "2:7h", top="9h", hands=hands)
    assert round_.penalty == 4
    assert round_.turn == 0


def test_false_shouts_cost_cards_once_a_turn() -> None:
    """Club tables: a false call and a false catch are paid for (C-01, C-02)."""
    code = "family+call.false=1+call.false_catch=2"
    round_ = at(code, "1?2", top="9s", hands=[["9h", "Qc", "Ks"], 5, 4])
    assert round_.counts == (3, 7, 4)
    assert refused(round_, "1?2") == "nothing-to-catch"
    assert refused(round_, "1!") == "call-not-due"
    events: tuple[Event, ...] = round_.push("9h!")
    assert round_.counts == (3, 7, 4), "one laid, one drawn for the false call"
    assert "made-to-draw" in [event.kind for event in events]


def test_who_has_not_called_may_not_finish() -> None:
    """Tables where a silent player must draw before going out."""
    hands = [["9h", "Qh"], ["Kh", "Kd"]]
    silent = at("family+call.to_finish=yes", "9h", "Kh!", top="9s", hands=hands)
    assert legal(silent) == {"+"}
    assert refused(silent, "Qh") == "not-called"
    assert "Qh" in legal(at("family+call.to_finish=yes", "9h!", "Kh!", top="9s", hands=hands))
    assert "Qh" in legal(at("family+call.to_finish=yes", "9h", "0!", "Kh!", top="9s", hands=hands))


@pytest.mark.parametrize(("forbidden", "card"), [("A", "Ah"), ("power", "8h"), ("power", "Jh"), ("A8", "8h")])
def test_forbidden_last_cards(forbidden: str, card: str) -> None:
    """Aces, eights or any power card may not end the round."""
    assert legal(at(f"family+end.forbidden={forbidden}", top="9h", hands=[[card], 5])) == {"+"}
    assert card in legal(at("family", top="9h", hands=[[card], 5]))


def test_a_final_seven_may_come_back() -> None:
    """Prší: who goes out with a seven may get it back."""
    hands = [["7s"], ["7h", "Kd", "9c"]]
    round_ = at("family+end.final_back=yes", "7s", top="9s", hands=hands)
    assert not round_.over
    assert legal(round_) == {"7h", "+2"}
    back = round_.copy()
    back.push("7h")
    assert legal(back) == {"+4"}
    back.push("+4")
    assert back.counts == (4, 2)
    assert not back.over
    round_.push("+2")
    outcome = round_.outcome()
    assert outcome is not None
    assert outcome.winner == 0
    assert len(outcome.hands[1]) == 5


def test_a_fine_for_the_last_card() -> None:
    """Tables where going out with a Jack costs points."""
    outcome = at("family+fine.J=10", "Jh", top="9h", hands=[["Jh"], ["Kd"]]).outcome()
    assert outcome is not None
    assert outcome.points == (10, 4)


def test_the_winner_takes() -> None:
    """Switch and Crazy Eights: the winner scores what the others hold, and the highest total wins."""
    code = "family+score.to=winner"
    outcome = at(code, "9s", top="9h", hands=[["9s"], ["Kd", "Ac"], ["7h"]]).outcome()
    assert outcome is not None
    assert outcome.points == (22, 0, 0)
    standing = Standing(Ruleset.parse(code).at(3))
    assert standing.leaders((104, 20, 30), (0, 1, 2)) == (0,)


def test_each_closing_jack_doubles() -> None:
    """Doubled once per closing Jack."""
    position: dict[str, Any] = {
        "top": "Jd",
        "wish": "s",
        "discard": ["Jh", "9h"],
        "hands": [["Js"], ["Ac"], ["7h"], ["8c"]],
    }
    each = at("classic+score.closing_each=yes", "Js", **position).outcome()
    once = at("classic", "Js", **position).outcome()
    assert each is not None
    assert once is not None
    assert once.points == (0, 22, 14, 16)
    assert each.points == (0, 44, 28, 32), "the Jack under it counts, the nine under that does not"


def test_where_play_goes_on_the_winners_own_last_card_multiplies() -> None:
    code = "classic+end.play_on=yes+closing.A=4+closing.J=1+players-3"
    outcome = at(code, "Ah", "9h", top="Kh", hands=[["Ah"], ["9h"], ["9s"]]).outcome()
    assert outcome is not None
    assert str(outcome.closing) == "Ah"
    assert outcome.points == (0, 0, 36)


def test_a_fixed_number_of_rounds() -> None:
    match = Match("family+match.rounds=2+match.target=0", seats=2, seed=3)
    for number in (1, 2):
        while not match.round.over:
            match.push(match.round.legal_actions[0])
        assert match.over is (number == 2 and len(set(match.totals)) == 2)
        if number == 1:
            match.next_round()


def test_elimination() -> None:
    """Past the target a seat is out of the next rounds; the last one left wins."""
    code = "family+match.elimination=yes+target-10"
    first = at(code, "9h", top="Kh", hands=[["9h"], ["Td"], ["9d"]])
    match = Match.from_rounds(first.rules, 1, [first])
    assert match.totals == (0, 10, 9)
    assert not match.over
    assert match.next_players == (0, 2)
    second = Round.from_position(code, {"top": "Kh", "hands": [["9h"], None, ["Td"]], "dealer": 2})
    second.push("9h")
    match = Match.from_rounds(first.rules, 1, [first, second])
    assert match.winners == (0,)


@pytest.mark.parametrize(
    ("code", "words"),
    [
        ("family+skip.adds=yes", ("skip.adds=yes", "skip.answer=none")),
        ("family+no-stacking+penalty.grows=double", ("penalty.grows=double", "no-stacking")),
        ("family+automatic-calls+call.to_finish=yes", ("call.to_finish=yes", "automatic-calls")),
        ("family+end.final_back=yes+end.play_on=yes", ("end.final_back=yes", "end.play_on=yes")),
        ("family+ace-skip-all+skip.answer=same", ("ace-skip-all", "skip.answer=same")),
        ("study+power.J.cancel=yes", ("power.J.cancel=yes", "penalty.answer=none")),
        ("family+draw.forced=yes+draw.then=none", ("draw.forced=yes", "draw.then=none")),
        ("family+casual+match.rounds=3", ("match.rounds=3", "casual")),
    ],
)
def test_what_cannot_stand_together_is_refused_in_words(code: str, words: tuple[str, str]) -> None:
    with pytest.raises(RuleError) as error:
        Ruleset.parse(code)
    assert (error.value.params["first"], error.value.params["second"]) == words


@pytest.mark.parametrize(
    ("values", "worth"),
    [
        ("call.mau=1", True),
        ("call.mau=0", False),
        ("call.mau=0+call.false_catch=1", True),
        ("call.mau=0+call.needed=yes+call.maumau=2", True),
    ],
)
def test_a_catch_that_comes_to_nothing_is_not_offered(values: str, worth: bool) -> None:
    """Where a forgotten call costs nothing, whoever is caught may only call late; once that is over so is the catch."""
    position: dict[str, Any] = {"top": "9h", "hands": [["9c", "Kd"], ["Qs", "8d", "Ac"], 5]}
    code = f"family+{values}"
    silent = at(code, "9c", **position)
    assert {str(shout) for seat in (1, 2) for shout in silent.shouts_of(seat)} == {"1?0", "2?0"}
    assert silent.owing == (0,)
    drawn = at(code, "9c", "+", **position)
    assert {str(shout) for seat in (1, 2) for shout in drawn.shouts_of(seat)} == ({"1?0", "2?0"} if worth else set())
    assert drawn.owing == ((0,) if worth else ())
    if not worth:
        assert refused(drawn, "2?0") == "too-late"
        with pytest.raises(RuleError, match=r"call\.window=next-ends"):
            Ruleset.parse(f"{code}+call.window=next-ends")


def test_a_call_that_came_too_late_is_a_false_call() -> None:
    """The call is open until another seat acts; after that it is false, and the seat can still be caught."""
    hands = [["4d", "5d"], ["5h", "6d", "8c", "Jc"], ["2h", "3c", "6c"], ["Td", "3h", "3s"]]
    round_ = at("family+52-cards+call.false=3", "4d", "6d", "0!", top="9d", hands=hands)
    assert round_.counts[0] == 4
    assert round_.owing == (0,)
    assert "2?0" in [str(action) for action in round_.shouts[2]]


def test_forced_play_is_about_the_drawn_card() -> None:
    round_ = at("classic+draw.forced=yes", "+", top="7c", hands=[["8s", "Jh"], 5, 5, 5], stock=["As", "9d"])
    assert legal(round_) == {"Jh=c", "Jh=d", "Jh=h", "Jh=s", "-"}


def test_a_card_that_only_covers_lets_nothing_answer() -> None:
    code = "classic+power.Q.draw=2+power.Q.again=must"
    round_ = at(code, "Qh", "Kh", top="9h", hands=[["Qh", "Kh", "8c", "7d"], ["Qd", "Ah", "8d"], 5, 5])
    assert round_.penalty == 2
    assert legal(round_) == {"+2"}


def test_after_a_penalty_of_which_nothing_could_be_drawn() -> None:
    rest = [str(card) for card in Ruleset.parse("family").at(2).pack if str(card) not in ("7c", "7h", "8d")]
    position: dict[str, Any] = {"top": "7c", "penalty": 4, "stock": [], "discard": [], "hands": [["7h", "8d"], rest]}
    assert at("family", "+4", **position).turn == 1
    assert legal(at("family+penalty.then=play", "+4", **position)) == {"7h", "-"}
    assert legal(at("family+penalty.then=turn", "+4", **position)) == {"7h", "-"}
