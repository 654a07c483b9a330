"""Events as they are stored: what everybody may know of one, and what only its own seat may know besides."""

from __future__ import annotations

import json
from typing import Any, Final, cast

from maumau.cards import Card, Suit
from maumau.game import Action, Event
from maumau.game.event import EventKind
from maumau.tables.ledger import Row

BOT_COMMAND: Final = "bot:"
"""How the ids of bots' commands begin; the version follows. No person's id may."""


def split(event: Event) -> tuple[dict[str, Any], dict[str, Any] | None]:
    """What everybody may know of an event, and what only its own seat may know besides."""
    shown = _event_json(event.seen_by(None))
    own = shown if event.seat is None else _event_json(event.seen_by(event.seat))
    hidden = {key: value for key, value in own.items() if shown.get(key) != value}
    return shown, hidden or None


def _event_json(event: Event) -> dict[str, Any]:
    """The fields of an event that say something; cards only where all of them are seen."""
    said = {key: value for key, value in event.as_json().items() if key not in ("kind", "seat")}
    if None in event.cards:
        said["cards_n"] = len(said.pop("cards"))
    return said


def seen(row: Row, seat: int | None) -> dict[str, Any]:
    """What a seat may know of a stored event; None is a spectator."""
    said: dict[str, Any] = json.loads(row.shown)
    if row.hidden is not None and seat is not None and seat == row.seat:
        said |= json.loads(row.hidden)
        said.pop("cards_n", None)
    return said


def event_of(row: Row, seat: int | None) -> Event:
    """The engine's event that a row keeps, as a seat may see it."""
    said = seen(row, seat)
    text = said.get("action", "")
    cards = said.get("cards")
    return Event(
        kind=cast("EventKind", row.kind),
        seat=row.seat,
        action=Action.parse(text) if text else None,
        text=text,
        cards=(None,) * said.get("cards_n", 0) if cards is None else tuple(Card.parse(card) for card in cards),
        count=said.get("count", 0),
        wish=Suit.parse(said["wish"]) if "wish" in said else None,
        target=said.get("target"),
        by_itself=said.get("by_itself", False),
    )


def dumps(value: dict[str, Any]) -> str:
    """The one text of a stored value."""
    return json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
