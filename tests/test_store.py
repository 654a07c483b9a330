"""The store: what is acknowledged is on the disk, one failure takes no other with it, one winner for each version."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import apsw
import pytest

from maumau.tables import ledger as s
from maumau.tables.errors import ConflictError, StoreError
from maumau.tables.ledger import Append, Command, NewTable, Row, Timer
from maumau.tables.store import Store, check_sqlite


def row(seq: int, kind: str = "pass", command: str | None = None) -> Row:
    return Row(seq, kind, 0, None, None, command, 1_000, "{}", None)


def appended(head: int, count: int = 1, table: str = "t", command: Command | None = None) -> Append:
    rows = tuple(row(head + 1 + n, command=command.id if command else None) for n in range(count))
    return Append(table, head, rows, "playing", 1_000, command=command)


def command(id_: str, version: int, body: bytes = b"body", refusal: str | None = None) -> Command:
    return Command(0, id_, body, version, "en", refusal)


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    opened = Store(tmp_path / "tables.db")
    opened.submit(s.create(NewTable("family", False, b"key"), appended(0))).result()
    yield opened
    opened.close()


def run(statement: str, db: apsw.Connection) -> object:
    return db.execute(statement).get


def head(store: Store, table: str = "t") -> int | None:
    return s.head_of(store.read(), table)


@pytest.mark.parametrize("version", ["3.40.1", "3.51.2", "3.7.0"])
def test_an_sqlite_that_corrupts_a_wal_is_refused(version: str) -> None:
    with pytest.raises(StoreError, match=r"3\.51\.3 or newer"):
        check_sqlite(version)


def test_newer_sqlite_is_taken() -> None:
    check_sqlite("3.51.3")
    check_sqlite("3.54.1")
    check_sqlite("4.0")


def test_the_file_is_wal_full_and_strict(store: Store) -> None:
    pragma = store.submit(lambda db: (db.pragma("journal_mode"), db.pragma("synchronous"))).result()
    assert pragma == ("wal", 2)
    tables = store.read().execute("SELECT name, strict FROM pragma_table_list WHERE schema = 'main'").fetchall()
    assert all(strict for name, strict in tables if not str(name).startswith("sqlite_"))


def test_an_append_needs_the_head_it_was_decided_on(store: Store) -> None:
    store.submit(s.append(appended(1, 3))).result()
    assert head(store) == 4
    with pytest.raises(ConflictError):
        store.submit(s.append(appended(1))).result()
    assert head(store) == 4
    assert [r.seq for r in s.rows_after(store.read(), "t", 2)] == [3, 4]


def test_events_are_neither_changed_nor_deleted(store: Store) -> None:
    for statement in ("UPDATE events SET kind = 'x'", "DELETE FROM events"):
        with pytest.raises(apsw.ConstraintError, match="events"):
            store.submit(partial(run, statement)).result()
    assert len(s.rows_after(store.read(), "t", 0)) == 1


def test_a_whole_table_may_go_when_nothing_happened_meanwhile(store: Store) -> None:
    assert store.submit(s.drop_table("t", unless_after=999)).result() is False
    assert head(store) == 1
    assert store.submit(s.drop_table("t", unless_after=1_000)).result() is True
    names = [r[0] for r in store.read().execute("SELECT name FROM sqlite_schema WHERE type = 'table'")]
    left = {n: store.read().execute(f"SELECT count(*) FROM {n}").get for n in names if n != "server"}
    assert not any(left.values()), left


def test_a_repeated_command_gets_its_stored_answer(store: Store) -> None:
    first = command("c1", 2)
    assert store.submit(s.append(appended(1, command=first))).result() is None
    again = store.submit(s.append(appended(1, command=command("c1", 99)))).result()
    assert again == first
    assert head(store) == 2


def test_a_refusal_is_kept_and_the_first_answer_stands(store: Store) -> None:
    refused = command("c1", 1, refusal='{"code": "stale"}')
    assert store.submit(s.refuse("t", refused)).result() == refused
    assert store.submit(s.refuse("t", command("c1", 5, refusal="{}"))).result() == refused
    assert store.submit(s.append(appended(1, command=command("c1", 2)))).result() == refused
    assert head(store) == 1


def test_one_failure_takes_no_other_of_its_batch_with_it(store: Store) -> None:
    """All of them share one COMMIT: the writer is held until everything is queued."""
    gate = threading.Event()
    store.submit(lambda db: gate.wait())
    before = store.commits
    good = [store.submit(s.append(appended(1, command=command("a", 2))))]
    bad = store.submit(s.append(appended(7)))
    worse = store.submit(lambda db: db.execute("SELECT * FROM nowhere").get)
    good.append(store.submit(s.append(appended(2, command=command("b", 3)))))
    gate.set()
    assert [f.result() for f in good] == [None, None]
    assert isinstance(bad.exception(), ConflictError)
    assert isinstance(worse.exception(), apsw.SQLError)
    assert head(store) == 3
    assert store.commits - before <= 2


def test_nobody_is_answered_before_the_commit(store: Store) -> None:
    """A reader of its own sees what an answered writer wrote, every time."""
    seen = []
    for n in range(50):
        store.submit(s.append(appended(1 + n))).result()
        seen.append(head(store))
    assert seen == list(range(2, 52))


def test_when_the_commit_fails_everybody_of_the_batch_hears_of_it(store: Store) -> None:
    gate = threading.Event()
    store.submit(lambda db: gate.wait())
    good = store.submit(s.append(appended(1)))
    ends = store.submit(lambda db: db.execute("ROLLBACK").get)
    gate.set()
    for future in (good, ends):
        with pytest.raises(StoreError):
            future.result()
    assert head(store) == 1
    store.submit(s.append(appended(1))).result()
    assert head(store) == 2


def test_timers_are_replaced_and_taken_away(store: Store) -> None:
    store.submit(s.set_timer(Timer("t", "bots", 1, 50))).result()
    store.submit(s.set_timer(Timer("t", "bots", 2, 70))).result()
    store.submit(s.set_timer(Timer("t", "life", 1, 60))).result()
    assert s.due(store.read(), 55) == ()
    assert [t.kind for t in s.due(store.read(), 100)] == ["bots"]
    assert [t.kind for t in s.lives_over(store.read(), 100, 9)] == ["life"]
    assert s.next_after(store.read(), 0) == 70
    assert s.next_after(store.read(), 70) is None
    store.submit(s.drop_timer(Timer("t", "bots", 1, 50))).result()
    assert len(s.due(store.read(), 100)) == 1
    store.submit(s.drop_timer(Timer("t", "bots", 2, 70))).result()
    assert s.due(store.read(), 100) == ()
    assert len(s.lives_over(store.read(), 100, 9)) == 1


def test_two_stores_on_one_file_have_one_winner_for_each_version(tmp_path: Path) -> None:
    path = tmp_path / "tables.db"
    stores = [Store(path), Store(path)]
    stores[0].submit(s.create(NewTable("family", False, b"key"), appended(0))).result()
    won: list[list[int]] = [[], []]
    conflicts = [0, 0]

    def race(me: int) -> None:
        while (at := head(stores[me])) is not None and at < 300:
            try:
                stores[me].submit(s.append(appended(at, command=Command(me, f"{me}-{at}", b"", at + 1, "en")))).result()
                won[me].append(at + 1)
            except ConflictError:
                conflicts[me] += 1

    threads = [threading.Thread(target=race, args=(me,)) for me in (0, 1)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    rows = s.rows_after(stores[0].read(), "t", 0)
    for opened in stores:
        opened.close()
    assert [r.seq for r in rows] == list(range(1, len(rows) + 1))
    assert sorted(won[0] + won[1]) == list(range(2, len(rows) + 1))


def test_a_closed_store_says_so(tmp_path: Path) -> None:
    opened = Store(tmp_path / "tables.db")
    opened.close()
    opened.close()
    with pytest.raises(StoreError, match="closed"):
        opened.submit(lambda db: None)
    with pytest.raises(StoreError, match="closed"):
        opened.read()
    with pytest.raises(StoreError, match="closed"):
        asyncio.run(opened.in_thread(lambda db: None))


def test_a_store_closes_only_when_a_reading_is_done_that_nobody_waits_for(tmp_path: Path) -> None:
    """Whoever asked has hung up; the connection that still reads is not closed under the question."""
    begun, gate, done = threading.Event(), threading.Event(), threading.Event()

    def wait(*_: object) -> int:
        begun.set()
        gate.wait()
        return 1

    def question(db: apsw.Connection) -> None:
        db.create_scalar_function("wait", wait)
        db.execute("SELECT wait()").fetchall()
        done.set()

    async def main() -> None:
        opened = Store(tmp_path / "tables.db")
        asked = asyncio.create_task(opened.in_thread(question))
        while not begun.is_set():  # noqa: ASYNC110 - it is another thread that begins
            await asyncio.sleep(0.001)
        asked.cancel()
        closing = asyncio.create_task(opened.aclose())
        while not opened._closed:  # noqa: ASYNC110 - likewise
            await asyncio.sleep(0.001)
        threading.Timer(0.05, gate.set).start()
        await closing
        assert done.is_set()

    asyncio.run(main())


def test_a_copy_is_a_whole_store(store: Store, tmp_path: Path) -> None:
    store.submit(s.append(appended(1, 5))).result()
    store.backup(tmp_path / "copy.db")
    copy = Store(tmp_path / "copy.db")
    assert head(copy) == 6
    assert copy.read().pragma("integrity_check") == "ok"
    copy.close()
    with pytest.raises(StoreError, match="exists"):
        store.backup(tmp_path / "copy.db")


WRITER = """
import sys, time
from maumau.tables.ledger import Append, NewTable, Row, append, create, head_of
from maumau.tables.store import Store

