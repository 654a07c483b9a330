"""The rule books of Mau-Mau's relatives: hand-worked positions from the rules that each book names as its source.

Every test is named after the clause and says where it stands; what is a reading of ours is said so.
"""

from __future__ import annotations

import random
from typing import Any

import pytest
from tests.positions_kit import at, legal, refused

from maumau import Action, Match, Record, Round, RuleError, Ruleset
from maumau.game.match import Standing
from maumau.ruleset import ALL_BOOKS, BOOKS, RELATIVES, book_sources
from maumau.ruleset.data import book_values
from maumau.ruleset.words import rules_list, rules_text, special_pairs

MOST_ACTIONS = 3000


def points(round_: Round) -> tuple[int, ...]:
    outcome = round_.outcome()
    assert outcome is not None
    return outcome.points


def wishes(card: str, suits: str = "cdhs") -> set[str]:
    return {f"{card}={suit}" for suit in suits}


# --- Crazy Eights ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("seats", "cards", "pack"), [(2, 7, 52), (3, 5, 52), (5, 5, 52), (6, 5, 104), (8, 5, 104)])
def test_crazy_eights_deal(seats: int, cards: int, pack: int) -> None:
    """Seven each for two, five for more (webcasty.com); two packs from six on (Cats at Cards)."""
    rules = Ruleset.parse("crazy-eights").at(seats)
    assert Round(rules, seats=seats, seed=1).counts == (cards,) * seats
    assert len(rules.pack) == pack


def test_crazy_eights_an_eight_as_the_starter_is_buried() -> None:
    """Cats at Cards."""
    tops = {Round("crazy-eights", seats=4, seed=seed).top.label[0] for seed in range(80)}
    assert "8" not in tops
    assert {"J", "A", "7"} <= tops


def test_crazy_eights_an_eight_goes_on_anything_and_names_the_suit() -> None:
    """webcasty.com; that another eight may follow is said by Eights (appszoom.com)."""
    round_ = at("crazy-eights", "8c=d", top="9h", hands=[["8c", "Ks"], ["2d", "8s", "9c", "8h"]], stock=["3c"])
    assert legal(round_) == {"2d", *wishes("8s"), *wishes("8h"), "+"}


def test_crazy_eights_cards_are_drawn_until_one_can_be_played() -> None:
    """webcasty.com; no passing while holding a card that can be played (Eights, pokerwiner.com)."""
    stock = ["3c", "4d", "Kc", "9s"]
    round_ = at("crazy-eights", "+", "+", "+", top="9h", hands=[["Ks", "2c"], 5], stock=stock)
    assert legal(round_) == {"+"}
    round_.push("+")
    assert legal(round_) == {"9s"}
    assert refused(round_, "-") == "must-play-drawn"


def test_crazy_eights_nobody_has_to_use_an_eight() -> None:
    """webcasty.com: with nothing but an eight one may draw instead."""
    assert legal(at("crazy-eights", top="9h", hands=[["8s", "2c"], 5], stock=["3c"])) == {*wishes("8s"), "+"}


def test_crazy_eights_the_winner_gets_the_points_of_all_other_hands() -> None:
    """webcasty.com: eight 50, court cards 10, ace 1, others their face; to 100, and the highest total wins."""
    round_ = at("crazy-eights", "9s", top="9h", hands=[["9s"], ["8c", "Kd", "Ac"], ["7h", "Ts"]])
    assert points(round_) == (50 + 10 + 1 + 7 + 10, 0, 0)
    standing = Standing(Ruleset.parse("crazy-eights").at(3))
    assert standing.reached(100)
    assert not standing.reached(99)
    assert standing.leaders((104, 20, 30), (0, 1, 2)) == (0,)


# --- Switch ----------------------------------------------------------------------------------------------------------


def test_switch_starts_with_a_plain_card_and_seven_each() -> None:
    """Wikipedia: never a trick card; often seven each. Two packs for more than four (hobbylark.com)."""
    for seed in range(60):
        round_ = Round("switch", seats=4, seed=seed)
        assert round_.top.label[0] not in "28JA"
        assert round_.counts == (7, 7, 7, 7)
    assert len(Ruleset.parse("switch").at(4).pack) == 52
    assert len(Ruleset.parse("switch").at(5).pack) == 104


