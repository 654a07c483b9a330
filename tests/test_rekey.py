"""A seat's link becomes another one: who has the old one is out at once, and nobody else notices."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest
from fastapi import FastAPI
from tests.asgi_kit import Client, Socket, serving
from tests.tables_kit import spec

from maumau.tables import Pace, Seated, SeatSpec, Tables, TableSpec, ledger

NEW = "n" * 22
End = Callable[[Tables, Seated, Seated], Awaitable[None]]


async def _cookie(app: FastAPI, token: str) -> Client:
    """A browser that has opened this seat by its link."""
    client = Client(app)
    assert (await client.post("/s", form={"token": token})).status == 303
    return client


async def _rekey(tables: Tables, host: Seated, guest: Seated) -> None:
    await tables.rekey(guest.table, guest.token, NEW)


async def _remove(tables: Tables, host: Seated, guest: Seated) -> None:
    await tables.remove(host.table, host.token, guest.seat)


async def _forget(tables: Tables, host: Seated, guest: Seated) -> None:
    await tables.is_mine(guest.table, guest.token, b"guest")
    await tables.forget(b"guest")


async def _sweep(tables: Tables, host: Seated, guest: Seated) -> None:
    found = ledger.last_activity(tables.store.read(), host.table)
    assert found is not None
    tables._clock = lambda: found[1] / 1000 + 100 * 86_400  # every table's time is over
    await tables.end_of_life(ledger.Timer(host.table, "life", 0, 0))


async def _closed(socket: Socket) -> int | None:
    await socket.until(lambda s: s.closed is not None)
    return socket.closed


@pytest.mark.parametrize("end", [_rekey, _remove, _forget, _sweep])
def test_an_open_stream_is_closed_when_its_token_opens_nothing_any_more(tmp_path: Path, end: End) -> None:
    async def main() -> None:
        async with serving(tmp_path) as (app, tables):
            host = await tables.create(spec(bots=0, open_seats=2, pace=Pace.SLOW))
            guest = await tables.join(host.table, host.invite or "", "Ben")
            page, api = await _cookie(app, guest.token), Client(app, token=guest.token)
            here = await _cookie(app, host.token)
            live, stream = f"/t/{host.table}/live", f"/api/tables/{host.table}/live"
            async with page.socket(live) as one, api.socket(stream) as two, here.socket(live) as three:
                for socket in (one, two, three):
                    await socket.until(lambda s: bool(s.frames))
                await end(tables, host, guest)
                assert await _closed(one) == 1000
                assert await _closed(two) == 1000
                if end is not _sweep:
                    frames = len(three.frames)
                    await tables.rename(host.table, host.token, "Somebody else")
                    await three.until(lambda s: len(s.frames) > frames or s.closed is not None)
                    assert three.closed is None, "the others hear on"
            async with page.socket(live) as again:
                assert await _closed(again) == 4404
            async with api.socket(stream) as again:
                assert await _closed(again) == 4404

    asyncio.run(main())


def test_who_signs_the_others_out_stays_and_plays_on_and_the_form_sent_twice_is_once(tmp_path: Path) -> None:
    async def main() -> None:
        async with serving(tmp_path) as (app, tables):
            host = await tables.create(spec(bots=1, open_seats=1, pace=Pace.SLOW))
            guest = await tables.join(host.table, host.invite or "", "Ben")
            await tables.start(host.table, host.token)
            hand = (await tables.view(guest.table, guest.token)).hand
            mine, other, lost = [await _cookie(app, guest.token) for _ in range(3)]
            page = (await mine.get(f"/t/{host.table}/device")).text
            key = re.search(r'name="key" value="([\w-]{22})"', page)
            assert key is not None
            assert f"/s#{guest.token}" in page
            assert (await mine.post(f"/t/{host.table}/rekey", form={"key": key[1]})).status == 303
            assert f"/s#{key[1]}" in (await mine.get(f"/t/{host.table}/device")).text
            assert (await mine.get(f"/t/{host.table}")).status == 200
            assert (await other.get(f"/t/{host.table}")).status == 401
            assert (await other.post(f"/t/{host.table}/rekey", form={"key": "o" * 22})).status == 401
            assert (await tables.view(guest.table, key[1])).hand == hand
            # the answer got lost on its way, and the same browser sends the form again with its old cookie
            assert (await lost.post(f"/t/{host.table}/rekey", form={"key": key[1]})).status == 303
            assert (await lost.get(f"/t/{host.table}")).status == 200
            assert (await tables.events(guest.table, key[1]))[-1]["kind"] == "rekeyed"
            assert [e["kind"] for e in await tables.events(guest.table, key[1])].count("rekeyed") == 1
            assert (await mine.post(f"/t/{host.table}/rekey", form={"key": "short"})).status == 422
            tables._slot(host.table).forget()
            assert (await tables.view(guest.table, key[1])).hand == hand

    asyncio.run(main())


def test_on_a_shared_device_one_seat_gets_another_link_and_the_others_keep_theirs(tmp_path: Path) -> None:
    async def main() -> None:
        async with serving(tmp_path) as (app, tables):
            seats = (SeatSpec("Anna"), SeatSpec("Ben", beside=True), SeatSpec("Cem", beside=True))
            home = Client(app)
            form = {"players": "3", "book": "family"}
            body = "&".join([*(f"{k}={v}" for k, v in form.items()), *(f"person={seat.name}" for seat in seats)])
            kind = [("content-type", "application/x-www-form-urlencoded")]
            made = await home.ask("POST", "/together", body=body.encode(), headers=kind)
            table = made.header("location")
            stolen = re.search(r"/s#([\w-]{22})", (await home.get(f"{table}/device?seat=1")).text)
            assert stolen is not None
            for _ in range(2):
                answer = await home.post(f"{table}/rekey", form={"key": NEW, "seat": "1"})
                assert (answer.status, answer.header("location")) == (303, f"{table}/device?seat=1")
            assert f"/s#{NEW}" in (await home.get(f"{table}/device?seat=1")).text
            held = {seat: (await home.get(f"{table}/device?seat={seat}")).text for seat in range(3)}
            links = {seat: re.findall(r"/s#([\w-]{22})", page)[0] for seat, page in held.items()}
            assert len(set(links.values())) == 3
            name = table.rpartition("/")[2]
            assert [await tables.seat_of(name, links[seat]) for seat in range(3)] == [0, 1, 2]
            assert (await Client(app).post("/s", form={"token": stolen[1]})).status == 404
            assert len(await tables.device_seats(name, tuple(links.values()))) == 3

    asyncio.run(main())


def test_the_store_knows_the_new_link_as_its_digest_only(tmp_path: Path) -> None:
    async def main() -> None:
        async with serving(tmp_path) as (_, tables):
            seated = await tables.create(TableSpec("family", (SeatSpec("Anna"), SeatSpec(bot="normal"))))
            await tables.rekey(seated.table, seated.token, NEW)

    asyncio.run(main())
    kept = b"".join(file.read_bytes() for file in tmp_path.iterdir() if file.is_file())
    assert NEW.encode() not in kept
