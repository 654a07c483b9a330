"""Random rule codes, positions and choices for driving rounds; everything hangs on one `random.Random`."""

from __future__ import annotations

import random
from typing import Any

from tests.literal.position import hand_size, pack
from tests.literal.round import POWERS, SUITS, LiteralRound, Values

from maumau.ruleset import BOOKS, RuleError, Ruleset
from maumau.ruleset.keys import Key, all_keys

RANKS = "23456789TJQKA"
KEYS = dict(all_keys())
TABLE_KEYS = ("players.", "pack.full", "pack.double")
"""Keys about table sizes: left alone, so that every random code has a table."""


def random_value(chance: random.Random, key: Key) -> str:
    """One allowed value of a key as text; small numbers and few forbidden ranks, so that rounds stay playable."""
    if key.kind == "bool":
        return chance.choice(("yes", "no"))
    if key.kind == "int":
        return str(chance.randint(key.least, min(key.most, key.least + 4)))
    if key.kind == "either":
        return chance.choice((str(key.least), "1", "1", "2", "3", *key.words))
    if key.kind == "ranks":
        return chance.choice(("J", "7", "A8", "J7", *key.words))
    return chance.choice(key.words)


def random_code(chance: random.Random, most_changes: int = 14) -> str:
    """A book with some random single values, powers of single cards among them."""
    while True:
        code = chance.choice(BOOKS)
        plain = [name for name in KEYS if not name.startswith(("power.", "points.", "closing.", "fine.", *TABLE_KEYS))]
        powers = [name for name in KEYS if name.startswith("power.")]
        other = [name for name in KEYS if name.startswith(("points.", "closing.", "fine."))]
        count = chance.randint(1, most_changes)
        names = set(chance.sample(plain, min(count, len(plain))))
        names |= set(chance.sample(powers, chance.randint(0, 5))) | set(chance.sample(other, 2))
        changes = [f"{name}={random_value(chance, KEYS[name])}" for name in sorted(names)]
        for _ in range(chance.choice((0, 0, 1, 2))):
            card = chance.choice(RANKS[5:]) + chance.choice(SUITS)
            power = chance.choice(POWERS)
            changes.append(f"power.{card}.{power}={random_value(chance, KEYS[f'power.A.{power}'])}")
        code = "+".join((code, *dict.fromkeys(changes)))
        try:
            random_seats(chance, Ruleset.parse(code))
        except (RuleError, IndexError):  # contradictions, or no number of seats is left
            continue
        return code


def random_seats(chance: random.Random, rules: Ruleset) -> int:
    """A number of seats that the rules allow, the least of them more often than the others."""
    sizes = []
    for seats in range(2, 9):
        try:
            rules.at(seats)
        except RuleError:
            continue
        sizes.append(seats)
    return chance.choice((sizes[0], *sizes))


def random_position(chance: random.Random, values: Values, seats: int) -> dict[str, Any]:
    """A position in the middle of a round, all cards named: small hands, empty piles and cards with powers are common."""
    cards = pack(values)
    chance.shuffle(cards)
    powers = LiteralRound(values, [[]] * seats, [], ["*"], 0)
    special = [card for card in cards if powers.draws(card) or powers.wishes(card)]
    top = chance.choice(special) if special and chance.random() < 0.5 else cards[-1]
    cards.remove(top)
    hands: list[list[str]] = [[] for _ in range(seats)]
    for hand in hands:
        if special and chance.random() < 0.15 and special[0] in cards:  # a lone card with a power
            hand.append(cards.pop(cards.index(special.pop(0))))
            continue
        hand += [cards.pop() for _ in range(chance.choice((1, 1, 2, 2, 3, 5))) if cards]
    if chance.random() < 0.5:  # few cards in the piles: the rest is in the hands
        piles = chance.choice((0, 0, 0, 1, 2, 4, 8))
        holders = chance.sample(hands, chance.randint(1, seats))
        while len(cards) > piles:
            chance.choice(holders).append(cards.pop())
    stock_n = chance.choice((0, 0, 1, 1, 1, 2, len(cards), len(cards)))
    position: dict[str, Any] = {
        "top": top,
        "hands": hands,
        "stock": cards[:stock_n],
        "discard": cards[stock_n:],
        "dealer": chance.randrange(seats),
        "turn": chance.randrange(seats),
        "direction": chance.choice((1, 1, -1)) if _turns(values) else 1,
    }
    _pending(chance, values, position)
    if position.get("penalty") and chance.random() < 0.7:
        _give_answer(position)
    elif not position.get("penalty") and chance.random() < 0.3:
        _near_the_end(chance, values, position)
    if not cards and chance.random() < 0.5:
        position["passes"] = chance.randrange(seats)
    return position


