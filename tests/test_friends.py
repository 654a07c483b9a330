"""Friends at one table, in process: invites, seats, who may do what, and what a link shows before anybody sits down."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import unescape
from pathlib import Path

import pytest
from tests.friends_kit import BASE, another, join, open_table
from tests.tables_kit import service, spec
from tests.web_client import TestClient

from maumau.ruleset import Ruleset
from maumau.web.app import create_app


@pytest.fixture
def host(tmp_path: Path) -> Iterator[TestClient]:
    with TestClient(create_app(tmp_path), base_url=BASE, follow_redirects=False) as opened:
        yield opened


def test_home_offers_a_table_with_friends_and_a_name(host: TestClient) -> None:
    page = host.get("/", headers={"accept-language": "de"}).text
    assert "Mit Freunden" in page
    name = re.search(r'name="name"[^>]* value="([^"]+)"', page)
    assert name is not None
    assert name[1]


@pytest.mark.parametrize(("lang", "button"), [("de", "Doch nicht beenden"), ("en", "Don’t end it after all")])
def test_a_wish_to_end_the_match_is_taken_back_without_a_script(host: TestClient, lang: str, button: str) -> None:
    host.headers["accept-language"] = lang
    table, invite = open_table(host, players=2, pace="slow")
    with another(host) as guest:
        guest.headers["accept-language"] = lang
        join(guest, invite)
        host.post(f"{table}/start")

        def offered(browser: TestClient) -> bool:
            """In the menu it stands always, hidden by the sheet; at the table only for whoever may press it."""
            page = browser.get(table).text
            assert page.count("may-take-back") == page.count('id="take-back"')
            return f'name="take_back" value="1">{button}</button>' in page and 'id="take-back"' in page

        assert not offered(host)
        host.post(f"{table}/end")
        assert offered(host)
        assert not offered(guest)
        assert host.post(f"{table}/end", data={"take_back": "1"}).status_code == 303
        assert not offered(host)
        assert 'class="ends"' not in guest.get(table).text


def test_the_waiting_room_shows_link_code_seats_and_rules(host: TestClient) -> None:
    table, _ = open_table(host, book="family", house="jack-on-jack")
    page = host.get(table).text
    assert "<svg" in page
    assert 'class="qr"' in page
    assert page.count("free seat") == 2
    assert 'id="start"' in page
    assert re.search(r'<li class="differs">', page)
    assert "style=" not in page


LONG = "family+" + "+".join(f"fine.{rank}={n}" for n, rank in enumerate("789TJQKA", 11)) + "+" + "+".join(
    f"points.{rank}={n}" for n, rank in enumerate("789TJQKA", 21)
) + "+power.Kh.draw=3+power.Ks.draw=4+power.Kd.draw=5+power.Kc.draw=6+power.Qh.skip=2+power.Qs.skip=3+power.Qd.skip=4+power.Qc.skip=5"  # fmt: skip


@pytest.mark.parametrize("code", ["tschau-sepp+seven-cards", LONG])
@pytest.mark.parametrize("place", ["/rules/{code}", "/rules/edit?code={code}"])
def test_a_rule_page_invites_to_a_table_with_these_very_rules(host: TestClient, place: str, code: str) -> None:
    """The button of the page's form, pressed without a script, leads to the waiting room."""
    here = host.get(place.format(code=code.replace("+", "%2B"))).text
    form = re.search(r'<form[^>]*class="play-form".*?</form>', here, re.DOTALL)
    assert form is not None
    assert 'formaction="/friends"' in form[0]
    fields = dict(re.findall(r'<input type="hidden" name="(\w+)" value="([^"]*)"', form[0]))
    table, _ = open_table(host, **fields)
    waiting = host.get(table).text
    assert waiting.count("free seat") == 2
    agreed = re.search(r'href="/rules/([^"?]+)', waiting)
    assert agreed is not None
    assert Ruleset.parse(agreed[1]) == Ruleset.parse(code)


def test_an_invite_by_rules_that_do_not_stand_is_answered_with_the_sentence(host: TestClient) -> None:
    answer = host.post("/friends", data={"book": "family+no-stacking+penalty.cap=2", "players": "3"})
    assert answer.status_code == 422
    assert "penalty.cap=2" in answer.text


