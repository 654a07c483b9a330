"""Somebody is away: how that shows, when a bot sits in by the table's own limit, and how the seat comes back.

The limit needs no clock. Every moment here is moved by hand.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from tests.clock_kit import Hand, friends, kinds, on_turn, over_a_restart, pass_time, refused, run
from tests.tables_kit import spec

from maumau.tables import Seated, SeatSpec, Tables, TableSpec, View
from maumau.tables.clockwork import AWAY_MS, LIMIT_MS
from maumau.tables.spec import STAND_IN_SECONDS

AWAY = AWAY_MS / 1_000
ASKABLE = LIMIT_MS / 1_000
LIMIT = 120


async def gone(tables: Tables, *seated: Seated) -> None:
    """These people's last devices go."""
    for person in seated:
        await tables.depart(person.table, person.seat)


async def there(tables: Tables, *seated: Seated) -> None:
    """These people open the table on a device."""
    for person in seated:
        await tables.arrive(person.table, person.seat)


async def seen(tables: Tables, seated: Seated) -> View:
    return await tables.view(seated.table, seated.token)


async def three(tables: Tables, **more: Any) -> list[Seated]:
    """Three people at a table that has begun, all of them looking, without a clock."""
    seated = await friends(tables, 3, None, **{"stand_in_seconds": LIMIT} | more)
    await there(tables, *seated)
    return seated


def test_m14_others_see_who_is_away_and_when_a_bot_sits_in(tmp_path: Path) -> None:
    async def play(tables: Tables, hand: Hand) -> None:
        seated = await three(tables)
        who, _ = await on_turn(tables, seated)
        other = next(person for person in seated if person is not who)
        await gone(tables, who)
        await pass_time(tables, hand, AWAY - 1)
        assert not (await seen(tables, other)).seats[who.seat].away
        await pass_time(tables, hand, 1)
        shown = (await seen(tables, other)).seats[who.seat]
        assert shown.away
        assert shown.level is None
        assert shown.stand_in_at == tables.now() + 1_000 * LIMIT
        await pass_time(tables, hand, LIMIT - 1)
        assert (await seen(tables, other)).turn == who.seat, "nobody decides for the seat before the limit"
        assert (await seen(tables, other)).seats[who.seat].can_stand_in, "the others need not wait for it"
        await pass_time(tables, hand, 1)
        after = await seen(tables, other)
        assert (after.seats[who.seat].level, after.seats[who.seat].stand_in_at) == ("normal", None)
        left = [event for event in await tables.events(other.table, other.token) if event["kind"] == "left"]
        assert [(event["seat"], event["after"]) for event in left] == [(who.seat, LIMIT)]
        assert any(
            line.kind == "left" and "immer noch weg" in line.text
            for line in (await tables.view(other.table, other.token, "de")).log
        )
        await there(tables, who)
        assert (await seen(tables, who)).can_return
        back = await tables.return_(who.table, who.token)
        assert (back.seats[who.seat].level, back.seats[who.seat].away) == (None, False)
        await pass_time(tables, hand, 10 * LIMIT)
        assert (await seen(tables, other)).seats[who.seat].level is None, "whoever is back stays"

    run(tmp_path, play)


def test_whoever_comes_back_in_time_starts_the_limit_anew(tmp_path: Path) -> None:
    async def play(tables: Tables, hand: Hand) -> None:
        seated = await three(tables)
        await gone(tables, seated[1])
        await pass_time(tables, hand, AWAY + LIMIT - 1)
        await there(tables, seated[1])
        await gone(tables, seated[1])
        await pass_time(tables, hand, AWAY)
        await pass_time(tables, hand, LIMIT - 1)
        assert "left" not in await kinds(tables, seated[0])
        await pass_time(tables, hand, 1)
        assert "left" in await kinds(tables, seated[0])

    run(tmp_path, play)


