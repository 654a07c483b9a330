"""What a single value says, what a card does, and a table's rules in a few chips."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Final

from maumau.cards import RANK_LETTERS
from maumau.ruleset import keys
from maumau.ruleset.data import book_values
from maumau.ruleset.keys import Value, format_value, key_for
from maumau.ruleset.words.catalogue import WORDS, say
from maumau.ruleset.words.kinds import RulesLike
from maumau.ruleset.words.names import call_slots, call_word, card_label, join, rank_name, say_call, thing_slots

ACTING: Final = ("draw", "skip", "others", "back", "reverse", "again")
"""The powers as the clauses of one sentence name them."""
OWN_SENTENCE: Final = ("wish", "pass_on", "cancel")
"""Powers with a sentence of their own; the wish comes first."""


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


# --- what cards do ---------------------------------------------------------------------------------------------------


def things_with(rules: RulesLike, power: str) -> tuple[str, ...]:
    """The ranks, cards and joker that have a power, as the rules name them, in order of rank."""
    values = rules.values
    named = {
        key.split(".")[1]
        for key, value in values.items()
        if key.startswith("power.") and key.endswith(f".{power}") and _does(power, value)
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
    _, thing, power = key.split(".")
    return _does(power, value) or len(thing) == 2


def _does(power: str, value: Value | None) -> bool:
    """Whether the value gives a card the power."""
    return value is not None and value != keys.POWERS[power].default


def _order(thing: str) -> tuple[int, str]:
    return (len(RANK_LETTERS), thing) if thing == keys.JOKER_NAME else (RANK_LETTERS.index(thing[0]), thing)


def powers_sentence(lang: str, values: Mapping[str, Value], thing: str) -> str:
    """All that one rank, card or joker does, in natural order; one card also says which power of its rank it lacks."""
    own = {power: value for power in keys.POWERS if (value := values.get(f"power.{thing}.{power}")) is not None}
    said = [_own_sentence(lang, values, thing, power) for power in ("wish",) if _does(power, own.get(power))]
    named = {power: own[power] for power in ACTING if _does(power, own.get(power))}
    if named:
        said.append(_acts(lang, values, thing, named))
    said += [_own_sentence(lang, values, thing, power) for power in OWN_SENTENCE[1:] if _does(power, own.get(power))]
    lacking = [power for power, value in own.items() if len(thing) == 2 and not _does(power, value)]
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


def _power_value(lang: str, rules: RulesLike, thing: str, power: str) -> str:
    value = rules[f"power.{thing}.{power}"]
    if not _does(power, value):
        return say(lang, f"power.none.{power}", **thing_slots(lang, thing))
    if power in OWN_SENTENCE:
        return _own_sentence(lang, rules.values, thing, power)
    return _acts(lang, rules.values, thing, {power: value})


def _some(lang: str, rules: RulesLike, power: str, generic: str, form: str = "a") -> str:
    """“a Jack or a joker”: the cards that have a power; ``generic`` where there are none."""
    things = things_with(rules, power)
    return join(lang, [thing_slots(lang, thing)[form] for thing in things], "or") or say(lang, f"generic.{generic}")


# --- values whose sentence names cards -------------------------------------------------------------------------------


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
        for name in _high_first(single)
    ]
    if plain:
        lowest, highest = (rank_name(lang, rank, "short") for rank in (numerals[0], numerals[-1]))
        items.append(say(lang, "rule.points.face", lowest=lowest, highest=highest))
    return say(lang, "rule.points.table", items=join(lang, items)), tuple(points)


def _high_first(names: Iterable[str]) -> list[str]:
    return sorted(names, key=_order, reverse=True)


# --- chips -----------------------------------------------------------------------------------------------------------


def chips(lang: str, rules: RulesLike) -> tuple[str, ...]:
    """A table's rules in a few words each, for one line: “32 cards”, “7→+2 stacks”, “J wishes, not on J”."""
    return tuple(
        chip
        for make in (
            _pack_chips,
            _draw_chips,
            _power_chips,
            _turn_chips,
            _call_chips,
            _end_chips,
            _unlike_chips,
            _score_chips,
        )
        for chip in make(lang, rules)
    )


def _pack_chips(lang: str, rules: RulesLike) -> list[str]:
    found = [say(lang, "chip.cards", n=int(rules["pack.cards"]))]
    if int(rules["pack.packs"]) > 1:
        found.append(say(lang, "chip.packs", n=int(rules["pack.packs"])))
    if rules["pack.jokers"]:
        found.append(say(lang, "chip.jokers", n=int(rules["pack.jokers"])))
    found.append(say(lang, "chip.deal", n=int(rules["deal.cards"])))
    if rules["deal.two"] and rules.seats is None:
        found.append(say(lang, "chip.deal_two", n=int(rules["deal.two"])))
    start = str(rules["start.rank"])
    if start != keys.ANY_RANK:
        found.append(say(lang, "chip.start", rank=rank_name(lang, start, "short")))
    return [*found, say(lang, "chip.redraw")] if rules["start.redraw"] == "power" else found


