"""Bots: by name, under every ruleset, from an Observation and nothing else."""

from __future__ import annotations

import random
import sys
from collections import Counter
from collections.abc import Iterator
from importlib.metadata import EntryPoint
from typing import Any

import pytest
from tests.lab_kit import random_rules

from maumau import Action, Card, Observation, Round, bots
from maumau.bots import registry
from maumau.bots.sight import SIGHT_FIELDS, Sight, look, tables_of
from maumau.bots.thumb import NormalBot
from maumau.bots.thumb_rules import EASY, ID_CALL, ID_CATCH, ID_DRAW, ID_NAME, ID_PASS, ID_TAKE, NORMAL, choose_id
from maumau.game.action import DRAW, PASS, TAKE
from maumau.kernel.layout import State
from maumau.lab.host import let_shout, play_round
from maumau.lab.seats import see
from maumau.ruleset.data import BOOKS

NAMES = ("random", "easy", "normal")


def choice(position: dict[str, Any], rules: str = "family", name: str = "normal", seed: int = 0) -> str:
    """What a bot does on its turn in a position, as text."""
    round_ = Round.from_position(rules, position)
    assert round_.turn is not None
    return round_.text(bots.get(name, seed).choose(round_.observation(round_.turn)))


def test_bots_by_name() -> None:
    assert bots.names()[:3] == NAMES
    for name in NAMES:
        assert isinstance(bots.get(name, seed=3), bots.Bot)


def test_an_unknown_bot_is_refused_and_near_ones_offered() -> None:
    with pytest.raises(bots.UnknownBotError, match="no bot is called 'nromal'; try normal") as caught:
        bots.get("nromal")
    assert caught.value.near[0] == "normal"
    with pytest.raises(bots.UnknownBotError, match="try random, easy, normal"):
        bots.get("xyz")


class PluggedBot:
    """Somebody else's bot: no seed, no shout."""

    def choose(self, observation: Observation) -> Action:
        return observation.legal[-1]


