"""Values that no table could mean together, however they came about."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final, NamedTuple

from maumau.cards import CARDS
from maumau.ruleset.errors import RuleError
from maumau.ruleset.keys import JOKER_NAME, NO_RANKS, SKIP_ALL, Value, format_value, key_for, powers_of

Values = Mapping[str, Value]


class _Clash(NamedTuple):
    """A value that says nothing, or two things at once, beside another: each by its key and what it is then."""

    first: str
    is_set: Callable[[Value], bool]
    second: str
    forbids: Callable[[Value], bool]
    instead: str | None = None


def _on(value: Value) -> bool:
    return value is True


def _some(value: Value) -> bool:
    return not isinstance(value, bool) and value != 0


def _none(value: Value) -> bool:
    return value == 0 and not isinstance(value, bool)


def _is(word: str) -> Callable[[Value], bool]:
    return lambda value: value == word


def _is_not(word: str) -> Callable[[Value], bool]:
    return lambda value: value != word


_CLASHES: Final = (
    _Clash("skip.adds", _on, "skip.answer", _is("none"), "skip.answer=same"),
    _Clash("penalty.grows", _is("double"), "penalty.answer", _is("none"), "penalty.answer=same"),
    _Clash("penalty.then", _is_not("end"), "penalty.answer", _is("none"), "penalty.answer=same"),
    _Clash("end.final_back", _on, "penalty.answer", _is("none"), "penalty.answer=same"),
    _Clash("end.final_back", _on, "end.play_on", _on),
    _Clash("call.to_finish", _on, "call.mode", _is("automatic"), "call.mode=spoken"),
    _Clash("call.false", _some, "call.mode", _is("automatic"), "call.mode=spoken"),
    _Clash("call.false_catch", _some, "call.mode", _is("automatic"), "call.mode=spoken"),
    _Clash("draw.forced", _on, "draw.then", _is("none"), "draw.then=drawn"),
    _Clash("draw.most", _is("fits"), "draw.then", _is("none"), "draw.then=drawn"),
    _Clash("score.to", _is("winner"), "score.count", _is_not("cards"), "score.count=cards"),
    _Clash("score.closing_each", _on, "score.count", _is_not("cards"), "score.count=cards"),
    _Clash("match.rounds", _some, "score.count", _is("none"), "score.count=rounds"),
    _Clash("match.rounds", _some, "match.elimination", _on),
    _Clash("match.elimination", _on, "match.target", _none, "match.target=100"),
    _Clash("match.elimination", _on, "score.to", _is("winner"), "score.to=losers"),
    _Clash("match.elimination", _on, "score.count", _is_not("cards"), "score.count=cards"),
    _Clash("match.elimination", _on, "match.tie", _is("tied"), "match.tie=all"),
)

_POWER_CLASHES: Final = (
    ("skip", _is(SKIP_ALL), "skip.answer", _is("same"), "skip.answer=none"),
    ("pass_on", _on, "penalty.answer", _is("none"), "penalty.answer=same"),
    ("cancel", _on, "penalty.answer", _is("none"), "penalty.answer=same"),
)
"""The same for what any card can do."""


class _Said(NamedTuple):
    """All values, which part of the code set a key, and the book that set the others."""

    values: Values
    by: Mapping[str, str]
    book: str

    def text(self, key: str) -> str:
        """A value as it was written in the code; one that only the book sets by its key."""
        return self.by.get(key, f"{key}={format_value(self.values[key])}")


def refuse_single_values(values: Values, by: Mapping[str, str], book: str) -> None:
    """Raise RuleError ``contradiction`` for two values that cannot stand together, ``needs`` for one that lacks another.

    ``by`` names for each key that the code set the part that did, ``book`` is the rule book all others come from.
    """
    said = _Said(values, by, book)
    least, most = int(values["players.min"]), int(values["players.max"])
    if least > most:
        _refuse(said, "players.min", "players.max", f"players.max={least}", f"players.min={most}")
    for clash in _CLASHES:
        if clash.is_set(values[clash.first]) and clash.forbids(values[clash.second]):
            off = f"{clash.first}={format_value(_unset(clash.first, clash.is_set))}"
            _refuse(said, clash.first, clash.second, clash.instead, off)
    for name, value in values.items():
        for power, is_set, second, forbids, instead in _POWER_CLASHES:
            if name.startswith("power.") and name.endswith(f".{power}") and is_set(value) and forbids(values[second]):
                _refuse(said, name, second, instead, f"{name}={format_value(_unset(name, is_set))}")
    _refuse_playing_on_without_cards(said)
    _refuse_passing_that_draws(said)
    _refuse_missing_ranks(said)


def _unset(name: str, is_set: Callable[[Value], bool]) -> Value:
    """The least value of a key that does not contradict."""
    key = key_for(name)
    assert key is not None
    choices: tuple[Value, ...] = (False,) if key.kind == "bool" else (key.least, *key.words)
    return next(value for value in choices if not is_set(value) and (key.kind != "word" or value in key.words))


def _refuse_playing_on_without_cards(said: _Said) -> None:
    """Whoever is caught without the last call has not won and plays on, which takes cards."""
    if said.values["call.mode"] == "spoken" and said.values["call.needed"] and not said.values["call.maumau"]:
        _refuse(said, "call.needed", "call.maumau", "call.maumau=2", "call.needed=no")


def _refuse_passing_that_draws(said: _Said) -> None:
    """A card passes a penalty on unchanged, or draws and adds to it."""
    for card in CARDS:
        own = powers_of(said.values, card)
        if "pass_on" in own and "draw" in own:
            names = [str(card), JOKER_NAME if card.rank is None else card.rank.letter]
            first, second = (
                next(key for key in (f"power.{name}.{power}" for name in names) if key in said.values)
                for power in ("pass_on", "draw")
            )
            _refuse(said, first, second, f"{second}=0", f"{first}=no")


def _refuse(said: _Said, first: str, second: str, instead: str | None, off: str) -> None:
    """Raise the contradiction of two keys, the one that the code sets first.

    ``instead`` is what would let the first stand, ``off`` what would let the second. Where one of the two is only the
    book's, ``book`` says so, and what would work leaves alone what was written.
    """
    if first in said.by and second in said.by:
        shown = (said.text(first), said.text(second))
        raise RuleError("contradiction", first=shown[0], second=shown[1], instead=instead)
    if second in said.by:
        first, second, instead = second, first, off
    raise RuleError("contradiction", first=said.text(first), second=said.text(second), instead=instead, book=said.book)


def _refuse_missing_ranks(said: _Said) -> None:
    values = said.values
    start, cards = str(values["start.rank"]), str(values["pack.cards"])
    missing = {"32": "23456", "36": "2345"}.get(cards, "")
    if start in missing:
        raise RuleError(
            "needs", first=said.text("start.rank"), needs="pack.cards", value="52", book=None, instead="52-cards"
        )
    redrawn = values["start.redraw"]
    barred = {"power": _has_power(values, start), "wish": bool(values.get(f"power.{start}.wish"))}
    if start != "any" and barred.get(str(redrawn)):
        _refuse(said, "start.rank", "start.redraw", "start.redraw=none", "start.rank=any")


def _has_power(values: Values, rank: str) -> bool:
    return any(
        name.startswith(f"power.{rank}.") and value not in (False, 0, "no", NO_RANKS) for name, value in values.items()
    )


def refuse_without_packs(values: Values) -> None:
    """Raise RuleError ``needs`` where identical cards are to be thrown in but there is one pack only."""
    if values["play.throw_in"] and values["pack.packs"] == 1:
        raise RuleError("needs", first="play.throw_in=yes", needs="pack.packs", value=2, book=None, instead="two-packs")
