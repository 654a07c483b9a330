"""What is said at the table: why something may or may not be done, and what has happened."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import Any, Final

from maumau.cards import Card, Suit
from maumau.ruleset.words.catalogue import WORDS, say
from maumau.ruleset.words.kinds import EventLike, ReasonLike, RulesLike
from maumau.ruleset.words.names import (
    call_slots,
    call_word,
    card_name,
    card_slots,
    card_text,
    isolate,
    join,
    rank_name,
    say_call,
    suit_name,
    thing_of,
)

_CARD_PARAMS: Final = ("card", "top", "drawn")
_COUNT_PARAMS: Final = ("penalty", "said")

# --- reasons ---------------------------------------------------------------------------------------------------------


def reason_sentence(lang: str, reason: ReasonLike, rules: RulesLike, names: Sequence[str] | None = None) -> str:
    """Why an action is allowed or refused, with the cards and the rule it turns on.

    A code has several versions; the first whose cards and numbers the reason knows is said.
    """
    code = reason.code if WORDS.has(f"reason.{reason.code}.short") else "other"
    slots = {**call_slots(lang, str(rules["call.word"])), **_reason_slots(lang, reason.params, names)}
    for version in _versions(code):
        if WORDS.slots(lang, version) <= slots.keys() and _suits(version, reason.params, rules):
            return say(lang, version, **slots)
    return say(lang, "reason.other.short")


@cache
def _versions(code: str) -> tuple[str, ...]:
    prefix = f"reason.{code}."
    return tuple(key for key in WORDS.keys if key.startswith(prefix))


def _suits(version: str, params: Mapping[str, object], rules: RulesLike) -> bool:
    """Whether a version that belongs to one rule alone is right here."""
    if version.endswith(".knock"):
        return rules["call.word"] == "knock"
    holds = _ONLY_WHERE.get(version)
    return holds is None or holds(params, rules)


def _many_answers(rules: RulesLike) -> bool:
    """Whether more than the top card's own rank may answer a penalty."""
    lets = any(key.endswith((".pass_on", ".cancel")) and value for key, value in rules.values.items())
    return rules["penalty.answer"] != "same" or lets


_ONLY_WHERE: Final[Mapping[str, Callable[[Mapping[str, object], RulesLike], bool]]] = {
    "reason.penalty-pending.none": lambda params, rules: rules["penalty.answer"] == "none",
    "reason.penalty-pending.cap": lambda params, rules: params.get("rule") == "penalty.cap",
    "reason.penalty-pending.wide": lambda params, rules: _many_answers(rules),
    "reason.only-drawn-card.forced": lambda params, rules: params.get("rule") == "draw.forced",
    "reason.fits-any.wild": lambda params, rules: rules["wish.fits"] == "match",
    "reason.wish-on-wish.match": lambda params, rules: _merely_unfit(params, rules),
    "reason.wish-on-wish.suited": lambda params, rules: bool(rules["wish.suited_on_wish"]),
}
"""Versions that are right only where this holds."""


def _merely_unfit(params: Mapping[str, object], rules: RulesLike) -> bool:
    """Whether a wishing card is refused because it must fit like others, not for lying on one of its rank."""
    card, top = params.get("card"), params.get("top")
    alike = top is not None and str(card)[:1] == str(top)[:1]
    return rules["wish.fits"] == "match" and not alike


def _reason_slots(lang: str, params: Mapping[str, object], names: Sequence[str] | None) -> dict[str, str]:
    slots: dict[str, str] = {}
    for name in _CARD_PARAMS:
        card = params.get(name)
        if isinstance(card, (Card, str)):
            slots |= card_slots(lang, card, name)
    slots |= _rank_slots(lang, params)
    for name in _COUNT_PARAMS:
        if isinstance(number := params.get(name), int):
            slots[f"{name}_cards"] = say(lang, "count.cards", n=number)
    if params.get("wish") is not None:
        slots["wish"] = suit_name(lang, _suit(params["wish"]))
    for name in ("seat", "target"):
        if isinstance(seat := params.get(name), int):
            slots[name] = _seat_name(lang, seat, names)
    text = params.get("text", params.get("action"))
    return slots if text is None else slots | {"text": str(text)}


