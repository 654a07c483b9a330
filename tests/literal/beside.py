"""The real engine and the literal referee side by side: every action goes to both, and everything is compared."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from typing import Any

from tests.literal.chance import random_choice, random_text
from tests.literal.compiled import Compiled
from tests.literal.lines import Before, Lines
from tests.literal.position import from_position
from tests.literal.round import LiteralRound, RefusedError

from maumau import Card, Event, IllegalActionError, Round


class DisagreementError(AssertionError):
    """The two say different things; the text holds all that is needed to see it again."""


class Beside:
    """One round in both engines."""

    def __init__(
        self, engine: Round, dealt: bool, lines: Lines | None = None, compiled: Compiled | None = None
    ) -> None:
        """Take over a round of the real engine: just dealt, or as it stands."""
        self.engine = engine
        self.compiled = compiled
        if compiled is not None:
            compiled.begin(engine)
        self.lines = lines or Lines()
        self.drawn: list[str] = []  # what the engine has drawn in this action since the stock ran out
        self.history: list[str] = []
        self.untidy = False  # something of the round was still open when it ended
        self.position = engine.position()
        if dealt:
            self.literal = self._dealt(engine.events)
        else:
            self.literal = from_position(engine.rules.values, self.position, None, self._reshuffled)
            self.lines.new_round()
        self.pack = self.literal.cards()
        self.compare()

    def _reshuffled(self, cards: list[str]) -> list[str]:
        """The order of the engine's new stock: what it has drawn of it already, then what is left."""
        return [*self.drawn, *texts(self.engine.stock)]

    def _dealt(self, events: Sequence[Event]) -> LiteralRound:
        """The literal round from the engine's deal: the stock is what the start made players draw, then what is left."""
        hands: list[list[str] | None] = [None] * self.engine.seats
        for event in events:
            if event.kind == "deal":
                assert event.seat is not None
                hands[event.seat] = texts(event.cards)
        starter = next(texts(event.cards)[0] for event in events if event.kind == "starter")
        assert LiteralRound.may_start(self.engine.rules.values, starter)
        stock = [*drawn_in(events), *texts(self.engine.stock)]
        values = self.engine.rules.values
        game = LiteralRound.start(values, hands, stock, starter, self.engine.dealer, self._reshuffled)
        self.lines.started(game, starter)
        return game

    # --- one action --------------------------------------------------------------------------------------------------

    def do(self, text: str) -> None:
        """The same action to both; both take it or both refuse it."""
        game = self.literal
        before = Before.of(game, self.legal)
        self.history.append(text)
        try:
            events = self.engine.push(text)
        except IllegalActionError:
            events = None
        if events is not None:
            self.drawn = drawn_in(events)[before.stock :]
        try:
            game.do(text)
        except RefusedError as refusal:
            if events is not None:
                self._disagree("accepted by the engine", "accepted", f"refused: {refusal}")
            self.lines.refused(game, before, text)
            self.history[-1] = f"({text})"
        else:
            if events is None:
                self._disagree("refused by the engine", "refused", "accepted")
            self.lines.accepted(game, before, text)
            left = before.wish or before.penalty or before.direction < 0 or before.owing
            self.untidy = game.over and bool(left)
            if game.cards() != self.pack:
                self._disagree("cards", self.pack, game.cards())
        self.compare()
        if events is not None and self.compiled is not None:
            self.compiled.did(self.engine)

    def play(self, chance: random.Random, actions: int, eager: float, mischief: float) -> int:
        """Up to so many random actions, some of them illegal; how many were done."""
        done = 0
        while done < actions and not self.literal.over:
            if chance.random() < (0.5 if self.literal.phase == "wait" else mischief):
                self.do(random_text(chance, self.literal))
            elif (late := self.literal.owing - self.literal.may_call_late) and chance.random() < 0.2:
                self.do(f"{min(late)}!")
            elif self.literal.phase == "play" and chance.random() < 0.8 and (text := self._useless_wish()):
                self.do(text)
            else:
                self.do(random_choice(chance, self.literal, eager, self.legal))
            done += 1
        return done

    def _useless_wish(self) -> str | None:
        """The wishing card that empties the hand, played with a wish all the same."""
        game = self.literal
        hand = game.hands[game.turn] if game.turn is not None else []
        if len(hand) == 1 and game.wishes(hand[0]) and hand[0] in self.legal:
            return f"{hand[0]}=h" + ("!" if hand[0] in game.call_due() and len(self.history) % 2 else "")
        return None

    # --- comparing ---------------------------------------------------------------------------------------------------

    def compare(self) -> None:
        game = self.literal
        self.legal = game.legal()
        ours = literal_state(game, self.legal)
        theirs = engine_state(self.engine)
        if (
            game.phase == "wait"
        ):  # whether a card's effect on a penalty is booked before it may take effect is nobody's business
            theirs = {**theirs, "penalty": ours["penalty"]}
        if ours != theirs:
            for key, value in ours.items():
                if value != theirs[key]:
                    self._disagree(key, theirs[key], value)

    def _disagree(self, what: str, engine: object, literal: object) -> None:
        raise DisagreementError(
            f"{what}: the engine says {engine}, the literal referee says {literal}\n"
            f"rules: {self.engine.rules.code}\nfrom: {self.position}\nactions: {' '.join(self.history)}\n"
            f"now: {self.engine.position()}"
        )


