"""Passing a device on: no covered hand in any byte, one tap uncovers, calls and catches for all; bots, reload, restart."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from html import unescape
from pathlib import Path
from typing import Any

import pytest
from starlette.requests import Request
from tests.tables_kit import command_id, first_bot, pick, service, until
from tests.web_client import TestClient

from maumau.tables import Pace, Seated, SeatSpec, TableError, Tables, TableSpec, View
from maumau.tables.timing import GRACE_MS
from maumau.tables.together import Together
from maumau.web.app import create_app
from maumau.web.device import Device
from maumau.web.visitor import Visitor, visitor_of


def device(players: int = 2, bots: int = 0, rules: str = "family") -> TableSpec:
    """A table of people who share a device, and bots."""
    beside = (SeatSpec(name=f"Person {n}", beside=True) for n in range(2, players + 1))
    seats = (SeatSpec(name="Oma"), *beside, *[SeatSpec(bot="normal")] * bots)
    return TableSpec(rules=rules, seats=seats, pace=Pace.INSTANT)


def tokens(seated: Seated) -> tuple[str, ...]:
    return seated.token, *seated.beside


async def hands(tables: Tables, seated: Seated) -> list[list[str]]:
    """Each person's cards, as that person alone may know them."""
    return [[card.card for card in (await tables.view(seated.table, own)).hand] for own in tokens(seated)]


async def turn_of_a_person(tables: Tables, seated: Seated) -> View:
    """The device's view once one of its people is on turn, or the round is over."""
    people = range(len(tokens(seated)))
    await until(tables, seated, lambda view: view.turn in people or view.state != "playing")
    return await tables.device_view(seated.table, tokens(seated))


def newer_than(version: int) -> Callable[[View], bool]:
    """Whether a view is of a later version."""
    return lambda view: view.version > version


def shows(view: View) -> str:
    """All that a view says, as text."""
    return repr(view)


@pytest.mark.anyio
@pytest.mark.parametrize(("players", "bots"), [(2, 0), (3, 1)])
async def test_a_hand_lies_open_from_its_owners_tap_to_the_end_of_the_turn(
    tmp_path: Path, players: int, bots: int
) -> None:
    async with service(tmp_path) as tables:
        seated = await tables.create(device(players, bots))
        turns = 0
        for _ in range(40):
            view = await turn_of_a_person(tables, seated)
            if view.state != "playing":
                break
            shared = view.shared
            assert shared is not None
            assert shared.covered
            assert (view.you, view.hand, view.legal, view.drawn) == (None, (), (), None)
            assert shared.next == view.turn
            for other in range(players):
                if other != view.turn:  # nobody else's tap opens anything
                    same = await tables.uncover(seated.table, tokens(seated), other)
                    assert (same.hand, same.version) == ((), view.version)
            opened = await tables.uncover(seated.table, tokens(seated), view.turn or 0)
            assert (opened.you, opened.shared and opened.shared.covered) == (view.turn, False)
            assert [card.card for card in opened.hand] == (await hands(tables, seated))[view.turn or 0]
            while opened.state == "playing" and opened.turn == view.turn and opened.hand:
                token = await tables.acting(seated.table, tokens(seated), None)
                await tables.act(seated.table, token, command_id(), opened.version, pick(opened))
                opened = await tables.device_view(seated.table, tokens(seated))
            assert opened.state != "playing" or opened.turn == view.turn or opened.hand == ()
            turns += 1
        assert turns > 4


@pytest.mark.anyio
async def test_a_covered_device_cannot_play_and_an_open_hand_survives_a_restart(tmp_path: Path) -> None:
    async with service(tmp_path) as tables:
        seated = await tables.create(device())
        view = await turn_of_a_person(tables, seated)
        with pytest.raises(TableError) as refused:
            await tables.acting(seated.table, tokens(seated), None)
        assert (refused.value.code, refused.value.status) == ("covered", 409)
        opened = await tables.uncover(seated.table, tokens(seated), view.turn or 0)
    async with service(tmp_path) as tables:
        again = await tables.device_view(seated.table, tokens(seated))
        assert (again.you, again.hand, again.version) == (opened.you, opened.hand, opened.version)
        token = await tables.acting(seated.table, tokens(seated), None)
        await tables.act(seated.table, token, command_id(), again.version, pick(again))
    async with service(tmp_path) as tables:
        covered = await tables.device_view(seated.table, tokens(seated))
        assert covered.turn != opened.turn
        assert covered.hand == ()


