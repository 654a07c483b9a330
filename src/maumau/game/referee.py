"""The referee: settles a position, for programs as plain data and for people in words."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from maumau.cards import UNKNOWN_TEXT, Card
from maumau.game.action import Action
from maumau.game.errors import IllegalActionError, PositionError, Reason
from maumau.game.event import Event
from maumau.game.match import Standing
from maumau.game.position import seats_of, shown
from maumau.game.round import Round
from maumau.ruleset import RuleError, Ruleset

BYTE_ORDER_MARK = "\ufeff"  # some editors begin a file with it
CASE_KEYS = frozenset(("id", "rules", "position", "do", "note", "expect", "seed", "lang"))


class HandOrder:
    """Hands in the order in which people hold them: as given, drawn cards at the end."""

    def __init__(self, round_: Round, given: Iterable[object]) -> None:
        self.hands: list[list[Card]] = []
        for seat, hand in enumerate(given):
            named = [Card.parse(text) for text in hand if text != "??"] if isinstance(hand, list) else []
            rest = list(round_.hands[seat])
            for card in named:
                rest.remove(card)
            self.hands.append(named + rest)

    def follow(self, events: Iterable[Event]) -> None:
        """Move the cards that events moved."""
        for event in events:
            if event.seat is None:
                continue
            cards = [card for card in event.cards if card is not None]
            if event.kind == "play":
                self.hands[event.seat].remove(cards[0])
            elif event.kind in ("draw", "take", "made-to-draw"):
                self.hands[event.seat].extend(cards)

    def sort(self, seat: int, actions: Iterable[Action]) -> list[Action]:
        """Actions in the order of the cards they play, others after them."""
        place = {card: index for index, card in reversed(list(enumerate(self.hands[seat])))}
        return sorted(
            actions, key=lambda action: place.get(action.card, len(place)) if action.card is not None else len(place)
        )


def settle_line(line: str, lang: str = "en", seed: int = 0) -> dict[str, Any]:
    """Settle a case written as one line of JSON; a line that is none gets ``{"error"}``.

    It raises nothing: whatever happens to one line, those after it are settled too.
    """
    try:
        line = line.removeprefix(BYTE_ORDER_MARK)
        case = json.loads(line, parse_constant=_refuse_constant, parse_float=_finite)
    except OverflowError as error:
        return {"error": str(error)}
    except (ValueError, RecursionError):
        return {"error": "this line is not JSON; a case is a JSON object with rules and a position"}
    if not isinstance(case, dict):
        return {"error": "a case is a JSON object with rules and a position"}
    try:
        return settle(case, lang, seed)
    except Exception as error:
        sentence = PositionError("failed", text=f"{type(error).__name__}: {error}").sentence(lang)
        return ({"id": case["id"]} if "id" in case else {}) | {"error": sentence}


def _refuse_constant(name: str) -> None:
    raise ValueError(f"{name} is not JSON")


def _finite(text: str) -> float:
    """A number that an answer can repeat: JSON has none that are infinite."""
    number = float(text)
    if math.isinf(number):
        raise OverflowError(f"{shown(text)} is too large a number; write one that a computer can hold, below 1e308")
    return number


def settle(case: Mapping[str, Any], lang: str = "en", seed: int = 0) -> dict[str, Any]:
    """Settle one case ``{"id", "rules", "position", "do"}``: do the actions and say what holds then.

    A case that cannot be set up gets ``{"id", "error"}``; a refused action is answered with ``refused`` and the state as it
    was before it. ``seed`` decides cards that the position leaves unseen.
    """
    identity = {"id": case["id"]} if "id" in case else {}
    try:
        return identity | _settle(_checked(case), lang, seed)
    except (RuleError, PositionError) as error:
        return identity | {"error": sentence_of(error, lang)}
    except ValueError as error:
        return identity | {"error": str(error)}


def sentence_of(error: RuleError | PositionError, lang: str) -> str:
    """The error's sentence in a language."""
    if isinstance(error, PositionError):
        return error.sentence(lang)
    from maumau.ruleset.words import rule_error_sentence

    return rule_error_sentence(lang, error)


