"""Faults that others had around seats: leaving, coming back, losing an answer, taking somebody's place."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.tables_kit import command_id, mine, pick, service, spec, until

from maumau.tables import Pace, Seated, TableError, Tables


async def _two(tables: Tables, rules: str = "family", bots: int = 1) -> tuple[Seated, Seated]:
    """Anna, bots and Ben, the round dealt."""
    anna = await tables.create(spec(rules, bots=bots, open_seats=1, pace=Pace.SLOW))
    ben = await tables.join(anna.table, anna.invite or "", "Ben")
    await tables.start(anna.table, anna.token)
    return anna, ben


async def _hand(tables: Tables, seated: Seated) -> list[str]:
    return [card.card for card in (await tables.view(seated.table, seated.token)).hand]


@pytest.mark.anyio
async def test_m09_leaving_and_coming_back_changes_no_hand(tmp_path: Path) -> None:
    async with service(tmp_path) as tables:
        anna, ben = await _two(tables)
        waits, other = (anna, ben) if (await tables.view(anna.table, anna.token)).turn != anna.seat else (ben, anna)
        hand = await _hand(tables, waits)
        await tables.leave(waits.table, waits.token)
        for name in ("Anna", "Ben", "Somebody"):
            with pytest.raises(TableError) as refused:
                await tables.join(anna.table, anna.invite or "", name)
            assert refused.value.code == "started"
        back = await tables.return_(waits.table, waits.token)
        assert back.you == waits.seat
        assert [card.card for card in back.hand] == hand
        assert len(back.seats) == 3
        assert await _hand(tables, other)


async def _out_first(tables: Tables) -> Seated:
    """Anna at a table where she is out and the others play on for the places."""
    for _ in range(30):
        anna = await tables.create(spec("family+end.play_on=yes+automatic-calls", bots=3))
        while (view := await until(tables, anna, lambda v: mine(v) or not v.hand)).hand and view.state == "playing":
            await tables.act(anna.table, anna.token, command_id(), view.version, pick(view))
        if view.state == "playing":
            return anna
    raise AssertionError("Anna was never out first")


@pytest.mark.anyio
async def test_m09_whoever_is_out_does_not_come_back_into_the_round(tmp_path: Path) -> None:
    async with service(tmp_path) as tables:
        anna = await _out_first(tables)
        await tables.leave(anna.table, anna.token)
        view = await tables.return_(anna.table, anna.token)
        assert view.hand == ()
        after = await until(tables, anna, lambda v: v.state != "playing")
        events = await tables.events(anna.table, anna.token, after=view.version)
        assert not [e for e in events if e["seat"] == anna.seat and e["kind"] in ("play", "draw", "take", "pass")]
        assert after.seats[anna.seat].cards_n == 0


@pytest.mark.parametrize("whose", ["own", "other"])
@pytest.mark.anyio
async def test_m06_leaving_moves_the_turn_only_where_it_was_ones_own(tmp_path: Path, whose: str) -> None:
    async with service(tmp_path) as tables:
        anna, ben = await _two(tables, bots=2)
        view = await until(tables, anna, lambda v: v.turn in (anna.seat, ben.seat))
        on_turn, other = (anna, ben) if view.turn == anna.seat else (ben, anna)
        leaver, stays = (on_turn, other) if whose == "own" else (other, on_turn)
        left = await tables.leave(leaver.table, leaver.token)
        assert left.turn == view.turn
        assert [seat.cards_n for seat in left.seats] == [seat.cards_n for seat in view.seats]
        if whose == "own":  # the bot in the seat decides this turn, and nobody else before it
            await until(tables, stays, lambda v: v.version > left.version)
            events = await tables.events(stays.table, stays.token, after=left.version)
            turns = [e["seat"] for e in events if e["kind"] in ("play", "draw", "take", "pass")]
            assert turns[0] == leaver.seat


@pytest.mark.anyio
async def test_m22_a_lost_answer_is_given_again_and_the_next_press_is_judged_anew(tmp_path: Path) -> None:
    async with service(tmp_path) as tables:
        while True:
            anna = await tables.create(spec(bots=1, pace=Pace.SLOW))
            view = await until(tables, anna, mine)
            plays = [card for card in view.hand if card.plays]
            if plays:
                break
        action, lost = plays[0].plays[0], command_id()
        await tables.act(anna.table, anna.token, lost, view.version, action)  # its answer never arrived
        again = await tables.act(anna.table, anna.token, lost, view.version, action)
        assert plays[0].card not in [card.card for card in again.hand]
        with pytest.raises(TableError) as pressed:
            await tables.act(anna.table, anna.token, command_id(), view.version, action)
        assert (pressed.value.code, pressed.value.status) in (("not-your-turn", 409), ("stale", 409))


@pytest.mark.anyio
async def test_x13_nothing_that_another_seat_is_shown_takes_over_a_seat(tmp_path: Path) -> None:
    async with service(tmp_path) as tables:
        anna, ben = await _two(tables)
        view = await tables.view(ben.table, ben.token)
        told = json.dumps([view.as_json(), await tables.events(ben.table, ben.token, after=0)])
        assert anna.token not in told
        seen = {word for word in told.replace('"', " ").replace(",", " ").split() if len(word) >= 4}
        seen |= {anna.invite or "", anna.table, str(anna.seat), "Anna", view.commitment or ""}
        for word in seen - {""}:
            with pytest.raises(TableError) as refused:
                await tables.seat_of(anna.table, word)
            assert refused.value.status == 401


@pytest.mark.anyio
async def test_u07_a_card_drawn_in_vain_is_named_and_the_end_of_the_turn_is_told(tmp_path: Path) -> None:
    async with service(tmp_path) as tables:
        for _ in range(40):
            anna = await tables.create(spec(bots=1, pace=Pace.SLOW))
            view = await until(tables, anna, mine)
            if view.draw is None:
                continue
            before = [card.card for card in view.hand]
            view = await tables.act(anna.table, anna.token, command_id(), view.version, view.draw)
            if view.turn != anna.seat and len(view.hand) == len(before) + 1:
                break
        drawn, ended = [line.text for line in view.log[-2:]]
        new = next(card for card in view.hand if card.card not in before)
        assert new.name in drawn
        assert ended == "You cannot play; your turn is over."
