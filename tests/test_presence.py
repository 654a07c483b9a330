"""Who is there after a restart, and what a table does while nobody is."""

from __future__ import annotations

import asyncio
from pathlib import Path

from tests.clock_kit import Hand, friends, kinds, on_turn, pass_time, run
from tests.tables_kit import IDS, pick, play_round, service, spec, until

from maumau.tables import Pace, Seated, Tables
from maumau.tables.clockwork import AWAY_MS, SILENT_MS

AWAY = AWAY_MS / 1_000
SILENT = SILENT_MS / 1_000


def test_after_a_restart_nobody_is_there_until_they_connect(tmp_path: Path) -> None:
    async def whole() -> None:
        hand = Hand()
        async with service(tmp_path, clock=hand) as tables:
            seated = await tables.create(spec(bots=2, open_seats=1, pace=Pace.SLOW))
            guest = await tables.join(seated.table, seated.invite or "", "Berta")
            for person in (seated, guest):
                await tables.arrive(person.table, person.seat)
            view = await tables.start(seated.table, seated.token)
            while view.turn in (seated.seat, guest.seat):  # until it is a bot's turn, whose row is due
                who = seated if view.turn == seated.seat else guest
                mine = await tables.view(who.table, who.token)
                view = await tables.act(who.table, who.token, f"p{next(IDS)}", mine.version, pick(mine))
        async with service(tmp_path, clock=hand) as tables:
            for _ in range(40):  # the bots act as if people were on their way back, then stop
                await pass_time(tables, hand, 1)
            there = await tables.view(seated.table, seated.token)
            assert [seat.away for seat in there.seats] == [True, False, False, True]
            version = there.version
            await pass_time(tables, hand, 3_600)
            assert (await tables.view(seated.table, seated.token)).version == version, "bots play on among themselves"
            await tables.arrive(guest.table, guest.seat)
            back = await tables.view(guest.table, guest.token)
            assert [seat.away for seat in back.seats] == [True, False, False, False]
            assert back.host == guest.seat, "the role of the host moves to whoever is there"

    asyncio.run(whole())


def test_who_only_asks_is_there_as_well(tmp_path: Path) -> None:
    async def whole() -> None:
        hand = Hand()
        async with service(tmp_path, clock=hand) as tables:
            seated = await tables.create(spec(bots=1, pace=Pace.SLOW))
            view = await until(tables, seated, lambda v: True)
            while view.turn == seated.seat:
                view = await tables.act(seated.table, seated.token, f"p{next(IDS)}", view.version, pick(view))
        async with service(tmp_path, clock=hand) as tables:
            for _ in range(8):
                await pass_time(tables, hand, AWAY / 2)
                await tables.look(seated.table, seated.token)
            assert "away" not in await kinds(tables, seated)
            assert (await tables.view(seated.table, seated.token)).turn == seated.seat, "the bot has gone on"
            for _ in range(20):
                view = await tables.view(seated.table, seated.token)
                if view.turn != seated.seat:
                    break
                await tables.act(seated.table, seated.token, f"p{next(IDS)}", view.version, pick(view))

    asyncio.run(whole())


def test_whoever_was_away_and_asks_is_back(tmp_path: Path) -> None:
    async def play(tables: Tables, hand: Hand) -> None:
        seated = await friends(tables, 2, None)
        for person in seated:
            await tables.arrive(person.table, person.seat)
        who, _ = await on_turn(tables, seated)
        await tables.depart(who.table, who.seat)
        await pass_time(tables, hand, AWAY)
        assert await is_away(tables, who)
        await tables.look(who.table, who.token)
        assert not await is_away(tables, who)
        await pass_time(tables, hand, AWAY)
        assert not await is_away(tables, who), "without a live connection one looks only now and then"
        await pass_time(tables, hand, SILENT)
        assert await is_away(tables, who)

    run(tmp_path, play)


async def is_away(tables: Tables, who: Seated) -> bool:
    """What the table shows of somebody."""
    return (await tables.view(who.table, who.token)).seats[who.seat].away


def test_who_never_had_a_live_connection_counts_as_away_in_the_end(tmp_path: Path) -> None:
    """A browser without scripts, a program, or a phone that is gone before its page was there."""

    async def play(tables: Tables, hand: Hand) -> None:
        looks, acts, silent = await friends(tables, 3, None)
        await pass_time(tables, hand, SILENT - 1)
        await tables.look(looks.table, looks.token)
        await tables.react(acts.table, acts.token, "wow")
        assert not any([await is_away(tables, one) for one in (looks, acts, silent)])
        await pass_time(tables, hand, 2)
        assert [await is_away(tables, one) for one in (looks, acts, silent)] == [False, False, True]
        await pass_time(tables, hand, SILENT - 3)
        assert [await is_away(tables, one) for one in (looks, acts, silent)] == [False, False, True]
        await pass_time(tables, hand, 2)
        assert all([await is_away(tables, one) for one in (looks, acts, silent)])
        await tables.look(looks.table, looks.token)
        assert not await is_away(tables, looks)

    run(tmp_path, play)


def test_whoever_made_a_table_counts_as_away_after_the_last_action_there(tmp_path: Path) -> None:
    async def play(tables: Tables, hand: Hand) -> None:
        silent, acts = [await tables.create(spec(bots=1, pace=Pace.SLOW)) for _ in range(2)]
        view = await tables.view(acts.table, acts.token)
        while view.turn != acts.seat:
            await pass_time(tables, hand, 2)
            view = await tables.view(acts.table, acts.token)
        await pass_time(tables, hand, SILENT - 10)
        await tables.act(acts.table, acts.token, f"p{next(IDS)}", view.version, pick(view))
        await pass_time(tables, hand, 11)
        assert [await is_away(tables, one) for one in (silent, acts)] == [True, False]
        await pass_time(tables, hand, SILENT - 10)
        assert await is_away(tables, acts)

    run(tmp_path, play)


def test_a_last_line_that_closes_ends_what_was_asked_before_it(tmp_path: Path) -> None:
    """A page is asked for first, and opens its line then: when that closes, ten seconds count, not two minutes."""

    async def play(tables: Tables, hand: Hand) -> None:
        who, _ = await friends(tables, 2, None)
        await tables.look(who.table, who.token)
        await tables.arrive(who.table, who.seat)
        await tables.depart(who.table, who.seat)
        await pass_time(tables, hand, AWAY)
        assert await is_away(tables, who)

    run(tmp_path, play)


def test_the_end_of_a_round_tells_its_points(tmp_path: Path) -> None:
    async def whole() -> None:
        async with service(tmp_path) as tables:
            seated = await tables.create(spec(bots=2))
            view = await play_round(tables, seated)
            told = [e for e in await tables.events(seated.table, seated.token) if e["kind"] == "round-over"]
            assert [e["points"] for e in told] == [list(row.points) for row in view.score_sheet]
            tables._slot(seated.table).forget()
            assert (await tables.view(seated.table, seated.token)).score_sheet == view.score_sheet

    asyncio.run(whole())
