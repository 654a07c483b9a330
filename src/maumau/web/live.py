"""The live sockets: whole views to pages, events to programs. Sockets only push; actions go up as POSTs."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections import Counter
from collections.abc import Awaitable, Callable, Collection, Iterator

from starlette.requests import HTTPConnection
from starlette.routing import Router, WebSocketRoute
from starlette.websockets import WebSocket, WebSocketDisconnect

from ..tables import TableError, Tables
from ..tables.errors import StoreError
from ..tables.service import Subscription
from .guard import same_origin
from .limits import network_of
from .render import Renderer
from .sitting import base_of
from .visitor import visitor_of

log = logging.getLogger("maumau.web")
_FOREIGN, _NO_TABLE, _TOO_MANY = 4403, 4404, 4429
ASKS = "?"
"""What a page sends that has heard nothing for long."""
SOCKETS_PER_SEAT = 16
"""So many live sockets a seat has at once; one more closes its oldest."""

ONLOOKERS_PER_ADDRESS = 200
"""So many live sockets without a seat an address has at once: those who watch, and those who wait at a door."""


class _Place:
    """The place of a live socket at its seats: what it is told of, and whether a newer one has taken it."""

    __slots__ = ("replaced", "versions")

    def __init__(self, versions: Subscription) -> None:
        self.versions = versions
        self.replaced = False

    def give_up(self) -> None:
        """A newer socket of the seat has come."""
        self.replaced = True
        self.versions.close()


async def _until_gone(socket: WebSocket, versions: Subscription, now: Callable[[], int] | None) -> None:
    """Reads whatever comes, so that a closed tab is noticed at once, and its wake-ups end.

    A page that has heard nothing for long asks whether the line still stands, and is told the time ``now``.
    """
    try:
        with contextlib.suppress(WebSocketDisconnect, RuntimeError):
            while (message := await socket.receive())["type"] != "websocket.disconnect":
                if now is not None and message.get("text") == ASKS:
                    await socket.send_json({"v": 1, "now": now()})
    finally:
        versions.close()


async def _push(versions: Subscription, tell: Callable[[int], Awaitable[None]]) -> None:
    """Tell of each version, until the wake-ups end, the socket is gone, or its token opens the table no more."""
    with contextlib.suppress(WebSocketDisconnect, RuntimeError, TableError):
        async for version in versions:
            await tell(version)


async def _serve(
    socket: WebSocket,
    tables: Tables,
    table: str,
    seats: Collection[int],
    tell: Callable[[int], Awaitable[None]],
    now: Callable[[], int] | None = None,
) -> None:
    """Tell of each version until the reader or the table goes; the subscription never outlives the socket."""
    if not seats:
        with _looking_on(socket) as room:
            if not room:
                await socket.close(_TOO_MANY, f"more than {ONLOOKERS_PER_ADDRESS} connections without a seat")
                return
            await _served(socket, tables, table, seats, tell, now)
    else:
        await _served(socket, tables, table, seats, tell, now)


@contextlib.contextmanager
def _looking_on(socket: WebSocket) -> Iterator[bool]:
    """Count a socket without a seat for its address while it lasts; False where there are too many already."""
    counts: Counter[str] = socket.app.state.onlookers
    address = network_of(socket.client.host if socket.client else None)
    room = counts[address] < ONLOOKERS_PER_ADDRESS
    counts[address] += room
    try:
        yield room
    finally:
        counts[address] -= room
        if not counts[address]:
            del counts[address]


async def _served(
    socket: WebSocket,
    tables: Tables,
    table: str,
    seats: Collection[int],
    tell: Callable[[int], Awaitable[None]],
    now: Callable[[], int] | None,
) -> None:
    place = _Place(tables.subscribe(table))
    _enter(socket, table, seats, place)
    socket.app.state.sockets += 1
    arrived: list[int] = []
    reader = asyncio.create_task(_until_gone(socket, place.versions, now))
    try:
        with contextlib.suppress(TableError, StoreError):
            for seat in seats:
                arrived.append(seat)  # before it is told: a socket may be gone while that is written down
                await tables.arrive(table, seat)
        await _push(place.versions, tell)
    except Exception:
        log.warning("a live socket of table %s ended", table, exc_info=True)
    finally:
        socket.app.state.sockets -= 1
        _go(socket, table, seats, place)
        for seat in arrived:
            tables.depart(table, seat)
        place.versions.close()
        reader.cancel()
        await asyncio.wait([reader])
        with contextlib.suppress(RuntimeError, WebSocketDisconnect):
            if place.replaced:
                await socket.close(_TOO_MANY, f"more than {SOCKETS_PER_SEAT} connections of this seat")
            else:
                await socket.close()


def _enter(socket: WebSocket, table: str, seats: Collection[int], place: _Place) -> None:
    """One more socket of these seats; where that is too many, the oldest is told to go."""
    for seat in seats:
        opened: list[_Place] = socket.app.state.seat_sockets.setdefault((table, seat), [])
        opened.append(place)
        if len(opened) > SOCKETS_PER_SEAT:
            opened.pop(0).give_up()


def _go(socket: WebSocket, table: str, seats: Collection[int], place: _Place) -> None:
    """A socket has gone."""
    for seat in seats:
        opened: list[_Place] = socket.app.state.seat_sockets[table, seat]
        if place in opened:
            opened.remove(place)
        if not opened:
            del socket.app.state.seat_sockets[table, seat]


async def _refuse(socket: WebSocket, code: int) -> None:
    await socket.accept()
    await socket.close(code)


async def _accept(socket: WebSocket) -> None:
    """Open the socket. What came with the handshake has been read, and thousands that idle need not keep it."""
    await socket.accept()
    socket.scope["headers"] = []


def _asked(socket: WebSocket) -> HTTPConnection:
    """The handshake. A reading of it is kept where it is read: not at the socket, which lives long."""
    return HTTPConnection(socket.scope)


def _number(asked: HTTPConnection, name: str) -> int:
    text = asked.query_params.get(name, "0")
    return int(text) if text.isdecimal() and len(text) < 12 else 0


async def page_live(socket: WebSocket) -> None:
    """The table as this browser's seat sees it, whole, after each change since `?version=`; at once where a clock runs."""
    table = socket.path_params["table"]
    await _page(socket, table, visitor_of(_asked(socket)).tokens(table))


