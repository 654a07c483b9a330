"""The store: one SQLite file in WAL mode, one writer thread, acknowledged after COMMIT.

Whoever writes hands over a function; the writer thread runs as many as are waiting in one transaction, each in a
savepoint of its own, so that one failure takes no other with it, and answers all of them after the COMMIT that holds
them. Reads run on connections of their own and never wait for the writer.
"""

from __future__ import annotations

import asyncio
import concurrent.futures
import contextlib
import importlib.resources
import queue
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final, TypeVar

import apsw

from maumau.tables.errors import StoreError, WriteError
from maumau.tables.health import Health
from maumau.tables.histogram import BATCH_BUCKETS, Histogram

T = TypeVar("T")
Transaction = Callable[[apsw.Connection], T]

SQLITE_NEEDED: Final = (3, 51, 3)
"""Older ones can corrupt a WAL when two connections reset it (sqlite.org/wal.html#walresetbug)."""
SCHEMA: Final = 1
BATCH: Final = 256
"""So many transactions at most share a COMMIT."""
READERS: Final = 4
"""So many longer readings at most run at the same time."""
BUSY_MS: Final = 5_000
CLOSED: Final = "The store is closed; open it again before {}."
NO_ROOM: Final = (apsw.FullError, apsw.IOError)
"""A full disk, and one that cannot be written."""
OWNER_ONLY: Final = 0o600
"""A store holds the secrets of running rounds; SQLite gives its WAL the same mode."""


class Store:
    """One store. ``path`` is a file, made where it is missing; its folder must exist."""

    def __init__(self, path: str | Path, *, synchronous: str = "FULL") -> None:
        check_sqlite(apsw.sqlite_lib_version())
        self.path = str(path)
        self._synchronous = synchronous
        self._jobs: queue.SimpleQueue[_Job | None] = queue.SimpleQueue()
        self._local = threading.local()
        self._readers: list[apsw.Connection] = []
        self._reading = concurrent.futures.ThreadPoolExecutor(READERS, thread_name_prefix="maumau-reader")
        self._guard = threading.Lock()
        self._closed = False
        self.commits = 0
        self.batches = Histogram(BATCH_BUCKETS)
        self.health = Health()
        with contextlib.suppress(FileExistsError):
            Path(path).touch(mode=OWNER_ONLY, exist_ok=False)
        self._writer = self._connect()
        _prepare(self._writer)
        self._thread = threading.Thread(target=self._write_loop, name="maumau-writer", daemon=True)
        self._thread.start()

    def _open(self) -> apsw.Connection:
        return apsw.Connection(self.path)

    def _connect(self) -> apsw.Connection:
        connection = self._open()
        connection.set_busy_timeout(BUSY_MS)
        connection.pragma("journal_mode", "wal")
        connection.pragma("synchronous", self._synchronous)
        connection.pragma("foreign_keys", True)
        return connection

    # --- writing --------------------------------------------------------------------------------------------------

    async def write(self, transaction: Transaction[T]) -> T:
        """Run ``transaction`` on the writer; its result, once it is on the disk."""
        return await asyncio.wrap_future(self.submit(transaction))

    def submit(self, transaction: Transaction[T]) -> concurrent.futures.Future[T]:
        """As ``write``, for callers without a loop."""
        future: concurrent.futures.Future[T] = concurrent.futures.Future()
        with self._guard:
            if self._closed:
                raise StoreError(CLOSED.format("writing"))
            self._jobs.put(_Job(transaction, future))
        return future

    def _write_loop(self) -> None:
        while (first := self._jobs.get()) is not None:
            batch, stop = [first], False
            while len(batch) < BATCH and not stop:
                try:
                    job = self._jobs.get_nowait()
                except queue.Empty:
                    break
                stop = job is None
                if job is not None:
                    batch.append(job)
            self._commit([job for job in batch if job.future.set_running_or_notify_cancel()])
            if stop:
                break

    def _commit(self, batch: list[_Job]) -> None:
        """One COMMIT for the whole batch; only then is anybody answered."""
        writer, began = self._writer, time.perf_counter()
        try:
            writer.execute("BEGIN IMMEDIATE")
            for job in batch:
                job.run(writer)
            writer.execute("COMMIT")
            self.commits += 1
            self.batches.add(time.perf_counter() - began)
        except Exception as error:
            if writer.in_transaction:
                writer.execute("ROLLBACK")
            self.health.failed(str(error), len(batch))
            lost = WriteError(f"The store did not take it: {error}.")
            lost.__cause__ = error
            for job in batch:
                job.future.set_exception(lost)
            return
        self.health.wrote()
        for job in batch:
            job.answer()

    # --- reading --------------------------------------------------------------------------------------------------

    def read(self) -> apsw.Connection:
        """The reading connection of this thread. For short look-ups; long ones go through ``in_thread``."""
        if self._closed:
            raise StoreError(CLOSED.format("reading"))
        return self._reader()

    def _reader(self) -> apsw.Connection:
        connection: apsw.Connection | None = getattr(self._local, "connection", None)
        if connection is None:
            connection = self._connect()
            connection.pragma("query_only", True)
            self._local.connection = connection
            with self._guard:
                self._readers.append(connection)
        return connection

    async def in_thread(self, question: Transaction[T]) -> T:
        """Run a longer reading off the loop."""
        if self._closed:
            raise StoreError(CLOSED.format("reading"))
        return await asyncio.get_running_loop().run_in_executor(self._reading, lambda: question(self._reader()))

    # --- the end --------------------------------------------------------------------------------------------------

    def close(self) -> None:
        """Finish what was handed over, fold the WAL into the file, and close. No other thread may be reading by ``read``."""
        if self._finish():
            self._close_readers()
            self._fold()

    async def aclose(self) -> None:
        """As ``close``, without holding up the loop on whose thread others may still be reading."""
        if await asyncio.to_thread(self._finish):
            self._close_readers()
            await asyncio.to_thread(self._fold)

    def _finish(self) -> bool:
        """Take nothing more, and wait for what was asked, also where nobody waits for its answer any more; False the second time."""
        with self._guard:
            if self._closed:
                return False
            self._closed = True
            self._jobs.put(None)
        self._thread.join()
        self._reading.shutdown()
        return True

    def _close_readers(self) -> None:
        for connection in self._readers:
            connection.close(True)

    def _fold(self) -> None:
        # another process still reads: its own close folds the rest; or the disk is full: the next start does
        with contextlib.suppress(apsw.BusyError, *NO_ROOM):
            self._writer.wal_checkpoint(mode=apsw.SQLITE_CHECKPOINT_TRUNCATE)
        with contextlib.suppress(*NO_ROOM):  # it tries to fold once more
            self._writer.close(True)

    @property
    def waiting(self) -> int:
        """How many transactions wait for the writer."""
        return self._jobs.qsize()

    @property
    def wal_bytes(self) -> int:
        """How large the write-ahead log is now."""
        try:
            return Path(f"{self.path}-wal").stat().st_size
        except OSError:
            return 0

    def backup(self, path: str | Path) -> None:
        """A consistent copy into a new file, while others write."""
        if Path(path).exists():
            raise StoreError(f"{path} exists already; name a file that does not.")
        connection = self._connect()
        try:
            connection.execute("VACUUM INTO ?", (str(path),))
        finally:
            connection.close()


