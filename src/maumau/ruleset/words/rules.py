"""What a single value says, what a card does, and a table's rules in a few chips."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Final

from maumau.cards import RANK_LETTERS
from maumau.ruleset.keys import ANY_RANK, JOKER_NAME, NO_RANKS, POWERS, SKIP_ALL, Value, key_for
from maumau.ruleset.words.catalogue import say
from maumau.ruleset.words.kinds import RulesLike
from maumau.ruleset.words.names import join, rank_name, thing_slots

_POWER_ORDER: Final = ("draw", "skip", "others", "reverse")
"""The powers as the clauses of one sentence name them; a wish has a sentence of its own."""


def rule_sentence(lang: str, rules: RulesLike, key: str) -> str:
    """What the value of ``key`` means, as one or two plain sentences. Raises KeyError for an unknown key."""
    special = _SPECIAL.get(key)
    if special is not None:
        return special(lang, rules)
    family, _, rest = key.partition(".")
    if family == "power":
        thing, _, power = rest.partition(".")
        return _power_value(lang, rules, thing, power)
    if family == "points":
        return say(lang, "rule.points.some", n=int(rules[key]), **thing_slots(lang, rest))
    if family == "closing":
        return say(lang, f"rule.closing.{rules[key]}", **thing_slots(lang, rest))
    return _plain_value(lang, key, rules[key])


def _plain_value(lang: str, key: str, value: Value) -> str:
    if isinstance(value, bool):
        return say(lang, f"rule.{key}.{'yes' if value else 'no'}")
    known = key_for(key)
    if known is not None and known.kind == "int" and key not in _NUMBERED_TEXTS:
        if key in _ALWAYS_SOME:
            return say(lang, f"rule.{key}", n=value)
        return say(lang, f"rule.{key}.none") if value == 0 else say(lang, f"rule.{key}.some", n=value)
    return say(lang, f"rule.{key}.{value}")


_NUMBERED_TEXTS: Final = ("pack.packs",)
"""Numbers with a text for each value."""
_ALWAYS_SOME: Final = ("players.min", "players.max", "deal.cards")
"""Numbers that are never zero."""


def players_sentence(lang: str, rules: RulesLike) -> str:
    """How many may play."""
    least, most = int(rules["players.min"]), int(rules["players.max"])
    if least == most:
        return say(lang, "rule.players.exact", n=least)
    return say(lang, "rule.players.range", least=least, most=most)


# --- what cards do ---------------------------------------------------------------------------------------------------


def things_with(rules: RulesLike, power: str) -> tuple[str, ...]:
    """The ranks, cards and joker that have a power, as the rules name them, in order of rank."""
    values = rules.values
    named = {
        key.split(".")[1]
        for key, value in values.items()
        if key.startswith("power.") and key.endswith(f".{power}") and value
    }
    return tuple(sorted(named, key=_order))


def special_things(values: Mapping[str, Value]) -> tuple[str, ...]:
    """Everything whose power the values name, in order of rank."""
    return tuple(
        sorted(
            {key.split(".")[1] for key, value in values.items() if key.startswith("power.") and _named(key, value)},
            key=_order,
        )
    )


def _named(key: str, value: Value) -> bool:
    return bool(value) or len(key.split(".")[1]) == 2


def _order(thing: str) -> tuple[int, str]:
    return (len(RANK_LETTERS), thing) if thing == JOKER_NAME else (RANK_LETTERS.index(thing[0]), thing)


def powers_sentence(lang: str, values: Mapping[str, Value], thing: str) -> str:
    """All that one rank, card or joker does, in natural order; one card also says which power of its rank it lacks."""
    said = [say(lang, "power.wish", **thing_slots(lang, thing))] if values.get(f"power.{thing}.wish") else []
    named = {power: values[f"power.{thing}.{power}"] for power in _POWER_ORDER if values.get(f"power.{thing}.{power}")}
    if named:
        said.append(_acts(lang, thing, named))
    lacking = [
        power
        for power in POWERS
        if len(thing) == 2 and f"power.{thing}.{power}" in values and not values[f"power.{thing}.{power}"]
    ]
    said += [say(lang, f"power.none.{power}", **thing_slots(lang, thing)) for power in lacking]
    return " ".join(said)


def _acts(lang: str, thing: str, powers: Mapping[str, Value]) -> str:
    clauses = [_clause(lang, power, value) for power, value in powers.items()]
    opening = "power.on" if "draw" in powers or "others" in powers else "power.after"
    return say(lang, opening, clauses=join(lang, clauses), **thing_slots(lang, thing))


def _clause(lang: str, power: str, value: Value) -> str:
    if power == "skip" and value == SKIP_ALL:
        return say(lang, "power.clause.skip_all")
    return say(lang, f"power.clause.{power}", n=value)


def _power_value(lang: str, rules: RulesLike, thing: str, power: str) -> str:
    value = rules[f"power.{thing}.{power}"]
    if not value:
        return say(lang, f"power.none.{power}", **thing_slots(lang, thing))
    if power == "wish":
        return say(lang, "power.wish", **thing_slots(lang, thing))
    return _acts(lang, thing, {power: value})


def _some(lang: str, rules: RulesLike, power: str, generic: str) -> str:
    """“a Jack or a joker”: the cards that have a power, in the nominative; ``generic`` where there are none."""
    things = things_with(rules, power)
    return join(lang, [thing_slots(lang, thing)["a"] for thing in things], "or") or say(lang, f"generic.{generic}")


# --- values whose sentence names cards -------------------------------------------------------------------------------


def _start_rank(lang: str, rules: RulesLike) -> str:
    rank = str(rules["start.rank"])
    if rank == ANY_RANK:
        return say(lang, "rule.start.rank.any")
    return say(lang, "rule.start.rank.some", **thing_slots(lang, rank))


def _start_wish(lang: str, rules: RulesLike) -> str:
    return say(lang, f"rule.start.wish.{rules['start.wish']}", wishing=_some(lang, rules, "wish", "wishing"))


def _on_wish(lang: str, rules: RulesLike) -> str:
    key = f"rule.wish.on_wish.{'yes' if rules['wish.on_wish'] else 'no'}"
    return _for_the_one(lang, key, things_with(rules, "wish"))


def _answer(lang: str, rules: RulesLike) -> str:
    return _for_the_one(lang, f"rule.penalty.answer.{rules['penalty.answer']}", things_with(rules, "draw"))


def _for_the_one(lang: str, key: str, things: tuple[str, ...]) -> str:
    """The sentence about the only card of its sort, or the one about several."""
    return say(lang, key, **thing_slots(lang, things[0])) if len(things) == 1 else say(lang, f"{key}_many")


def _final_draw(lang: str, rules: RulesLike) -> str:
    key = f"rule.end.final_draw.{'yes' if rules['end.final_draw'] else 'no'}"
    return say(lang, key, drawing=_some(lang, rules, "draw", "drawing"))


def _target(lang: str, rules: RulesLike) -> str:
    target = int(rules["match.target"])
    return (
        say(lang, "rule.match.idle", n=target)
        if target and rules["score.count"] == "none"
        else match_sentence(lang, rules)
    )


def _forbidden(lang: str, rules: RulesLike) -> str:
    ranks = str(rules["end.forbidden"])
    if ranks == NO_RANKS:
        return say(lang, "rule.end.forbidden.none")
    return say(lang, "rule.end.forbidden.some", ranks=join(lang, [rank_name(lang, rank, "a") for rank in ranks], "or"))


def match_sentence(lang: str, rules: RulesLike) -> str:
    """How far a match goes and who wins it."""
    target = int(rules["match.target"])
    if target == 0:
        return say(lang, "rule.match.open")
    return say(lang, f"rule.match.{rules['score.count']}_{rules['match.ends']}", n=target)


_SPECIAL: Final[Mapping[str, Callable[[str, RulesLike], str]]] = {
    "start.rank": _start_rank,
    "start.wish": _start_wish,
    "wish.on_wish": _on_wish,
    "penalty.answer": _answer,
    "end.final_draw": _final_draw,
    "end.forbidden": _forbidden,
    "match.target": _target,
}

# --- points ----------------------------------------------------------------------------------------------------------


def ranks_in_pack(rules: RulesLike) -> str:
    """The rank letters that can be on the table: twos to sixes only where the pack may be full."""
    full = str(rules["pack.cards"]) == "52" or (rules.seats is None and int(rules["pack.full_from"]) > 0)
    return RANK_LETTERS if full else RANK_LETTERS[RANK_LETTERS.index("7") :]


def points_table(lang: str, rules: RulesLike) -> tuple[str, tuple[str, ...]]:
    """What cards left in hand count, and the keys that say so; numbers that count their face value are put together."""
    ranks = ranks_in_pack(rules)
    keys = [f"points.{rank}" for rank in ranks] + (["points.joker"] if rules["pack.jokers"] else [])
    numerals = [rank for rank in ranks if RANK_LETTERS.index(rank) < RANK_LETTERS.index("J")]
    plain = all(rules[f"points.{rank}"] == RANK_LETTERS.index(rank) + 2 for rank in numerals)
    single = [key.split(".")[1] for key in keys if not (plain and key.split(".")[1] in numerals)]
    items = [
        say(lang, "rule.points.item", rank=rank_name(lang, name), n=int(rules[f"points.{name}"]))
        for name in _high_first(single)
    ]
    if plain:
        lowest, highest = (rank_name(lang, rank, "short") for rank in (numerals[0], numerals[-1]))
        items.append(say(lang, "rule.points.face", lowest=lowest, highest=highest))
    return say(lang, "rule.points.table", items=join(lang, items)), tuple(keys)


def _high_first(names: Iterable[str]) -> list[str]:
    return sorted(names, key=_order, reverse=True)


# --- chips -----------------------------------------------------------------------------------------------------------


def chips(lang: str, rules: RulesLike) -> tuple[str, ...]:
    """A table's rules in a few words each, for one line: “32 cards”, “7→+2 stacks”, “J wishes, not on J”."""
    return tuple(
        chip
        for make in (_pack_chips, _draw_chips, _power_chips, _call_chips, _end_chips, _score_chips)
        for chip in make(lang, rules)
    )


