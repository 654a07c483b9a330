"""How long one table's log can grow: what comes beside the play has an end between two deals, and so has the whole log."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest
from tests.replay_kit import live, replayed
from tests.tables_kit import act, play_round, refused, run, service, spec

from maumau.tables import Pace, Seated, Tables, acting, checks
from maumau.tables.folding import BESIDE, OWN_KINDS

BOUND = {
    "a deal or the start": {"created", "committed", "contributed", "round", "revealed", "started", "match"},
    "an end": {"ended", "conceded", "match-over"},
    "a turn": {"uncovered", "more-time", "timed-out", "grace-over"},
    "one that is counted": {"removed", "forgotten", "returned", "end-taken-back"},
    "so many knocks": {"knocked", "knock-over"},
    "ten seconds": {"away", "overdue", "here", "clock-paused"},
}
"""What a kind of event comes at most once for, where it is not counted."""


def test_every_event_of_a_tables_own_is_counted_or_bound_to_something() -> None:
    assert sorted([*BESIDE, *(kind for kinds in BOUND.values() for kind in kinds)]) == sorted(OWN_KINDS)


Again = Callable[[Tables, Seated, Seated, int], Awaitable[object]]
WAITING: dict[str, Again] = {
    "public": lambda tables, anna, _, n: tables.set_public(anna.table, anna.token, n % 2 == 0),
    "asks": lambda tables, anna, _, n: tables.set_asks(anna.table, anna.token, n % 2 == 1),
    "clock": lambda tables, anna, _, n: tables.set_clock(anna.table, anna.token, 30 + n % 2),
    "stand-in": lambda tables, anna, _, n: tables.set_stand_in(anna.table, anna.token, 60 + n % 2),
    "renamed": lambda tables, anna, _, n: tables.rename(anna.table, anna.token, f"Anna {n}"),
    "joined": lambda tables, anna, _, n: _sit_and_stand(tables, anna, n),
    "host": lambda tables, anna, ben, n: tables.hand_over(
        anna.table, (anna, ben)[n % 2].token, (ben, anna)[n % 2].seat
    ),
}
PLAYING: dict[str, Again] = {
    "renamed": WAITING["renamed"],
    "pace": lambda tables, anna, _, n: tables.set_pace(anna.table, anna.token, str((Pace.FAST, Pace.SLOW)[n % 2])),
    "react": lambda tables, anna, _, n: tables.react(anna.table, anna.token, "wow"),
    "left": lambda tables, anna, _, n: _leave_and_return(tables, anna),
    "end-proposed": lambda tables, anna, _, n: _propose_and_take_back(tables, anna),
    "rekeyed": lambda tables, anna, _, n: _another_link(tables, anna, n),
}


async def _again_and_again(once_more: Again, tables: Tables, anna: Seated, ben: Seated) -> None:
    for n in range(6 * 2):
        await once_more(tables, anna, ben, n)


async def _sit_and_stand(tables: Tables, anna: Seated, n: int) -> None:
    guest = await tables.join(anna.table, anna.invite or "", f"Guest {n}")
    await tables.leave(guest.table, guest.token)


async def _leave_and_return(tables: Tables, anna: Seated) -> None:
    await tables.leave(anna.table, anna.token)
    await tables.return_(anna.table, anna.token)


async def _propose_and_take_back(tables: Tables, anna: Seated) -> None:
    await tables.end(anna.table, anna.token)
    await tables.end(anna.table, anna.token, take_back=True)


async def _another_link(tables: Tables, anna: Seated, n: int) -> None:
    await tables.rekey(anna.table, f"{n - 1:022}" if n else anna.token, f"{n:022}")


@pytest.mark.parametrize(("again", "playing"), [(WAITING, False), (PLAYING, True)])
def test_nobody_lengthens_a_log_for_ever_without_playing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, again: dict[str, Again], playing: bool
) -> None:
    monkeypatch.setattr(checks, "MOST_BESIDE", 6)
    monkeypatch.setattr(acting, "REACTION_MS", 0)  # else a second one would be refused as too fast

    async def play(tables: Tables) -> None:
        for kind, once_more in again.items():
            anna = await tables.create(spec(bots=0, open_seats=2, pace=Pace.SLOW))
            ben = await tables.join(anna.table, anna.invite or "", "Ben")
            if playing:
                await tables.start(anna.table, anna.token)
            before = (await tables.view(ben.table, ben.token)).version
            error = await refused(_again_and_again(once_more, tables, anna, ben))
            assert error.code == "too-much", kind
            seen = await tables.view(ben.table, ben.token)
            assert before < seen.version <= before + 6 * 3 * 2, kind
            if kind != "host":  # that takes two, and is counted for both
                renamed = await tables.rename(ben.table, ben.token, "Benno")
                assert renamed.seats[ben.seat].name == "Benno", f"{kind} of another holds nobody up"

    assert {*WAITING, *PLAYING} == BESIDE
    run(tmp_path, play)


def test_with_the_next_deal_a_seat_has_room_again_and_a_restart_remembers(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(checks, "MOST_BESIDE", 2)

    async def play(tables: Tables) -> None:
        anna = await tables.create(spec(bots=1, rules="family+win-points-1000"))
        for name in ("Anne", "Änne"):
            await tables.rename(anna.table, anna.token, name)
        unchanged = await tables.rename(anna.table, anna.token, "Änne")
        error = await refused(tables.rename(anna.table, anna.token, "Annika", "de"))
        assert (error.code, error.status) == ("too-much", 429)
        assert error.text == "Von diesem Platz kam so etwas nun schon sehr oft; nach dem nächsten Geben geht es wieder."
        assert (await tables.view(anna.table, anna.token)).version >= unchanged.version
        async with tables._slots[anna.table].lock:
            assert replayed(tables, anna.table).beside == live(tables, anna.table).beside == {0: 2}
        await play_round(tables, anna)
        await tables.next_round(anna.table, anna.token)
        assert (await tables.rename(anna.table, anna.token, "Annika")).seats[0].name == "Annika"

    run(tmp_path, play)


def test_of_many_refusals_the_first_are_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(checks, "MOST_REFUSED", 3)

    async def play(tables: Tables) -> None:
        anna = await tables.create(spec(bots=0, open_seats=1, pace=Pace.SLOW))
        await tables.join(anna.table, anna.invite or "", "Ben")
        await tables.start(anna.table, anna.token)
        told = [await refused(act(tables, anna, "0?0", id_=f"c{n}")) for n in (1, 2, 3, 4, 5, 1)]
        assert len({(error.code, error.text, error.status) for error in told}) == 1
        assert told[0].code != "id-used"
        kept = tables.store.read().execute("SELECT id FROM commands WHERE refusal IS NOT NULL ORDER BY id").fetchall()
        assert kept == [("c1",), ("c2",), ("c3",)]
        assert (await refused(act(tables, anna, "+9", id_="c2"))).code == "id-used"

    run(tmp_path, play)


@pytest.mark.anyio
async def test_a_table_whose_log_is_full_deals_no_more(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async with service(tmp_path) as tables:
        anna = await tables.create(spec(bots=1, rules="family+win-points-1000"))
        monkeypatch.setattr(checks, "MOST_EVENTS", 5)
        over = await play_round(tables, anna)
        assert (await tables.next_round(anna.table, anna.token)).round == 2  # the running match goes on
        await play_round(tables, anna)
        monkeypatch.setattr(checks, "MOST_EVENTS_IN_MATCH", over.version)
        error = await refused(tables.next_round(anna.table, anna.token))
        assert (error.code, error.status) == ("log-full", 409)
        ended = await tables.end(anna.table, anna.token)
        assert ended.state == "match-over"
        error = await refused(tables.rematch(anna.table, anna.token))
        assert (error.code, error.status) == ("log-full", 409)
        assert (await tables.view(anna.table, anna.token)).version == ended.version