def test_looking_at_an_invite_seats_nobody(host: TestClient) -> None:
    table, invite = open_table(host)
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
    table, invite = open_table(host)
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
    table, invite = open_table(host)
    with another(host) as guest:
        join(guest, invite)
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
    _, invite = open_table(host, players=2)
    with another(host) as guest, another(host) as late:
        join(guest, invite)
        for answer in (late.get(invite), late.post(invite, data={"name": "Cem"})):
            assert answer.status_code == 409
            assert "Every seat is taken" in answer.text
        for answer in (late.get("/j/nothing"), late.post("/j/nothing", data={"name": "Cem"})):
            assert answer.status_code == 404
            assert "not valid" in answer.text


def test_two_of_the_same_name_are_told_apart(host: TestClient) -> None:
    table, invite = open_table(host)
    for name in ("anna", "Аnna"):  # the second begins with a Cyrillic letter
        with another(host) as guest:
            join(guest, invite, name)
    page = host.get(table).text
    assert [name for name in ("Anna", "anna 2", "Аnna 3") if f">{name}</bdi>" not in page] == []


def test_the_host_clears_a_seat_and_hands_over(host: TestClient) -> None:
    table, invite = open_table(host)
    with another(host) as guest:
        join(guest, invite)
        assert host.post(f"{table}/remove", data={"seat": "1"}).status_code == 303
        for path in ("", "/sheet", "/names"):
            gone = guest.get(table + path)
            assert gone.status_code == 401
            assert "You no longer sit at this table" in gone.text
        assert guest.get(invite).status_code == 200
        join(guest, invite, "Bea")
        assert host.post(f"{table}/host", data={"seat": "1"}).status_code == 303
        assert 'id="start"' in guest.get(table).text
        assert 'id="start"' not in host.get(table).text
        assert host.post(f"{table}/remove", data={"seat": "1"}).status_code == 403
        assert guest.post(f"{table}/remove", data={"seat": "x"}).status_code == 409


def test_a_guest_who_gets_up_again_is_told_so_and_may_come_back(host: TestClient) -> None:
    table, invite = open_table(host)
    with another(host) as guest:
        join(guest, invite)
        up = guest.post(f"{table}/leave")
        assert up.headers["location"] == table
        told = guest.get(table).text
        assert "You no longer sit at this table" in told
        assert "That did not work" not in told
        again = guest.post(f"{table}/leave")  # a second press of the same button
        assert "You no longer sit at this table" in again.text
        assert 'name="back" value="/"' in again.text
        join(guest, invite)
        assert guest.get(table).status_code == 200


def test_the_language_may_be_switched_on_every_page_that_says_no(host: TestClient) -> None:
    for path, back in (("/word", "/"), ("/j/none", "/j/none"), ("/s", "/s"), ("/k/none/none", "/k/none/none")):
        page = host.post(path, data={"word": "tamoki", "token": "x"})
        assert page.status_code == 404
        assert f'name="back" value="{back}"' in page.text
        assert host.get(back).status_code != 405


def test_one_browser_sits_at_several_tables(host: TestClient) -> None:
    one, _ = open_table(host)
    two, _ = open_table(host)
    assert one != two
    assert all('id="start"' in host.get(table).text for table in (one, two))


def test_an_invite_made_on_the_server_itself_names_its_network_address(tmp_path: Path) -> None:
    app = create_app(tmp_path, outside=lambda: "http://10.1.2.3:8000/")
    with TestClient(app, base_url="http://localhost:8000", follow_redirects=False) as here:
        table = str(here.post("/friends", data={"name": "Anna"}).headers["location"])
        assert 'value="http://10.1.2.3:8000/j/' in here.get(table).text


# ---- a second device ------------------------------------------------------------------------------------------------


def test_a_seats_own_link_opens_the_same_hand_on_another_device(host: TestClient) -> None:
    table, _ = open_table(host, players=2)
    host.post(f"{table}/start")
    page = host.get(f"{table}/device").text
    found = re.search(rf'value="{BASE}/s#([\w-]{{22}})"', page)
    assert found is not None
    with another(host) as phone:
        door = phone.get("/s")
        assert "set-cookie" not in door.headers
        assert 'action="/s"' in door.text
        answer = phone.post("/s", data={"token": found[1]})
        assert answer.headers["location"] == table
        hand = re.findall(r'id="card-[^"]+"', phone.get(table).text)
        assert hand
        assert hand == re.findall(r'id="card-[^"]+"', host.get(table).text)


