"""A copy of a store that is known to be good: SQLite has checked it, and every table in it has been played again."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import apsw

from maumau.tables import ledger
from maumau.tables.errors import LogError, StoreError
from maumau.tables.store import BUSY_MS, OWNER_ONLY, check_sqlite
from maumau.tables.table import LiveTable


@dataclass(frozen=True, slots=True)
class Copied:
    """What a copy holds."""

    tables: int
    events: int
    size: int
    """bytes"""

    def as_json(self) -> dict[str, Any]:
        """As plain data."""
        return {"tables": self.tables, "events": self.events, "size": self.size}


def back_up(store: Path, copy: Path) -> Copied:
    """Copy a store into a new file, while a server may be writing, and check the copy.

    The copy appears under its name only when it is whole and good. Like the store, it holds the secrets of running
    rounds: only its owner may read it. Raises StoreError.
    """
    check_sqlite(apsw.sqlite_lib_version())
    if not store.is_file():
        raise StoreError(f"There is no store at {store}; name its folder with --data.")
    if copy.exists():
        raise StoreError(f"{copy} exists already; name a file that does not.")
    if not copy.parent.is_dir():
        raise StoreError(f"There is no folder {copy.parent}; make it first.")
    try:
        return _copied(store, copy)
    except OSError as error:
        raise StoreError(f"{copy} cannot be written ({error.strerror}); name a file in another folder.") from error


def _copied(store: Path, copy: Path) -> Copied:
    part = copy.with_name(f".{copy.name}.part")
    part.unlink(missing_ok=True)
    part.touch(mode=OWNER_ONLY)
    try:
        _copy(store, part)
        tables, events = _check(part)
        try:
            _name(part, copy)
        except FileExistsError:
            raise StoreError(f"{copy} exists already; name a file that does not.") from None
    finally:
        part.unlink(missing_ok=True)
    return Copied(tables, events, copy.stat().st_size)


def _name(part: Path, copy: Path) -> None:
    """Give the copy its name, and never replace a file that has come in between: FileExistsError."""
    try:
        os.link(part, copy)
    except FileExistsError:
        raise
    except OSError:  # a USB stick and a network share may know no second name for a file
        copy.touch(mode=OWNER_ONLY, exist_ok=False)
        part.replace(copy)


def _copy(store: Path, part: Path) -> None:
    """One read transaction on the store, written into an empty file and onto the disk."""
    try:
        source = apsw.Connection(str(store), flags=apsw.SQLITE_OPEN_READWRITE)
        try:
            source.set_busy_timeout(BUSY_MS)
            source.execute("VACUUM INTO ?", (str(part),))
        finally:
            source.close()
    except apsw.Error as error:
        raise StoreError(f"{store} cannot be copied: {error}.") from error
    descriptor = os.open(part, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _check(copy: Path) -> tuple[int, int]:
    """How many tables and events there are; raises StoreError where SQLite or a table finds a fault."""
    db = apsw.Connection(str(copy), flags=apsw.SQLITE_OPEN_READONLY)
    try:
        found = db.execute("PRAGMA integrity_check").get
        if found != "ok":
            raise StoreError(f"The copy is damaged: {found}.")
        names = [str(name) for (name,) in db.execute("SELECT id FROM tables ORDER BY id").fetchall()]
        return len(names), sum(_replay(db, name) for name in names)
    except apsw.Error as error:
        raise StoreError(
            f"The copy cannot be checked: {error}; serve the store once with this version first."
        ) from error
    finally:
        db.close()


def _replay(db: apsw.Connection, name: str) -> int:
    """The events of a table that comes out of its log as it was."""
    stored = ledger.load(db, name)
    if stored is None:
        raise StoreError(f"Table {name} is missing from the copy.")
    try:
        table = LiveTable.replay(stored)
    except LogError as error:
        raise StoreError(f"The copy does not replay. {error}") from error
    if table.version != stored.head:
        raise StoreError(f"Table {name} comes out at event {table.version}, and should at {stored.head}.")
    return stored.head
