"""The log is the truth: killed and started again, raced by a second process, replayed to the same state."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import pytest
from tests.replay_kit import live, replayed, state_of
from tests.tables_kit import PATIENCE, command_id, first_bot, mine, pick, play_round, service, settled, spec, until

from maumau.tables import Seated, Store, TableError, Tables, View
from maumau.tables import ledger as s
from maumau.tables.errors import LogError
from maumau.tables.table import LiveTable


def test_m03_a_table_killed_at_any_time_comes_back_as_it_was(tmp_path: Path) -> None:
    """After each of the person's actions, over several rounds, the log alone gives the same table, wish and all."""
    wishes: list[object] = []

    async def main() -> None:
        async with service(tmp_path, seed=5) as tables:
            seated = await tables.create(spec("family+nine-reverse+target-60", bots=2))
            rounds = 0
            while rounds < 3 or not any(wish is not None for wish in wishes):
                rounds += 1
                while (view := await until(tables, seated, mine)).state == "playing":
                    view = await tables.act(seated.table, seated.token, command_id(), view.version, pick(view))
                    async with tables._slots[seated.table].lock:
                        now = live(tables, seated.table)
                        assert state_of(replayed(tables, seated.table)) == state_of(now)
                        wishes.append(now.match and now.match.round.wish)
                if view.state == "match-over":
                    await tables.rematch(seated.table, seated.token)
                else:
                    await tables.next_round(seated.table, seated.token)
                await tables.leave(seated.table, seated.token)
                await tables.return_(seated.table, seated.token)

    asyncio.run(main())


def test_m03_a_restart_in_the_middle_of_a_wish(tmp_path: Path) -> None:
    """A second service on the same file: same view, and play goes on with the bot that was due."""

    async def to_a_wish(tables: Tables) -> tuple[Seated, View]:
        while True:
            seated = await tables.create(spec(bots=3))
            while (view := await until(tables, seated, mine)).state == "playing":
                if view.wish is not None and (now := await settled(tables, seated)).wish is not None:
                    return seated, now
                await tables.act(seated.table, seated.token, command_id(), view.version, pick(view))

    async def main() -> None:
        async with service(tmp_path) as tables:
            seated, before = await to_a_wish(tables)
        async with service(tmp_path, seed=1_000) as tables:
            after = await tables.view(seated.table, seated.token)
            assert after == before
            assert after.wish is not None
            view = await tables.act(seated.table, seated.token, command_id(), before.version, pick(after))
            assert view.version > before.version
            assert (await play_round(tables, seated)).state in ("round-over", "match-over")

    asyncio.run(main())


def test_a_bot_that_was_due_when_the_server_died_acts_after_the_start(tmp_path: Path) -> None:
    async def main() -> None:
        async with service(tmp_path) as tables:
            while True:
                seated = await tables.create(spec(pace="slow"))  # type: ignore[arg-type]  # a word is as good, as the API has it
                view = await tables.view(seated.table, seated.token)
                if view.turn != 0:
                    break
        async with service(tmp_path) as tables:
            assert (await until(tables, seated, lambda v: v.version > view.version)).version > view.version

    asyncio.run(main())


def test_a_log_that_tells_another_story_is_refused(tmp_path: Path) -> None:
    async def main() -> None:
        async with service(tmp_path) as tables:
            seated = await tables.create(spec())
            await play_round(tables, seated)
            stored = s.load(tables.store.read(), seated.table)
            assert stored is not None
            play = next(row for row in stored.rows if row.kind == "play")
            changed = play.shown.replace(json.loads(play.shown)["cards"][0], "As").replace("As=", "As")
            rows = tuple(replace(row, shown=changed) if row == play else row for row in stored.rows)
            with pytest.raises(LogError, match="does not replay"):
                LiveTable.replay(replace(stored, rows=rows))
            with pytest.raises(LogError, match="does not replay"):
                LiveTable.replay(replace(stored, rows=stored.rows[: play.seq + 1] + stored.rows[play.seq + 2 :]))

    asyncio.run(main())


TOO_LATE = ("not-your-turn", "stale", "round-over", "match-over", "already-drawn", "draw-first")
"""What somebody may be told whose action came second."""