def _rank_slots(lang: str, params: Mapping[str, object]) -> dict[str, str]:
    rank, card = params.get("rank"), params.get("card")
    if rank is None and isinstance(card, (Card, str)):
        rank = thing_of(card if isinstance(card, Card) else Card.parse(card))
    if rank is None:
        return {}
    forms = {f"rank_{form}": rank_name(lang, str(rank), form) for form in ("a", "a_acc", "a_dat")}
    return forms | {"rank": rank_name(lang, str(rank))}


def _suit(value: object) -> Suit | str:
    return Suit(value) if isinstance(value, int) else str(value)


def _seat_name(lang: str, seat: int, names: Sequence[str] | None) -> str:
    if names is not None and 0 <= seat < len(names):
        return isolate(names[seat])
    return say(lang, "seat.number", n=seat + 1)


# --- positions -------------------------------------------------------------------------------------------------------


def position_error_sentence(lang: str, error: ReasonLike) -> str:
    """Why a position cannot be."""
    key = f"position.{error.code}"
    params: dict[str, Any] = dict(error.params)
    slots: dict[str, object] = {name: value for name, value in params.items() if value is not None}
    if isinstance(params.get("card"), (Card, str)):
        slots |= card_slots(lang, params["card"])
    if "rank" in params:
        slots |= _rank_slots(lang, {"rank": params["rank"]})
    for name in ("keys", "words"):
        if name in params:
            slots[name] = ", ".join(params[name])
    if "seats" in params:
        slots["last"] = int(params["seats"]) - 1
    if not WORDS.has(key) or not WORDS.slots(lang, key) <= slots.keys():
        return say(lang, "position.other", text=error.code)
    return say(lang, key, **slots)


# --- events ----------------------------------------------------------------------------------------------------------


def event_sentence(
    lang: str,
    event: EventLike,
    names: Sequence[str],
    rules: RulesLike,
    you: int | None = None,
    *,
    left: int | None = None,
) -> str:
    """What happened, told to seat ``you`` (None: to a spectator): “Emil legt die Pik-Sieben.”, “Du ziehst eine Karte.”

    ``left`` is how many cards the seat that called has left, where the event itself does not say: with none, the call
    was “Mau-Mau”.
    """
    tell = _Teller(lang, event, names, you, left, str(rules["call.word"]))
    return _TELL.get(event.kind, _Teller.other)(tell)


def match_over_sentence(lang: str, winners: Sequence[int], names: Sequence[str], you: int | None = None) -> str:
    """Who has won the match; several may share it."""
    others = [isolate(names[seat]) for seat in winners if seat != you]
    if not winners:
        return say(lang, "event.match-over.nobody")
    if you in winners:
        form = "you_several" if others else "you"
        others.append(say(lang, "event.match-over.self"))
    else:
        form = "named" if len(others) == 1 else "several"
    return say(lang, f"event.match-over.{form}", who=join(lang, others))