def _pack_chips(lang: str, rules: RulesLike) -> list[str]:
    found = [say(lang, "chip.cards", n=int(rules["pack.cards"]))]
    if int(rules["pack.packs"]) > 1:
        found.append(say(lang, "chip.packs", n=int(rules["pack.packs"])))
    if rules["pack.jokers"]:
        found.append(say(lang, "chip.jokers", n=int(rules["pack.jokers"])))
    found.append(say(lang, "chip.deal", n=int(rules["deal.cards"])))
    start = str(rules["start.rank"])
    return found if start == ANY_RANK else [*found, say(lang, "chip.start", rank=rank_name(lang, start, "short"))]


def _draw_chips(lang: str, rules: RulesLike) -> list[str]:
    found = [say(lang, f"chip.draw_{rules['draw.when']}")]
    return [*found, say(lang, "chip.then_any")] if rules["draw.then"] == "any" else found


def _power_chips(lang: str, rules: RulesLike) -> list[str]:
    return [chip for thing in special_things(rules.values) if (chip := _power_chip(lang, rules, thing))]


def _power_chip(lang: str, rules: RulesLike, thing: str) -> str:
    clauses = [text for power in (*_POWER_ORDER, "wish") if (text := _chip_clause(lang, rules, thing, power))]
    if not clauses:
        return ""
    joined = clauses[0]
    for clause in clauses[1:]:
        joined = say(lang, "chip.join", first=joined, last=clause)
    return say(lang, "chip.power", rank=_short(lang, thing), clauses=joined)


