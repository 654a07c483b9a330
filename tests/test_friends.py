"""Friends at one table, in process: invites, seats, who may do what, and what a link shows before anybody sits down."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from html import unescape
from pathlib import Path

import pytest
from starlette.applications import Starlette
from tests.web_client import TestClient

from maumau.web.app import create_app

BASE = "http://192.168.7.5:8000"


@pytest.fixture
def host(tmp_path: Path) -> Iterator[TestClient]:
    with TestClient(create_app(tmp_path), base_url=BASE, follow_redirects=False) as opened:
        yield opened


@contextmanager
def another(host: TestClient) -> Iterator[TestClient]:
    """A second browser at the same server."""
    app = host.app
    assert isinstance(app, Starlette)
    yield TestClient(app, base_url=BASE, follow_redirects=False)


def _open(host: TestClient, players: int = 3, **fields: str) -> tuple[str, str]:
    """A table with friends: its address and its invite."""
    answer = host.post("/friends", data={"players": str(players), "name": "Anna", "pace": "instant", **fields})
    assert answer.status_code == 303
    table = str(answer.headers["location"])
    link = re.search(rf'value="({BASE}/j/[\w-]+)"', host.get(table).text)
    assert link is not None
    return table, link[1].removeprefix(BASE)


def _join(guest: TestClient, invite: str, name: str = "Ben") -> str:
    answer = guest.post(invite, data={"name": name})
    assert answer.status_code == 303, answer.text
    return str(answer.headers["location"])


def test_home_offers_a_table_with_friends_and_a_name(host: TestClient) -> None:
    page = host.get("/", headers={"accept-language": "de"}).text
    assert "Mit Freunden" in page
    name = re.search(r'name="name" value="([^"]+)"', page)
    assert name is not None
    assert name[1]


def test_the_waiting_room_shows_link_code_seats_and_rules(host: TestClient) -> None:
    table, _ = _open(host, book="family", house="jack-on-jack")
    page = host.get(table).text
    assert "<svg" in page
    assert 'class="qr"' in page
    assert page.count("free seat") == 2
    assert 'id="start"' in page
    assert re.search(r'<li class="differs">', page)
    assert "style=" not in page


def test_looking_at_an_invite_seats_nobody(host: TestClient) -> None:
    table, invite = _open(host)
    with another(host) as guest:
        for _ in range(3):
            page = guest.get(invite)
            assert page.status_code == 200
        assert 'id="join"' in page.text
        assert "Anna" in page.text
        assert page.text.count("free seat") == 2
        assert "set-cookie" not in page.headers
    assert host.get(table).text.count("free seat") == 2


def test_one_press_takes_a_seat_and_the_host_sees_it(host: TestClient) -> None:
    table, invite = _open(host)
    with another(host) as guest:
        form = dict(re.findall(r'name="(key|name)" value="([^"]+)"', guest.get(invite).text))
        assert form["name"]
        answer = guest.post(invite, data=form)
        assert answer.headers["location"] == table
        again = another(host)
        with again as twin:
            twice = twin.post(invite, data=form)  # the same form, sent before its answer came
            assert twice.headers["location"] == table
        page = guest.get(table).text
        assert "host starts" not in page
        assert 'id="start"' not in page
        assert guest.get(invite).headers["location"] == table
    assert host.get(table).text.count("free seat") == 1
    assert unescape(form["name"]) in unescape(host.get(table).text)


def test_the_host_starts_and_bots_fill_the_rest(host: TestClient) -> None:
    table, invite = _open(host)
    with another(host) as guest:
        _join(guest, invite)
        refused = guest.post(f"{table}/start")
        assert refused.status_code == 403
        assert "Anna" in refused.text
        assert host.post(f"{table}/start").status_code == 303
        for browser in (host, guest):
            assert 'data-state="playing"' in browser.get(table).text
    with another(host) as late:
        for answer in (late.get(invite), late.post(invite, data={"name": "Cem"})):
            assert answer.status_code == 409
            assert "has begun" in answer.text


def test_a_full_table_and_an_unknown_invite_get_a_friendly_page(host: TestClient) -> None:
    _, invite = _open(host, players=2)
    with another(host) as guest, another(host) as late:
        _join(guest, invite)
        for answer in (late.get(invite), late.post(invite, data={"name": "Cem"})):
            assert answer.status_code == 409
            assert "Every seat is taken" in answer.text
        for answer in (late.get("/j/nothing"), late.post("/j/nothing", data={"name": "Cem"})):
            assert answer.status_code == 404
            assert "not valid" in answer.text


def test_a_name_that_is_taken_is_said_and_the_form_stays(host: TestClient) -> None:
    _, invite = _open(host)
    with another(host) as guest:
        answer = guest.post(invite, data={"name": "anna"})
        assert answer.status_code == 409
        assert 'value="anna"' in answer.text
        assert "already sits" in answer.text


def test_the_host_clears_a_seat_and_hands_over(host: TestClient) -> None:
    table, invite = _open(host)
    with another(host) as guest:
        _join(guest, invite)
        assert host.post(f"{table}/remove", data={"seat": "1"}).status_code == 303
        assert guest.get(table).status_code == 401
        assert guest.get(invite).status_code == 200
        _join(guest, invite, "Bea")
        assert host.post(f"{table}/host", data={"seat": "1"}).status_code == 303
        assert 'id="start"' in guest.get(table).text
        assert 'id="start"' not in host.get(table).text
        assert host.post(f"{table}/remove", data={"seat": "1"}).status_code == 403
        assert guest.post(f"{table}/remove", data={"seat": "x"}).status_code == 409


def test_one_browser_sits_at_several_tables(host: TestClient) -> None:
    one, _ = _open(host)
    two, _ = _open(host)
    assert one != two
    assert all('id="start"' in host.get(table).text for table in (one, two))


def test_an_invite_made_on_the_server_itself_names_its_network_address(tmp_path: Path) -> None:
    app = create_app(tmp_path, outside=lambda: "http://10.1.2.3:8000/")
    with TestClient(app, base_url="http://localhost:8000", follow_redirects=False) as here:
        table = str(here.post("/friends", data={"name": "Anna"}).headers["location"])
        assert 'value="http://10.1.2.3:8000/j/' in here.get(table).text
