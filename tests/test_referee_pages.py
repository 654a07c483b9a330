"""The referee's page in process: every position that can be asked about, and the engine's own answers."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest
from tests.rule_pages_kit import ENGLISH, GERMAN, rule_pages, text_of
from tests.web_client import TestClient

from maumau import Round
from maumau.game import PositionError
from maumau.game.referee import rule
from maumau.ruleset import Ruleset
from maumau.ruleset import words as rule_words
from maumau.web.texts import LANGUAGES, texts


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    with rule_pages(tmp_path_factory) as opened:
        yield opened


@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_referee_says_what_the_engine_says(client: TestClient, lang: str) -> None:
    page = text_of(
        client, "/referee?rules=classic&players=4&top=7h&hand=7s+Jc+Kh&penalty=2", headers={"accept-language": lang}
    )
    ruling = rule("classic", {"top": "7h", "hands": [["7s", "Jc", "Kh"], 5, 5, 5], "penalty": 2}, lang)
    shown = re.findall(r'<li class="(may|may-not)" data-card="(..)">', page)
    assert shown == [("may" if may else "may-not", str(card)) for card, may, _ in ruling.cards]
    for _, _, why in [*ruling.cards, *ruling.others]:
        assert why in page
    for key in ruling.keys.values():
        assert rule_words.rule_sentence(lang, ruling.rules, key) in page


def test_a_wish_and_a_drawn_card_are_in_the_address(client: TestClient) -> None:
    page = text_of(client, "/referee?top=Jh&hand=7c&hand=9d&wish=c&drawn=9d")
    assert 'class="may" data-card="7c"' not in page
    assert re.search(r"data-link=\"http://table.test/referee\?rules=family&top=Jh&hand=7c\+9d&wish=c&drawn=9d", page)


@pytest.mark.parametrize(
    "query", ["top=9h&hand=9h", "top=9h&hand=7h&wish=c", "top=9h&hand=7h&penalty=2", "top=9h&hand=zz", "top=2h&hand=7h"]
)
def test_an_impossible_position_gets_its_sentence(client: TestClient, query: str) -> None:
    for headers in (GERMAN, ENGLISH):
        page = text_of(client, f"/referee?players=3&{query}", headers=headers)
        assert 'id="impossible"' in page
    fields = dict(part.split("=") for part in query.split("&"))
    hands: list[Any] = [[fields["hand"]], 5, 5]
    position: dict[str, Any] = {"top": fields["top"], "hands": hands}
    position |= {"wish": fields["wish"]} if "wish" in fields else {}
    position |= {"penalty": int(fields["penalty"])} if "penalty" in fields else {}
    with pytest.raises(PositionError) as caught:
        rule("family", position)
    assert str(caught.value) in page


FIELDS = ("wish", "penalty", "free", "direction", "skips", "extra", "drew", "paid", "called")


@pytest.mark.parametrize(
    ("code", "there"),
    [
        ("family", "wish penalty free"),
        ("study", "wish free"),
        ("international", "wish penalty"),
        ("family+nine-reverse", "wish penalty free direction"),
        ("family+players-2+nine-reverse", "wish penalty free"),
        ("family+skip.answer=same+draw.most=3+play.equal=yes", "wish penalty free skips extra drew"),
        ("family+penalty.then=play", "wish penalty free paid"),
        ("neunerln", "wish penalty called"),
        ("family+no-draw-two+power.J.wish=no", ""),
    ],
)
def test_the_referee_asks_only_for_what_the_rules_know(client: TestClient, code: str, there: str) -> None:
    page = text_of(client, f"/referee?rules={code.replace('+', '%2B')}")
    assert [name for name in FIELDS if f' name="{name}"' in page] == there.split()


@pytest.mark.parametrize(
    ("query", "said"),
    [
        ("rules=family&top=Jh&hand=7c&free=1", "darf gelegt werden"),
        ("rules=family%2Bskip.answer=same&top=8h&hand=8c&hand=9h&skips=1", "1 von 2 Karten"),
        ("rules=family%2Bplay.equal=yes&top=9h&hand=9c&hand=8h&extra=equal", "1 von 2 Karten"),
        ("rules=neunerln&top=9h&wish=h&hand=8h", "Die Karte darf nicht gelegt werden."),
        ("rules=neunerln&top=9h&wish=h&hand=8h&called=1", "Die Karte darf gelegt werden."),
        ("rules=family%2Bnine-reverse&top=9h&hand=9c&direction=-1", "Die Karte darf gelegt werden."),
        ("rules=family&top=9h&hand=9c&skips=2", "„So oft ist auszusetzen“ gibt es nach diesen Regeln nicht"),
        ("rules=family&top=7h&hand=7c&hand=7s&hand=7d&penalty=4", "möglich sind 2 bis 2"),
    ],
)
def test_the_referee_rules_on_what_only_some_rules_know(client: TestClient, query: str, said: str) -> None:
    page = text_of(client, f"/referee?{query}&part=answer", headers={"accept-language": "de"})
    assert said in page
    assert "skips=1" not in query or "skips=1" in page, "the position's link holds it"


TWO_PACKS = "rules=family%2Btwo-packs%2Bplay.throw_in=yes"


@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_referee_says_what_may_be_thrown_in_out_of_turn(client: TestClient, lang: str) -> None:
    headers = {"accept-language": lang}
    page = text_of(client, f"/referee?{TWO_PACKS}&top=9h&hand=9h+9c+Kd&turn=2", headers=headers)
    assert re.findall(r'<li class="(may|may-not)" data-card="(..)">', page) == [
        ("may", "9h"),
        ("may-not", "9c"),
        ("may-not", "Kd"),
    ]
    assert '<option value="2" selected>' in page
    assert texts(lang)("referee.summary_throw") in page
    rules = Ruleset.parse("family+two-packs+play.throw_in=yes").at(4)
    assert page.count(rule_words.rule_sentence(lang, rules, "play.throw_in")) == 3, "the rule stands by each card"
    assert texts(lang)("referee.draw") not in page, "whoever is not on turn draws nothing"
    assert "turn=2" in page.partition('data-link="')[2].partition('"')[0], "the position's link holds it"


@pytest.mark.parametrize(
    ("query", "said"),
    [
        ("top=9h&hand=9h+Kd&turn=1&drawn=Qs", "zu spät"),
        ("top=7h&hand=7h+Kd&turn=1&penalty=2", "Herz-Sieben einwerfen"),
        ("top=9h&hand=9h+Kd&turn=9", "„An der Reihe“ kann nicht 9 sein"),
        ("top=9h&hand=9h+Kd&turn=1&starter=1", "„An der Reihe“ passt nicht dazu"),
        ("top=9h&hand=9h+Kd&turn=1&owing=0&late=0", "Noch ansagen: Du"),
    ],
)
def test_the_referee_says_why_nothing_is_thrown_in(client: TestClient, query: str, said: str) -> None:
    assert said in text_of(client, f"/referee?{TWO_PACKS}&{query}&part=answer", headers=GERMAN)


@pytest.mark.parametrize(
    ("more", "hand", "position", "code"),
    [
        ("", ["9h"], {}, "may-throw-in"),
        ("+end.forbidden=9", ["9h"], {}, "may-not-finish"),
        ("+call.to_finish=yes", ["9h"], {}, "not-called"),
        ("+call.to_finish=yes", ["9h"], {"called": [1]}, "may-throw-in"),
        ("+play.on_special=no+nine-reverse", ["9h", "Kd"], {}, "special-on-special"),
        ("+skip.answer=same", ["9h", "Kd"], {"rest": [0, 1, 0]}, "cannot-throw-in"),
    ],
)
def test_the_reason_for_throwing_in_is_what_the_kernel_goes_by(
    more: str, hand: list[str], position: dict[str, Any], code: str
) -> None:
    rules = f"family+two-packs+play.throw_in=yes{more}"
    round_ = Round.from_position(rules, {"top": "9h", "turn": 0, "hands": [["Kd", "Qs"], hand, 5], **position})
    reasons = {str(card): reason.code for card, reason in round_.explain(1)}
    assert reasons.pop("9h") == code
    assert set(reasons.values()) <= {"not-the-same-card"}
    refused = round_.why_not("1:9h")
    assert (refused.code if refused else "may-throw-in") == code
    assert bool(round_.shouts_of(1)) == (code == "may-throw-in")


def test_nobody_is_asked_whose_turn_it_is_where_nothing_is_thrown_in(client: TestClient) -> None:
    assert ' name="turn"' not in text_of(client, "/referee?rules=family&top=9h&hand=9d")
    assert ' name="turn"' in text_of(client, f"/referee?{TWO_PACKS}")
    away = text_of(client, "/referee?rules=family&top=9h&hand=9d&turn=1")
    assert "It is not your turn." in away


def test_without_cards_the_referee_asks_for_them(client: TestClient) -> None:
    assert "Tap the top card" in text_of(client, "/referee")
    assert "There is no rule book" in text_of(client, "/referee?rules=famly&top=7h&hand=8h")
    assert "does not work with three" in text_of(client, "/referee?rules=classic&players=3&top=7h&hand=8h")
    assert client.get("/referee?penalty=x&players=%00&top=%3C&hand=%3E", headers=ENGLISH).status_code == 200


# ---- who is right: all that a position knows ----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("query", "said"),
    [
        ("rules=family&top=9h&hand=Kd&owing=1", ["To be caught: Player 2", "May still call: Player 2"]),
        ("rules=family&top=9h&hand=Kd&players=3&owing=0&late=0", ["May still call: You"]),
        ("rules=family+stack-cap-1&top=7h&hand=7s+Kc&penalty=4&answers=1", ["may not be played"]),
        ("rules=family&top=9h&hand=Kd&stock=0&cards1=30&cards2=-&cards3=-&passes=1", ["You may pass"]),
        ("rules=family&top=7h&hand=9c+Kd&starter=1", ["The starter is the seven of hearts", "Only a seven may go"]),
        ("rules=international&top=Jh&hand=9c+Kd&starter=1&players=2", ["Name clubs"]),
        ("rules=family%2Bskip.answer=same&top=9h&hand=Kd&rest1=2", ["Draw a card"]),
        ("rules=family%2Bend.play_on=yes&top=9h&hand=Kd&place1=1", ["Draw a card"]),
        ("rules=family%2Bcall.false=1&top=9h&hand=Kd&fined=1", ["Draw a card"]),
    ],
)
def test_the_referee_knows_the_rest_of_a_position(client: TestClient, query: str, said: list[str]) -> None:
    page = text_of(client, f"/referee?{query}")
    assert 'id="impossible"' not in page
    for text in said:
        assert text in page
    assert '<details class="field more-of-it" open>' in page
    link = re.search(r'data-link="http://table.test(/referee[^"]*)"', page)
    assert link is not None
    assert _verdicts(text_of(client, link[1])) == _verdicts(page), "the position is the link"


def _verdicts(page: str) -> str:
    return page.partition('<ul class="verdicts">')[2].partition("</ul>")[0]


def test_what_a_position_cannot_say_is_refused_by_the_name_of_its_field(client: TestClient) -> None:
    page = text_of(client, "/referee?rules=family&top=9h&hand=Kd&passes=9")
    assert "Passes so far, without drawing" in page.partition('id="impossible">')[2].partition("</p>")[0]


def test_the_rest_of_a_position_stays_in_its_fold(client: TestClient) -> None:
    page = text_of(client, "/referee?rules=family&top=9h&hand=Kd")
    assert '<details class="field more-of-it">' in page
    for name in ("owing", "stock", "passes", "late", "starter", "cards1"):
        assert f'name="{name}"' in page
    for name in ("rest1", "place1", "fined", "answers", "hanging", "reshuffles"):
        assert f'name="{name}"' not in page, "only what these rules know is asked"
    assert 'name="owing"' not in text_of(client, "/referee?rules=classic")
