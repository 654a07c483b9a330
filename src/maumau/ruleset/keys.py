"""Everything a table can agree on: flat keys with typed values.

A plain key has one fixed name (``draw.when``). A family of keys has a name for each rank, for some also for each card and
for the joker (``power.7.draw``, ``power.Kh.draw``, ``points.J``, ``closing.J``).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from maumau.cards import CARDS, RANK_LETTERS, Card
from maumau.ruleset.errors import RuleError

Value = bool | int | str
"""A value of a key: yes or no, a number, or a word."""

WORTH_A_CATCH: Final = ("call.mau", "call.false_catch", "call.needed")
"""Where none of these is set, a catch comes to nothing once it is too late to call, so that nobody is caught any more."""
SKIP_ALL: Final = "all"
NO_RANKS: Final = "none"
ANY_POWER: Final = "power"
ANY_RANK: Final = "any"
JOKER_NAME: Final = "joker"
RESHUFFLES: Final = 250
"""So often the stock is renewed where a table says nothing: no round that gets anywhere needs a tenth of it, and one that
gets nowhere ends."""


@dataclass(frozen=True, slots=True)
class Key:
    """What a key may hold.

    ``kind`` is bool, int, word, either (a number or one of the words) or ranks (letters or one of the words). ``default`` is
    what holds where a rule book does not say.
    """

    kind: str
    least: int = 0
    most: int = 0
    words: tuple[str, ...] = ()
    default: Value | None = None

    @property
    def allowed(self) -> str:
        """The allowed values in words, as errors show them."""
        if self.kind == "bool":
            return "yes or no"
        if self.kind == "int":
            return f"{self.least} to {self.most}"
        if self.kind == "either":
            return f"{self.least} to {self.most}, or {', '.join(self.words)}"
        if self.kind == "ranks":
            return f"rank letters such as J or A8, or {', '.join(self.words)}"
        return ", ".join(self.words)

    def parse(self, name: str, text: str) -> Value:
        """Read a value for the key called ``name``; raises RuleError ``bad-value`` that says what is allowed."""
        value = self._read(text)
        if value is None:
            raise RuleError("bad-value", key=name, value=text, allowed=self.allowed)
        return value

    def _read(self, text: str) -> Value | None:
        if self.kind == "bool":
            return {"yes": True, "true": True, "no": False, "false": False}.get(text.lower())
        if text in self.words:
            return text
        if self.kind in ("int", "either"):
            number = int(text) if text.isascii() and text.isdigit() and len(text) < 6 else -1
            return number if self.least <= number <= self.most else None
        return _read_ranks(text) if self.kind == "ranks" else None

    def check(self, name: str, value: Value) -> Value:
        """The value if this key may hold it; raises RuleError ``bad-value`` otherwise."""
        return self.parse(name, format_value(value))


def _read_ranks(text: str) -> str | None:
    letters = text.upper()
    known = bool(letters) and len(set(letters)) == len(letters) and all(letter in RANK_LETTERS for letter in letters)
    return "".join(sorted(letters, key=RANK_LETTERS.index)) if known else None


def format_value(value: Value) -> str:
    """A value as it stands in a rule code."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    return str(value)


def _whole(least: int, most: int, default: int | None = None) -> Key:
    return Key("int", least, most, default=default)


def _word(*words: str, default: str | None = None) -> Key:
    return Key("word", words=words, default=default)


def _yes_no(default: bool | None = None) -> Key:
    return Key("bool", default=default)


