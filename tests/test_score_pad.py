"""The score pad for a real table: points, what must be said, and matches that are nothing but their address."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest
from tests.rule_pages_kit import ENGLISH, cards, rule_pages, text_of
from tests.web_client import TestClient

from maumau.game import PositionError
from maumau.game.pad import PlayedRound, asked, keep, points, unnamed
from maumau.ruleset import Ruleset


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    with rule_pages(tmp_path_factory) as opened:
        yield opened


def test_points_are_those_of_the_books() -> None:
    left = ((), cards("7h Kd Js"), cards("Ac"), cards("9c Qh"))
    family = points(Ruleset.parse("family").at(4), PlayedRound(0, cards("8c"), left))
    assert family == (0, 7 + 4 + 2, 11, 9 + 3)
    jack = PlayedRound(0, cards("Jc"), left)
    doubled = points(Ruleset.parse("family+jack-doubles").at(4), jack)
    assert doubled == tuple(2 * own for own in points(Ruleset.parse("family").at(4), jack))
    assert points(Ruleset.parse("family+win-points-5").at(4), jack) == (1, 0, 0, 0)
    assert points(Ruleset.parse("family").at(4), PlayedRound(None, (), left)) == family
    winner_takes = points(Ruleset.parse("family+score.to=winner").at(4), PlayedRound(0, cards("8c"), left))
    assert winner_takes == (sum(family), 0, 0, 0)
    each = Ruleset.parse("family+jack-doubles+score.closing_each=yes").at(2)
    assert points(each, PlayedRound(0, cards("Jc Jd"), ((), cards("9c")))) == (0, 36)


def test_what_must_be_said_hangs_on_the_rules() -> None:
    assert asked(Ruleset.parse("family").at(3)) == (True, False, False)
    assert asked(Ruleset.parse("family+jack-doubles").at(3)) == (True, True, False)
    assert asked(Ruleset.parse("family+jack-doubles+score.closing_each=yes").at(3)) == (True, True, True)
    assert asked(Ruleset.parse("family+win-points-3").at(3)) == (False, False, False)


def test_whoever_is_not_out_has_cards_left_where_they_count() -> None:
    rounds = {"nobody": PlayedRound(None, (), ((), cards("7h"), ())), "second": PlayedRound(1, (), ((), (), ()))}
    for code, said in (("family", ((0, 2), (0, 2))), ("family+end.play_on=yes", ((), ())), ("study", ((), ()))):
        rules = Ruleset.parse(code).at(3)
        assert (unnamed(rules, rounds["nobody"], range(3)), unnamed(rules, rounds["second"], range(3))) == said, code
    assert unnamed(Ruleset.parse("family").at(3), rounds["second"], (0, 1)) == (0,)


def test_cards_that_cannot_be_left_are_refused() -> None:
    rules = Ruleset.parse("family").at(2)
    with pytest.raises(PositionError, match="seven of hearts"):
        points(rules, PlayedRound(0, (), ((), cards("7h 7h"))))
    with pytest.raises(PositionError, match="two of hearts"):
        points(rules, PlayedRound(0, (), ((), cards("2h"))))
    assert points(Ruleset.parse("family+two-packs").at(2), PlayedRound(0, (), ((), cards("7h 7h")))) == (0, 14)


def test_a_match_on_the_pad_ends_as_the_rules_say() -> None:
    rules = Ruleset.parse("family+target-30")
    rounds = [
        PlayedRound(0, (), ((), cards("Ac Ad"), cards("7h"))),
        PlayedRound(2, (), (cards("8h"), cards("9h"), ())),
    ]
    pad = keep(rules, 3, rounds[:1], dealer=1)
    assert (pad.totals, pad.dealer, pad.winners) == ((0, 22, 7), 2, ())
    pad = keep(rules, 3, rounds, dealer=1)
    assert (pad.totals, pad.winners) == ((8, 31, 7), (2,))
    assert keep(rules, 3, [*rounds, rounds[0]]).totals == pad.totals
    out = keep(Ruleset.parse("family+target-20+match.elimination=yes"), 3, rounds[:1])
    assert (out.players, out.winners) == ((0, 2), ())
    with pytest.raises(PositionError):
        keep(Ruleset.parse("family+target-20+match.elimination=yes"), 3, [rounds[0], PlayedRound(1, (), ((), (), ()))])


def test_the_pad_is_its_address(client: TestClient) -> None:
    start = "/score?rules=family&name=Anna&name=&name=J%C3%B6rg+%3Cb%3E&dealer=2&begin=1"
    page = text_of(client, start)
    assert "Jörg <b> deals." in page
    assert "<b> deals" not in client.get(start, headers=ENGLISH).text
    answer = client.get(f"{start}&out=0&left1=7h&left1=Kd&add=1", headers=ENGLISH)
    assert answer.status_code == 303
    pad = str(answer.headers["location"])
    assert "r=0...7hKd" in pad
    page = text_of(client, pad)
    assert re.search(r"<tfoot>.*<td>0</td><td>11</td>", page)
    assert f'href="{pad.replace("&r=0...7hKd", "")}"' in page
    assert 'action="/score"' in page


def test_the_pad_says_what_is_missing(client: TestClient) -> None:
    assert "At least two people" in text_of(client, "/score?name=Anna&begin=1", 422)
    assert "Say who went out" in text_of(client, "/score?name=A&name=B&add=1", 422)
    twice = "/score?name=A&name=B&name=C&add=1&out=0&left1=7h&left2=7h"
    assert "seven of hearts" in text_of(client, twice, 422)
    nobody = text_of(client, "/score?name=Anna&name=Ben&name=Clara&add=1&out=0&left1=7h", 422)
    assert "The cards of Clara are missing" in nobody
    assert re.search(r'<details[^>]* data-seat="2" open>', nobody)
    assert not re.search(r'<details[^>]* data-seat="1" open>', nobody)
    both = text_of(client, "/score?name=Anna&name=Ben&add=1&out=-", 422)
    assert "The cards of Anna and Ben are missing" in both
    counted = client.get("/score?rules=family%2Bwin-points-3&name=A&name=B&add=1&out=0")
    assert counted.status_code == 303  # each round won is a point: nobody counts cards
    assert "no rule book" in text_of(client, "/score?rules=famly&name=A&name=B", 422)
    for odd in ("r=9.zz", "r=", "r=0.0.0.0.0.0.0.0.0.0.0.0", "r=-", "dealer=77", "name=%00", "out=99&add=1"):
        assert client.get(f"/score?name=A&name=B&{odd}", headers=ENGLISH).status_code in (200, 303, 422), odd


def test_a_pad_for_more_or_fewer_than_the_book_seats(client: TestClient) -> None:
    assert client.get("/score?rules=classic&name=A&name=B&name=C").status_code == 200


def test_the_api_counts_for_programs(client: TestClient) -> None:
    body: dict[str, Any] = {
        "rules": "family+target-20",
        "players": 3,
        "dealer": 1,
        "rounds": [{"winner": 0, "last": ["8c"], "left": [[], ["7h", "Kd"], ["Ac", "9c"]]}],
    }
    answer = client.post("/api/score", json=body)
    assert answer.json() == {
        "points": [[0, 11, 20]],
        "totals": [0, 11, 20],
        "match_over": True,
        "match_winners": [0],
        "next_dealer": None,
        "next_players": [],
    }
    wrong = [{"winner": 0, "left": [[], ["7h", "7h"], []]}]
    answer = client.post("/api/score", json=body | {"rounds": wrong}, headers=ENGLISH)
    assert answer.status_code == 422
    assert answer.json()["error"]["code"] == "card-too-often"
    for broken in ({"rules": "famly"}, {"rounds": [{"winner": 0, "left": [[], ["zz"], []]}]}, {"players": 9}):
        answer = client.post("/api/score", json=body | broken)
        assert answer.status_code == 422
        assert set(answer.json()["error"]) == {"code", "text", "position"}
