"""Random rule codes, positions and choices for driving rounds; everything hangs on one `random.Random`."""

from __future__ import annotations

import random
from typing import Any

from tests.literal.position import pack
from tests.literal.round import SUITS, LiteralRound, Values

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
    if key.kind == "skip":
        return chance.choice(("0", "1", "1", "2", "3", "all"))
    if key.kind == "ranks":
        return chance.choice(("none", "J", "7", "A8", "J7"))
    return chance.choice(key.words)


def random_code(chance: random.Random, most_changes: int = 14) -> str:
    """A book with some random single values, powers of single cards among them."""
    while True:
        code = chance.choice(BOOKS)
        plain = [name for name in KEYS if not name.startswith(("power.", "points.", "closing.", *TABLE_KEYS))]
        powers = [name for name in KEYS if name.startswith("power.")]
        other = [name for name in KEYS if name.startswith(("points.", "closing."))]
        count = chance.randint(1, most_changes)
        names = set(chance.sample(plain, min(count, len(plain))))
        names |= set(chance.sample(powers, chance.randint(0, 5))) | set(chance.sample(other, 2))
        changes = [f"{name}={random_value(chance, KEYS[name])}" for name in sorted(names)]
        for _ in range(chance.choice((0, 0, 1, 2))):
            card = chance.choice(RANKS[5:]) + chance.choice(SUITS)
            power = chance.choice(("draw", "skip", "wish", "reverse", "others"))
            changes.append(f"power.{card}.{power}={random_value(chance, KEYS[f'power.A.{power}'])}")
        code = "+".join((code, *dict.fromkeys(changes)))
        try:
            Ruleset.parse(code)
        except RuleError:
            continue
        return code


def random_seats(chance: random.Random, rules: Ruleset) -> int:
    """A number of seats that the rules allow."""
    sizes = []
    for seats in range(2, 9):
        try:
            rules.at(seats)
        except RuleError:
            continue
        sizes.append(seats)
    return chance.choice(sizes)


def random_position(chance: random.Random, values: Values, seats: int) -> dict[str, Any]:
    """A position in the middle of a round, with few cards in hands or few in the piles, all cards named."""
    cards = pack(values)
    chance.shuffle(cards)
    top = cards.pop()
    sizes = [chance.choice((1, 1, 2, 2, 3, 5)) for _ in range(seats)]
    hands = [[cards.pop() for _ in range(size)] for size in sizes if len(cards) > size]
    if chance.random() < 0.6:  # few cards in the piles: the rest is in the hands
        piles = chance.choice((0, 0, 0, 1, 2, 4, 8))
        seat = chance.randrange(seats)
        while len(cards) > piles:
            hands[seat % seats].append(cards.pop())
            seat += chance.choice((1, 1, 2))
    stock_n = chance.choice((0, 0, 1, 2, len(cards), len(cards)))
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
    return position


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
    elif values["start.acts"] and values["start.wish"] != "dealer" and not position["discard"]:
        position["free"] = True


def only_jacks_after_a_free_starter(chance: random.Random) -> dict[str, Any]:
    """The rare case of the books: a starter Jack, nothing but Jacks in hand, and a Jack drawn."""
    jacks = ["Jc", "Jd", "Jh", "Js"]
    chance.shuffle(jacks)
    return {
        "top": jacks[0],
        "hands": [jacks[1 : chance.randint(2, 3)], 5, 5],
        "stock": [jacks[3]],
        "free": True,
    }


def random_text(chance: random.Random, game: LiteralRound) -> str:
    """An action text that may well be illegal here: any card, wish, call, amount or shout."""
    seats = len(game.hands)
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


def random_choice(chance: random.Random, game: LiteralRound, eager: float) -> str:
    """A legal action or shout; `eager` is how often a play is preferred to drawing and passing."""
    shouts = game.shouts()
    if shouts and chance.random() < 0.4:
        return chance.choice(sorted(text for texts in shouts.values() for text in texts))
    legal = sorted(game.legal())
    plays = [text for text in legal if text[0] not in "+-="]
    if plays and (chance.random() < eager or len(plays) == len(legal)):
        text = chance.choice(plays)
        return text + "!" if text in game.call_due() and chance.random() < 0.5 else text
    return chance.choice([text for text in legal if text not in plays])
