"""A table as its server has it, and as its log tells it."""

from __future__ import annotations

from typing import Any

from maumau.tables import Tables, render
from maumau.tables import ledger as s
from maumau.tables.table import LiveTable


def state_of(table: LiveTable) -> dict[str, Any]:
    """Everything about a table that a restart must bring back."""
    assert table.match is not None
    return {
        "position": table.match.round.position(),
        "events": table.match.round.events,
        "totals": table.match.totals,
        "rounds": [(r.dealer, r.position()) for r in table.match.rounds],
        "decided": table.decided,
        "acted": table.acted,
        "chairs": table.chairs,
        "rest": (
            table.version,
            table.host,
            table.pace,
            table.match_number,
            table.finished,
            table.proposed,
            table.state,
        ),
        "views": [render.build(table, seat, lang) for seat in (None, 0, 1) for lang in ("de", "en")],
        "bots": [table.bot_seed(seat) for seat in range(len(table.chairs))],
    }


def replayed(tables: Tables, name: str, upto: int | None = None) -> LiveTable:
    stored = s.load(tables.store.read(), name)
    assert stored is not None
    return LiveTable.replay(stored, upto)


def live(tables: Tables, name: str) -> LiveTable:
    table = tables._slots[name].table
    assert table is not None
    return table