def test_switch_a_two_is_answered_by_a_two_or_two_are_picked_up() -> None:
    """hobbylark.com."""
    position: dict[str, Any] = {"top": "9h", "hands": [["2h", "Ks", "3c"], ["2d", "Ah", "9c"], ["4c", "5c"]]}
    round_ = at("switch", "2h", **position)
    assert legal(round_) == {"2d", "+2"}
    round_.push("2d")
    assert legal(round_) == {"+4"}
    round_.push("+4")
    assert round_.turn == 0
    assert round_.counts[2] == 6


def test_switch_an_eight_skips_the_next_player() -> None:
    """hobbylark.com."""
    assert at("switch", "8h", top="9h", hands=[["8h", "Ks", "3c"], 5, 5]).turn == 2


def test_switch_a_jack_turns_the_order() -> None:
    """hobbylark.com; with two players one plays again (our reading)."""
    assert at("switch", "Jh", top="9h", hands=[["Jh", "Ks", "3c"], 5, 5]).turn == 2
    assert at("switch", "Jh", top="9h", hands=[["Jh", "Ks", "3c"], 5]).turn == 0


def test_switch_an_ace_names_the_suit_and_an_ace_may_follow() -> None:
    """hobbylark.com; that an ace goes on any card is our reading."""
    round_ = at("switch", "As=d", top="9h", hands=[["As", "Ks", "3c"], ["2d", "Ac", "9c"]])
    assert legal(round_) == {"2d", *wishes("Ac"), "+"}


def test_switch_one_card_is_drawn_and_played_if_it_fits() -> None:
    """Wikipedia: whoever cannot play, or does not want to."""
    hands = [["Kh", "3c"], 5]
    fits = at("switch", "+", top="9h", hands=hands, stock=["9s"])
    assert legal(fits) == {"9s"}
    assert at("switch", "+", top="9h", hands=hands, stock=["4s"]).turn == 1


def test_switch_last_card_is_said_aloud() -> None:
    """hobbylark.com; the two cards are our reading."""
    assert Ruleset.parse("switch")["call.word"] == "last-card"
    silent = at("switch", "9s", "1?0", top="9h", hands=[["9s", "3c"], 5])
    assert silent.counts[0] == 3
    assert refused(at("switch", "9s!", top="9h", hands=[["9s", "3c"], 5]), "1?0") == "nothing-to-catch"


def test_switch_the_first_to_play_the_last_card_wins_and_nothing_counts() -> None:
    """Wikipedia."""
    round_ = at("switch", "9s", top="9h", hands=[["9s"], ["Kd", "Ac"]])
    assert round_.over
    assert points(round_) == (0, 0)


# --- Tschau Sepp -----------------------------------------------------------------------------------------------------


def test_tschau_sepp_is_played_with_jass_cards() -> None:
    """36 cards, two packs from five players on, five cards each (jasswelt.ch)."""
    assert len(Ruleset.parse("tschau-sepp").at(4).pack) == 36
    assert len(Ruleset.parse("tschau-sepp").at(5).pack) == 72
    assert Round("tschau-sepp", seats=4, seed=1).counts == (5, 5, 5, 5)


def test_tschau_sepp_seven_on_seven_makes_four() -> None:
    """Anzeiger von Saanen."""
    round_ = at("tschau-sepp", "7h", "7s", top="9h", hands=[["7h", "Ks", "6c"], ["7s", "Jd", "9c"], ["Js", "8s"]])
    assert legal(round_) == {"+4"}


def test_tschau_sepp_an_eight_leaves_the_next_one_out() -> None:
    """Anzeiger von Saanen."""
    assert at("tschau-sepp", "8h", top="9h", hands=[["8h", "Ks", "6c"], 5, 5]).turn == 2


def test_tschau_sepp_a_jack_always_with_any_suit() -> None:
    """Anzeiger von Saanen."""
    round_ = at("tschau-sepp", top="9h", hands=[["Js", "6c"], 5], stock=["Td"])
    assert legal(round_) == wishes("Js")
    assert refused(round_, "+") == "must-play"


def test_tschau_sepp_a_drawn_card_that_fits_must_be_laid() -> None:
    """jassen.ch: only whoever cannot play draws, and lays at once what fits."""
    round_ = at("tschau-sepp", "+", top="9h", hands=[["Ks", "6c"], 5], stock=["Th"])
    assert legal(round_) == {"Th"}
    assert refused(round_, "-") == "must-play-drawn"


