"""Positions as JSON (the text that people and programs share) made into literal rounds, and back."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from tests.literal.round import JOKER, SUITS, LiteralRound, Reshuffled, Values

Position = Mapping[str, Any]
Order = Callable[[list[str]], list[str]]


def pack(values: Values) -> list[str]:
    """Every card of the resolved ruleset's pack or packs."""
    ranks = {"32": "789TJQKA", "36": "6789TJQKA", "52": "23456789TJQKA"}[str(values["pack.cards"])]
    one = [rank + suit for rank in ranks for suit in SUITS] + [JOKER] * int(values["pack.jokers"])
    return one * int(values["pack.packs"])


def hand_size(values: Values, seats: int) -> int:
    """Cards each; two players may be dealt another number (deal.two)."""
    return int(values["deal.two"] if seats == 2 and values["deal.two"] else values["deal.cards"])


def from_position(
    values: Values, position: Position, shuffled: Order | None = None, reshuffled: Reshuffled | None = None
) -> LiteralRound:
    """A round as the position describes it; `shuffled` orders the unseen cards."""
    unseen = pack(values)
    if "deal" in position:
        hands: list[Any] = [hand_size(values, position["deal"])] * position["deal"]
        position = {"starter": None, "hands": hands}
    named = [card for hand in position["hands"] if isinstance(hand, list) for card in hand]
    for pile in ("stock", "discard"):
        named += position[pile] if isinstance(position.get(pile), list) else []
    named += [position[key] for key in ("top", "starter") if position.get(key)]
    for card in named:
        unseen.remove(card)  # ValueError: more often than the pack has it
    unseen = shuffled(unseen) if shuffled else unseen
    top = position.get("top") or position.get("starter") or _fixed_starter(values, unseen)

    def hidden(count: int) -> list[str]:
        taken, unseen[:count] = unseen[:count], []
        return taken

    filled = [hidden(hand) if isinstance(hand, int) else hand for hand in position["hands"]]
    stock, discard = _piles(position, hidden, unseen)
    dealer = position.get("dealer", max(seat for seat, hand in enumerate(filled) if hand is not None))
    if "starter" in position:
        if not LiteralRound.may_start(values, top):
            raise ValueError(f"{top} may not start")
        return LiteralRound.start(values, filled, stock, top, dealer, reshuffled)
    game = LiteralRound(values, filled, stock, [*discard, top], dealer, position.get("turn"), reshuffled)
    if "turn" not in position:
        # The dealer's left, whichever way play goes.
        game.turn = game.next_seat(dealer)
    game.direction = position.get("direction", 1)
    _set_state(game, position)
    return game


def _fixed_starter(values: Values, unseen: list[str]) -> str:
    """The starter of a whole deal: as it falls, or a card of the fixed rank."""
    starter = next(card for card in unseen if LiteralRound.may_start(values, card))
    unseen.remove(starter)
    return starter


def _piles(position: Position, hidden: Callable[[int], list[str]], unseen: list[str]) -> tuple[list[str], list[str]]:
    """Stock and discards below the top; unseen cards left over lie below the stock, unless the stock is counted."""
    stock, discard = position.get("stock", None), position.get("discard", [])
    below = hidden(discard) if isinstance(discard, int) else list(discard)
    if isinstance(stock, int):
        drawn = hidden(stock)
        return drawn, hidden(len(unseen)) + below
    if stock == []:
        return [], hidden(len(unseen)) + below
    return [*(stock or []), *hidden(len(unseen))], below


def _set_state(game: LiteralRound, position: Position) -> None:
    game.wish = position.get("wish")
    game.penalty = position.get("penalty", 0)
    if game.penalty and game.top != JOKER:
        # Every answer so far added as much as the first card asked for.
        game.answers = game.penalty // max(1, int(game.values.get(f"power.{game.top[0]}.draw", 0))) - 1
    game.answers = position.get("answers", game.answers)
    game.extra = position.get("extra")
    game.drawn = position.get("drawn")
    game.drew = position.get("drew", 1) if game.drawn else 0
    game.paid = position.get("paid", False)
    game.begun = game.drew > 0 or game.paid or game.extra is not None
    game.skips = position.get("skips", 0)
    game.due_skips = position.get("due_skips", 0)
    game.rest = list(position.get("rest", game.rest))
    game.called = set(position.get("called", []))
    game.free = position.get("free", False)
    game.passes = position.get("passes", 0)
    game.reshuffles = position.get("reshuffles", 0)
    game.owing = set(position.get("owing", []))
    for seat in game.owing:
        if game.values["call.needed"] and not game.hands[seat]:
            game.waiting = seat


def answer(game: LiteralRound) -> dict[str, Any]:
    """What the referee tells of a round: the fields of a settled position that hang on the round alone."""
    return {
        "legal": sorted(game.legal()),
        "call_due": sorted(game.call_due()),
        "shouts": {str(seat): sorted(texts) for seat, texts in sorted(game.shouts().items())},
        "turn": game.on_turn,
        "top": game.top,
        "top_rank": game.top[0],
        "wish": game.wish,
        "penalty": game.penalty,
        "direction": game.direction,
        "hands": [sorted(hand) for hand in game.hands],
        "hands_n": [len(hand) for hand in game.hands],
        "stock_n": len(game.stock),
        "discard_n": len(game.discard),
        "over": game.over,
        "winner": game.winner,
        "points": list(game.points),
    }
