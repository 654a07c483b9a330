"""What a single value says."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Final

from maumau.cards import RANK_LETTERS
from maumau.ruleset import keys
from maumau.ruleset.keys import Value
from maumau.ruleset.words.catalogue import WORDS, say
from maumau.ruleset.words.kinds import RulesLike
from maumau.ruleset.words.names import join, rank_name, say_call, thing_slots
from maumau.ruleset.words.powers import power_sentence, rank_order, things_with


def rule_sentence(lang: str, rules: RulesLike, key: str) -> str:
    """What the value of ``key`` means, as one or two plain sentences. Raises KeyError for an unknown key."""
    special = _SPECIAL.get(key)
    if special is not None:
        return special(lang, rules)
    family, _, rest = key.partition(".")
    if family == "power":
        thing, _, power = rest.partition(".")
        return power_sentence(lang, rules, thing, power)
    if family == "points":
        return say(lang, "rule.points.some", n=int(rules[key]), **thing_slots(lang, rest))
    if family == "fine":
        number = int(rules[key])
        return say(lang, "rule.fine.some" if number else "rule.fine.none", n=number, **thing_slots(lang, rest))
    if family == "closing":
        return say(lang, f"rule.closing.{rules[key]}", **thing_slots(lang, rest))
    return _plain_value(lang, rules, key)


def _plain_value(lang: str, rules: RulesLike, key: str) -> str:
    value, word = rules[key], str(rules["call.word"])
    if isinstance(value, bool):
        return say_call(lang, word, f"rule.{key}.{'yes' if value else 'no'}")
    if isinstance(value, int) and key not in _NUMBERED_TEXTS:
        if key in _ALWAYS_SOME:
            return say(lang, f"rule.{key}", n=value)
        return say_call(lang, word, f"rule.{key}.{'some' if value else 'none'}", n=value)
    return say_call(lang, word, f"rule.{key}.{value}")


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


_IDLE_BESIDE: Final[Mapping[str, tuple[str, Value]]] = {
    "pack.full_from": ("pack.cards", "52"),
    "pack.double_from": ("pack.packs", 2),
    "match.target": ("score.count", "none"),
}


def idle_beside(rules: RulesLike, key: str) -> bool:
    """Whether a value goes without saying beside another: a full pack grows no further, nor do two, and no points need no target."""
    other, value = _IDLE_BESIDE.get(key, (key, None))
    return rules[key] == 0 and rules[other] == value


# --- values whose sentence names cards -------------------------------------------------------------------------------


def _some(lang: str, rules: RulesLike, power: str, generic: str, form: str = "a") -> str:
    """“a Jack or a joker”: the cards that have a power; ``generic`` where there are none."""
    things = things_with(rules, power)
    return join(lang, [thing_slots(lang, thing)[form] for thing in things], "or") or say(lang, f"generic.{generic}")


def _start_rank(lang: str, rules: RulesLike) -> str:
    rank = str(rules["start.rank"])
    if rank == keys.ANY_RANK:
        return say(lang, "rule.start.rank.any" if rules["start.redraw"] == "none" else "rule.start.rank.redraw")
    return say(lang, "rule.start.rank.some", **thing_slots(lang, rank))


def _start_wish(lang: str, rules: RulesLike) -> str:
    return say(lang, f"rule.start.wish.{rules['start.wish']}", wishing=_some(lang, rules, "wish", "wishing"))


def _on_wish(lang: str, rules: RulesLike) -> str:
    key = f"rule.wish.on_wish.{'yes' if rules['wish.on_wish'] else 'no'}"
    return _for_the_one(lang, key, things_with(rules, "wish"))


def _suited_on_wish(lang: str, rules: RulesLike) -> str:
    key = f"rule.wish.suited_on_wish.{'yes' if rules['wish.suited_on_wish'] else 'no'}"
    return _for_the_one(lang, key, things_with(rules, "wish"))


def _answer(lang: str, rules: RulesLike) -> str:
    how = str(rules["penalty.answer"])
    if how in ("fitting", "any"):
        text = say(lang, f"rule.penalty.answer.{how}")
    else:
        text = _for_the_one(lang, f"rule.penalty.answer.{how}", things_with(rules, "draw"))
    if how == "none" or things_with(rules, "pass_on") or things_with(rules, "cancel"):
        return text
    return f"{text} {say(lang, 'rule.penalty.answer.rest')}"


def _draw_when(lang: str, rules: RulesLike) -> str:
    more = rules["draw.when"] == "any" and rules["draw.most"] != 1
    return say(lang, "rule.draw.when.any_more" if more else f"rule.draw.when.{rules['draw.when']}")


def _draw_then(lang: str, rules: RulesLike) -> str:
    key = f"rule.draw.then.{rules['draw.then']}"
    if rules["draw.most"] != 1 and WORDS.has(f"{key}_more"):
        key += "_more"
    return say(lang, f"{key}_forced" if rules["draw.forced"] and WORDS.has(f"{key}_forced") else key)


def _final_back(lang: str, rules: RulesLike) -> str:
    key = f"rule.end.final_back.{'yes' if rules['end.final_back'] else 'no'}"
    return say(lang, key, drawing_acc=_some(lang, rules, "draw", "drawing", "a_acc"))


def _score_count(lang: str, rules: RulesLike) -> str:
    taken = rules["score.count"] == "cards" and rules["score.to"] == "winner"
    return say(lang, "rule.score.count.cards_winner" if taken else f"rule.score.count.{rules['score.count']}")


def _blocked(lang: str, rules: RulesLike) -> str:
    value, scored = str(rules["end.blocked"]), str(rules["score.count"])
    if scored == "cards":
        scored = f"cards_{rules['score.to']}"
    plain = value == "nothing" or scored == "cards_losers"
    return say(lang, f"rule.end.blocked.{value}" if plain else f"rule.end.blocked.{value}_{scored}")


def _call_said(lang: str, rules: RulesLike) -> str:
    return say(lang, f"rule.call.word.{rules['call.word']}")


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
    if ranks == keys.NO_RANKS:
        return say(lang, "rule.end.forbidden.none")
    if ranks == keys.ANY_POWER:
        return say(lang, "rule.end.forbidden_power.text")
    return say(lang, "rule.end.forbidden.some", ranks=join(lang, [rank_name(lang, rank, "a") for rank in ranks], "or"))


def match_sentence(lang: str, rules: RulesLike) -> str:
    """How far a match goes and who wins it."""
    target = int(rules["match.target"])
    if target == 0:
        return say(lang, "rule.match.open_rounds" if rules["match.rounds"] else "rule.match.open")
    key = f"rule.match.{rules['score.count']}_{rules['match.ends']}"
    if rules["score.count"] == "cards" and rules["match.elimination"]:
        key += "_out"
    elif rules["score.count"] == "cards" and rules["score.to"] == "winner":
        key += "_winner"
    return say(lang, key, n=target)


_SPECIAL: Final[Mapping[str, Callable[[str, RulesLike], str]]] = {
    "start.rank": _start_rank,
    "start.wish": _start_wish,
    "draw.when": _draw_when,
    "draw.then": _draw_then,
    "wish.on_wish": _on_wish,
    "wish.suited_on_wish": _suited_on_wish,
    "penalty.answer": _answer,
    "end.final_draw": _final_draw,
    "end.final_back": _final_back,
    "end.blocked": _blocked,
    "score.count": _score_count,
    "call.word": _call_said,
    "end.forbidden": _forbidden,
    "match.target": _target,
}

# --- points ----------------------------------------------------------------------------------------------------------


def ranks_in_pack(rules: RulesLike) -> str:
    """The rank letters that can be on the table: twos to sixes only where the pack may be full."""
    full = str(rules["pack.cards"]) == "52" or (rules.seats is None and int(rules["pack.full_from"]) > 0)
    lowest = "6" if str(rules["pack.cards"]) == "36" else "7"
    return RANK_LETTERS if full else RANK_LETTERS[RANK_LETTERS.index(lowest) :]


def points_table(lang: str, rules: RulesLike) -> tuple[str, tuple[str, ...]]:
    """What cards left in hand count, and the keys that say so; numbers that count their face value are put together."""
    ranks = ranks_in_pack(rules)
    points = [f"points.{rank}" for rank in ranks] + (["points.joker"] if rules["pack.jokers"] else [])
    numerals = [rank for rank in ranks if RANK_LETTERS.index(rank) < RANK_LETTERS.index("J")]
    plain = all(rules[f"points.{rank}"] == RANK_LETTERS.index(rank) + 2 for rank in numerals)
    single = [key.split(".")[1] for key in points if not (plain and key.split(".")[1] in numerals)]
    items = [
        say(lang, "rule.points.item", rank=rank_name(lang, name), n=int(rules[f"points.{name}"]))
        for name in high_first(single)
    ]
    if plain:
        lowest, highest = (rank_name(lang, rank, "short") for rank in (numerals[0], numerals[-1]))
        items.append(say(lang, "rule.points.face", lowest=lowest, highest=highest))
    return say(lang, "rule.points.table", items=join(lang, items)), tuple(points)


def high_first(names: Iterable[str]) -> list[str]:
    """Ranks (and the joker) from the highest to the lowest."""
    return sorted(names, key=rank_order, reverse=True)