@pytest.mark.anyio
async def test_people_at_the_device_call_and_catch_without_a_hand(tmp_path: Path) -> None:
    """Whoever forgets Mau can be caught by another at the device, or say it late, while all hands are covered."""
    moment = [1_000_000.0]
    async with service(tmp_path, bots=first_bot, clock=lambda: moment[0]) as tables:
        caught = called = 0
        for number in range(30):
            seated = await tables.create(device(2, rules="family+deal.cards=2"))
            view = await turn_of_a_person(tables, seated)
            await tables.uncover(seated.table, tokens(seated), view.turn or 0)
            opened = await tables.device_view(seated.table, tokens(seated))
            plays = [card.plays[0] for card in opened.hand if card.plays and card.call_due]
            if not plays:
                continue
            token = await tables.acting(seated.table, tokens(seated), None)
            await tables.act(seated.table, token, command_id(), opened.version, plays[0])
            after = await tables.device_view(seated.table, tokens(seated))
            owing = view.turn or 0
            if number % 2:  # to be caught, once the moment to call is over
                assert after.shared is not None
                assert after.shared.catch is None
                assert after.seats[owing].catch is None
                moment[0] += GRACE_MS / 1_000
                tables._clockwork.wake()
                await until(tables, seated, newer_than(after.version))
                after = await tables.device_view(seated.table, tokens(seated))
            assert after.shared is not None
            if after.turn == owing:  # it goes on: the others at the device catch whoever has it in hand
                assert (after.shared.catch is not None) == bool(number % 2)
                continue
            assert after.hand == ()
            (call,) = after.shared.calls
            assert call == (owing, f"{owing}!")
            catch = after.seats[owing].catch
            assert catch == (f"{1 - owing}?{owing}" if number % 2 else None)
            action = catch or call[1]
            token = await tables.acting(seated.table, tokens(seated), int(action[0]))
            done = await tables.act(seated.table, token, command_id(), None, action)
            assert not done.seats[owing].catchable
            caught, called = caught + (action == catch), called + (action != catch)
            if caught and called:
                return
        raise AssertionError(f"{caught} caught, {called} called")


@pytest.mark.anyio
async def test_one_seat_is_as_ever_and_dead_tokens_are_passed_over(tmp_path: Path) -> None:
    async with service(tmp_path) as tables:
        seated = await tables.create(device())
        one, two = tokens(seated)
        for own in (one, two):
            assert await tables.device_view(seated.table, [own]) == await tables.view(seated.table, own)
            assert await tables.device_view(seated.table, ["x" * 22, own]) == await tables.view(seated.table, own)
        for wrong in (["x" * 22], ["x" * 22, "y"]):
            with pytest.raises(TableError) as refused:
                await tables.device_view(seated.table, wrong)
            assert refused.value.status == 401
        assert list(await tables.device_seats(seated.table, [two, one])) == [0, 1]  # the host's seat speaks
        assert isinstance(tables, Together)


# ---- the pages -------------------------------------------------------------------------------------------------------


@pytest.fixture
def home(tmp_path: Path) -> Iterator[TestClient]:
    with TestClient(create_app(tmp_path), headers={"accept-language": "en"}, follow_redirects=False) as client:
        yield client


def begin(home: TestClient, people: list[str], players: int = 2) -> str:
    data: dict[str, Any] = {"person": [*people, "", ""], "players": str(players), "pace": "instant"}
    answer = home.post("/together", data=data)
    assert answer.status_code == 303, answer.text
    return str(answer.headers["location"])


def own_tokens(home: TestClient, table: str) -> tuple[str, ...]:
    cookie = "; ".join(f"{name}={value}" for name, value in home.cookies.items())
    scope = {"type": "http", "headers": [(b"cookie", cookie.encode())], "scheme": "http", "path": "/", "server": None}
    visitor: Visitor = visitor_of(Request(scope))
    return visitor.tokens(table.rpartition("/")[2])


