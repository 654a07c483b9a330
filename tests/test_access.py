"""Who may do what: every way into the application, asked by everybody, answered as the table below says.

A new way without a row fails. One table for each row, all roles in the order of the columns; what an earlier one was
allowed to do stands when the next one comes, so the second device of the host may find that something is done already
(409). Whoever is refused with 401, 403 or 404 changes nothing.
"""

from __future__ import annotations

import asyncio
import base64
import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from fastapi import FastAPI
from tests.asgi_kit import Client, Way, serving, ways
from tests.leak_walk import deeds

from maumau.tables import Pace, SeatSpec, Tables, TableSpec, ledger
from maumau.tables.clockwork import WAITS, Waits
from maumau.tables.names import digest
from maumau.web.app import create_app

ROLES = (
    "stranger",
    "guest",
    "removed",
    "rekeyed",
    "deleted",
    "gone",
    "bot",
    "other",
    "spectator",
    "seat",
    "host",
    "second",
)
"""
stranger: knows the table's name. guest: has its invite as well. removed: had a seat until the host opened it again.
rekeyed: has the link of a seat as it was before that seat signed its other devices out. deleted: had itself forgotten.
gone: asks for a table that has been swept, with the token of its seat there.
bot: says it is the bot's seat, with what can be seen of it. other: sits at another table. spectator: has the watch link.
seat, host: sit there. second: the host's seat on another device.
"""
WATCHERS = ("removed", "rekeyed", "deleted", "gone", "spectator", "seat", "host", "second")
"""Those who know the watch link of the table."""
BENS_NEW = "b" * 22
ID = "00000000-0000-4000-8000-00000000000"
BODY: dict[str, Any] = {
    "contribution": "00112233445566778899aabbccddeeff",
    "reaction": "wow",
    "seat": 1,
    "action": "!!",
    "version": None,
    "name": "Zoe",
    "pace": "fast",
    "public": "1",
    "clock": "60",
    "turn_seconds": 60,
    "stand_in_seconds": 120,
    "away": "120",
    "word": "no-such-word",
    "lang": "de",
    "players": "2",
    "person": "Ann",
    "key": "k" * 22,
    "rules": "family",
    "book": "family",
    "record": "{}",
}
WAITING = (
    "/let-in",
    "/turn-away",
    "/ask",
    "/start",
    "/remove",
    "/host",
    "/public",
    "/join",
    "/names",
    "/rename",
    "/contribute",
    "/clock",
    "/limit",
    "/rekey",
)
"""What is asked at a table that waits; everything else while a round runs."""


@dataclass
class Table:
    """One table, and for each role what it has: a token, or None."""

    app: FastAPI
    tables: Tables
    name: str
    gone: str
    invite: str
    watch: str
    tokens: dict[str, str | None]

    def filled(self, way: Way, role: str) -> str:
        """The address as this role would write it."""
        knows_invite = role in ("guest", "removed", "seat", "host", "second")
        values: dict[str, object] = {
            "table": self.gone if role == "gone" else self.name,
            "invite": self.invite if knows_invite else "a" * 22,
            "door": "a" * 22,
            "watch": self.watch if role in WATCHERS else self.tokens[role] or "a" * 22,
            "seat": 2,
            "code": "family",
            "version": self.app.state.assets.version,
            "name": "table.js",
        }
        return way.at(**values)

    def client(self, role: str, *, api: bool) -> Client:
        """A device of this role, which sends its token for the API and its cookie for pages."""
        token = self.tokens[role]
        client = Client(self.app, token=token if api else None, peer=f"203.0.113.{ROLES.index(role)}")
        if token is not None and not api:
            said = json.dumps({"s": {self.gone if role == "gone" else self.name: token}}).encode()
            client.cookies["maumau"] = base64.urlsafe_b64encode(said).decode()
        return client