def early(self, batch):
    self._writer.execute("BEGIN IMMEDIATE")
    for job in batch:
        job.run(self._writer)
        job.answer()  # the fault: acknowledged before it is kept
    time.sleep(0.02)
    self._writer.execute("COMMIT")

def what(head):
    return Append("t", head, (Row(head + 1, "pass", 0, None, None, None, 1, "{}", None),), "playing", 1)

if sys.argv[2] == "early":
    Store._commit = early
store = Store(sys.argv[1])
head = head_of(store.read(), "t")
if head is None:
    store.submit(create(NewTable("family", False, b""), what(0))).result()
    head = 1
while True:
    futures = [store.submit(append(what(head + n))) for n in range(20)]
    for future in futures:
        future.result()
        head += 1
        print(head, flush=True)
"""


def shoot(path: Path, how: str, after: float) -> tuple[int, int]:
    """Start the writer, shoot it; the last version that it acknowledged, and the last that is kept."""
    child = subprocess.Popen([sys.executable, "-c", WRITER, str(path), how], stdout=subprocess.PIPE, encoding="utf-8")
    assert child.stdout is not None
    said = [child.stdout.readline()]
    time.sleep(after)
    os.kill(child.pid, signal.SIGKILL)
    said += child.stdout.read().split("\n")[:-1]
    child.stdout.close()
    child.wait()
    opened = Store(path)
    rows = s.rows_after(opened.read(), "t", 0)
    assert opened.read().pragma("integrity_check") == "ok"
    opened.close()
    assert [r.seq for r in rows] == list(range(1, len(rows) + 1))
    return max(int(line) for line in said), len(rows)


def test_kill_9_loses_nothing_that_was_acknowledged(tmp_path: Path) -> None:
    """The writer says each number only after COMMIT; whatever it said is there after it was shot."""
    for kill in range(5):
        said, kept = shoot(tmp_path / "tables.db", "after", 0.05 + 0.03 * kill)
        assert kept >= said


def test_the_kill_test_would_see_an_early_acknowledgement(tmp_path: Path) -> None:
    """Answered before COMMIT, something that was said is gone: else the test above would be blind."""
    for kill in range(20):
        said, kept = shoot(tmp_path / "tables.db", "early", 0.03 + 0.007 * kill)
        if kept < said:
            return
    pytest.fail("acknowledged before COMMIT, and yet nothing was lost")


def test_appends_per_second_are_measured(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """100 submitters, FULL: a figure to look at; each of them is kept."""

    async def run() -> float:
        opened = Store(tmp_path / "tables.db")
        for n in range(100):
            await opened.write(s.create(NewTable("family", False, b""), appended(0, table=f"t{n}")))

        async def submitter(n: int) -> None:
            for at in range(1, 31):
                await opened.write(s.append(appended(at, table=f"t{n}", command=command(str(at), at))))

        begun = time.perf_counter()
        await asyncio.gather(*(submitter(n) for n in range(100)))
        took = time.perf_counter() - begun
        assert all(head(opened, f"t{n}") == 31 for n in range(100))
        opened.close()
        return 3_000 / took

    rate = asyncio.run(run())
    with capsys.disabled():
        print(f"\n{rate:,.0f} durable appends/s (group commit, 100 submitters)")
