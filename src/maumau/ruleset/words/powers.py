"""What a rank, a single card or the joker does, as sentences."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from maumau.cards import RANK_LETTERS
from maumau.ruleset import keys
from maumau.ruleset.keys import Value
from maumau.ruleset.words.catalogue import say
from maumau.ruleset.words.kinds import RulesLike
from maumau.ruleset.words.names import join, thing_slots

ACTING: Final = ("draw", "skip", "others", "back", "reverse", "again")
"""The powers as the clauses of one sentence name them."""
OWN_SENTENCE: Final = ("wish", "pass_on", "cancel")
"""Powers with a sentence of their own; the wish comes first."""


def things_with(rules: RulesLike, power: str) -> tuple[str, ...]:
    """The ranks, cards and joker that have a power, as the rules name them, in order of rank."""
    values = rules.values
    named = {
        key.split(".")[1]
        for key, value in values.items()
        if key.startswith("power.") and key.endswith(f".{power}") and does(power, value)
    }
    return tuple(sorted(named, key=rank_order))


def special_things(values: Mapping[str, Value]) -> tuple[str, ...]:
    """Everything whose power the values name, in order of rank."""
    return tuple(
        sorted(
            {key.split(".")[1] for key, value in values.items() if key.startswith("power.") and _named(key, value)},
            key=rank_order,
        )
    )


def _named(key: str, value: Value) -> bool:
    _, thing, power = key.split(".")
    return does(power, value) or len(thing) == 2


def does(power: str, value: Value | None) -> bool:
    """Whether the value gives a card the power."""
    return value is not None and value != keys.POWERS[power].default


def rank_order(thing: str) -> tuple[int, str]:
    """Where a rank, card or joker stands when sorted by rank; the joker comes last."""
    return (len(RANK_LETTERS), thing) if thing == keys.JOKER_NAME else (RANK_LETTERS.index(thing[0]), thing)


def powers_sentence(lang: str, values: Mapping[str, Value], thing: str) -> str:
    """All that one rank, card or joker does, in natural order; one card also says which power of its rank it lacks."""
    own = {power: value for power in keys.POWERS if (value := values.get(f"power.{thing}.{power}")) is not None}
    said = [_own_sentence(lang, values, thing, power) for power in ("wish",) if does(power, own.get(power))]
    named = {power: own[power] for power in ACTING if does(power, own.get(power))}
    if named:
        said.append(_acts(lang, values, thing, named))
    said += [_own_sentence(lang, values, thing, power) for power in OWN_SENTENCE[1:] if does(power, own.get(power))]
    lacking = [power for power, value in own.items() if len(thing) == 2 and not does(power, value)]
    said += [say(lang, f"power.none.{power}", **thing_slots(lang, thing)) for power in lacking]
    return " ".join(said)


def _own_sentence(lang: str, values: Mapping[str, Value], thing: str, power: str) -> str:
    matching = power == "wish" and thing != keys.JOKER_NAME and values.get("wish.fits") == "match"
    return say(lang, "power.wish_match" if matching else f"power.{power}", **thing_slots(lang, thing))


def _acts(lang: str, values: Mapping[str, Value], thing: str, powers: Mapping[str, Value]) -> str:
    besides = "again" in powers and len(powers) > 1
    first = [power for power in powers if not (besides and power == "again")]
    clauses = [_clause(lang, values, power, powers[power]) for power in first]
    opening = "power.on" if powers.keys() & {"draw", "others", "back"} else "power.after"
    text = say(lang, opening, clauses=join(lang, clauses), **thing_slots(lang, thing))
    return f"{text} {say(lang, 'power.besides.again_' + str(powers['again']))}" if besides else text


def _clause(lang: str, values: Mapping[str, Value], power: str, value: Value) -> str:
    if isinstance(value, str):
        return say(lang, f"power.clause.{power}_{value}")
    if power == "draw" and values.get("penalty.answer") != "none" and values.get("penalty.then", "end") != "end":
        return say(lang, "power.clause.draw_on", n=value)
    if power == "skip" and values.get("skip.answer") == "same":
        return say(lang, "power.clause.skip_turns", n=value)
    return say(lang, f"power.clause.{power}", n=value)


def power_sentence(lang: str, rules: RulesLike, thing: str, power: str) -> str:
    """What one power of a rank, card or joker does, or that it lacks it. Raises KeyError for an unknown power."""
    value = rules[f"power.{thing}.{power}"]
    if not does(power, value):
        return say(lang, f"power.none.{power}", **thing_slots(lang, thing))
    if power in OWN_SENTENCE:
        return _own_sentence(lang, rules.values, thing, power)
    return _acts(lang, rules.values, thing, {power: value})
