"""Thousands of abandoned tables are swept while others play, and none of those waits for more than a few of them."""

from __future__ import annotations

import asyncio
import time
from functools import partial
from pathlib import Path

import apsw
import pytest
from tests.tables_kit import command_id, first_bot, mine, pick, play_round, spec, until

from maumau.tables import Seated, Store, Tables
from maumau.tables.clockwork import KEPT_MS

FEW = 8
"""So many sweeps at most may come between an action and its answer."""


def abandon(db: apsw.Connection, model: str, numbers: range, at: int) -> None:
    """Copies of a table, last touched at a time that is long over."""
    names = [(f"{model}-{n}", model) for n in numbers]
    for name, columns in (
        ("events", "seq, kind, seat, does, by_seat, command, at, shown, hidden"),
        ("commands", "seat, id, body, version, lang, refusal"),
        ("round_secrets", "match, round, seed"),
        ("deal_secrets", "deal, secret"),
        ("table_secrets", "key"),
    ):
        db.executemany(f"INSERT INTO {name} SELECT ?, {columns} FROM {name} WHERE table_id = ?", names)
    db.executemany("INSERT INTO seats SELECT ?, seat, name, NULL FROM seats WHERE table_id = ?", names)
    db.executemany("INSERT INTO invites SELECT randomblob(32), ? FROM invites WHERE table_id = ?", names)
    db.executemany(
        "INSERT INTO tables SELECT ?, rules, head, state, public, created_at, ? FROM tables WHERE id = ?",
        ((name, at, model) for name, model in names),
    )
    db.executemany("INSERT INTO timers VALUES (?, 'life', 1, ?)", ((name, at + n) for n, (name, _) in enumerate(names)))


def left(db: apsw.Connection) -> int:
    """How many tables there are."""
    count: int = db.execute("SELECT count(*) FROM tables").get
    return count


def orphans(db: apsw.Connection) -> dict[str, int]:
    """Rows of tables that are gone, by where they are; what people have played is kept on purpose."""
    names = [
        row[0] for row in db.execute("SELECT name FROM sqlite_schema WHERE type = 'table' AND sql LIKE '%table_id%'")
    ]
    found = {
        n: db.execute(f"SELECT count(*) FROM {n} WHERE table_id NOT IN (SELECT id FROM tables)").get for n in names
    }
    return {name: count for name, count in found.items() if count and name != "results"}


async def play_on(tables: Tables, seated: Seated, acts: int) -> tuple[list[float], list[int]]:
    """Act so often; how long each answer took, and how many tables were swept meanwhile."""
    took: list[float] = []
    swept: list[int] = []
    while len(took) < acts:
        view = await until(tables, seated, mine, seconds=600)
        if view.state == "match-over":
            await tables.rematch(seated.table, seated.token)
        elif view.state == "round-over":
            await tables.next_round(seated.table, seated.token)
        else:
            before, began = left(tables.store.read()), time.perf_counter()
            await tables.act(seated.table, seated.token, command_id(), view.version, pick(view))
            took.append(time.perf_counter() - began)
            swept.append(before - left(tables.store.read()))
    return took, swept


@pytest.mark.parametrize("count", [300, pytest.param(10_000, marks=pytest.mark.prove)])
def test_abandoned_tables_are_swept_without_anybody_noticing(
    tmp_path: Path, count: int, capsys: pytest.CaptureFixture[str]
) -> None:
    async def main() -> None:
        path = tmp_path / "tables.db"
        async with Tables(Store(path), bots=first_bot) as tables:
            abandoned = await tables.create(spec(bots=3))
            await play_round(tables, abandoned)
            playing = await tables.create(spec(bots=2))
            idle, _ = await play_on(tables, playing, 40)
            long_ago = tables.now() - 2 * max(KEPT_MS.values())
            for first in range(0, count, 100):  # all in one transaction, the WAL would be as large as they are
                numbers = range(first, first + 100)
                await tables.store.write(partial(abandon, model=abandoned.table, numbers=numbers, at=long_ago))
            meanwhile: list[float] = []
            beside: list[int] = []
            began = time.perf_counter()
            while left(tables.store.read()) > 2:
                took, swept = await play_on(tables, playing, 4)
                meanwhile += took
                beside += swept
            whole = time.perf_counter() - began
            assert orphans(tables.store.read()) == {}
            assert (await tables.view(abandoned.table, abandoned.token)).state == "round-over"
            assert sum(beside) > 0, "nothing was swept while people played"
            assert max(beside) <= FEW
            assert (path.with_name("tables.db-wal")).stat().st_size < 64 * 2**20
        with capsys.disabled():
            print(
                f"\n{count} tables swept in {whole:.1f} s while others played: an action took {_ms(idle, 0.5)} before and"
                f" {_ms(meanwhile, 0.5)} meanwhile, 99 % {_ms(idle, 0.99)} and {_ms(meanwhile, 0.99)} ({len(meanwhile)} actions)"
            )

    asyncio.run(main())


def _ms(spans: list[float], share: float) -> str:
    return f"{1000 * sorted(spans)[min(len(spans) - 1, int(share * len(spans)))]:.1f} ms"
