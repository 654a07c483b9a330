"""The JSON API: tables, actions, events and records."""

from __future__ import annotations

import re
from typing import Annotated, Any, Final
from uuid import UUID

from fastapi import APIRouter, Depends, Query, Request
from fastapi.responses import HTMLResponse
from markupsafe import Markup, escape
from pydantic import BaseModel, ConfigDict, Field

from ...tables import SeatSpec, Tables, TableSpec, View
from ...tables.spec import LEAST_AWAY, MOST_AWAY, STAND_IN_SECONDS
from ..answers import Json
from ..forms import may_make_table, table_made
from ..live import bearer
from ..texts import LANGUAGES
from ..visitor import visitor_of


class ErrorText(BaseModel):
    """Why something was refused: a code for programs, a sentence for people, the position as the caller may see it."""

    code: Annotated[str, Field(examples=["suit-not-followed"])]
    text: str
    position: str | None = None


class ErrorAnswer(BaseModel):
    """The one shape of every error; a `stale` action also gets the present view, as `view`."""

    error: ErrorText
    view: dict[str, Any] | None = None


REFUSALS: dict[int | str, dict[str, Any]] = {"4XX": {"model": ErrorAnswer, "description": "Refused, and why"}}

router = APIRouter(prefix="/api", responses=REFUSALS)
_CODE: Final = re.compile("`([^`]+)`")


class _Body(BaseModel):
    """A request body: exact types, unknown fields ignored."""

    model_config = ConfigDict(strict=True)


Contribution = Annotated[str | None, Field(pattern=r"^[0-9a-f]{32}$", examples=["00112233445566778899aabbccddeeff"])]


class SeatBody(_Body):
    """One seat of a new table: a person's `name`, a `bot` by level, or `open`."""

    name: Annotated[str | None, Field(max_length=200)] = None
    bot: Annotated[str | None, Field(max_length=40)] = None
    open: bool = False


class TableBody(_Body):
    """A new table. The first seat is the caller's."""

    rules: Annotated[str, Field(max_length=400, examples=["family+nine-reverse"])] = "family"
    seats: Annotated[list[SeatBody], Field(min_length=2, max_length=8)]
    turn_seconds: Annotated[int | None, Field(ge=5, le=3600)] = None
    stand_in_seconds: Annotated[int | None, Field(ge=LEAST_AWAY, le=MOST_AWAY)] = STAND_IN_SECONDS
    public: bool = False
    pace: Annotated[str, Field(examples=["normal"])] = "normal"
    contribution: Contribution = None


class JoinBody(_Body):
    """An open seat is taken with the table's invite."""

    invite: Annotated[str, Field(max_length=200)]
    name: Annotated[str, Field(max_length=200)]


class ActionBody(_Body):
    """An action, decided on `version`; the same `id` again gets the same answer."""

    id: Annotated[UUID, Field(strict=False)]
    version: Annotated[int | None, Field(ge=0, le=2**53)] = None
    action: Annotated[str, Field(min_length=1, max_length=20, examples=["9h!", "Js=c", "+", "-", "1?0"])]


class ShareBody(_Body):
    """A seat's share in the shuffle of the deal that comes next: 16 random bytes as 32 hexadecimal digits."""

    contribution: Contribution = None


class EndBody(_Body):
    """A proposal to end the match, or its withdrawal."""

    take_back: bool = False


class ClockBody(_Body):
    """How long a turn may take, in seconds."""

    turn_seconds: Annotated[int | None, Field(ge=5, le=3600, examples=[60])]


class StandInBody(_Body):
    """After how long away a bot sits in by itself, in seconds."""

    stand_in_seconds: Annotated[int | None, Field(ge=LEAST_AWAY, le=MOST_AWAY, examples=[STAND_IN_SECONDS])]


class ReactBody(_Body):
    """One of the quick reactions."""

    reaction: Annotated[str, Field(max_length=40, examples=["well-played"])]


class HostBody(_Body):
    """The seat that becomes the host."""

    seat: Annotated[int, Field(ge=0, le=7)]


def _tables(request: Request) -> Tables:
    tables: Tables = request.app.state.tables
    return tables


def _token(request: Request) -> str | None:
    return bearer(request.headers.get("authorization"))


def _lang(request: Request, lang: Annotated[str | None, Query(description="de or en")] = None) -> str:
    return lang if lang in LANGUAGES else visitor_of(request).lang


