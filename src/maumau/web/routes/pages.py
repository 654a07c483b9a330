"""The pages: home, table, score sheet, rules. Every action is a form, so all of them work without a script."""

from __future__ import annotations

import uuid
from dataclasses import replace
from typing import Any

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse, RedirectResponse, Response

from ...ruleset import ALL_BOOKS, BOOKS, HOUSE_RULES, RELATIVES, RuleError, Ruleset
from ...ruleset import words as rule_words
from ...tables import Pace, SeatSpec, TableError, TableSpec, View
from ..answers import Json
from ..device import Device, device_of
from ..errors import body_of
from ..forms import (
    Fields,
    form,
    may_make_table,
    one,
    renderer_of,
    seat_in,
    share_in,
    table_made,
    tables_of,
    way_back,
    whole,
)
from ..own_rules import kept_choices, own_of
from ..sitting import LONGEST_NAME, animal, base_of
from ..texts import LANGUAGES, texts
from ..visitor import MOST_PEOPLE, Visitor, remember, visitor_of

router = APIRouter(include_in_schema=False)
LEVELS = ("easy", "normal")
PLAYERS = tuple(range(2, 9))
PACES = tuple(str(pace) for pace in Pace)
_SHOWN_RULES = 40
_LONGEST_RULES = 2000
_REMEMBERED_RULES = 300


# ---- home ----------------------------------------------------------------------------------------------------------


def _house_choices(lang: str, chosen: frozenset[str]) -> list[dict[str, Any]]:
    """The house rules that need no number, with their sentence."""
    return [
        {"code": code, "text": rule_words.house_rule_line(lang, code), "on": code in chosen}
        for code, rule in HOUSE_RULES.items()
        if not rule.takes_number
    ]


def _books(lang: str, rules: Ruleset, *, changed: bool) -> list[tuple[str, str, str]]:
    """Code, title and line of each book to choose; where ``changed``, first the chosen one with what no switch of this page says."""
    books = [
        (book, rule_words.book_title(lang, book), rule_words.book_line(lang, book))
        for book in dict.fromkeys((*BOOKS, rules.book))
    ]
    parts = _unswitched(rules)
    if not changed or not parts:
        return books
    names = rule_words.part_names(lang, rules)
    line = " · ".join(names[part] for part in parts if part in names)
    return [("+".join((rules.book, *parts)), rule_words.changed_title(lang, rules.book), line), *books]


def _unswitched(rules: Ruleset) -> list[str]:
    """The parts of a code for which this page has no switch: single values, and house rules with a number."""
    return [part for part in rules.parts if part not in HOUSE_RULES]


