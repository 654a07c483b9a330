"""One round: from the deal until somebody is out."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple, overload

from maumau.cards import Card, Suit
from maumau.game.action import TAKE, Action, taken, thrown
from maumau.game.arguments import refuse_no_number, refuse_no_seat, refuse_no_seed
from maumau.game.choices import actions_on_turn, plays_to_call, shouts_of
from maumau.game.errors import IllegalActionError, Reason
from maumau.game.event import Event
from maumau.game.hands import face, hand_of, holds
from maumau.game.happened import events_of_action, events_of_deal
from maumau.game.judge import explain_card, explain_throw, refusal, wish_of
from maumau.game.observation import PHASES, Observation, Phase
from maumau.game.outcome import Outcome, outcome_of
from maumau.game.position import Position, dealer_of, seats_of, write_position
from maumau.game.set_up import read_position
from maumau.kernel.calls import may_call, may_catch
from maumau.kernel.chance import seed_chance
from maumau.kernel.deal import clear_round, deal, sit_out
from maumau.kernel.ending import finish
from maumau.kernel.layout import ANYTHING, NOBODY, OVER, State
from maumau.kernel.step import call, catch, draw, name_suit, pass_turn, play, take, throw_in
from maumau.ruleset import Ruleset
from maumau.ruleset.tables import pack_tables


class LegalActions(Sequence[Action]):
    """The legal actions of the seat on turn, made when first looked at; ``in`` takes an Action or its text."""

    __slots__ = ("_actions", "_round")

    def __init__(self, round_: Round) -> None:
        self._round = round_
        self._actions: tuple[Action, ...] | None = None

    def _all(self) -> tuple[Action, ...]:
        if self._actions is None:
            self._actions = actions_on_turn(self._round._state, self._round._tables)
        return self._actions

    def __len__(self) -> int:
        return len(self._all())

    @overload
    def __getitem__(self, index: int) -> Action: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[Action, ...]: ...
    def __getitem__(self, index: int | slice) -> Action | tuple[Action, ...]:
        return self._all()[index]

    def __iter__(self) -> Iterator[Action]:
        return iter(self._all())

    def __contains__(self, action: object) -> bool:
        if isinstance(action, str):
            return action in self._round.legal_texts
        return action in self._all()

    def __repr__(self) -> str:
        return f"<LegalActions: {' '.join(self._round.legal_texts) or 'none'}>"


def _numbers(order: Sequence[Card]) -> list[int]:
    """An order of the stock as kernel numbers, jokers on their two numbers in turn."""
    jokers = 0
    numbers: list[int] = []
    for card in reversed(order):
        numbers.append(int(card) + (jokers % 2 if card.is_joker else 0))
        jokers += card.is_joker
    return numbers


class _Undo(NamedTuple):
    state: State
    events: int
    actions: int
    lapsed: int


class Round:
    """One round under a ruleset, dealt from a seed or set up from a position.

    ``rules`` is a rule code or a Ruleset; ``seed`` a whole number of up to 128 bits that decides the deal and every
    reshuffle; ``dealer`` None draws the dealer by lot; ``sitting_out`` are seats that take no part. ``orders`` are orders
    of the stock (first drawn first) that a record prescribes: the deal's and each reshuffle's, instead of the seed's.
    Raises RuleError where so many players are not allowed, ValueError for a seed or seat out of range.
    """

    __slots__ = (
        "_actions",
        "_called",
        "_conceded",
        "_events",
        "_lapsed",
        "_seen",
        "_state",
        "_tables",
        "_undo",
        "rules",
        "seats",
        "seed",
        "sitting_out",
    )

    def __init__(
        self,
        rules: str | Ruleset,
        seats: int,
        seed: int,
        dealer: int | None = None,
        sitting_out: Iterable[int] = (),
        orders: Iterable[Sequence[Card]] = (),
    ) -> None:
        self._prepare(rules, seats, seed, sitting_out)
        if dealer is not None:
            refuse_no_number("dealer", dealer)
        if dealer is not None and not (0 <= dealer < seats):
            raise ValueError(f"dealer {dealer} is no seat; seats run from 0 to {seats - 1}")
        s = self._state
        s.script = [_numbers(order) for order in orders]
        clear_round(s, seats)
        for seat in self.sitting_out:
            sit_out(s, seat)
        deal(s, self._tables, NOBODY if dealer is None else dealer)
        self._events += events_of_deal(self._state)

    def _prepare(self, rules: str | Ruleset, seats: int, seed: int, sitting_out: Iterable[int]) -> None:
        parsed = Ruleset.of(rules)
        refuse_no_number("seats", seats)
        refuse_no_seed(seed)
        self.rules = parsed if parsed.seats == seats else parsed.at(seats)
        self.seats = seats
        self.seed = seed
        self.sitting_out = tuple(sorted(set(sitting_out)))
        if seats - len(self.sitting_out) < 2 or any(not 0 <= seat < seats for seat in self.sitting_out):
            raise ValueError(f"{list(self.sitting_out)} cannot sit out of {seats} seats; two must play")
        self._tables = pack_tables(self.rules)
        self._state = State()
        seed_chance(self._state, *((seed >> shift) & 0xFFFFFFFF for shift in (96, 64, 32, 0)))
        self._events: list[Event] = []
        self._seen: dict[int | None, list[Event]] = {}
        self._actions: list[Action] = []
        self._undo: list[_Undo] = []
        self._lapsed = 0
        self._conceded: int | None = None

    @classmethod
    def from_position(cls, rules: str | Ruleset, position: Position, seed: int = 0) -> Round:
        """A round set up from a position (a mapping, see ``maumau.game.position``); ``seed`` decides unseen cards.

        Raises PositionError with the reason and the card where the position cannot be, RuleError for its rules.
        """
        seats = seats_of(position)
        if "deal" in position:
            return cls(rules, seats, seed, dealer_of(position, seats))
        round_ = cls.__new__(cls)
        hands: list[object] = position["hands"]
        round_._prepare(rules, seats, seed, ())
        round_.sitting_out = tuple(seat for seat, hand in enumerate(hands) if hand is None)
        read_position(round_._state, round_._tables, round_.rules, position)
        round_._events += events_of_deal(round_._state)
        return round_

    # What everybody sees

    @property
    def turn(self) -> int | None:
        """The seat that must act, None when the round is over."""
        return None if self._state.phase == OVER else self._state.turn

    @property
    def over(self) -> bool:
        """Whether the round is over."""
        return self._state.phase == OVER

    @property
    def phase(self) -> Phase:
        """playing, naming (the dealer names a suit), waiting (a silent last card lies) or over."""
        return PHASES[self._state.phase]

    @property
    def direction(self) -> int:
        """1 clockwise, −1 counter-clockwise."""
        return self._state.direction

    @property
    def top(self) -> Card:
        """The card on the discard pile."""
        return face(self._state.top)

    @property
    def wish(self) -> Suit | None:
        """The wish in force."""
        return wish_of(self._state)

    @property
    def penalty(self) -> int:
        """The cards pending, and those that the turn that still runs will make pending."""
        return self._state.penalty or self._state.due

    @property
    def dealer(self) -> int:
        """The seat that dealt."""
        return self._state.dealer

    @property
    def hands(self) -> tuple[tuple[Card, ...], ...]:
        """Every seat's cards, sorted."""
        return tuple(hand_of(self._state, seat) for seat in range(self.seats))

    @property
    def counts(self) -> tuple[int, ...]:
        """How many cards every seat holds."""
        return tuple(self._state.hand_n[: self.seats])

    @property
    def stock(self) -> tuple[Card, ...]:
        """The stock, first drawn first."""
        s = self._state
        return tuple(face(number) for number in reversed(s.stock[: s.stock_n]))

    @property
    def discard(self) -> tuple[Card, ...]:
        """The discard pile, oldest first, the top card last."""
        s = self._state
        return tuple(face(number) for number in s.discard[: s.discard_n])

    @property
    def players(self) -> tuple[int, ...]:
        """The seats still in the round (of a finished round: those that were not out)."""
        s = self._state
        return tuple(seat for seat in range(self.seats) if s.active[seat])

    @property
    def owing(self) -> tuple[int, ...]:
        """The seats that can be caught."""
        owing = self._state.owing
        return tuple(seat for seat in range(self.seats) if owing >> seat & 1)

    @property
    def events(self) -> tuple[Event, ...]:
        """Everything that happened since the deal."""
        return tuple(self._events)

    @property
    def actions(self) -> tuple[Action, ...]:
        """The actions pushed so far."""
        return tuple(self._actions)

    @property
    def orders(self) -> tuple[tuple[Card, ...], ...]:
        """Every order the stock was shuffled into, first drawn first: for the deal, then for each reshuffle."""
        return tuple(tuple(face(number) for number in reversed(order)) for order in self._state.orders)

    # What may be done

    @property
    def legal_actions(self) -> LegalActions:
        """What the seat on turn may do, plays without the call."""
        return LegalActions(self)

    @property
    def legal_texts(self) -> tuple[str, ...]:
        """The legal actions as text, a take with its number."""
        return tuple(self.text(action) for action in actions_on_turn(self._state, self._tables))

    def text(self, action: Action) -> str:
        """An action as text in this position: a take says how many cards are pending."""
        if action == TAKE and self._state.penalty:
            return f"+{self._state.penalty}"
        return str(action).replace(":", f":{self.top}") if action.kind == "throw" else str(action)

    @property
    def call_due(self) -> tuple[Action, ...]:
        """Those of the legal plays that may carry the call (``!``)."""
        return plays_to_call(self._state, self._tables)

    @property
    def shouts(self) -> dict[int, tuple[Action, ...]]:
        """The calls and catches open to each seat; seats without any are left out."""
        found = {seat: self.shouts_of(seat) for seat in range(self.seats)}
        return {seat: actions for seat, actions in found.items() if actions}

    def shouts_of(self, seat: int) -> tuple[Action, ...]:
        """The calls and catches open to one seat."""
        return shouts_of(self._state, self._tables, seat)

    def explain(self, seat: int) -> tuple[tuple[Card, Reason], ...]:
        """For each card of a seat, why it may or may not be played now; of a seat that is not on turn, thrown in."""
        s, t = self._state, self._tables
        hand = hand_of(s, seat)
        if s.phase == OVER:
            return tuple((card, Reason("round-over")) for card in hand)
        if seat != s.turn:
            return tuple((card, explain_throw(s, t, seat, card)) for card in hand)
        return tuple((card, explain_card(s, t, card)) for card in hand)

    def why_not(self, action: Action | str, seat: int | None = None) -> Reason | None:
        """Why an action would be refused now, None if it is legal."""
        try:
            parsed = action if isinstance(action, Action) else Action.parse(action)
        except ValueError:
            return Reason("unreadable-action", {"text": str(action)[:40]})
        if seat is not None and not self.over and seat != (self._state.turn if parsed.seat is None else parsed.seat):
            return Reason("not-your-turn", {"seat": self._state.turn})
        written = "" if isinstance(action, Action) else action
        said = taken(written) if parsed == TAKE else None
        card = thrown(written) if parsed.kind == "throw" else None
        reason = refusal(self._state, self._tables, parsed, said, card)
        target = parsed.seat if parsed.kind == "call" else parsed.target
        if (
            reason
            and reason.code in ("call-not-due", "nothing-to-catch")
            and target is not None
            and (self._lapsed | self._state.owing) >> target & 1
        ):
            return Reason("too-late", {"seat": target, "rule": "call.window"})
        return reason

    # Acting

    def push(self, action: Action | str, seat: int | None = None) -> tuple[Event, ...]:
        """Do an action and return what happened; ``seat`` is who sent it, where that must be checked.

        Raises IllegalActionError, which carries the reason and the position; nothing has changed then.
        """
        reason = self.why_not(action, seat)
        if reason is not None:
            raise IllegalActionError(reason, str(action)[:40], self.position_text(), self.rules)
        parsed = action if isinstance(action, Action) else Action.parse(action)
        self._undo.append(_Undo(self._state.copy(), len(self._events), len(self._actions), self._lapsed))
        first = len(self._events)
        self._do(parsed)
        self._actions.append(parsed)
        return tuple(self._events[first:])

    def pop(self) -> Action:
        """Take the last action back and return it; raises IndexError if there is none, or after a concession."""
        undo = self._undo.pop()
        self._state = undo.state
        self._lapsed = undo.lapsed
        del self._events[undo.events :]
        for seen in self._seen.values():
            del seen[undo.events :]
        return self._actions.pop()

    def concede(self, seat: int) -> tuple[Event, ...]:
        """End the round at once without anybody going out, since a seat gives up; return what happened.

        Of two who play the other has won the round, unless somebody was out before. Nothing can be taken back after it.
        Raises ValueError where there is no such seat, and when the round is over.
        """
        refuse_no_seat(seat, self.seats)
        if self.over:
            raise ValueError("the round is over; it can no longer be conceded")
        s = self._state
        others = [other for other in range(self.seats) if other != seat and other not in self.sitting_out]
        if s.winner == NOBODY and len(others) == 1:
            s.winner = others[0]
        finish(s)
        self._conceded = seat
        self._undo.clear()
        self._events.append(Event("round-over", None if s.winner == NOBODY else s.winner, target=seat))
        return (self._events[-1],)

    def copy(self) -> Round:
        """An independent copy that starts with an empty history to take back."""
        twin = Round.__new__(Round)
        for name in ("rules", "seats", "seed", "sitting_out", "_tables", "_lapsed", "_conceded"):
            setattr(twin, name, getattr(self, name))
        twin._state = self._state.copy()
        twin._events = list(self._events)
        twin._seen = {}
        twin._actions = list(self._actions)
        twin._undo = []
        return twin

    def _do(self, action: Action) -> None:
        s, t = self._state, self._tables
        kind = action.kind
        owed, seat, penalty = s.owing, s.turn, s.penalty
        if kind == "play":
            card = action.card
            assert card is not None
            wish = action.wish if s.hand_n[seat] > 1 else None
            action = Action.play(card, wish, action.called)
            play(s, t, card, -1 if wish is None else wish, action.called)
            event = Event("play", seat, action, str(action), (card,), wish=wish)
        elif kind == "throw":
            event = self._throw_in(action)
        elif kind == "draw":
            draw(s, t)
            event = Event("draw", seat, action, "+")
        elif kind == "take":
            take(s, t)
            event = Event("take", seat, action, f"+{penalty}")
        elif kind == "pass":
            pass_turn(s, t)
            event = Event("pass", seat, action, "-")
        elif kind == "name":
            suit = action.wish
            assert suit is not None
            name_suit(s, t, suit)
            event = Event("wish", seat, action, str(action), wish=suit)
        else:
            event = self._shout(action)
            # Said or caught is not lapsed.
            settled = action.seat if action.target is None else action.target
            owed &= ~(1 << (settled or 0))
        self._lapsed = (self._lapsed | (owed & ~s.owing)) & ~s.owing
        self._events += events_of_action(s, event)

    def _shout(self, action: Action) -> Event:
        s, t = self._state, self._tables
        seat, target = action.seat, action.target
        assert seat is not None
        if target is None:
            due = may_call(s, t, seat)
            call(s, t, seat)
            return Event("call" if due else "false-call", seat, action, str(action))
        due = may_catch(s, t, seat, target)
        catch(s, t, seat, target)
        return Event("catch" if due else "false-catch", seat, action, str(action), target=target)

    def _throw_in(self, action: Action) -> Event:
        s = self._state
        seat, card = action.seat, self.top
        assert seat is not None
        wish = action.wish if s.hand_n[seat] > 1 else None
        action = Action.throw(seat, wish, action.called)
        text = self.text(action)
        throw_in(s, self._tables, seat, -1 if wish is None else wish, action.called)
        return Event("play", seat, action, text, (card,), wish=wish)

    # Telling

    def seen_by(self, seat: int | None) -> tuple[Event, ...]:
        """All events as a seat (None: a spectator) may see them."""
        seen = self._seen.setdefault(seat, [])
        seen.extend(event.seen_by(seat) for event in self._events[len(seen) :])
        return tuple(seen)

    def observation(self, seat: int | None) -> Observation:
        """All that a seat may know, and nothing else; None is a spectator."""
        s = self._state
        if seat is not None and not 0 <= seat < self.seats:
            raise ValueError(f"seat {seat} is no seat; seats run from 0 to {self.seats - 1}")
        mine = seat is not None and seat == self.turn
        return Observation(
            seat=seat,
            rules=self.rules,
            seats=self.seats,
            hand=() if seat is None else hand_of(s, seat),
            counts=self.counts,
            players=self.players,
            turn=self.turn,
            direction=s.direction,
            phase=self.phase,
            top=self.top,
            wish=self.wish,
            free=s.demand == ANYTHING,
            penalty=s.penalty,
            drawn=face(s.drawn) if mine and s.drew else None,
            legal=actions_on_turn(s, self._tables) if mine else (),
            call_due=self.call_due if mine else (),
            shouts=() if seat is None else self.shouts_of(seat),
            owing=self.owing,
            called=tuple(seat for seat in range(self.seats) if s.called >> seat & 1 and s.hand_n[seat] == 1),
            stock_n=s.stock_n,
            discard_n=s.discard_n,
            dealer=s.dealer,
            over=s.phase == OVER,
            winner=None if s.winner == NOBODY else s.winner,
            places=tuple(s.places[: s.places_n]),
            events=self.seen_by(seat),
        )

    def outcome(self) -> Outcome | None:
        """None while the round runs; then who went out and what each hand costs."""
        return outcome_of(self._state, self._tables, self._conceded) if self.over else None

    def position(self) -> Mapping[str, Any]:
        """The position as plain data that ``from_position`` reads back; it holds every hidden card."""
        return write_position(self._state, self._tables)

    def position_text(self) -> str:
        """The position as one line of JSON."""
        return json.dumps(self.position(), ensure_ascii=False)

    def holds(self, seat: int, card: Card) -> bool:
        """Whether a seat holds a card."""
        return holds(self._state.hand0[seat], card)

    def __repr__(self) -> str:
        turn = "over" if self.over else f"seat {self.turn} to act"
        return f"<Round {self.rules.code} for {self.seats}: {self.top} on top, {turn}, hands {list(self.counts)}>"