Service = Annotated[Tables, Depends(_tables)]
Token = Annotated[str | None, Depends(_token)]
Lang = Annotated[str, Depends(_lang)]


def _share(body: ShareBody | None) -> str | None:
    return None if body is None else body.contribution


def _shown(view: View) -> Json:
    return Json(view.as_json())


@router.post("/tables", status_code=201, summary="Make a table and take its first seat")
async def create(request: Request, body: TableBody, tables: Service, lang: Lang) -> Json:
    """A table made with no open seat starts at once; 429 where this address has made too many in the last hour."""
    may_make_table(request)
    spec = TableSpec(
        rules=body.rules,
        seats=tuple(SeatSpec(seat.name, seat.bot, seat.open) for seat in body.seats),
        turn_seconds=body.turn_seconds,
        stand_in_seconds=body.stand_in_seconds,
        public=body.public,
        pace=body.pace,
    )
    seated = await tables.create(spec, lang, body.contribution)
    table_made(request)
    answer = {
        "table": seated.table,
        "seat": seated.seat,
        "token": seated.token,
        "invite": seated.invite,
        "version": seated.version,
    }
    return Json(answer, 201)


@router.post("/tables/{table}/join", status_code=201, summary="Take an open seat")
async def join(table: str, body: JoinBody, tables: Service, lang: Lang) -> Json:
    """Full or started: 409; unknown: 404."""
    seated = await tables.join(table, body.invite, body.name, lang)
    return Json({"seat": seated.seat, "token": seated.token, "version": seated.version}, 201)


@router.get("/tables/{table}", summary="The table as this seat may see it")
async def view(table: str, tables: Service, token: Token, lang: Lang) -> Json:
    """Without a token: what a spectator may see.

    A program that keeps no live socket counts as away two minutes after it last asked or did something.
    """
    await tables.look(table, token, lang)
    return _shown(await tables.view(table, token, lang))


@router.post("/tables/{table}/actions", summary="Play, draw, take, pass, name a suit, call or catch")
async def act(table: str, body: ActionBody, tables: Service, token: Token, lang: Lang) -> Json:
    """The new view. Not legal: 422 with a reason code; not your turn or decided on an older state: 409."""
    return _shown(await tables.act(table, token, str(body.id), body.version, body.action, lang))


@router.post("/tables/{table}/start", summary="The host begins; open seats are filled with bots")
async def start(table: str, tables: Service, token: Token, lang: Lang, body: ShareBody | None = None) -> Json:
    """The view after the deal; `contribution` is this seat's share in the shuffle."""
    return _shown(await tables.start(table, token, lang, contribution=_share(body)))


@router.post("/tables/{table}/next", summary="Deal the next round")
async def next_round(table: str, tables: Service, token: Token, lang: Lang, body: ShareBody | None = None) -> Json:
    """The view after the deal; `contribution` is this seat's share in the shuffle."""
    return _shown(await tables.next_round(table, token, lang, contribution=_share(body)))


@router.post("/tables/{table}/rematch", summary="A new match at the same table")
async def rematch(table: str, tables: Service, token: Token, lang: Lang, body: ShareBody | None = None) -> Json:
    """The view after the deal; `contribution` is this seat's share in the shuffle."""
    return _shown(await tables.rematch(table, token, lang, contribution=_share(body)))


@router.post("/tables/{table}/contribute", summary="A share in the shuffle of the next deal")
async def contribute(table: str, body: ShareBody, tables: Service, token: Token, lang: Lang) -> Json:
    """The first share of a seat stands; the deal takes what is there."""
    return _shown(await tables.contribute(table, token, body.contribution or "", lang))


@router.post("/tables/{table}/leave", summary="Give the seat to a bot")
async def leave(table: str, tables: Service, token: Token, lang: Lang) -> Json:
    """The view afterwards."""
    return _shown(await tables.leave(table, token, lang))


@router.post("/tables/{table}/seats/{seat}/stand-in", summary="Ask a bot to sit in for somebody who is away")
async def stand_in(table: str, seat: int, tables: Service, token: Token, lang: Lang) -> Json:
    """The view afterwards; 409 before the table's limit."""
    return _shown(await tables.stand_in(table, token, seat, lang))


@router.post("/tables/{table}/return", summary="Take the seat back")
async def return_(table: str, tables: Service, token: Token, lang: Lang) -> Json:
    """The view afterwards."""
    return _shown(await tables.return_(table, token, lang))


