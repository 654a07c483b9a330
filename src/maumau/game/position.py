"""Positions as plain data, read into a round's state and written from it.

The keys are those of the position text: ``top`` or ``starter`` or ``deal``, ``hands``, ``wish``, ``penalty``, ``turn``,
``direction``, ``stock``, ``discard``, ``dealer``, ``drawn``, ``free``, ``passes``, ``owing``, ``totals``; and some that are
written only where they cannot be told from the rest: ``reshuffles`` (how often the stock was renewed), ``answers`` (how many cards have answered the penalty), ``late`` (the
seat that may still call late, or null), ``places`` (seats that are out, in order, where play goes on for the places),
``skips`` (turns pending that may be passed on), ``due_skips`` (skips that the running turn will make pending), ``extra`` (why
the turn goes on after a card: may, must or equal), ``drew`` (how many cards were drawn, if not one), ``paid`` (the penalty is
paid and a card may follow), ``rest`` (turns that each seat must still sit out), ``called`` (seats that have called and hold
one card), ``closed_with`` (the winner's last card, where play goes on), ``hanging`` (the seat whose last card may come back to it), ``fined`` (seats that paid for a false shout this turn).
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any, Final

from maumau.cards import UNKNOWN_TEXT, Card
from maumau.game.errors import PositionError
from maumau.game.hands import cards_of, face, hand_of
from maumau.game.judge import wish_of
from maumau.kernel import layout
from maumau.kernel.chance import shuffle_stock
from maumau.kernel.deal import clear_round, sit_out
from maumau.kernel.layout import ANYTHING, NAMING, NOBODY, WAITING, State, Tables
from maumau.kernel.step import step_seat, turn_starter
from maumau.kernel.supply import add_to_hand, supply
from maumau.ruleset import Ruleset
from maumau.ruleset.keys import powers_of
from maumau.ruleset.tables import kernel_pack

Position = Mapping[str, Any]

EXTRAS: Final = ("none", "may", "must", "equal")

KEYS: Final = frozenset(
    [
        "top",
        "starter",
        "deal",
        "hands",
        "wish",
        "penalty",
        "turn",
        "direction",
        "stock",
        "discard",
        "dealer",
        "drawn",
        "free",
        "passes",
        "reshuffles",
        "owing",
        "totals",
        "answers",
        "late",
        "places",
        "skips",
        "due_skips",
        "extra",
        "drew",
        "paid",
        "rest",
        "called",
        "hanging",
        "fined",
        "closed_with",
    ]
)


def seats_of(position: Position) -> int:
    """How many seats a position has; raises PositionError where it does not say."""
    if not isinstance(position, Mapping):
        raise PositionError("not-a-position", value=shown(position))
    unknown = sorted(str(key) for key in position.keys() - KEYS)
    if unknown:
        raise PositionError("unknown-key", key=unknown[0], keys=sorted(KEYS))
    if "deal" in position:
        seats = _whole(position, "deal", 2, layout.SEATS)
        beside = sorted(position.keys() - {"deal", "dealer", "totals"})
        if beside:
            raise PositionError("not-with-deal", key=beside[0])
        return seats
    hands = position.get("hands")
    if not isinstance(hands, list) or not 2 <= len(hands) <= layout.SEATS:
        raise PositionError("no-hands")
    return len(hands)


def dealer_of(position: Position, seats: int) -> int:
    """Who deals in a position: the last seat, unless it says otherwise."""
    return _whole(position, "dealer", 0, seats - 1, seats - 1)


def read_position(s: State, t: Tables, rules: Ruleset, position: Position) -> None:
    """Set a seeded state to a position; unseen cards are dealt by the state's own generator.

    Raises PositionError with the reason and the card where the position cannot be; the state is then of no use.
    """
    _Reader(s, t, rules, position).read()


def shown(value: object) -> str:
    """A value as a position text would write it, cut short."""
    try:
        return json.dumps(value, ensure_ascii=False)[:40]
    except (TypeError, ValueError, RecursionError):
        return f"({type(value).__name__})"


def _whole(position: Position, key: str, least: int, most: int, default: int | None = None) -> int:
    value = position.get(key, default)
    if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= most:
        raise PositionError("bad-number", key=key, value=shown(value), least=least, most=most)
    return value


class _Reader:
    """Reads one position: named cards first, unseen ones after them, then everything that is not a card."""

    def __init__(self, s: State, t: Tables, rules: Ruleset, position: Position) -> None:
        self.s = s
        self.t = t
        self.rules = rules
        self.position = position
        self.unseen: list[int] = kernel_pack(rules)
        self.left = Counter(face(number) for number in self.unseen)
        self.seats = seats_of(position)

    def read(self) -> None:
        s, position = self.s, self.position
        clear_round(s, self.seats)
        starter = self._starter_or_top()
        hands = [self._hand(seat, hand) for seat, hand in enumerate(position["hands"])]
        stock = self._pile("stock")
        discard = self._pile("discard")
        s.dealer = dealer_of(position, self.seats)
        self._lay_out(starter, hands, stock, discard)
        self._sit_out(hands)
        if "starter" in position:
            self._refuse_empty_hands()
            turn_starter(s, self.t, starter)
            return
        s.discard[s.discard_n - 1] = starter
        s.top = starter
        self._read_turn(hands)
        self._read_demand()
        self._read_penalty()
        self._read_windows()
        self._read_rest()

    def _starter_or_top(self) -> int:
        key = "starter" if "starter" in self.position else "top"
        if key not in self.position:
            raise PositionError("no-top")
        number = self._take(self._card(self.position[key]))
        if key == "starter":
            only_turn = sorted(self.position.keys() - {"starter", "hands", "stock", "dealer", "totals"})
            if only_turn:
                raise PositionError("not-at-start", key=only_turn[0])
            if self.t.redraw & self.t.bit[number]:
                raise PositionError(f"starter-redrawn-{self.rules['start.redraw']}", card=face(number))
            if self.t.start_cards and not self.t.start_cards & self.t.bit[number]:
                raise PositionError("not-a-starter", card=face(number), rank=str(self.rules["start.rank"]))
        return number

    def _card(self, text: object) -> Card:
        try:
            return Card.parse(text if isinstance(text, str) else repr(text))
        except ValueError:
            raise PositionError("not-a-card", text=str(text)[:20]) from None

    def _take(self, card: Card) -> int:
        """Take a named card out of the unseen ones."""
        if not self.left[card]:
            held = Counter(face(number) for number in kernel_pack(self.rules))[card]
            raise (
                PositionError("card-too-often", card=card, held=held)
                if held
                else PositionError("not-in-pack", card=card)
            )
        self.left[card] -= 1
        number = next(number for number in self.unseen if face(number) == card)
        self.unseen.remove(number)
        return number

    def _named(self, cards: Iterable[object]) -> list[int | None]:
        """Kernel numbers of named cards; an unknown card is None and is dealt later."""
        return [None if text in (UNKNOWN_TEXT, None) else self._take(self._card(text)) for text in cards]

    def _hand(self, seat: int, hand: object) -> list[int | None] | None:
        if hand is None:
            return None
        if isinstance(hand, list):
            return self._named(hand)
        if isinstance(hand, bool) or not isinstance(hand, int) or not 0 <= hand <= layout.PACK:
            raise PositionError("bad-hand", seat=seat, value=shown(hand))
        return [None] * hand

    def _pile(self, key: str) -> list[int | None] | int | None:
        pile = self.position.get(key)
        if isinstance(pile, list):
            return self._named(pile)
        return None if pile is None else _whole(self.position, key, 0, layout.PACK)

    def _lay_out(self, top: int, hands: list[list[int | None] | None], stock: Any, discard: Any) -> None:
        """Put every card of the pack in a place: hands, stock (drawn from its end), discards under the top."""
        s = self.s
        s.stock_n = len(self.unseen)
        s.stock[: s.stock_n] = self.unseen
        shuffle_stock(s)
        self.unseen = s.stock[: s.stock_n]
        for seat, hand in enumerate(hands):
            for number in hand or ():
                add_to_hand(s, self.t, seat, self._deal_unseen(seat) if number is None else number)
        drawn_first = [self._deal_unseen(None) if number is None else number for number in _listed(stock)]
        under = [self._deal_unseen(None) if number is None else number for number in _listed(discard)]
        rest = self._rest_in_stock(stock, discard)
        beneath = self.unseen[rest:]
        cards = [*self.unseen[:rest], *reversed(drawn_first)]
        s.stock_n = len(cards)
        s.stock[: s.stock_n] = cards
        cards = [*beneath, *under, top]
        s.discard_n = len(cards)
        s.discard[: s.discard_n] = cards

    def _deal_unseen(self, seat: int | None) -> int:
        if not self.unseen:
            raise PositionError("too-many-cards", pack=len(self.rules.pack), seat=seat)
        return self.unseen.pop()

    def _rest_in_stock(self, stock: Any, discard: Any) -> int:
        """How many of the unseen cards lie in the stock; the others lie deepest in the discard pile."""
        rest = len(self.unseen)
        if isinstance(stock, int) and isinstance(discard, int) and stock + discard != rest:
            raise PositionError("counts-do-not-add-up", stock=stock, discard=discard, rest=rest)
        if isinstance(stock, int):
            in_stock = stock
        elif isinstance(discard, int):
            in_stock = rest - discard
        else:
            in_stock = 0 if stock == [] else rest
        bad = not 0 <= in_stock <= rest or (isinstance(stock, int) and isinstance(discard, list) and in_stock != rest)
        if bad:
            raise PositionError(
                "counts-do-not-add-up",
                stock=stock if isinstance(stock, int) else None,
                discard=discard if isinstance(discard, int) else None,
                rest=rest,
            )
        return in_stock

    def _sit_out(self, hands: list[list[int | None] | None]) -> None:
        for seat, hand in enumerate(hands):
            if hand is None:
                sit_out(self.s, seat)
        places = self.position.get("places", [])
        for seat in self._seat_list("places"):
            if self.s.hand_n[seat] or not self.t.play_on:
                raise PositionError("not-out", seat=seat)
            sit_out(self.s, seat)
        if places:
            self.s.places[: len(places)] = places
            self.s.places_n = len(places)
            self.s.winner = places[0]
            if self.position.get("closed_with") is not None:
                self.s.closed_with = int(self._card(self.position["closed_with"]))
        if self.s.active_n < 2 or (not self.s.active[self.s.dealer] and not places and "starter" in self.position):
            raise PositionError("too-few-players")

    def _seat_list(self, key: str) -> list[int]:
        seats = self.position.get(key, [])
        if not isinstance(seats, list):
            raise PositionError("bad-seat", key=key, seat=shown(seats), seats=self.seats)
        for seat in seats:
            if isinstance(seat, bool) or not isinstance(seat, int) or not 0 <= seat < self.seats:
                raise PositionError("bad-seat", key=key, seat=shown(seat), seats=self.seats)
        return seats

    def _read_turn(self, hands: list[list[int | None] | None]) -> None:
        s = self.s
        s.direction = _whole(self.position, "direction", -1, 1, 1)
        if s.direction == 0:
            raise PositionError("bad-word", key="direction", value="0", words=["1", "-1"])
        turn = self.position.get("turn")
        s.turn = step_seat(s, s.dealer, 1) if turn is None else _whole(self.position, "turn", 0, self.seats - 1)
        if not s.active[s.turn]:
            raise PositionError("seat-not-in-round", seat=s.turn)
        self._read_empty_hands()
        drawn = self.position.get("drawn")
        if drawn is not None:
            card = self._card(drawn)
            held = cards_of(s.hand0[s.turn])
            if card not in held:
                raise PositionError("drawn-not-held", card=card, seat=s.turn)
            s.drew = _whole(self.position, "drew", 1, layout.PACK, 1)
            s.drawn = next(n for n in range(layout.CARDS) if s.hand0[s.turn] >> n & 1 and face(n) == card)
        s.passes = _whole(self.position, "passes", 0, s.active_n - 1, 0)
        s.reshuffled = _whole(self.position, "reshuffles", 0, self.t.reshuffles, 0)
        if s.passes and supply(s, self.t) and not self.t.free_pass:
            raise PositionError("no-passes-yet", passes=s.passes, left=supply(s, self.t))

    def _refuse_empty_hands(self) -> None:
        """At the start of a round everybody who plays holds cards."""
        for seat in range(self.seats):
            if self.s.active[seat] and not self.s.hand_n[seat]:
                raise PositionError("hand-is-empty", seat=seat)

    def _read_empty_hands(self) -> None:
        """A seat without cards waits to be caught or let stand; anything else would be a round that is over."""
        s, t = self.s, self.t
        if self.position.get("hanging") is not None:
            s.hanging = _whole(self.position, "hanging", 0, self.seats - 1)
            if not t.final_back or not self.position.get("penalty") or not s.active[s.hanging]:
                raise PositionError("not-by-rules" if not t.final_back else "not-here", key="hanging")
        empty = [seat for seat in range(self.seats) if s.active[seat] and not s.hand_n[seat] and seat != s.hanging]
        if not empty:
            return
        waits = (
            len(empty) == 1 and t.spoken and t.needed and empty[0] in self._seat_list("owing") and empty[0] != s.turn
        )
        if not waits:
            raise PositionError("hand-is-empty", seat=empty[0])
        s.phase = WAITING
        s.laid = empty[0]

    def _read_demand(self) -> None:
        s, t, position = self.s, self.t, self.position
        wish, free = position.get("wish"), position.get("free", False)
        if not isinstance(free, bool):
            raise PositionError("bad-word", key="free", value=shown(free), words=["true", "false"])
        if wish is not None and (not isinstance(wish, str) or wish not in ("c", "d", "h", "s")):
            raise PositionError("bad-wish", wish=shown(wish))
        if (wish or free) and not t.wishes & t.bit[s.top]:
            raise PositionError("no-wish-on", card=face(s.top))
        if free and (wish or t.start_wish == layout.DEALER_NAMES or s.discard_n > 1):
            raise PositionError("not-free", card=face(s.top))
        s.demand = ANYTHING if free else 1 + "cdhs".index(wish) if wish else layout.PRINTED

    def _read_penalty(self) -> None:
        s, t = self.s, self.t
        penalty = _whole(self.position, "penalty", 0, 10 * layout.PACK, 0)
        if penalty == 0:
            return
        if s.phase == WAITING or "extra" in self.position:
            # The turn that made it due still runs, perhaps with other cards on top since.
            s.due = penalty
            s.chain = _whole(self.position, "answers", 0, layout.PACK, default_answers(penalty, t.draw[s.top]))
            return
        each = t.draw[s.top]
        # A penalty lies under a card that does not draw only where that passes it on, or was laid in the turn that goes on.
        passing = not each and ("pass_on" in powers_of(self.rules.values, face(s.top)) or any(t.again))
        if not t.answerable or not (each or passing):
            raise PositionError("no-penalty-on", card=face(s.top), penalty=penalty)
        self._check_penalty(penalty, each)
        s.penalty = penalty
        s.chain = _whole(self.position, "answers", 0, layout.PACK, default_answers(penalty, each))

    def _check_penalty(self, penalty: int, each: int) -> None:
        """Refuse a penalty that equal drawing cards of one rank cannot add up to; other chains are taken as they are.

        So is any after the stock was renewed: a card may have come back and been laid again under the same penalty.
        """
        s, t = self.s, self.t
        if self.position.get("drawn") is not None:
            raise PositionError("impossible-penalty", card=face(s.top), penalty=penalty, each=each, most=0)
        same = [number for number in kernel_pack(self.rules) if t.answers[s.top] & t.bit[number]]
        draws = {t.draw[number] for number in same}
        most = sum(t.draw[number] for number in same)
        if "stock" not in self.position and "discard" not in self.position:
            # Nothing was turned over since: what lies in a hand does not lie under the top card.
            most -= sum(t.draw[number] for number in self._in_hands() if number in same)
        if t.cap and not (t.throw_in or t.several or any(t.again)):
            most = min(most, each * (t.cap + 1))
        simple = draws == {each} and not t.doubling and each > 0 and not self.position.get("reshuffles")
        if simple and (penalty > most or penalty % each):
            raise PositionError("impossible-penalty", card=face(s.top), penalty=penalty, each=each, most=most)

    def _in_hands(self) -> list[int]:
        """The kernel numbers of the cards that the position names in hands."""
        named = [text for hand in self.position["hands"] if isinstance(hand, list) for text in hand]
        return [int(self._card(text)) for text in named if text not in (UNKNOWN_TEXT, None)]

    def _read_windows(self) -> None:
        s, t = self.s, self.t
        if self.position.get("paid") is True and t.after_penalty == layout.MAY_PLAY:
            s.drew = t.draw_most  # who has paid has acted, which the windows hang on
        owing = self._seat_list("owing")
        for seat in owing:
            if not t.spoken or not (s.active[seat]):
                raise PositionError("cannot-owe", seat=seat)
            s.owing |= t.bit[seat]
        if owing:
            s.late = default_late(s)
        if "late" in self.position:
            late = self.position["late"]
            s.late = NOBODY if late is None else _whole(self.position, "late", 0, self.seats - 1)
            s.fresh = int(s.late == s.turn and s.drew == 0 and "extra" in self.position)

    def _read_rest(self) -> None:
        """The keys that few tables need."""
        s, t, position = self.s, self.t, self.position
        self._refuse_what_these_rules_lack()
        s.skips = _whole(position, "skips", 0, 99, 0)
        s.due_skips = _whole(position, "due_skips", 0, 99, 0)
        if s.skips and not t.skip_answerable:
            raise PositionError("bad-number", key="skips", value=str(s.skips), least=0, most=0)
        extra = position.get("extra")
        if extra is not None and extra not in EXTRAS[1:]:
            raise PositionError("bad-word", key="extra", value=shown(extra), words=list(EXTRAS[1:]))
        s.extra = 0 if extra is None else EXTRAS.index(extra)
        rest = position.get("rest", [0] * self.seats)
        if (
            not isinstance(rest, list)
            or len(rest) != self.seats
            or not all(type(n) is int and 0 <= n < 100 for n in rest)
        ):
            raise PositionError("bad-rest", key="rest", value=shown(rest), n=self.seats)
        s.rest[: self.seats] = rest
        s.called = sum(1 << seat for seat in self._seat_list("called") if s.hand_n[seat] == 1)
        s.fined = sum(1 << seat for seat in self._seat_list("fined"))

    def _refuse_what_these_rules_lack(self) -> None:
        """Refuse a key that says something which cannot happen by these rules, or not in this position."""
        t, position = self.t, self.position
        going_on = position.get("extra")
        lacking = {
            "skips": not t.skip_answerable,
            "rest": not t.skip_answerable,
            "paid": t.after_penalty != layout.MAY_PLAY,
            "called": not t.spoken,
            "fined": not (t.false_call or t.false_catch),
            "places": not t.play_on,
            "closed_with": not t.play_on,
            "extra": not t.several if going_on == "equal" else going_on in EXTRAS and not any(t.again),
        }
        for key, lacks in lacking.items():
            given = position.get(key)
            if lacks and given and (not isinstance(given, list) or any(given) or key in ("called", "fined", "places")):
                raise PositionError("not-by-rules", key=key)
        needed = {
            "due_skips": "extra" in position or self.s.phase == WAITING,
            "answers": bool(position.get("penalty")),
            "drew": position.get("drawn") is not None,
            "closed_with": bool(position.get("places")),
        }
        for key, there in needed.items():
            if position.get(key) and not there:
                raise PositionError("not-here", key=key)
        if position.get("drew") and t.draw_most != layout.NO_LIMIT:
            _whole(position, "drew", 1, t.draw_most)


def default_answers(penalty: int, each: int) -> int:
    """How many answers a penalty of cards that draw so many each tells of."""
    return max(0, penalty // each - 1) if each else 0


def _listed(pile: list[int | None] | int | None) -> list[int | None]:
    return pile if isinstance(pile, list) else []


def default_late(s: State) -> int:
    """Who may still call late where a position does not say: the owing seat nearest before the turn.

    If the seat on turn has drawn, it has acted, so that nobody else can.
    """
    if not s.drew:
        for back in range(1, s.seats):
            seat = (s.turn - s.direction * back) % s.seats
            if s.owing >> seat & 1:
                return seat
    return s.turn if s.owing >> s.turn & 1 else NOBODY


def write_position(s: State, t: Tables, totals: Iterable[int] | None = None) -> dict[str, Any]:
    """The position of a state as plain data that ``read_position`` reads back; stock cards are listed first drawn first."""
    hands = [[str(card) for card in hand_of(s, seat)] if _sits(s, seat) else None for seat in range(s.seats)]
    stock = [str(face(number)) for number in reversed(s.stock[: s.stock_n])]
    data: dict[str, Any]
    if s.phase == NAMING:
        data = {"starter": str(face(s.top)), "hands": hands, "stock": stock, "dealer": s.dealer}
    else:
        data = {"top": str(face(s.top)), "hands": hands, "turn": s.turn, "direction": s.direction, "stock": stock}
        data["discard"] = [str(face(number)) for number in s.discard[: s.discard_n - 1]]
        data["dealer"] = s.dealer
        data |= _write_rest(s, t)
    if totals is not None:
        data["totals"] = list(totals)
    return data


def _sits(s: State, seat: int) -> bool:
    return bool(s.active[seat] or s.hand_n[seat] or seat in s.places[: s.places_n])


def _write_rest(s: State, t: Tables) -> dict[str, Any]:
    wish = wish_of(s)
    data: dict[str, Any] = {"wish": wish.letter if wish is not None else None, "penalty": s.penalty or s.due}
    data["free"] = s.demand == ANYTHING
    data["passes"] = s.passes
    data["drawn"] = str(face(s.drawn)) if s.drawn != NOBODY else None
    data["owing"] = [seat for seat in range(s.seats) if s.owing >> seat & 1]
    pending = s.penalty or s.due
    if pending and s.chain != default_answers(pending, t.draw[s.top]):
        data["answers"] = s.chain
    if s.owing and s.late != default_late(s):
        data["late"] = None if s.late == NOBODY else s.late
    if s.places_n and s.phase != layout.OVER:
        data["places"] = s.places[: s.places_n]
        data["closed_with"] = str(face(s.closed_with)) if s.closed_with != NOBODY else None
    return data | _write_rare(s, t)


def _write_rare(s: State, t: Tables) -> dict[str, Any]:
    """The keys that few tables need, where they say something."""
    data: dict[str, Any] = {}
    if s.reshuffled:
        data["reshuffles"] = s.reshuffled
    if s.skips:
        data["skips"] = s.skips
    if s.due_skips:
        data["due_skips"] = s.due_skips
    if s.extra:
        data["extra"] = EXTRAS[s.extra]
    if s.drawn != NOBODY and s.drew != 1:
        data["drew"] = s.drew
    if s.drawn == NOBODY and s.drew:
        data["paid"] = True
    if any(s.rest[: s.seats]):
        data["rest"] = s.rest[: s.seats]
    called = [seat for seat in range(s.seats) if s.called >> seat & 1 and s.hand_n[seat] == 1]
    if called and t.call_to_finish:
        data["called"] = called
    if s.hanging != NOBODY:
        data["hanging"] = s.hanging
    if s.fined:
        data["fined"] = [seat for seat in range(s.seats) if s.fined >> seat & 1]
    return data
