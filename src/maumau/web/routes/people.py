"""People: a device that goes round, the word called out in a room, names, what each has played, and being forgotten."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse, RedirectResponse, Response

from ...ruleset import RuleError
from ...ruleset import words as rule_words
from ...tables import Pace, SeatSpec, TableError, TableSpec
from ...tables.played import Played
from ..answers import Json
from ..device import device_of
from ..forms import form, one, renderer_of, seat_in, share_in, tables_of
from ..texts import Texts, texts
from ..visitor import MOST_PEOPLE, Visitor, drop_cookie, remember, visitor_of
from .friends import closed
from .knocking import way_in
from .pages import agreed, asked_for, home_page, seated_at, shown

router = APIRouter(include_in_schema=False)
RECENT = 20
_MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "June", "July", "Aug", "Sept", "Oct", "Nov", "Dec")


# ---- one device for all ----------------------------------------------------------------------------------------------


@router.post("/together")
async def together(request: Request) -> Response:
    """A table for people who pass this device on; bots take what seats are left."""
    fields = await form(request)
    visitor, _ = asked_for(visitor_of(request), fields)
    people = [" ".join(name.split())[:60] for name in fields.get("person", [])[:MOST_PEOPLE]]
    visitor, unknown = visitor.shared_by(tuple(name[:24] for name in people if name))
    if len(visitor.people) < 2:
        return await home_page(request, visitor, texts(visitor.lang)("together.too_few"), 422, together=True)
    bots = max(0, visitor.players - len(visitor.people))
    seats = (
        SeatSpec(name=visitor.people[0]),
        *(SeatSpec(name=name, beside=True) for name in visitor.people[1:]),
        *[SeatSpec(bot=visitor.level)] * bots,
    )
    code = agreed(visitor.rules, len(seats))
    spec = TableSpec(rules=code, seats=seats, pace=Pace(visitor.pace))
    answer = await seated_at(request, visitor, spec, share_in(fields), together=True)
    if answer.status_code == 303:
        for name in unknown:
            await tables_of(request).drop_results(visitor.person(name), visitor.lang)
    return answer


@router.post("/t/{table}/uncover")
async def uncover(request: Request, table: str) -> Response:
    """Whoever is on turn has the device now: show that hand."""
    visitor, fields = visitor_of(request), await form(request)
    view = await tables_of(request).uncover(table, visitor.tokens(table), seat_in(fields), visitor.lang)
    return shown(request, view, visitor.lang)


# ---- the word called out in a room -----------------------------------------------------------------------------------


@router.post("/word")
async def by_word(request: Request) -> Response:
    """To the door of the table that a word names, where one knocks; the same answer for every word that opens none."""
    visitor, fields = visitor_of(request), await form(request)
    mistakes, host = request.app.state.wrong_words, request.client.host if request.client else None
    if mistakes.too_many(host):
        return closed(request, visitor, "word.wait", 429)
    try:
        entrance = await tables_of(request).entrance_of_word(one(fields, "word"), visitor.lang)
    except TableError as error:
        mistakes.add(host)
        return closed(request, visitor, "word.unknown", error.status)
    return RedirectResponse(way_in(entrance), 303)


# ---- names -----------------------------------------------------------------------------------------------------------


@router.get("/t/{table}/names")
async def names(request: Request, table: str) -> Response:
    """The seats of this browser, each with its name."""
    return await _names(request, table)


async def _names(request: Request, table: str, problem: str = "", status: int = 200) -> Response:
    visitor = visitor_of(request)
    device = device_of(request, table, visitor)
    own, view = sorted(await device.seats()), await device.view()
    if not own:
        return closed(request, visitor, "friends.seatless", 403)
    page = renderer_of(request).page(
        "names.html",
        visitor.lang,
        f"/t/{table}/names",
        v=view,
        seats=[view.seats[seat] for seat in own],
        problem=problem,
    )
    return HTMLResponse(page, status)


@router.post("/t/{table}/rename")
async def rename(request: Request, table: str) -> Response:
    """Go by another name from now on."""
    visitor, fields = visitor_of(request), await form(request)
    device, name = device_of(request, table, visitor), one(fields, "name")
    token = await device.token(seat_in(fields))
    try:
        view = await tables_of(request).rename(table, token, name, visitor.lang)
    except TableError as error:
        if error.code != "bad-name":
            raise
        return await _names(request, table, error.text, error.status)
    answer = RedirectResponse(f"/t/{table}" if len(device.tokens) < 2 else f"/t/{table}/names", 303)
    if len(device.tokens) < 2 and view.you is not None:
        remember(answer, request, replace(visitor, name=view.seats[view.you].name))
    return answer


# ---- the other devices of a seat --------------------------------------------------------------------------------------


@router.post("/t/{table}/rekey")
async def rekey(request: Request, table: str) -> Response:
    """The link of this browser's seat becomes another one: whoever only has the old one is out."""
    visitor, fields = visitor_of(request), await form(request)
    tables, own = tables_of(request), visitor.tokens(table)
    seat, new = seat_in(fields), one(fields, "key")
    old = await device_of(request, table, visitor).token(seat)
    await tables.rekey(table, old, new, visitor.lang)
    held = (await tables.device_seats(table, (*own, new), visitor.lang)).values()
    answer = RedirectResponse(f"/t/{table}/device" + (f"?seat={seat}" if seat >= 0 else ""), 303)
    kept = dict.fromkeys((*(token for token in own if token in held), new))
    remember(answer, request, visitor.seated(table, *kept))
    return answer