async def watch_live(socket: WebSocket) -> None:
    """The table as those see it who have its watch link."""
    await _page(socket, socket.path_params["table"], (socket.path_params["watch"],), watching=True)


async def _page(socket: WebSocket, table: str, tokens: tuple[str, ...], *, watching: bool = False) -> None:
    tables: Tables = socket.app.state.tables
    renderer: Renderer = socket.app.state.renderer
    asked = _asked(socket)
    lang, shown, base = visitor_of(asked).lang, _number(asked, "version"), base_of(asked)
    known = same_origin(asked.scope)
    del asked
    if not known:
        await _refuse(socket, _FOREIGN)
        return
    try:
        seats = await tables.device_seats(table, tokens)
    except TableError:
        await _refuse(socket, _NO_TABLE)
        return
    if watching and seats:  # a seat's own token is no watch link, here as at the page
        await _refuse(socket, _NO_TABLE)
        return
    await _accept(socket)

    first = True

    async def tell(version: int) -> None:
        nonlocal shown, first
        view = await tables.device_view(table, tokens, lang, version)
        if view.version != shown or (first and view.runs_out):
            shown, first = view.version, False
            html = renderer.fragment(view, lang, base)
            await socket.send_json({"v": 1, "version": view.version, "now": tables.now(), "html": html})

    await _serve(socket, tables, table, seats, tell, tables.now)


async def knock_live(socket: WebSocket) -> None:
    """One word to whoever waits in front of a table: that the knock waits no more."""
    tables: Tables = socket.app.state.tables
    table, door = socket.path_params["table"], socket.path_params["door"]
    asked = _asked(socket)
    secret, known = visitor_of(asked).knocks.get(table, ""), same_origin(asked.scope)
    del asked
    if not known:
        await _refuse(socket, _FOREIGN)
        return
    try:
        heard = await tables.knock_state(table, door, secret)
    except TableError:
        heard = ""
    if not heard:
        await _refuse(socket, _NO_TABLE)
        return
    await _accept(socket)
    told = ""

    async def tell(_: int) -> None:
        nonlocal told
        state = await tables.knock_state(table, door, secret)
        if state not in ("waiting", told):
            told = state
            await socket.send_json({"v": 1, "knock": state})

    await _serve(socket, tables, table, (), tell, tables.now)


def bearer(header: str | None) -> str | None:
    """The token of an Authorization header."""
    scheme, _, token = (header or "").partition(" ")
    return token.strip() if scheme.lower() == "bearer" and token.strip() else None


async def api_live(socket: WebSocket) -> None:
    """The events of a table that this seat may see, those after `?after=` first, then new ones as they come."""
    tables: Tables = socket.app.state.tables
    table = socket.path_params["table"]
    asked = _asked(socket)
    token, after = bearer(asked.headers.get("authorization")), _number(asked, "after")
    del asked
    try:
        seat = await tables.seat_of(table, token)
    except TableError:
        await _refuse(socket, _NO_TABLE)
        return
    await _accept(socket)

    async def tell(_: int) -> None:
        nonlocal after
        while events := await tables.events(table, token, after):
            for event in events:
                await socket.send_json(event)
            after = max(after + 1, *(int(event["seq"]) for event in events))

    await _serve(socket, tables, table, () if seat is None else (seat,), tell)


router = Router(
    [
        WebSocketRoute("/t/{table}/live", page_live),
        WebSocketRoute("/w/{table}/{watch}/live", watch_live),
        WebSocketRoute("/k/{table}/{door}/live", knock_live),
        WebSocketRoute("/api/tables/{table}/live", api_live),
    ]
)
"""The sockets' own routes: what requests pass would be kept for as long as a socket is open."""
