"""Knocking, in process: who waits in front of a table, what the host answers, and what each of them gets to see."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.friends_kit import BASE, another, join, open_table, word_of
from tests.tables_kit import service, spec
from tests.web_client import TestClient

from maumau.tables import TableError, Tables
from maumau.tables.knocks import MOST_WAITING
from maumau.tables.ledger import load
from maumau.tables.names import digest
from maumau.web.app import KNOCKS, create_app


@pytest.fixture
def host(tmp_path: Path) -> Iterator[TestClient]:
    with TestClient(create_app(tmp_path), base_url=BASE, follow_redirects=False) as opened:
        yield opened


def _door(host: TestClient, guest: TestClient, table: str) -> str:
    return str(guest.post("/word", data={"word": word_of(host, table)}).headers["location"])


def _knock(guest: TestClient, door: str, name: str) -> None:
    answer = guest.post(door, data={"name": name})
    assert (answer.status_code, answer.headers["location"]) == (303, door)


def _knocks(host: TestClient, table: str) -> dict[str, str]:
    """Who knocks, as the host's waiting room shows it: the number by name."""
    page = host.get(table).text
    return {name: number for number, name in re.findall(r'id="knock-(\d+)".*?chair-name">(.*?)</bdi>', page)}


def test_whoever_comes_by_the_word_waits_until_the_host_lets_them_in(host: TestClient) -> None:
    table, invite = open_table(host)
    with another(host) as guest:
        door = _door(host, guest, table)
        page = guest.get(door).text
        assert re.search(r'name="name" value="[^"]+"', page)
        assert invite not in page
        assert host.get(table).text.count("free seat") == 2
        _knock(guest, door, "Ben")
        waiting = guest.get(door).text
        assert "In a moment Anna will let you in" in waiting
        assert '<noscript><meta http-equiv="refresh"' in waiting
        assert invite not in waiting
        assert guest.get(table).status_code == 401
        assert host.get(table).text.count("free seat") == 2
        assert host.post(f"{table}/let-in", data={"knock": _knocks(host, table)["Ben"]}).status_code == 303
        assert _knocks(host, table) == {}
        entered = guest.get(door)
        assert (entered.status_code, entered.headers["location"]) == (303, table)
        assert 'chair-name">Ben</bdi> <span class="tag">' in guest.get(table).text
        assert guest.get("/me/export").status_code == 200
        assert guest.get(door).headers["location"] == table


def test_only_the_browser_that_knocked_gets_the_seat(host: TestClient) -> None:
    table, _ = open_table(host)
    with another(host) as guest, another(host) as other:
        door = _door(host, guest, table)
        _knock(guest, door, "Ben")
        host.post(f"{table}/let-in", data={"knock": "1"})
        assert 'id="knock"' in other.get(door).text
        assert other.get(table).status_code == 401
        assert guest.get(door).headers["location"] == table


def test_the_secret_of_a_knock_opens_nothing_before_the_host_has_said_yes(host: TestClient) -> None:
    table, _ = open_table(host)
    with another(host) as guest:
        door, secret = _door(host, guest, table), "s" * 22
        for _ in range(2):  # sent twice it is one knock
            guest.post(door, data={"name": "Ben", "key": secret})
        assert list(_knocks(host, table)) == ["Ben"]
        bearer = {"authorization": f"Bearer {secret}"}
        api = f"/api/tables/{table.removeprefix('/t/')}"
        assert guest.get(api, headers=bearer).status_code == 401
        host.post(f"{table}/let-in", data={"knock": "1"})
        assert guest.get(api, headers=bearer).json()["you"] == 1


def test_whoever_is_turned_away_is_told_politely_and_does_not_sit(host: TestClient) -> None:
    table, _ = open_table(host)
    with another(host) as guest:
        door = _door(host, guest, table)
        _knock(guest, door, "Ben")
        assert host.post(f"{table}/turn-away", data={"knock": "1"}).status_code == 303
        assert "Not this time, sorry" in guest.get(door).text
        assert guest.get(table).status_code == 401
        assert host.post(f"{table}/let-in", data={"knock": "1"}).status_code == 409
        assert host.get(table).text.count("free seat") == 2


