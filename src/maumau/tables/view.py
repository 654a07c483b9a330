"""What one seat (or a spectator) may see of a table, as one frozen dataclass that page, JSON and terminal render.

Built by allow-list from the Observation of that seat, the names of the seats and the public part of the log: whatever
is not named here is not shown. Every decision that a page needs is a field; nobody who renders a view compares a rank,
a suit or the size of a hand.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class HandCard:
    """One card of the own hand."""

    card: str
    """``9h``"""
    name: str
    """``die Herz-Neun``, ``the nine of hearts``"""
    label: str
    """``9♥``, in German ``B♥`` for the jack"""
    legal: bool
    """May be played now."""
    why: str
    """One sentence: by which rule it may or may not be played; empty while nobody asks this seat."""
    plays: tuple[str, ...]
    """The actions that play it, without ``!``: one, or one for each suit that may be wished."""
    wishes: bool
    """A suit has to be asked for before it is played: one of ``plays``."""
    call_due: bool
    """``!`` may be added to each of ``plays`` (the second-last or last card, where calls are spoken)."""
    drawn: bool
    """It is the card just drawn."""
    order: int
    """Where it belongs in a hand sorted by rank."""
    suit_order: int
    """Where it belongs in a hand sorted by suit."""


@dataclass(frozen=True, slots=True)
class SeatView:
    """One seat as everybody sees it."""

    seat: int
    name: str
    kind: str
    """``human``, ``bot`` or ``open``"""
    level: str | None
    """The bot that plays here (also for a person who is away)."""
    cards_n: int
    called: bool
    """Has said Mau and still holds one card."""
    catchable: bool
    """Owes a call, and the window is open."""
    away: bool
    """A person who has left, so that a bot sits in, or who has gone from every screen."""
    score: int
    """The total of the match, in what the rules count."""
    on_turn: bool
    dealer: bool
    playing: bool
    """Takes part in this round and is not out."""
    host: bool
    you: bool
    winner: bool
    """Has won the round (or, when the match is over, the match)."""
    catch: str | None
    """The viewer's action that catches this seat now, such as ``1?0``."""
    can_stand_in: bool = False
    """Away for so long that the viewer may ask a bot to sit in."""
    stand_in_at: int | None = None
    """When a bot sits in by itself for somebody who is away, in milliseconds since the epoch."""
    reaction: str = ""
    """A quick reaction of just now, in the viewer's language."""
    reaction_key: int = 0
    """The number of its event."""


@dataclass(frozen=True, slots=True)
class LogLine:
    """One sentence of what happened, in the viewer's language."""

    seq: int
    text: str
    kind: str
    seat: int | None = None
    card: str | None = None
    """The card of a play, which everybody has seen."""


@dataclass(frozen=True, slots=True)
class PileCard:
    """One of the last cards of the discard pile."""

    card: str
    name: str
    key: int
    """The number of the event that put it there."""
    seat: int | None
    """Who laid it; None for the starter."""


@dataclass(frozen=True, slots=True)
class ScoreRow:
    """One finished round of the score sheet."""

    round: int
    points: tuple[int | None, ...]
    """By seat; None for a seat that sat out."""
    winner: int | None
    """None when the round was blocked, or conceded among more than two."""


@dataclass(frozen=True, slots=True)
class SharedDevice:
    """What a device shows that several people pass on: at most the hand of whoever is on turn, once it is uncovered."""

    seats: tuple[int, ...]
    covered: bool
    """No hand lies open."""
    next: int | None = None
    """Whose hand may be uncovered: the device goes to this person."""
    calls: tuple[tuple[int, str], ...] = ()
    """Late calls of people at the device whose hand does not lie open: seat and action."""
    catch: str | None = None
    """The action with which the others at the device catch whoever has it in hand."""
    may_concede: tuple[int, ...] = ()
    """Those of the seats that may concede the match."""


