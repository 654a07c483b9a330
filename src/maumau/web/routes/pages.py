"""The pages: home, table, score sheet, rules. Every action is a form, so all of them work without a script."""

from __future__ import annotations

import uuid
from dataclasses import replace
from typing import Any
from urllib.parse import parse_qsl

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse, JSONResponse, RedirectResponse, Response

from ...game import fair
from ...ruleset import ALL_BOOKS, BOOKS, HOUSE_RULES, RELATIVES, RuleError, Ruleset
from ...ruleset import words as rule_words
from ...tables import Pace, SeatSpec, TableError, Tables, TableSpec, View
from ..errors import body_of
from ..render import Renderer
from ..sitting import LONGEST_NAME, animal, base_of
from ..texts import LANGUAGES, texts
from ..visitor import Visitor, remember, visitor_of

router = APIRouter(include_in_schema=False)
LEVELS = ("easy", "normal")
PLAYERS = tuple(range(2, 9))
PACES = tuple(str(pace) for pace in Pace)
_SHOWN_RULES = 40


def _tables(request: Request) -> Tables:
    tables: Tables = request.app.state.tables
    return tables


def _renderer(request: Request) -> Renderer:
    renderer: Renderer = request.app.state.renderer
    return renderer


async def _form(request: Request) -> dict[str, list[str]]:
    """The fields of a form as sent by a browser; text that is no UTF-8 loses the broken parts."""
    fields: dict[str, list[str]] = {}
    text = (await request.body()).decode("utf-8", "replace")
    for key, value in parse_qsl(text, keep_blank_values=True):
        fields.setdefault(key, []).append(value)
    return fields


def _one(fields: dict[str, list[str]], key: str, default: str = "") -> str:
    return fields.get(key, [default])[-1]


def _seat(fields: dict[str, list[str]]) -> int:
    """The seat that a form names; none is a seat that there is not."""
    number = _whole(_one(fields, "seat"))
    return -1 if number is None else number


def _whole(text: str) -> int | None:
    return int(text) if text.isdecimal() and len(text) < 12 else None


def _share(fields: dict[str, list[str]]) -> str | None:
    """The browser's share in the shuffle; what is none is as if it were not there, so that the deal comes anyway."""
    share = _one(fields, "contribution")
    return share if fair.is_contribution(share) else None


# ---- home ----------------------------------------------------------------------------------------------------------


def _house_choices(lang: str, chosen: frozenset[str]) -> list[dict[str, Any]]:
    """The house rules that need no number, with their sentence."""
    return [
        {"code": code, "text": rule_words.house_rule_line(lang, code), "on": code in chosen}
        for code, rule in HOUSE_RULES.items()
        if not rule.takes_number
    ]


async def _home(request: Request, visitor: Visitor, problem: str = "", status: int = 200) -> HTMLResponse:
    lang = visitor.lang
    try:
        rules = Ruleset.parse(visitor.rules)
    except RuleError:
        rules = Ruleset.parse(BOOKS[0])
    running = [view for view in await _tables(request).tables_of(visitor.seats, lang) if view.state != "match-over"]
    page = _renderer(request).page(
        "home.html",
        lang,
        "/",
        problem=problem,
        running=running[:2],
        books=[
            (book, rule_words.book_title(lang, book), rule_words.book_line(lang, book))
            for book in dict.fromkeys((*BOOKS, rules.book))
        ],
        book=rules.book,
        house=_house_choices(lang, frozenset(rules.house_rules)),
        house_on=bool(rules.house_rules),
        more_rules=[code for code in rules.house_rules if code not in HOUSE_RULES],
        visitor=visitor,
        my_name=visitor.name or animal(lang),
        players=PLAYERS,
        levels=LEVELS,
        paces=PACES,
    )
    return HTMLResponse(page, status)


@router.get("/")
async def home(request: Request) -> Response:
    """One big Play, the four books, and what was played last."""
    visitor = visitor_of(request)
    code = request.query_params.get("rules")
    return await _home(request, replace(visitor, rules=code[:300]) if code else visitor)


def _agreed(book: str, house: list[str], players: int) -> str:
    """The code of a table; a size outside the book's own is asked for by the house rule that allows it."""
    code = "+".join([book, *house])
    try:
        Ruleset.parse(code).at(players)
    except RuleError:
        wider = f"{code}+players-{players}"
        try:
            Ruleset.parse(wider).at(players)
        except RuleError:
            return code
        return wider
    return code


