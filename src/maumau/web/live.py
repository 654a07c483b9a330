"""The live sockets: whole views to pages, events to programs. Sockets only push; actions go up as POSTs."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import Awaitable, Callable, Collection

from fastapi import APIRouter, WebSocket, WebSocketDisconnect

from ..tables import TableError, Tables
from ..tables.errors import StoreError
from ..tables.service import Subscription
from .guard import same_origin
from .render import Renderer
from .sitting import base_of
from .visitor import visitor_of

log = logging.getLogger("maumau.web")
router = APIRouter()
_FOREIGN, _NO_TABLE, _TOO_MANY = 4403, 4404, 4429
SOCKETS_PER_SEAT = 16
"""So many live sockets a seat has at once; one more closes its oldest."""


async def _until_gone(socket: WebSocket) -> None:
    """Reads and drops whatever comes, so that a closed tab is noticed at once."""
    with contextlib.suppress(WebSocketDisconnect, RuntimeError):
        while (await socket.receive())["type"] != "websocket.disconnect":
            pass


async def _push(versions: Subscription, tell: Callable[[int], Awaitable[None]]) -> None:
    """Tell of each version, until the socket is gone or its token opens the table no more."""
    with contextlib.suppress(WebSocketDisconnect, RuntimeError, TableError):
        async for version in versions:
            await tell(version)


async def _serve(
    socket: WebSocket, tables: Tables, table: str, seats: Collection[int], tell: Callable[[int], Awaitable[None]]
) -> None:
    """Tell of each version until the reader or the table goes; the subscription never outlives the socket."""
    versions, replaced = tables.subscribe(table), asyncio.Event()
    _enter(socket, table, seats, replaced)
    socket.app.state.sockets += 1
    arrived: list[int] = []
    tasks: set[asyncio.Task[None]] = set()
    try:
        with contextlib.suppress(TableError, StoreError):
            for seat in seats:
                arrived.append(seat)  # before it is told: a socket may be gone while that is written down
                await tables.arrive(table, seat)
        waiting = (_until_gone(socket), _push(versions, tell), _until_set(replaced))
        tasks.update(asyncio.create_task(work) for work in waiting)
        done, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        for task in done:
            if task.exception() is not None:
                log.warning("a live socket of table %s ended", table, exc_info=task.exception())
    finally:
        socket.app.state.sockets -= 1
        _go(socket, table, seats, replaced)
        for seat in arrived:
            tables.depart(table, seat)
        for task in tasks:
            task.cancel()
        if tasks:
            await asyncio.wait(tasks)
        with contextlib.suppress(Exception):
            await versions.aclose()
        with contextlib.suppress(RuntimeError, WebSocketDisconnect):
            if replaced.is_set():
                await socket.close(_TOO_MANY, f"more than {SOCKETS_PER_SEAT} connections of this seat")
            else:
                await socket.close()


async def _until_set(event: asyncio.Event) -> None:
    await event.wait()


def _enter(socket: WebSocket, table: str, seats: Collection[int], replaced: asyncio.Event) -> None:
    """One more socket of these seats; where that is too many, the oldest is told to go."""
    for seat in seats:
        opened: list[asyncio.Event] = socket.app.state.seat_sockets.setdefault((table, seat), [])
        opened.append(replaced)
        if len(opened) > SOCKETS_PER_SEAT:
            opened.pop(0).set()


def _go(socket: WebSocket, table: str, seats: Collection[int], replaced: asyncio.Event) -> None:
    """A socket has gone."""
    for seat in seats:
        opened: list[asyncio.Event] = socket.app.state.seat_sockets[table, seat]
        if replaced in opened:
            opened.remove(replaced)
        if not opened:
            del socket.app.state.seat_sockets[table, seat]


async def _refuse(socket: WebSocket, code: int) -> None:
    await socket.accept()
    await socket.close(code)


def _number(socket: WebSocket, name: str) -> int:
    text = socket.query_params.get(name, "0")
    return int(text) if text.isdecimal() and len(text) < 12 else 0


async def page_live(socket: WebSocket) -> None:
    """The table as this browser's seat sees it, whole, after each change since `?version=`."""
    table = socket.path_params["table"]
    await _page(socket, table, visitor_of(socket).tokens(table))


async def watch_live(socket: WebSocket) -> None:
    """The table as those see it who have its watch link."""
    await _page(socket, socket.path_params["table"], (socket.path_params["watch"],), watching=True)


async def _page(socket: WebSocket, table: str, tokens: tuple[str, ...], *, watching: bool = False) -> None:
    tables: Tables = socket.app.state.tables
    renderer: Renderer = socket.app.state.renderer
    lang = visitor_of(socket).lang
    shown, base = _number(socket, "version"), base_of(socket)
    if not same_origin(socket.headers):
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
    await socket.accept()

    async def tell(version: int) -> None:
        nonlocal shown
        view = await tables.device_view(table, tokens, lang, version)
        if view.version != shown:
            shown = view.version
            html = renderer.fragment(view, lang, base)
            await socket.send_json({"v": 1, "version": view.version, "now": tables.now(), "html": html})

    await _serve(socket, tables, table, seats, tell)


@router.websocket("/k/{table}/{door}/live")
async def knock_live(socket: WebSocket, table: str, door: str) -> None:
    """One word to whoever waits in front of a table: that the knock waits no more."""
    tables: Tables = socket.app.state.tables
    secret = visitor_of(socket).knocks.get(table, "")
    if not same_origin(socket.headers):
        await _refuse(socket, _FOREIGN)
        return
    try:
        heard = await tables.knock_state(table, door, secret)
    except TableError:
        heard = ""
    if not heard:
        await _refuse(socket, _NO_TABLE)
        return
    await socket.accept()
    told = ""

    async def tell(_: int) -> None:
        nonlocal told
        state = await tables.knock_state(table, door, secret)
        if state not in ("waiting", told):
            told = state
            await socket.send_json({"v": 1, "knock": state})

    await _serve(socket, tables, table, (), tell)


def bearer(header: str | None) -> str | None:
    """The token of an Authorization header."""
    scheme, _, token = (header or "").partition(" ")
    return token.strip() if scheme.lower() == "bearer" and token.strip() else None


async def api_live(socket: WebSocket) -> None:
    """The events of a table that this seat may see, those after `?after=` first, then new ones as they come."""
    tables: Tables = socket.app.state.tables
    table = socket.path_params["table"]
    token = bearer(socket.headers.get("authorization"))
    after = _number(socket, "after")
    try:
        seat = await tables.seat_of(table, token)
    except TableError:
        await _refuse(socket, _NO_TABLE)
        return
    await socket.accept()

    async def tell(_: int) -> None:
        nonlocal after
        while events := await tables.events(table, token, after):
            for event in events:
                await socket.send_json(event)
            after = max(after + 1, *(int(event["seq"]) for event in events))

    await _serve(socket, tables, table, () if seat is None else (seat,), tell)


# Plain routes: the framework's own keep what a request needs for as long as the socket is open.
router.add_websocket_route("/t/{table}/live", page_live)
router.add_websocket_route("/w/{table}/{watch}/live", watch_live)
router.add_websocket_route("/api/tables/{table}/live", api_live)