@router.post("/tables/{table}/end", summary="Propose to end the match, or take that back")
async def end(table: str, tables: Service, token: Token, lang: Lang, body: EndBody | None = None) -> Json:
    """The match ends when every person present has proposed it; with the next deal a proposal lapses.

    `take_back` withdraws this seat's own proposal; where there is none, nothing changes.
    """
    return _shown(await tables.end(table, token, lang, take_back=body is not None and body.take_back))


@router.post("/tables/{table}/concede", summary="Give the match up")
async def concede(table: str, tables: Service, token: Token, lang: Lang) -> Json:
    """Between two, or by the only person among bots, while a round runs or between rounds; with more people: 409."""
    return _shown(await tables.concede(table, token, lang))


@router.post("/tables/{table}/seats/{seat}/remove", summary="The host opens a seat again, before the start")
async def remove(table: str, seat: int, tables: Service, token: Token, lang: Lang) -> Json:
    """The view afterwards."""
    return _shown(await tables.remove(table, token, seat, lang))


@router.post("/tables/{table}/time", summary="More time for this turn")
async def more_time(table: str, tables: Service, token: Token, lang: Lang) -> Json:
    """The view with the later `deadline`; once a turn, 409 after that."""
    return _shown(await tables.more_time(table, token, lang))


@router.post("/tables/{table}/clock", summary="How long a turn may take, before the start")
async def set_clock(table: str, body: ClockBody, tables: Service, token: Token, lang: Lang) -> Json:
    """The host sets it; `null`: as long as it takes, which a public table does not allow."""
    return _shown(await tables.set_clock(table, token, body.turn_seconds, lang))


@router.post("/tables/{table}/limit", summary="After how long away a bot sits in, before the start")
async def set_limit(table: str, body: StandInBody, tables: Service, token: Token, lang: Lang) -> Json:
    """The host sets it; `null`: a bot sits in only when somebody asks for one."""
    return _shown(await tables.set_stand_in(table, token, body.stand_in_seconds, lang))


@router.post("/tables/{table}/react", summary="Show a quick reaction")
async def react(table: str, body: ReactBody, tables: Service, token: Token, lang: Lang) -> Json:
    """The view afterwards; 429 within three seconds of the last."""
    return _shown(await tables.react(table, token, body.reaction, lang))


@router.post("/tables/{table}/host", summary="Another person becomes the host")
async def host(table: str, body: HostBody, tables: Service, token: Token, lang: Lang) -> Json:
    """The view afterwards."""
    return _shown(await tables.hand_over(table, token, body.seat, lang))


@router.get("/tables/{table}/events", summary="What happened, as far as this seat may see it")
async def events(table: str, tables: Service, token: Token, after: Annotated[int, Query(ge=0, le=2**53)] = 0) -> Json:
    """The events after `after`; cards drawn by others are a count."""
    await tables.look(table, token)
    return Json({"events": await tables.events(table, token, after)})


@router.get("/tables/{table}/record", summary="The record of the match")
async def record(table: str, tables: Service, token: Token, lang: Lang) -> Json:
    """During a match: finished rounds open, the running one as this seat saw it."""
    return Json(await tables.record(table, token, lang))


@router.get("/docs", include_in_schema=False)
async def docs(request: Request) -> HTMLResponse:
    """The API in words, from its own description; nothing is fetched from elsewhere."""
    lang = visitor_of(request).lang
    page: str = request.app.state.renderer.page(
        "api.html", lang, "/api/docs", operations=list(_operations(request.app.openapi()))
    )
    return HTMLResponse(page)


def _marked(text: str) -> Markup:
    """A description, which is Markdown, as HTML: what stands between backticks is code."""
    return Markup(_CODE.sub(r"<code>\1</code>", str(escape(text))))


def _operations(description: dict[str, Any]) -> list[dict[str, Any]]:
    found = []
    for path, verbs in description["paths"].items():
        for verb, operation in verbs.items():
            content = operation.get("requestBody", {}).get("content", {}).get("application/json", {})
            name = content.get("schema", {}).get("$ref", "").rpartition("/")[2]
            fields = description["components"]["schemas"].get(name, {}).get("properties", {})
            found.append(
                {
                    "verb": verb.upper(),
                    "path": path,
                    "summary": operation.get("summary", ""),
                    "text": _marked(operation.get("description", "")),
                    "fields": list(fields),
                }
            )
    return found