def test_tschau_sepp_tschau_forgotten_costs_two_and_sepp_four() -> None:
    """Anzeiger von Saanen: after four cards for “Sepp” the round goes on."""
    assert at("tschau-sepp", "9s", "1?0", top="9h", hands=[["9s", "6c"], 5]).counts[0] == 3
    sepp = at("tschau-sepp", "9s", "1?0", top="9h", hands=[["9s"], 5])
    assert not sepp.over
    assert sepp.counts[0] == 4
    assert at("tschau-sepp", "9s!", top="9h", hands=[["9s"], 5]).over


def test_tschau_sepp_the_dealer_names_the_suit_of_a_starting_jack() -> None:
    """jasswelt.ch; a seven as the starter counts as the dealer's play (baettig.swiss)."""
    jack = at("tschau-sepp", starter="Js", hands=[5, 5, 5])
    assert jack.turn == jack.dealer
    assert legal(jack) == {"=c", "=d", "=h", "=s"}
    assert at("tschau-sepp", starter="7h", hands=[5, 5, 5]).penalty == 2


def test_tschau_sepp_rounds_won_are_counted() -> None:
    """expydoc.com, way A."""
    assert points(at("tschau-sepp", "9s!", top="9h", hands=[["9s"], ["Kd"], ["7c"]])) == (1, 0, 0)


# --- Neunerln --------------------------------------------------------------------------------------------------------


def test_neunerln_a_nine_needs_no_match_and_names_a_suit() -> None:
    """schoenramer.de; a nine on a nine is our reading."""
    round_ = at("neunerln", "9s=d", top="Kh", hands=[["9s", "Qs", "8c"], ["7d", "9c", "Qh", "Jh"]])
    assert legal(round_) == {"7d", *wishes("9c")}
    assert "Js" not in legal(at("neunerln", top="Kh", hands=[["Js", "Kd"], 5]))


def test_neunerln_seven_on_seven() -> None:
    """schoenramer.de: two cards, after another seven four."""
    round_ = at("neunerln", "7h", "7s", top="Kh", hands=[["7h", "Ks", "Tc"], ["7s", "9d", "Qc"], ["9s", "8s"]])
    assert legal(round_) == {"+4"}


def test_neunerln_an_eight_sits_the_next_one_out() -> None:
    """schoenramer.de."""
    assert at("neunerln", "8h", top="Kh", hands=[["8h", "Ks", "Tc"], 5, 5]).turn == 2


def test_neunerln_only_whoever_cannot_play_draws_and_may_lay_what_fits() -> None:
    """schoenramer.de: it may, it need not."""
    assert refused(at("neunerln", top="Kh", hands=[["Ts", "Qh"], 5]), "+") == "must-play"
    round_ = at("neunerln", "+", top="Kh", hands=[["Ts", "Qc"], 5], stock=["7h"])
    assert legal(round_) == {"7h", "-"}


def test_neunerln_whoever_has_not_knocked_may_not_play_the_last_card() -> None:
    """schoenramer.de: and draws two instead, when it is noticed."""
    hands: list[Any] = [["Ks", "Kd"], ["7c", "8c", "Qd"]]
    knocked = at("neunerln", "Ks!", "+", top="Kh", hands=hands, stock=["8d", "Ac"])
    assert legal(knocked) == {"Kd"}
    silent = at("neunerln", "Ks", "+", top="Kh", hands=hands, stock=["8d", "Ac"])
    assert refused(silent, "Kd") == "not-called"
    assert at("neunerln", "Ks", "1?0", top="Kh", hands=hands).counts[0] == 3


def test_neunerln_a_last_nine_doubles() -> None:
    """schoenramer.de; values after spielanleitung.org: ace 11, king and ober 10 (the nine's 20 is our reading)."""
    hands = [["Qh", "9s"], ["Kd", "As"], ["7c", "8c"]]
    round_ = at("neunerln", "Qh!", "+", "+", "9s", top="Kh", hands=hands, stock=["Tc", "8s"])
    assert points(round_) == (0, 2 * (10 + 11 + 10), 2 * (7 + 8 + 8))
    assert Ruleset.parse("neunerln")["points.9"] == 20
    other = at("neunerln", "Qh!", "+", "+", "Jh", top="Kh", hands=[["Qh", "Jh"], *hands[1:]], stock=["Tc", "8s"])
    assert points(other) == (0, 31, 23)


