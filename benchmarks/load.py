"""What a server bears: acknowledgement and spreading of actions, memory of idle seats, appends, a herd, a soak.

The server runs on one core and the guests on another, where the system lets one choose. Small numbers unless ``full``.
"""

from __future__ import annotations

import asyncio
import os
import tempfile
import time
from collections.abc import Callable, Coroutine, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar

from benchmarks.guests import Figures, Spans, Table, all_look, sit_down
from maumau.tables import Store, ledger
from maumau.tables.ledger import Append, Command, NewTable
from run_server import Server

T = TypeVar("T")
Row = dict[str, Any]
EVERY = 5.0
"""Seconds from one action of a table to its next."""
QUIET = 10.0
"""Seconds after which a page that has heard nothing asks whether its line stands (``line.js``)."""


@contextmanager
def served() -> Iterator[Server]:
    """A server on the first core we may use; this process keeps to the last."""
    cores = sorted(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else []
    prefix: tuple[str, ...] = ()
    if len(cores) > 1:
        prefix = ("taskset", "-c", str(cores[0]))
    with tempfile.TemporaryDirectory() as folder:
        server = Server(Path(folder), prefix=prefix)
        if prefix:
            os.sched_setaffinity(0, {cores[-1]})
        try:
            yield server
        finally:
            if cores:
                os.sched_setaffinity(0, set(cores))
            server.kill()


def memory_kib(server: Server) -> int:
    """What the server holds in memory of its own, in KiB."""
    for line in Path(f"/proc/{server.process.pid}/smaps_rollup").read_text(encoding="ascii").splitlines():
        if line.startswith("Pss:"):
            return int(line.split()[1])
    raise RuntimeError("the system does not tell how much memory a process holds")


def processor_seconds(server: Server) -> float:
    """How long the server has worked so far."""
    fields = Path(f"/proc/{server.process.pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def open_files(server: Server) -> int:
    """How many files and sockets the server has open."""
    return len(list(Path(f"/proc/{server.process.pid}/fd").iterdir()))


def _run(what: Callable[..., Coroutine[Any, Any, T]], *given: Any) -> T:
    with served() as server:
        return asyncio.run(what(server, *given))


# --- acting -----------------------------------------------------------------------------------------------------------


def acting_rows(full: bool) -> list[Row]:
    """Four people at each table, all of them looking, one action in five seconds."""
    sizes = [(500, 60.0)] if full else [(20, 8.0)]
    return [_run(_acting, *size) for size in sizes]


async def _acting(server: Server, count: int, seconds: float) -> Row:
    tables = await sit_down(server.port, count)
    await all_look(tables)
    figures, began, worked = Figures(), time.perf_counter(), processor_seconds(server)
    await _play(tables, EVERY, seconds, figures)
    took = time.perf_counter() - began
    frames = sum(seat.frames for table in tables for seat in table.seats)
    size = sum(seat.size for table in tables for seat in table.seats)
    return {
        "tables": count,
        "actions/s": len(figures.answered.all) / seconds,
        "answered p50 ms": figures.answered.at(0.5),
        "p99 ms": figures.answered.at(0.99),
        "all informed p50 ms": figures.informed.at(0.5),
        "p99 ms ": figures.informed.at(0.99),
        "server's core": (processor_seconds(server) - worked) / took,
        "KiB a view": size / max(1, frames) / 1024,
        "refused": figures.refused,
        "silent": figures.silent,
    }


async def _play(tables: list[Table], every: float, seconds: float, figures: Figures) -> None:
    """One table after the other acts, at even distances, so that the guests themselves make no rush."""
    now, step = time.perf_counter() + 0.1, every / len(tables)
    await asyncio.gather(*(table.play(every, now + n * step, now + seconds, figures) for n, table in enumerate(tables)))


# --- idle seats -------------------------------------------------------------------------------------------------------


def idle_rows(full: bool) -> list[Row]:
    """Seats at running tables of four whose page is open and who do nothing."""
    return [_run(_idle, 2_000 if full else 50)]


async def _idle(server: Server, count: int) -> Row:
    warm = await sit_down(server.port, 5)
    await all_look(warm)
    before = memory_kib(server)
    tables = await sit_down(server.port, count)
    seated = memory_kib(server)
    began, worked = time.perf_counter(), processor_seconds(server)
    await all_look(tables)
    opened, busy = time.perf_counter() - began, processor_seconds(server) - worked
    await asyncio.sleep(2)
    after = memory_kib(server)
    seats, asking = 4 * count, await _asks(server, tables)
    return {
        "idle seats": seats,
        "MiB before": before / 1024,
        "MiB with them": after / 1024,
        "KiB a seat": (after - before) / seats,
        "of it the table": (seated - before) / seats,
        "of it the socket": (after - seated) / seats,
        "opened/s": seats / opened,
        "ms of work each": 1000 * busy / seats,
        "core while they ask": asking,
    }


async def _asks(server: Server, tables: list[Table]) -> float:
    """The share of a core that it takes when every page asks once in ``QUIET`` seconds whether its line stands."""
    seats = [seat for table in tables for seat in table.seats]
    began, worked = time.perf_counter(), processor_seconds(server)
    for number, seat in enumerate(seats):
        seat.ask()
        ahead = began + QUIET * number / len(seats) - time.perf_counter()
        if ahead > 0.01:
            await asyncio.sleep(ahead)
    await asyncio.gather(*(seat.stands.wait() for seat in seats))
    return (processor_seconds(server) - worked) / max(QUIET, time.perf_counter() - began)


# --- the store --------------------------------------------------------------------------------------------------------


def append_rows(full: bool) -> list[Row]:
    """100 submitters at once, each append a whole action, acknowledged after COMMIT."""
    each = 300 if full else 30
    with tempfile.TemporaryDirectory() as folder:
        rate, waits, commits = asyncio.run(_appends(Path(folder) / "store", 100, each))
    return [
        {
            "durable appends/s": rate,
            "p50 ms": waits.at(0.5),
            "p99 ms": waits.at(0.99),
            "appends a COMMIT": 100 * each / commits,
        }
    ]


def _append(table: str, head: int) -> Append:
    shown = '{"action":"9h","cards":["9h"]}'
    row = ledger.Row(head + 1, "play", 0, "9h", 0, str(head), 1_000, shown, None)
    return Append(table, head, (row,), "playing", 1_000, command=Command(0, str(head), bytes(32), head + 1, "en"))


async def _appends(path: Path, submitters: int, each: int) -> tuple[float, Spans, int]:
    store, waits = Store(path), Spans()
    for number in range(submitters):
        await store.write(ledger.create(NewTable("family", False, b""), _append(f"t{number}", 0)))

    async def submit(table: str) -> None:
        for head in range(1, each + 1):
            began = time.perf_counter()
            await store.write(ledger.append(_append(table, head)))
            waits.all.append(time.perf_counter() - began)

    before, began = store.commits, time.perf_counter()
    await asyncio.gather(*(submit(f"t{number}") for number in range(submitters)))
    took, commits = time.perf_counter() - began, store.commits - before
    store.close()
    return submitters * each / took, waits, commits


# --- a herd -----------------------------------------------------------------------------------------------------------


def herd_rows(full: bool) -> list[Row]:
    """All sockets are cut at once, first by the network, then by a kill of the server; pages come back at their pace."""
    return _run(_herd, 250 if full else 25)


async def _herd(server: Server, count: int) -> list[Row]:
    tables = await sit_down(server.port, count)
    await all_look(tables)
    rows = []
    for what in ("the network", "a killed server"):
        seats = [seat for table in tables for seat in table.seats]
        began = time.perf_counter()
        if what == "the network":
            await asyncio.gather(*(seat.cut() for seat in seats))
        else:
            server.kill()
            await asyncio.gather(*(seat.push.gone.wait() for seat in seats if seat.push))
            began = time.perf_counter()
            server.launch()
        back = Spans(list(await asyncio.gather(*(_come_back(table, began) for table in tables))))
        rows.append(
            {
                "cut by": what,
                "sockets": len(seats),
                "half of the tables back in s": back.at(0.5) / 1000,
                "the last in s": back.at(1) / 1000,
            }
        )
    return rows


async def _come_back(table: Table, began: float) -> float:
    """Seconds until all seats of a table have its view again; each tries as the page does."""

    async def one(number: int) -> None:
        seat, tries = table.seats[number], 0
        seat.version = 0
        seat.first.clear()
        while True:
            await asyncio.sleep(min(0.25 * 2**tries, 5) * (0.7 + table.chance.random() * 0.6))
            tries += 1
            try:
                await seat.look()
            except Exception:
                continue
            await seat.first.wait()
            return

    await asyncio.gather(*(one(number) for number in range(len(table.seats))))
    return time.perf_counter() - began


# --- a soak -----------------------------------------------------------------------------------------------------------


def soak_rows(full: bool) -> list[Row]:
    """People play fast, tables end and new ones begin, sockets come and go: memory and open files over time."""
    return _run(_soak, *((100, 10, 30.0) if full else (8, 4, 5.0)))


async def _soak(server: Server, count: int, turns: int, seconds: float) -> list[Row]:
    figures, rows, began = Figures(), [], time.perf_counter()
    tables = await sit_down(server.port, count)
    await all_look(tables)
    for turn in range(turns):
        await _play(tables, 1.0, seconds, figures)
        renewed = max(1, count // 10)  # a tenth of the tables is left for new ones
        for table in tables[:renewed]:
            await asyncio.gather(*(seat.cut() for seat in table.seats))
        fresh = await sit_down(server.port, renewed)
        await all_look(fresh)
        tables = tables[renewed:] + fresh
        rows.append(
            {
                "after s": round(time.perf_counter() - began),
                "MiB": memory_kib(server) / 1024,
                "open files": open_files(server),
                "tables made": count + renewed * (turn + 1),
                "actions": len(figures.answered.all),
                "answered p99 ms": figures.answered.at(0.99),
            }
        )
    return rows


PARTS: dict[str, tuple[str, Callable[[bool], list[Row]]]] = {
    "acting": ("Four people at a table, one action in 5 s, server on one core", acting_rows),
    "idle": ("Seats that only look", idle_rows),
    "appends": ("The store alone, 100 submitters", append_rows),
    "herd": ("All sockets cut at once", herd_rows),
    "soak": ("A soak, one action a second at each table; now and then one waits for a grace to end", soak_rows),
}
"""Each part by its name: a title, and what measures it."""
