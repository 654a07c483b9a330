"""A position as plain data is set up as a round's state, or refused in a sentence that names what cannot be."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Any

from maumau.cards import UNKNOWN_TEXT, Card
from maumau.game.errors import PositionError
from maumau.game.hands import cards_of, face
from maumau.game.position import (
    EXTRAS,
    Position,
    dealer_of,
    default_answers,
    default_late,
    seats_of,
    shown,
    whole_at,
)
from maumau.kernel import layout
from maumau.kernel.chance import shuffle_stock
from maumau.kernel.deal import clear_round, sit_out
from maumau.kernel.layout import ANYTHING, NOBODY, WAITING, State, Tables
from maumau.kernel.step import turn_starter
from maumau.kernel.supply import add_to_hand, supply
from maumau.kernel.turns import step_seat
from maumau.ruleset import Ruleset
from maumau.ruleset.keys import powers_of
from maumau.ruleset.tables import kernel_pack


def read_position(s: State, t: Tables, rules: Ruleset, position: Position) -> None:
    """Set a seeded state to a position; unseen cards are dealt by the state's own generator.

    Raises PositionError with the reason and the card where the position cannot be; the state is then of no use.
    """
    _Reader(s, t, rules, position).read()


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
        return None if pile is None else whole_at(self.position, key, 0, layout.PACK)

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
        s.direction = whole_at(self.position, "direction", -1, 1, 1)
        if s.direction == 0:
            raise PositionError("bad-word", key="direction", value="0", words=["1", "-1"])
        turn = self.position.get("turn")
        s.turn = step_seat(s, s.dealer, 1) if turn is None else whole_at(self.position, "turn", 0, self.seats - 1)
        if not s.active[s.turn]:
            raise PositionError("seat-not-in-round", seat=s.turn)
        self._read_empty_hands()
        drawn = self.position.get("drawn")
        if drawn is not None:
            card = self._card(drawn)
            held = cards_of(s.hand0[s.turn])
            if card not in held:
                raise PositionError("drawn-not-held", card=card, seat=s.turn)
            s.drew = whole_at(self.position, "drew", 1, layout.PACK, 1)
            s.drawn = next(n for n in range(layout.CARDS) if s.hand0[s.turn] >> n & 1 and face(n) == card)
        s.passes = whole_at(self.position, "passes", 0, s.active_n - 1, 0)
        s.reshuffled = whole_at(self.position, "reshuffles", 0, self.t.reshuffles, 0)
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
            s.hanging = whole_at(self.position, "hanging", 0, self.seats - 1)
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
        penalty = whole_at(self.position, "penalty", 0, 10 * layout.PACK, 0)
        if penalty == 0:
            return
        if s.phase == WAITING or "extra" in self.position:
            # The turn that made it due still runs, perhaps with other cards on top since.
            s.due = penalty
            s.chain = whole_at(self.position, "answers", 0, layout.PACK, default_answers(penalty, t.draw[s.top]))
            return
        each = t.draw[s.top]
        # A penalty lies under a card that does not draw only where that passes it on, or was laid in the turn that goes on.
        passing = not each and ("pass_on" in powers_of(self.rules.values, face(s.top)) or any(t.again))
        if not t.answerable or not (each or passing):
            raise PositionError("no-penalty-on", card=face(s.top), penalty=penalty)
        self._check_penalty(penalty, each)
        s.penalty = penalty
        s.chain = whole_at(self.position, "answers", 0, layout.PACK, default_answers(penalty, each))

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
            s.late = NOBODY if late is None else whole_at(self.position, "late", 0, self.seats - 1)
            s.fresh = int(s.late == s.turn and s.drew == 0 and "extra" in self.position)

    def _read_rest(self) -> None:
        """The keys that few tables need."""
        s, t, position = self.s, self.t, self.position
        self._refuse_what_these_rules_lack()
        s.skips = whole_at(position, "skips", 0, 99, 0)
        s.due_skips = whole_at(position, "due_skips", 0, 99, 0)
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
            whole_at(position, "drew", 1, t.draw_most)


def _listed(pile: list[int | None] | int | None) -> list[int | None]:
    return pile if isinstance(pile, list) else []