def _unlike_chips(lang: str, rules: RulesLike) -> list[str]:
    """Small values that a chip names only where the rule book says otherwise."""
    found = _players_chips(lang, rules)
    for key, chip in _UNLIKE.items():
        value = rules[key]
        if _unlike_book(rules, key) and not idle_beside(rules, key):
            texts = f"chip.{chip}_{format_value(value)}", f"chip.{chip}_some"
            found += [say(lang, text, n=value) for text in texts if WORDS.has(text)][:1]
    return found


def _unlike_book(rules: RulesLike, key: str) -> bool:
    known = key_for(key)
    return rules[key] != book_values(rules.book).get(key, known.default if known is not None else None)


def _players_chips(lang: str, rules: RulesLike) -> list[str]:
    least, most = int(rules["players.min"]), int(rules["players.max"])
    if rules.seats is not None or not any(_unlike_book(rules, key) for key in ("players.min", "players.max")):
        return []
    return [say(lang, "chip.players", n=most) if least == most else say(lang, "chip.players_to", least=least, n=most)]


_UNLIKE: Final = {
    "pack.full_from": "full_from",
    "pack.double_from": "double_from",
    "deal.next": "next",
    "start.acts": "acts",
    "start.answer": "start_answer",
    "start.wish": "start_wish",
    "start.free_for": "free_for",
    "start.redraw": "redraw",
    "draw.reshuffles": "reshuffles",
    "skip.adds": "adds",
    "reverse.two": "two",
    "call.window": "window",
    "call.maumau": "silent",
    "call.false": "false",
    "call.false_catch": "false_catch",
    "end.blocked": "blocked",
    "score.closing_each": "closing_each",
    "match.ends": "ends",
    "match.tie": "tie",
}
_IDLE_BESIDE: Final[Mapping[str, tuple[str, Value]]] = {
    "pack.full_from": ("pack.cards", "52"),
    "pack.double_from": ("pack.packs", 2),
    "match.target": ("score.count", "none"),
}


def idle_beside(rules: RulesLike, key: str) -> bool:
    """Whether a value goes without saying beside another: a full pack grows no further, nor do two, and no points need no target."""
    other, value = _IDLE_BESIDE.get(key, (key, None))
    return rules[key] == 0 and rules[other] == value


def _draw_chips(lang: str, rules: RulesLike) -> list[str]:
    found = [say(lang, f"chip.draw_{rules['draw.when']}")]
    most = rules["draw.most"]
    if most != 1:
        found.append(say(lang, "chip.most_fits") if isinstance(most, str) else say(lang, "chip.most", n=most))
    if rules["draw.then"] != "drawn":
        found.append(say(lang, f"chip.then_{rules['draw.then']}"))
    found += [say(lang, f"chip.{chip}") for key, chip in _DRAW_CHIPS.items() if rules[key]]
    return found


_DRAW_CHIPS: Final = {"draw.forced": "forced", "draw.pass": "free_pass"}


_TURN_CHIPS: Final = (
    ("penalty.then", "play", "penalty_play"),
    ("penalty.then", "turn", "penalty_turn"),
    ("wish.lasts", "turn", "wish_turn"),
    ("wish.suits", "other", "wish_other"),
    ("play.equal", True, "equal"),
    ("play.on_special", False, "on_special"),
    ("play.throw_in", True, "throw_in"),
)
"""Chips for single values that change the way a turn goes."""


def _turn_chips(lang: str, rules: RulesLike) -> list[str]:
    return [say(lang, f"chip.{chip}") for key, value, chip in _TURN_CHIPS if rules[key] == value]


def _power_chips(lang: str, rules: RulesLike) -> list[str]:
    return [chip for thing in special_things(rules.values) if (chip := _power_chip(lang, rules, thing))]


def _power_chip(lang: str, rules: RulesLike, thing: str) -> str:
    clauses = [text for power in (*ACTING, *OWN_SENTENCE) if (text := _chip_clause(lang, rules, thing, power))]
    if not clauses:
        return ""
    joined = clauses[0]
    for clause in clauses[1:]:
        joined = say(lang, "chip.join", first=joined, last=clause)
    return say(lang, "chip.power", rank=_short(lang, thing), clauses=joined)


def _last(lang: str, thing: str) -> dict[str, str]:
    """A card in short, and “last” as it is bent before it."""
    rank = thing if thing == keys.JOKER_NAME else thing[0]
    return {"rank": _short(lang, thing), "last": rank_name(lang, rank, "last")}


def _short(lang: str, thing: str) -> str:
    return card_label(lang, thing) if len(thing) == 2 else rank_name(lang, thing, "short")