def test_a_knock_is_withdrawn_and_may_be_made_again(host: TestClient) -> None:
    table, _ = open_table(host)
    with another(host) as guest:
        door = _door(host, guest, table)
        _knock(guest, door, "Ben")
        assert guest.post(f"{door}/withdraw").headers["location"] == "/"
        assert _knocks(host, table) == {}
        assert 'id="knock"' in guest.get(door).text
        _knock(guest, door, "Ben")
        assert _knocks(host, table) == {"Ben": "2"}


def test_only_the_host_sees_who_knocks_and_answers(host: TestClient) -> None:
    table, invite = open_table(host)
    with another(host) as guest, another(host) as seated:
        join(seated, invite, "Cem")
        _knock(guest, _door(host, guest, table), "Ben")
        assert "Ben" not in seated.get(table).text
        for deed in ("let-in", "turn-away", "ask"):
            assert seated.post(f"{table}/{deed}", data={"knock": "1", "ask": "0"}).status_code == 403
        host.post(f"{table}/host", data={"seat": "1"})
        assert _knocks(host, table) == {}
        assert _knocks(seated, table) == {"Ben": "1"}


def test_those_who_wait_are_told_that_the_table_has_filled_or_started(host: TestClient) -> None:
    table, invite = open_table(host, players=2)
    with another(host) as guest, another(host) as seated:
        door = _door(host, guest, table)
        _knock(guest, door, "Ben")
        with guest.websocket_connect(f"{BASE.replace('http', 'ws')}{door}/live") as socket:
            join(seated, invite, "Cem")
            assert socket.receive_json()["knock"] == "full"
        assert "Every seat is taken" in guest.get(door).text
        host.post(f"{table}/remove", data={"seat": "1"})
        _knock(guest, door, "Ben")
        host.post(f"{table}/start")
        assert "The match has begun" in guest.get(door).text


def test_the_live_socket_says_nothing_before_there_is_an_answer(host: TestClient) -> None:
    table, _ = open_table(host)
    with another(host) as guest:
        door = _door(host, guest, table)
        _knock(guest, door, "Ben")
        with guest.websocket_connect(f"{BASE.replace('http', 'ws')}{door}/live") as socket:
            host.post(f"{table}/pace", data={"pace": "fast"})
            host.post(f"{table}/let-in", data={"knock": "1"})
            assert socket.receive_json() == {"v": 1, "knock": "in"}


def test_the_invite_seats_at_once_and_the_host_may_let_the_word_do_so_too(host: TestClient) -> None:
    table, invite = open_table(host, players=4)
    with another(host) as guest, another(host) as other:
        assert join(guest, invite) == table
        door = _door(host, other, table)
        assert host.post(f"{table}/ask", data={"ask": "0"}).status_code == 303
        assert _door(host, other, table) == invite
        assert other.get(door).headers["location"] == invite  # who was at the door already
        host.post(f"{table}/ask", data={"ask": "1"})
        assert _door(host, other, table) == door


def test_in_the_lobby_one_sits_down_at_once_unless_the_host_wants_to_be_asked(host: TestClient) -> None:
    table, invite = open_table(host)
    host.post(f"{table}/public", data={"public": "1"})
    with another(host) as guest:
        assert f'href="{invite}"' in guest.get("/lobby").text
        host.post(f"{table}/ask", data={"ask": "1"})
        page = guest.get("/lobby").text
        assert "/j/" not in page
        door = re.search(r'href="(/k/[^"]+)"', page)
        assert door is not None
        _knock(guest, door[1], "Ben")
        assert _knocks(host, table) == {"Ben": "1"}