class _Job:
    """A transaction handed to the writer, and the future that waits for its COMMIT."""

    __slots__ = ("error", "future", "result", "transaction")

    def __init__(self, transaction: Transaction[Any], future: concurrent.futures.Future[Any]) -> None:
        self.transaction = transaction
        self.future = future
        self.result: Any = None
        self.error: Exception | None = None

    def run(self, writer: apsw.Connection) -> None:
        writer.execute("SAVEPOINT job")
        try:
            self.result = self.transaction(writer)
        except Exception as error:
            self.error = error
            if not writer.in_transaction:
                raise  # SQLite has rolled back everything (disk full, I/O error): nobody of this batch was kept
            writer.execute("ROLLBACK TO job")
        writer.execute("RELEASE job")

    def answer(self) -> None:
        if self.error is None:
            self.future.set_result(self.result)
        else:
            self.future.set_exception(self.error)


def check_sqlite(version: str) -> None:
    """Refuse an SQLite that can corrupt a WAL."""
    if tuple(int(part) for part in version.split(".")[:3]) < SQLITE_NEEDED:
        needed = ".".join(map(str, SQLITE_NEEDED))
        raise StoreError(f"SQLite {version} can corrupt a store; {needed} or newer is needed (update apsw).")


def _prepare(writer: apsw.Connection) -> None:
    """Make what is missing; refuse a store of another schema."""
    ddl = importlib.resources.files("maumau.tables").joinpath("schema.sql").read_text(encoding="utf-8")
    writer.execute("BEGIN IMMEDIATE")
    try:
        writer.execute(ddl)
        now = int(time.time() * 1000)
        writer.execute("INSERT OR IGNORE INTO server VALUES (1, ?, ?)", (SCHEMA, now))
        found = writer.execute("SELECT schema FROM server").get
        if found != SCHEMA:
            raise StoreError(f"The store has schema {found}; this version needs {SCHEMA}.")
        writer.execute("UPDATE server SET booted_at = ?", (now,))
    except BaseException:
        writer.execute("ROLLBACK")
        raise
    writer.execute("COMMIT")