PLAIN_KEYS: Final[Mapping[str, Key]] = {
    "players.min": _whole(2, 8),
    "players.max": _whole(2, 8),
    "pack.cards": _word("32", "36", "52"),
    "pack.full_from": _whole(0, 8),
    "pack.packs": _whole(1, 2),
    "pack.double_from": _whole(0, 8),
    "pack.jokers": _whole(0, 2),
    "deal.cards": _whole(1, 10),
    "deal.two": _whole(0, 10, 0),
    "deal.next": _word("winner", "left"),
    "start.rank": _word(ANY_RANK, *RANK_LETTERS),
    "start.acts": _yes_no(),
    "start.answer": _yes_no(True),
    "start.wish": _word("free", "free-plain", "dealer"),
    "start.free_for": _word("played", "turn", default="played"),
    "start.redraw": _word("none", "wish", "power", default="none"),
    "draw.when": _word("any", "stuck"),
    "draw.most": Key("either", 1, 9, ("fits",), default=1),
    "draw.then": _word("any", "drawn", "none"),
    "draw.forced": _yes_no(False),
    "draw.pass": _yes_no(False),
    "draw.reshuffles": _whole(0, RESHUFFLES, RESHUFFLES),
    "wish.on_wish": _yes_no(),
    "wish.suited_on_wish": _yes_no(False),
    "wish.fits": _word("any", "match", default="any"),
    "wish.suits": _word("any", "other", default="any"),
    "wish.lasts": _word("served", "turn", default="served"),
    "penalty.answer": _word("none", "same", "fitting", "any"),
    "penalty.grows": _word("add", "double", default="add"),
    "penalty.cap": _whole(0, 8),
    "penalty.then": _word("end", "play", "turn", default="end"),
    "skip.answer": _word("none", "same", default="none"),
    "skip.adds": _yes_no(False),
    "reverse.two": _word("skip", "none"),
    "play.equal": _yes_no(False),
    "play.on_special": _yes_no(True),
    "play.throw_in": _yes_no(False),
    "call.mode": _word("automatic", "spoken"),
    "call.word": _word("mau", "last-card", "knock", "tschau-sepp", "olsen", default="mau"),
    "call.window": _word("next-begins", "next-ends", "own-begins"),
    "call.mau": _whole(0, 5),
    "call.needed": _yes_no(),
    "call.maumau": _whole(0, 5),
    "call.false": _whole(0, 5, 0),
    "call.false_catch": _whole(0, 5, 0),
    "call.to_finish": _yes_no(False),
    "end.forbidden": Key("ranks", words=(NO_RANKS, ANY_POWER)),
    "end.final_draw": _yes_no(),
    "end.final_back": _yes_no(False),
    "end.play_on": _yes_no(),
    "end.blocked": _word("own", "nothing", "fewest", default="own"),
    "score.count": _word("cards", "rounds", "none"),
    "score.to": _word("losers", "winner", default="losers"),
    "score.closing_each": _yes_no(False),
    "match.target": _whole(0, 9999),
    "match.ends": _word("reach", "pass"),
    "match.rounds": _whole(0, 99, 0),
    "match.elimination": _yes_no(False),
    "match.tie": _word("all", "tied"),
}
"""Keys with one fixed name; a rule book gives each a value, or leaves it at its default."""

POWERS: Final[Mapping[str, Key]] = {
    "draw": Key("int", 0, 10, default=0),
    "skip": Key("either", 0, 7, (SKIP_ALL,), default=0),
    "wish": Key("bool", default=False),
    "reverse": Key("bool", default=False),
    "others": Key("int", 0, 1, default=0),
    "back": Key("int", 0, 5, default=0),
    "again": Key("word", words=("no", "may", "must"), default="no"),
    "pass_on": Key("bool", default=False),
    "cancel": Key("bool", default=False),
}
"""What a card can do, for ``power.<rank, card or joker>.<power>``."""

POINTS: Final = Key("int", 0, 50, default=0)
CLOSING: Final = Key("int", 1, 4, default=1)
FINE: Final = Key("int", 0, 50, default=0)
_BY_RANK: Final[Mapping[str, Key]] = {"points": POINTS, "closing": CLOSING, "fine": FINE}
"""Families with one key for each rank and the joker."""


@lru_cache(maxsize=4096)
def key_for(name: str) -> Key | None:
    """The key called ``name``, or None where nothing is called so."""
    plain = PLAIN_KEYS.get(name)
    if plain is not None:
        return plain
    parts = name.split(".")
    if len(parts) == 3 and parts[0] == "power" and _names_cards(parts[1]):
        return POWERS.get(parts[2])
    if len(parts) == 2 and (parts[1] == JOKER_NAME or (len(parts[1]) == 1 and parts[1] in RANK_LETTERS)):
        return _BY_RANK.get(parts[0])
    return None


def _names_cards(text: str) -> bool:
    return text == JOKER_NAME or (len(text) == 1 and text in RANK_LETTERS) or text in _CARD_TEXTS


_CARD_TEXTS: Final = {str(card) for card in CARDS if not card.is_joker}


def all_keys() -> Iterator[tuple[str, Key]]:
    """Every key by name, those of a family once for each rank and the joker (cards left out: there are 52 of them)."""
    yield from PLAIN_KEYS.items()
    names = (*RANK_LETTERS, JOKER_NAME)
    yield from ((f"power.{name}.{power}", key) for name in names for power, key in POWERS.items())
    yield from ((f"{family}.{name}", key) for family, key in _BY_RANK.items() for name in names)


def powers_of(values: Mapping[str, Value], card: Card) -> dict[str, Value]:
    """What ``card`` can do: its own powers where named, else those of its rank; powers it lacks are left out."""
    found: dict[str, Value] = {}
    for power, own, general, default in _POWER_NAMES[card]:
        value = values.get(own, values.get(general, default))
        if value is not None and value != default:
            found[power] = value
    return found


def _power_names(card: Card) -> tuple[tuple[str, str, str, Value | None], ...]:
    rank = JOKER_NAME if card.rank is None else card.rank.letter
    return tuple(
        (power, f"power.{card}.{power}", f"power.{rank}.{power}", key.default) for power, key in POWERS.items()
    )


_POWER_NAMES: Final = {card: _power_names(card) for card in CARDS}
"""For each card its powers: each with the keys that name it for the card and for its rank, and with its default."""