class _Teller:
    """One event, told to one seat."""

    def __init__(
        self, lang: str, event: EventLike, names: Sequence[str], you: int | None, left: int | None, word: str
    ) -> None:
        self.lang = lang
        self.event = event
        self.names = names
        self.you = you
        self.word = word
        self.left = left if left is not None else getattr(event, "left", None)
        self.mine = event.seat is not None and event.seat == you

    def name(self, seat: int | None) -> str:
        return say(self.lang, "event.nobody.name") if seat is None else _seat_name(self.lang, seat, self.names)

    def say(self, form: str, **slots: object) -> str:
        who = self.name(self.event.seat)
        return say_call(self.lang, self.word, f"event.{self.event.kind}.{form}", who=who, **slots)

    def told(self, ending: str = "", **slots: object) -> str:
        """The form for the listener: ``you…`` to the seat itself, ``named…`` to the others."""
        return self.say(("you" if self.mine else "named") + ending, **slots)

    @property
    def number(self) -> int:
        return self.event.count or len(self.event.cards)

    @property
    def cards(self) -> str:
        return say(self.lang, "count.cards", n=self.number)

    @property
    def card(self) -> Any:
        return self.event.cards[0] if self.event.cards else None

    @property
    def calls(self) -> str:
        word = call_word(self.lang, self.word, self.left == 0)
        return say_call(self.lang, self.word, "call.you" if self.mine else "call.named", word=word)

    def deal(self) -> str:
        return self.told(cards=self.cards)

    def starter(self) -> str:
        return self.say("plain", card=card_name(self.lang, self.card))

    def play(self) -> str:
        wish = self.event.wish
        text = str(getattr(self.event, "text", "") or self.event.action or "")
        called, thrown = text.endswith("!"), ":" in text
        ending = ("_throw" if thrown else "") + ("_wish" if wish is not None else "") + ("_call" if called else "")
        named = suit_name(self.lang, _suit(wish)) if wish is not None else ""
        return self.told(ending, card_acc=card_name(self.lang, self.card, "acc"), wish=named, calls=self.calls)

    def draw(self) -> str:
        if not self.number:
            return self.told("_nothing")
        if self.mine and self.number == 1 and card_text(self.card) != "??":
            return self.say("you_card", card_acc=card_name(self.lang, self.card, "acc"))
        return self.told(cards=self.cards)

    def drawn(self) -> str:
        return self.told(cards=self.cards) if self.number else self.told("_nothing")

    def passed(self) -> str:
        return self.say("you_itself") if self.mine and self.event.by_itself else self.told()

    def wish(self) -> str:
        return self.told(wish=suit_name(self.lang, _suit(self.event.wish)))

    def called(self) -> str:
        return self.told(calls=self.calls)

    def catch(self) -> str:
        form = (
            "named_you"
            if self.event.target is not None and self.event.target == self.you
            else "you"
            if self.mine
            else "named"
        )
        ending = "_draw" if self.number else ""
        return self.say(form + ending, whom=self.name(self.event.target), cards=self.cards)

    def false_catch(self) -> str:
        target = self.event.target
        form = "named_you" if target is not None and target == self.you else "you" if self.mine else "named"
        return self.say(form, whom=self.name(target))

    def plain(self) -> str:
        return self.told()

    def reverse(self) -> str:
        way = "counter" if (self.event.count or 0) < 0 else "clockwise"
        return self.say("plain", direction=say(self.lang, f"direction.{way}"))

    def reshuffle(self) -> str:
        return self.say("count", n=self.event.count) if self.event.count else self.say("plain")

    def out(self) -> str:
        return self.told(n=self.event.count)

    def round_over(self) -> str:
        conceded = self.event.target
        if conceded is not None:
            return self.say("you_conceded") if conceded == self.you else self.say("conceded", whom=self.name(conceded))
        if self.event.seat is None:
            return self.say("nobody")
        return self.told("_fewest", cards=self.cards) if self.number else self.told()

    def match_over(self) -> str:
        own = () if self.event.seat is None else (self.event.seat,)
        return match_over_sentence(self.lang, tuple(getattr(self.event, "winners", own)), self.names, self.you)

    def other(self) -> str:
        return say(self.lang, "event.other.plain")


_TELL: Final[Mapping[str, Callable[[_Teller], str]]] = {
    "deal": _Teller.deal,
    "starter": _Teller.starter,
    "play": _Teller.play,
    "draw": _Teller.draw,
    "take": _Teller.drawn,
    "made-to-draw": _Teller.drawn,
    "false-call": _Teller.plain,
    "false-catch": _Teller.false_catch,
    "pass": _Teller.passed,
    "wish": _Teller.wish,
    "call": _Teller.called,
    "catch": _Teller.catch,
    "skip": _Teller.plain,
    "silent": _Teller.plain,
    "reverse": _Teller.reverse,
    "reshuffle": _Teller.reshuffle,
    "out": _Teller.out,
    "round-over": _Teller.round_over,
    "match-over": _Teller.match_over,
}
"""How each kind of event is told."""