def _chip_clause(lang: str, rules: RulesLike, thing: str, power: str) -> str:
    value = rules[f"power.{thing}.{power}"]
    if not _does(power, value):
        return ""
    if power == "draw":
        return say(lang, "chip.draw", n=value) + _stacking(lang, rules)
    if power == "skip":
        return _skip_chip(lang, rules, value)
    if power == "again":
        return say(lang, f"chip.again_{value}")
    return say(lang, f"chip.{power}", n=value) + (_wish_chip(lang, rules, thing) if power == "wish" else "")


def _skip_chip(lang: str, rules: RulesLike, value: Value) -> str:
    if value == keys.SKIP_ALL:
        return say(lang, "chip.skip_all")
    text = say(lang, "chip.skip") if value == 1 else say(lang, "chip.skip_more", n=value)
    return text + (say(lang, "chip.answered") if rules["skip.answer"] == "same" else "")


def _wish_chip(lang: str, rules: RulesLike, thing: str) -> str:
    matching = say(lang, "chip.matching") if rules["wish.fits"] == "match" and thing != keys.JOKER_NAME else ""
    on_wish = "chip.suited_on_wish" if rules["wish.suited_on_wish"] else "chip.not_on_wish"
    barred = "" if rules["wish.on_wish"] else say(lang, on_wish, rank=_short(lang, thing))
    return matching + barred


def _stacking(lang: str, rules: RulesLike) -> str:
    if rules["penalty.answer"] == "none":
        return ""
    cap = int(rules["penalty.cap"])
    how = say(lang, "chip.capped", n=cap) if cap else say(lang, "chip.stacks")
    return how + (say(lang, "chip.doubles") if rules["penalty.grows"] == "double" else "")


def _call_chips(lang: str, rules: RulesLike) -> list[str]:
    word, final = (call_word(lang, str(rules["call.word"]), last) for last in (False, True))
    if rules["call.mode"] == "automatic":
        return [say(lang, "chip.mau_automatic", word=word)]
    cost = int(rules["call.mau"])
    found = [say(lang, "chip.mau", n=cost, word=word) if cost else say(lang, "chip.mau_free", word=word)]
    if rules["call.needed"]:
        found.append(say(lang, "chip.maumau", word=final))
    return (
        [*found, say(lang, "chip.to_finish", word=call_slots(lang, str(rules["call.word"]))["mau"])]
        if rules["call.to_finish"]
        else found
    )


def _end_chips(lang: str, rules: RulesLike) -> list[str]:
    found = []
    if rules["end.forbidden"] == keys.ANY_POWER:
        found.append(say(lang, "chip.forbidden_power"))
    elif rules["end.forbidden"] != keys.NO_RANKS:
        ranks = join(lang, [rank_name(lang, rank, "short") for rank in str(rules["end.forbidden"])])
        found.append(say(lang, "chip.forbidden", ranks=ranks))
    if rules["end.final_back"] or rules["end.final_draw"]:
        chip = "chip.final_back" if rules["end.final_back"] else "chip.final_draw"
        found += [say(lang, chip, **_last(lang, thing)) for thing in things_with(rules, "draw")]
    return [*found, say(lang, "chip.play_on")] if rules["end.play_on"] else found


def _score_chips(lang: str, rules: RulesLike) -> list[str]:
    count, target = str(rules["score.count"]), int(rules["match.target"])
    if count == "none":
        return [say(lang, "chip.casual")]
    found = [
        say(lang, "chip.closing", rank=_short(lang, name), n=int(rules[f"closing.{name}"]))
        for name in (*RANK_LETTERS, keys.JOKER_NAME)
        if count == "cards" and rules[f"closing.{name}"] != 1
    ]
    if count == "cards":
        found += _fine_chips(lang, rules)
        found += _points_chips(lang, rules)
    if rules["match.rounds"]:
        found.append(say(lang, "chip.rounds", n=int(rules["match.rounds"])))
    if target:
        return [*found, say(lang, "chip.out_cards" if rules["match.elimination"] else f"chip.target_{count}", n=target)]
    return found if rules["match.rounds"] else [*found, say(lang, f"chip.open_{count}")]


_MOST_POINTS: Final = 4
"""So many cards have a chip for points of their own; where more differ, the points stand on the sheet."""


def _points_chips(lang: str, rules: RulesLike) -> list[str]:
    """What cards count that count something else in the rule book, the highest card first."""
    names = (*ranks_in_pack(rules), *((keys.JOKER_NAME,) if rules["pack.jokers"] else ()))
    differing = [name for name in _high_first(names) if _unlike_book(rules, f"points.{name}")]
    return [
        say(lang, "chip.points", rank=_short(lang, name), n=int(rules[f"points.{name}"]))
        for name in differing[:_MOST_POINTS]
    ]


def _fine_chips(lang: str, rules: RulesLike) -> list[str]:
    taken = rules["score.to"] == "winner"
    found = [
        say(lang, "chip.fine_winner" if taken else "chip.fine", **_last(lang, name), n=int(rules[f"fine.{name}"]))
        for name in (*RANK_LETTERS, keys.JOKER_NAME)
        if rules[f"fine.{name}"]
    ]
    return [*found, say(lang, "chip.winner")] if taken else found