# ---- what was played -------------------------------------------------------------------------------------------------


@router.get("/me")
async def games(request: Request) -> Response:
    """What this browser has played, by rule book, and the last matches."""
    visitor = visitor_of(request)
    t, found = texts(visitor.lang), await tables_of(request).games(visitor.digest)
    page = renderer_of(request).page(
        "games.html",
        visitor.lang,
        "/me",
        books=list(_by_book(t, found)),
        people=await _shared_games(request, visitor, t),
        recent=[_match_told(t, match, visitor.tokens(match.table) != ()) for match in found[:RECENT]],
    )
    return HTMLResponse(page)


async def _shared_games(request: Request, visitor: Visitor, t: Texts) -> list[tuple[str, list[dict[str, Any]]]]:
    """What each person has played who shares this device, by name."""
    told = []
    for name in dict.fromkeys((*visitor.people, *visitor.before)):
        found = await tables_of(request).games(visitor.person(name))
        if found:
            told.append((name, list(_by_book(t, found))))
    return told


def _by_book(t: Texts, found: list[Played]) -> Iterable[dict[str, Any]]:
    """The tally of all matches, then of each book, the one played most first."""
    books: dict[str, list[Played]] = {}
    for match in found:
        books.setdefault(match.result.book, []).append(match)
    if len(books) > 1:
        yield _tally(t, t("games.all"), found) | {"points": ""}
    for book, own in sorted(books.items(), key=lambda pair: -len(pair[1])):
        yield _tally(t, _title(t.lang, book), own)


def _title(lang: str, book: str) -> str:
    try:
        return rule_words.book_title(lang, book)
    except (RuleError, KeyError):
        return book


def _tally(t: Texts, title: str, found: list[Played]) -> dict[str, Any]:
    results = [match.result for match in found]
    over = [result for result in results if result.over]
    rounds, points = sum(result.rounds for result in results), [r.points for r in results if r.points is not None]
    counted = sum(result.rounds for result in results if result.points is not None)
    per = f"{sum(points) / counted:.1f}".replace(".", t("games.point")) if counted else ""
    return {
        "title": title,
        "rows": [
            _row("matches", len(over), sum(result.won for result in over)),
            _row("rounds", rounds, sum(result.rounds_won for result in results)),
        ],
        "points": t("games.points", n=sum(points), per=per) if counted else "",
    }


def _row(key: str, n: int, won: int) -> tuple[str, int, int, int | None]:
    return key, n, won, int(100 * won / n + 0.5) if n else None


def _match_told(t: Texts, match: Played, known: bool) -> dict[str, Any]:
    result, day = match.result, datetime.fromtimestamp(match.at / 1000, UTC)
    month = f"{day.month:02}" if t.lang == "de" else _MONTHS[day.month - 1]
    how = "is_running" if not result.over else "is_won" if result.won else "is_lost"
    return {
        "table": match.table if known else "",
        "title": _title(t.lang, result.book),
        "how": t(f"games.{how}"),
        "won": result.won,
        "date": t("games.date", day=day.day, month=month, year=day.year),
        "what": t("games.of", rounds=t.count("rounds", result.rounds), seats=result.seats),
    }


@router.get("/me/export")
async def export(request: Request) -> Response:
    """The same as a file: all that the server has kept about this browser's games."""
    visitor, tables = visitor_of(request), tables_of(request)
    found = [("", match) for match in await tables.games(visitor.digest)]
    for name in dict.fromkeys((*visitor.people, *visitor.before)):
        found += [(name, match) for match in await tables.games(visitor.person(name))]
    told = [
        {
            "person": name or None,
            "table": match.table,
            "last_round": datetime.fromtimestamp(match.at / 1000, UTC).isoformat(timespec="seconds"),
            "seat": match.result.seat,
            "match": match.result.match,
            "rules": match.result.book,
            "seats": match.result.seats,
            "rounds": match.result.rounds,
            "rounds_won": match.result.rounds_won,
            "points": match.result.points,
            "over": match.result.over,
            "won": match.result.won,
        }
        for name, match in found
    ]
    return Json({"matches": told}, headers={"Content-Disposition": 'attachment; filename="mau-mau-games.json"'})


@router.post("/me/delete")
async def forget(request: Request) -> Response:
    """Everything that names or links this person goes: results, names at tables, seats, the cookie."""
    visitor, tables = visitor_of(request), tables_of(request)
    for table in visitor.seats:
        for token in visitor.tokens(table):
            try:
                await tables.is_mine(table, token, visitor.digest, visitor.lang)
            except TableError:
                continue  # a table that is gone, or a seat that was cleared
    for table, secret in visitor.knocks.items():
        with suppress(TableError):  # a table that is gone
            await tables.withdraw(table, secret, visitor.lang)
    for name in dict.fromkeys((*visitor.people, *visitor.before)):
        await tables.forget(visitor.person(name), visitor.lang)
    await tables.forget(visitor.digest, visitor.lang)
    answer = closed(request, visitor, "games.forgotten", 200)
    drop_cookie(answer, request)
    return answer
