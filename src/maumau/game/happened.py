"""What the kernel did, told as events: its notes are read and forgotten."""

from __future__ import annotations

from maumau.cards import Card
from maumau.game.action import PASS
from maumau.game.event import Event
from maumau.game.hands import face, hand_of
from maumau.kernel import notes
from maumau.kernel.layout import NOBODY, OVER, WAITING, State

_Note = tuple[int, int, int]


def events_of_deal(s: State) -> list[Event]:
    """The events of the deal: everybody's cards, the starter, and what it did."""
    happened, s.notes = s.notes, []
    events: list[Event] = []
    for seat in range(s.seats):
        hand = hand_of(s, seat)
        if hand:
            # What the starter made a seat draw came after the deal.
            later = [face(card) for kind, who, card in happened if kind == notes.DRAWN and who == seat]
            dealt = list(hand)
            for card in later:
                dealt.remove(card)
            events.append(Event("deal", seat, cards=tuple(dealt), count=len(dealt)))
    events.append(Event("starter", s.dealer, cards=(face(s.top),)))
    return events + _follow(happened)


def events_of_action(s: State, event: Event) -> list[Event]:
    """The events of an action that has just been done: ``event``, with the cards it drew, and what followed from it."""
    happened, s.notes = s.notes, []
    events: list[Event] = []
    if event.kind in ("draw", "take"):
        drawn: list[Card | None] = []
        while happened and happened[0][0] in (notes.DRAWN, notes.RESHUFFLED):
            kind, _, value = happened.pop(0)
            if kind == notes.DRAWN:
                drawn.append(face(value))
            else:
                events.append(Event("reshuffle", count=value))
        event = event._replace(cards=tuple(drawn), count=len(drawn))
    events.append(event)
    if happened:
        events += _follow(happened)
    if s.phase == WAITING:
        events.append(Event("silent", s.laid))
    if s.phase == OVER:
        left = s.hand_n[s.winner] if s.blocked and s.winner != NOBODY else 0
        events.append(Event("round-over", None if s.winner == NOBODY else s.winner, count=left))
    return events


def _follow(happened: list[_Note]) -> list[Event]:
    """What follows from an action or the deal, without what was drawn by it."""
    events: list[Event] = []
    made: int | None = None
    for kind, seat, value in happened:
        if kind == notes.MADE:
            made = len(events)
            events.append(Event("made-to-draw", seat))
        elif kind == notes.DRAWN and made is not None:
            before = events[made]
            events[made] = before._replace(cards=(*before.cards, face(value)), count=before.count + 1)
        elif kind == notes.RESHUFFLED:
            # Told before the cards it made possible, so that a reader never draws from an empty stock.
            events.insert(len(events) if made is None else made, Event("reshuffle", count=value))
            made = None if made is None else made + 1
        elif kind == notes.SKIPPED:
            events.append(Event("skip", seat))
        elif kind == notes.REVERSED:
            events.append(Event("reverse", seat, count=value))
        elif kind == notes.OUT:
            events.append(Event("out", seat, count=value))
        elif kind == notes.PASSED:
            events.append(Event("pass", seat, PASS, "-", by_itself=True))
    return events
