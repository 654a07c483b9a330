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
POWERS = ("draw", "skip", "wish", "reverse", "others", "back", "again", "pass_on", "cancel")

_PLAY = re.compile(r"(?P<card>\*|(?:10|[2-9TJQKA])[cdhs])(?:=(?P<wish>[cdhs]))?(?P<call>!?)")
_CALL = re.compile(r"(?P<seat>\d)!")
_CATCH = re.compile(r"(?P<seat>\d)\?(?P<target>\d)")
_TAKE = re.compile(r"\+(?P<count>\d+)")
_THROW = re.compile(r"(?P<seat>\d):(?P<card>\*|(?:10|[2-9TJQKA])[cdhs])(?:=(?P<wish>[cdhs]))?(?P<call>!?)")


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
        self.penalty = 0  # pending, or (while a turn goes on after a card) what will be pending when it ends
        self.answers = 0  # how many cards have been laid on the pending penalty (penalty.cap)
        self.skips = 0  # turns that the seat on turn sits out unless it passes the skip on (skip.answer)
        self.due_skips = 0  # skips that wait for the end of a turn that goes on
        self.rest = [0] * len(self.hands)  # turns that a seat must still sit out after it has accepted skips
        self.extra: str | None = None  # why the turn goes on after a card: may, must or equal
        self.paid = False  # the penalty is paid and a card may follow (penalty.then=play)
        self.drew = 0  # how many cards the seat on turn has drawn in this turn
        self.called: set[int] = set()  # seats that have called and still hold the one card they called with
        self.hanging: int | None = None  # the seat whose final drawing card may come back to it
        self.fined: set[int] = set()  # seats that have paid for a false shout in this turn
        self.laid_as = "plain"  # as what the last card was laid on a penalty, until it takes effect
        self.hanging_pile: list[str] = []  # the card that hangs, then those under it
        self.owing_now: set[int] = set()  # those of `owing` whose play belongs to the turn that still goes on
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
        self.closing: list[str] = []  # the card with which the winner went out, then those under it
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
        self._starter_acts()
        return self

    def _starter_acts(self) -> None:
        """The starter's powers, where the book says so; with start.answer off nothing answers what it makes due."""
        if self.values["start.acts"]:
            self._effect(self.dealer, self.top, starting=True)
            if self.penalty and not self.values["start.answer"]:
                self._resolve()

    @staticmethod
    def may_start(values: Values, card: str) -> bool:
        """Whether the card stays on top as the starter, or the next one is turned (start.redraw)."""
        probe = LiteralRound(values, [[]], [], [card], 0, 0)
        if values["start.rank"] not in ("any", card[0]):
            return False
        if values["start.redraw"] == "power":
            return not probe.special(card)
        return not (values["start.redraw"] == "wish" and probe.wishes(card))

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

    def next_seat(self, seat: int, steps: int = 1, direction: int | None = None) -> int:
        """The seat `steps` further in the direction of play, counting only seats still in the round."""
        while steps:
            seat = (seat + (direction or self.direction)) % len(self.hands)
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

    def special(self, card: str) -> bool:
        """Whether the card has any power."""
        return any(self.power(card, power) not in (0, "no") for power in POWERS)

    def skips_of(self, card: str, seat: int | None = None) -> int:
        """How many seats the card skips; `all` is everyone else once round.

        A card that turns the direction skips where two play and such a turn acts as a skip.
        Reading: `skip all` is everyone else once round, whatever else the card does.
        """
        power = self.power(card, "skip")
        if power == EVERYONE:
            return len([other for other in self.seats_in() if other != seat])
        two = len(self.seats_in()) == 2 and self.power(card, "reverse") and self.values["reverse.two"] == "skip"
        return int(power) + bool(two)

    # --- what is legal -----------------------------------------------------------------------------------------------

    @property
    def pending(self) -> bool:
        """Whether a penalty lies before the seat on turn; while a turn goes on after a card, it waits for the end."""
        return self.penalty > 0 and self.extra is None

    def fits(self, card: str) -> bool:
        """Whether the card may go on the top card as things stand, leaving aside whose it is and what it leaves."""
        top = self.top
        if self.extra == "equal":
            return card[0] == top[0] and self._apart(card)
        if self.pending:  # Reading: where a card made both due, the penalty comes first, then the skips
            return self._goes_on_penalty(card)
        if self.skips and self.extra is None:
            return card[0] == top[0] and self.skips_of(card) > 0
        if self.free:
            return not (self.values["start.wish"] == "free-plain" and self.wishes(card))
        if not self._apart(card):
            return False
        if self.wishes(card):
            if self.wishes(top) and card[0] == top[0]:
                # Reading: jokers count as a rank of their own, so a wishing joker on a wishing joker is Jack on Jack.
                suited = self.wish is not None and card != JOKER and card[1] == self.wish
                return bool(self.values["wish.on_wish"] or (self.values["wish.suited_on_wish"] and suited))
            return self.values["wish.fits"] == "any" or self._matches(card)
        return self._matches(card)

    def _apart(self, card: str) -> bool:
        """A card with a power may not be laid on a card with a power, where play.on_special says so."""
        return bool(self.values["play.on_special"]) or not (self.special(card) and self.special(self.top))

    def _matches(self, card: str) -> bool:
        """Suit or rank of the top card, or the suit wished; jokers go on anything and bear anything."""
        top = self.top
        if card == JOKER:
            return True
        if self.wish is not None:
            return card[1] == self.wish
        if top == JOKER:
            return True
        # So also on a wishing card without a wish, whose printed suit is in force. Reading: where only one card of a rank
        # wishes, its rank counts as well.
        return card[1] == top[1] or card[0] == top[0]

    def _goes_on_penalty(self, card: str) -> bool:
        """Whether a card may be laid on a pending penalty: it cancels it, answers it or passes it on.

        Reading: `penalty.cap` counts every card laid on the penalty, so with the cap reached none may be laid.
        """
        cap = int(self.values["penalty.cap"])
        if self.values["penalty.answer"] == "none" or (cap and self.answers >= cap):
            return False
        return bool(self.power(card, "cancel")) or self._answers_penalty(card) or self._passes_on(card)

    def _answers_penalty(self, card: str) -> bool:
        """A drawing card answers: of the top card's rank, or as far as penalty.answer lets it.

        Reading: a drawing joker is answered by a joker alone where only the same rank answers, and answering has its own
        rule: a drawing card that also wishes answers its own rank even where Jack on Jack is off.
        """
        if not self.draws(card):
            return False
        top, answer = self.top, self.values["penalty.answer"]
        if answer == "any" or card[0] == top[0]:
            return True
        if answer == "fitting":
            return card == JOKER or top == JOKER or card[1] == top[1]
        # On a card that passes on and does not draw itself, a drawing card of its suit answers.
        passing = bool(self.power(top, "pass_on")) and not self.draws(top)
        return passing and JOKER not in (card, top) and card[1] == top[1]

    def _passes_on(self, card: str) -> bool:
        if not self.power(card, "pass_on"):
            return False
        top = self.top
        if card[0] == top[0] and self.power(top, "pass_on"):
            return True
        return JOKER not in (card, top) and card[1] == top[1]

    def _may_finish(self, card: str) -> bool:
        forbidden = str(self.values["end.forbidden"])
        if forbidden == "power":
            return not self.special(card)
        return forbidden == "none" or card[0] not in forbidden

    def _playable(self, card: str) -> bool:
        """Whether the seat on turn may play this card of its hand now."""
        hand = self._hand()
        if card not in hand or not self.fits(card) or not self._may_lay_last(self.turn, card):
            return False
        if not self.drew:
            return True
        if self.values["draw.then"] == "none":
            return False
        if card == self.drawn:
            return True
        if self.values["draw.forced"] and self._fits_drawn():
            return False
        return self.values["draw.then"] == "any"

    def _fits_drawn(self) -> bool:
        """Whether the card drawn last can be played."""
        return self.drawn is not None and self.values["draw.then"] != "none" and self.fits(self.drawn)

    def _may_lay_last(self, seat: int | None, card: str) -> bool:
        """The limits on a last card; on any other card there are none."""
        if seat is None or len(self.hands[seat]) > 1:
            return True
        if self.values["call.to_finish"] and seat not in self.called:
            return False
        return self._may_finish(card)

    def _hand(self) -> list[str]:
        return [] if self.turn is None else self.hands[self.turn]

    def _plays(self) -> set[str]:
        """The plays without `!`; the card that empties the hand needs no wish."""
        hand = self._hand()
        return {text for card in hand if self._playable(card) for text in self._texts(card, len(hand))}

    def _texts(self, card: str, held: int) -> set[str]:
        if self.wishes(card) and held > 1:
            return {f"{card}={suit}" for suit in SUITS if self._may_name(suit)}
        return {card}

    def _may_name(self, suit: str) -> bool:
        """Whether a wishing card laid now may name the suit: any, or not the one in force (wish.suits)."""
        in_force = self.wish or (None if self.top == JOKER else self.top[1])
        return self.values["wish.suits"] == "any" or suit != in_force

    def _something_to_draw(self) -> bool:
        return bool(self.stock) or self._may_reshuffle()

    def _may_reshuffle(self) -> bool:
        """Whether the discards may become a stock once more (draw.reshuffles)."""
        return len(self.discard) > 1 and self.reshuffles < int(self.values["draw.reshuffles"])

    def legal(self) -> set[str]:
        """The action texts of the seat on turn; plays stand without `!`."""
        if self.over:
            return set()
        if self.naming:
            return {f"={suit}" for suit in SUITS}
        if self.waiting is not None:
            return {"-"}
        plays = self._plays()
        if self.pending:
            return plays | {f"+{self.penalty}"}
        if self.skips or self.paid or self.extra in ("may", "equal"):
            return plays | {"-"}
        if self.drew:
            return plays | self._after_drawing(plays)
        if self.extra == "must":
            return plays or self._drawing_or_passing()
        if self.values["draw.when"] == "stuck" and plays:
            return plays
        return plays | self._drawing_or_passing()

    def _drawing_or_passing(self) -> set[str]:
        """Drawing a card, or passing instead: where nothing can be drawn, and with draw.pass wherever one may draw."""
        if not self._something_to_draw():
            return {"-"}
        return {"+", "-"} if self.values["draw.pass"] else {"+"}

    def _after_drawing(self, plays: set[str]) -> set[str]:
        """Drawing again while nothing can be played; passing where something can, or no more can be drawn."""
        if plays:
            return set() if self.values["draw.forced"] and self._fits_drawn() else {"-"}
        more = self.values["draw.most"] in ("fits", *range(self.drew + 1, 10))
        return self._drawing_or_passing() if more else {"-"}

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
        for seat in self.seats_in():
            if self._may_throw_in(seat):
                texts = self._texts(self.top, len(self.hands[seat]))
                shouts.setdefault(seat, set()).update(f"{seat}:{text}" for text in texts)
        for target in self.owing:
            if target in self.may_call_late:
                shouts.setdefault(target, set()).add(f"{target}!")
            for seat in self.seats_in():
                if seat != target:
                    shouts.setdefault(seat, set()).add(f"{seat}?{target}")
        return shouts

    def _may_throw_in(self, seat: int) -> bool:
        """Whether a seat may throw in the very card on top, before the seat on turn has acted."""
        if not self.values["play.throw_in"] or seat == self.turn or self.rest[seat] or self.top not in self.hands[seat]:
            return False
        if self.phase != "play" or self.begun or self.extra or self.skips or self.hanging is not None:
            return False
        return (self.pending or self._apart(self.top)) and self._may_lay_last(seat, self.top)

    # --- what happens ------------------------------------------------------------------------------------------------

    def do(self, text: str) -> None:
        """Take one action of the seat on turn, or one shout of any seat; RefusedError where it is not legal."""
        if self.over:
            raise RefusedError(f"{text}: the round is over")
        if match := _CALL.fullmatch(text):
            self._call(int(match["seat"]))
        elif match := _CATCH.fullmatch(text):
            self._catch(int(match["seat"]), int(match["target"]))
        elif match := _THROW.fullmatch(text):
            self._throw_in(int(match["seat"]), match["card"].replace("10", "T"), match["wish"], bool(match["call"]))
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
        idle = not (self.values["call.mau"] or self.values["call.false_catch"] or self.values["call.needed"])
        if (
            idle or self.values["call.window"] == "next-begins"
        ):  # idle: caught when it is too late to call, nothing happens
            self._close(set(self.owing))
        elif self.values["call.window"] == "own-begins":
            self._close({seat})

    def _end(self) -> None:
        """The turn ends; with it the window "the next turn ends" closes for every earlier play."""
        if self.values["call.window"] == "next-ends":
            self._close(self.owing - self.owing_now)
        self.owing_now = set()
        self.begun = False
        self.drawn = None
        self.drew = 0
        self.paid = False
        self.extra = None
        self.fined = set()

    def _close(self, seats: set[int]) -> None:
        self.owing -= seats
        self.owing_now -= seats
        self.may_call_late -= seats

    def _owe(self, seat: int) -> None:
        self.owing.add(seat)
        self.owing_now.add(seat)
        self.may_call_late.add(seat)

    # playing

    def _play(self, card: str, wish: str | None, called: bool) -> None:
        seat = self.turn
        assert seat is not None
        if not self._playable(card):
            raise RefusedError(f"{card} is not legal here")
        self._lay(seat, card, wish, called)

    def _throw_in(self, seat: int, card: str, wish: str | None, called: bool) -> None:
        """Out of turn: laid as if that seat were on turn, and play goes on from it."""
        if seat >= len(self.hands) or seat not in self.seats_in() or card != self.top or not self._may_throw_in(seat):
            raise RefusedError(f"seat {seat} may not throw in {card}")
        self._lay(seat, card, wish, called)

    def _lay(self, seat: int, card: str, wish: str | None, called: bool) -> None:
        hand = self.hands[seat]
        last = len(hand) == 1
        spoken = self.values["call.mode"] == "spoken"
        if self.wishes(card) and not last and (wish is None or not self._may_name(wish)):
            raise RefusedError(f"{card} needs a wish")
        if not self.wishes(card) and wish is not None:
            raise RefusedError(f"{card} wishes nothing")
        false = called and len(hand) > 2
        if called and (not spoken or (false and not self._costs(seat, "call.false"))):
            raise RefusedError(f"{card}!: no call is due")
        self.turn = seat
        self._begin(seat)
        self.laid_as = self._kind(card)
        if false:
            self.fined.add(seat)
        hand.remove(card)
        self.discard.append(card)
        self.wish = None if last else wish  # a wish given with the last card is ignored
        self.free = False
        self.passes = 0
        silent = spoken and not called
        if last and silent and self.values["call.needed"]:
            self._end()
            self.waiting = seat
            self.turn = self.next_seat(seat)  # Reading: the card has no effect yet, so its 8 or 9 moves nobody
            self._owe(seat)
        elif last:
            self._out(seat)
        else:
            if len(hand) == 1 and silent:
                self._owe(seat)
            elif len(hand) == 1 and called:
                self.called.add(seat)
            held = list(hand)  # Reading: what a false call costs lets no equal card follow, though it is drawn first
            if false:  # Reading: paid for before the card takes effect
                self._draw_cards(seat, int(self.values["call.false"]))
            self._effect(seat, card, held=held)

    def _kind(self, card: str) -> str:
        """As what the card is laid: on a pending penalty it cancels it, answers it or only passes it on."""
        if not self.pending:
            return "plain"
        if self.power(card, "cancel"):
            return "cancel"
        return "answer" if self._answers_penalty(card) or not self._passes_on(card) else "pass on"

    def _effect(self, seat: int, card: str, starting: bool = False, held: list[str] | None = None) -> None:
        """What the card does after it was played: to the penalty, at once, and whether the turn goes on."""
        self._change_penalty(card)
        passing = self.laid_as == "pass on"
        if not passing:
            previous = self.next_seat(seat, 1, -self.direction)
            self.due_skips += self.skips_of(card, seat) + (self.skips if self.values["skip.adds"] else 0)
            if self.power(card, "reverse") and len(self.seats_in()) > 2:
                self.direction = -self.direction
            self._draw_cards(previous, int(self.power(card, "back")))
            for step in range(1, len([other for other in self.seats_in() if other != seat]) + 1):
                self._draw_cards(self.next_seat(seat, step), int(self.power(card, "others")))
        self.laid_as = "plain"
        self.drawn, self.drew, self.paid, self.skips = None, 0, False, 0
        self.extra = None if starting or not self.hands[seat] else self._goes_on(seat, card, passing, held)
        if self.extra is None:
            self._pass_turn(seat)

    def _change_penalty(self, card: str) -> None:
        if self.laid_as != "plain":
            self.answers += 1
        if self.laid_as == "cancel":
            self.penalty, self.answers = 0, 0
        draws = 0 if self.laid_as == "pass on" else self.draws(card)
        doubles = self.values["penalty.grows"] == "double" and draws and self.penalty
        self.penalty = 2 * self.penalty if doubles else self.penalty + draws

    def _goes_on(self, seat: int, card: str, passing: bool, held: list[str] | None) -> str | None:
        """Why the turn goes on after a card, None where it ends; for equal cards only where one is held."""
        self.turn = seat
        if passing:  # a card that passes a penalty on does nothing else, and nothing is laid after it
            return None
        again = str(self.power(card, "again") or "no")
        if again != "no":
            return again
        equal = self.values["play.equal"] and any(
            other[0] == card[0] and self._apart(other) for other in (self.hands[seat] if held is None else held)
        )
        return "equal" if equal else None

    def _pass_turn(self, seat: int) -> None:
        """The turn of a seat that has laid a card ends: what its cards made due comes to the next."""
        self._end()
        skips, self.due_skips = self.due_skips, 0
        if self.values["skip.answer"] == "same":
            self.skips = skips
            self._turn_to_next(seat)
        else:
            self._turn_to_next(seat, 1 + skips)
        if self.penalty and self.values["penalty.answer"] == "none":
            self._resolve()

    def _turn_to_next(self, seat: int, steps: int = 1) -> None:
        """The turn goes on, past seats that still have turns to sit out."""
        self.turn = self.next_seat(seat, steps)
        while self.rest[self.turn]:
            self.rest[self.turn] -= 1
            self.turn = self.next_seat(self.turn)

    def _resolve(self) -> None:
        """Resolved at once: part of the play and no turn of the victim's, so no call window moves."""
        victim = self.turn
        assert victim is not None
        taken = self._draw_cards(victim, self.penalty)
        self.penalty = 0
        if not taken:
            self.passes += 1
        self._turn_to_next(victim)  # Reading: also where a payer could play on otherwise (penalty.then)

    # going out

    def _out(self, seat: int) -> None:
        """The seat has laid its last card and nobody can object any more."""
        self.waiting = None
        self._close({seat})
        card = self.top
        if self.hanging is not None:  # another seat's last card on the final drawing card that hangs
            self._win(self.hanging)
            return
        if self.values["end.final_back"] and self.draws(card) and self.laid_as != "pass on":
            self.hanging = seat
            self.hanging_pile = self.discard[::-1]
            self._effect(seat, card)
            return
        self._place(seat, self.discard[::-1])
        if self.values["end.play_on"] and len(self.seats_in()) > 1:
            self._effect(seat, card)
            return
        if self.values["end.final_draw"] and self.draws(card):
            self._change_penalty(card)
            self._draw_cards(self.next_seat(seat), self.penalty)
        self._finish()

    def _place(self, seat: int, pile: list[str]) -> None:
        """The seat is out with the first card of the pile, which lists the cards under it after it."""
        self.places.append(seat)
        if self.winner is None:
            self.winner = seat
            self.closing = pile

    def _win(self, seat: int) -> None:
        """The finisher whose last card hung is out after all."""
        self.hanging = None
        self._place(seat, self.hanging_pile)
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
        if not self.stock and self._may_reshuffle():
            below = sorted(self.discard[:-1])
            self.discard = self.discard[-1:]
            self.stock = list(self._reshuffled(below))
            assert sorted(self.stock) == below, "a reshuffle may change the order only"
            self.reshuffles += 1
        if not self.stock:
            return None
        card = self.stock.pop(0)
        self.hands[seat].append(card)
        self.called.discard(seat)
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
        self.drew += 1
        if self.legal() == {"-"}:  # passing is all that is left: the turn ends by itself
            self._end_idle(seat, nothing_drawn=False)

    def _take(self) -> None:
        seat = self.turn
        assert seat is not None
        self._begin(seat)
        taken = self._draw_cards(seat, self.penalty)
        self.penalty = 0
        self.answers = 0
        if self.hanging == seat:
            self.hanging = None
        elif self.hanging is not None:
            self._win(self.hanging)
            return
        self._after_paying(seat, nothing_drawn=not taken)

    def _after_paying(self, seat: int, nothing_drawn: bool) -> None:
        """The turn ends, a card may follow, or an ordinary turn does (penalty.then)."""
        then = self.values["penalty.then"]
        if then == "end":
            self._end_idle(seat, nothing_drawn)
        elif then == "play":
            self.paid = True
            if not self._plays():
                self._end_idle(seat, nothing_drawn)
        else:
            self.begun = False  # Reading: the ordinary turn is still to begin, so a card may be thrown in before it

    def _pass(self) -> None:
        seat = self.turn
        assert seat is not None
        self._begin(seat)
        if self.skips:
            self.rest[seat] += self.skips - 1
            self.skips = 0
            self._end_idle(seat, nothing_drawn=False)
            return
        # Reading: after a penalty is paid, holding a card back is no pass of one who did not draw; and where one may pass
        # instead of drawing (draw.pass), such passes block the round too once everybody in turn has passed.
        self._end_idle(seat, nothing_drawn=not self.drew and not self.paid)

    def _end_idle(self, seat: int, nothing_drawn: bool) -> None:
        """The turn ends without a play; as many passes in a row as players block the round.

        Where the turn had gone on after a card, that card's demands come to the next seat instead.
        """
        if self.extra is not None:
            self._pass_turn(seat)
            return
        self._end()
        if self.values["wish.lasts"] == "turn":
            self.wish = None
        if self.values["start.free_for"] == "turn":
            self.free = False
        self._turn_to_next(seat)
        if nothing_drawn:  # Reading: a pass after a draw is never counted, even if that draw took the last card
            self.passes += 1
        if self.passes >= len(self.seats_in()):
            self.blocked = True
            self._finish()

    # calls

    def _call(self, seat: int) -> None:
        """A late call, just after the play; a false one may cost cards."""
        if f"{seat}!" not in self.shouts().get(seat, set()):
            self._false_shout(seat, "call.false")
            return
        self._acted(seat)
        self._close({seat})
        if self.waiting == seat:
            self._out(seat)
        elif len(self.hands[seat]) == 1:
            self.called.add(seat)

    def _catch(self, seat: int, target: int) -> None:
        if f"{seat}?{target}" not in self.shouts().get(seat, set()):
            if seat == target or target not in self.seats_in():
                raise RefusedError(f"seat {target} is nobody whom seat {seat} could catch")
            self._false_shout(seat, "call.false_catch")
            return
        self._acted(seat)
        self._close({target})
        if self.waiting != target:
            self._draw_cards(target, int(self.values["call.mau"]))
            return
        self.waiting = None  # nobody has won: the caught seat draws, and play goes on as after any play of that card
        self._draw_cards(target, int(self.values["call.maumau"]))
        self._effect(target, self.top)

    def _costs(self, seat: int, key: str) -> bool:
        """Whether a false shout of this seat is taken and paid for now, once a turn; otherwise it is refused.

        Reading: while a last card waits, or the dealer has to name a suit, nothing but that may be done.
        """
        paid = (
            self.phase != "play"
            or seat in self.fined
            or seat not in self.seats_in()
            or self.values["call.mode"] != "spoken"
        )
        return bool(self.values[key]) and not paid

    def _false_shout(self, seat: int, key: str) -> None:
        if not self._costs(seat, key):
            raise RefusedError(f"seat {seat} has nothing to call or to catch, or it is too late")
        self._acted(seat)
        self._fine(seat, key)

    def _fine(self, seat: int, key: str) -> None:
        self.fined.add(seat)
        self._draw_cards(seat, int(self.values[key]))

    # the dealer names the starter's suit

    def _name(self, text: str) -> None:
        if text not in self.legal():
            raise RefusedError(f"{text}: the dealer names a suit first")
        self.wish = text[1]
        self.naming = False
        self._starter_acts()

    # the end and its price

    def _finish(self) -> None:
        self.over = True
        self.turn = None
        self.waiting = None
        self.owing = set()
        self.may_call_late = set()
        if self.blocked and self.values["end.blocked"] == "nothing":
            return
        if self.blocked and self.values["end.blocked"] == "fewest" and self.winner is None:
            self.winner = self._with_fewest()
        if self.values["score.count"] == "cards":
            self._count_cards()
        elif self.values["score.count"] == "rounds" and self.winner is not None:
            self.points[self.winner] = 1

    def _with_fewest(self) -> int | None:
        """Who holds the fewest cards; nobody where it is not one alone."""
        least = min(len(self.hands[seat]) for seat in self.seats_in())
        having = [seat for seat in self.seats_in() if len(self.hands[seat]) == least]
        return having[0] if len(having) == 1 else None

    def _count_cards(self) -> None:
        """Each loser adds its own cards, or the winner those of all others; out with certain ranks costs a fine besides."""
        costs = [
            0 if seat == self.winner else self._factor() * self.worth(hand) for seat, hand in enumerate(self.hands)
        ]
        to_winner = self.values["score.to"] == "winner"
        if not to_winner:
            self.points = costs
        if self.winner is not None:
            fine = int(self.values.get(f"fine.{self._rank(self.closing[0])}", 0)) if self.closing else 0
            self.points[self.winner] += sum(costs) - fine if to_winner else fine

    def worth(self, hand: Iterable[str]) -> int:
        """The card points of a hand."""
        return sum(int(self.values.get(f"points.{self._rank(card)}", 0)) for card in hand)

    @staticmethod
    def _rank(card: str) -> str:
        return "joker" if card == JOKER else card[0]

    def _factor(self) -> int:
        """Out with certain ranks multiplies everybody else's points; after a blocked round nothing does.

        With score.closing_each every such card directly under the last one multiplies again.
        """
        factor = 1
        for card in self.closing if not self.blocked else []:
            times = int(self.values.get(f"closing.{self._rank(card)}", 1))
            factor *= times
            if times == 1 or not self.values["score.closing_each"]:
                break
        return factor

    # --- for tests ---------------------------------------------------------------------------------------------------

    def cards(self) -> list[str]:
        """Every card that is somewhere, sorted: always exactly the pack."""
        return sorted([*self.stock, *self.discard, *(card for hand in self.hands for card in hand)])
