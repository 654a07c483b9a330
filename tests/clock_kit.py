"""What the tests of clocks share: time that a test moves, and a table of people whose turns it runs out on."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any, TypeVar

import pytest
from tests.tables_kit import PATIENCE, service, spec

from maumau.tables import Pace, Seated, TableError, Tables, View, ledger

Play = Callable[[Tables, "Hand"], Awaitable[None]]
T = TypeVar("T")
SECONDS = 30


class Hand:
    """A clock that only the test moves."""

    def __init__(self) -> None:
        self.at = 1_000_000.0

    def __call__(self) -> float:
        return self.at


def run(path: Path, play: Play, hand: Hand | None = None) -> None:
    async def whole() -> None:
        moved = hand or Hand()
        async with service(path, clock=moved) as tables:
            await play(tables, moved)

    asyncio.run(whole())


def over_a_restart(
    path: Path,
    down: float,
    before: Callable[[Tables, Hand], Awaitable[T]],
    after: Callable[[Tables, Hand, T], Awaitable[None]],
) -> None:
    """Two lives of a server, and ``down`` seconds between them; ``after`` is given what ``before`` returns."""

    async def whole() -> None:
        hand = Hand()
        async with service(path, clock=hand) as tables:
            kept = await before(tables, hand)
        hand.at += down
        async with service(path, clock=hand) as tables:
            await after(tables, hand, kept)

    asyncio.run(whole())


async def pass_time(tables: Tables, hand: Hand, seconds: float) -> None:
    """Let time pass, and everything that falls due be fired, whatever follows at once from it included."""
    hand.at += seconds
    async with asyncio.timeout(PATIENCE):
        while ledger.due(tables.store.read(), tables.now()) or tables._clockwork._firing:
            tables._clockwork.wake()
            await asyncio.sleep(0.005)


async def friends(tables: Tables, n: int = 2, seconds: int | None = SECONDS, **more: Any) -> list[Seated]:
    """A table of people, started, whose last joined are in the order of their seats."""
    more.setdefault("pace", Pace.SLOW)
    seated = [await tables.create(spec(bots=0, open_seats=n - 1, turn_seconds=seconds, **more))]
    names = ["Berta", "Carl", "Dora"]
    seated += [await tables.join(seated[0].table, seated[0].invite or "", name) for name in names[: n - 1]]
    await tables.start(seated[0].table, seated[0].token)
    return seated


async def on_turn(tables: Tables, seated: list[Seated]) -> tuple[Seated, View]:
    view = await tables.view(seated[0].table, seated[0].token)
    assert view.turn is not None
    who = seated[view.turn]
    return who, await tables.view(who.table, who.token)


async def refused(work: Awaitable[Any]) -> TableError:
    with pytest.raises(TableError) as error:
        await work
    return error.value


async def kinds(tables: Tables, seated: Seated, after: int = 0) -> list[str]:
    return [event["kind"] for event in await tables.events(seated.table, seated.token, after)]
