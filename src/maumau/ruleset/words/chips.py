"""A table's rules in a few chips: what one line has room for."""

from __future__ import annotations

from typing import Final

from maumau.cards import RANK_LETTERS
from maumau.ruleset import keys
from maumau.ruleset.data import book_values
from maumau.ruleset.keys import Value, format_value, key_for
from maumau.ruleset.words.catalogue import WORDS, say
from maumau.ruleset.words.kinds import RulesLike
from maumau.ruleset.words.names import call_slots, call_word, card_label, join, rank_name
from maumau.ruleset.words.powers import ACTING, OWN_SENTENCE, does, special_things, things_with
from maumau.ruleset.words.rules import high_first, idle_beside, ranks_in_pack


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
    if not does(power, value):
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
    differing = [name for name in high_first(names) if _unlike_book(rules, f"points.{name}")]
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
