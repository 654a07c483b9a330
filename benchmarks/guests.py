"""Guests of a server under load: seats of tables, each with the page's socket, and the hand that plays for them.

They do what a browser does: the page's socket with compression offered, actions as the page's POSTs, cookies and all.
But they read no more than the head of what comes in, apart from the view of whoever acts: what is measured is the server.
"""

from __future__ import annotations

import asyncio
import base64
import json
import random
import re
import time
import uuid
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlencode

from benchmarks.push import Push
from benchmarks.wire import GoneError, Wire

_VERSION = re.compile(rb'"version":(\d+)')
_STANDS = b'{"v":1,"now":'
_MY_TURN = b'class=\\"table is-playing my-turn'
_ROUND_OVER = b'class=\\"table is-round-over'
_HEAD = 200
"""In so many of a view's first bytes stands whose turn it is."""
_LEGAL = re.compile(r'<button id="(?:card-[^"]*|draw|pass)" class="(?:pc legal[^"]*|do[^"]*)"[^>]*>')
_VALUE = re.compile(r' value="([^"]*)"')
_WISHES = re.compile(r' data-wishes="([^"]*)"')
MADE_AT_ONCE = 20
"""So many tables are set up side by side."""


@dataclass(slots=True, eq=False)
class Seat:
    """One guest: the page's socket, and the last view that it brought."""

    port: int
    table: str
    token: str
    version: int = 0
    frame: bytes = b""
    seen_at: float = 0.0
    """When the version came."""
    size: int = 0
    frames: int = 0
    first: asyncio.Event = field(default_factory=asyncio.Event)
    """A view has come."""
    stands: asyncio.Event = field(default_factory=asyncio.Event)
    """The server has answered that the line stands."""
    told: Callable[[], None] = lambda: None
    """Called whenever a view has come."""
    push: Push | None = None

    @property
    def headers(self) -> dict[str, str]:
        """What a browser sends along: the cookie that holds the seat."""
        data = json.dumps({"l": "en", "s": {self.table: self.token}}, separators=(",", ":")).encode()
        return {"Cookie": f"maumau={base64.urlsafe_b64encode(data).decode()}", "Accept": "application/json"}

    async def look(self, version: int = 0) -> None:
        """Open the page's socket; returns when it is open. Views newer than ``version`` come in from then on."""
        path = f"/t/{self.table}/live?version={version}"
        self.push = await Push.open(self.port, path, self.headers, self._take_in)

    def _take_in(self, content: bytes, now: float) -> None:
        found = _VERSION.search(content, 0, 60)
        if found is None and content.startswith(_STANDS):
            self.stands.set()
            return
        assert found is not None, content[:80]
        self.version, self.frame, self.seen_at = int(found[1]), content, now
        self.size += len(content)
        self.frames += 1
        self.first.set()
        self.told()

    def ask(self) -> None:
        """Whether the line still stands, as a page asks that has heard nothing for long."""
        if self.push is not None:
            self.push.say(b"?")

    async def cut(self) -> None:
        """The network goes, without a word."""
        if self.push is not None:
            self.push.cut()
            await self.push.gone.wait()

    def action(self, chance: random.Random) -> str | None:
        """Something that the page offers; None while it is not this seat's turn."""
        if _MY_TURN not in self.frame[:_HEAD]:
            return None
        html = json.loads(self.frame)["html"]
        offered = [button for button in _LEGAL.findall(html) if "aria-disabled" not in button]
        cards = [button for button in offered if 'id="card-' in button]
        button = chance.choice(cards or offered)
        wishes = _WISHES.search(button)
        value = _VALUE.search(button)
        return wishes[1].split(" ")[0] if wishes else value[1] if value else None


@dataclass(slots=True)
class Spans:
    """Spans of time in seconds, told in milliseconds."""

    all: list[float] = field(default_factory=list)

    def at(self, share: float) -> float:
        """The span that this share of all does not exceed, in milliseconds."""
        ordered = sorted(self.all)
        return 1000 * ordered[min(len(ordered) - 1, int(share * len(ordered)))] if ordered else 0.0


