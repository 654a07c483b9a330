"""The power goes at any write and any sync of a running service: whatever was acknowledged is there afterwards.

The last tests switch off what this hangs on, one thing at a time, and see the first one go red.
"""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import random
import threading
import time
from dataclasses import dataclass, field
from pathlib import Path

import apsw
import pytest
from tests.disk import Disk, Images, StoreOnDisk
from tests.tables_kit import command_id, first_bot, mine, pick, spec, until

from maumau.tables import Seated, Store, TableError, Tables, ledger
from maumau.tables.errors import LogError
from maumau.tables.store import _Job
from maumau.tables.table import LiveTable

TABLES = 3
NAMES = itertools.count()
STORE = "tables.db"

Acknowledged = tuple[str, str, int]
"""A table, the id of an action, and the version of the view it was answered with."""


class EarlyStore(StoreOnDisk):
    """The fault: answers before COMMIT."""

    def _commit(self, batch: list[_Job]) -> None:
        self._writer.execute("BEGIN IMMEDIATE")
        for job in batch:
            job.run(self._writer)
            job.answer()
        time.sleep(0.002)
        self._writer.execute("COMMIT")


@dataclass
class Cuts:
    """Cuts the power at random moments, and looks each time at what is left."""

    disk: Disk
    folder: Path
    chance: random.Random
    every: int
    """Of so many writes and syncs one is cut at, on average."""
    said: list[Acknowledged] = field(default_factory=list)
    made: list[str] = field(default_factory=list)
    done: int = 0
    lost: int = 0
    broken: list[str] = field(default_factory=list)
    last: tuple[Images, int, int] | None = None
    looking: threading.Lock = field(default_factory=threading.Lock)
    """One at a time; the threads of a store may come at once."""

    def __post_init__(self) -> None:
        self.disk.watch = self.look

    def look(self) -> None:
        """Perhaps the power goes now."""
        if self.looking.acquire(blocking=False):
            try:
                self._look()
            finally:
                self.looking.release()

    def _look(self) -> None:
        if self.chance.randrange(self.every):
            return
        said, made = len(self.said), len(self.made)  # first: what is said after this may be lost
        images = self.disk.cut(self.chance)
        self.last = (images, said, made)
        self.done += 1
        write_out(images, self.folder)
        db = apsw.Connection(str(self.folder / STORE))
        try:
            self._check(db, said, made)
        except (apsw.Error, LogError) as error:  # raised in here, it would look like a fault of the disk
            self.broken.append(repr(error))
        finally:
            db.close()

    def _check(self, db: apsw.Connection, said: int, made: int) -> None:
        found = db.pragma("integrity_check")
        if found != "ok":
            self.broken.append(str(found))
            return
        if not db.execute("SELECT count(*) FROM sqlite_schema WHERE name = 'commands'").get:
            self.lost += said + made
            return
        kept = set(db.execute("SELECT table_id, id, version FROM commands WHERE refusal IS NULL"))
        heads = dict(db.execute("SELECT id, head FROM tables"))
        self.lost += sum(one not in kept for one in self.said[:said])
        self.lost += sum(name not in heads for name in self.made[:made])
        self.broken += [name for name, head in heads.items() if not _whole(db, name, head, replay=self.done % 8 == 0)]


def _whole(db: apsw.Connection, name: str, head: int, *, replay: bool) -> bool:
    """The log of a table has no gap, does no command twice, and tells its table."""
    rows = ledger.rows_after(db, name, 0)
    if [row.seq for row in rows] != list(range(1, head + 1)):
        return False
    done = [row.command for row in rows if row.does is not None and row.command and not row.command.startswith("bot:")]
    if len(done) != len(set(done)):
        return False
    stored = ledger.load(db, name) if replay else None
    return stored is None or LiveTable.replay(stored).version == head


def write_out(images: Images, folder: Path) -> None:
    """A folder with what a cut has left."""
    folder.mkdir(exist_ok=True)
    for old in folder.iterdir():
        old.unlink()
    for name, image in images.items():
        (folder / name).write_bytes(image)