# --- Prší ------------------------------------------------------------------------------------------------------------


def test_prsi_an_ober_goes_on_anything_but_a_live_seven_or_ace() -> None:
    """deskovehry.cz and prsi.eu."""
    hand = ["Qs", "Tc"]
    assert legal(at("prsi", top="9h", hands=[hand, 5], stock=["Td"])) == {*wishes("Qs"), "+"}
    assert legal(at("prsi", top="7h", penalty=2, hands=[hand, 5])) == {"+2"}
    assert "Qs=c" in legal(at("prsi", top="7h", hands=[hand, 5])), "a paid seven is no hindrance"


def test_prsi_an_ace_is_answered_by_an_ace_or_one_stands() -> None:
    """prsi.eu and Czech Wikipedia."""
    round_ = at("prsi", "Ah", top="9h", hands=[["Ah", "Ts", "8c"], ["Ad", "Qs", "9c"], ["As", "7c"]])
    assert legal(round_) == {"Ad", "-"}
    assert refused(round_, "Qs=c") == "skip-pending"
    stands = round_.copy()
    stands.push("-")
    assert stands.turn == 2
    assert "7c" not in legal(stands)
    round_.push("Ad")
    assert legal(round_) == {"As", "-"}
    round_.push("-")
    assert round_.turn == 0, "a second ace does not add a turn (our reading)"
    assert round_.counts == (2, 2, 2), "nobody draws for an ace"


def test_prsi_sevens_add_up() -> None:
    """deskovehry.cz: two, then four, and the turn is lost."""
    round_ = at("prsi", "7h", "7s", "+4", top="9h", hands=[["7h", "Ts", "8c"], ["7s", "Qs", "9c"], ["As", "8d"]])
    assert round_.turn == 0
    assert round_.counts == (2, 2, 6)


def test_prsi_after_drawing_the_next_one_plays() -> None:
    """Czech Wikipedia: also when the drawn card fits; one may draw although one could play (deskovehry.cz)."""
    assert at("prsi", "+", top="9h", hands=[["9s", "Tc"], 5], stock=["8h"]).turn == 1


def test_prsi_starter() -> None:
    """Our reading: the starter counts as the dealer's play."""
    assert at("prsi", starter="7h", hands=[5, 5, 5]).penalty == 2
    assert legal(at("prsi", starter="Ac", hands=[["Ts"], 5, 5])) == {"-"}
    ober = at("prsi", starter="Qc", hands=[5, 5, 5])
    assert ober.turn == ober.dealer


def test_prsi_values() -> None:
    """deskovehry.cz: unter 2, ober 3, king 4, ace 11, numbers their face; “prší” needs no catching."""
    round_ = at("prsi", "9s", top="9h", hands=[["9s"], ["Jd", "Qd", "Kd"], ["Ad", "Td", "7d"]])
    assert points(round_) == (0, 9, 28)
    with pytest.raises(RuleError):
        Ruleset.parse("prsi").at(6)


# --- Olsen -----------------------------------------------------------------------------------------------------------


def test_olsen_an_eight_turns_to_a_new_suit() -> None:
    """norske-kortspill.no: then that suit or another eight."""
    round_ = at("olsen", top="9h", hands=[["8h", "Ks", "3c"], ["2d", "8s", "9c"]], stock=["3d"])
    assert legal(round_) == {*wishes("8h", "cds"), "+"}
    assert refused(round_, "8h=h") == "wish-same-suit"
    round_.push("8h=d")
    assert legal(round_) == {"2d", *wishes("8s", "chs"), "+"}


def test_olsen_one_card_is_drawn_and_played_or_kept() -> None:
    """norske-kortspill.no: by whoever cannot play or does not want to."""
    round_ = at("olsen", "+", top="9h", hands=[["9s", "3c"], 5], stock=["4h"])
    assert legal(round_) == {"4h", "-"}


def test_olsen_must_be_said() -> None:
    """heimilisvefurinn.is and spillby.com: three cards."""
    hands: list[Any] = [["9s", "3c"], 5]
    assert at("olsen", "9s", "1?0", top="9h", hands=hands).counts[0] == 4
    assert refused(at("olsen", "9s!", top="9h", hands=hands), "1?0") == "nothing-to-catch"