def _asked_for(visitor: Visitor, fields: dict[str, list[str]]) -> tuple[Visitor, str]:
    """The visitor with the choices of the home form, and the rule code of the table asked for."""
    players = min(max(_whole(_one(fields, "players")) or visitor.players, 2), 8)
    book = _one(fields, "book") or visitor.rules
    house = [code for code in fields.get("house", [])[:_SHOWN_RULES] if code]
    level, pace = _one(fields, "level", visitor.level), _one(fields, "pace", visitor.pace)
    chosen = replace(
        visitor,
        rules="+".join([book, *house])[:300],
        players=players,
        level=level if level in LEVELS else "normal",
        pace=pace if pace in PACES else "normal",
    )
    return chosen, _agreed(book, house, players)


async def _seated(request: Request, visitor: Visitor, spec: TableSpec, share: str | None) -> Response:
    """Make a table and go there, or say on the home page why not."""
    try:
        seated = await _tables(request).create(spec, visitor.lang, share)
    except TableError as error:
        return await _home(request, visitor, error.text, error.status)
    answer = RedirectResponse(f"/t/{seated.table}", 303)
    remember(answer, request, visitor.seated(seated.table, seated.token))
    return answer


@router.post("/play")
async def play(request: Request) -> Response:
    """Deal at once and go to the table."""
    fields = await _form(request)
    visitor, code = _asked_for(visitor_of(request), fields)
    bots = [SeatSpec(bot=visitor.level)] * (visitor.players - 1)
    seats = (SeatSpec(name=texts(visitor.lang)("home.you")), *bots)
    return await _seated(request, visitor, TableSpec(rules=code, seats=seats, pace=Pace(visitor.pace)), _share(fields))


@router.post("/friends")
async def with_friends(request: Request) -> Response:
    """A table whose other seats are open, and the page that invites to it."""
    fields = await _form(request)
    visitor, code = _asked_for(visitor_of(request), fields)
    name = _one(fields, "name").strip() or visitor.name or animal(visitor.lang)
    visitor = replace(visitor, name=name[:LONGEST_NAME])
    seats = (SeatSpec(name=name), *[SeatSpec(open=True)] * (visitor.players - 1))
    return await _seated(
        request, visitor, TableSpec(rules=code, seats=seats, pace=Pace(visitor.pace)), None
    )  # the start brings it


@router.post("/language")
async def language(request: Request) -> Response:
    """Switch the language and come back."""
    fields = await _form(request)
    back = _one(fields, "back", "/")
    answer = RedirectResponse(back if back.startswith("/") and not back.startswith(("//", "/\\")) else "/", 303)
    if _one(fields, "lang") in LANGUAGES:
        chosen = _one(fields, "lang")
        remember(answer, request, replace(visitor_of(request), chosen_lang=chosen))
    return answer


# ---- the table -----------------------------------------------------------------------------------------------------


def _wants_data(request: Request) -> bool:
    return request.headers.get("accept", "") == "application/json"


def _shown(request: Request, view: View, lang: str) -> Response:
    """After an action: the new view for a script, the way back to the table for a plain form."""
    if _wants_data(request):
        return JSONResponse(
            {"version": view.version, "html": _renderer(request).fragment(view, lang, base_of(request))}
        )
    return RedirectResponse(f"/t/{view.table}", 303)


async def _refused(request: Request, table: str, visitor: Visitor, error: TableError) -> Response:
    """The table as it stands, with the sentence that says why not."""
    view = error.view or await _tables(request).view(table, visitor.token(table), visitor.lang)
    if _wants_data(request):
        html = _renderer(request).fragment(view, visitor.lang, base_of(request))
        return JSONResponse(body_of(error.code, error.text, version=view.version, html=html), error.status)
    page = _renderer(request).table(view, visitor.lang, f"/t/{table}", problem=error.text, base=base_of(request))
    return HTMLResponse(page, error.status)