def test_m15_while_everybody_is_away_the_table_waits_and_the_first_one_back_takes_nobodys_seat(tmp_path: Path) -> None:
    async def play(tables: Tables, hand: Hand) -> None:
        seated = await three(tables)
        await gone(tables, *seated)
        await pass_time(tables, hand, AWAY)
        before = await seen(tables, seated[0])
        assert all(seat.away for seat in before.seats)
        await pass_time(tables, hand, 100 * LIMIT)
        assert "left" not in await kinds(tables, seated[0])
        assert (await seen(tables, seated[0])).hand == before.hand
        await there(tables, seated[2])
        await pass_time(tables, hand, 0)
        back = await seen(tables, seated[2])
        assert [seat.level for seat in back.seats] == [None] * 3, "the others have the whole limit from now on"
        assert back.seats[0].stand_in_at == tables.now() + 1_000 * LIMIT
        assert (back.turn, back.top, back.round) == (before.turn, before.top, before.round)
        await pass_time(tables, hand, LIMIT / 2)
        await there(tables, seated[0])
        assert (await seen(tables, seated[0])).hand == before.hand
        await pass_time(tables, hand, LIMIT / 2)
        assert [seat.level for seat in (await seen(tables, seated[0])).seats] == [None, "normal", None]

    run(tmp_path, play)


def test_m15_whoever_leaves_on_purpose_ends_nothing_for_those_who_are_only_away(tmp_path: Path) -> None:
    async def play(tables: Tables, hand: Hand) -> None:
        seated = await three(tables)
        hands = [(await seen(tables, person)).hand for person in seated]
        await gone(tables, seated[1], seated[2])
        await pass_time(tables, hand, AWAY)
        await tables.leave(seated[0].table, seated[0].token)
        await gone(tables, seated[0])
        await pass_time(tables, hand, 100 * LIMIT)
        assert (await seen(tables, seated[0])).state == "playing"
        assert (await kinds(tables, seated[0])).count("left") == 1, "nobody is there to wait for the other two"
        for person in seated[1:]:
            assert (await seen(tables, person)).hand == hands[person.seat]
        await there(tables, seated[1])
        back = await seen(tables, seated[1])
        assert not back.can_return, "the seat was kept: there is nothing to take back"
        assert back.host == seated[1].seat

    run(tmp_path, play)


def test_a_table_may_want_to_be_asked_and_then_no_bot_comes_by_itself(tmp_path: Path) -> None:
    async def play(tables: Tables, hand: Hand) -> None:
        seated = await three(tables, stand_in_seconds=None)
        await gone(tables, seated[1])
        await pass_time(tables, hand, AWAY)
        await pass_time(tables, hand, ASKABLE - AWAY)
        shown = (await seen(tables, seated[0])).seats[1]
        assert (shown.away, shown.can_stand_in, shown.stand_in_at) == (True, True, None)
        await pass_time(tables, hand, 100 * LIMIT)
        assert "left" not in await kinds(tables, seated[0])
        view = await tables.stand_in(seated[0].table, seated[0].token, 1)
        assert view.seats[1].level == "normal"

    run(tmp_path, play)


def test_with_a_clock_too_no_bot_sits_in_unasked_where_the_table_wants_to_be_asked(tmp_path: Path) -> None:
    async def play(tables: Tables, hand: Hand) -> None:
        seated = await friends(tables, 2, 30, stand_in_seconds=None)
        await there(tables, *seated)
        who, view = await on_turn(tables, seated)
        other = seated[1 - who.seat]
        await gone(tables, who)
        for _ in range(6):
            view = await seen(tables, other)
            if view.state != "playing":
                break
            await pass_time(tables, hand, 31)
        told = await kinds(tables, other)
        assert "timed-out" in told
        assert "left" not in told

    run(tmp_path, play)


def test_between_rounds_the_limit_counts_and_after_a_match_it_waits_for_the_next(tmp_path: Path) -> None:
    async def play(tables: Tables, hand: Hand) -> None:
        seated = await three(tables)
        await gone(tables, seated[1])
        await pass_time(tables, hand, AWAY)
        for person in (seated[0], seated[2], seated[1]):
            over = await tables.end(person.table, person.token)
        assert over.state == "match-over"
        await pass_time(tables, hand, 10 * LIMIT)
        assert "left" not in await kinds(tables, seated[0])
        await tables.rematch(seated[0].table, seated[0].token)
        await pass_time(tables, hand, LIMIT - 1)
        assert "left" not in await kinds(tables, seated[0])
        await pass_time(tables, hand, 1)
        assert (await seen(tables, seated[0])).seats[1].level == "normal"

    run(tmp_path, play)