def test_olsen_on_a_starting_eight_anything_goes() -> None:
    """cardgames.io (Icelandic)."""
    assert legal(at("olsen", starter="8c", hands=[["9s", "3h"], 5])) == {"9s", "3h", "+"}


def test_olsen_goes_to_two_hundred_and_the_lowest_total_wins() -> None:
    """norske-kortspill.no; the values are those of Crazy Eights (our reading)."""
    round_ = at("olsen", "9s", top="9h", hands=[["9s"], ["8c", "Kd"], ["Ac", "7h"]])
    assert points(round_) == (0, 60, 8)
    standing = Standing(Ruleset.parse("olsen").at(3))
    assert (standing.reached(199), standing.reached(200)) == (False, True)
    assert standing.leaders((20, 210, 80), (0, 1, 2)) == (0,)


# --- Vändåtta --------------------------------------------------------------------------------------------------------


def test_vandatta_an_ace_makes_the_others_draw_and_is_covered() -> None:
    """gamesitereviews.biz: everybody else draws one, and its player takes another turn."""
    round_ = at("vandatta", "Ah", top="9h", hands=[["Ah", "4h", "9c", "3c", "8d"], 5, 5], stock=["2c", "2d", "5h"])
    assert round_.turn == 0
    assert round_.counts == (4, 6, 6)
    assert legal(round_) == {"4h"}, "no eight on an ace"
    round_.push("4h")
    assert round_.turn == 1


@pytest.mark.parametrize(
    ("top", "wish", "hand"), [("Ah", None, "8h"), ("Ah", None, "Ac"), ("8c", "h", "Ah"), ("8c", "h", "8d")]
)
def test_vandatta_no_special_card_on_a_special_card(top: str, wish: str | None, hand: str) -> None:
    """sparbankeneken.se: no eight on an eight, ace on an eight, eight on an ace or ace on an ace."""
    round_ = at("vandatta", top=top, wish=wish, hands=[[hand, "5h", "6c"], 5], stock=["2c"])
    assert legal(round_) == {"5h", "+"}
    text = f"{hand}=c" if hand[0] == "8" else hand
    assert refused(round_, text) == "special-on-special"


def test_vandatta_several_ordinary_cards_of_one_rank() -> None:
    """gamesitereviews.biz: the first must fit, the last one decides the suit; not with eights."""
    round_ = at("vandatta", "9c", top="9h", hands=[["9c", "9s", "4s", "5d"], 5])
    assert legal(round_) == {"9s", "-"}
    round_.push("9s")
    assert round_.turn == 1
    assert str(round_.top) == "9s"
    assert at("vandatta", "8c=h", top="9h", hands=[["8c", "8s", "4s", "5d"], 5]).turn == 1


def test_vandatta_three_draws_at_most() -> None:
    """sparbankeneken.se: after the first or second card that fits no more is drawn."""
    hands: list[Any] = [["Ks", "4s", "5d"], 5]
    stuck = at("vandatta", "+", "+", "+", top="9h", hands=hands, stock=["2c", "3c", "4c", "5c"])
    assert stuck.turn == 1
    assert stuck.counts[0] == 6
    found = at("vandatta", "+", "+", top="9h", hands=hands, stock=["2c", "3h", "4c"])
    assert legal(found) == {"3h", "-"}


def test_vandatta_not_out_with_an_eight_or_an_ace_nor_unsaid() -> None:
    """sparbankeneken.se: “lappen” with one card left."""
    assert legal(at("vandatta", top="9h", hands=[["8c"], 5], stock=["2c"])) == {"+"}
    assert legal(at("vandatta", top="9h", hands=[["Ah"], 5], stock=["2c"])) == {"+"}
    hands: list[Any] = [["9c", "9s"], ["Kd", "Qd", "2d"]]
    said = at("vandatta", "9c!", top="9h", hands=hands)
    assert "9s" in legal(said), "an equal card may follow"
    silent = at("vandatta", "9c", top="9h", hands=hands)
    assert refused(silent, "9s") == "not-called"