@pytest.fixture
def plugged(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    def entry_points(group: str) -> list[EntryPoint]:
        assert group == "maumau.bots"
        return [EntryPoint("plugged", f"{__name__}:PluggedBot", group), EntryPoint("normal", "nowhere:Bot", group)]

    monkeypatch.setattr(registry, "entry_points", entry_points)
    monkeypatch.setitem(sys.modules, __name__, sys.modules[__name__])
    registry._offered.cache_clear()
    yield
    registry._offered.cache_clear()
    registry._class_of.cache_clear()


@pytest.mark.usefixtures("plugged")
def test_bots_of_other_packages_are_found_and_take_no_name_away() -> None:
    assert bots.names() == (*NAMES, "plugged")
    assert type(bots.get("normal")).__name__ == "NormalBot"
    round_ = Round("study", 2, 4)
    assert play_round(round_, [bots.get("plugged", seed=1), bots.get("normal")]) > 0
    assert round_.over


def test_numbers_of_actions_agree_with_the_game() -> None:
    assert (DRAW, TAKE, PASS, Action.name(0)) == (ID_DRAW, ID_TAKE, ID_PASS, ID_NAME)
    assert (Action.call(0), Action.catch(0, 0)) == (ID_CALL, ID_CATCH)
    assert len(NORMAL) == len(EASY)


# --- what they choose ----------------------------------------------------------------------------------------------------


def test_b07_wishes_the_suit_it_holds_most() -> None:
    """B-07: top 9h, hand JC KD QD AD; forced to play the Jack it wishes diamonds, whatever its seed."""
    for seed in range(100):
        position = {"top": "9h", "hands": [["Jc", "Kd", "Qd", "Ad"], 5]}
        assert choice(position, "international", "normal", seed) == "Jc=d"
        assert choice(position, "family", "normal", seed) == "Jc=d"


def test_b04_plays_by_the_rules_of_the_table() -> None:
    """B-04: where no Jack goes on a Jack it draws, and where the chain has its one answer it takes four."""
    for name in NAMES:
        jack = {"top": "Jc", "wish": "d", "hands": [["Js", "Kc"], 5]}
        assert choice(jack, "family", name) == "+"
        assert choice(jack, "family+jack-on-jack+draw.when=stuck", name)[:2] == "Js"
        capped = {"top": "7h", "penalty": 4, "hands": [["7s", "Kc", "Ac"], 5]}
        assert choice(capped, "family+stack-cap-1", name) == "+4"


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("book", BOOKS)
def test_b04_no_action_of_a_bot_is_ever_refused(book: str, name: str) -> None:
    """B-04: every book at every level; ``play_round`` pushes checked actions only."""
    for seed in range(12):
        round_ = Round(book, 4, seed)
        players = [bots.get(name, seed) for _ in range(4)]
        play_round(round_, players, 4000)
        assert round_.over


def test_b04_no_action_is_refused_under_random_rules() -> None:
    dice = random.Random(21)
    for seed in range(40):
        rules, seats = random_rules(dice)
        round_ = Round(rules, seats, seed)
        play_round(round_, [bots.get(NAMES[(seed + seat) % 3], seat) for seat in range(seats)], 300)


def test_draws_and_skips_are_aimed_at_whoever_is_about_to_go_out() -> None:
    hand = ["7h", "8h", "Kh", "Ks", "Qd"]
    assert choice({"top": "9h", "hands": [hand, ["Ac"], 5, 5]}) in ("7h", "8h")
    assert choice({"top": "9h", "hands": [hand, 5, 5, 5]}) == "Kh"


def test_a_wishing_card_is_kept_while_another_will_do() -> None:
    assert choice({"top": "9h", "hands": [["Jh", "Kh", "Kd", "Qd"], 5, 5]}) == "Kh"


def test_the_last_card_is_one_that_may_be_last() -> None:
    assert choice({"top": "9h", "hands": [["Kh", "Jh"], 5, 5]}, "family+no-jack-finish")[:3] == "Jh="
    assert choice({"top": "9h", "hands": [["Kh", "Th", "Jh"], 5, 5]}, "family+no-jack-finish") == "Th"


def test_the_last_card_is_always_played() -> None:
    assert choice({"top": "9h", "hands": [["Kh"], 5]}) == "Kh!"
    assert choice({"top": "9h", "hands": [["Jh"], 5]}, "classic+players-2") == "Jh"


def test_a_penalty_is_answered() -> None:
    assert choice({"top": "7h", "penalty": 2, "hands": [["7s", "Kc", "Ac", "Ad"], 5, 5]}) == "7s"


def test_powers_are_data_not_ranks() -> None:
    """Where the queen wishes and the ten draws, it keeps the queen and aims the ten."""
    rules = "family+power.J.wish=no+power.Q.wish=yes+power.7.draw=0+power.T.draw=2"
    assert choice({"top": "9h", "hands": [["Qh", "Kh", "Kd", "Ad"], 5, 5]}, rules) == "Kh"
    assert choice({"top": "9h", "hands": [["Th", "Kh", "Ks", "Ad"], ["Ac"], 5]}, rules) == "Th"


def test_the_dealer_names_the_suit_it_holds_most() -> None:
    assert choice({"starter": "Jh", "hands": [5, ["2s", "3s", "4s", "5d", "6c"]], "dealer": 1}, "international") == "=s"


def test_normal_calls_with_the_play_and_catches_whoever_owes() -> None:
    assert choice({"top": "9h", "hands": [["Kh", "As"], 5]}).endswith("!")
    round_ = Round.from_position("family", {"top": "9h", "hands": [["Kh", "As"], 5, 5]})
    round_.push("Kh")
    assert round_.owing == (0,)
    normal = NormalBot()
    assert normal.shout(round_.observation(2)) == Action.catch(2, 0)
    assert let_shout(round_, [bots.get("random"), normal, normal]) == 1
    assert round_.events[-2].text == "1?0"


def test_easy_forgets_a_call_now_and_then() -> None:
    position = {"top": "9h", "hands": [["Kh", "As"], 5]}
    calls = Counter("!" in choice(position, "family", "easy", seed) for seed in range(400))
    assert 60 < calls[False] < 140


def test_random_takes_every_legal_action_about_as_often() -> None:
    position = {"top": "9h", "hands": [["Jh", "Kh", "As"], 5]}
    counts = Counter(choice(position, "classic+players-2", "random", seed) for seed in range(1200))
    assert set(counts) == {"Jh=c", "Jh=d", "Jh=h", "Jh=s", "Kh", "+"}
    assert all(150 < count < 250 for count in counts.values())


# --- what they see -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", NAMES)
def test_b03_the_choice_hangs_on_nothing_hidden(name: str) -> None:
    """B-03: the same choice for two hands of the other player, with every seed."""
    own = ["Kc", "9s", "7d"]
    hands = (["7c", "7s", "Ac", "Tc"], ["Qh", "Kh", "Ah", "Th"])
    for seed in range(100):
        one, other = (choice({"top": "9c", "hands": [hand, own], "turn": 1}, "family", name, seed) for hand in hands)
        assert one == other


@pytest.mark.parametrize("name", NAMES)
def test_the_same_seed_and_history_give_the_same_choice(name: str) -> None:
    round_ = Round("family", 3, 8)
    players = [bots.get(name, seat) for seat in range(3)]
    while round_.turn is not None and len(round_.actions) < 200:
        seen = round_.observation(round_.turn)
        chosen = players[round_.turn].choose(seen)
        assert chosen == players[round_.turn].choose(seen) == bots.get(name, round_.turn).choose(seen)
        round_.push(chosen)
        let_shout(round_, players)


def reachable(thing: Any, levels: int) -> Iterator[Any]:
    yield thing
    if levels == 0 or isinstance(thing, str | bytes | int | type(None)):
        return
    parts = list(thing) if isinstance(thing, tuple | list | set | frozenset) else []
    if isinstance(thing, dict):
        parts = [*thing, *thing.values()]
    for name in dir(thing):
        if not name.startswith("__") and not callable(getattr(thing, name, None)):
            parts.append(getattr(thing, name))
    for part in parts:
        yield from reachable(part, levels - 1)


def test_e09_nothing_leads_from_an_observation_to_the_round() -> None:
    """E-09: walking everything within four steps finds no state, no round, and no card that the seat may not know."""
    round_ = Round("family", 3, 5)
    normal = bots.get("normal")
    for _ in range(8):
        assert round_.turn is not None
        round_.push(normal.choose(round_.observation(round_.turn)))
    seen = round_.observation(1)
    found = list(reachable(seen, 4))
    assert not [thing for thing in found if isinstance(thing, Round | State)]
    played = [event.cards for event in round_.events if event.kind in ("play", "starter")]
    known = {*seen.hand, *(card for cards in played for card in cards)}
    own = {card for event in seen.events if event.seat == 1 for card in event.cards}
    shown = {thing for thing in found if isinstance(thing, Card)} - set(seen.rules.pack)
    assert {card for event in seen.events for card in event.cards if card is not None} <= known | own
    assert shown == set()


def test_normal_keeps_cards_that_go_together_and_lays_them_all_the_best_last() -> None:
    position: dict[str, Any] = {"top": "9h", "hands": [["9c", "9s", "Th", "Kh"], 5, 5]}
    assert choice(position, "family+play.equal=yes") == "Th", "the nines go out together later"
    assert choice(position) == "9c", "each for itself they are as good as the others, and the lowest is taken"
    position = {"top": "9h", "hands": [["9c", "9s", "Ks", "Qs"], 5, 5]}
    round_ = Round.from_position("family+play.equal=yes", position)
    laid = []
    while round_.turn == 0:
        action = bots.get("normal").choose(round_.observation(0))
        laid.append(str(action))
        round_.push(action)
    assert laid == ["9c", "9s"], "the spades that are left can follow the last one"


def test_with_the_last_card_normal_passes_rather_than_draw() -> None:
    position: dict[str, Any] = {"top": "9h", "hands": [["Qs"], 5, 5]}
    assert choice(position) == "+"
    assert choice(position, "family+draw.pass=yes") == "-"
    assert choice(position, "family+draw.pass=yes", "easy") == "+"
    position["hands"] = [["Qs", "Kc"], 5, 5]
    assert choice(position, "family+draw.pass=yes") == "+"


# --- one source, run two ways ---------------------------------------------------------------------------------------------


def test_a_bot_sees_the_same_from_an_observation_as_the_laboratory_from_the_state() -> None:
    """Thousands of observations under random rules; both sights are equal in every field, and so is the choice."""
    dice = random.Random(31)
    compared = 0
    while compared < 3000:
        rules, seats = random_rules(dice)
        round_ = Round(rules, seats, dice.getrandbits(64))
        for _ in range(120):
            seat = round_.turn
            if seat is None:
                break
            one, other = look(round_.observation(seat)), Sight()
            see(round_._state, round_._tables, other, seat)
            for name in SIGHT_FIELDS:
                mine, theirs = getattr(one, name), getattr(other, name)
                if name == "ahead":
                    mine, theirs = mine[: one.others_n], theirs[: one.others_n]
                assert mine == theirs, f"{name} in {round_.position_text()}"
            roll = dice.getrandbits(32)
            chosen = [choose_id(v, tables_of(rules), weights, roll) for v in (one, other) for weights in (NORMAL, EASY)]
            assert chosen[:2] == chosen[2:]
            compared += 1
            round_.push(Action.from_id(chosen[1]) if dice.random() < 0.5 else dice.choice(round_.legal_actions))