@dataclass(frozen=True, slots=True)
class View:
    """A table as one seat may see it at one version. ``as_json`` is the body of the JSON API."""

    table: str
    version: int
    rules: str
    state: str
    """``waiting``, ``playing``, ``round-over`` or ``match-over``"""
    you: int | None
    turn: int | None
    direction: int
    top: str | None
    top_name: str
    top_label: str
    wish: str | None
    """The letter of the suit in force by wish, until it is served."""
    wish_name: str
    wish_symbol: str
    penalty: int
    hand: tuple[HandCard, ...]
    legal: tuple[str, ...]
    call_due: tuple[str, ...]
    shouts: tuple[str, ...]
    """The viewer's own shouts that are legal now."""
    throws: tuple[tuple[str, str | None], ...]
    """Those of them that throw in the card on top out of turn: the action, and the suit it names, if any."""
    drawn: str | None
    stock_n: int
    discard_n: int
    seats: tuple[SeatView, ...]
    round: int
    match: int
    """Which match of this table: a rematch is the next."""
    dealer: int | None
    host: int
    deadline: str | None
    """When a bot decides for the seat on turn; None where no clock runs."""
    commitment: str | None
    log: tuple[LogLine, ...]
    trick: tuple[LogLine, ...]
    """What happened since the viewer's own last action (for everybody else: since the round began), oldest first."""
    can_draw: bool
    draw: str | None
    draw_label: str
    take: str | None
    take_label: str
    can_pass: bool
    pass_: str | None
    pass_label: str
    names: tuple[str, ...]
    """The suits the dealer may name for the starter, as actions ``=c``; empty unless it is the viewer's to name."""
    suits: tuple[tuple[str, str, str], ...]
    """Letter, symbol and name of the four suits, for the wish picker."""
    mau: str | None
    """``armed-possible``: may be pressed before a play of this turn; ``late``: ``mau_action`` calls late; None: no call."""
    mau_action: str | None
    mau_label: str
    status: str
    """The one sentence that says what is going on now."""
    pace: str
    score_sheet: tuple[ScoreRow, ...]
    score_counts: str
    """What the totals count: ``cards``, ``rounds`` or ``none``."""
    round_winner: int | None
    match_winners: tuple[int, ...]
    result: str
    """One sentence: how the round or the match ended; empty while it runs."""
    next_dealer: int | None
    can_start: bool
    can_next: bool
    can_rematch: bool
    can_leave: bool
    can_return: bool
    can_end: bool
    can_hurry: bool
    end_proposed: tuple[int, ...]
    """Seats that want to end the match."""
    pile: tuple[PileCard, ...] = ()
    """The last cards of the discard pile, up to three; the last one is the top card."""
    free: bool = False
    """The freedom that a starter gave still stands: any card fits."""
    invite: str | None = None
    """What lets others sit down: for those who sit here, until the start."""
    share_due: bool = False
    """The viewer's share in the shuffle of the next deal is not there yet."""
    word: str | None = None
    """What people in one room may call out to sit down, for those who sit here, while a seat is free."""
    knocks: tuple[tuple[int, str], ...] = ()
    """Who asks to be let in, number and name: for the host, while the table waits."""
    asks: bool = False
    """Whoever comes by the word or from the lobby has to knock."""
    shared: SharedDevice | None = None
    """Where several people share the device that shows this."""
    public: bool = False
    """Listed in the lobby while it waits; anybody may watch."""
    reactions: tuple[tuple[str, str], ...] = ()
    """The quick reactions that the viewer may send: code and words."""
    turn_seconds: int | None = None
    """How long a person may think about a turn; None: as long as it takes."""
    stand_in_seconds: int | None = None
    """After so long away a bot sits in by itself; None: only when somebody asks for one."""
    deadline_at: int | None = None
    """``deadline`` in milliseconds since the epoch."""
    can_concede: bool = False
    can_take_back: bool = False
    """The viewer has proposed to end the match, and may go on after all."""
    can_extend: bool = False
    """The viewer may ask for more time."""
    last_hands: tuple[tuple[int, tuple[str, ...]], ...] = ()
    """When a round is over: the seats that took part, and the cards that each had left."""

    @property
    def runs_out(self) -> bool:
        """It tells of a time that has not come yet: such a time moves without an event where the server was down."""
        return self.deadline_at is not None or any(seat.stand_in_at is not None for seat in self.seats)

    def as_json(self) -> dict[str, Any]:
        """The view as the JSON API gives it: the fields of the API, then those a page needs besides."""
        return {
            "table": self.table,
            "version": self.version,
            "rules": self.rules,
            "state": self.state,
            "you": self.you,
            "turn": self.turn,
            "direction": self.direction,
            "top": self.top,
            "wish": self.wish,
            "penalty": self.penalty,
            "hand": [card.card for card in self.hand],
            "legal": list(self.legal),
            "call_due": list(self.call_due),
            "shouts": list(self.shouts),
            "drawn": self.drawn,
            "stock_n": self.stock_n,
            "discard_n": self.discard_n,
            "seats": [_seat_json(seat) for seat in self.seats],
            "round": self.round,
            "dealer": self.dealer,
            "host": self.host,
            "deadline": self.deadline,
            "commitment": self.commitment,
            "log": [{"seq": line.seq, "kind": line.kind, "text": line.text} for line in self.log],
            "match": self.match,
            "status": self.status,
            "result": self.result,
            "pace": self.pace,
            "score_sheet": [
                {"round": row.round, "points": list(row.points), "winner": row.winner} for row in self.score_sheet
            ],
            "round_winner": self.round_winner,
            "match_winners": list(self.match_winners),
            "next_dealer": self.next_dealer,
            "turn_seconds": self.turn_seconds,
            "stand_in_seconds": self.stand_in_seconds,
            "end_proposed": list(self.end_proposed),
        }


def _seat_json(seat: SeatView) -> dict[str, Any]:
    return {
        "name": seat.name,
        "kind": seat.kind,
        "cards_n": seat.cards_n,
        "called": seat.called,
        "catchable": seat.catchable,
        "away": seat.away,
        "score": seat.score,
        "playing": seat.playing,
    }