def _short(lang: str, thing: str) -> str:
    from maumau.ruleset.words.names import card_label

    return card_label(lang, thing) if len(thing) == 2 else rank_name(lang, thing, "short")


def _chip_clause(lang: str, rules: RulesLike, thing: str, power: str) -> str:
    value = rules[f"power.{thing}.{power}"]
    if not value:
        return ""
    if power == "draw":
        return say(lang, "chip.draw", n=value) + _stacking(lang, rules)
    if power == "skip" and value != 1:
        return say(lang, "chip.skip_all") if value == SKIP_ALL else say(lang, "chip.skip_more", n=value)
    barred = power == "wish" and not rules["wish.on_wish"]
    return say(lang, f"chip.{power}", n=value) + (
        say(lang, "chip.not_on_wish", rank=_short(lang, thing)) if barred else ""
    )


def _stacking(lang: str, rules: RulesLike) -> str:
    if rules["penalty.answer"] == "none":
        return ""
    cap = int(rules["penalty.cap"])
    return say(lang, "chip.capped", n=cap) if cap else say(lang, "chip.stacks")


def _call_chips(lang: str, rules: RulesLike) -> list[str]:
    if rules["call.mode"] == "automatic":
        return [say(lang, "chip.mau_automatic")]
    cost = int(rules["call.mau"])
    found = [say(lang, "chip.mau", n=cost) if cost else say(lang, "chip.mau_free")]
    return [*found, say(lang, "chip.maumau")] if rules["call.needed"] else found


def _end_chips(lang: str, rules: RulesLike) -> list[str]:
    found = []
    if rules["end.forbidden"] != NO_RANKS:
        ranks = join(lang, [rank_name(lang, rank, "short") for rank in str(rules["end.forbidden"])])
        found.append(say(lang, "chip.forbidden", ranks=ranks))
    if rules["end.final_draw"]:
        found += [say(lang, "chip.final_draw", rank=_short(lang, thing)) for thing in things_with(rules, "draw")]
    return [*found, say(lang, "chip.play_on")] if rules["end.play_on"] else found


def _score_chips(lang: str, rules: RulesLike) -> list[str]:
    count, target = str(rules["score.count"]), int(rules["match.target"])
    if count == "none":
        return [say(lang, "chip.casual")]
    found = [
        say(lang, "chip.closing", rank=_short(lang, name), n=int(rules[f"closing.{name}"]))
        for name in (*RANK_LETTERS, JOKER_NAME)
        if count == "cards" and rules[f"closing.{name}"] != 1
    ]
    return [*found, say(lang, f"chip.target_{count}", n=target) if target else say(lang, f"chip.open_{count}")]
