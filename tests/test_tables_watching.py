"""What those hear who watch a table, what is kept of it, and when it is forgotten."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from tests.tables_kit import PATIENCE, act, mine, off_turn, on_turn, pick, play_round, refused, run, spec, until

from maumau import Record
from maumau.tables import Pace, SeatSpec, TableError, Tables, TableSpec, View
from maumau.tables import ledger as s
from maumau.tables.clockwork import KEPT_MS


def test_events_are_those_a_seat_may_see_and_answer_its_own_commands(tmp_path: Path) -> None:
    async def play(tables: Tables) -> None:
        seated, view = await on_turn(tables)
        done = await act(tables, seated, pick(view), view.version, id_="mine")
        own = await tables.events(seated.table, seated.token)
        others = await tables.events(seated.table, await tables.watch_link(seated.table, seated.token))
        assert [event["seq"] for event in own] == list(range(1, own[-1]["seq"] + 1))
        assert own[-1]["seq"] >= done.version
        assert {event.get("id") for event in own if event["seq"] > view.version and event["seat"] == 0} >= {"mine"}
        assert not any("id" in event for event in others)
        dealt = [event for event in own if event["kind"] == "deal"]
        assert [card.card for card in view.hand if card.card in dealt[0]["cards"]]
        assert all("cards" not in event and event["cards_n"] == 5 for event in dealt[1:])
        assert await tables.events(seated.table, seated.token, after=own[-1]["seq"] + 10**20) == []
        assert (await tables.events(seated.table, seated.token, after=-5, limit=2)) == own[:2]
        assert own[0]["at"].endswith("Z")

    run(tmp_path, play)


def test_a_slow_watcher_misses_versions_but_not_the_last(tmp_path: Path) -> None:
    async def play(tables: Tables) -> None:
        seated = await tables.create(spec())
        watch = tables.subscribe(seated.table)
        first = await anext(watch)
        await until(tables, seated, mine)
        await play_round(tables, seated)
        last = await anext(watch)
        assert first < last == (await tables.view(seated.table, seated.token)).version
        watch.close()
        assert [version async for version in watch] == []
        with pytest.raises(TableError, match="no table"):
            tables.subscribe("nowhere")

    run(tmp_path, play)


def test_abandoned_tables_are_swept_and_the_living_stay(tmp_path: Path) -> None:
    moment = [1_000_000.0]

    async def play(tables: Tables) -> None:
        waiting = await tables.create(spec(bots=0, open_seats=1))
        playing = await tables.create(spec(pace=Pace.SLOW))
        watch = tables.subscribe(waiting.table)
        await anext(watch)
        await tables.leave(playing.table, playing.token)
        moment[0] += KEPT_MS["waiting"] / 1000 + 1
        tables._clockwork.wake()
        async with asyncio.timeout(PATIENCE):
            assert [version async for version in watch] in ([], [2])  # its host counts as away first, or no more
        assert (await refused(tables.view(waiting.table, waiting.token))).status == 404
        await tables.return_(playing.table, playing.token)
        await tables.leave(playing.table, playing.token)
        moment[0] += KEPT_MS["playing"] / 1000 - 10
        tables._clockwork.wake()
        await asyncio.sleep(0.2)
        assert (await tables.view(playing.table, playing.token)).state == "playing"
        moment[0] += 11
        tables._clockwork.wake()
        async with asyncio.timeout(PATIENCE):
            while s.head_of(tables.store.read(), playing.table) is not None:  # noqa: ASYNC110 - there is no event
                await asyncio.sleep(0.02)
        for name in ("events", "commands", "seats", "round_secrets", "table_secrets", "timers"):
            assert tables.store.read().execute(f"SELECT count(*) FROM {name}").get == 0

    run(tmp_path, play, clock=lambda: moment[0])


def test_m20_a_broken_watcher_does_not_undo_a_play(tmp_path: Path) -> None:
    async def play(tables: Tables) -> None:
        seated, view = await on_turn(tables)
        watch = tables.subscribe(seated.table)
        watch.close()
        task = asyncio.create_task(act(tables, seated, pick(view), view.version, id_="gone"))
        await asyncio.sleep(0)
        task.cancel()  # whoever sent it hangs up
        await asyncio.gather(task, return_exceptions=True)
        answer = await act(tables, seated, pick(view), view.version, id_="gone")
        assert answer.version > view.version
        assert len([e for e in await tables.events(seated.table, seated.token) if e.get("id") == "gone"]) >= 1

    run(tmp_path, play)


def test_m12_two_tabs_of_one_seat_both_hear_and_both_act(tmp_path: Path) -> None:
    async def play(tables: Tables) -> None:
        seated, view = await on_turn(tables)
        tabs = [tables.subscribe(seated.table) for _ in range(2)]
        for tab in tabs:
            await anext(tab)
        done = await act(tables, seated, pick(view), view.version)
        assert all([await anext(tab) >= done.version for tab in tabs])
        tabs[1].close()
        now = await until(tables, seated, mine)
        assert not now.seats[0].away
        assert await anext(tabs[0]) >= done.version

    run(tmp_path, play)


def test_m19_every_wish_is_told_with_its_suit(tmp_path: Path) -> None:
    """Each play that asks for a suit carries one, in the event and in every view; the last card needs none."""

    async def play(tables: Tables) -> None:
        wishes = rounds = 0
        while rounds < 6 or not wishes:
            rounds += 1
            seated = await tables.create(spec(bots=3))

            def look(view: View) -> None:
                assert view.wish is None or (view.wish in "cdhs" and view.wish_name and view.wish_symbol in "♣♦♥♠")

            await play_round(tables, seated, look)
            events = await tables.events(seated.table, await tables.watch_link(seated.table, seated.token))
            for event in events:
                if event["kind"] == "play" and "=" in event["action"]:
                    assert event["wish"] == event["action"].split("=")[1][0]
                    assert event["left"] > 0
                    wishes += 1

    run(tmp_path, play)


def test_x04_a_spectator_sees_the_same_each_time(tmp_path: Path) -> None:
    async def play(tables: Tables) -> None:
        seated, _ = await off_turn(tables)
        watch = await tables.watch_link(seated.table, seated.token)
        seen = [await tables.view(seated.table, token) for token in (watch, watch, watch)]
        assert seen[0] == seen[1] == seen[2]
        assert seen[0].hand == ()

    run(tmp_path, play)


def test_a_table_that_does_not_replay_is_told_and_hurts_no_other(tmp_path: Path) -> None:
    async def play(tables: Tables) -> None:
        broken, other = await tables.create(spec()), await tables.create(spec())
        await tables.store.write(
            lambda db: (
                db.execute("UPDATE round_secrets SET seed = zeroblob(16) WHERE table_id = ?", (broken.table,)).get
            )
        )
        for name in (broken.table, other.table):
            tables._slots[name].forget()
        error = await refused(tables.view(broken.table, broken.token))
        assert (error.code, error.status) == ("unreadable-table", 503)
        assert (await play_round(tables, other)).state in ("round-over", "match-over")

    run(tmp_path, play)


@pytest.mark.parametrize("rules", ["family", "classic", "international", "study", "family+spoken-calls+ace-skip-all"])
def test_b04_the_bots_of_the_house_play_every_book_without_a_refusal(
    tmp_path: Path, rules: str, caplog: pytest.LogCaptureFixture
) -> None:
    async def play(tables: Tables) -> None:
        seats = (SeatSpec(name="Anna"), *(SeatSpec(bot=level) for level in ("random", "easy", "normal")))
        seated = await tables.create(TableSpec(rules=rules, seats=seats, pace=Pace.INSTANT))
        for _ in range(3):
            view = await play_round(tables, seated)
            if view.state == "match-over":
                break
            await tables.next_round(seated.table, seated.token)

    run(tmp_path, play, bots=None)
    assert not [record for record in caplog.records if record.levelname in ("ERROR", "CRITICAL")]


def test_the_record_is_open_as_far_as_the_match_is_over(tmp_path: Path) -> None:
    async def play(tables: Tables) -> None:
        seated = await tables.create(spec("family+target-30", bots=1))
        watch = await tables.watch_link(seated.table, seated.token)
        assert (await tables.view(seated.table, seated.token)).state == "playing"
        while (view := await play_round(tables, seated)).state == "round-over":
            await tables.next_round(seated.table, seated.token)
            record = await tables.record(seated.table, seated.token)
            *finished, running = record["rounds"]
            assert len(finished) == view.round
            assert all("seed" in one and "actions" in one for one in finished)
            assert "seed" not in running
            own, other = running["hands"]
            assert "??" not in own
            assert set(other) == {"??"}
            watched = (await tables.record(seated.table, watch))["rounds"][-1]["hands"]
            assert all(set(hand) == {"??"} for hand in watched)
        whole = Record(await tables.record(seated.table, watch))
        assert whole.replay().totals == tuple(seat.score for seat in view.seats)
        waiting = await tables.create(spec(bots=0, open_seats=1))
        assert (await refused(tables.record(waiting.table, waiting.token))).code == "not-started"

    run(tmp_path, play)