@router.get("/t/{table}")
async def table_page(request: Request, table: str, wish: str | None = None, mau: str | None = None) -> Response:
    """The table as this browser's seat sees it; `?wish=Js` opens the picker for browsers without scripts."""
    visitor = visitor_of(request)
    view = await _tables(request).view(table, visitor.token(table), visitor.lang)
    page = _renderer(request).table(
        view, visitor.lang, f"/t/{table}", wish_for=wish, armed=bool(mau), base=base_of(request)
    )
    return HTMLResponse(page)


def _called(view: View, action: str) -> str:
    """The action with the Mau that was pressed before it, where one is due."""
    due = any(card.call_due and action in card.plays for card in view.hand)
    return f"{action}!" if due else action


@router.post("/t/{table}/act")
async def act(request: Request, table: str) -> Response:
    """Play, draw, take, pass, name, call or catch."""
    fields = await _form(request)
    visitor = visitor_of(request)
    token, action, called = visitor.token(table), _one(fields, "action")[:20], _one(fields, "mau")
    tables = _tables(request)
    if not _wants_data(request):
        view = await tables.view(table, token, visitor.lang)
        if any(card.wishes and card.card == action for card in view.hand):
            return RedirectResponse(f"/t/{table}?wish={action}{'&mau=1' if called else ''}", 303)
        action = _called(view, action) if called else action
    command = _one(fields, "id")[:64] or str(uuid.uuid4())
    try:
        view = await tables.act(table, token, command, _whole(_one(fields, "version")), action, visitor.lang)
    except TableError as error:
        return await _refused(request, table, visitor, error)
    return _shown(request, view, visitor.lang)


@router.post("/t/{table}/{deed}")
async def do(request: Request, table: str, deed: str) -> Response:
    """Everything else that may be done at a table."""
    fields = await _form(request)
    visitor = visitor_of(request)
    token, lang, tables = visitor.token(table), visitor.lang, _tables(request)
    deeds = {
        "next": lambda: tables.next_round(table, token, lang, _whole(_one(fields, "round")), _share(fields)),
        "rematch": lambda: tables.rematch(table, token, lang, _whole(_one(fields, "match")), _share(fields)),
        "hurry": lambda: tables.hurry(table, token, lang),
        "pace": lambda: tables.set_pace(table, token, _one(fields, "pace"), lang),
        "start": lambda: tables.start(table, token, lang, _share(fields)),
        "remove": lambda: tables.remove(table, token, _seat(fields), lang),
        "host": lambda: tables.hand_over(table, token, _seat(fields), lang),
        "leave": lambda: tables.leave(table, token, lang),
        "stand-in": lambda: tables.stand_in(table, token, _seat(fields), lang),
        "public": lambda: tables.set_public(table, token, _one(fields, "public") == "1", lang),
        "react": lambda: tables.react(table, token, _one(fields, "reaction"), lang),
        "return": lambda: tables.return_(table, token, lang),
        "end": lambda: tables.end(table, token, lang),
    }
    try:
        if deed not in deeds:
            raise TableError("not-found", texts(lang)("error.not_found"), 404)
        view = await deeds[deed]()
    except TableError as error:
        if error.code in ("not-found", "no-table", "bad-token"):
            raise
        return await _refused(request, table, visitor, error)
    answer = _shown(request, view, lang)
    if deed == "pace":
        remember(answer, request, replace(visitor, pace=view.pace))
    return answer


@router.get("/t/{table}/sheet")
async def sheet(request: Request, table: str) -> Response:
    """The score sheet of the match so far."""
    visitor = visitor_of(request)
    view = await _tables(request).view(table, visitor.token(table), visitor.lang)
    return HTMLResponse(_renderer(request).page("sheet.html", visitor.lang, f"/t/{table}/sheet", v=view))


# ---- rules ---------------------------------------------------------------------------------------------------------


@router.get("/rules")
async def rules(request: Request) -> Response:
    """The rule books, each in a line and in a few words, and the house rules."""
    lang = visitor_of(request).lang
    books = [
        {
            "code": book,
            "title": rule_words.book_title(lang, book),
            "line": rule_words.book_line(lang, book),
            "chips": rule_words.chips(lang, Ruleset.parse(book)),
        }
        for book in ALL_BOOKS
    ]
    house = [{"code": code, "text": rule_words.house_rule_line(lang, code)} for code in HOUSE_RULES]
    return HTMLResponse(
        _renderer(request).page("rules.html", lang, "/rules", books=books, house=house, relatives=RELATIVES)
    )
