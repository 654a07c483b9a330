"""Which edge cases of the rules a run of random play has met, and how often: one name for each.

The names stand for the edge cases that decide whether an engine is right. A proof that compares two engines on random
play is worth what it has met, so the count is part of the proof.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field

from tests.literal.round import LiteralRound, Values

EDGE_CASES: Mapping[str, str] = {
    "short-supply": "a penalty larger than stock plus discards: what there is is drawn, the chain is cleared",
    "short-supply-mid-reshuffle": "a penalty for which the stock had to be renewed half way",
    "nothing-to-draw-stuck": "nothing to draw and nothing playable: pass",
    "nothing-to-draw-able": "nothing to draw, something playable, drawing voluntary: pass or play",
    "draw-ends-turn": "a draw that does not fit ends the turn by itself",
    "draw-then-pass": "a draw that fits may be kept",
    "jack-empties-hand": "the wishing card that empties the hand is listed bare",
    "jack-last-wish-ignored": "a wish given with it is ignored",
    "next-round-clean": "nothing of a round with a wish, penalty, turned direction or open call reaches the next",
    "reshuffle-keeps-wish": "a reshuffle keeps the top card and the wish in force",
    "caught-calls-again": "a caught player who drew back to two or more must call again when down to one",
    "call-with-play": "a call made with the play",
    "call-after-play": "a call just after the play",
    "call-too-late": "a late call after another seat has acted is refused",
    "call-not-due": "a call with nothing to call for is refused",
    "catch-refused": "a catch with nothing to catch is refused",
    "wait-caught": "a silent last card is caught and play goes on with its effect",
    "wait-caught-jack": "a caught last Jack leaves its printed suit in force",
    "wait-stands": "a silent last card is let stand",
    "wait-late-call": "a silent last card is called for after all",
    "wait-only-stand": "while a last card waits, the next seat may do nothing else on its turn",
    "window-closed": "a missed call's window closes with an action of the next turn",
    "window-own-turn": "the next turn taken is the caller's own, and closes the window",
    "caught-hand-grown": "a missed call is caught although the hand has grown since",
    "call-under-automatic": "under automatic calls a ! is refused",
    "starter-acts": "a starter with a power acts as if the dealer had played it",
    "starter-idle": "a starter with a power does nothing where the book says so",
    "starter-wish-free": "a starter Jack leaves the first play free",
    "starter-wish-named": "the dealer names the suit of a starter Jack",
    "free-drawn-jack": "a starter Jack, nothing fits but a drawn Jack: it may not be played, the turn ends",
    "blocked": "as many passes in a row as players with nothing to draw: no winner",
    "blocked-with-penalty": "a penalty of which nothing could be drawn counts towards a blocked round",
    "pass-count-restarts": "a card drawn or played starts the count of passes again",
    "tie-break": "an extra round among the tied, the others sit out, its winner wins the match",
    "skip-two-players": "with two players a skip or reverse means you again",
    "turns-skip-seats-out": "skips and turns count only seats still in the round",
    "chain-comes-back": "with two players one's own seven comes back as more",
    "conserved": "after every action stock, discards and hands are exactly the pack",
}


@dataclass
class Before:
    """What has to be remembered of a round to see what an action did."""

    phase: str
    turn: int | None
    top: str
    wish: str | None
    penalty: int
    supply: int
    stock: int
    passes: int
    reshuffles: int
    drawn: str | None
    free: bool
    direction: int
    hand: int
    owing: set[int]
    late: set[int]
    legal: set[str]
    sizes: list[int]

    @classmethod
    def of(cls, game: LiteralRound, legal: set[str]) -> Before:
        return cls(
            game.phase,
            game.on_turn,
            game.top,
            game.wish,
            game.penalty,
            len(game.stock) + len(game.discard) - 1,
            len(game.stock),
            game.passes,
            game.reshuffles,
            game.drawn,
            game.free,
            game.direction,
            len(game.hands[game.turn]) if game.turn is not None else 0,
            set(game.owing),
            set(game.may_call_late),
            legal,
            [len(hand) for hand in game.hands],
        )


@dataclass
class Lines:
    """Counts the edge cases; one watches all rounds of one rule book."""

    counts: Counter[str] = field(default_factory=Counter)
    caught: set[int] = field(default_factory=set)
    penalties: dict[int, int] = field(default_factory=dict)

    def hit(self, name: str, when: bool = True) -> None:
        assert name in EDGE_CASES
        if when:
            self.counts[name] += 1

    # --- the start of a round ----------------------------------------------------------------------------------------

    def started(self, game: LiteralRound, starter: str) -> None:
        values = game.values
        powers = [power for power in ("draw", "skip", "reverse", "others") if game.power(starter, power)]
        self.new_round()
        self.hit("starter-acts", bool(powers) and bool(values["start.acts"]))
        self.hit("starter-idle", bool(powers) and not values["start.acts"])
        self.hit("starter-wish-free", game.free)
        self.hit("starter-wish-named", game.naming)

    def new_round(self) -> None:
        self.caught = set()
        self.penalties = {}

    # --- actions -----------------------------------------------------------------------------------------------------

    def refused(self, game: LiteralRound, before: Before, text: str) -> None:
        """An action that was refused."""
        if "?" in text:
            self.hit("catch-refused")
        elif text.endswith("!"):
            spoken = game.values["call.mode"] == "spoken"
            late = text[0].isdigit() and len(text) == 2
            self.hit("call-under-automatic", not spoken)
            self.hit("call-not-due", spoken and not (late and int(text[0]) in before.owing))
            self.hit("call-too-late", spoken and late and int(text[0]) in before.owing)
        self.hit("wait-only-stand", before.phase == "wait" and "?" not in text and not text.endswith("!"))

    def accepted(self, game: LiteralRound, before: Before, text: str) -> None:
        """An action that was taken; `game` is as it is now."""
        self.hit("conserved")
        self.hit("pass-count-restarts", before.passes > 0 and game.passes == 0 and not game.over)
        self.hit("reshuffle-keeps-wish", game.reshuffles > before.reshuffles and before.wish == game.wish is not None)
        if "?" in text:
            self._catch(game, before, int(text[2]))
        elif text[0].isdigit() and text[1] == "!":
            self.hit("call-after-play")
            self.hit("wait-late-call", before.phase == "wait")
        elif before.phase == "wait":
            self.hit("wait-stands")
        elif before.phase == "play":
            self._windows(before, game)
            self._turn(game, before, text)

    def _catch(self, game: LiteralRound, before: Before, target: int) -> None:
        if before.phase == "wait" and before.sizes[target] == 0:
            self.hit("wait-caught")
            self.hit("wait-caught-jack", game.wishes(game.top) and game.wish is None)
            return
        self.hit("caught-hand-grown", before.sizes[target] > 1)
        if len(game.hands[target]) > 1:
            self.caught.add(target)

    def _windows(self, before: Before, game: LiteralRound) -> None:
        closed = before.owing - game.owing
        self.hit("window-closed", bool(closed) and not game.over)
        self.hit("window-own-turn", before.turn in closed and not game.over)

    def _turn(self, game: LiteralRound, before: Before, text: str) -> None:
        if text == "-":
            self._passed(game, before)
        elif text == "+":
            self.hit("draw-ends-turn", game.drawn is None)
            self.hit("free-drawn-jack", before.free and game.drawn is None)
        elif text.startswith("+"):
            self._paid(game, before, before.penalty)
            self.hit("blocked-with-penalty", game.over or game.passes > 0)
        else:
            self._played(game, before, text)
        self.hit("blocked", game.blocked)

    def _passed(self, game: LiteralRound, before: Before) -> None:
        self.hit("draw-then-pass", before.drawn is not None)
        if before.drawn is None:
            self.hit("nothing-to-draw-stuck", len(before.legal) == 1)
            self.hit("nothing-to-draw-able", len(before.legal) > 1)

    def _paid(self, game: LiteralRound, before: Before, due: int) -> None:
        self.hit("short-supply", due > before.supply)
        self.hit("short-supply-mid-reshuffle", game.reshuffles > before.reshuffles and before.stock > 0)

    def _played(self, game: LiteralRound, before: Before, text: str) -> None:
        seat = before.turn
        assert seat is not None
        card = text[0] if text[0] == "*" else text[:2]
        if text.endswith("!"):
            self.hit("call-with-play")
        self.hit("caught-calls-again", before.hand == 2 and seat in self.caught)
        if before.hand == 2:
            self.caught.discard(seat)
        self.hit("jack-empties-hand", before.hand == 1 and game.wishes(card))
        self.hit("jack-last-wish-ignored", before.hand == 1 and "=" in text)
        if game.draws(card) and game.values["penalty.answer"] == "none" and game.phase == "play":
            self._paid(game, before, game.draws(card))  # resolved at once; its cards come from the supply
        if game.phase != "play":
            return
        two = len(game.seats_in()) == 2
        again = game.turn == seat and (game.power(card, "skip") or game.power(card, "reverse"))
        self.hit("skip-two-players", two and bool(again))
        fewer = len(game.seats_in()) < len(game.hands)
        self.hit("turns-skip-seats-out", fewer and game.turn is not None and not two)
        if game.penalty:
            self.hit("chain-comes-back", two and self.penalties.get(1 - seat, 0) < game.penalty and before.penalty > 0)


def applicable(values: Values) -> set[str]:
    """The edge cases that rounds under these values can meet at all."""
    spoken, needed = values["call.mode"] == "spoken", bool(values["call.needed"])
    stacked, acts = values["penalty.answer"] == "same", bool(values["start.acts"])
    window = values["call.window"]
    fixed_starter = values["start.rank"] != "any"
    only_if = {
        "nothing-to-draw-able": values["draw.when"] == "any",
        "call-under-automatic": not spoken,
        "starter-acts": acts and not fixed_starter,
        "starter-idle": not acts and not fixed_starter,
        "starter-wish-free": values["start.wish"] != "dealer" and not fixed_starter,
        "starter-wish-named": values["start.wish"] == "dealer" and not fixed_starter,
        "free-drawn-jack": values["start.wish"] == "free-plain" and not fixed_starter,
        "blocked-with-penalty": stacked,
        "chain-comes-back": stacked and values["players.min"] == 2,
        "skip-two-players": values["players.min"] == 2,
        "tie-break": values["match.tie"] == "tied" and bool(values["match.target"]),
        "turns-skip-seats-out": values["match.tie"] == "tied" and bool(values["match.target"]),
        "window-own-turn": values["players.min"] == 2,
        # Without a card that makes others draw, a hand grows within the window in one's own turn alone.
        "caught-hand-grown": window == "next-ends",
        # With no stock and one discard, every other card of the pack is in a hand: one of them is playable.
        "blocked": values["draw.when"] == "any",
    }
    spoken_only = {
        name
        for name in EDGE_CASES
        if name.startswith(("call-", "wait-", "window-", "caught-")) and name != "call-under-automatic"
    } - {"call-too-late"}
    names = set()
    for name in EDGE_CASES:
        if not only_if.get(name, True) or (name in spoken_only and not spoken):
            continue
        if name.startswith("wait-") and not needed:
            continue
        if name == "call-too-late" and not (spoken and window == "own-begins"):
            continue
        names.add(name)
    return names