@dataclass(slots=True)
class Figures:
    """What was measured while people played."""

    answered: Spans = field(default_factory=Spans)
    """From the press to the answer."""
    informed: Spans = field(default_factory=Spans)
    """From the press until every seat of the table has the view."""
    refused: int = 0
    silent: int = 0
    """Seats that had heard nothing after five seconds."""


class Table:
    """A table of guests who all look, and act one after the other."""

    def __init__(self, name: str, seats: list[Seat], chance: random.Random) -> None:
        self.name, self.seats, self.chance = name, seats, chance
        self.wire = Wire(seats[0].port)
        self._told = asyncio.Event()
        for seat in seats:
            seat.told = self._told.set

    async def play(self, every: float, due: float, until: float, figures: Figures) -> None:
        """One action in ``every`` seconds, the first one when it is ``due``."""
        while due < until:
            await asyncio.sleep(max(0.0, due - time.perf_counter()))
            due += every
            with suppress(GoneError):
                await self._one(figures)

    async def _one(self, figures: Figures) -> None:
        for seat in self.seats:
            action = seat.action(self.chance)
            if action is not None:
                body = {"id": str(uuid.uuid4()), "version": seat.version, "action": action}
                await self._send(seat, "act", body, figures)
                return
        over = _ROUND_OVER in self.seats[0].frame[:_HEAD]
        await self._send(self.seats[0], "next" if over else "rematch", {}, figures)

    async def _send(self, seat: Seat, deed: str, body: dict[str, Any], figures: Figures) -> None:
        began = time.perf_counter()
        headers = seat.headers | {"Content-Type": "application/x-www-form-urlencoded"}
        status, answer = await self.wire.ask("POST", f"/t/{self.name}/{deed}", urlencode(body).encode(), headers)
        if status != 200:
            figures.refused += 1
            return
        figures.answered.all.append(time.perf_counter() - began)
        found = _VERSION.search(answer, 0, 60)
        assert found is not None, answer[:80]
        figures.silent += await self._until_all_have(int(found[1]))
        figures.informed.all.append(max(seat.seen_at for seat in self.seats) - began)

    async def _until_all_have(self, version: int) -> int:
        """How many seats have not heard of a version after five seconds."""
        with suppress(TimeoutError):
            async with asyncio.timeout(5):
                while any(seat.version < version for seat in self.seats):
                    self._told.clear()
                    await self._told.wait()
        return sum(seat.version < version for seat in self.seats)


async def sit_down(port: int, tables: int, persons: int = 4, rules: str = "family") -> list[Table]:
    """So many tables of so many people, dealt; nobody looks yet."""
    gate = asyncio.Semaphore(MADE_AT_ONCE)

    async def one(number: int) -> Table:
        async with gate:
            wire = Wire(port)
            name, seats = await _one_table(wire, port, persons, rules)
            wire.close()
            return Table(name, seats, random.Random(number))

    return list(await asyncio.gather(*(one(number) for number in range(tables))))


async def _one_table(wire: Wire, port: int, persons: int, rules: str) -> tuple[str, list[Seat]]:
    open_seats = [{"open": True}] * (persons - 1)
    _, made = await wire.say("POST", "/api/tables", {"rules": rules, "seats": [{"name": "Anna"}, *open_seats]})
    name = str(made["table"])
    seats = [Seat(port, name, made["token"])]
    for number in range(1, persons):
        join = {"invite": made["invite"], "name": f"Gast {number}"}
        _, seated = await wire.say("POST", f"/api/tables/{name}/join", join)
        seats.append(Seat(port, name, seated["token"]))
    await wire.say("POST", f"/api/tables/{name}/start", {}, made["token"])
    return name, seats


async def all_look(tables: list[Table], at_once: int = 200) -> None:
    """Every seat of these tables opens its socket and gets its view."""
    gate = asyncio.Semaphore(at_once)

    async def one(seat: Seat) -> None:
        async with gate:
            await seat.look()
            await seat.first.wait()

    await asyncio.gather(*(one(seat) for table in tables for seat in table.seats))
