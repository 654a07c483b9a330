"""``kill -9`` under people who play over HTTP, at moments when actions are unanswered: nothing acknowledged is lost.

The second test plants the fault that the first must see, an answer before COMMIT.
"""

from __future__ import annotations

import asyncio
import hashlib
import json
import os
import random
import sqlite3
import time
from collections import Counter
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median

import pytest
from benchmarks.wire import Wire
from tests.crowd import Crowd, Said

from maumau.tables import Store, ledger
from maumau.tables.ledger import Row
from maumau.tables.table import LiveTable
from maumau.web.app import STORE_FILE
from run_server import Server

EARLY = """
import time
from maumau.tables.store import Store

def early(self, batch):
    self._writer.execute("BEGIN IMMEDIATE")
    for job in batch:
        job.run(self._writer)
        job.answer()
    time.sleep(0.1)
    self._writer.execute("COMMIT")

Store._commit = early
"""
"""The fault: acknowledged before it is kept."""


@dataclass
class Killings:
    """What came of it."""

    crowd: Crowd
    tables: list[str]
    unanswered: list[int] = field(default_factory=list)
    """For each kill, how many actions were sent and not answered."""
    gaps: list[float] = field(default_factory=list)
    """Seconds from each new start to the first answered action."""
    spent: list[float] = field(default_factory=list)
    """Seconds of processor time of it, 0 where the system does not tell."""
    stuck: list[str] = field(default_factory=list)
    changed: list[str] = field(default_factory=list)
    """Ids whose repetition was answered differently."""


async def killings(data: Path, tables: list[tuple[int, int]], kills: int, seed: int, before: str = "") -> Killings:
    """Play at tables of so many people and bots, and shoot the server so often."""
    chance = random.Random(seed)
    server = await asyncio.to_thread(Server, data, before=before)
    crowd = Crowd(server.port, chance)
    try:
        came = Killings(crowd, [await crowd.sit_down(people, bots) for people, bots in tables])
        async with crowd.playing():
            while len(came.unanswered) < kills:
                await _kill_once(server, came, chance)
            await _all_go_on(came)
        came.changed = [said.id for said in _sample(crowd.said, chance) if not await _same_again(server.port, said)]
    finally:
        server.kill()
    return came


async def _kill_once(server: Server, came: Killings, chance: random.Random) -> None:
    """Shoot soon after an action has been sent or answered; it counts where one stayed without an answer."""
    crowd = came.crowd
    await asyncio.sleep(chance.uniform(0.1, 1.5))
    moment = chance.choice((crowd.written, crowd.answered))
    moment.clear()
    await moment.wait()
    await asyncio.sleep(chance.choice((0, chance.uniform(0, 0.008))))
    broken = crowd.broken
    server.kill()
    began = time.monotonic()
    server.launch()
    await asyncio.sleep(0.05)  # what the old server has answered is read by now
    crowd.answered.clear()
    async with asyncio.timeout(300):
        await crowd.answered.wait()
    gap, spent = time.monotonic() - began, _processor_seconds(server)
    if crowd.broken > broken:
        came.gaps.append(gap)
        came.spent.append(spent)
        came.unanswered.append(crowd.broken - broken)


def _processor_seconds(server: Server) -> float:
    """What the server has worked so far."""
    stat = Path(f"/proc/{server.process.pid}/stat")
    if not stat.exists():
        return 0.0
    fields = stat.read_text(encoding="utf-8").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


async def _all_go_on(came: Killings) -> None:
    """Whether each table gets on after the last kill."""
    before = {person.table: person.seq for person in came.crowd.people}
    waited = 0
    while waited < 3_000 and not came.stuck:
        now = {person.table: person.seq for person in came.crowd.people}
        if all(now[table] > before[table] + 3 for table in came.tables):
            return
        waited += 1
        await asyncio.sleep(0.1)
    came.stuck = [table for table in came.tables if now[table] <= before[table] + 3]


def _sample(said: list[Said], chance: random.Random) -> list[Said]:
    """A few answers of any time."""
    return chance.sample(said, min(len(said), 60))