def test_a_pasted_link_works_and_a_wrong_one_is_said(host: TestClient) -> None:
    table, _ = open_table(host, players=2)
    found = re.search(rf'value="({BASE}/s#[\w-]+)"', host.get(f"{table}/device").text)
    assert found is not None
    with another(host) as phone:
        wrong = phone.post("/s", data={"token": "nothing"})
        assert wrong.status_code == 404
        assert "not valid" in wrong.text
        assert "set-cookie" not in wrong.headers
        assert phone.post("/s", data={"token": found[1]}).headers["location"] == table


def test_only_a_seat_shows_its_own_link(host: TestClient) -> None:
    table, _ = open_table(host, players=2)
    with another(host) as stranger:
        answer = stranger.get(f"{table}/device")
        assert answer.status_code in (401, 403)
        assert "/s#" not in answer.text


# ---- watching and the lobby -----------------------------------------------------------------------------------------


def test_watching_needs_the_watch_link(host: TestClient) -> None:
    table, _ = open_table(host, players=2)
    host.post(f"{table}/start")
    found = re.search(rf'value="{BASE}(/w/[^"]+)"', host.get(f"{table}/watchers").text)
    assert found is not None
    with another(host) as stranger:
        assert stranger.get(table).status_code == 401
        assert stranger.get(f"/api/tables{table.removeprefix('/t')}").status_code == 401
        page = stranger.get(found[1])
        assert page.status_code == 200
        assert "You are watching" in page.text
        assert 'id="hand"' not in page.text
        assert 'id="play"' not in page.text
        assert "/watchers" not in page.text
        assert stranger.get(found[1] + "x").status_code == 401
        with stranger.websocket_connect(f"{BASE.replace('http', 'ws')}{found[1]}/live") as socket:
            assert "You are watching" in socket.receive_json()["html"]


def test_a_seats_token_is_no_watch_link(host: TestClient) -> None:
    table, _ = open_table(host, players=2)
    token = re.search(r"/s#([\w-]{22})", host.get(f"{table}/device").text)
    assert token is not None
    assert host.get(f"/w/{table.removeprefix('/t/')}/{token[1]}").status_code == 401


def test_the_host_shows_a_table_in_the_lobby_and_strangers_join_there(host: TestClient) -> None:
    table, _ = open_table(host, players=3)
    with another(host) as stranger:
        assert "Anna" not in stranger.get("/lobby").text
        assert host.post(f"{table}/public", data={"public": "1"}).status_code == 303
        door = re.search(r'href="(/j/[^"]+)"', stranger.get("/lobby").text)
        assert door is not None
        assert stranger.get(table).status_code == 200
        assert "A turn may take 60 seconds." in stranger.get(door[1]).text
        assert join(stranger, door[1]) == table
        assert stranger.post(f"{table}/public", data={"public": "0"}).status_code == 403
    host.post(f"{table}/public", data={"public": "0"})
    with another(host) as late:
        assert "Anna" not in late.get("/lobby").text
        assert late.get(table).status_code == 401


@pytest.mark.anyio
async def test_a_public_table_stays_public_after_a_restart(tmp_path: Path) -> None:
    async with service(tmp_path) as tables:
        anna = await tables.create(spec(bots=0, open_seats=2))
        await tables.set_public(anna.table, anna.token, True)
    async with service(tmp_path) as tables:
        assert [view.table for view in await tables.public_tables()] == [anna.table]
        assert (await tables.view(anna.table, None)).public


# ---- what pages load ------------------------------------------------------------------------------------------------


def test_only_tables_with_people_load_what_friends_need(host: TestClient) -> None:
    alone = host.post("/play", data={"players": "3"}).headers["location"]
    assert "friends." not in host.get(alone).text.partition("<body")[0]
    together, _ = open_table(host)
    head = host.get(together).text.partition("<body")[0]
    assert "friends.css" in head
    assert "friends.js" in head
    host.post(f"{together}/start")
    # bots have filled the seats: whoever opens the table now is alone with them
    assert "friends." not in host.get(together).text.partition("<body")[0]