async def made(app: FastAPI, tables: Tables, *, playing: bool) -> Table:
    """A table of Anna, Ben, a bot, a seat from which somebody was removed, and one whose person had itself forgotten."""
    open_seats = [SeatSpec(open=True)] * 2
    spec = TableSpec(
        "family", (SeatSpec("Anna"), *open_seats, SeatSpec(bot="easy"), SeatSpec(open=True)), pace=Pace.SLOW
    )
    anna = await tables.create(spec)
    ben = await tables.join(anna.table, anna.invite or "", "Ben")
    cem = await tables.join(anna.table, anna.invite or "", "Cem")
    eva = await tables.join(anna.table, anna.invite or "", "Eva")
    await tables.remove(anna.table, anna.token, cem.seat)
    await tables.rekey(anna.table, ben.token, BENS_NEW)
    swept = await tables.create(TableSpec("family", (SeatSpec("Fred"), SeatSpec(bot="easy")), pace=Pace.SLOW))
    found = ledger.last_activity(tables.store.read(), swept.table)
    assert found is not None
    await tables.store.write(ledger.drop_table(swept.table, found[1]))
    other = await tables.create(TableSpec("family", (SeatSpec("Dora"), SeatSpec(bot="easy"))))
    watch = await tables.watch_link(anna.table, anna.token)
    if playing:
        await tables.start(anna.table, anna.token)
    await tables.is_mine(anna.table, eva.token, b"eva")
    await tables.forget(b"eva")
    tokens: dict[str, str | None] = dict.fromkeys(ROLES)
    tokens |= {
        "removed": cem.token,
        "rekeyed": ben.token,
        "deleted": eva.token,
        "gone": swept.token,
        "bot": digest(anna.table + "3").hex()[:22],
        "other": other.token,
        "spectator": watch,
    }
    tokens |= {"seat": BENS_NEW, "host": anna.token, "second": anna.token}
    return Table(app, tables, anna.table, swept.table, anna.invite or "", watch, tokens)


async def asked(table: Table, way: Way, role: str) -> int:
    """What a role is answered: the status, for a socket the code with which it is closed, or 101 where it stays open."""
    api = way.path.startswith("/api")
    client, path = table.client(role, api=api), table.filled(way, role)
    if way.method == "WS":
        async with client.socket(path) as socket:
            await socket.until(lambda s: s.closed is not None or bool(s.frames))
            return 101 if socket.closed is None else socket.closed
    before = table.tables.store.read().execute("SELECT head FROM tables WHERE id = ?", (table.name,)).get
    body: dict[str, Any] = {}
    if way.method not in ("GET", "HEAD"):
        said = BODY | {"id": f"{ID}{ROLES.index(role)}", "invite": table.invite if role == "guest" else "a" * 22}
        if way.path == "/s":
            said["token"] = table.tokens[role] or "x"
        if way.path == "/api/tables":
            said |= {"seats": [{"name": "Zoe"}, {"bot": "easy"}], "public": False}
        body = (
            {"data": said}
            if api
            else {"form": {key: "" if value is None else str(value) for key, value in said.items()}}
        )
    answer = await client.ask(way.method, path, **body)
    assert answer.crash is None
    after = table.tables.store.read().execute("SELECT head FROM tables WHERE id = ?", (table.name,)).get
    if answer.status in (401, 403, 404):
        assert before == after, f"{role} is refused at {way} and yet changes something"
    return answer.status


async def row_of(path: Path, way: Way) -> list[int]:
    """The answers to all roles."""
    async with serving(path) as (app, tables):
        waiting = way.path.endswith(WAITING) or way.path.startswith(("/j/", "/k/", "/w/", "/lobby", "/word"))
        table = await made(app, tables, playing=not waiting)
        return [await asked(table, way, role) for role in ROLES]


def doors(app: FastAPI) -> list[Way]:
    """Every way, and each deed at a table on its own."""
    found: list[Way] = []
    for way in ways(app):
        if way.path == "/t/{table}/{deed}":
            found += [Way("POST", f"/t/{{table}}/{deed}") for deed in deeds()]
        else:
            found.append(way)
    return found


