"""A match that somebody concedes: what it costs by each book, who has won, what is kept of it, who may at a table."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.replay_kit import live, replayed, state_of
from tests.tables_kit import first_bot, play_round, refused, service, spec
from tests.test_verify import finish
from tests.web_client import TestClient

from maumau.game import Match, Record, RecordError, Round
from maumau.game.told import steps
from maumau.game.verify import verify
from maumau.tables import Pace, Seated, Tables
from maumau.tables.names import digest
from maumau.web.app import create_app

HANDS = [["Ac", "Qd"], ["9c", "8h", "Jd", "Ks"], ["7d"], ["Th", "Td"]]


def at_table(code: str, seats: int = 2, **position: Any) -> Match:
    """A match whose first round stands as given."""
    round_ = Round.from_position(code, {"top": "9h", "hands": HANDS[:seats]} | position)
    return Match.from_rounds(round_.rules, 7, [round_])


# ---- the score -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("book", "points"),
    [
        ("family", (14, 0)),  # an ace 11, a queen 3
        ("international", (20, 0)),  # 10 each
        ("study", (0, 1)),  # rounds won
        ("crazy-eights", (0, 11)),  # the winner takes what the other holds: an ace 1, a queen 10
        ("neunerln", (21, 0)),
        ("olsen", (11, 0)),
        ("pesten", (0, 0)),  # nothing is counted
        ("prsi", (14, 0)),
        ("switch", (0, 0)),
        ("tschau-sepp", (0, 1)),
        ("vandatta", (25, 0)),  # an ace 15, a queen 10
    ],
)
def test_of_two_by_each_book(book: str, points: tuple[int, ...]) -> None:
    match = at_table(book)
    match.concede(0)
    assert (match.totals, match.winners, match.conceded) == (points, (1,), 0)
    assert (match.over, match.ended, match.next_players) == (True, False, ())
    outcome = match.round.outcome()
    assert outcome is not None
    assert (outcome.winner, outcome.conceded, outcome.blocked) == (1, 0, False)
    assert (outcome.closing, outcome.factor, outcome.places) == (None, 1, ())


@pytest.mark.parametrize(
    ("code", "points", "winners"),
    [
        ("classic", (21, 0, 0, 0), (1, 2, 3)),  # an ace 11, a queen 10
        ("family", (14, 0, 0, 0), (1, 2, 3)),
        ("study", (0, 0, 0, 0), (1, 2, 3)),  # nobody has won the round
        ("crazy-eights", (0, 0, 0, 0), (1, 2, 3)),  # and nobody takes the hand
    ],
)
def test_of_four_nobody_has_won_the_round(code: str, points: tuple[int, ...], winners: tuple[int, ...]) -> None:
    match = at_table(code, 4)
    match.concede(0)
    assert (match.totals, match.winners) == (points, winners)
    outcome = match.round.outcome()
    assert outcome is not None
    assert outcome.winner is None


def test_a_jack_on_the_pile_doubles_nothing() -> None:
    match = at_table("classic", 4, top="Jh", wish="h")
    match.concede(3)
    assert match.totals == (0, 0, 0, 20)


def test_a_round_somebody_is_out_of_stays_won() -> None:
    match = at_table("study+end.play_on=yes", 3, hands=[["Kh"], ["9c", "8h"], ["7d", "7c"]])
    match.push("Kh!" if "Kh" in map(str, match.round.call_due) else "Kh")
    match.concede(2)
    outcome = match.round.outcome()
    assert outcome is not None
    assert (outcome.winner, outcome.places, match.totals) == (0, (0,), (1, 0, 0))
    assert match.winners == (0,)


def test_whoever_concedes_has_not_won_however_good_its_total() -> None:
    match = Match("family", seats=3, seed=5)
    finish(match)
    best = match.totals.index(min(match.totals))
    before = match.totals
    assert match.concede(best) == ()
    rest = [total for seat, total in enumerate(before) if seat != best]
    assert match.totals == before
    assert match.winners == tuple(seat for seat in range(3) if seat != best and before[seat] == min(rest))


def test_who_sits_out_concedes_without_a_hand() -> None:
    match = at_table("family", 3, hands=[["9c", "8h"], ["7d"], None], turn=0)
    match.concede(2)
    assert match.scores[-1] == (0, 0, 0)
    assert match.winners == (0, 1)


@pytest.mark.parametrize("seat", [-1, 2, True, 1.5, "0"])
def test_no_such_seat(seat: Any) -> None:
    match = at_table("family")
    with pytest.raises(ValueError, match="seat"):
        match.concede(seat)
    assert not match.over
    assert not match.round.over


def test_once_and_for_all() -> None:
    match = at_table("family")
    match.concede(0)
    with pytest.raises(ValueError, match="the match is over"):
        match.concede(1)
    with pytest.raises(ValueError, match="the match is over"):
        match.next_round()
    with pytest.raises(ValueError, match="the round is over"):
        match.round.concede(1)
    with pytest.raises(IndexError):
        match.round.pop()
    assert match.round.legal_texts == ()
    assert match.round.copy().outcome() == match.round.outcome()
    assert match.end() == (1,)


# ---- the record ------------------------------------------------------------------------------------------------------


def conceded(rounds: int, *, running: bool, seats: int = 2) -> Match:
    match = Match("family+target-1000", seats=seats, seed=3)
    for number in range(rounds):
        finish(match)
        if number < rounds - 1 or running:
            match.next_round()
    match.concede(1)
    return match


@pytest.mark.parametrize(("rounds", "running"), [(0, True), (2, False), (1, True)])
@pytest.mark.parametrize("seats", [2, 3])
def test_a_record_keeps_it_and_replays_to_the_same_end(rounds: int, running: bool, seats: int) -> None:
    match = conceded(rounds, running=running, seats=seats)
    record = Record.from_json(match.record().to_json())
    assert record.data["conceded"] == 1
    again = record.replay()
    assert (again.totals, again.winners, again.conceded) == (match.totals, match.winners, 1)
    assert again.round.outcome() == match.round.outcome()
    assert Record.of(again, record.data["names"]).data | {"seed": 3} == record.data
    assert [finding.holds for finding in verify(record) if finding.holds is not None].count(False) == 0
    assert verify(record)[-1].code == "result-kept"


@pytest.mark.parametrize("other", [None, 0, 7, "x", True, 1.0])
def test_another_one_who_conceded_is_found(other: Any) -> None:
    data = json.loads(conceded(1, running=True).record().to_json())
    data["conceded"] = other
    with pytest.raises(RecordError):
        Record(data).replay()
    try:
        assert verify(Record(data))[-1].code == "result-wrong"
    except RecordError:
        assert other not in (None, 0)


def test_a_match_that_nobody_conceded_says_nothing_of_it() -> None:
    match = Match("family", seats=2, seed=3)
    assert "conceded" not in match.record().data
    match.end()
    data = match.record().data | {"conceded": 0}
    with pytest.raises(RecordError, match="the match is over"):
        Record(data).replay()


@pytest.mark.parametrize(("lang", "said"), [("en", "concedes, and"), ("de", "gibt auf, und")])
def test_a_record_tells_it(lang: str, said: str) -> None:
    told = steps(conceded(0, running=True).record(["Anna", "Ben"]), lang)
    assert said in told[-1].sentences[-1]
    assert "Ben" in told[-1].sentences[-1]


# ---- the table -------------------------------------------------------------------------------------------------------


async def two(tables: Tables) -> tuple[Seated, Seated]:
    anna = await tables.create(spec(bots=0, open_seats=1))
    ben = await tables.join(anna.table, anna.invite or "", "Ben")
    await tables.start(anna.table, anna.token)
    return anna, ben


@pytest.mark.anyio
async def test_between_two_it_is_told_counted_and_outlives_a_restart(tmp_path: Path) -> None:
    async with service(tmp_path) as tables:
        anna, ben = await two(tables)
        for who, name in ((anna, "anna"), (ben, "ben")):
            await tables.is_mine(who.table, who.token, digest(name))
        over = await tables.concede(anna.table, anna.token)
        assert (over.state, over.match_winners, over.round_winner) == ("match-over", (1,), 1)
        points = over.score_sheet[-1].points
        assert points[0]
        assert points[1] == 0
        assert [line.text for line in over.log][-2:] == ["You concede.", "Ben has won the match."]
        german = [line.text for line in (await tables.view(ben.table, ben.token, "de")).log]
        assert german[-2:] == ["Anna gibt auf.", "Du hast das Spiel gewonnen."]
        assert [line.text for line in (await tables.view(ben.table, ben.token)).log][-2] == "Anna concedes."
        kinds = [event["kind"] for event in await tables.events(anna.table, anna.token)]
        assert kinds[-3:] == ["conceded", "round-over", "match-over"]
        assert (await refused(tables.concede(ben.table, ben.token))).code == "match-over"
        assert state_of(replayed(tables, anna.table)) == state_of(live(tables, anna.table))
        record = await tables.record(ben.table, ben.token)
    async with service(tmp_path) as tables:
        again = await tables.view(anna.table, anna.token)
        assert (again.state, again.match_winners, again.seats[0].score) == ("match-over", (1,), points[0])
        (match,) = await tables.history(anna.table, anna.token)
        assert (match.over, match.winners, match.totals) == (True, (1,), (points[0], 0))
        for name, won in (("anna", False), ("ben", True)):
            (game,) = await tables.games(digest(name))
            assert (game.result.over, game.result.won, game.result.rounds_won) == (True, won, int(won))
        rematch = await tables.rematch(anna.table, anna.token)
        assert (rematch.state, rematch.match, rematch.seats[0].score) == ("playing", 2, 0)
    assert record["conceded"] == 0
    assert Record(record).replay().winners == (1,)
    assert verify(Record(record))[-1].code == "result-kept"


@pytest.mark.anyio
async def test_between_rounds_the_only_person_among_bots(tmp_path: Path) -> None:
    async with service(tmp_path, bots=first_bot) as tables:
        anna = await tables.create(spec("family+target-1000", bots=2))
        between = await play_round(tables, anna)
        assert (between.state, between.can_concede) == ("round-over", True)
        over = await tables.concede(anna.table, anna.token)
        assert (over.state, over.can_concede) == ("match-over", False)
        assert [seat.score for seat in over.seats] == [seat.score for seat in between.seats]
        assert 0 not in over.match_winners
        assert len(over.score_sheet) == 1
        assert state_of(replayed(tables, anna.table)) == state_of(live(tables, anna.table))
        assert Record(await tables.record(anna.table, anna.token)).replay().winners == over.match_winners


@pytest.mark.anyio
async def test_with_more_people_it_is_refused_with_what_would_work(tmp_path: Path) -> None:
    async with service(tmp_path, bots=first_bot) as tables:
        anna = await tables.create(spec(bots=1, open_seats=1, pace=Pace.SLOW))
        ben = await tables.join(anna.table, anna.invite or "", "Ben")
        assert (await refused(tables.concede(anna.table, anna.token))).code == "not-started"
        await tables.start(anna.table, anna.token)
        assert not (await tables.view(anna.table, anna.token)).can_concede
        error = await refused(tables.concede(anna.table, anna.token, "de"))
        assert (error.code, error.status) == ("several-people", 409)
        assert "Bot" in error.text
        assert "schlag vor, das Spiel zu beenden" in error.text
        await tables.leave(ben.table, ben.token)  # what the sentence advises
        assert (await refused(tables.concede(ben.table, ben.token))).code == "away"
        watch = await tables.watch_link(anna.table, anna.token)
        assert (await refused(tables.concede(anna.table, watch))).code == "not-seated"
        over = await tables.concede(anna.table, anna.token)
        assert over.match_winners == (1, 2)


# ---- the pages -------------------------------------------------------------------------------------------------------


@pytest.fixture
def home(tmp_path: Path) -> Iterator[TestClient]:
    with TestClient(create_app(tmp_path), headers={"accept-language": "en"}) as client:
        yield client


def test_a_second_press_concedes_without_any_script(home: TestClient) -> None:
    begun = home.post("/play", data={"rules": "family", "players": "2", "name": "Anna"})
    table = begun.url.path
    page = home.get(table).text
    assert re.search(r'<main id="table" class="[^"]*\bmay-concede\b', page)
    form = re.search(
        r'<form method="post" action="([^"]+)" class="concede"><details><summary[^>]*>Concede</summary>', page
    )
    assert form is not None
    assert form[1] == f"{table}/concede"
    after = home.post(form[1])
    assert 'data-state="match-over"' in after.text
    assert "may-concede" not in after.text.split("<section", 1)[0].split("<main", 1)[1]


def test_people_at_one_device_concede_each_for_themselves(home: TestClient) -> None:
    form = {"rules": "family", "players": "2", "person": ["Oma", "Emil"]}
    table = home.post("/together", data=form).url.path
    assert "/concede" not in home.get(table).text
    page = home.get(f"{table}/names").text
    assert "Yes, Oma concedes" in page
    assert "Yes, Emil concedes" in page
    over = home.post(f"{table}/concede", data={"seat": "1"})
    assert 'data-state="match-over"' in over.text
    assert "Oma has won the match." in over.text
    assert "concedes" not in home.get(f"{table}/names").text


def test_three_people_at_one_device_are_not_offered_it(home: TestClient) -> None:
    form = {"rules": "family", "players": "3", "person": ["Oma", "Emil", "Ida"]}
    table = home.post("/together", data=form).url.path
    assert "/concede" not in home.get(f"{table}/names").text
    assert home.post(f"{table}/concede", data={"seat": "1"}).status_code == 409


def test_the_api_concedes(home: TestClient) -> None:
    seats = [{"name": "Anna"}, {"bot": "normal"}]
    seated = home.post("/api/tables", json={"rules": "study", "seats": seats}).json()
    auth = {"authorization": f"Bearer {seated['token']}"}
    view = home.post(f"/api/tables/{seated['table']}/concede", headers=auth).json()
    assert (view["state"], view["match_winners"]) == ("match-over", [1])
    assert view["score_sheet"][-1]["points"] == [0, 1]
    record = Record(home.get(f"/api/tables/{seated['table']}/record", headers=auth).json())
    assert {"commitment-kept", "result-kept"} <= {finding.code for finding in verify(record) if finding.holds}
    again = home.post(f"/api/tables/{seated['table']}/concede", headers=auth)
    assert (again.status_code, again.json()["error"]["code"]) == (409, "match-over")
