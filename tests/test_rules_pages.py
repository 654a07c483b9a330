"""The pages about rules in process: editor, sheet, referee, score pad."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import unescape
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import pytest
from tests.web_client import TestClient

from maumau import Round
from maumau.cards import Card
from maumau.game import PositionError
from maumau.game.pad import PlayedRound, asked, keep, points, unnamed
from maumau.game.referee import rule
from maumau.ruleset import ALL_BOOKS, BOOKS, HOUSE_RULES, Ruleset
from maumau.ruleset import words as rule_words
from maumau.ruleset.keys import PLAIN_KEYS, POWERS
from maumau.web.app import create_app
from maumau.web.editing import Board, chosen_in_code, chosen_in_form, read, trouble
from maumau.web.texts import LANGUAGES, texts

GERMAN = {"accept-language": "de"}
ENGLISH = {"accept-language": "en"}


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    folder: Path = tmp_path_factory.mktemp("data")
    with TestClient(create_app(folder), base_url="http://table.test", follow_redirects=False) as opened:
        yield opened


def _text(client: TestClient, path: str, status: int = 200, headers: dict[str, str] = ENGLISH) -> str:
    answer = client.get(path, headers=headers)
    assert answer.status_code == status, path
    return unescape(answer.text)


def _cards(text: str) -> tuple[Card, ...]:
    return tuple(Card.parse(part) for part in text.split())


# ---- the editor ------------------------------------------------------------------------------------------------------


def test_every_house_rule_and_every_key_can_be_switched(client: TestClient) -> None:
    page = _text(client, "/rules/edit")
    for code in HOUSE_RULES:
        assert f'name="h" value="{code}"' in page
    for key in PLAIN_KEYS:
        assert f'name="v.{key}"' in page, key
    for power in POWERS:
        assert f'name="v.power.7.{power}"' in page
    assert 'name="v.points.K"' in page
    assert 'name="v.closing.J"' in page
    assert 'name="v.fine.J"' in page


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_house_rule_has_its_sentence_and_an_example(lang: str) -> None:
    words = texts(lang).words
    for code in HOUSE_RULES:
        assert words.get(f"example.{code}"), code
    de, en = texts("de").words.keys(), texts("en").words.keys()
    assert de == en


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_option_says_something_of_its_own(lang: str) -> None:
    """The values of one key never read the same."""
    for group in Board(texts(lang), chosen_in_code("family")).groups():
        for single in group.singles:
            said = [option.text for option in single.options]
            assert len(set(said)) == len(said), single.key
            assert not any(" = " in text for text in said), single.key


def test_a_form_is_read_as_a_code_and_a_code_as_a_form(client: TestClient) -> None:
    code = "family+nine-reverse+mau-3+deal.cards=6+end.forbidden=J8"
    form = {"book": ["family"], "h": ["nine-reverse", "mau-N"], "n.mau-N": ["3"], "v.deal.cards": ["6"]}
    now = chosen_in_form(form | {"r.end.forbidden": ["J", "8"]})
    assert Ruleset.parse(now.code) == Ruleset.parse(code)
    assert Ruleset.parse(chosen_in_code(code).code) == Ruleset.parse(code)
    page = _text(client, f"/rules/edit?code={code}")
    assert re.search(r'value="nine-reverse" checked', page)
    assert re.search(r'name="n.mau-N"[^>]*value="3"', page)
    assert re.search(r'name="r.end.forbidden" value="8" checked', page)


@pytest.mark.parametrize("book", BOOKS)
@pytest.mark.parametrize("code", sorted(HOUSE_RULES))
def test_each_house_rule_alone_leads_to_a_sheet_or_to_a_way_out(client: TestClient, book: str, code: str) -> None:
    number = {f"n.{code}": str(HOUSE_RULES[code].most)} if HOUSE_RULES[code].takes_number else {}
    page = client.get("/rules/edit", params={"part": "preview", "book": book, "h": code} | number, headers=GERMAN).text
    _, error = read(chosen_in_form({"book": [book], "h": [code]} | {k: [v] for k, v in number.items()}).code)
    if error is None:
        assert "data-trouble" not in page
        assert 'class="sheet-rules"' in page
    else:
        assert "data-way" in page


@pytest.mark.parametrize(
    ("code", "way"),
    [
        ("family+two-draw", "family+two-draw+52-cards"),
        ("family+jack-on-jack+no-jack-on-jack", "family+no-jack-on-jack"),
        ("family+nine-revers", "family+nine-reverse"),
        ("famly+nine-reverse", "family+nine-reverse"),
        ("nine-reverse", "family+nine-reverse"),
        ("family+mau-9", "family"),
        ("family+draw.wen=stuck", "family+draw.when=stuck"),
        ("family+skip.adds=yes", "family+skip.adds=yes+skip.answer=same"),
    ],
)
def test_a_contradiction_comes_with_its_way_out(client: TestClient, code: str, way: str) -> None:
    _, error = read(code)
    assert error is not None
    for lang in LANGUAGES:
        wrong = trouble(texts(lang), code, error)
        assert way in [step.code for step in wrong.ways]
        if error.code not in ("contradiction", "needs"):
            assert wrong.text == rule_words.rule_error_sentence(lang, error)
        else:
            assert not any(part in wrong.text for part in wrong.about)
    page = _text(client, "/rules/edit?code=" + code.replace("+", "%2B"))
    assert trouble(texts("en"), code, error).text in page
    assert re.search(r"<button[^>]*disabled[^>]*data-needs-rules", page)


def test_search_without_a_script_lists_where_to_look(client: TestClient) -> None:
    page = _text(client, "/rules/edit?book=family&q=direction")
    assert '<a href="#rule-nine-reverse">' in page
    assert "No rule says" in _text(client, "/rules/edit?q=xyzzy")


def test_a_card_can_be_given_powers(client: TestClient) -> None:
    page = _text(client, "/rules/edit?book=family&add=Kh")
    assert 'name="v.power.Kh.draw"' in page
    preview = _text(client, "/rules/edit?part=preview&book=family&v.power.Kh.draw=5")
    assert "King of hearts" in preview
    assert "five cards" in preview


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
    page = _text(client, f"/referee?{query}")
    assert 'id="impossible"' not in page
    for text in said:
        assert text in page
    assert '<details class="field more-of-it" open>' in page
    link = re.search(r'data-link="http://table.test(/referee[^"]*)"', page)
    assert link is not None
    assert _verdicts(_text(client, link[1])) == _verdicts(page), "the position is the link"


def _verdicts(page: str) -> str:
    return page.partition('<ul class="verdicts">')[2].partition("</ul>")[0]


def test_what_a_position_cannot_say_is_refused_by_the_name_of_its_field(client: TestClient) -> None:
    page = _text(client, "/referee?rules=family&top=9h&hand=Kd&passes=9")
    assert "Passes so far, without drawing" in page.partition('id="impossible">')[2].partition("</p>")[0]


def test_the_rest_of_a_position_stays_in_its_fold(client: TestClient) -> None:
    page = _text(client, "/referee?rules=family&top=9h&hand=Kd")
    assert '<details class="field more-of-it">' in page
    for name in ("owing", "stock", "passes", "late", "starter", "cards1"):
        assert f'name="{name}"' in page
    for name in ("rest1", "place1", "fined", "answers", "hanging", "reshuffles"):
        assert f'name="{name}"' not in page, "only what these rules know is asked"
    assert 'name="owing"' not in _text(client, "/referee?rules=classic")


# ---- own rules -------------------------------------------------------------------------------------------------------


@pytest.fixture
def newcomer(client: TestClient) -> Iterator[TestClient]:
    """A browser that has never been here, and leaves nothing to the next."""
    client.cookies.clear()
    yield client
    client.cookies.clear()


def test_own_rules_are_offered_wherever_rules_are_picked(newcomer: TestClient) -> None:
    name, code = "Oma „Erna“ & <Co>", "family+nine-reverse+mau-2"
    kept = newcomer.post("/rules/own", data={"name": f"  {name} ", "code": code})
    assert kept.status_code == 303
    assert f"Kept as “{name}”" in _text(newcomer, kept.headers["location"].partition("#")[0])
    for path in ("/referee", "/score"):
        page = _text(newcomer, path)
        assert re.search(rf'<option value="{re.escape(code)}">{re.escape(name)}</option>', page), path
        picked = _text(newcomer, f"{path}?rules={code.replace('+', '%2B')}")
        assert re.search(rf'<option value="{re.escape(code)}" selected>{re.escape(name)}</option>', picked), path
        assert len(re.findall(r"<option[^>]* selected>", picked.partition("</select>")[0])) == 1, path
    home = _text(newcomer, "/")
    assert f'name="book" value="{code}"' in home
    assert name in home
    for path in ("/rules", "/rules/edit"):
        assert f'<a class="own-name" href="/rules/{code}"' in unquote(_text(newcomer, path)), path
    newcomer.cookies.clear()
    assert name not in _text(newcomer, "/referee"), "a browser offers its own rules alone"


@pytest.mark.parametrize("code", ["family+nine-reverse", "family+nine-reverse+mau-2"])
def test_own_rules_are_played_from_the_home_page(newcomer: TestClient, code: str) -> None:
    newcomer.post("/rules/own", data={"name": "Erna", "code": code})
    form = {"book": code, "house": ["nine-reverse", "seven-cards"], "players": "3"}
    table = newcomer.post("/play", data=form).headers["location"]
    assert f"/rules/{code}+seven-cards" in unquote(_text(newcomer, table))
    newcomer.post("/play", data={"book": code, "players": "3"})
    home = _text(newcomer, "/")
    assert f'name="book" value="{code}" checked' in home
    assert len(re.findall(r'name="book"[^>]* checked', home)) == 1
    assert not re.search(r'name="house"[^>]* checked', home), "what the own rules switch on is not switched on twice"


def test_own_rules_are_replaced_by_name_and_forgotten(newcomer: TestClient) -> None:
    for code in ("family+nine-reverse", "classic"):
        newcomer.post("/rules/own", data={"name": "Erna", "code": code})
    newcomer.post("/rules/own", data={"name": "Wir", "code": "study"})
    page = _text(newcomer, "/rules")
    assert page.count('class="own-name"') == 2
    assert 'class="own-name" href="/rules/classic"' in page
    gone = newcomer.post("/rules/own/forget", data={"name": "Erna", "back": "/rules"})
    assert gone.headers["location"] == "/rules"
    assert _text(newcomer, "/rules").count('class="own-name"') == 1
    assert newcomer.post("/rules/own/forget", data={"name": "Wir", "back": "//evil"}).headers["location"] == "/"
    assert 'id="own-rules"' not in _text(newcomer, "/rules")


def test_rules_that_cannot_be_played_or_have_no_name_are_not_kept(newcomer: TestClient) -> None:
    for name, code in (("Erna", "family+two-draw"), ("  ", "family"), ("Erna", "")):
        assert "kept=" not in newcomer.post("/rules/own", data={"name": name, "code": code}).headers["location"]
    assert 'id="own-rules"' not in _text(newcomer, "/rules")


def test_a_full_cookie_says_so_and_keeps_what_it_had(newcomer: TestClient) -> None:
    code = "family+nine-reverse+jack-on-jack+ace-skip-all+seven-cards+mau-2+target-200+no-stacking"
    for number in range(60):
        answer = newcomer.post("/rules/own", data={"name": f"Nr. {number}", "code": code})
        if "full=1" in answer.headers["location"]:
            break
    assert 5 < number < 59
    assert "no more room" in _text(newcomer, answer.headers["location"].partition("#")[0])
    assert _text(newcomer, "/rules").count('class="own-name"') == number


@pytest.mark.parametrize(
    "cookie", ["", "x", "W10=", "bnVsbA==", "W1sxLDJdLFsiYSJdLDVd", "IlxcdWQ4MDAi", "W1siYSIsIm5vcGUiXV0="]
)
def test_a_broken_cookie_of_own_rules_is_no_accident(newcomer: TestClient, cookie: str) -> None:
    newcomer.cookies.set("maumau_rules", cookie)
    for path in ("/", "/rules", "/rules/edit", "/referee", "/score"):
        assert "<optgroup" not in _text(newcomer, path), path


def test_garbage_in_the_address_is_no_accident(client: TestClient) -> None:
    for query in (
        "code=" + "x" * 3000,
        "h=%00&n.mau-N=abc&h=mau-N",
        "v.deal.cards=-4",
        "book=%3Cscript%3E",
        "r.end.forbidden=Z",
        "v.power.Zz.draw=3",
        "x=+++",
        "add=%22%3E",
    ):
        answer = client.get(f"/rules/edit?{query}", headers=ENGLISH)
        assert answer.status_code == 200, query
        assert "<script>" not in answer.text


# ---- the sheet -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("search", "row"),
    [
        ("klopfen", "key-call.word"),
        ("Dame wünscht", "other-Q"),
        ("WUNSCHT dame", "other-Q"),
        ("Herz König", "other-Kh"),
        ("bedeckt", "other-Q"),
    ],
)
def test_a_search_finds_every_value_in_any_form_and_order(client: TestClient, search: str, row: str) -> None:
    page = client.get("/rules/edit", params={"q": search}, headers=GERMAN).text
    assert f'<li><a href="#{row}">' in page
    assert f'id="{row}"' in page


def test_a_reading_is_labelled_and_its_other_side_is_a_link(client: TestClient) -> None:
    for path in ("/rules/family+nine-reverse", "/rules/edit?code=family%2Bnine-reverse&part=preview"):
        page = _text(client, path, headers=GERMAN)
        notes = re.findall(r'<span class="reading">(.*?)</span>', page)
        assert notes
        assert all("<b>Hier gilt:</b>" in note and "<b>Auch denkbar:</b>" in note for note in notes)
        links = [unquote(code) for note in notes for code in re.findall(r'href="/rules/edit\?code=([^"]*)"', note)]
        assert links
        for code in links:
            assert code.startswith("family+nine-reverse+")
            assert read(code)[1] is None
    beside = _text(client, "/rules/family+nine-reverse?part=sheet", headers=GERMAN)
    assert "<b>Hier gilt:</b>" in beside
    assert "/rules/edit" not in beside


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("book", ALL_BOOKS)
def test_the_sheet_says_everything(client: TestClient, book: str, lang: str) -> None:
    page = _text(client, f"/rules/{book}", headers={"accept-language": lang})
    rules = Ruleset.parse(book)
    sheet = rule_words.sheet(lang, rules)
    for line in sheet.lines:
        assert line.text in page
        for reading in line.readings:
            assert reading.this(lang) in page
            assert reading.other_alone(lang) in page
            assert not reading.switch or f"+{reading.switch}." not in page
    for chip in sheet.chips:
        assert chip in page
    for source in sheet.sources:
        assert source.url in page
    shown = re.findall(r'<td class="pair-([a-z]*)">', page)
    assert [kind for kind in shown if kind] == [
        held for row in rule_words.special_pairs(lang, rules) for _, held in row.cells
    ]


def test_what_differs_stands_first_and_a_space_is_a_plus(client: TestClient) -> None:
    page = _text(client, "/rules/family+nine-reverse")
    assert page == _text(client, "/rules/family nine-reverse") == _text(client, "/rules/family%20nine-reverse")
    assert "What differs from “Family”" in page
    assert '<input type="hidden" name="book" value="family+nine-reverse" data-code>' in page
    assert 'href="/rules/edit?code=family%2Bnine-reverse"' in page


def test_play_from_the_sheet_deals_by_its_rules(client: TestClient) -> None:
    answer = client.post("/play", data={"book": "family+nine-reverse", "players": "2", "level": "easy"})
    table = _text(client, answer.headers["location"])
    assert 'href="/rules/family+nine-reverse?players=2"' in table
    assert "data-rules-sheet" in table


@pytest.mark.parametrize(
    ("code", "status"), [("famly", 404), ("family+nine-revers", 404), ("family+two-draw", 422), ("%F0%9F%83%8F", 404)]
)
def test_a_wrong_code_gets_its_sentence_and_offers(client: TestClient, code: str, status: int) -> None:
    page = _text(client, f"/rules/{code}", status)
    _, error = read(unquote(code))
    assert error is not None
    assert trouble(texts("en"), unquote(code), error).text in page
    assert 'href="/rules/family' in page


def test_the_dialog_is_the_same_sheet_for_those_who_play(client: TestClient) -> None:
    part = _text(client, "/rules/family?part=sheet&players=3")
    assert "<html" not in part
    assert "data-close" in part
    assert "For 3 players" in part
    for line in rule_words.sheet("en", Ruleset.parse("family").at(3)).lines:
        assert line.text in part
    assert "For 9" not in _text(client, "/rules/family?part=sheet&players=9")


# ---- who is right ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_referee_says_what_the_engine_says(client: TestClient, lang: str) -> None:
    page = _text(
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
    page = _text(client, "/referee?top=Jh&hand=7c&hand=9d&wish=c&drawn=9d")
    assert 'class="may" data-card="7c"' not in page
    assert re.search(r"data-link=\"http://table.test/referee\?rules=family&top=Jh&hand=7c\+9d&wish=c&drawn=9d", page)


@pytest.mark.parametrize(
    "query", ["top=9h&hand=9h", "top=9h&hand=7h&wish=c", "top=9h&hand=7h&penalty=2", "top=9h&hand=zz", "top=2h&hand=7h"]
)
def test_an_impossible_position_gets_its_sentence(client: TestClient, query: str) -> None:
    for headers in (GERMAN, ENGLISH):
        page = _text(client, f"/referee?players=3&{query}", headers=headers)
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
    page = _text(client, f"/referee?rules={code.replace('+', '%2B')}")
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
    page = _text(client, f"/referee?{query}&part=answer", headers={"accept-language": "de"})
    assert said in page
    assert "skips=1" not in query or "skips=1" in page, "the position's link holds it"


TWO_PACKS = "rules=family%2Btwo-packs%2Bplay.throw_in=yes"


@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_referee_says_what_may_be_thrown_in_out_of_turn(client: TestClient, lang: str) -> None:
    headers = {"accept-language": lang}
    page = _text(client, f"/referee?{TWO_PACKS}&top=9h&hand=9h+9c+Kd&turn=2", headers=headers)
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
    assert said in _text(client, f"/referee?{TWO_PACKS}&{query}&part=answer", headers=GERMAN)


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
    assert ' name="turn"' not in _text(client, "/referee?rules=family&top=9h&hand=9d")
    assert ' name="turn"' in _text(client, f"/referee?{TWO_PACKS}")
    away = _text(client, "/referee?rules=family&top=9h&hand=9d&turn=1")
    assert "It is not your turn." in away


def test_without_cards_the_referee_asks_for_them(client: TestClient) -> None:
    assert "Tap the top card" in _text(client, "/referee")
    assert "There is no rule book" in _text(client, "/referee?rules=famly&top=7h&hand=8h")
    assert "does not work with three" in _text(client, "/referee?rules=classic&players=3&top=7h&hand=8h")
    assert client.get("/referee?penalty=x&players=%00&top=%3C&hand=%3E", headers=ENGLISH).status_code == 200


# ---- the score pad ---------------------------------------------------------------------------------------------------


def test_points_are_those_of_the_books() -> None:
    left = ((), _cards("7h Kd Js"), _cards("Ac"), _cards("9c Qh"))
    family = points(Ruleset.parse("family").at(4), PlayedRound(0, _cards("8c"), left))
    assert family == (0, 7 + 4 + 2, 11, 9 + 3)
    jack = PlayedRound(0, _cards("Jc"), left)
    doubled = points(Ruleset.parse("family+jack-doubles").at(4), jack)
    assert doubled == tuple(2 * own for own in points(Ruleset.parse("family").at(4), jack))
    assert points(Ruleset.parse("family+win-points-5").at(4), jack) == (1, 0, 0, 0)
    assert points(Ruleset.parse("family").at(4), PlayedRound(None, (), left)) == family
    winner_takes = points(Ruleset.parse("family+score.to=winner").at(4), PlayedRound(0, _cards("8c"), left))
    assert winner_takes == (sum(family), 0, 0, 0)
    each = Ruleset.parse("family+jack-doubles+score.closing_each=yes").at(2)
    assert points(each, PlayedRound(0, _cards("Jc Jd"), ((), _cards("9c")))) == (0, 36)


def test_what_must_be_said_hangs_on_the_rules() -> None:
    assert asked(Ruleset.parse("family").at(3)) == (True, False, False)
    assert asked(Ruleset.parse("family+jack-doubles").at(3)) == (True, True, False)
    assert asked(Ruleset.parse("family+jack-doubles+score.closing_each=yes").at(3)) == (True, True, True)
    assert asked(Ruleset.parse("family+win-points-3").at(3)) == (False, False, False)


def test_whoever_is_not_out_has_cards_left_where_they_count() -> None:
    rounds = {"nobody": PlayedRound(None, (), ((), _cards("7h"), ())), "second": PlayedRound(1, (), ((), (), ()))}
    for code, said in (("family", ((0, 2), (0, 2))), ("family+end.play_on=yes", ((), ())), ("study", ((), ()))):
        rules = Ruleset.parse(code).at(3)
        assert (unnamed(rules, rounds["nobody"], range(3)), unnamed(rules, rounds["second"], range(3))) == said, code
    assert unnamed(Ruleset.parse("family").at(3), rounds["second"], (0, 1)) == (0,)


def test_cards_that_cannot_be_left_are_refused() -> None:
    rules = Ruleset.parse("family").at(2)
    with pytest.raises(PositionError, match="seven of hearts"):
        points(rules, PlayedRound(0, (), ((), _cards("7h 7h"))))
    with pytest.raises(PositionError, match="two of hearts"):
        points(rules, PlayedRound(0, (), ((), _cards("2h"))))
    assert points(Ruleset.parse("family+two-packs").at(2), PlayedRound(0, (), ((), _cards("7h 7h")))) == (0, 14)


def test_a_match_on_the_pad_ends_as_the_rules_say() -> None:
    rules = Ruleset.parse("family+target-30")
    rounds = [
        PlayedRound(0, (), ((), _cards("Ac Ad"), _cards("7h"))),
        PlayedRound(2, (), (_cards("8h"), _cards("9h"), ())),
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
    page = _text(client, start)
    assert "Jörg <b> deals." in page
    assert "<b> deals" not in client.get(start, headers=ENGLISH).text
    answer = client.get(f"{start}&out=0&left1=7h&left1=Kd&add=1", headers=ENGLISH)
    assert answer.status_code == 303
    pad = str(answer.headers["location"])
    assert "r=0...7hKd" in pad
    page = _text(client, pad)
    assert re.search(r"<tfoot>.*<td>0</td><td>11</td>", page)
    assert f'href="{pad.replace("&r=0...7hKd", "")}"' in page
    assert 'action="/score"' in page


def test_the_pad_says_what_is_missing(client: TestClient) -> None:
    assert "At least two people" in _text(client, "/score?name=Anna&begin=1", 422)
    assert "Say who went out" in _text(client, "/score?name=A&name=B&add=1", 422)
    twice = "/score?name=A&name=B&name=C&add=1&out=0&left1=7h&left2=7h"
    assert "seven of hearts" in _text(client, twice, 422)
    nobody = _text(client, "/score?name=Anna&name=Ben&name=Clara&add=1&out=0&left1=7h", 422)
    assert "The cards of Clara are missing" in nobody
    assert re.search(r'<details[^>]* data-seat="2" open>', nobody)
    assert not re.search(r'<details[^>]* data-seat="1" open>', nobody)
    both = _text(client, "/score?name=Anna&name=Ben&add=1&out=-", 422)
    assert "The cards of Anna and Ben are missing" in both
    counted = client.get("/score?rules=family%2Bwin-points-3&name=A&name=B&add=1&out=0")
    assert counted.status_code == 303  # each round won is a point: nobody counts cards
    assert "no rule book" in _text(client, "/score?rules=famly&name=A&name=B", 422)
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


# ---- links and headers -----------------------------------------------------------------------------------------------


def test_the_pages_are_linked_and_hold_nothing_inline(client: TestClient) -> None:
    for path in ("/", "/rules"):
        page = _text(client, path)
        for target in ("/rules/edit", "/referee", "/score"):
            assert f'href="{target}"' in page
    for path in ("/rules/edit", "/rules/family", "/rules/famly", "/referee", "/score", "/score?name=A&name=B"):
        answer = client.get(path)
        assert "default-src 'none'" in answer.headers["content-security-policy"]
        assert not re.search(r"<script(?![^>]*src=)|\sstyle=|\son[a-z]+=", answer.text), path
