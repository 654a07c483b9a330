"""Quick reactions: seen by all, once in three seconds, and nobody's decision is stale for them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.friends_kit import BASE, Time, another, join, open_table, two_at_a_table
from tests.tables_kit import command_id, pick
from tests.web_client import TestClient

from maumau.tables import TableError
from maumau.web.app import create_app


@pytest.fixture
def host(tmp_path: Path) -> Iterator[TestClient]:
    with TestClient(create_app(tmp_path), base_url=BASE, follow_redirects=False) as opened:
        yield opened


@pytest.mark.anyio
async def test_a_reaction_is_seen_by_all_once_in_three_seconds(tmp_path: Path) -> None:
    clock = Time()
    async with two_at_a_table(tmp_path, clock) as (tables, anna, ben):
        await tables.react(ben.table, ben.token, "well-played")
        seen = await tables.view(anna.table, anna.token, "de")
        assert seen.seats[1].reaction == "Gut gespielt!"
        assert seen.log[-1].kind == "react"
        with pytest.raises(TableError) as hasty:
            await tables.react(ben.table, ben.token, "wow")
        assert (hasty.value.code, hasty.value.status) == ("too-fast", 429)
        await tables.react(anna.table, anna.token, "thanks")  # everybody has an own limit
        clock.now += 3
        await tables.react(ben.table, ben.token, "wow")
        with pytest.raises(TableError) as unknown:
            await tables.react(anna.table, anna.token, "<b>")
        assert (unknown.value.code, unknown.value.status) == ("unknown-reaction", 422)
        assert len(seen.reactions) == 8


@pytest.mark.anyio
async def test_a_reaction_makes_nobodys_decision_stale(tmp_path: Path) -> None:
    async with two_at_a_table(tmp_path, Time()) as (tables, anna, ben):
        view = await tables.view(anna.table, anna.token)
        on_turn, other = (anna, ben) if view.turn == anna.seat else (ben, anna)
        view = await tables.view(on_turn.table, on_turn.token)
        await tables.react(other.table, other.token, "haha")
        done = await tables.act(on_turn.table, on_turn.token, command_id(), view.version, pick(view))
        assert done.version > view.version


def test_a_reaction_is_a_plain_form_and_an_api_call(host: TestClient) -> None:
    host.app.state.tables._clock = Time()  # type: ignore[attr-defined]  # the client serves our application
    table, invite = open_table(host, players=2)
    with another(host) as guest:
        join(guest, invite)
        host.post(f"{table}/start")
        assert guest.post(f"{table}/react", data={"reaction": "haha"}).status_code == 303
        assert re.search(r'class="bubble">Haha!', host.get(table).text)
    made = host.post("/api/tables", json={"seats": [{"name": "Anna"}, {"bot": "normal"}]}).json()
    path, key = f"/api/tables/{made['table']}/react", {"Authorization": f"Bearer {made['token']}"}
    assert host.post(path, json={"reaction": "wow"}, headers=key).status_code == 200
    assert host.post(path, json={"reaction": "wow"}, headers=key).status_code == 429
