"""Who is there: gone for ten seconds, back at once, given up for a bot, and what a restart makes of it."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.friends_kit import BASE, Time, open_table, two_at_a_table
from tests.tables_kit import service, spec, until
from tests.web_client import TestClient

from maumau.tables import Pace, TableError, Tables
from maumau.web.app import create_app


@pytest.fixture
def host(tmp_path: Path) -> Iterator[TestClient]:
    with TestClient(create_app(tmp_path), base_url=BASE, follow_redirects=False) as opened:
        yield opened


@pytest.mark.anyio
async def test_whoever_has_gone_for_ten_seconds_is_away_and_back_at_once(tmp_path: Path) -> None:
    clock = Time()
    async with two_at_a_table(tmp_path, clock) as (tables, anna, ben):
        await tables.depart(ben.table, ben.seat)
        assert not (await tables.view(anna.table, anna.token)).seats[1].away
        clock.now += 11
        view = await until(tables, anna, lambda v: v.seats[1].away)
        assert view.log[-1].text == "Ben is away."
        assert view.host == 0
        await tables.arrive(ben.table, ben.seat)
        view = await tables.view(anna.table, anna.token)
        assert not view.seats[1].away
        assert view.log[-1].text == "Ben is back."


@pytest.mark.anyio
async def test_a_reload_and_a_second_device_are_no_absence(tmp_path: Path) -> None:
    clock = Time()
    async with two_at_a_table(tmp_path, clock) as (tables, anna, ben):
        await tables.arrive(ben.table, ben.seat)
        await tables.depart(ben.table, ben.seat)  # one of two devices
        await tables.depart(anna.table, anna.seat)
        clock.now += 5
        await tables.arrive(anna.table, anna.seat)  # a reload
        clock.now += 60
        await asyncio.sleep(1.2)
        assert not any(seat.away for seat in (await tables.view(anna.table, anna.token)).seats)


@pytest.mark.anyio
async def test_the_host_moves_to_a_person_who_is_here(tmp_path: Path) -> None:
    clock = Time()
    async with two_at_a_table(tmp_path, clock, bots=1) as (tables, anna, ben):
        await tables.depart(anna.table, anna.seat)
        clock.now += 11
        view = await until(tables, ben, lambda v: v.seats[0].away)
        assert view.host == ben.seat
        assert view.seats[view.host].kind == "human"


@pytest.mark.anyio
async def test_after_the_limit_a_bot_may_be_asked_and_the_person_takes_the_seat_back(tmp_path: Path) -> None:
    clock = Time()
    async with two_at_a_table(tmp_path, clock) as (tables, anna, ben):
        await tables.depart(ben.table, ben.seat)
        clock.now += 11
        await until(tables, anna, lambda v: v.seats[1].away)
        with pytest.raises(TableError) as early:
            await tables.stand_in(anna.table, anna.token, ben.seat)
        assert (early.value.code, early.value.status) == ("not-overdue", 409)
        clock.now += 20
        await until(tables, anna, lambda v: v.seats[1].can_stand_in)
        view = await tables.stand_in(anna.table, anna.token, ben.seat)
        assert view.log[-1].text == "A bot plays on for Ben."
        assert view.seats[1].level == "normal"
        back = await tables.return_(ben.table, ben.token)
        assert not back.seats[1].away


@pytest.mark.anyio
async def test_when_everybody_is_away_the_bots_wait(tmp_path: Path) -> None:
    clock = Time()
    async with service(tmp_path, clock=clock) as tables:
        anna = await tables.create(spec(bots=3, pace=Pace.SLOW))
        await tables.arrive(anna.table, anna.seat)
        await tables.depart(anna.table, anna.seat)
        clock.now += 11
        await until(tables, anna, lambda v: v.seats[0].away)
        version = (await tables.view(anna.table, anna.token)).version
        for _ in range(3):
            clock.now += 5
            await asyncio.sleep(0.3)
        assert (await tables.view(anna.table, anna.token)).version == version
        await tables.arrive(anna.table, anna.seat)
        assert (await tables.view(anna.table, anna.token)).host == 0


@pytest.mark.anyio
async def test_absence_is_in_the_log_and_survives_a_restart(tmp_path: Path) -> None:
    clock = Time()
    async with two_at_a_table(tmp_path, clock) as (tables, anna, ben):
        await tables.depart(ben.table, ben.seat)
        clock.now += 11
        await until(tables, anna, lambda v: v.seats[1].away)
    async with service(tmp_path, clock=clock) as tables:
        assert (await tables.view(anna.table, anna.token)).seats[1].away
        await tables.arrive(anna.table, anna.seat)
        clock.now += 31
        await until(tables, anna, lambda v: v.seats[1].can_stand_in)


@pytest.mark.anyio
async def test_after_a_crash_those_who_do_not_come_back_are_away(tmp_path: Path) -> None:
    clock = Time()
    async with two_at_a_table(tmp_path, clock) as (_, anna, ben):
        pass  # both connections are cut with the server
    async with service(tmp_path, clock=clock) as tables:
        await tables.arrive(anna.table, anna.seat)
        clock.now += 11
        view = await until(tables, anna, lambda v: v.seats[ben.seat].away)
        assert not view.seats[anna.seat].away


def test_a_closed_page_is_noticed_by_its_socket(host: TestClient) -> None:
    table, _ = open_table(host, players=2)
    tables: Tables = host.app.state.tables  # type: ignore[attr-defined]  # the client serves our application
    name, live = table.removeprefix("/t/"), f"{BASE.replace('http', 'ws')}{table}/live"

    def becomes(devices: dict[int, int]) -> bool:
        for _ in range(1500):
            if tables.devices(name) == devices:
                return True
            time.sleep(0.02)
        return False

    with host.websocket_connect(live):
        with host.websocket_connect(live):
            assert becomes({0: 2})
        assert becomes({0: 1})
    assert becomes({})