def _checked(case: Mapping[str, Any]) -> Mapping[str, Any]:
    unknown = sorted(str(key) for key in case.keys() - CASE_KEYS)
    if unknown:
        raise ValueError(f"{unknown[0]!r} is no part of a case; a case holds id, rules, position and do")
    if "rules" not in case:
        raise ValueError("rules is missing; it is a rule code such as family+nine-reverse")
    if not isinstance(case["rules"], str):
        raise ValueError(f"rules is {shown(case['rules'])}; it is a rule code such as family+nine-reverse")
    if "position" not in case:
        raise ValueError("position is missing; it is an object with top and hands, starter and hands, or deal")
    if not isinstance(case.get("do", []), list) or not all(isinstance(text, str) for text in case.get("do", [])):
        raise ValueError('do is a list of actions such as ["9h", "+"]')
    if type(case.get("seed", 0)) is not int:
        raise ValueError("seed is a whole number from 0 to 2**128 - 1")
    return case


def _settle(case: Mapping[str, Any], lang: str, seed: int) -> dict[str, Any]:
    position = case["position"]
    round_ = Round.from_position(case["rules"], position, case.get("seed", seed))
    totals = _totals(position, round_.seats)
    order = HandOrder(round_, position.get("hands", [None] * round_.seats))
    refused: dict[str, str] | None = None
    for text in case.get("do", ()):
        try:
            order.follow(round_.push(text))
        except IllegalActionError as error:
            refused = {"action": text, "reason": error.reason, "text": error.sentence(lang)}
            break
    answer = describe(round_, totals, order)
    return answer | ({"refused": refused} if refused else {})


def _totals(position: Mapping[str, Any], seats: int) -> tuple[int, ...]:
    totals = position.get("totals", [0] * seats)
    whole = isinstance(totals, list) and all(isinstance(total, int) and not isinstance(total, bool) for total in totals)
    if not whole or len(totals) != seats:
        raise PositionError("bad-totals", seats=seats)
    return tuple(totals)


def describe(round_: Round, totals: tuple[int, ...], order: HandOrder | None = None) -> dict[str, Any]:
    """What holds in a round: what may be done, what lies where, what it is worth, and what follows."""
    turn = round_.turn
    legal, due = list(round_.legal_actions), list(round_.call_due)
    hands: Iterable[Iterable[Card]] = round_.hands
    if order is not None:
        hands = order.hands
        if turn is not None:
            legal, due = order.sort(turn, legal), order.sort(turn, due)
    state = {
        "legal": [round_.text(action) for action in legal],
        "call_due": [str(action) for action in due],
        "shouts": {str(seat): [str(action) for action in actions] for seat, actions in round_.shouts.items()},
        "turn": turn,
        "top": str(round_.top),
        "wish": round_.wish.letter if round_.wish is not None else None,
        "penalty": round_.penalty,
        "direction": round_.direction,
        "hands": [[str(card) for card in hand] for hand in hands],
        "hands_n": list(round_.counts),
        "stock_n": len(round_.stock),
        "discard_n": len(round_.discard),
    }
    return state | _describe_end(round_, totals)


def _describe_end(round_: Round, totals: tuple[int, ...]) -> dict[str, Any]:
    outcome = round_.outcome()
    seats = round_.seats
    if outcome is None:
        nothing = {"over": False, "winner": None, "points": [0] * seats, "totals": list(totals), "match_over": False}
        return nothing | {"match_winners": [], "next_dealer": None, "next_players": []}
    standing = Standing(round_.rules)
    players = tuple(seat for seat in range(seats) if seat not in round_.sitting_out)
    sums = tuple(total + points for total, points in zip(totals, outcome.points, strict=True))
    winners = standing.winners(sums, outcome, players)
    following = () if winners else standing.next_players(sums, players)
    return {
        "over": True,
        "winner": outcome.winner,
        "points": list(outcome.points),
        "totals": list(sums),
        "match_over": bool(winners),
        "match_winners": list(winners),
        "next_dealer": standing.next_dealer(outcome, round_.dealer, following or players),
        "next_players": list(following),
    }


class Ruling(NamedTuple):
    """What the referee says to people: for each card of the hand, and for each other action, whether and why.

    A hand that is not on turn has no other actions, and its cards may at most be thrown in.

    ``keys`` names, by card or action, the value of the rules that decides, where one does. ``start`` tells what a starter
    did before the first turn, and whose turn that is.
    """

    rules: Ruleset
    legal: tuple[str, ...]
    cards: tuple[tuple[Card, bool, str], ...]
    others: tuple[tuple[str, bool, str], ...]
    keys: Mapping[str, str] = {}
    start: tuple[str, ...] = ()
    on_turn: bool = True


