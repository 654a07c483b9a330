"""Values that no table could mean together, however they came about."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final, NamedTuple

from maumau.cards import CARDS
from maumau.ruleset.errors import RuleError
from maumau.ruleset.keys import JOKER_NAME, NO_RANKS, SKIP_ALL, Value, format_value, powers_of

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
    _Clash("match.elimination", _on, "match.target", _none),
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


def refuse_single_values(values: Values) -> None:
    """Raise RuleError ``contradiction`` for two values that cannot stand together, ``needs`` for one that lacks another."""
    least, most = int(values["players.min"]), int(values["players.max"])
    if least > most:
        raise RuleError("contradiction", first=f"players.min={least}", second=f"players.max={most}", instead=None)
    for clash in _CLASHES:
        if clash.is_set(values[clash.first]) and clash.forbids(values[clash.second]):
            _refuse(values, clash.first, clash.second, clash.instead)
    for name, value in values.items():
        for power, is_set, second, forbids, instead in _POWER_CLASHES:
            if name.startswith("power.") and name.endswith(f".{power}") and is_set(value) and forbids(values[second]):
                _refuse(values, name, second, instead)
    _refuse_passing_that_draws(values)
    _refuse_missing_ranks(values)


def _refuse_passing_that_draws(values: Values) -> None:
    """A card passes a penalty on unchanged, or draws and adds to it."""
    for card in CARDS:
        own = powers_of(values, card)
        if "pass_on" in own and "draw" in own:
            names = [str(card), JOKER_NAME if card.rank is None else card.rank.letter]
            first, second = (
                next(key for key in (f"power.{name}.{power}" for name in names) if key in values)
                for power in ("pass_on", "draw")
            )
            _refuse(values, first, second, None)


def _refuse(values: Values, first: str, second: str, instead: str | None) -> None:
    texts = (f"{key}={format_value(values[key])}" for key in (first, second))
    raise RuleError("contradiction", first=next(texts), second=next(texts), instead=instead)


def _refuse_missing_ranks(values: Values) -> None:
    start, cards = str(values["start.rank"]), str(values["pack.cards"])
    missing = {"32": "23456", "36": "2345"}.get(cards, "")
    if start in missing:
        raise RuleError(
            "needs", first=f"start.rank={start}", needs="pack.cards", value="52", book=None, instead="52-cards"
        )
    redrawn = values["start.redraw"]
    if redrawn == "power" and start != "any" and _has_power(values, start):
        raise RuleError(
            "contradiction", first=f"start.rank={start}", second="start.redraw=power", instead="start.redraw=none"
        )
    if redrawn == "wish" and start != "any" and values.get(f"power.{start}.wish"):
        raise RuleError(
            "contradiction", first=f"start.rank={start}", second="start.redraw=wish", instead="start.redraw=none"
        )


def _has_power(values: Values, rank: str) -> bool:
    return any(
        name.startswith(f"power.{rank}.") and value not in (False, 0, "no", NO_RANKS) for name, value in values.items()
    )


def refuse_without_packs(values: Values) -> None:
    """Raise RuleError ``needs`` where identical cards are to be thrown in but there is one pack only."""
    if values["play.throw_in"] and values["pack.packs"] == 1:
        raise RuleError("needs", first="play.throw_in=yes", needs="pack.packs", value=2, book=None, instead="two-packs")
