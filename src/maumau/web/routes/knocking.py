"""Knocking at a table: the door that a word or the lobby leads to, waiting there, and going in."""

from __future__ import annotations

import secrets
from dataclasses import replace

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse, RedirectResponse, Response

from ...ruleset.words import isolate
from ...tables import TableError, View
from ...tables.knocking import Entrance
from ..forms import form, one, renderer_of, tables_of
from ..sitting import LONGEST_NAME, animal, table_rules
from ..visitor import Visitor, remember, visitor_of
from .friends import closed, sits_there

router = APIRouter(include_in_schema=False)


def way_in(entrance: Entrance) -> str:
    """The address where somebody comes in who has found the table by its word or in the lobby."""
    return f"/k/{entrance.table}/{entrance.door}" if entrance.invite is None else f"/j/{entrance.invite}"


@router.get("/lobby")
async def lobby(request: Request) -> Response:
    """Public tables that wait for people."""
    visitor = visitor_of(request)
    found = await tables_of(request).lobby(visitor.lang)
    waiting = [(view, way_in(way)) for view, way in found if any(seat.kind == "open" for seat in view.seats)]
    return HTMLResponse(renderer_of(request).page("lobby.html", visitor.lang, "/lobby", waiting=waiting))


@router.get("/k/{table}/{door}")
async def at_door(request: Request, table: str, door: str) -> Response:
    """In front of a table: knock, wait, go in once the host has said yes, or be told that it is not to be."""
    visitor, tables = visitor_of(request), tables_of(request)
    try:
        view, entrance = await tables.at_door(table, door, visitor.lang)
    except TableError as error:
        return closed(request, visitor, "friends.unknown", error.status)
    if await sits_there(request, visitor, table):
        return RedirectResponse(f"/t/{table}", 303)
    secret = visitor.knocks.get(table, "")
    state = await tables.knock_state(table, door, secret, visitor.lang) if secret else ""
    if state == "in":
        return await _enter(request, visitor, table, secret)
    if state == "away":
        return closed(request, visitor, "knock.away", 200)
    if state == "waiting":
        return _page(request, visitor, view, door, waiting=True)
    return RedirectResponse(way_in(entrance), 303) if entrance.invite else _page(request, visitor, view, door)


async def _enter(request: Request, visitor: Visitor, table: str, secret: str) -> Response:
    """The host has said yes: from now on the secret of the knock is the seat's token, in this browser alone."""
    await tables_of(request).is_mine(table, secret, visitor.digest, visitor.lang)
    answer = RedirectResponse(f"/t/{table}", 303)
    remember(answer, request, visitor.seated(table, secret))
    return answer


@router.post("/k/{table}/{door}")
async def knock(request: Request, table: str, door: str) -> Response:
    """Knock; sent twice, it is one knock."""
    fields, visitor, tables = await form(request), visitor_of(request), tables_of(request)
    knocks, host = request.app.state.knocks, request.client.host if request.client else None
    if knocks.too_many(host):
        return closed(request, visitor, "knock.wait", 429)
    try:
        view, entrance = await tables.at_door(table, door, visitor.lang)
    except TableError as error:
        return closed(request, visitor, "friends.unknown", error.status)
    knocks.add(host)
    if entrance.invite is not None:  # one may sit down at once by now
        return RedirectResponse(way_in(entrance), 303)
    name = one(fields, "name").strip() or _name(visitor, view)
    try:
        secret = await tables.knock(table, door, name, visitor.lang, one(fields, "key") or None)
    except TableError as error:
        return _page(request, visitor, view, door, name=name[:100], problem=error.text, status=error.status)
    answer = RedirectResponse(f"/k/{table}/{door}", 303)
    remember(answer, request, replace(visitor, name=name[:LONGEST_NAME]).knocked(table, secret))
    return answer


@router.post("/k/{table}/{door}/withdraw")
async def withdraw(request: Request, table: str, door: str) -> Response:
    """Wait no more, and go home; whoever has been let in meanwhile sits at the table."""
    visitor, tables = visitor_of(request), tables_of(request)
    secret = visitor.knocks.get(table)
    if secret is None:
        return RedirectResponse("/", 303)
    try:
        await tables.withdraw(table, secret, visitor.lang)
        state = await tables.knock_state(table, door, secret, visitor.lang)
    except TableError as error:
        return closed(request, visitor, "friends.unknown", error.status)
    return RedirectResponse(f"/k/{table}/{door}" if state == "in" else "/", 303)


def _name(visitor: Visitor, view: View) -> str:
    return visitor.name or animal(visitor.lang, [seat.name for seat in view.seats])


def _page(
    request: Request,
    visitor: Visitor,
    view: View,
    door: str,
    *,
    waiting: bool = False,
    name: str = "",
    problem: str = "",
    status: int = 200,
) -> Response:
    """The page in front of a table, before the knock and after it."""
    if view.state != "waiting":
        return closed(request, visitor, "friends.started", 409)
    if not any(seat.kind == "open" for seat in view.seats):
        return closed(request, visitor, "knock.full", 409)
    page = renderer_of(request).page(
        "knock.html",
        visitor.lang,
        f"/k/{view.table}/{door}",
        v=view,
        waiting=waiting,
        host=isolate(view.seats[view.host].name),
        agreed=table_rules(visitor.lang, view.rules, len(view.seats)),
        my_name=isolate(visitor.name) if waiting else name or _name(visitor, view),
        key=secrets.token_urlsafe(16),
        problem=problem,
    )
    return HTMLResponse(page, status)