# one answer where all get the same; a door that is open to everybody stands there with it
EXPECTED = """
    way                                                stra gues remo reke dele gone  bot othe spec seat host seco
    GET /api/openapi.json                               200
    POST /api/tables                                    201
    POST /api/tables/{table}/join                       404  201  404  404  404  404  404  404  404  404  404  404
    GET /api/tables/{table}                             401  401  401  401  401  404  401  401  200  200  200  200
    POST /api/tables/{table}/actions                    401  401  401  401  401  404  401  401  401  422  422  422
    POST /api/tables/{table}/start                      401  401  401  401  401  404  401  401  401  403  200  409
    POST /api/tables/{table}/next                       401  401  401  401  401  404  401  401  401  409  409  409
    POST /api/tables/{table}/rematch                    401  401  401  401  401  404  401  401  401  409  409  409
    POST /api/tables/{table}/contribute                 401  401  401  401  401  404  401  401  401  200  200  200
    POST /api/tables/{table}/leave                      401  401  401  401  401  404  401  401  401  200  200  409
    POST /api/tables/{table}/seats/{seat}/stand-in      401  401  401  401  401  404  401  401  401  409  409  409
    POST /api/tables/{table}/return                     401  401  401  401  401  404  401  401  401  409  409  409
    POST /api/tables/{table}/end                        401  401  401  401  401  404  401  401  401  200  200  409
    POST /api/tables/{table}/concede                    401  401  401  401  401  404  401  401  401  409  409  409
    POST /api/tables/{table}/seats/{seat}/remove        401  401  401  401  401  404  401  401  401  403  409  409
    POST /api/tables/{table}/time                       401  401  401  401  401  404  401  401  401  409  409  409
    POST /api/tables/{table}/clock                      401  401  401  401  401  404  401  401  401  403  200  200
    POST /api/tables/{table}/limit                      401  401  401  401  401  404  401  401  401  403  200  200
    POST /api/tables/{table}/react                      401  401  401  401  401  404  401  401  401  200  200  429
    POST /api/tables/{table}/host                       401  401  401  401  401  404  401  401  401  403  200  403
    GET /api/tables/{table}/events                      401  401  401  401  401  404  401  401  200  200  200  200
    GET /api/tables/{table}/record                      401  401  401  401  401  404  401  401  200  200  200  200
    GET /api/docs                                       200
    WS /t/{table}/live                                 4404 4404 4404 4404 4404 4404 4404 4404  101  101  101  101
    WS /w/{table}/{watch}/live                         4404 4404  101  101  101 4404 4404 4404  101  101  101  101
    WS /api/tables/{table}/live                        4404 4404 4404 4404 4404 4404 4404 4404  101  101  101  101
    POST /together                                      422
    POST /t/{table}/uncover                             401  401  401  401  401  404  401  401  303  303  303  303
    POST /word                                          404
    GET /t/{table}/names                                401  401  401  401  401  404  401  401  403  200  200  200
    POST /t/{table}/rename                              401  401  401  401  401  404  401  401  401  303  303  303
    POST /t/{table}/rekey                               401  401  401  401  401  404  401  401  401  303  303  303
    GET /me                                             200
    GET /me/export                                      200
    POST /me/delete                                     200
    GET /                                               200
    POST /play                                          303
    POST /friends                                       303
    POST /language                                      303
    GET /t/{table}                                      401  401  401  401  401  404  401  401  200  200  200  200
    POST /t/{table}/act                                 401  401  401  401  401  404  401  401  401  422  422  422
    POST /t/{table}/next                                401  401  401  401  401  404  401  401  401  409  409  409
    POST /t/{table}/rematch                             401  401  401  401  401  404  401  401  401  409  409  409
    POST /t/{table}/hurry                               401  401  401  401  401  404  401  401  401  403  303  303
    POST /t/{table}/pace                                401  401  401  401  401  404  401  401  401  403  303  303
    POST /t/{table}/start                               401  401  401  401  401  404  401  401  401  403  303  409
    POST /t/{table}/remove                              401  401  401  401  401  404  401  401  401  403  303  409
    POST /t/{table}/let-in                              401  401  401  401  401  404  401  401  401  403  409  409
    POST /t/{table}/turn-away                           401  401  401  401  401  404  401  401  401  403  409  409
    POST /t/{table}/ask                                 401  401  401  401  401  404  401  401  401  403  303  303
    POST /t/{table}/host                                401  401  401  401  401  404  401  401  401  403  303  403
    POST /t/{table}/leave                               401  401  401  401  401  404  401  401  401  303  303  409
    POST /t/{table}/stand-in                            401  401  401  401  401  404  401  401  401  409  409  409
    POST /t/{table}/public                              401  401  401  401  401  404  401  401  401  403  303  303
    POST /t/{table}/clock                               401  401  401  401  401  404  401  401  401  403  303  303
    POST /t/{table}/limit                               401  401  401  401  401  404  401  401  401  403  303  303
    POST /t/{table}/time                                401  401  401  401  401  404  401  401  401  409  409  409
    POST /t/{table}/contribute                          401  401  401  401  401  404  401  401  401  303  303  303
    POST /t/{table}/react                               401  401  401  401  401  404  401  401  401  303  303  429
    POST /t/{table}/return                              401  401  401  401  401  404  401  401  401  409  409  409
    POST /t/{table}/end                                 401  401  401  401  401  404  401  401  401  303  303  409
    POST /t/{table}/concede                             401  401  401  401  401  404  401  401  401  409  409  409
    GET /t/{table}/sheet                                401  401  401  401  401  404  401  401  200  200  200  200
    GET /rules                                          200
    GET /j/{invite}                                     404  200  200  404  404  404  404  404  404  303  303  303
    POST /j/{invite}                                    404  303  303  404  404  404  404  404  404  303  303  303
    GET /t/{table}/device                               401  401  401  401  401  404  401  401  403  200  200  200
    GET /t/{table}/watchers                             401  401  401  401  401  404  401  401  401  200  200  200
    GET /w/{table}/{watch}                              401  401  200  200  200  404  401  401  200  200  200  200
    GET /k/{table}/{door}                               404
    POST /k/{table}/{door}                              404
    POST /k/{table}/{door}/withdraw                     303
    WS /k/{table}/{door}/live                          4404
    GET /lobby                                          200
    GET /s                                              200
    POST /s                                             404  404  404  404  404  404  404  303  404  303  303  303
    GET /rules/edit                                     200
    POST /rules/own                                     303
    POST /rules/own/forget                              303
    GET /rules/{code}                                   200
    GET /referee                                        200
    GET /score                                          200
    POST /api/score                                     422
    GET /verify                                         200
    GET /t/{table}/record                               401  401  401  401  401  404  401  401  200  200  200  200
    POST /verify                                        422
    GET /static/{version}/{name:path}                   200
    GET /livez                                          200
    GET /readyz                                         200
    GET /metrics                                        200
"""


