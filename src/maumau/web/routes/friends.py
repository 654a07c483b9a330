"""Sitting down by a link: what an invite shows before anybody joins, and the one press that takes a seat."""

from __future__ import annotations

import secrets
from dataclasses import replace

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse, RedirectResponse, Response

from ...tables import TableError, View
from ..sitting import LONGEST_NAME, animal, base_of, qr_code, table_rules
from ..texts import texts
from ..visitor import Visitor, remember, visitor_of
from .pages import _form, _one, _renderer, _tables

router = APIRouter(include_in_schema=False)


@router.get("/j/{invite}")
async def invited(request: Request, invite: str) -> Response:
    """The rules and the seats of a table, a name already filled in, one button; nobody is seated by looking."""
    visitor = visitor_of(request)
    try:
        view = await _tables(request).invited(invite, visitor.lang)
    except TableError as error:
        return _closed(request, visitor, "unknown", error.status)
    if await _sits_there(request, visitor, view.table):
        return RedirectResponse(f"/t/{view.table}", 303)
    return _door(request, visitor, invite, view)


@router.post("/j/{invite}")
async def join(request: Request, invite: str) -> Response:
    """Take a seat and go to the table; sent twice, it is one seat."""
    fields, visitor, tables = await _form(request), visitor_of(request), _tables(request)
    try:
        view = await tables.invited(invite, visitor.lang)
    except TableError as error:
        return _closed(request, visitor, "unknown", error.status)
    if await _sits_there(request, visitor, view.table):
        return RedirectResponse(f"/t/{view.table}", 303)
    name = _one(fields, "name").strip() or visitor.name or animal(visitor.lang, [seat.name for seat in view.seats])
    try:
        seated = await tables.join(view.table, invite, name, visitor.lang, _one(fields, "key") or None)
    except TableError as error:
        view = await tables.invited(invite, visitor.lang)
        return _door(request, visitor, invite, view, name=name[:100], problem=error.text, status=error.status)
    answer = RedirectResponse(f"/t/{seated.table}", 303)
    known = replace(visitor, name=name[:LONGEST_NAME])
    remember(answer, request, known.seated(seated.table, seated.token))
    return answer


async def _sits_there(request: Request, visitor: Visitor, table: str) -> bool:
    """Whether this browser has a seat at that table already."""
    token = visitor.token(table)
    if token is None:
        return False
    try:
        return await _tables(request).seat_of(table, token, visitor.lang) is not None
    except TableError:
        return False


def _door(
    request: Request, visitor: Visitor, invite: str, view: View, name: str = "", problem: str = "", status: int = 200
) -> Response:
    """The page in front of a table; when nobody can sit down any more, it says so kindly."""
    lang = visitor.lang
    if view.state != "waiting":
        return _closed(request, visitor, "started", 409)
    if not any(seat.kind == "open" for seat in view.seats):
        return _closed(request, visitor, "full", 409)
    page = _renderer(request).page(
        "join.html",
        lang,
        f"/j/{invite}",
        v=view,
        invite=invite,
        host=view.seats[view.host].name,
        agreed=table_rules(lang, view.rules, len(view.seats)),
        my_name=name or visitor.name or animal(lang, [seat.name for seat in view.seats]),
        key=secrets.token_urlsafe(16),
        problem=problem,
    )
    return HTMLResponse(page, status)


def _closed(request: Request, visitor: Visitor, why: str, status: int) -> Response:
    """No seat to be had: why, and what else there is to do."""
    t = texts(visitor.lang)
    slots = {"title": t(f"friends.{why}_title"), "text": t(f"friends.{why}_text")}
    return HTMLResponse(_renderer(request).page("closed.html", visitor.lang, request.url.path, **slots), status)


# ---- the same seat on another device -------------------------------------------------------------------------------


@router.get("/t/{table}/device")
async def device(request: Request, table: str) -> Response:
    """The seat's own link and code, for whoever sits there; whoever has them plays this hand."""
    visitor, tables = visitor_of(request), _tables(request)
    token = visitor.token(table)
    view = await tables.view(table, token, visitor.lang)
    if token is None or view.you is None:
        return _closed(request, visitor, "seatless", 403)
    return _pass_on(request, visitor, view, "device", f"{base_of(request)}s#{token}")


@router.get("/t/{table}/watchers")
async def watchers(request: Request, table: str) -> Response:
    """The link that lets others watch without seeing a hand, for whoever sits at the table."""
    visitor, tables = visitor_of(request), _tables(request)
    token = visitor.token(table)
    watch = await tables.watch_link(table, token, visitor.lang)
    view = await tables.view(table, token, visitor.lang)
    return _pass_on(request, visitor, view, "watchers", f"{base_of(request)}w/{table}/{watch}")


def _pass_on(request: Request, visitor: Visitor, view: View, what: str, link: str) -> Response:
    """A page with one link, as a code and as text."""
    here = f"/t/{view.table}/{what}"
    page = _renderer(request).page("pass_on.html", visitor.lang, here, v=view, what=what, link=link, qr=qr_code(link))
    return HTMLResponse(page)


@router.get("/w/{table}/{watch}")
async def watch(request: Request, table: str, watch: str) -> Response:
    """The table without hands, for whoever has its watch link."""
    lang, here = visitor_of(request).lang, f"/w/{table}/{watch}"
    view = await _tables(request).view(table, watch, lang)
    if view.you is not None:  # a seat's own token is no watch link
        raise TableError("watch-link", texts(lang)("error.not_seated"), 401)
    return HTMLResponse(_renderer(request).table(view, lang, here))


@router.get("/lobby")
async def lobby(request: Request) -> Response:
    """Public tables that wait for people."""
    visitor = visitor_of(request)
    found = await _tables(request).lobby(visitor.lang)
    waiting = [(view, invite) for view, invite in found if any(seat.kind == "open" for seat in view.seats)]
    return HTMLResponse(_renderer(request).page("lobby.html", visitor.lang, "/lobby", waiting=waiting))


@router.get("/s")
async def seat_door(request: Request) -> Response:
    """Where a seat's link leads: its script sends what stands behind the #, which no server ever gets to log."""
    return HTMLResponse(_renderer(request).page("seat.html", visitor_of(request).lang, "/s"))


@router.post("/s")
async def take_seat(request: Request) -> Response:
    """Swap a seat's token for this browser's cookie; what is there already stays live."""
    fields, visitor = await _form(request), visitor_of(request)
    token = _one(fields, "token").rpartition("#")[2].strip()[:100]
    try:
        table = await _tables(request).table_of(token, visitor.lang)
    except TableError as error:
        return _closed(request, visitor, "seat", error.status)
    answer = RedirectResponse(f"/t/{table}", 303)
    remember(answer, request, visitor.seated(table, token))
    return answer