def test_eight_wait_at_most_and_names_are_told_apart(host: TestClient) -> None:
    table, _ = open_table(host)
    tables: Tables = host.app.state.tables  # type: ignore[attr-defined]  # the client serves our application
    with another(host) as guest:
        name, door = _door(host, guest, table).removeprefix("/k/").split("/")

        async def knock() -> str:
            return await tables.knock(name, door, "Anna")

        assert host.portal is not None
        for _ in range(MOST_WAITING):
            host.portal.call(knock)
        assert list(_knocks(host, table)) == [f"Anna {n}" for n in range(2, MOST_WAITING + 2)]
        answer = guest.post(f"/k/{name}/{door}", data={"name": "Ben"})
        assert answer.status_code == 409
        assert "Too many are waiting" in answer.text


def test_after_ten_knocks_an_address_waits(host: TestClient) -> None:
    table, _ = open_table(host)
    with another(host) as guest:
        door = _door(host, guest, table)
        for _ in range(KNOCKS[0]):
            _knock(guest, door, "Ben")
            guest.post(f"{door}/withdraw")
        assert guest.post(door, data={"name": "Ben"}).status_code == 429
        assert _knocks(host, table) == {}


def test_a_wrong_door_and_a_table_that_is_not_there_are_answered_alike(host: TestClient) -> None:
    table, _ = open_table(host)
    name = table.removeprefix("/t/")
    for ask in (host.get, host.post):
        wrong, none = ask(f"/k/{name}/{'a' * 22}"), ask(f"/k/{'z' * 12}/{'a' * 22}")
        assert wrong.status_code == none.status_code == 404
        assert wrong.text.replace(name, "") == none.text.replace("z" * 12, "")


def test_whoever_is_forgotten_knocks_no_more(host: TestClient) -> None:
    table, _ = open_table(host)
    with another(host) as guest:
        _knock(guest, _door(host, guest, table), "Ben")
        assert guest.post("/me/delete").status_code == 200
        assert _knocks(host, table) == {}


@pytest.mark.anyio
async def test_knocks_survive_a_restart_and_their_names_stay_only_while_they_wait(tmp_path: Path) -> None:
    async with service(tmp_path) as tables:
        anna = await tables.create(spec(bots=0, open_seats=3))
        word = (await tables.view(anna.table, anna.token)).word
        door = (await tables.entrance_of_word(word or "")).door
        secrets = [await tables.knock(anna.table, door, name) for name in ("Ben", "Cem", "Dora")]
        await tables.turn_away(anna.table, anna.token, 3)
    async with service(tmp_path) as tables:
        assert (await tables.view(anna.table, anna.token)).knocks == ((1, "Ben"), (2, "Cem"))
        assert [await tables.knock_state(anna.table, door, secret) for secret in secrets] == [
            "waiting",
            "waiting",
            "away",
        ]
        await tables.let_in(anna.table, anna.token, 1)
        assert (await tables.view(anna.table, anna.token)).knocks == ((2, "Cem"),)
        seated = await tables.view(anna.table, secrets[0])
        assert (seated.you, seated.knocks) == (1, ())
        kept = load(tables.store.read(), anna.table)
        assert kept is not None
        assert {knock.knock: knock.name for knock in kept.knocks} == {1: "", 2: "Cem", 3: ""}
        assert kept.seats[1].token == digest(secrets[0])
        assert not any(name in row.shown for row in kept.rows for name in ("Ben", "Cem", "Dora"))
        await tables.start(anna.table, anna.token)
    async with service(tmp_path) as tables:
        assert await tables.knock_state(anna.table, door, secrets[1]) == "started"
        assert {knock.name for knock in (load(tables.store.read(), anna.table) or kept).knocks} == {""}
        with pytest.raises(TableError) as late:
            await tables.knock(anna.table, door, "Emil")
        assert (late.value.code, late.value.status) == ("started", 409)