def test_two_services_on_one_table_have_one_winner_for_each_version(tmp_path: Path) -> None:
    """Both get every action of the person at once, under two ids: one is done; under one id: both get one answer."""

    async def main() -> tuple[int, int]:
        won = lost = 0
        path = tmp_path / "tables.db"
        async with (
            Tables(Store(path), bots=first_bot) as one,
            Tables(Store(path), bots=first_bot) as two,
        ):
            for round_ in range(4):
                seated = await one.create(spec(bots=2))
                while (view := await until_either(one, two, seated)).state == "playing":
                    action = pick(view)
                    shared = command_id() if round_ % 2 else None
                    answers = await asyncio.gather(
                        *(
                            tables.act(seated.table, seated.token, shared or command_id(), view.version, action)
                            for tables in (one, two)
                        ),
                        return_exceptions=True,
                    )
                    done = [answer for answer in answers if isinstance(answer, View)]
                    if shared:
                        assert len(done) == 2, answers
                        assert done[0].as_json() == done[1].as_json()
                    else:
                        assert len(done) == 1, answers
                        (error,) = (answer for answer in answers if isinstance(answer, TableError))
                        assert error.code in TOO_LATE, error
                        lost += 1
                    won += 1
                rows = s.rows_after(one.store.read(), seated.table, 0)
                assert [row.seq for row in rows] == list(range(1, len(rows) + 1))
                assert state_of(replayed(two, seated.table))["rest"][0] == len(rows)
        return won, lost

    won, lost = asyncio.run(main())
    assert won > lost > 0


async def until_either(one: Tables, two: Tables, seated: Seated) -> View:
    """The first seat's turn; the wake-ups of the other process are not heard, so it is asked again and again."""
    async with asyncio.timeout(PATIENCE):
        while True:
            view = await one.view(seated.table, seated.token)
            if mine(view):
                return view
            await asyncio.sleep(0.005)


PLAYER = """
import asyncio, json, sys
from pathlib import Path
from maumau.tables import Store, TableError, Tables
from tests.tables_kit import first_bot, mine, pick, spec, until

async def person(tables, number, start):
    seated = await tables.create(spec(bots=2))
    print(json.dumps(["made", seated.table, seated.token, seated.version]), flush=True)
    n = 0
    while True:
        view = await until(tables, seated, mine)
        if view.state == "match-over":
            view = await tables.rematch(seated.table, seated.token)
        elif view.state == "round-over":
            view = await tables.next_round(seated.table, seated.token)
        else:
            n += 1
            id_, action = f"{start}-{number}-{n}", pick(view)
            view = await tables.act(seated.table, seated.token, id_, view.version, action)
            print(json.dumps(["did", seated.table, id_, action, view.version]), flush=True)

async def main(path, start):
    async with Tables(Store(path), bots=first_bot) as tables:
        await asyncio.gather(*(person(tables, n, start) for n in range(4)))

asyncio.run(main(sys.argv[1], sys.argv[2]))
"""


@pytest.mark.parametrize("kills", [3, pytest.param(60, marks=pytest.mark.prove)])
def test_kill_9_in_the_middle_of_play_loses_nothing_acknowledged(tmp_path: Path, kills: int) -> None:
    """Four people play; the server is shot; whatever was acknowledged is in the log, once, and every table replays."""
    path = tmp_path / "tables.db"
    root = Path(__file__).parents[1]
    made: dict[str, str] = {}
    did: list[tuple[str, str, str, int]] = []
    for start in range(kills):
        child = subprocess.Popen(
            [sys.executable, "-c", PLAYER, str(path), str(start)],
            stdout=subprocess.PIPE,
            encoding="utf-8",
            cwd=root,
            env=os.environ | {"PYTHONPATH": f"{root / 'src'}{os.pathsep}{root}"},
        )
        assert child.stdout is not None
        lines = [child.stdout.readline() for _ in range(30 + 17 * start % 40)]
        time.sleep(0.05 * start % 0.3)
        os.kill(child.pid, signal.SIGKILL)
        lines += child.stdout.read().split("\n")
        child.stdout.close()
        child.wait()
        for line in lines:
            if line.strip().endswith("]"):
                kind, *rest = json.loads(line)
                if kind == "made":
                    made[rest[0]] = rest[1]
                else:
                    did.append((rest[0], rest[1], rest[2], rest[3]))
    assert len(did) > 60
    asyncio.run(_all_there(path, made, did))


async def _all_there(path: Path, made: dict[str, str], did: list[tuple[str, str, str, int]]) -> None:
    async with Tables(Store(path), bots=first_bot) as tables:
        db = tables.store.read()
        assert db.pragma("integrity_check") == "ok"
        for name, token in made.items():
            rows = s.rows_after(db, name, 0)
            assert [row.seq for row in rows] == list(range(1, len(rows) + 1))
            begun = [row.command for row in rows if row.does is not None]
            assert len(begun) >= len({row.command for row in rows if row.command})
            view = await tables.view(name, token)
            assert view.version >= len(rows)
        for name, id_, action, version in did:
            found = s.find_command(db, name, 0, id_)
            assert found is not None, (name, id_)
            assert (found.version, found.refusal) == (version, None)
            again = await tables.act(name, made[name], id_, None, action)
            assert again.version == version
        # the tables live on: the bots that were due act, the person goes on
        name = did[-1][0]
        seated = Seated(name, 0, made[name], None, 0)
        view = await until(tables, seated, mine)
        if view.state == "playing":
            after = await tables.act(name, made[name], command_id(), view.version, pick(view))
            assert after.version > view.version
