"""What a server on the internet bears from one address and from one seat, and what it says then."""

from __future__ import annotations

import asyncio
import base64
import json
from pathlib import Path

import pytest
from tests.asgi_kit import Client, serving
from tests.web_client import TestClient

from maumau.web import live
from maumau.web.app import create_app
from maumau.web.limits import MOST_SEATS, Haste, Mistakes

TABLE = {"seats": [{"name": "Anna"}, {"bot": "easy"}]}


class Time:
    """A clock that a test moves."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


def test_an_address_makes_so_many_tables_an_hour_by_any_way(tmp_path: Path) -> None:
    app = create_app(tmp_path, tables_per_hour=3)
    with TestClient(app, follow_redirects=False, headers={"accept-language": "en"}) as client:
        clock = Time()
        app.state.new_tables = Mistakes(3, 0, 3600.0, clock)
        assert client.post("/api/tables", json=TABLE).status_code == 201
        assert client.post("/play").status_code == 303
        assert client.post("/friends", data={"name": "Anna"}).status_code == 303
        for path in ("/play", "/friends"):
            page = client.post(path, data={"name": "Anna"})
            assert page.status_code == 429
            assert "3 new tables from here in the last hour" in page.text
        assert client.post("/together", data={"person": ["Anna", "Ben"]}).status_code == 429
        said = client.post("/api/tables", json=TABLE)
        assert (said.status_code, said.json()["error"]["code"]) == (429, "too-many-tables")
        clock.now += 3601
        assert client.post("/play").status_code == 303


def test_without_a_limit_an_address_makes_any_number(tmp_path: Path) -> None:
    app = create_app(tmp_path, tables_per_hour=0)
    with TestClient(app) as client:
        made = [client.post("/api/tables", json=TABLE).status_code for _ in range(5)]
    assert made == [201] * 5


def test_one_seat_commands_so_often_and_another_is_not_held_up(tmp_path: Path) -> None:
    app = create_app(tmp_path, commands_per_second=2)
    with TestClient(app, follow_redirects=False) as client:
        clock = Time()
        app.state.haste = Haste(2, clock)
        seats = [client.post("/api/tables", json=TABLE).json() for _ in range(2)]
        asks = [(f"/api/tables/{s['table']}/leave", {"authorization": f"Bearer {s['token']}"}) for s in seats]
        answers = [client.post(path, headers=key) for path, key in [asks[0]] * 7]
        assert 429 not in {answer.status_code for answer in answers[:6]}
        assert (answers[6].status_code, answers[6].json()["error"]["code"]) == (429, "too-fast")
        assert client.get(asks[0][0].removesuffix("/leave"), headers=asks[0][1]).status_code == 200
        assert client.post(asks[1][0], headers=asks[1][1]).status_code == 200
        clock.now += 0.5
        assert [client.post(asks[0][0], headers=asks[0][1]).status_code for _ in range(2)] == [409, 429]


def test_the_pages_of_a_seat_are_held_to_the_same(tmp_path: Path) -> None:
    app = create_app(tmp_path)
    with TestClient(app, follow_redirects=False) as client:
        app.state.haste = Haste(1, Time())
        table = client.post("/play").headers["location"]
        paces = [client.post(f"{table}/pace", data={"pace": "fast"}).status_code for _ in range(4)]
        assert paces == [303, 303, 303, 429]
        assert client.get(table).status_code == 200
        assert client.post("/play").status_code == 303


def test_the_memory_of_seats_is_bounded() -> None:
    haste = Haste(1, Time())
    for seat in range(MOST_SEATS + 10):
        assert not haste.too_fast(str(seat).encode())
    assert len(haste._by) == MOST_SEATS


def test_a_live_socket_keeps_nothing_of_its_handshake(tmp_path: Path) -> None:
    """Thousands that idle would each hold their headers and a reading of their cookies."""

    async def main() -> None:
        async with serving(tmp_path) as (app, _):
            client = Client(app)
            table = (await client.post("/play", form={})).header("location")
            token = json.loads(base64.urlsafe_b64decode(client.cookies["maumau"]))["s"][table.rpartition("/")[2]]
            program = Client(app, token=token)
            for one, path in ((client, f"{table}/live"), (program, f"/api/tables{table[2:]}/live")):
                async with one.socket(path) as socket:
                    assert socket.scope["headers"]
                    await socket.until(lambda s: bool(s.frames))
                    assert socket.scope["headers"] == []

    asyncio.run(main())


def test_one_more_socket_of_a_seat_closes_its_oldest(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(live, "SOCKETS_PER_SEAT", 2)

    async def main() -> None:
        async with serving(tmp_path) as (app, _):
            client = Client(app)
            table = (await client.post("/play", form={})).header("location")
            async with client.socket(f"{table}/live") as first, client.socket(f"{table}/live") as second:
                await second.until(lambda s: bool(s.frames))
                async with client.socket(f"{table}/live") as third:
                    await first.until(lambda s: s.closed is not None)
                    await third.until(lambda s: bool(s.frames))
                    assert (first.closed, second.closed, third.closed) == (4429, None, None)
                    assert [len(opened) for opened in app.state.seat_sockets.values()] == [2]

    asyncio.run(main())


def test_an_address_looks_on_by_so_many_sockets_and_seats_are_not_among_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(live, "ONLOOKERS_PER_ADDRESS", 2)

    async def main() -> None:
        async with serving(tmp_path) as (app, _):
            client, stranger = Client(app), Client(app)
            seats = [{"name": "Anna"}, {"bot": "easy"}]
            made = await client.post("/api/tables", data={"seats": seats, "public": True})
            table = f"/t/{made.json()['table']}"
            own = (await client.post("/play", form={})).header("location")
            async with stranger.socket(f"{table}/live") as first, stranger.socket(f"{table}/live") as second:
                await first.until(lambda s: bool(s.frames))
                await second.until(lambda s: bool(s.frames))
                async with stranger.socket(f"{table}/live") as third, client.socket(f"{own}/live") as seat:
                    await third.until(lambda s: s.closed is not None)
                    await seat.until(lambda s: bool(s.frames))
                    assert (first.closed, second.closed, third.closed, seat.closed) == (None, None, 4429, None)
                    assert not third.frames
            async with stranger.socket(f"{table}/live") as again:
                await again.until(lambda s: bool(s.frames))
            assert not app.state.onlookers

    asyncio.run(main())
