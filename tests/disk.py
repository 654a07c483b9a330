"""A disk whose power can go: an SQLite VFS that knows which writes have been synced, and what a cut may leave of the rest.

Everything is written to real files, so that a running store works as ever. Beside them this keeps what is certainly on
the disk: a file as it was at its last sync. A cut keeps that and, of the writes since, nothing, a first part, any of
them, or any of their sectors: a disk promises no more than that what was synced is there.
"""

from __future__ import annotations

import random
import threading
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import apsw

from maumau.tables.store import Store

SECTOR: Final = 512
Images = dict[str, bytes]
"""What a cut leaves: the bytes of each file by its name."""
Write = tuple[int, bytes | None]
"""An offset and what is written there; None cuts the file off there."""


@dataclass(slots=True)
class _Kept:
    """One file: as it was when last synced (None: it has never been), and what has been written since."""

    synced: bytearray | None
    since: list[Write] = field(default_factory=list)

    def sync(self) -> None:
        self.synced = _written(self.synced or bytearray(), self.since)
        self.since = []

    def after_cut(self, chance: random.Random, how: str) -> bytes | None:
        left = list(_survivors(self.since, chance, how))
        if self.synced is None and not left:
            return None
        return bytes(_written(bytearray(self.synced or b""), left))


def _written(image: bytearray, writes: Iterable[Write]) -> bytearray:
    for offset, data in writes:
        if data is None:
            del image[offset:]
        else:
            image.extend(bytes(max(0, offset - len(image))))
            image[offset : offset + len(data)] = data
    return image


HOW: Final = ("nothing", "the first", "some", "some sectors")


def _survivors(writes: list[Write], chance: random.Random, how: str) -> Iterable[Write]:
    """The unsynced writes that reach the disk all the same."""
    if how == "nothing":
        return []
    if how == "the first":
        return writes[: chance.randint(0, len(writes))]
    if how == "some":
        return [write for write in writes if chance.random() < 0.5]
    return [sector for write in writes for sector in _sectors(write) if chance.random() < 0.5]


def _sectors(write: Write) -> Iterable[Write]:
    offset, data = write
    if data is None:
        yield write
        return
    for start in range(0, len(data), SECTOR):
        yield offset + start, data[start : start + SECTOR]


class Disk(apsw.VFS):
    """The VFS, registered under ``name``; ``watch`` is called before each write and each sync, on whatever thread."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.watch: Callable[[], None] = lambda: None
        self._files: dict[str, _Kept] = {}
        self._guard = threading.Lock()
        super().__init__(name, "")

    def xOpen(self, name: Any, flags: list[int]) -> apsw.VFSFile:
        path = Path(name.filename() if isinstance(name, apsw.URIFilename) else name)
        with self._guard:
            there = bytearray(path.read_bytes()) if path.exists() and path.stat().st_size else None
            self._files.setdefault(path.name, _Kept(there))
        return _File(self, path.name, name, flags)

    def xDelete(self, filename: str, syncdir: bool) -> None:
        super().xDelete(filename, syncdir)
        with self._guard:
            self._files.pop(Path(filename).name, None)

    def wrote(self, name: str, write: Write) -> None:
        """Something has been written and not synced."""
        with self._guard:
            self._files[name].since.append(write)

    def synced(self, name: str) -> None:
        """A file is on the disk as it is."""
        with self._guard:
            self._files[name].sync()

    def cut(self, chance: random.Random) -> Images:
        """The power goes: what is left of each file."""
        how = chance.choice(HOW)
        with self._guard:
            left = {name: kept.after_cut(chance, how) for name, kept in self._files.items()}
        return {name: image for name, image in left.items() if image is not None}


class _File(apsw.VFSFile):
    """An open file that tells its disk what is written and synced."""

    def __init__(self, disk: Disk, called: str, name: Any, flags: list[int]) -> None:
        self._disk, self._called = disk, called
        super().__init__("", name, flags)

    def xWrite(self, data: bytes, offset: int) -> None:
        self._disk.watch()
        super().xWrite(data, offset)
        self._disk.wrote(self._called, (offset, bytes(data)))

    def xTruncate(self, newsize: int) -> None:
        super().xTruncate(newsize)
        self._disk.wrote(self._called, (newsize, None))

    def xSync(self, flags: int) -> None:
        self._disk.watch()
        super().xSync(flags)
        self._disk.synced(self._called)


class StoreOnDisk(Store):
    """A store whose files lie on such a disk."""

    def __init__(self, path: Path, disk: Disk, *, synchronous: str = "FULL") -> None:
        self._disk = disk
        super().__init__(path, synchronous=synchronous)

    def _open(self) -> apsw.Connection:
        return apsw.Connection(self.path, vfs=self._disk.name)