def asked(rules: str, position: Mapping[str, Any], seed: int = 0) -> dict[str, Any]:
    """The position about which somebody asks who names the first hand alone: it belongs to the seat on turn, unless
    ``turn`` says otherwise.

    A starter that acts moves the turn on, and the hand goes with it. Raises RuleError or PositionError; ``not-a-card`` where
    a card of the hand is left open, since nothing can be said about it.
    """
    seats_of(position)
    first, *others = position["hands"]
    if UNKNOWN_TEXT in first:
        raise PositionError("not-a-card", text=UNKNOWN_TEXT)
    if "starter" not in position:
        return dict(position)
    turn = Round.from_position(rules, {**position, "hands": [len(first), *others]}, seed).turn or 0
    return {**position, "hands": [*others[:turn], first, *others[turn:]]}


def rule(
    rules: str, position: Mapping[str, Any], lang: str = "en", seed: int = 0, *, seat: int | None = None
) -> Ruling:
    """Say what a seat may do in a position, card by card, with the rule that decides; None is the seat on turn.

    Raises RuleError or PositionError.
    """
    from maumau.ruleset.words import reason_sentence

    seats_of(position)
    round_ = Round.from_position(rules, position, seed)
    turn = round_.turn
    assert turn is not None
    seat = turn if seat is None else seat
    others = _other_texts(round_) if seat == turn else []
    playable = _playable(round_, seat)
    explained = dict(round_.explain(seat))
    cards = tuple(
        (card, card in playable, reason_sentence(lang, explained[card], round_.rules))
        for card in _judged(round_, seat, position)
    )
    decides = {str(card): explained[card] for card, _, _ in cards}
    decides |= {text: reason for text in others if (reason := round_.why_not(text)) is not None}
    keys = {text: str(reason.params["rule"]) for text, reason in decides.items() if reason.params.get("rule")}
    start = tuple(_start(round_, lang)) if "starter" in position else ()
    told = tuple(_told(round_, others, lang))
    return Ruling(round_.rules, round_.legal_texts, cards, told, keys, start, seat == turn)


def _playable(round_: Round, seat: int) -> set[Card | None]:
    """The cards that a seat may play, or throw in where it is not on turn."""
    if seat == round_.turn:
        return {action.card for action in round_.legal_actions}
    return {round_.top for action in round_.shouts_of(seat) if action.kind == "throw"}


def _judged(round_: Round, seat: int, position: Mapping[str, Any]) -> list[Card]:
    """The cards that are named, in their order; where none is, those that were dealt."""
    hands = position.get("hands", [None] * round_.seats)
    held = HandOrder(round_, hands).hands[seat]
    # A starter may have made the seat draw: nobody asked about that card.
    return held[: len(hands[seat])] if isinstance(hands[seat], list) else held


def _start(round_: Round, lang: str) -> Iterable[str]:
    """What the starter did, and whose turn it is then."""
    from maumau.ruleset.words import event_sentence, say

    names = [say(lang, "sheet.seat_nth", n=seat + 1) for seat in range(round_.seats)]
    names[(round_.dealer + 1) % round_.seats] = say(lang, "sheet.seat_first")
    names[round_.dealer] = say(lang, "sheet.seat_dealer")
    for event in round_.events:
        if event.kind != "deal":
            yield event_sentence(lang, event, names, round_.rules)
    yield say(lang, "sheet.asked", who=names[round_.turn or 0])


def _other_texts(round_: Round) -> list[str]:
    named = [text for text in round_.legal_texts if text.startswith("=")]
    return [*named, *filter(None, ["+", f"+{round_.penalty}" if round_.penalty else None, "-"])]


def _told(round_: Round, texts: Iterable[str], lang: str) -> Iterable[tuple[str, bool, str]]:
    """Naming, drawing, taking and passing: what may be done, and why the rest may not."""
    from maumau.ruleset.words import reason_sentence

    for text in texts:
        reason = round_.why_not(text)
        allowed = reason or _why_allowed(text, round_.penalty)
        yield text, reason is None, reason_sentence(lang, allowed, round_.rules)


def _why_allowed(text: str, penalty: int) -> Reason:
    if text.startswith("="):
        return Reason("may-name", {"wish": text[1:]})
    return Reason({"+": "may-draw", "-": "may-pass"}.get(text, "may-take"), {"penalty": penalty})
