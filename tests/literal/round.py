"""A slow, literal referee: one round of Mau-Mau written from the rule tables with sets, lists and dicts.

It is a second implementation of the rules, made without a look at the engine's, so that the two can be compared. It
favours being read over being fast. Cards and actions are texts (``9h``, ``*`` for a joker; ``Js=c!``, ``+``, ``+4``,
``-``, ``=h``, ``2!``, ``1?0``). The rules of the table come as the flat mapping of a resolved ruleset
(``Ruleset.parse(code).at(seats).values``). Chance is not its own: the deal is given, and a reshuffle asks back for the
new order. Where a comment says "Reading", the rule tables leave a choice open and the line takes one.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence

Values = Mapping[str, bool | int | str]
Reshuffled = Callable[[list[str]], list[str]]

SUITS = ("c", "d", "h", "s")
JOKER = "*"
EVERYONE = "all"

_PLAY = re.compile(r"(?P<card>\*|(?:10|[2-9TJQKA])[cdhs])(?:=(?P<wish>[cdhs]))?(?P<call>!?)")
_CALL = re.compile(r"(?P<seat>\d)!")
_CATCH = re.compile(r"(?P<seat>\d)\?(?P<target>\d)")
_TAKE = re.compile(r"\+(?P<count>\d+)")


class RefusedError(ValueError):
    """An action that is not legal, with the reason in words."""


class LiteralRound:
    """A round in play, one method for each thing that can happen in it."""

    def __init__(
        self,
        values: Values,
        hands: Sequence[Sequence[str] | None],
        stock: Sequence[str],
        discard: Sequence[str],
        dealer: int,
        turn: int | None = None,
        reshuffled: Reshuffled | None = None,
    ) -> None:
        """A round in the middle; `stock` is in drawing order, `discard` ends with the top card."""
        self.values = values
        self.hands: list[list[str]] = [list(hand or ()) for hand in hands]
        self.playing: list[bool] = [hand is not None for hand in hands]
        self.stock = list(stock)
        self.discard = list(discard)
        self.dealer = dealer
        self.direction = 1
        self.places: list[int] = []  # who is out, first out first
        self.turn: int | None = self.next_seat(dealer) if turn is None else turn
        self.wish: str | None = None
        self.penalty = 0
        self.answers = 0  # how often the pending penalty has been answered (penalty.cap)
        self.free = False  # the starter's free play still stands
        self.naming = False  # the dealer has yet to name the starter's suit
        self.drawn: str | None = None  # the card that the seat on turn has drawn in this turn
        self.begun = False  # the present turn has had its first action
        self.passes = 0  # passes in a row with nothing to draw
        self.owing: set[int] = set()  # seats that missed a call and can still be caught
        self.may_call_late: set[int] = set()  # those of them that may still call: no other seat has acted since
        self.waiting: int | None = None  # the seat whose silent last card is on the pile, where the round waits
        self.over = False
        self.blocked = False
        self.winner: int | None = None
        self.closing: str | None = None  # the card with which the winner went out
        self.points: list[int] = [0] * len(self.hands)
        self.reshuffles = 0
        self._powers: dict[tuple[str, str], int | bool | str] = {}  # what has been looked up once
        self._reshuffled: Reshuffled = reshuffled or (lambda cards: cards)

    @classmethod
    def start(
        cls,
        values: Values,
        hands: Sequence[Sequence[str] | None],
        stock: Sequence[str],
        starter: str,
        dealer: int,
        reshuffled: Reshuffled | None = None,
    ) -> LiteralRound:
        """A round just dealt: the starter acts as if the dealer had played it, where the book says so.

        Reading: a dealer who names the suit does so first, as one wishes with the play; what else the starter does follows.
        And start.wish alone says what a wishing starter means, also where the other starters do nothing.
        """
        self = cls(values, hands, stock, [starter], dealer, None, reshuffled)
        wishes = self.wishes(starter)
        if wishes and values["start.wish"] == "dealer":
            self.naming = True
            return self
        self.free = wishes
        if values["start.acts"]:
            self._effect(dealer, starter)
        return self

    # --- who is in, and who comes next -------------------------------------------------------------------------------

    @property
    def top(self) -> str:
        return self.discard[-1]

    @property
    def phase(self) -> str:
        if self.over:
            return "over"
        if self.naming:
            return "name"
        return "play" if self.waiting is None else "wait"

    @property
    def on_turn(self) -> int | None:
        """The seat whose turn actions `legal` lists: the dealer while the starter's suit is not named."""
        if self.over:
            return None
        return self.dealer if self.naming else self.turn

    def seats_in(self) -> list[int]:
        """The seats still in the round: they play in it and are not out yet."""
        return [seat for seat in range(len(self.hands)) if self.playing[seat] and seat not in self.places]

    def next_seat(self, seat: int, steps: int = 1) -> int:
        """The seat `steps` further in the direction of play, counting only seats still in the round."""
        while steps:
            seat = (seat + self.direction) % len(self.hands)
            if self.playing[seat] and seat not in self.places:
                steps -= 1
        return seat

    # --- what the cards can do ---------------------------------------------------------------------------------------

    def power(self, card: str, power: str) -> int | bool | str:
        """A power that is not named is none.

        Reading: a value for one card (power.Kh.draw) goes before the value for its rank (power.K.draw).
        """
        if (card, power) not in self._powers:
            general = self.values.get(f"power.{self._rank(card)}.{power}", 0)
            self._powers[card, power] = self.values.get(f"power.{card}.{power}", general)
        return self._powers[card, power]

    def draws(self, card: str) -> int:
        return int(self.power(card, "draw"))

    def wishes(self, card: str) -> bool:
        return bool(self.power(card, "wish"))

    # --- what is legal -----------------------------------------------------------------------------------------------

    def fits(self, card: str) -> bool:
        """Whether the card may go on the top card as things stand, leaving aside whose it is and what it leaves."""
        top = self.top
        if self.penalty:
            return self._answers_penalty(card)
        if self.free:
            return not (self.values["start.wish"] == "free-plain" and self.wishes(card))
        if self.wishes(card):
            # Reading: jokers count as a rank of their own, so a wishing joker on a wishing joker is Jack on Jack.
            return bool(self.values["wish.on_wish"]) or not (self.wishes(top) and card[0] == top[0])
        if card == JOKER:
            return True
        if self.wish is not None:
            return card[1] == self.wish
        if top == JOKER:
            return True
        # So also on a wishing card without a wish, whose printed suit is in force. Reading: where only one card of a rank
        # wishes, its rank counts as well.
        return card[1] == top[1] or card[0] == top[0]

    def _answers_penalty(self, card: str) -> bool:
        """A drawing card of the top card's rank answers.

        Reading: a drawing joker is answered by a joker alone, and answering has its own rule: a drawing card that also
        wishes answers its own rank even where Jack on Jack is off.
        """
        cap = int(self.values["penalty.cap"])
        if self.values["penalty.answer"] != "same" or (cap and self.answers >= cap):
            return False
        return card[0] == self.top[0] and self.draws(card) > 0

    def _may_finish(self, card: str) -> bool:
        return card[0] not in str(self.values["end.forbidden"]) or self.values["end.forbidden"] == "none"

    def _playable(self, card: str) -> bool:
        """Whether the seat on turn may play this card of its hand now."""
        hand = self._hand()
        if card not in hand or not self.fits(card):
            return False
        if len(hand) == 1 and not self._may_finish(card):
            return False
        return self.drawn is None or self.values["draw.then"] == "any" or card == self.drawn

    def _hand(self) -> list[str]:
        return [] if self.turn is None else self.hands[self.turn]

    def _plays(self) -> set[str]:
        """The plays without `!`; the card that empties the hand needs no wish."""
        plays: set[str] = set()
        hand = self._hand()
        for card in hand:
            if not self._playable(card):
                continue
            if self.wishes(card) and len(hand) > 1:
                plays |= {f"{card}={suit}" for suit in SUITS}
            else:
                plays.add(card)
        return plays

    def _something_to_draw(self) -> bool:
        return bool(self.stock) or len(self.discard) > 1

    def legal(self) -> set[str]:
        """The action texts of the seat on turn; plays stand without `!`."""
        if self.over:
            return set()
        if self.naming:
            return {f"={suit}" for suit in SUITS}
        if self.waiting is not None:
            return {"-"}
        plays = self._plays()
        if self.penalty:
            return plays | {f"+{self.penalty}"}
        if self.drawn is not None:
            return plays | {"-"}
        if self.values["draw.when"] == "stuck" and plays:
            return plays
        return plays | ({"+"} if self._something_to_draw() else {"-"})

    def call_due(self) -> set[str]:
        """The legal plays that may carry a `!`: those that leave one card, or none, where calls are spoken."""
        if self.values["call.mode"] != "spoken" or self.phase != "play" or len(self._hand()) not in (1, 2):
            return set()
        return self._plays()

    def shouts(self) -> dict[int, set[str]]:
        """Late calls and catches, by seat; a seat with neither is not named."""
        shouts: dict[int, set[str]] = {}
        if self.over:
            return shouts
        for target in self.owing:
            if target in self.may_call_late:
                shouts.setdefault(target, set()).add(f"{target}!")
            for seat in self.seats_in():
                if seat != target:
                    shouts.setdefault(seat, set()).add(f"{seat}?{target}")
        return shouts

    # --- what happens ------------------------------------------------------------------------------------------------

    def do(self, text: str) -> None:
        """Take one action of the seat on turn, or one shout of any seat; RefusedError where it is not legal."""
        if self.over:
            raise RefusedError(f"{text}: the round is over")
        if match := _CALL.fullmatch(text):
            self._call(int(match["seat"]))
        elif match := _CATCH.fullmatch(text):
            self._catch(int(match["seat"]), int(match["target"]))
        elif self.naming:
            self._name(text)
        elif self.waiting is not None:
            self._let_stand(text)
        elif match := _PLAY.fullmatch(text):
            self._play(match["card"].replace("10", "T"), match["wish"], bool(match["call"]))
        elif text not in self.legal():
            raise RefusedError(f"{text} is not legal here")
        elif text == "-":
            self._pass()
        elif text == "+":
            self._draw()
        elif _TAKE.fullmatch(text):
            self._take()

    def _acted(self, seat: int) -> None:
        """A late call is open only until another seat does anything."""
        self.may_call_late &= {seat}

    def _begin(self, seat: int) -> None:
        """An action of the turn; the first one begins the turn and closes windows."""
        self._acted(seat)
        if self.begun:
            return
        self.begun = True
        if self.values["call.window"] == "next-begins":
            self._close(set(self.owing))
        elif self.values["call.window"] == "own-begins":
            self._close({seat})

    def _end(self) -> None:
        """The action that ends the turn; with it the window "the next turn ends" closes for every earlier play."""
        if self.values["call.window"] == "next-ends":
            self._close(set(self.owing))
        self.begun = False
        self.drawn = None

    def _close(self, seats: set[int]) -> None:
        self.owing -= seats
        self.may_call_late -= seats

    def _owe(self, seat: int) -> None:
        self.owing.add(seat)
        self.may_call_late.add(seat)

    # playing

    def _play(self, card: str, wish: str | None, called: bool) -> None:
        seat = self.turn
        assert seat is not None
        hand = self.hands[seat]
        if not self._playable(card):
            raise RefusedError(f"{card} is not legal here")
        last = len(hand) == 1
        if self.wishes(card) and not last and wish is None:
            raise RefusedError(f"{card} needs a wish")
        if not self.wishes(card) and wish is not None:
            raise RefusedError(f"{card} wishes nothing")
        if called and (self.values["call.mode"] != "spoken" or len(hand) > 2):
            raise RefusedError(f"{card}!: no call is due")
        self._begin(seat)
        hand.remove(card)
        self.discard.append(card)
        self.wish = None if last else wish  # a wish given with the last card is ignored
        self.free = False
        self.passes = 0
        self._end()
        silent = self.values["call.mode"] == "spoken" and not called
        if last and silent and self.values["call.needed"]:
            self.waiting = seat
            self.turn = self.next_seat(seat)  # Reading: the card has no effect yet, so its 8 or 9 moves nobody
            self._owe(seat)
        elif last:
            self._out(seat)
        else:
            if len(hand) == 1 and silent:
                self._owe(seat)
            self._effect(seat, card)

    def _effect(self, seat: int, card: str) -> None:
        """What the card does after it was played: turns, makes the others draw, then draws or skips."""
        if self.draws(card) and self.penalty:
            self.answers += 1
        # Reading: `skip all` is everyone else once round, whatever else the card does.
        others = [other for other in self.seats_in() if other != seat]
        power = self.power(card, "skip")
        skips = len(others) if power == EVERYONE else int(power)
        if self.power(card, "reverse"):
            if len(self.seats_in()) > 2:
                self.direction = -self.direction
            elif self.values["reverse.two"] == "skip" and power != EVERYONE:
                skips += 1
        for step in range(1, len(others) + 1):
            self._draw_cards(self.next_seat(seat, step), int(self.power(card, "others")))
        self.turn = self.next_seat(seat, 1 + skips)
        self.begun = False
        self.drawn = None
        if not self.draws(card):
            return
        if self.values["penalty.answer"] == "none":
            # Resolved at once: part of the play and no turn of the victim's, so no call window moves.
            if not self._draw_cards(self.turn, self.draws(card)):
                self.passes += 1
            self.turn = self.next_seat(self.turn)
        else:
            self.penalty += self.draws(card)

    # going out

    def _out(self, seat: int) -> None:
        """The seat has laid its last card and nobody can object any more."""
        self.waiting = None
        self._close({seat})
        self.places.append(seat)
        if self.winner is None:
            self.winner = seat
            self.closing = self.top
        if self.values["end.play_on"] and len(self.seats_in()) > 1:
            self._effect(seat, self.top)
            return
        draws = self.draws(self.top)
        if self.values["end.final_draw"] and draws:
            self._draw_cards(self.next_seat(seat), self.penalty + draws)
        self._finish()

    def _let_stand(self, text: str) -> None:
        """All that the next seat may do with a silent last card, other than to catch it.

        Reading: it is no turn and moves no call window, but it is an act of another seat.
        """
        waiting = self.waiting
        if text != "-" or waiting is None or self.turn is None:
            raise RefusedError(f"{text}: the last card waits")
        self._acted(self.turn)
        self._out(waiting)

    # drawing and passing

    def _draw_card(self, seat: int) -> str | None:
        """One card from the stock; when that is empty, all discards but the top are shuffled into a new one."""
        if not self.stock and len(self.discard) > 1:
            below = sorted(self.discard[:-1])
            self.discard = self.discard[-1:]
            self.stock = list(self._reshuffled(below))
            assert sorted(self.stock) == below, "a reshuffle may change the order only"
            self.reshuffles += 1
        if not self.stock:
            return None
        card = self.stock.pop(0)
        self.hands[seat].append(card)
        self.passes = 0  # any card drawn starts the count of passes again
        return card

    def _draw_cards(self, seat: int, count: int) -> int:
        """Draw what there is, up to `count`; how many it were."""
        return sum(self._draw_card(seat) is not None for _ in range(count))

    def _draw(self) -> None:
        seat = self.turn
        assert seat is not None
        self._begin(seat)
        self.drawn = self._draw_card(seat)
        if not self._plays():  # passing is all that is left: the turn ends by itself
            self._end()
            self.turn = self.next_seat(seat)

    def _take(self) -> None:
        seat = self.turn
        assert seat is not None
        self._begin(seat)
        taken = self._draw_cards(seat, self.penalty)
        self.penalty = 0
        self.answers = 0
        self._end_idle(seat, nothing_drawn=not taken)

    def _pass(self) -> None:
        seat = self.turn
        assert seat is not None
        self._begin(seat)
        self._end_idle(seat, nothing_drawn=self.drawn is None)

    def _end_idle(self, seat: int, nothing_drawn: bool) -> None:
        """The turn ends without a play; as many passes in a row as players block the round."""
        self._end()
        self.turn = self.next_seat(seat)
        if nothing_drawn:  # Reading: a pass after a draw is never counted, even if that draw took the last card
            self.passes += 1
        if self.passes >= len(self.seats_in()):
            self.blocked = True
            self._finish()

    # calls

    def _call(self, seat: int) -> None:
        """A late call, just after the play."""
        if f"{seat}!" not in self.shouts().get(seat, set()):
            raise RefusedError(f"seat {seat} has nothing to call, or it is too late")
        self._acted(seat)
        self._close({seat})
        if self.waiting == seat:
            self._out(seat)

    def _catch(self, seat: int, target: int) -> None:
        if f"{seat}?{target}" not in self.shouts().get(seat, set()):
            raise RefusedError(f"seat {seat} cannot catch seat {target}")
        self._acted(seat)
        self._close({target})
        if self.waiting != target:
            self._draw_cards(target, int(self.values["call.mau"]))
            return
        self.waiting = None  # nobody has won: the caught seat draws, and play goes on as after any play of that card
        self._draw_cards(target, int(self.values["call.maumau"]))
        self._effect(target, self.top)

    # the dealer names the starter's suit

    def _name(self, text: str) -> None:
        if text not in self.legal():
            raise RefusedError(f"{text}: the dealer names a suit first")
        self.wish = text[1]
        self.naming = False
        if self.values["start.acts"]:
            self._effect(self.dealer, self.top)

    # the end and its price

    def _finish(self) -> None:
        self.over = True
        self.turn = None
        self.waiting = None
        self.owing = set()
        self.may_call_late = set()
        if self.values["score.count"] == "cards":
            self.points = [self._factor() * self.worth(hand) for hand in self.hands]
        elif self.values["score.count"] == "rounds" and self.winner is not None:
            self.points[self.winner] = 1

    def worth(self, hand: Iterable[str]) -> int:
        """The card points of a hand."""
        return sum(int(self.values.get(f"points.{self._rank(card)}", 0)) for card in hand)

    @staticmethod
    def _rank(card: str) -> str:
        return "joker" if card == JOKER else card[0]

    def _factor(self) -> int:
        """Out with certain ranks multiplies everybody else's points; after a blocked round nothing does."""
        if self.closing is None or self.blocked:
            return 1
        return int(self.values.get(f"closing.{self._rank(self.closing)}", 1))

    # --- for tests ---------------------------------------------------------------------------------------------------

    def cards(self) -> list[str]:
        """Every card that is somewhere, sorted: always exactly the pack."""
        return sorted([*self.stock, *self.discard, *(card for hand in self.hands for card in hand)])