def again_with_one_card(chance: random.Random, values: Values) -> dict[str, Any] | None:
    """Two seats; the first can lay a card that skips, then holds one card that does not fit, and may draw one that does.

    None where no plain card skips.
    """
    game = LiteralRound(values, [[], []], [], ["*"], 0)
    cards = [card for card in pack(values) if not game.draws(card) and not game.wishes(card)]
    chance.shuffle(cards)
    skip = next((card for card in cards if game.power(card, "skip")), None)
    if skip is None:
        return None
    cards.remove(skip)
    alike = [card for card in cards if card[-1] == skip[-1]]
    other = next(card for card in cards if card[-1] != skip[-1] and card[0] != skip[0])
    return {"top": alike[0], "hands": [[skip, other], 3], "turn": 0, "stock": alike[1 : chance.randint(1, 2)]}


def caught_soon(chance: random.Random, values: Values, seats: int) -> dict[str, Any] | None:
    """The first seat holds two plain cards of the top card's suit and may draw more of them; None where there are too few."""
    game = LiteralRound(values, [[]] * seats, [], ["*"], 0)
    suit = chance.choice(SUITS)
    cards = [card for card in dict.fromkeys(pack(values)) if card[-1] == suit and not game.special(card)]
    chance.shuffle(cards)
    if len(cards) < 5:
        return None
    return {"top": cards[0], "hands": [cards[1:3], *[3] * (seats - 1)], "turn": 0, "stock": cards[3:5]}


def nothing_left(chance: random.Random, values: Values, seats: int) -> dict[str, Any]:
    """Every card but the top in a hand: a penalty where one can stand, or a seat on turn with nothing that fits."""
    cards = pack(values)
    game = LiteralRound(values, [[]] * seats, [], ["*"], 0)
    drawing = [card for card in cards if game.draws(card)]
    top = chance.choice(drawing if drawing and values["penalty.answer"] == "same" else cards)
    cards.remove(top)
    chance.shuffle(cards)
    penalty = game.draws(top) if values["penalty.answer"] == "same" and chance.random() < 0.5 else 0
    game = LiteralRound(values, [[]] * seats, [], [top], 0)
    few = [] if penalty else [card for card in cards if not game.fits(card)][: chance.randint(1, 2)]
    if values["penalty.answer"] == "none" and chance.random() < 0.5:  # it can make the next seat draw: there is nothing
        few = [card for card in drawing if card in cards and game.fits(card)][:1] + few[:1]
    for card in few:
        cards.remove(card)
    hands = [few, *(cards[seat :: seats - 1] for seat in range(seats - 1))]
    if not few:
        hands[0] = [hands[1].pop()]
    return {"top": top, "hands": hands, "penalty": penalty, "stock": [], "discard": []}


def random_start(chance: random.Random, values: Values, seats: int) -> dict[str, Any]:
    """The start of a round, mostly with a starter that has a power."""
    cards = [card for card in pack(values) if LiteralRound.may_start(values, card)]
    game = LiteralRound(values, [[]] * seats, [], ["*"], 0)
    special = [card for card in cards if game.special(card)]
    starter = chance.choice(special if special and chance.random() < 0.8 else cards)
    return {"starter": starter, "hands": [hand_size(values, seats)] * seats, "dealer": chance.randrange(seats)}


