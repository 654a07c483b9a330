"""The clock of a turn, moved by hand: what it counts, who gets more, and what a restart gives back."""

from __future__ import annotations

import asyncio
import json
from concurrent.futures import Future
from pathlib import Path
from typing import TypeVar

import pytest
from tests.asgi_kit import Client, serving
from tests.clock_kit import SECONDS, Hand, friends, kinds, on_turn, over_a_restart, pass_time, refused, run
from tests.tables_kit import PATIENCE, command_id, counted, first_bot, pick, spec, until

from maumau.tables import Pace, Seated, Store, Tables
from maumau.tables.clockwork import RECONNECT_MS
from maumau.tables.errors import StoreError
from maumau.tables.spec import PUBLIC_SECONDS
from maumau.tables.store import Transaction
from maumau.tables.timing import EXTENSION_MS

T = TypeVar("T")


def test_friends_have_no_clock_and_a_public_table_has_one(tmp_path: Path) -> None:
    async def play(tables: Tables, hand: Hand) -> None:
        private = await friends(tables, seconds=None)
        for person in private:
            await tables.arrive(person.table, person.seat)
        view = await tables.view(private[0].table, private[0].token)
        assert (view.turn_seconds, view.deadline) == (None, None)
        await pass_time(tables, hand, 3_600)
        assert (await tables.view(private[0].table, private[0].token)).version == view.version
        public = await friends(tables, seconds=None, public=True)
        assert (await tables.view(public[0].table, public[0].token)).turn_seconds == PUBLIC_SECONDS

    run(tmp_path, play)


def test_the_host_sets_the_clock_before_the_start(tmp_path: Path) -> None:
    async def play(tables: Tables, hand: Hand) -> None:
        host = await tables.create(spec(bots=0, open_seats=1))
        guest = await tables.join(host.table, host.invite or "", "Berta")
        assert (await tables.set_clock(host.table, host.token, 120)).turn_seconds == 120
        assert (await refused(tables.set_clock(host.table, guest.token, 30))).code == "not-host"
        assert (await refused(tables.set_clock(host.table, host.token, 1))).code == "bad-clock"
        assert (await tables.set_clock(host.table, host.token, None)).turn_seconds is None
        assert (await tables.set_public(host.table, host.token, True)).turn_seconds == PUBLIC_SECONDS
        assert (await refused(tables.set_clock(host.table, host.token, None))).code == "public-clock"
        started = await tables.start(host.table, host.token)
        assert started.deadline == "1970-01-12T13:47:40.000Z"  # 1,000,000 s and one minute after the epoch
        assert started.as_json()["deadline"] == started.deadline
        assert (await refused(tables.set_clock(host.table, host.token, 30))).code == "started"

    run(tmp_path, play)


def test_m04_at_the_end_of_the_clock_a_bot_decides_this_one_turn(tmp_path: Path) -> None:
    async def play(tables: Tables, hand: Hand) -> None:
        seated = await friends(tables, 3)
        who, before = await on_turn(tables, seated)
        await pass_time(tables, hand, SECONDS - 0.01)
        assert (await tables.view(who.table, who.token)).version == before.version
        await pass_time(tables, hand, 0.01)
        told = await kinds(tables, who, before.version)
        assert told[0] == "timed-out"
        assert len(set(told) & {"play", "draw", "pass", "take"}) >= 1
        after = await tables.view(who.table, who.token)
        assert after.turn != who.seat
        assert not after.seats[who.seat].away
        assert after.seats[who.seat].kind == "human"
        assert after.deadline is not None
        await pass_time(tables, hand, SECONDS - 0.01)
        assert (await kinds(tables, who, before.version)).count("timed-out") == 1

    run(tmp_path, play)


def test_m04_of_a_person_and_the_clock_one_decides(tmp_path: Path) -> None:
    async def play(tables: Tables, hand: Hand) -> None:
        seated = await friends(tables, 3)
        for _ in range(12):
            who, view = await on_turn(tables, seated)
            if view.state != "playing":
                break
            hand.at += SECONDS
            tables._clockwork.wake()
            await asyncio.sleep(0)
            own = tables.act(who.table, who.token, command_id(), view.version, pick(view))
            await asyncio.gather(own, pass_time(tables, hand, 0), return_exceptions=True)
            told = [e for e in await tables.events(who.table, who.token, view.version) if e["seat"] == who.seat]
            assert sum(e["kind"] in ("play", "take") for e in told) <= 1
            assert sum(e["kind"] == "draw" for e in told) <= 1
            assert (await tables.view(who.table, who.token)).version > view.version

    run(tmp_path, play)


