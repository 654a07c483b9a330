"""What this browser holds at a table: one seat, none, or several where people pass it on."""

from __future__ import annotations

import contextlib
from dataclasses import dataclass

from starlette.requests import HTTPConnection

from ..game import Action
from ..tables import TableError, Tables, View
from .visitor import Visitor, visitor_of


@dataclass(frozen=True, slots=True)
class Device:
    """The seats of a browser at a table, and the questions that pages ask for them."""

    tables: Tables
    table: str
    tokens: tuple[str, ...]
    lang: str

    @property
    def alone(self) -> str | None:
        """The token, where there is at most one."""
        return self.tokens[0] if self.tokens else None

    async def look(self) -> None:
        """Whoever holds these seats is there, also where no script keeps a connection."""
        for token in self.tokens:
            with contextlib.suppress(TableError):
                await self.tables.look(self.table, token, self.lang)

    async def view(self) -> View:
        """The table as this browser may show it now."""
        return await self.tables.device_view(self.table, self.tokens, self.lang)

    async def shown(self, view: View) -> View:
        """What a command has answered, as this browser may show it: a seat's own view shows its hand, whose turn it ever is."""
        return view if len(self.tokens) < 2 else await self.view()

    async def seats(self) -> dict[int, str]:
        """The seats with their tokens, the one that speaks for all of them first."""
        return await self.tables.device_seats(self.table, self.tokens, self.lang)

    async def token(self, seat: int | None = None) -> str | None:
        """The token of one of the seats, or of the one that speaks for all."""
        if len(self.tokens) < 2:
            return self.alone
        seats = await self.seats()
        return seats[seat] if seat in seats else next(iter(seats.values()))

    async def acting(self, action: str) -> str | None:
        """The token of the seat that an action is for. 409 covered where it needs a hand and none lies open."""
        if len(self.tokens) < 2:
            return self.alone
        return await self.tables.acting(self.table, self.tokens, _shouting(action), self.lang)

    async def end(self, *, take_back: bool = False) -> View:
        """Everybody at this device wants to stop, or nobody after all."""
        for token in (await self.seats()).values():
            try:
                view = await self.tables.end(self.table, token, self.lang, take_back=take_back)
            except TableError as error:
                if error.code == "away":
                    continue  # a bot plays there, and is not asked
                raise
            if view.state == "match-over":
                break
        return await self.view()


def _shouting(action: str) -> int | None:
    """The seat that a call or a catch names as its own: neither needs a hand."""
    try:
        parsed = Action.parse(action)
    except ValueError:
        return None
    return parsed.seat if parsed.kind in ("call", "catch") else None


def device_of(request: HTTPConnection, table: str, visitor: Visitor | None = None) -> Device:
    """What the browser that asks holds at a table."""
    visitor = visitor or visitor_of(request)
    return Device(request.app.state.tables, table, visitor.tokens(table), visitor.lang)