def seen_by(home: TestClient, table: str, token: str) -> dict[str, Any]:
    answer = home.get(f"/api{table.replace('/t/', '/tables/')}", headers={"authorization": f"Bearer {token}"})
    view: dict[str, Any] = answer.json()
    return view


def hidden_cards(home: TestClient, table: str, but: int | None = None) -> set[str]:
    """The cards of the device's hands, without one seat's."""
    found: set[str] = set()
    for seat, token in enumerate(own_tokens(home, table)):
        found |= set() if seat == but else set(seen_by(home, table, token)["hand"])
    return found


def leaks(text: str, cards: set[str]) -> set[str]:
    """Which of these cards an answer names; what shows all cards or cards that lay open (and may be drawn again) aside."""
    open_to_all = (
        r'<symbol id="f-.*?</symbol>|<div class="hero-fan.*?</div>|<ol class=\\?"trick.*?</ol>|<ul id=\\?"pile.*?</ul>'
    )
    told = re.sub(open_to_all, "", text, flags=re.DOTALL)
    return {card for card in cards if re.search(rf'(?:card-|#f-|value=\\?"|"){re.escape(card)}\b', told)}


def test_no_answer_between_turns_names_a_card_of_a_covered_hand(home: TestClient) -> None:
    table = begin(home, ["Oma", "Emil", "Ida"], 3)
    quiet = {"accept": "application/json"}
    turns = 0
    for _ in range(30):
        page = home.get(table).text
        if 'data-state="playing"' not in page or '"reshuffle"' in home.get(f"{table}/record").text:
            break  # cards that have lain open are in hands again, and the record has named them
        hidden = hidden_cards(home, table)
        places = ("", "/sheet", "/names", "/record")
        for text in (page, *(home.get(table + place).text for place in places), home.get("/").text):
            assert leaks(text, hidden) == set()
        seat = re.search(r'id="uncover"[^>]*value="(\d)"', page)
        assert seat is not None
        refused = home.post(f"{table}/act", data={"action": "+"}, headers=quiet)
        assert refused.json()["error"]["code"] == "covered"
        assert leaks(refused.text, hidden) == set()
        opened = home.post(f"{table}/uncover", data={"seat": seat[1]}, headers=quiet).text
        mine = set(seen_by(home, table, own_tokens(home, table)[int(seat[1])])["hand"])
        assert leaks(opened, mine) == mine
        assert leaks(opened, hidden_cards(home, table, int(seat[1])) - mine) == set()
        view = seen_by(home, table, own_tokens(home, table)[int(seat[1])])
        while view["turn"] == int(seat[1]):
            action = view["legal"][0]
            answer = home.post(f"{table}/act", data={"action": action, "version": view["version"]}, headers=quiet).text
            view = seen_by(home, table, own_tokens(home, table)[int(seat[1])])
        if view["state"] == "playing":
            assert leaks(answer, hidden_cards(home, table)) == set()
            turns += 1
    assert turns > 5


def test_the_live_socket_sends_no_covered_hand(home: TestClient) -> None:
    table = begin(home, ["Oma", "Emil"])
    with home.websocket_connect(f"{table}/live", headers={"origin": "http://testserver"}) as socket:
        frame = socket.receive_json()
        assert leaks(frame["html"], hidden_cards(home, table)) == set()
        seat = re.search(r'id="uncover"[^>]*value="(\d)"', frame["html"])
        assert seat is not None
        home.post(f"{table}/uncover", data={"seat": seat[1]})
        frame = socket.receive_json()
        assert leaks(frame["html"], hidden_cards(home, table, 1 - int(seat[1])))
        assert leaks(frame["html"], hidden_cards(home, table, int(seat[1]))) == set()


