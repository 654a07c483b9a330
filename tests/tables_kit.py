"""What the tests of the tables share: a service on a file, a person who plays along, a bot without wit."""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from maumau.game import Action, Observation
from maumau.tables import Pace, Seated, SeatSpec, Store, TableError, Tables, TableSpec, View, ledger
from maumau.tables.clockwork import BOTS
from maumau.tables.table import LiveTable

IDS = itertools.count(1)
PATIENCE = 120.0
"""So many seconds something is waited for that must come: a guard against hanging, and no measure of speed."""


def command_id() -> str:
    """A fresh command id."""
    return f"c{next(IDS)}"


class FirstBot:
    """Plays its first legal card, else what there is; its chance decides which shout it leaves out."""

    def __init__(self, seed: int) -> None:
        self.seed = seed

    def choose(self, observation: Observation) -> Action:
        plays = [action for action in observation.legal if action.kind == "play"]
        action = plays[self.seed % len(plays)] if plays else observation.legal[0]
        return action.with_call if action in observation.call_due and self.seed % 3 else action

    def shout(self, observation: Observation) -> Action | None:
        return observation.shouts[0] if observation.shouts and self.seed % 2 else None


def first_bot(level: str, seed: int) -> FirstBot:
    """Every level is the same here."""
    return FirstBot(seed)


def counted(start: int = 1) -> Callable[[], int]:
    """Seeds one after the other."""
    numbers = itertools.count(start)
    return lambda: next(numbers)


@asynccontextmanager
async def service(path: Path, seed: int = 1, **more: object) -> AsyncIterator[Tables]:
    """A service on a store of this folder."""
    more.setdefault("bots", first_bot)
    tables = Tables(Store(path / "tables.db"), seeds=counted(seed), **more)  # type: ignore[arg-type]  # whatever a test gives
    async with tables:
        yield tables


def spec(
    rules: str = "family", bots: int = 2, open_seats: int = 0, pace: Pace = Pace.INSTANT, **more: object
) -> TableSpec:
    """A table of Anna, bots and open seats."""
    seats = (SeatSpec(name="Anna"), *(SeatSpec(bot="normal"),) * bots, *(SeatSpec(open=True),) * open_seats)
    return TableSpec(rules=rules, seats=seats, pace=pace, **more)  # type: ignore[arg-type]  # whatever a test gives


async def until(tables: Tables, seated: Seated, done: Callable[[View], bool], seconds: float = PATIENCE) -> View:
    """The view once ``done`` holds of it."""
    watch = tables.subscribe(seated.table)
    try:
        async with asyncio.timeout(seconds):
            async for _ in watch:
                view = await tables.view(seated.table, seated.token)
                if done(view):
                    return view
    finally:
        watch.close()
    raise AssertionError("the table was closed")


def mine(view: View) -> bool:
    """It is the viewer's turn, or nobody's any more."""
    return view.turn == view.you or view.state != "playing"


async def settled(tables: Tables, seated: Seated) -> View:
    """The view once nothing happens any more before the viewer acts: bots catch each other also when it is a person's turn."""
    async with asyncio.timeout(PATIENCE):
        while True:
            await until(tables, seated, mine)
            due = [t for t in ledger.due(tables.store.read(), 2**60) if (t.table, t.kind) == (seated.table, BOTS)]
            if not due and seated.table not in tables._clockwork._firing:
                return await tables.view(seated.table, seated.token)
            await asyncio.sleep(0.005)


def pick(view: View) -> str:
    """A lawful action for the viewer: the first card that goes, with the call that is due."""
    for card in view.hand:
        if card.plays:
            return card.plays[0] + ("!" if card.call_due else "")
    return view.take or view.draw or view.pass_ or view.names[0]


async def play_round(tables: Tables, seated: Seated, look: Callable[[View], None] | None = None) -> View:
    """Play the viewer's turns until the round is over."""
    while True:
        view = await until(tables, seated, mine)
        if look is not None:
            look(view)
        if view.state != "playing":
            return view
        view = await tables.act(seated.table, seated.token, command_id(), view.version, pick(view))
        if look is not None:
            look(view)


# --- a table for a test ---------------------------------------------------------------------------------------------

Play = Callable[[Tables], Awaitable[None]]


def run(path: Path, play: Play, **more: Any) -> None:
    """Play against a service whose clock stands still: whoever is to wait for a while waits for ever."""
    more.setdefault("clock", lambda: 1_000_000.0)

    async def main() -> None:
        async with service(path, **more) as tables:
            await play(tables)

    asyncio.run(main())


async def refused(work: Awaitable[Any]) -> TableError:
    """The refusal that a command must get."""
    with pytest.raises(TableError) as caught:
        await work
    return caught.value


async def act(tables: Tables, seated: Seated, action: str, version: int | None = None, **more: Any) -> View:
    """An action under a fresh id."""
    return await tables.act(seated.table, seated.token, more.pop("id_", command_id()), version, action, **more)


async def on_turn(tables: Tables, **more: Any) -> tuple[Seated, View]:
    """A table whose first seat is on turn."""
    while True:
        seated = await tables.create(spec(**more))
        view = await until(tables, seated, lambda v: mine(v) or v.pace != "instant")
        if view.turn == view.you:
            return seated, view


async def off_turn(tables: Tables, **more: Any) -> tuple[Seated, View]:
    """A table where a bot is on turn and takes its time."""
    while True:
        seated = await tables.create(spec(pace=Pace.SLOW, **more))
        view = await tables.view(seated.table, seated.token)
        if view.turn != view.you:
            return seated, view


def live(tables: Tables, seated: Seated) -> LiveTable:
    table = tables._slots[seated.table].table
    assert table is not None
    return table