async def _same_again(port: int, said: Said) -> bool:
    """The same id again gets the same answer again."""
    wire = Wire(port)
    body = {"id": said.id, "version": said.version, "action": said.action}
    status, answer = await wire.say("POST", f"/api/tables/{said.table}/actions", body, said.token)
    wire.close()
    digest = hashlib.sha256(json.dumps(answer, sort_keys=True).encode()).hexdigest()
    return (status, digest) == (said.status, said.digest)


@dataclass
class Kept:
    """What the store holds, against what was acknowledged."""

    lost: int = 0
    doubled: int = 0
    gaps: int = 0
    unknown: int = 0
    """Actions of people that nobody has sent."""


def audit(file: Path, crowd: Crowd, tables: list[str]) -> Kept:
    """Compare the store with what the people were told; every table must replay."""
    kept = Kept()
    store = Store(file)
    try:
        db = store.read()
        assert db.pragma("integrity_check") == "ok"
        for name in tables:
            stored = ledger.load(db, name)
            if stored is None:
                kept.lost += 1
                continue
            kept.gaps += [row.seq for row in stored.rows] != list(range(1, stored.head + 1))
            assert LiveTable.replay(stored).version == stored.head
            done = _done(stored.rows)
            kept.doubled += sum(count > 1 for count in done.values())
            kept.unknown += len(done.keys() - crowd.sent)
            for said in crowd.said:
                if said.table == name:
                    found = ledger.find_command(db, name, said.seat, said.id)
                    refused = said.status != 200
                    if found is None or (found.refusal is not None) != refused:
                        kept.lost += 1
                    elif refused:
                        kept.doubled += said.id in done
                    else:
                        kept.lost += found.version != said.answer["version"] or said.id not in done
    finally:
        store.close()
    return kept


def _done(rows: tuple[Row, ...]) -> Counter[str]:
    """How often each action of a person has been done."""
    return Counter(
        row.command for row in rows if row.does is not None and row.command and not row.command.startswith("bot:")
    )


FEW = [(4, 0), (2, 1), (1, 2), (1, 2)]
FORTY = [(4, 0)] * 5 + [(2, 2)] * 4 + [(1, 2)] * 12


@pytest.mark.parametrize(
    ("tables", "kills"),
    [
        pytest.param(FEW, 3, id="8 people, 3 kills"),
        pytest.param(FORTY, 100, id="40 people, 100 kills", marks=pytest.mark.prove),
    ],
)
def test_kill_9_loses_nothing_that_was_acknowledged(
    tmp_path: Path, tables: list[tuple[int, int]], kills: int, capsys: pytest.CaptureFixture[str]
) -> None:
    came = asyncio.run(killings(tmp_path, tables, kills, seed=kills))
    assert came.crowd.wrong == []
    assert "Traceback" not in (tmp_path / "server.log").read_text(encoding="utf-8")
    assert len(came.unanswered) == kills
    assert all(came.unanswered)
    assert came.stuck == []
    assert came.changed == []
    assert audit(tmp_path / STORE_FILE, came.crowd, came.tables) == Kept()
    done = sum(said.status == 200 for said in came.crowd.said)
    assert done > kills
    with capsys.disabled():
        print(
            f"\n{kills} kills under {len(came.crowd.people)} people: {done} actions done, {sum(came.unanswered)} unanswered"
            f" at a kill; from the start to the first answer {median(came.gaps):.2f} s, at most {max(came.gaps):.2f} s"
            f" ({median(came.spent):.2f} s of processor time)"
        )


def test_the_test_above_sees_an_answer_before_commit(tmp_path: Path) -> None:
    for seed in range(20):  # the first mostly shows it
        data = tmp_path / str(seed)
        data.mkdir()
        came = asyncio.run(killings(data, [(1, 1)] * 4, 1, seed, before=EARLY))
        with closing(sqlite3.connect(data / STORE_FILE)) as db:
            kept = set(db.execute("SELECT table_id, id FROM commands WHERE refusal IS NULL"))
        if any((said.table, said.id) not in kept for said in came.crowd.said if said.status == 200):
            return
    pytest.fail("answered before COMMIT, and yet nothing was lost")
