"""What the tests of friends at one table share: browsers at one server, invites, and two who play."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path

from starlette.applications import Starlette
from tests.tables_kit import service, spec
from tests.web_client import TestClient

from maumau.tables import Seated, Tables

BASE = "http://192.168.7.5:8000"


@contextmanager
def another(host: TestClient) -> Iterator[TestClient]:
    """A second browser at the same server."""
    app = host.app
    assert isinstance(app, Starlette)
    guest = TestClient(app, base_url=BASE, follow_redirects=False)
    guest.portal = host.portal  # one server is one event loop
    yield guest


def open_table(host: TestClient, players: int = 3, **fields: str) -> tuple[str, str]:
    """A table with friends: its address and its invite."""
    answer = host.post("/friends", data={"players": str(players), "name": "Anna", "pace": "instant", **fields})
    assert answer.status_code == 303
    table = str(answer.headers["location"])
    link = re.search(rf'value="({BASE}/j/[\w-]+)"', host.get(table).text)
    assert link is not None
    return table, link[1].removeprefix(BASE)


def join(guest: TestClient, invite: str, name: str = "Ben") -> str:
    answer = guest.post(invite, data={"name": name})
    assert answer.status_code == 303, answer.text
    return str(answer.headers["location"])


def word_of(host: TestClient, table: str) -> str:
    shown = re.search(r'<output id="word"[^>]*>(.*?)</output>', host.get(table).text)
    return "" if shown is None else re.sub("<[^>]*>", "", shown[1])


class Time:
    """A clock that a test moves."""

    def __init__(self) -> None:
        self.now = 1_800_000_000.0

    def __call__(self) -> float:
        return self.now


@asynccontextmanager
async def two_at_a_table(path: Path, clock: Time, bots: int = 0) -> AsyncIterator[tuple[Tables, Seated, Seated]]:
    """Anna and Ben at a running table, each with one device."""
    async with service(path, clock=clock) as tables:
        anna = await tables.create(spec(bots=bots, open_seats=1))
        ben = await tables.join(anna.table, anna.invite or "", "Ben")
        for seated in (anna, ben):
            await tables.arrive(seated.table, seated.seat)
        await tables.start(anna.table, anna.token)
        yield tables, anna, ben