def expected() -> dict[str, list[int]]:
    """The table above: the answers by way."""
    found: dict[str, list[int]] = {}
    for line in EXPECTED.strip().splitlines()[1:]:
        method, path, *answers = line.split()
        assert len(answers) in (1, len(ROLES)), line
        found[f"{method} {path}"] = [int(answer) for answer in answers] * (len(ROLES) if len(answers) == 1 else 1)
    return found


ROWS = expected()


def all_doors() -> list[Way]:
    """Every way into the application as it is now."""
    return doors(create_app(Path("unused"), metrics=True))


@pytest.fixture(autouse=True)
def bots_that_only_watch(monkeypatch: pytest.MonkeyPatch) -> None:
    """No bot acts while a row is asked, however long a busy machine takes over it."""
    for pace in WAITS:
        monkeypatch.setitem(WAITS, pace, Waits(turn=3_600_000, mercy=3_600_000, chance=3_600_000))


def test_every_way_has_a_row_and_every_row_a_way() -> None:
    assert {str(way) for way in all_doors()} == ROWS.keys()


@pytest.mark.parametrize("way", [way for way in all_doors() if str(way) in ROWS], ids=str)
def test_everybody_is_answered_as_the_table_says(tmp_path: Path, way: Way) -> None:
    assert dict(zip(ROLES, asyncio.run(row_of(tmp_path, way)), strict=True)) == dict(
        zip(ROLES, ROWS[str(way)], strict=True)
    )


def test_whoever_has_no_seat_changes_nothing() -> None:
    """What the table itself says: only who sits at a table does anything there, and only with an invite one sits down."""
    strangers = [ROLES.index(role) for role in ROLES[: ROLES.index("spectator") + 1] if role != "gone"]
    for way, answers in ROWS.items():
        if (
            way.startswith("POST")
            and "{table}" in way
            and not way.endswith(("/join", "/uncover"))
            and "{door}" not in way
        ):
            assert {answers[n] for n in strangers} == {401}, way


def test_a_seats_token_is_no_watch_link(tmp_path: Path) -> None:
    async def main() -> tuple[int, int | None]:
        async with serving(tmp_path) as (app, tables):
            table = await made(app, tables, playing=True)
            where = f"/w/{table.name}/{table.tokens['seat']}"
            async with Client(app).socket(f"{where}/live") as socket:
                await socket.until(lambda s: s.closed is not None or bool(s.frames))
                return (await Client(app).get(where)).status, socket.closed

    assert asyncio.run(main()) == (401, 4404)