def test_vandatta_starter() -> None:
    """cardgames.wikia.com: an eight is buried, an ace makes people draw (all but the dealer: our reading)."""
    assert all(Round("vandatta", seats=4, seed=seed).top.label[0] != "8" for seed in range(60))
    assert at("vandatta", starter="Ah", hands=[5, 5, 5]).counts == (6, 6, 5)


def test_vandatta_a_hundred_is_out_and_the_last_one_wins() -> None:
    """sparbankeneken.se: eight 25, ace 15, ten and court cards 10, all others 5."""
    first = at("vandatta", "9s!", "9c", top="9h", hands=[["9s", "9c"], ["8c", "8d", "8h", "8s"], ["Ac", "Kd", "7h"]])
    assert points(first) == (0, 100, 30)
    match = Match.from_rounds(first.rules, 1, [first])
    assert not match.over
    assert match.next_players == (0, 2)


# --- Pesten ----------------------------------------------------------------------------------------------------------


def test_pesten_pack_and_deal() -> None:
    """52 cards and two jokers, seven each (Dutch Wikipedia, nimble.expert); never starts with a special card (gamefunnel.app)."""
    assert len(Ruleset.parse("pesten").at(4).pack) == 54
    for seed in range(60):
        round_ = Round("pesten", seats=4, seed=seed)
        assert round_.counts == (7, 7, 7, 7)
        assert str(round_.top)[0] not in "278JA*"


def test_pesten_two_on_two_and_joker_on_joker() -> None:
    """kaartspeluitleg.nl: four, and ten."""
    twos = at("pesten", "2h", top="9h", hands=[["2h", "Ks", "3c"], ["2d", "*", "9c"], 5])
    assert legal(twos) == {"2d", "+2"}
    assert at("pesten", "2h", "2d", top="9h", hands=[["2h", "Ks", "3c"], ["2d", "*", "9c"], 5]).penalty == 4
    jokers = at("pesten", "*", top="9h", hands=[["*", "Ks", "3c"], ["*", "2d", "9c"], ["2s", "4s"]])
    assert legal(jokers) == {"*", "+5"}
    jokers.push("*")
    assert legal(jokers) == {"+10"}


def test_pesten_any_card_goes_on_a_paid_joker() -> None:
    """gamefunnel.app."""
    round_ = at("pesten", "+5", top="*", penalty=5, hands=[["4c", "5d"], ["Ks", "3h"], 5])
    assert legal(round_) == {"Ks", "3h"}


def test_pesten_a_seven_plays_again() -> None:
    """kaartspeluitleg.nl: whoever cannot takes a card."""
    round_ = at("pesten", "7h", top="9h", hands=[["7h", "3h", "4c"], 5, 5])
    assert legal(round_) == {"3h"}
    stuck = at("pesten", "7h", top="9h", hands=[["7h", "3s", "4c"], 5, 5], stock=["9s"])
    assert legal(stuck) == {"+"}
    stuck.push("+")
    assert stuck.turn == 1


def test_pesten_eight_jack_and_ace() -> None:
    """kaartspeluitleg.nl; with two players an ace changes nothing (nimble.expert)."""
    assert at("pesten", "8h", top="9h", hands=[["8h", "3h", "4c"], 5, 5]).turn == 2
    assert at("pesten", "Ah", top="9h", hands=[["Ah", "3h", "4c"], 5, 5]).turn == 2
    assert at("pesten", "Ah", top="9h", hands=[["Ah", "3h", "4c"], 5]).turn == 1
    assert legal(at("pesten", top="9h", hands=[["Jc", "4c"], 5])) == wishes("Jc")


def test_pesten_knocking() -> None:
    """Dutch Wikipedia: a forgotten knock and a false one cost two (or five)."""
    assert Ruleset.parse("pesten")["call.word"] == "knock"
    assert at("pesten", "9c", "1?0", top="9h", hands=[["9c", "3h"], 5]).counts[0] == 3
    assert at("pesten", "9c!", top="9h", hands=[["9c", "3h", "4s"], 5]).counts[0] == 4


def test_pesten_first_out_wins_also_with_a_special_card() -> None:
    """Dutch Wikipedia: whether that is allowed is agreed beforehand."""
    round_ = at("pesten", "2h", top="9h", hands=[["2h"], 5])
    assert round_.over
    assert points(round_) == (0, 0)
    assert legal(at("pesten+end.forbidden=power", top="9h", hands=[["2h"], 5])) == {"+"}