async def person(tables: Tables, seated: Seated, cuts: Cuts, most: int) -> None:
    """Looks at the table, and plays on until the power has been cut so often."""
    await tables.arrive(seated.table, seated.seat)
    while cuts.done < most:
        view = await until(tables, seated, mine, seconds=600)
        if view.state == "match-over":
            await tables.rematch(seated.table, seated.token)
        elif view.state == "round-over":
            await tables.next_round(seated.table, seated.token)
        else:
            id_ = command_id()
            view = await tables.act(seated.table, seated.token, id_, view.version, pick(view))
            cuts.said.append((seated.table, id_, view.version))


async def life(store: Store, cuts: Cuts, most: int, known: list[Seated]) -> None:
    """A service on the store; new people and those of before play."""
    async with Tables(store, bots=first_bot) as tables:
        for _ in range(TABLES - len(known)):
            seated = await tables.create(spec(bots=2))
            cuts.made.append(seated.table)
            known.append(seated)
        await asyncio.gather(*(person(tables, seated, cuts, most) for seated in known))


def play_and_cut(tmp_path: Path, seed: int, most: int, lives: int, every: int) -> Cuts:
    """So many cuts; each life but the first begins with what a cut of the life before has left."""
    said: list[Acknowledged] = []
    known: list[Seated] = []
    total = 0
    for number in range(lives):
        folder = tmp_path / f"life{number}"
        folder.mkdir(exist_ok=True)
        disk = Disk(f"disk{next(NAMES)}")
        cuts = Cuts(disk, tmp_path / "left", random.Random(f"{seed}/{number}"), every)
        cuts.said, cuts.made = said, [seated.table for seated in known]
        store = StoreOnDisk(folder / STORE, disk)
        asyncio.run(life(store, cuts, most // lives, known))
        disk.unregister()
        assert (cuts.lost, cuts.broken) == (0, []), f"seed {seed}, life {number}"
        assert cuts.last is not None
        total += cuts.done
        images, n_said, n_made = cuts.last
        said, known = cuts.said[:n_said], known[:n_made]
        write_out(images, tmp_path / f"life{number + 1}")
    cuts.done = total
    return cuts


@pytest.mark.prove
@pytest.mark.slow
@pytest.mark.parametrize("seed", range(1, 21))
def test_twenty_thousand_power_cuts_lose_nothing_acknowledged(tmp_path: Path, seed: int) -> None:
    """Each anew after five lives: every cut is looked at whole, so that a log that grows on would take hours."""
    assert play_and_cut(tmp_path, seed, 1_000, 5, every=5).done >= 1_000


def test_a_power_cut_loses_nothing_acknowledged(tmp_path: Path) -> None:
    most, lives = 60, 3
    cuts = play_and_cut(tmp_path, 1, most, lives, every=20)
    assert cuts.done >= most
    assert len(cuts.said) > lives


FAULTS = {
    "answered before COMMIT": (EarlyStore, "FULL"),
    "synchronous NORMAL": (StoreOnDisk, "NORMAL"),
    "synchronous OFF": (StoreOnDisk, "OFF"),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_the_test_above_sees_what_it_hangs_on_switched_off(tmp_path: Path, fault: str) -> None:
    assert any(lost(tmp_path / str(n), fault, n) for n in range(10)), f"{fault}, and yet nothing was lost"


def lost(folder: Path, fault: str, seed: int) -> int:
    """How much is lost in a life with a fault; the first mostly shows it."""
    kind, synchronous = FAULTS[fault]
    disk = Disk(f"disk{next(NAMES)}")
    folder.mkdir()
    cuts = Cuts(disk, folder / "left", random.Random(f"{fault}/{seed}"), every=4)
    (folder / "life").mkdir()
    store = kind(folder / "life" / STORE, disk, synchronous=synchronous)
    with contextlib.suppress(TableError):  # answered before COMMIT, a table may be read before it is there
        asyncio.run(life(store, cuts, 40, []))
    disk.unregister()
    return cuts.lost
