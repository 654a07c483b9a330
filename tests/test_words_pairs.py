"""The table “what goes on what” says what a round then allows (fault R-19: nobody knew what may be laid on a joker)."""

from __future__ import annotations

from typing import Any

import pytest
from tests.words_kit import LANGS, assert_sentence

from maumau.cards import JOKER, Card, Suit
from maumau.game.round import Round
from maumau.ruleset import BOOKS, Ruleset
from maumau.ruleset.words import special_pairs

TABLES = [
    *BOOKS,
    "family+nine-reverse+ace-again",
    "family+pack.jokers=2+power.joker.draw=5+power.joker.wish=yes",
    "international+pack.jokers=1+power.Kh.draw=3",
    "family+two-draw+52-cards+jack-on-jack",
    "classic+players-2+power.Q.wish=yes+power.8h.skip=0",
    "family+power.8.pass_on=yes+power.9.cancel=yes",
    "family+penalty.answer=fitting+power.K.draw=3",
    "family+penalty.answer=any+power.K.draw=3+power.8.pass_on=yes",
    "family+skip.answer=same+skip.adds=yes",
    "family+wish.fits=match+wish.lasts=turn+wish.suits=other",
    "family+play.on_special=no",
]


def cards_called(thing: str, rules: Ruleset, special: set[str]) -> list[Card]:
    if thing == "joker":
        return [JOKER]
    if len(thing) == 2:
        return [Card.parse(thing)]
    rank = next(r for r in "9TKQA" if r not in special) if thing == "others" else thing
    return [Card.parse(f"{rank}{suit.letter}") for suit in Suit if f"{rank}{suit.letter}" not in special]


def allowed(rules: Ruleset, top: Card, laid: Card, state: dict[str, Any]) -> bool:
    """Whether a round allows the card, asked of the engine with a full position."""
    filler = [card for card in ("Td", "Th", "Ac", "Qd") if card not in (str(top), str(laid))][:2]
    here = Round.from_position(
        rules, {"top": str(top), "hands": [[str(laid), *filler], 5, 5, 5][: rules.seats], "turn": 0, **state}
    )
    return any(action.kind == "play" and action.card == laid for action in here.legal_actions)


def states(state: str, tables: Ruleset, top: Card) -> list[dict[str, Any]]:
    if state == "open":
        name = "joker" if top.is_joker else str(top) if f"power.{top}.draw" in tables.values else str(top)[0]
        return [{"penalty": tables[f"power.{name}.draw"] or 2}]
    if state == "skips":
        return [{"skips": 1}]
    if state == "wish":
        return [{"wish": suit.letter} for suit in Suit]
    return [{"free": True}] if state == "free" else [{}]


@pytest.mark.parametrize("code", TABLES)
def test_pairs_are_what_a_round_allows(code: str) -> None:
    rules = Ruleset.parse(code)
    rules = rules.at(min(rules.most_seats, 4))
    rows = special_pairs("en", rules)
    special = {row.on for row in rows}
    for row in rows:
        for laid, said in row.cells:
            found = {
                allowed(rules, top, card, state)
                for top in cards_called(row.on, rules, special)
                for card in cards_called(laid, rules, special)
                if top != card or (row.on == "joker" and rules["pack.jokers"] == 2)
                for state in states(row.state, rules, top)
            }
            if found:
                assert said == ("suit" if len(found) == 2 else "yes" if True in found else "no"), (row, laid)


@pytest.mark.parametrize("code", TABLES)
def test_no_pair_of_special_cards_is_left_open(code: str) -> None:
    rules = Ruleset.parse(code)
    for lang in LANGS:
        rows = special_pairs(lang, rules)
        for row in rows:
            assert_sentence(row.text)
            assert {row.on for row in rows} <= {laid for laid, _ in row.cells}
        assert len({row.text for row in rows}) == len(rows)
