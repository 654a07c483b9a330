"""Sitting down by a link: what an invite shows before anybody joins, and the one press that takes a seat."""

from __future__ import annotations

import secrets
from dataclasses import replace

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse, RedirectResponse, Response

from ...tables import TableError, View
from .. import errors
from ..device import device_of
from ..forms import form, one, renderer_of, tables_of, whole
from ..sitting import LONGEST_NAME, animal, base_of, qr_code, table_rules
from ..texts import texts
from ..visitor import Visitor, remember, visitor_of

router = APIRouter(include_in_schema=False)


@router.get("/j/{invite}")
async def invited(request: Request, invite: str) -> Response:
    """The rules and the seats of a table, a name already filled in, one button; nobody is seated by looking."""
    visitor = visitor_of(request)
    try:
        view = await tables_of(request).invited(invite, visitor.lang)
    except TableError as error:
        return closed(request, visitor, "friends.unknown", error.status)
    if await sits_there(request, visitor, view.table):
        return RedirectResponse(f"/t/{view.table}", 303)
    return _door(request, visitor, invite, view)


@router.post("/j/{invite}")
async def join(request: Request, invite: str) -> Response:
    """Take a seat and go to the table; sent twice, it is one seat."""
    fields, visitor, tables = await form(request), visitor_of(request), tables_of(request)
    try:
        view = await tables.invited(invite, visitor.lang)
    except TableError as error:
        return closed(request, visitor, "friends.unknown", error.status)
    if await sits_there(request, visitor, view.table):
        return RedirectResponse(f"/t/{view.table}", 303)
    name = one(fields, "name").strip() or visitor.name or animal(visitor.lang, [seat.name for seat in view.seats])
    try:
        seated = await tables.join(view.table, invite, name, visitor.lang, one(fields, "key") or None)
    except TableError as error:
        view = await tables.invited(invite, visitor.lang)
        return _door(request, visitor, invite, view, name=name[:100], problem=error.text, status=error.status)
    answer = RedirectResponse(f"/t/{seated.table}", 303)
    await tables.is_mine(seated.table, seated.token, visitor.digest, visitor.lang)
    known = replace(visitor, name=name[:LONGEST_NAME])
    remember(answer, request, known.seated(seated.table, seated.token))
    return answer


async def sits_there(request: Request, visitor: Visitor, table: str) -> bool:
    """Whether this browser has a seat at that table already."""
    if not visitor.tokens(table):
        return False
    try:
        return bool(await device_of(request, table, visitor).seats())
    except TableError:
        return False


def _door(
    request: Request, visitor: Visitor, invite: str, view: View, name: str = "", problem: str = "", status: int = 200
) -> Response:
    """The page in front of a table; when nobody can sit down any more, it says so kindly."""
    lang = visitor.lang
    if view.state != "waiting":
        return closed(request, visitor, "friends.started", 409)
    if not any(seat.kind == "open" for seat in view.seats):
        return closed(request, visitor, "friends.full", 409)
    page = renderer_of(request).page(
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


def closed(request: Request, visitor: Visitor, why: str, status: int) -> Response:
    """Nothing to be had here: why, and what else there is to do."""
    return errors.closed(request, visitor.lang, why, status)


# ---- the same seat on another device -------------------------------------------------------------------------------


@router.get("/t/{table}/device")
async def device(request: Request, table: str) -> Response:
    """The seat's own link and code, for whoever sits there; whoever has them plays this hand."""
    visitor = visitor_of(request)
    here = device_of(request, table, visitor)
    view = await here.view()
    if view.you is None and view.shared is None:
        return closed(request, visitor, "friends.seatless", 403)
    seat = whole(request.query_params.get("seat", ""))
    token = await here.token(seat)
    return _pass_on(request, visitor, view, "device", f"{base_of(request)}s#{token}", seat)


@router.get("/t/{table}/watchers")
async def watchers(request: Request, table: str) -> Response:
    """The link that lets others watch without seeing a hand, for whoever sits at the table."""
    visitor, tables = visitor_of(request), tables_of(request)
    here = device_of(request, table, visitor)
    watch = await tables.watch_link(table, await here.token(), visitor.lang)
    view = await here.view()
    return _pass_on(request, visitor, view, "watchers", f"{base_of(request)}w/{table}/{watch}")


def _pass_on(request: Request, visitor: Visitor, view: View, what: str, link: str, seat: int | None = None) -> Response:
    """A page with one link, as a code and as text."""
    here = f"/t/{view.table}/{what}"
    slots = {"v": view, "what": what, "link": link, "qr": qr_code(link), "seat": seat, "key": secrets.token_urlsafe(16)}
    page = renderer_of(request).page("pass_on.html", visitor.lang, here, **slots)
    return HTMLResponse(page)


@router.get("/w/{table}/{watch}")
async def watch(request: Request, table: str, watch: str) -> Response:
    """The table without hands, for whoever has its watch link."""
    lang, here = visitor_of(request).lang, f"/w/{table}/{watch}"
    view = await tables_of(request).view(table, watch, lang)
    if view.you is not None:  # a seat's own token is no watch link
        raise TableError("watch-link", texts(lang)("error.not_seated"), 401)
    return HTMLResponse(renderer_of(request).table(view, lang, here, now=tables_of(request).now()))


@router.get("/s")
async def seat_door(request: Request) -> Response:
    """Where a seat's link leads: its script sends what stands behind the #, which no server ever gets to log."""
    return HTMLResponse(renderer_of(request).page("seat.html", visitor_of(request).lang, "/s"))


@router.post("/s")
async def take_seat(request: Request) -> Response:
    """Swap a seat's token for this browser's cookie; what is there already stays live."""
    fields, visitor = await form(request), visitor_of(request)
    token = one(fields, "token").rpartition("#")[2].strip()[:100]
    try:
        table = await tables_of(request).table_of(token, visitor.lang)
    except TableError as error:
        return closed(request, visitor, "friends.seat", error.status)
    await tables_of(request).is_mine(table, token, visitor.digest, visitor.lang)
    answer = RedirectResponse(f"/t/{table}", 303)
    remember(answer, request, visitor.seated(table, token))
    return answer