def test_whoever_acts_in_time_hands_a_whole_clock_on(tmp_path: Path) -> None:
    async def play(tables: Tables, hand: Hand) -> None:
        seated = await friends(tables, 3)
        who, view = await on_turn(tables, seated)
        await pass_time(tables, hand, 20)
        await tables.act(who.table, who.token, command_id(), view.version, view.draw or view.take or pick(view))
        table = tables._slot(who.table).table
        assert table is not None
        assert table.clock is not None
        assert table.clock.due is not None
        if table.clock.seat == who.seat:  # has drawn, and may play or pass: the same turn, the same clock
            assert table.clock.due == tables.now() + 1_000 * (SECONDS - 20)
            view = await tables.view(who.table, who.token)
            await tables.act(who.table, who.token, command_id(), view.version, pick(view))
        assert table.clock.due == tables.now() + 1_000 * SECONDS

    run(tmp_path, play)


def test_more_time_can_be_had_once_a_turn_by_the_seat_on_turn(tmp_path: Path) -> None:
    async def play(tables: Tables, hand: Hand) -> None:
        seated = await friends(tables)
        who, view = await on_turn(tables, seated)
        other = seated[1 - who.seat]
        assert view.can_extend
        assert not (await tables.view(other.table, other.token)).can_extend
        assert (await refused(tables.more_time(other.table, other.token))).code == "not-your-turn"
        await pass_time(tables, hand, SECONDS - 1)
        longer = await tables.more_time(who.table, who.token)
        assert longer.deadline_at == (view.deadline_at or 0) + EXTENSION_MS
        assert not longer.can_extend
        assert (await refused(tables.more_time(who.table, who.token))).code == "extended"
        await pass_time(tables, hand, EXTENSION_MS / 1_000)
        assert "timed-out" not in await kinds(tables, who)
        await pass_time(tables, hand, 1)
        assert "timed-out" in await kinds(tables, who)

    run(tmp_path, play)


def test_the_clock_stands_still_while_everybody_is_away(tmp_path: Path) -> None:
    async def play(tables: Tables, hand: Hand) -> None:
        seated = await friends(tables)
        who, view = await on_turn(tables, seated)
        for person in seated:
            await tables.arrive(person.table, person.seat)
        for person in seated:
            await tables.depart(person.table, person.seat)
        await pass_time(tables, hand, 10)
        paused = await tables.view(who.table, who.token)
        assert all(seat.away for seat in paused.seats)
        assert paused.deadline is None
        await pass_time(tables, hand, 7_200)
        assert "timed-out" not in await kinds(tables, who)
        await tables.arrive(who.table, who.seat)
        back = await tables.view(who.table, who.token)
        assert back.deadline_at == tables.now() + 1_000 * (SECONDS - 10)
        assert back.turn == view.turn

    run(tmp_path, play)


def test_after_two_turns_in_a_row_a_bot_sits_in_for_somebody_who_is_away(tmp_path: Path) -> None:
    async def play(tables: Tables, hand: Hand) -> None:
        seated = await friends(tables, 3)
        for person in seated:
            await tables.arrive(person.table, person.seat)
        gone = (await on_turn(tables, seated))[0]
        here = next(person for person in seated if person is not gone)
        await tables.depart(gone.table, gone.seat)
        for _ in range(12):
            view = await tables.view(here.table, here.token)
            if view.state != "playing" or view.seats[gone.seat].level == "normal":
                break
            await pass_time(tables, hand, SECONDS)
        told = await tables.events(here.table, here.token)
        assert [e["kind"] for e in told if e["seat"] == gone.seat].count("timed-out") == 2
        assert "left" in [e["kind"] for e in told if e["seat"] == gone.seat]
        assert all(e["kind"] != "left" for e in told if e["seat"] != gone.seat), "who is here keeps the seat"

    run(tmp_path, play)


@pytest.mark.parametrize("down", [0.1, 30, 3_600])
def test_m03_nobody_loses_on_time_through_a_restart(tmp_path: Path, down: float) -> None:
    async def before(tables: Tables, hand: Hand) -> Seated:
        who, view = await on_turn(tables, await friends(tables))
        await pass_time(tables, hand, 25)
        assert (await tables.view(who.table, who.token)).version == view.version
        return who

    async def after(tables: Tables, hand: Hand, who: Seated) -> None:
        again = await tables.view(who.table, who.token)
        left = (again.deadline_at or 0) - tables.now()
        assert left == 5_000 + RECONNECT_MS
        await tables.arrive(who.table, who.seat)
        await pass_time(tables, hand, 9.9)
        assert "timed-out" not in await kinds(tables, who)
        await pass_time(tables, hand, 0.2)
        assert (await kinds(tables, who)).count("timed-out") == 1

    over_a_restart(tmp_path, down, before, after)