def texts(cards: Sequence[Card | None]) -> list[str]:
    return [str(card) for card in cards]


def drawn_in(events: Sequence[Event]) -> list[str]:
    """All cards drawn in these events, in the order of drawing."""
    return [str(card) for event in events if event.kind in ("draw", "take", "made-to-draw") for card in event.cards]


def literal_state(game: LiteralRound, legal: set[str]) -> Mapping[str, Any]:
    state: dict[str, Any] = {
        "over": game.over,
        "hands": [sorted(hand) for hand in game.hands],
        "stock": game.stock,
        "discard": game.discard,
        "legal": legal,
        "call_due": game.call_due(),
        "shouts": game.shouts(),
        "turn": game.on_turn,
        "direction": game.direction,
        "dealer": game.dealer,
    }
    if game.over:
        state |= {"winner": game.winner, "points": game.points, "places": game.places}
    else:
        state |= {
            "wish": game.wish,
            "penalty": game.penalty,
            "free": game.free,
            "passes": game.passes,
            "drawn": game.drawn,
            "owing": game.owing,
            "skips": game.skips,
            "due_skips": game.due_skips,
            "extra": game.extra,
            "rest": game.rest,
            "hanging": game.hanging,
            "fined": sorted(game.fined),
        }
    return state


def engine_state(engine: Round) -> Mapping[str, Any]:
    position = engine.position()
    outcome = engine.outcome()
    state: dict[str, Any] = {
        "over": engine.over,
        "hands": [sorted(hand or ()) for hand in position["hands"]],
        "stock": position["stock"],
        "discard": [*position.get("discard", ()), str(engine.top)],
        "legal": set(engine.legal_texts),
        "call_due": {str(action) for action in engine.call_due},
        "shouts": {seat: {engine.text(action) for action in actions} for seat, actions in engine.shouts.items()},
        "turn": engine.turn,
        "direction": engine.direction,
        "dealer": engine.dealer,
    }
    if outcome is not None:
        state |= {
            "winner": outcome.winner,
            "points": list(outcome.points),
            "places": list(outcome.places),
        }
    else:
        # What is not written: until the suit is named, and where it says nothing.
        state |= {"wish": None, "penalty": 0, "free": False, "passes": 0, "drawn": None, "skips": 0, "due_skips": 0}
        state |= {"extra": None, "rest": [0] * engine.seats, "hanging": None, "fined": []}
        state |= {key: position[key] for key in state.keys() & position.keys() - {"hands", "stock", "discard"}}
        state["owing"] = set(position.get("owing", ()))
    return state