def test_bots_fill_up_and_two_names_at_least_are_needed(home: TestClient) -> None:
    refused = home.post("/together", data={"person": ["Oma", " "], "players": "4"})
    assert refused.status_code == 422
    assert "two names at least" in refused.text
    assert '<details class="more together" id="together" open>' in refused.text
    table = begin(home, ["Oma", "oma", "Ida"], 4)
    page = unescape(home.get(table).text)
    assert all(f">{name}</bdi>" in page for name in ("Oma", "oma 2", "Ida", "Berta"))
    assert len(own_tokens(home, table)) == 3
    assert 'value="Ida"' in home.get("/").text  # the names are there next time


def test_a_bot_goes_on_for_somebody_at_the_device_and_gives_the_seat_back(home: TestClient) -> None:
    table = begin(home, ["Oma", "Emil", "Ida"], 3)
    home.post(f"{table}/leave", data={"seat": "1"})
    kinds = seen_by(home, table, own_tokens(home, table)[0])["seats"]
    assert [seat["away"] for seat in kinds] == [False, True, False]
    assert "Play myself again" in home.get(f"{table}/names").text
    home.post(f"{table}/return", data={"seat": "1"})
    assert not any(seat["away"] for seat in seen_by(home, table, own_tokens(home, table)[0])["seats"])


def test_everybody_at_the_device_ends_the_match_with_one_press(home: TestClient) -> None:
    table = begin(home, ["Oma", "Emil"])
    home.post(f"{table}/end")
    page = home.get(table).text
    assert 'data-state="match-over"' in page
    assert 'id="rematch"' in page
    home.post(f"{table}/rematch", data={"match": "1"})
    assert 'data-state="playing"' in home.get(table).text


@pytest.mark.anyio
async def test_whoever_is_at_the_device_takes_a_wish_to_end_the_match_back(tmp_path: Path) -> None:
    async with service(tmp_path) as tables:
        seated = await tables.create(device(3))
        oma, emil, ida = tokens(seated)
        here = Device(tables, seated.table, (oma, emil), "en")
        wanted = await here.end()
        assert (wanted.state, wanted.end_proposed, wanted.can_take_back) == ("playing", (0, 1), True)
        assert (await tables.view(seated.table, ida)).can_take_back is False
        back = await here.end(take_back=True)
        assert (back.end_proposed, back.can_take_back) == ((), False)


def test_one_of_them_moves_to_a_device_of_their_own(home: TestClient) -> None:
    table = begin(home, ["Oma", "Emil"])
    link = re.search(r'value="[^"]*/s#([\w-]{22})"', home.get(f"{table}/device?seat=1").text)
    assert link is not None
    assert link[1] == own_tokens(home, table)[1]


def test_what_each_of_them_has_played_counts_for_that_person_and_is_forgotten_with_the_device(home: TestClient) -> None:
    table = begin(home, ["Oma", "Ben"], 3)
    assert home.post(f"{table}/end").status_code == 303
    assert home.get("/me/export").json()["matches"] == [], "no round is over yet"
    table = begin(home, ["Oma", "Ben"], 2)
    assert home.post(f"{table}/concede", data={"seat": "0"}).status_code == 303
    told = {match["person"]: match for match in home.get("/me/export").json()["matches"]}
    assert set(told) == {"Oma", "Ben"}
    assert {match["rounds"] for match in told.values()} == {1}
    assert [told[who]["won"] for who in ("Oma", "Ben")] == [False, True]
    page = home.get("/me").text
    assert [page.count(f"<bdi>{who}</bdi>") for who in ("Oma", "Ben")] == [1, 1]
    begin(home, ["Cem", "Dora"], 2)  # the next two are others, and those before are not lost
    assert {match["person"] for match in home.get("/me/export").json()["matches"]} == {"Oma", "Ben"}
    begin(home, [f"P{n}" for n in range(7)], 7)
    assert {match["person"] for match in home.get("/me/export").json()["matches"]} <= {"Oma", "Ben"}
    assert home.post("/me/delete").status_code == 200
    assert home.get("/me/export").json()["matches"] == []
    tables = home.app.state.tables  # type: ignore[attr-defined]  # the client serves our application
    assert tables.store.read().execute("SELECT count(*) FROM results").get == 0
    assert tables.store.read().execute("SELECT count(*) FROM visitors").get == 0
