"""Live tables: seats, commands to events, the store of the log, the view of a seat, bots at their pace.

The log is the truth. A command is checked by the engine, appended in one transaction with compare-and-swap on the
table's version, and acknowledged only after COMMIT; a table in memory is the fold of its log and may be dropped at
any time. What a seat sees is built by allow-list from its Observation.
"""

from __future__ import annotations

from maumau.tables.errors import TableError
from maumau.tables.service import Tables
from maumau.tables.spec import Pace, Seated, SeatSpec, TableSpec
from maumau.tables.store import Store
from maumau.tables.view import View

__all__ = ["Pace", "SeatSpec", "Seated", "Store", "TableError", "TableSpec", "Tables", "View"]