async def home_page(
    request: Request, visitor: Visitor, problem: str = "", status: int = 200, *, together: bool = False
) -> HTMLResponse:
    """The home page with what this visitor chose last; ``together`` shows the names for one device."""
    lang = visitor.lang
    try:
        rules = Ruleset.parse(visitor.rules)
    except RuleError:
        rules = Ruleset.parse(BOOKS[0])
    tokens = {table: visitor.tokens(table) for table in visitor.seats}
    running = [view for view in await tables_of(request).tables_of(tokens, lang) if view.state != "match-over"]
    kept = kept_choices(lang, rules.code, own_of(request))
    own_on = any(choice.on for choice in kept)
    my_name = visitor.name or animal(lang)
    people = visitor.people or (my_name,)
    page = renderer_of(request).page(
        "home.html",
        lang,
        "/",
        problem=problem,
        running=running[:2],
        books=_books(lang, rules, changed=not own_on),
        book="" if own_on else "+".join((rules.book, *_unswitched(rules))),
        own=own_of(request),
        own_choices=kept,
        house=_house_choices(lang, frozenset() if own_on else frozenset(rules.house_rules)),
        house_on=not own_on and any(part in HOUSE_RULES for part in rules.parts),
        visitor=visitor,
        my_name=my_name,
        people=[*people, *[""] * (MOST_PEOPLE - len(people))],
        together_open=together,
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
    return await home_page(request, replace(visitor, rules=code[:_LONGEST_RULES]) if code else visitor)


def agreed(rules: str, players: int) -> str:
    """The code of a table; a size outside the book's own is asked for by the house rule that allows it."""
    code = rules
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


def asked_for(visitor: Visitor, fields: Fields) -> tuple[Visitor, str]:
    """The visitor with the choices of the home form, and the rule code of the table asked for."""
    players = min(max(whole(one(fields, "players")) or visitor.players, 2), 8)
    book = one(fields, "book") or visitor.rules
    house = [code for code in fields.get("house", [])[:_SHOWN_RULES] if code]
    level, pace = one(fields, "level", visitor.level), one(fields, "pace", visitor.pace)
    rules = "+".join([book, *house])[:_LONGEST_RULES]
    chosen = replace(
        visitor,
        rules=rules if len(rules) <= _REMEMBERED_RULES else visitor.rules,
        players=players,
        level=level if level in LEVELS else "normal",
        pace=pace if pace in PACES else "normal",
    )
    return chosen, agreed(rules, players)


async def seated_at(
    request: Request, visitor: Visitor, spec: TableSpec, share: str | None, *, together: bool = False
) -> Response:
    """Make a table and go there, or say on the home page why not."""
    try:
        may_make_table(request)
        seated = await tables_of(request).create(spec, visitor.lang, share)
    except TableError as error:
        return await home_page(request, visitor, error.text, error.status, together=together)
    table_made(request)
    if together:  # each person's games are that person's own
        for name, token in zip(visitor.people, (seated.token, *seated.beside), strict=True):
            await tables_of(request).is_mine(seated.table, token, visitor.person(name), visitor.lang)
    else:
        await tables_of(request).is_mine(seated.table, seated.token, visitor.digest, visitor.lang)
    answer = RedirectResponse(f"/t/{seated.table}", 303)
    remember(answer, request, visitor.seated(seated.table, seated.token, *seated.beside))
    return answer


@router.post("/play")
async def play(request: Request) -> Response:
    """Deal at once and go to the table."""
    fields = await form(request)
    visitor, code = asked_for(visitor_of(request), fields)
    bots = [SeatSpec(bot=visitor.level)] * (visitor.players - 1)
    seats = (SeatSpec(name=texts(visitor.lang)("home.you")), *bots)
    return await seated_at(
        request, visitor, TableSpec(rules=code, seats=seats, pace=Pace(visitor.pace)), share_in(fields)
    )


@router.post("/friends")
async def with_friends(request: Request) -> Response:
    """A table whose other seats are open, and the page that invites to it."""
    fields = await form(request)
    visitor, code = asked_for(visitor_of(request), fields)
    name = one(fields, "name").strip() or visitor.name or animal(visitor.lang)
    visitor = replace(visitor, name=name[:LONGEST_NAME])
    seats = (SeatSpec(name=name), *[SeatSpec(open=True)] * (visitor.players - 1))
    spec = TableSpec(rules=code, seats=seats, pace=Pace(visitor.pace))
    return await seated_at(request, visitor, spec, None)  # the start brings the share


@router.post("/language")
async def language(request: Request) -> Response:
    """Switch the language and come back."""
    fields = await form(request)
    answer = RedirectResponse(way_back(one(fields, "back", "/")), 303)
    if one(fields, "lang") in LANGUAGES:
        chosen = one(fields, "lang")
        remember(answer, request, replace(visitor_of(request), chosen_lang=chosen))
    return answer


# ---- the table -----------------------------------------------------------------------------------------------------


def _wants_data(request: Request) -> bool:
    return request.headers.get("accept", "") == "application/json"


def shown(request: Request, view: View, lang: str) -> Response:
    """After an action: the new view for a script, the way back to the table for a plain form."""
    if _wants_data(request):
        return Json({"version": view.version, "html": renderer_of(request).fragment(view, lang, base_of(request))})
    return RedirectResponse(f"/t/{view.table}", 303)


async def _refused(request: Request, table: str, visitor: Visitor, error: TableError) -> Response:
    """The table as it stands, with the sentence that says why not."""
    view = error.view if error.view and len(visitor.tokens(table)) < 2 else await device_of(request, table).view()
    if _wants_data(request):
        html = renderer_of(request).fragment(view, visitor.lang, base_of(request))
        return Json(body_of(error.code, error.text, version=view.version, html=html), error.status)
    page = renderer_of(request).table(
        view, visitor.lang, f"/t/{table}", problem=error.text, base=base_of(request), now=tables_of(request).now()
    )
    return HTMLResponse(page, error.status)


@router.get("/t/{table}")
async def table_page(request: Request, table: str, wish: str | None = None, mau: str | None = None) -> Response:
    """The table as this browser's seat sees it; `?wish=Js` opens the picker for browsers without scripts."""
    visitor = visitor_of(request)
    device = device_of(request, table, visitor)
    await device.look()
    view = await device.view()
    page = renderer_of(request).table(
        view,
        visitor.lang,
        f"/t/{table}",
        wish_for=wish,
        armed=bool(mau),
        base=base_of(request),
        now=tables_of(request).now(),
    )
    return HTMLResponse(page)


def _called(view: View, action: str) -> str:
    """The action with the Mau that was pressed before it, where one is due."""
    due = any(card.call_due and action in card.plays for card in view.hand)
    return f"{action}!" if due else action


@router.post("/t/{table}/act")
async def act(request: Request, table: str) -> Response:
    """Play, draw, take, pass, name, call or catch."""
    fields = await form(request)
    visitor = visitor_of(request)
    device, action, called = device_of(request, table, visitor), one(fields, "action")[:20], one(fields, "mau")
    if not _wants_data(request):
        view = await device.view()
        if any(card.wishes and card.card == action for card in view.hand):
            return RedirectResponse(f"/t/{table}?wish={action}{'&mau=1' if called else ''}", 303)
        action = _called(view, action) if called else action
    command = one(fields, "id")[:64] or str(uuid.uuid4())
    try:
        view = await device.tables.act(
            table, await device.acting(action), command, whole(one(fields, "version")), action, visitor.lang
        )
    except TableError as error:
        return await _refused(request, table, visitor, error)
    return shown(request, await device.shown(view), visitor.lang)


async def _done(device: Device, deed: str, fields: Fields) -> View:
    """Do a deed in the name of this browser's seat, or of the one that a form names where it has several."""
    tables, table, lang = device.tables, device.table, device.lang
    take_back = one(fields, "take_back") == "1"
    if deed == "end" and len(device.tokens) > 1:
        return await device.end(take_back=take_back)
    token = await device.token(seat_in(fields) if deed in ("leave", "return", "concede") else None)
    deeds = {
        "next": lambda: tables.next_round(table, token, lang, whole(one(fields, "round")), share_in(fields)),
        "rematch": lambda: tables.rematch(table, token, lang, whole(one(fields, "match")), share_in(fields)),
        "contribute": lambda: tables.contribute(table, token, one(fields, "contribution"), lang),
        "hurry": lambda: tables.hurry(table, token, lang),
        "pace": lambda: tables.set_pace(table, token, one(fields, "pace"), lang),
        "start": lambda: tables.start(table, token, lang, share_in(fields)),
        "remove": lambda: tables.remove(table, token, seat_in(fields), lang),
        "let-in": lambda: tables.let_in(table, token, whole(one(fields, "knock")) or 0, lang),
        "turn-away": lambda: tables.turn_away(table, token, whole(one(fields, "knock")) or 0, lang),
        "ask": lambda: tables.set_asks(table, token, one(fields, "ask") == "1", lang),
        "host": lambda: tables.hand_over(table, token, seat_in(fields), lang),
        "leave": lambda: tables.leave(table, token, lang),
        "stand-in": lambda: tables.stand_in(table, token, seat_in(fields), lang),
        "public": lambda: tables.set_public(table, token, one(fields, "public") == "1", lang),
        "clock": lambda: tables.set_clock(table, token, whole(one(fields, "seconds")), lang),
        "limit": lambda: tables.set_stand_in(table, token, whole(one(fields, "away")), lang),
        "time": lambda: tables.more_time(table, token, lang),
        "react": lambda: tables.react(table, token, one(fields, "reaction"), lang),
        "return": lambda: tables.return_(table, token, lang),
        "end": lambda: tables.end(table, token, lang, take_back=take_back),
        "concede": lambda: tables.concede(table, token, lang),
    }
    if deed not in deeds:
        raise TableError("not-found", texts(lang)("error.not_found"), 404)
    return await deeds[deed]()


@router.post("/t/{table}/{deed}")
async def do(request: Request, table: str, deed: str) -> Response:
    """Everything else that may be done at a table."""
    fields = await form(request)
    visitor = visitor_of(request)
    device, lang = device_of(request, table, visitor), visitor.lang
    try:
        view = await device.shown(await _done(device, deed, fields))
    except TableError as error:
        if error.code in ("not-found", "no-table", "bad-token"):
            raise
        return await _refused(request, table, visitor, error)
    answer = shown(request, view, lang)
    if deed == "pace":
        remember(answer, request, replace(visitor, pace=view.pace))
    return answer


@router.get("/t/{table}/sheet")
async def sheet(request: Request, table: str) -> Response:
    """The score sheets of every match at this table, the last first."""
    visitor = visitor_of(request)
    device = device_of(request, table, visitor)
    view, matches = await device.view(), await device.tables.history(table, await device.token(), visitor.lang)
    over = [match for match in matches if match.over]
    wins = [sum(seat.seat in match.winners for match in over) for seat in view.seats] if len(over) > 1 else []
    page = renderer_of(request).page(
        "sheet.html", visitor.lang, f"/t/{table}/sheet", v=view, matches=matches[::-1], wins=wins
    )
    return HTMLResponse(page)


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
        renderer_of(request).page(
            "rules.html", lang, "/rules", books=books, house=house, relatives=RELATIVES, own=own_of(request)
        )
    )
