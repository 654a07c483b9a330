"""People: the word called out in a room, other names, what each has played, the table's history, and being forgotten."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Callable, Iterator
from html import unescape
from pathlib import Path

import pytest
from tests.friends_kit import BASE, another, join, open_table, word_of
from tests.tables_kit import command_id, first_bot, mine, pick, service, spec, until
from tests.web_client import TestClient

from maumau.tables import Seated, Tables, View, ledger
from maumau.tables.codes import SYLLABLES, WORDS, heard, new_code, syllables
from maumau.tables.names import derived, digest
from maumau.web.app import WRONG_WORDS, create_app
from maumau.web.limits import Mistakes, network_of

ANNA, BEN = digest("anna's browser"), digest("ben's browser")


@pytest.fixture
def host(tmp_path: Path) -> Iterator[TestClient]:
    with TestClient(create_app(tmp_path), base_url=BASE, follow_redirects=False) as opened:
        yield opened


# ---- the word --------------------------------------------------------------------------------------------------------


def test_words_are_three_syllables_that_are_heard_as_they_are_meant() -> None:
    for _ in range(300):
        code = new_code()
        assert len(set(syllables(code))) == 3
        assert set(syllables(code)) <= set(SYLLABLES)
        assert heard(code) == code
        assert heard(f"  {code[:2].upper()}-{code[2:]} ") == code
    assert WORDS > 40_000
    sounds = {syllable: heard(syllable) for syllable in SYLLABLES}
    assert len(set(sounds.values())) == len(SYLLABLES)


@pytest.mark.parametrize(
    ("typed", "meant"), [("Damogi", "tamoki"), ("ta mo ky", "tamoki"), ("Pafula", "bafula"), ("Tamokki", "tamoki")]
)
def test_a_word_misheard_or_misspelt_is_understood(typed: str, meant: str) -> None:
    assert heard(typed) == meant


def test_the_word_leads_to_the_door_and_seats_nobody(host: TestClient) -> None:
    table, _ = open_table(host)
    word = word_of(host, table)
    assert heard(word) == word
    with another(host) as guest:
        answer = guest.post("/word", data={"word": f" {word.upper()} "})
        assert answer.status_code == 303
        assert answer.headers["location"].startswith(f"/k/{table.removeprefix('/t/')}/")
        assert guest.get(answer.headers["location"]).status_code == 200
        assert guest.get(f"/word?word={word}").status_code == 405
    assert host.get(table).text.count("free seat") == 2


def test_a_word_lives_while_the_table_waits_and_has_a_seat_and_every_miss_is_answered_alike(host: TestClient) -> None:
    table, invite = open_table(host, players=2)
    word = word_of(host, table)
    unknown = host.post("/word", data={"word": "bufalo"})
    assert unknown.status_code == 404
    with another(host) as guest:
        join(guest, invite)
        full = host.post("/word", data={"word": word})
        assert word_of(host, table) == ""
        host.post(f"{table}/remove", data={"seat": "1"})
        assert word_of(host, table) == word
        assert host.post("/word", data={"word": word}).status_code == 303
    host.post(f"{table}/start")
    started = host.post("/word", data={"word": word})
    for answer in (full, started, host.post("/word", data={"word": "x" * 999}), host.post("/word")):
        assert (answer.status_code, answer.text) == (404, unknown.text)


def test_after_ten_wrong_words_even_a_right_one_waits(host: TestClient) -> None:
    table, _ = open_table(host)
    word = word_of(host, table)
    for _ in range(WRONG_WORDS[0]):
        assert host.post("/word", data={"word": "bufalo"}).status_code == 404
    for guess in ("bufalo", word):
        answer = host.post("/word", data={"word": guess})
        assert answer.status_code == 429
        assert word not in answer.text


def test_mistakes_are_counted_by_address_and_by_all_together_and_pass() -> None:
    now = [0.0]
    mistakes = Mistakes(each=3, everybody=5, seconds=60, clock=lambda: now[0])
    for _ in range(3):
        assert not mistakes.too_many("10.0.0.1")
        mistakes.add("10.0.0.1")
    assert mistakes.too_many("10.0.0.1")
    assert not mistakes.too_many("10.0.0.2")
    for n in (2, 3):
        mistakes.add(f"10.0.0.{n}")
    assert mistakes.too_many("10.0.0.9")
    now[0] = 61.0
    assert not mistakes.too_many("10.0.0.1")


def test_an_ipv6_network_is_one_person() -> None:
    assert network_of("2001:db8:1:2::3") == network_of("2001:db8:1:2:ffff::1%eth0")
    assert network_of("2001:db8:1:2::3") != network_of("2001:db8:1:3::3")
    assert network_of("::ffff:10.0.0.1") == network_of("10.0.0.1") == "10.0.0.1"
    assert network_of(None) == network_of("testclient")[:0]


# ---- names -----------------------------------------------------------------------------------------------------------


def test_a_name_changes_before_and_during_a_match_and_the_log_says_so(host: TestClient) -> None:
    table, invite = open_table(host)
    with another(host) as guest:
        join(guest, invite, "Ben")
        guest.post(f"{table}/rename", data={"name": " Bea\u202e  B. "})
        assert ">Bea B.</bdi>" in host.get(table).text
        assert "Seat 2 is called Bea B. now." in re.sub("[\u2066-\u2069]", "", host.get(table).text)
        host.post(f"{table}/start")
        guest.post(f"{table}/rename", data={"name": "anna"})
        assert ">anna 2</bdi>" in host.get(table).text  # told apart from Anna
        bad = guest.post(f"{table}/rename", data={"name": "\u200b"})
        assert bad.status_code == 422
        assert 'role="alert"' in bad.text
        assert "anna 2" in guest.get(f"{table}/names").text
    with another(host) as stranger:
        assert stranger.get(f"{table}/names").status_code == 401
        assert stranger.post(f"{table}/rename", data={"name": "Eve"}).status_code == 401


@pytest.mark.anyio
async def test_a_new_name_survives_a_restart_and_replays(tmp_path: Path) -> None:
    async with service(tmp_path) as tables:
        anna = await tables.create(spec(bots=0, open_seats=1))
        await tables.rename(anna.table, anna.token, "Annika")
        version = (await tables.rename(anna.table, anna.token, "Annika")).version  # nothing new
    async with service(tmp_path) as tables:
        view = await tables.view(anna.table, anna.token)
        assert (view.seats[0].name, view.version) == ("Annika", version)
        kinds = [event["kind"] for event in await tables.events(anna.table, anna.token)]
        assert kinds.count("renamed") == 1


# ---- what was played -------------------------------------------------------------------------------------------------


async def play_match(tables: Tables, *seated: Seated) -> None:
    """Everybody seated plays until the match is over."""
    me = seated[0]
    for _ in range(3_000):
        for who in seated:
            view = await until(tables, who, lambda view: mine(view) or len(seated) > 1)
            if view.state == "match-over":
                return
            if view.state == "round-over":
                await tables.next_round(me.table, me.token, after_round=view.round)
            elif view.turn == view.you:
                await tables.act(who.table, who.token, command_id(), None, pick(view))
    raise AssertionError("a match without end")


@pytest.mark.anyio
async def test_what_was_played_is_counted_with_the_events_and_outlives_a_restart(tmp_path: Path) -> None:
    async with service(tmp_path, bots=first_bot) as tables:
        anna = await tables.create(spec(rules="family+match.target=60", bots=1))
        await tables.is_mine(anna.table, anna.token, ANNA)
        assert await tables.games(ANNA) == []
        await play_match(tables, anna)
        await tables.rematch(anna.table, anna.token)
        await play_match(tables, anna)
        matches = await tables.history(anna.table, anna.token)
        counted = await tables.games(ANNA)
    async with service(tmp_path) as tables:
        assert await tables.history(anna.table, anna.token) == matches
        assert await tables.games(ANNA) == counted
        assert await tables.games(BEN) == []
    assert [match.over for match in matches] == [True, True]
    assert sorted(one.result.match for one in counted) == [1, 2]
    for one in counted:
        match = matches[one.result.match - 1]
        assert (one.table, one.result.seat, one.result.book, one.result.over) == (anna.table, 0, "family", True)
        assert one.result.rounds == len(match.rounds) >= 1
        assert one.result.rounds_won == sum(row.winner == 0 for row in match.rounds)
        assert one.result.points == match.totals[0] == sum(row.points[0] or 0 for row in match.rounds)
        assert one.result.won == (0 in match.winners)


@pytest.mark.anyio
async def test_a_cleared_seat_counts_for_whoever_sits_there_next(tmp_path: Path) -> None:
    async with service(tmp_path, bots=first_bot) as tables:
        anna = await tables.create(spec(rules="family+match.target=1", bots=0, open_seats=1))
        ben = await tables.join(anna.table, anna.invite or "", "Ben")
        await tables.is_mine(ben.table, ben.token, BEN)
        await tables.remove(anna.table, anna.token, ben.seat)
        cleo = await tables.join(anna.table, anna.invite or "", "Cleo")
        cleos = digest("cleo's browser")
        await tables.is_mine(cleo.table, cleo.token, cleos)
        await tables.start(anna.table, anna.token)
        await play_match(tables, anna, cleo)
        assert await tables.games(BEN) == []
        assert len(await tables.games(cleos)) == 1


def test_your_games_and_the_tables_history_are_pages(host: TestClient) -> None:
    assert "No round has been played" in host.get("/me").text
    table = str(host.post("/together", data={"person": ["Oma", "Emil"], "players": "2"}).headers["location"])
    host.post(f"{table}/end")  # nothing is over yet: this counts for nobody
    assert "No round has been played" in host.get("/me").text
    sheet = host.get(f"{table}/sheet").text
    assert "Match 1" in sheet
    assert "ended without a winner" in sheet
    for page in ("/me", "/me/export"):
        assert host.get(page, headers={"accept-language": "de"}).status_code == 200
    assert json.loads(host.get("/me/export").text) == {"matches": []}


# ---- being forgotten -------------------------------------------------------------------------------------------------


def test_forgetting_takes_names_seats_results_and_the_cookie(host: TestClient) -> None:
    table, invite = open_table(host, players=3)
    waiting, other = open_table(host, players=2)
    with another(host) as guest:
        join(guest, invite, "Benedikt")
        join(guest, other, "Benedikt")
        host.post(f"{table}/start")
        before = guest.cookies["maumau"]
        answer = guest.post("/me/delete")
        assert answer.status_code == 200
        assert "Everything is forgotten" in answer.text
        assert "maumau" not in guest.cookies
        guest.cookies.set("maumau", before)
        assert guest.get(table).status_code == 401  # the old cookie opens nothing
        assert guest.get(f"{table}/names").status_code == 401
    for place in (table, waiting, f"{table}/sheet"):
        assert "Benedikt" not in host.get(place).text
    page = unescape(host.get(table).text)
    assert ">Guest 2</bdi>" in page
    assert "free seat" in host.get(waiting).text


@pytest.mark.anyio
async def test_forgetting_leaves_nothing_in_the_store_and_the_log_replays(tmp_path: Path) -> None:
    async with service(tmp_path, bots=first_bot) as tables:
        anna = await tables.create(spec(rules="family+match.target=1", bots=1))
        await tables.is_mine(anna.table, anna.token, ANNA)
        await play_match(tables, anna)
        assert len(await tables.games(ANNA)) == 1
        assert await tables.forget(ANNA) == 1
        assert await tables.games(ANNA) == []
        assert await tables.forget(ANNA) == 0
        left = tables.store.read().execute("SELECT name, token FROM seats WHERE seat = 0").fetchone()
        assert left == ("Guest 1", None)
        assert tables.store.read().execute("SELECT count(*) FROM visitors").get == 0
    async with service(tmp_path) as tables:
        assert (await tables.history(anna.table, await _watch(tables, anna)))[0].over


async def _watch(tables: Tables, seated: Seated) -> str:
    """The watch link's token: the seat itself opens to nobody any more."""
    stored = ledger.load(tables.store.read(), seated.table)
    assert stored is not None
    return derived(stored.key, "watch")


