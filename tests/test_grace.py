"""The moment after a card that went down without its call: nobody is caught in it, and no second card goes down."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from tests.clock_kit import Hand, friends, kinds, on_turn, pass_time, refused, run
from tests.tables_kit import command_id, service, spec, until

from maumau.tables import Pace, Seated, Tables, View
from maumau.tables.clockwork import BOTS, GRACE_AT_START_MS, plans
from maumau.tables.timing import GRACE_MS

GRACE = GRACE_MS / 1_000


async def act(tables: Tables, who: Seated, action: str, version: int | None = None) -> View:
    return await tables.act(who.table, who.token, command_id(), version, action)


async def silent(tables: Tables, seated: list[Seated], hand: Hand) -> Seated:
    """Play until somebody has laid the last card but one without a word; who that is."""
    for _ in range(300):
        who, view = await on_turn(tables, seated)
        card = next((card for card in view.hand if card.plays), None)
        await act(tables, who, card.plays[0] if card else view.take or view.draw or view.pass_ or view.names[0])
        table = tables._slot(who.table).table
        assert table is not None
        if table.grace is not None:
            assert table.grace.seat == who.seat
            return who
        if table.state != "playing":
            await tables.next_round(who.table, who.token)
    raise AssertionError("nobody was silent")


def others(seated: list[Seated], who: Seated) -> list[Seated]:
    return [person for person in seated if person is not who]


def test_a_catch_inside_the_grace_neither_counts_nor_costs(tmp_path: Path) -> None:
    async def play(tables: Tables, hand: Hand) -> None:
        seated = await friends(tables, 3, None)
        who = await silent(tables, seated, hand)
        before = await tables.view(who.table, who.token)
        for person in others(seated, who):
            seen = await tables.view(person.table, person.token)
            assert not seen.seats[who.seat].catchable
            assert seen.seats[who.seat].catch is None
            assert not any("?" in shout for shout in seen.shouts)
            for _ in range(5):
                error = await refused(act(tables, person, f"{person.seat}?{who.seat}"))
                assert (error.code, error.status) == ("too-early", 422)
        after = await tables.view(who.table, who.token)
        assert [seat.cards_n for seat in after.seats] == [seat.cards_n for seat in before.seats]
        assert after.version == before.version

        await pass_time(tables, hand, GRACE - 0.001)
        assert (await tables.view(who.table, who.token)).version == before.version
        await pass_time(tables, hand, 0.001)
        assert await kinds(tables, who, before.version) == ["grace-over"]
        for person in others(seated, who):  # the button comes to everybody alike
            assert (await tables.view(person.table, person.token)).seats[who.seat].catch == f"{person.seat}?{who.seat}"
        caught = await act(tables, others(seated, who)[0], f"{others(seated, who)[0].seat}?{who.seat}")
        assert caught.seats[who.seat].cards_n > 1

    run(tmp_path, play)


async def waits(task: asyncio.Task[View]) -> None:
    await asyncio.sleep(0.15)
    assert not task.done(), "a second card went down inside the grace"


def test_c06_the_next_card_waits_until_the_grace_is_over(tmp_path: Path) -> None:
    async def play(tables: Tables, hand: Hand) -> None:
        seated = await friends(tables, 3, None)
        who = await silent(tables, seated, hand)
        following, view = await on_turn(tables, seated)
        assert following is not who
        card = next((card.plays[0] for card in view.hand if card.plays), view.take or view.draw or view.pass_)
        task = asyncio.create_task(act(tables, following, card or "-", view.version))
        await waits(task)
        await pass_time(tables, hand, GRACE - 0.01)
        await waits(task)
        await pass_time(tables, hand, 0.01)
        assert (await task).version > view.version
        assert (await kinds(tables, who, view.version))[0] == "grace-over"

    run(tmp_path, play)


def test_with_the_call_the_next_card_goes_down_at_once(tmp_path: Path) -> None:
    async def play(tables: Tables, hand: Hand) -> None:
        seated = await friends(tables, 3, None)
        who = await silent(tables, seated, hand)
        following, view = await on_turn(tables, seated)
        card = next((card.plays[0] for card in view.hand if card.plays), view.take or view.draw or view.pass_)
        task = asyncio.create_task(act(tables, following, card or "-", view.version))
        await waits(task)
        called = await act(tables, who, f"{who.seat}!")
        assert called.seats[who.seat].called
        await task  # the clock of the table has not moved at all
        assert "grace-over" not in await kinds(tables, who)
        error = await refused(act(tables, following, f"{following.seat}?{who.seat}"))
        assert error.code == "nothing-to-catch"

    run(tmp_path, play)


def test_a_card_that_waits_is_done_once_however_often_it_is_sent(tmp_path: Path) -> None:
    async def play(tables: Tables, hand: Hand) -> None:
        seated = await friends(tables, 3, None)
        who = await silent(tables, seated, hand)
        following, view = await on_turn(tables, seated)
        card = next((card.plays[0] for card in view.hand if card.plays), view.take or view.draw or view.pass_) or "-"
        send = [
            asyncio.create_task(tables.act(following.table, following.token, "same", view.version, card))
            for _ in range(4)
        ]
        await waits(send[0])
        await pass_time(tables, hand, GRACE)
        answers = await asyncio.gather(*send)
        assert len({answer.version for answer in answers}) == 1
        told = await tables.events(who.table, following.token, view.version)
        assert sum(event.get("id") == "same" for event in told) >= 1
        assert sum(event["kind"] in ("play", "draw", "take") and event["seat"] == following.seat for event in told) == 1

    run(tmp_path, play)


@pytest.mark.parametrize("pace", [Pace.INSTANT, Pace.NORMAL])
def test_bots_wait_for_the_grace_among_several_people(tmp_path: Path, pace: Pace) -> None:
    async def play(tables: Tables, hand: Hand) -> None:
        seated = await friends(tables, 3, None, pace=pace)
        who = await silent(tables, seated, hand)
        following, view = await on_turn(tables, seated)
        await tables.leave(following.table, following.token)
        table = tables._slot(who.table).table
        assert table is not None
        assert len(table.people) == 2
        bots = dict(plans(table, tables.now(), hurried=True))[BOTS]
        assert bots is not None
        assert bots.due_at > tables.now() + GRACE_MS - 1
        assert set(await kinds(tables, who, view.version)) <= {"left", "host"}

    run(tmp_path, play)


def test_one_person_among_instant_bots_needs_no_grace(tmp_path: Path) -> None:
    async def play(tables: Tables, hand: Hand) -> None:
        seated = await tables.create(spec(bots=2))
        for _ in range(60):
            view = await until(tables, seated, lambda v: v.turn == v.you or v.state != "playing")
            if view.state != "playing":
                break
            card = next((card for card in view.hand if card.plays), None)
            await act(tables, seated, card.plays[0] if card else view.take or view.draw or view.pass_ or view.names[0])
        assert "grace-over" not in await kinds(tables, seated)

    run(tmp_path, play)


def test_a_restart_inside_the_grace_leaves_time_to_call(tmp_path: Path) -> None:
    async def whole() -> None:
        hand = Hand()
        async with service(tmp_path, clock=hand) as tables:
            seated = await friends(tables, 3, None)
            who = await silent(tables, seated, hand)
            version = (await tables.view(who.table, who.token)).version
        hand.at += 60
        async with service(tmp_path, clock=hand) as tables:
            await pass_time(tables, hand, GRACE_AT_START_MS / 1_000 - 0.001)
            assert (await tables.view(who.table, who.token)).version == version
            assert (await act(tables, who, f"{who.seat}!")).seats[who.seat].called

    asyncio.run(whole())
