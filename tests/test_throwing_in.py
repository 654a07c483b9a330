"""Identical cards out of turn: bots throw them in where it is good, under the clock of the table and in the laboratory."""

from __future__ import annotations

import pytest
from tests.web_mock import mock_view

from maumau import Round, bots
from maumau.lab.host import HostBench, ask_for_shout, let_shout
from maumau.lab.machine import Bench
from maumau.lab.simulate import bench_for
from maumau.ruleset import Ruleset
from maumau.web.assets import Assets
from maumau.web.render import Renderer

CODE = "family+two-packs+play.throw_in=yes"


def position(top: str, hands: list[object], **rest: object) -> Round:
    return Round.from_position(CODE, {"top": top, "hands": hands, "turn": 0, **rest})


def test_a_bot_throws_in_the_card_on_top() -> None:
    round_ = position("9h", [["Kd", "Qd"], ["9h", "9c", "Tc"], 5])
    assert let_shout(round_, [bots.get("normal", seed=seat) for seat in range(3)]) == 1
    assert round_.counts[1] == 2
    assert round_.turn == 2, "play goes on from whoever threw in"


def test_a_bot_says_mau_with_the_card_it_throws_in() -> None:
    round_ = position("9h", [["Kd", "Qd"], ["9h", "9c"], 5])
    shout = ask_for_shout(bots.get("normal"), round_, 1)
    assert str(shout) in [str(action.with_call) for action in round_.shouts_of(1)]


def test_a_wisher_is_thrown_in_with_the_suit_held_most() -> None:
    round_ = position("Jh", [["Kd", "Qd"], ["Jh", "9c"], 5], wish="s")
    shouts = [ask_for_shout(bots.get(level), round_, 1) for level in ("normal", "easy")]
    assert {shout.wish.letter for shout in shouts if shout is not None and shout.wish is not None} <= {"c"}


def test_a_bot_without_the_card_throws_nothing_in() -> None:
    round_ = position("9h", [["Kd", "Qd"], ["9c", "Tc"], 5])
    assert let_shout(round_, [bots.get("normal", seed=seat) for seat in range(3)]) == 0


def test_the_laboratory_lets_bots_throw_in() -> None:
    rules = Ruleset.parse(CODE)
    bench = bench_for(rules, ["normal"] * 3)
    assert isinstance(bench, HostBench)
    assert isinstance(bench_for(Ruleset.parse("family"), ["normal"] * 3), Bench)
    thrown = 0
    for seed in range(10):
        round_ = Round(rules, 3, seed)
        seated = [bots.get("normal", seed=seat) for seat in range(3)]
        while round_.turn is not None:
            round_.push(seated[round_.turn].choose(round_.observation(round_.turn)))
            let_shout(round_, seated)
        thrown += sum(event.action is not None and event.action.kind == "throw" for event in round_.events)
    assert thrown > 0


@pytest.mark.parametrize(("lang", "word"), [("de", "Einwerfen"), ("en", "Throw in")])
def test_the_page_offers_it_to_people(lang: str, word: str) -> None:
    page = Renderer(Assets())
    assert word not in page.fragment(mock_view(lang), lang)
    html = page.fragment(mock_view(lang, throws=(("0:Jh=c", "c"), ("0:Jh=s", "s"))), lang)
    assert html.count(word) == 2
    assert 'value="0:Jh=c"' in html
    assert html.count('id="throw-in"') == 1