# --- all of them -----------------------------------------------------------------------------------------------------


def test_the_books_of_mau_mau_stay_first() -> None:
    assert (*BOOKS, *RELATIVES) == ALL_BOOKS
    assert BOOKS == ("family", "classic", "international", "study")
    assert len(set(ALL_BOOKS)) == len(ALL_BOOKS)


@pytest.mark.parametrize("book", RELATIVES)
def test_every_relative_names_its_sources(book: str) -> None:
    sources = book_sources(book)
    assert sources
    for source in sources:
        assert source.title
        assert source.url.startswith(("http://", "https://"))
    assert not any(name.startswith("source") for name in book_values(book))


@pytest.mark.parametrize("book", BOOKS)
def test_the_books_of_mau_mau_name_none(book: str) -> None:
    assert book_sources(book) == ()


@pytest.mark.parametrize(
    "code", ["crazy-eights+jack-20", "tschau-sepp+nine-reverse", "olsen+target-300+deal.cards=6", "pesten+six-cards"]
)
def test_house_rules_go_with_a_book_whose_name_has_a_hyphen(code: str) -> None:
    assert Ruleset.parse(code).code == code
    assert Ruleset.parse(code.replace("+", " ")).code == code


def test_a_hand_size_of_the_table_holds_for_two_players_too() -> None:
    assert Ruleset.parse("crazy-eights+six-cards").at(2)["deal.cards"] == 6
    assert Ruleset.parse("crazy-eights").at(2)["deal.cards"] == 7


def test_a_misspelt_book_finds_its_neighbour() -> None:
    with pytest.raises(RuleError) as error:
        Ruleset.parse("crazy-eight")
    assert error.value.params["near"] == ["crazy-eights"]


def played(book: str, seats: int, seed: int) -> Round:
    """A round of chance: mostly a card where one fits, and the calls mostly said."""
    round_, chance = Round(book, seats=seats, seed=seed), random.Random(seed)
    for _ in range(MOST_ACTIONS):
        if round_.over:
            return round_
        actions = tuple(round_.legal_actions)
        assert actions, round_.position_text()
        cards = [action for action in actions if action.kind == "play"]
        action = chance.choice(cards if cards and chance.random() < 0.8 else actions)
        called = action in round_.call_due and chance.random() < 0.8
        round_.push(Action.parse(f"{action}!") if called else action)
    raise AssertionError(f"{book} at {seats} seats, seed {seed}: no end in {MOST_ACTIONS} actions")


@pytest.mark.parametrize("book", RELATIVES)
@pytest.mark.parametrize("size", ["least", "most"])
def test_fifty_rounds_come_to_an_end(book: str, size: str) -> None:
    """No position is dead, no card is lost, and the record of each round replays to the same end."""
    rules = Ruleset.parse(book)
    seats = rules.least_seats if size == "least" else rules.most_seats
    for seed in range(50):
        round_ = played(book, seats, seed)
        held = sum(round_.counts) + len(round_.stock) + len(round_.discard)
        assert held == len(rules.at(seats).pack)
        if seed % 10 == 0:
            match = Match.from_rounds(rules.at(seats), seed, [round_])
            again = Record.from_json(match.record().to_json()).replay()
            assert again.round.position_text() == round_.position_text()
            assert again.totals == match.totals


@pytest.mark.parametrize("book", RELATIVES)
@pytest.mark.parametrize("lang", ["de", "en"])
@pytest.mark.parametrize("format", ["text", "md", "html", "json"])
def test_every_relative_has_its_page(book: str, lang: str, format: str) -> None:
    """Title, rules and sources, in both languages and every format; the list names the book."""
    page = rules_text(book, lang, format)
    assert all(source.title.split(" (")[0] in page.replace("&amp;", "&") for source in book_sources(book))
    assert book in rules_list(lang, format)
    assert special_pairs(lang, Ruleset.parse(book))


def test_a_game_that_no_key_says_is_refused_with_its_reason() -> None:
    """Makao: its Jack demands a rank. The books named instead can be played."""
    with pytest.raises(RuleError, match=r"its Jack demands a rank.*“switch” and “prsi”") as error:
        Ruleset.parse("makao+six-cards")
    assert error.value.params["near"] == ["switch", "prsi"]
    assert {"switch", "prsi"} < set(RELATIVES)