def _near_the_end(chance: random.Random, values: Values, position: dict[str, Any]) -> None:
    """The seat on turn keeps one or two cards, of which one fits, perhaps one with a power; the rest goes below."""
    hand = position["hands"][position["turn"]]
    pile = position["discard"]
    pile += [hand.pop() for _ in range(len(hand))]
    game = LiteralRound(values, [[]], [], [position["top"]], 0)
    game.wish = position.get("wish")
    fitting = [card for card in pile if game.fits(card)]
    powerful = [card for card in fitting if game.wishes(card) or game.power(card, "skip")]
    for cards in (powerful if powerful and chance.random() < 0.8 else fitting, pile):
        if cards and len(hand) < 2 and not (hand and chance.random() < 0.5):
            hand.append(chance.choice(cards))
            pile.remove(hand[-1])


def _give_answer(position: dict[str, Any]) -> None:
    """Exchange a card of the seat on turn for one of the top card's rank."""
    hand = position["hands"][position["turn"]]
    for other in (*position["hands"], position["stock"], position["discard"]):
        for index, card in enumerate(other):
            if other is not hand and card[0] == position["top"][0]:
                other[index], hand[0] = hand[0], card
                return


def _turns(values: Values) -> bool:
    return any(value and name.endswith(".reverse") for name, value in values.items())


def _pending(chance: random.Random, values: Values, position: dict[str, Any]) -> None:
    """A wish, a penalty or a free play, where the top card can have brought it."""
    game = LiteralRound(values, position["hands"], position["stock"], [*position["discard"], position["top"]], 0)
    top = position["top"]
    draws = game.draws(top)
    if draws and values["penalty.answer"] == "same" and chance.random() < 0.7:
        most = min(3, 1 + int(values["penalty.cap"] or 3))
        position["penalty"] = draws * (chance.randint(1, most) if top != "*" else 1)
    if not game.wishes(top):
        return
    if chance.random() < 0.7:
        position["wish"] = chance.choice(SUITS)
    elif values["start.wish"] != "dealer" and not position["discard"]:
        position["free"] = True


def only_jacks_after_a_free_starter(chance: random.Random, seats: int) -> dict[str, Any]:
    """The rare case of the books: a starter Jack, nothing but Jacks in hand, and a Jack drawn."""
    jacks = ["Jc", "Jd", "Jh", "Js"]
    chance.shuffle(jacks)
    return {
        "top": jacks[0],
        "hands": [jacks[1 : chance.randint(2, 3)], *[5] * (seats - 1)],
        "stock": [jacks[3]],
        "free": True,
    }


def random_text(chance: random.Random, game: LiteralRound) -> str:
    """An action text that may well be illegal here: any card, wish, call, amount or shout."""
    seats = len(game.hands)
    if game.owing and chance.random() < 0.3:
        return f"{chance.choice(sorted(game.owing))}!"
    kind = chance.randrange(8)
    if kind == 0:
        return f"{chance.randrange(seats)}!"
    if kind == 1:
        return f"{chance.randrange(seats)}?{chance.randrange(seats)}"
    if kind == 2:
        return chance.choice(("+", "-", f"+{chance.choice((2, 4, 3))}", f"={chance.choice(SUITS)}"))
    hand = game.hands[game.turn] if game.turn is not None else []
    card = chance.choice(hand) if hand and kind > 3 else chance.choice(pack(game.values))
    wish = f"={chance.choice(SUITS)}" if chance.random() < 0.3 else ""
    return card + wish + ("!" if chance.random() < 0.4 else "")


def random_choice(chance: random.Random, game: LiteralRound, eager: float, legal_now: set[str]) -> str:
    """A legal action or shout; `eager` is how often a play is preferred to drawing and passing."""
    shouts = game.shouts()
    if shouts and chance.random() < 0.4:
        return chance.choice(sorted(text for texts in shouts.values() for text in texts))
    legal = sorted(legal_now)
    plays = [text for text in legal if text[0] not in "+-="]
    if plays and (chance.random() < eager or len(plays) == len(legal)):
        text = chance.choice(plays)
        return text + "!" if text in game.call_due() and chance.random() < 0.5 else text
    return chance.choice([text for text in legal if text not in plays])