@pytest.mark.parametrize("down", [1, 30, 3_600])
def test_the_limit_survives_a_restart_and_counts_from_there(tmp_path: Path, down: float) -> None:
    async def before(tables: Tables, hand: Hand) -> list[Seated]:
        seated = await three(tables)
        await gone(tables, seated[1])
        await pass_time(tables, hand, AWAY)
        await pass_time(tables, hand, LIMIT - 1)
        return seated

    async def after(tables: Tables, hand: Hand, seated: list[Seated]) -> None:
        await there(tables, seated[0], seated[2])
        await pass_time(tables, hand, LIMIT - 1)
        assert "left" not in await kinds(tables, seated[0]), "a server that was down takes no seat"
        await pass_time(tables, hand, 1)
        assert (await seen(tables, seated[0])).seats[1].level == "normal"

    over_a_restart(tmp_path, down, before, after)


def test_after_a_restart_to_which_nobody_comes_back_nobody_loses_a_seat(tmp_path: Path) -> None:
    async def before(tables: Tables, hand: Hand) -> list[Seated]:
        seated = await three(tables)
        await gone(tables, seated[1])
        await pass_time(tables, hand, AWAY)
        return seated

    async def after(tables: Tables, hand: Hand, seated: list[Seated]) -> None:
        await pass_time(tables, hand, AWAY)
        await pass_time(tables, hand, 100 * LIMIT)
        assert "left" not in await kinds(tables, seated[0])

    over_a_restart(tmp_path, 0, before, after)


def test_the_host_says_before_the_start_when_a_bot_sits_in(tmp_path: Path) -> None:
    async def play(tables: Tables, hand: Hand) -> None:
        host = await tables.create(spec(bots=0, open_seats=1))
        guest = await tables.join(host.table, host.invite or "", "Berta")
        assert (await seen(tables, host)).stand_in_seconds == STAND_IN_SECONDS
        assert (await tables.set_stand_in(host.table, host.token, 120)).stand_in_seconds == 120
        assert (await refused(tables.set_stand_in(host.table, guest.token, None))).code == "not-host"
        assert (await refused(tables.set_stand_in(host.table, host.token, 1))).code == "bad-stand-in"
        assert (await tables.set_stand_in(host.table, host.token, None)).as_json()["stand_in_seconds"] is None
        log = (await tables.view(host.table, host.token, "en")).log
        assert [line.text for line in log if line.kind == "stand-in"] == [
            "After two minutes away a bot plays on.",
            "A bot plays on for somebody who is away only when it is asked for.",
        ]
        tables._slot(host.table).forget()
        assert (await seen(tables, host)).stand_in_seconds is None
        await tables.start(host.table, host.token)
        assert (await refused(tables.set_stand_in(host.table, host.token, 120))).code == "started"
        seats = (SeatSpec("Anna"), SeatSpec(bot="normal"))
        assert (await refused(tables.create(TableSpec("family", seats, stand_in_seconds=29)))).code == "bad-stand-in"

    run(tmp_path, play)


def test_people_who_share_a_device_wait_for_each_other(tmp_path: Path) -> None:
    async def play(tables: Tables, hand: Hand) -> None:
        seats = (SeatSpec("Anna"), SeatSpec("Ben", beside=True), SeatSpec(bot="normal"))
        seated = await tables.create(TableSpec("family", seats, stand_in_seconds=LIMIT))
        for seat in (0, 1):
            await tables.arrive(seated.table, seat)
        for seat in (0, 1):
            await tables.depart(seated.table, seat)
        await pass_time(tables, hand, AWAY)
        await pass_time(tables, hand, 10 * LIMIT)
        assert "left" not in await kinds(tables, seated)

    run(tmp_path, play)