@pytest.mark.parametrize("latency", [0.2, 2])
def test_m17_whoever_is_gone_for_a_moment_loses_that_moment(tmp_path: Path, latency: float) -> None:
    async def play(tables: Tables, hand: Hand) -> None:
        seated = await friends(tables, seconds=60)
        who, view = await on_turn(tables, seated)
        for person in seated:
            await tables.arrive(person.table, person.seat)
        assert (view.deadline_at or 0) - tables.now() == 60_000
        await tables.depart(who.table, who.seat)
        await pass_time(tables, hand, 3)
        await tables.arrive(who.table, who.seat)
        for person in seated:
            shown = await tables.view(person.table, person.token)
            assert (shown.deadline_at or 0) - tables.now() == 57_000, "everybody is told the same"
        await pass_time(tables, hand, latency)
        after = await tables.act(who.table, who.token, command_id(), view.version, pick(view))
        assert "timed-out" not in await kinds(tables, who)
        if after.turn not in (None, who.seat):  # whoever has drawn may go on, by the same clock
            assert (after.deadline_at or 0) - tables.now() == 60_000
        assert after.version > view.version

    run(tmp_path, play)


def test_a_clock_that_was_shifted_is_told_after_the_table_was_forgotten(tmp_path: Path) -> None:
    async def play(tables: Tables, hand: Hand) -> None:
        seated = await friends(tables)
        who, _ = await on_turn(tables, seated)
        longer = await tables.more_time(who.table, who.token)
        tables._slot(who.table).forget()
        assert (await tables.view(who.table, who.token)).deadline_at == longer.deadline_at

    run(tmp_path, play)


def test_a_page_that_comes_back_after_a_restart_is_told_what_its_clock_was_given(tmp_path: Path) -> None:
    """Nothing has happened at the table, and yet the page it has is wrong."""

    async def whole() -> None:
        hand = Hand()
        async with serving(tmp_path, clock=hand) as (_, tables):
            who, before = await on_turn(tables, await friends(tables, public=True))
        hand.at += 60
        async with serving(tmp_path, clock=hand) as (app, tables):
            async with Client(app).socket(f"/t/{who.table}/live?version={before.version}") as socket:
                await socket.until(lambda s: bool(s.frames))
            told, after = json.loads(socket.frames[0]), await tables.view(who.table, who.token)
            assert (told["version"], after.version) == (before.version, before.version)
            assert (after.deadline_at or 0) - (before.deadline_at or 0) == 60_000 + RECONNECT_MS
            assert f'data-until="{after.deadline_at}"' in told["html"]

    asyncio.run(whole())


def test_a_clock_under_a_bot_is_none(tmp_path: Path) -> None:
    async def play(tables: Tables, hand: Hand) -> None:
        seated = await tables.create(spec(bots=1, turn_seconds=30))
        view = await until(tables, seated, lambda v: v.turn == v.you)
        assert view.deadline is not None
        await tables.leave(seated.table, seated.token)
        assert (await tables.view(seated.table, seated.token)).deadline is None

    run(tmp_path, play)


# --- a store that takes nothing ---------------------------------------------------------------------------------------


class Full(Store):
    """A store on a disk that can be full."""

    full = False

    def submit(self, transaction: Transaction[T]) -> Future[T]:
        if self.full:
            refused: Future[T] = Future()
            refused.set_exception(StoreError("The store did not take it: database or disk is full."))
            return refused
        return super().submit(transaction)


def times(caplog: pytest.LogCaptureFixture, said: str) -> int:
    return sum(said in record.getMessage() for record in caplog.records)


def test_on_a_full_disk_what_is_due_is_tried_again_now_and_then(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """Nor can it be put off there; without a pause it would be fired again at once, for ever."""

    async def play() -> None:
        hand = Hand()
        store = Full(tmp_path / "tables.db")
        async with Tables(store, clock=hand, seeds=counted(), bots=first_bot) as tables:
            seated = await tables.create(spec(bots=1, pace=Pace.SLOW))
            view = await tables.view(seated.table, seated.token)
            while view.turn == view.you:
                view = await tables.act(seated.table, seated.token, command_id(), view.version, pick(view))
            store.full = True
            for tries in range(1, 4):
                hand.at += 60
                async with asyncio.timeout(PATIENCE):
                    while times(caplog, "could not be fired") < tries or tables._clockwork._firing:
                        tables._clockwork.wake()
                        await asyncio.sleep(0.002)
                for _ in range(20):
                    tables._clockwork.wake()
                    await asyncio.sleep(0.002)
                assert times(caplog, "could not be fired") == tries
            store.full = False
            hand.at += 60
            tables._clockwork.wake()
            await until(tables, seated, lambda now: now.version > view.version)

    asyncio.run(play())