@pytest.mark.anyio
async def test_a_host_forgotten_before_the_start_leaves_the_role_to_the_next(tmp_path: Path) -> None:
    async with service(tmp_path) as tables:
        anna = await tables.create(spec(bots=0, open_seats=2))
        await tables.is_mine(anna.table, anna.token, ANNA)
        await tables.forget(ANNA)
        ben = await tables.join(anna.table, anna.invite or "", "Ben")
        view = await tables.view(ben.table, ben.token)
        assert view.host == ben.seat
        assert (await tables.start(ben.table, ben.token)).state == "playing"


@pytest.mark.anyio
async def test_names_go_a_month_after_a_match_and_the_table_two_months_later(tmp_path: Path) -> None:
    day = 24 * 3600.0
    moment = [1_800_000_000.0]
    async with service(tmp_path, clock=lambda: moment[0], bots=first_bot) as tables:
        anna = await tables.create(spec(rules="family+match.target=1", bots=1))
        await tables.is_mine(anna.table, anna.token, ANNA)
        await play_match(tables, anna)

        async def names_after(days: float, done: Callable[[View], bool]) -> list[str]:
            moment[0] += days * day
            tables._clockwork.wake()
            for _ in range(6_000):
                view = await tables.view(anna.table, anna.token)
                if done(view):
                    break
                await asyncio.sleep(0.02)
            return [seat.name for seat in view.seats]

        assert await names_after(8, lambda _: True) == ["Anna", "Berta"]  # past the end of an open match's life
        assert await names_after(23, lambda view: view.seats[0].name != "Anna") == ["№ 1", "Berta"]
        await tables.rename(anna.table, anna.token, "Anna")  # the seat is still hers
        assert len(await tables.games(ANNA)) == 1
        moment[0] += 400 * day
        assert await tables.games(ANNA) == []
