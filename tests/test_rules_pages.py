"""The pages about rules in process: the editor and the sheet."""

from __future__ import annotations

import re
from collections.abc import Iterator
from urllib.parse import unquote

import pytest
from tests.rule_pages_kit import ENGLISH, GERMAN, rule_pages, text_of
from tests.web_client import TestClient

from maumau.ruleset import ALL_BOOKS, BOOKS, HOUSE_RULES, Ruleset
from maumau.ruleset import words as rule_words
from maumau.ruleset.keys import PLAIN_KEYS, POWERS
from maumau.web.editing import Board, chosen_in_code, chosen_in_form, read, trouble
from maumau.web.texts import LANGUAGES, texts


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    with rule_pages(tmp_path_factory) as opened:
        yield opened


# ---- the editor ------------------------------------------------------------------------------------------------------


def test_every_house_rule_and_every_key_can_be_switched(client: TestClient) -> None:
    page = text_of(client, "/rules/edit")
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
    page = text_of(client, f"/rules/edit?code={code}")
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
    page = text_of(client, "/rules/edit?code=" + code.replace("+", "%2B"))
    assert trouble(texts("en"), code, error).text in page
    assert re.search(r"<button[^>]*disabled[^>]*data-needs-rules", page)


def test_search_without_a_script_lists_where_to_look(client: TestClient) -> None:
    page = text_of(client, "/rules/edit?book=family&q=direction")
    assert '<a href="#rule-nine-reverse">' in page
    assert "No rule says" in text_of(client, "/rules/edit?q=xyzzy")


def test_a_card_can_be_given_powers(client: TestClient) -> None:
    page = text_of(client, "/rules/edit?book=family&add=Kh")
    assert 'name="v.power.Kh.draw"' in page
    preview = text_of(client, "/rules/edit?part=preview&book=family&v.power.Kh.draw=5")
    assert "King of hearts" in preview
    assert "five cards" in preview


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
        page = text_of(client, path, headers=GERMAN)
        notes = re.findall(r'<span class="reading">(.*?)</span>', page)
        assert notes
        assert all("<b>Hier gilt:</b>" in note and "<b>Auch denkbar:</b>" in note for note in notes)
        links = [unquote(code) for note in notes for code in re.findall(r'href="/rules/edit\?code=([^"]*)"', note)]
        assert links
        for code in links:
            assert code.startswith("family+nine-reverse+")
            assert read(code)[1] is None
    beside = text_of(client, "/rules/family+nine-reverse?part=sheet", headers=GERMAN)
    assert "<b>Hier gilt:</b>" in beside
    assert "/rules/edit" not in beside


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("book", ALL_BOOKS)
def test_the_sheet_says_everything(client: TestClient, book: str, lang: str) -> None:
    page = text_of(client, f"/rules/{book}", headers={"accept-language": lang})
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
    page = text_of(client, "/rules/family+nine-reverse")
    assert page == text_of(client, "/rules/family nine-reverse") == text_of(client, "/rules/family%20nine-reverse")
    assert "What differs from “Family”" in page
    assert '<input type="hidden" name="book" value="family+nine-reverse" data-code>' in page
    assert 'href="/rules/edit?code=family%2Bnine-reverse"' in page


def test_play_from_the_sheet_deals_by_its_rules(client: TestClient) -> None:
    answer = client.post("/play", data={"book": "family+nine-reverse", "players": "2", "level": "easy"})
    table = text_of(client, answer.headers["location"])
    assert 'href="/rules/family+nine-reverse?players=2"' in table
    assert "data-rules-sheet" in table


@pytest.mark.parametrize(
    ("code", "status"), [("famly", 404), ("family+nine-revers", 404), ("family+two-draw", 422), ("%F0%9F%83%8F", 404)]
)
def test_a_wrong_code_gets_its_sentence_and_offers(client: TestClient, code: str, status: int) -> None:
    page = text_of(client, f"/rules/{code}", status)
    _, error = read(unquote(code))
    assert error is not None
    assert trouble(texts("en"), unquote(code), error).text in page
    assert 'href="/rules/family' in page


def test_the_dialog_is_the_same_sheet_for_those_who_play(client: TestClient) -> None:
    part = text_of(client, "/rules/family?part=sheet&players=3")
    assert "<html" not in part
    assert "data-close" in part
    assert "For 3 players" in part
    for line in rule_words.sheet("en", Ruleset.parse("family").at(3)).lines:
        assert line.text in part
    assert "For 9" not in text_of(client, "/rules/family?part=sheet&players=9")


# ---- links and headers -----------------------------------------------------------------------------------------------


def test_the_pages_are_linked_and_hold_nothing_inline(client: TestClient) -> None:
    for path in ("/", "/rules"):
        page = text_of(client, path)
        for target in ("/rules/edit", "/referee", "/score"):
            assert f'href="{target}"' in page
    for path in ("/rules/edit", "/rules/family", "/rules/famly", "/referee", "/score", "/score?name=A&name=B"):
        answer = client.get(path)
        assert "default-src 'none'" in answer.headers["content-security-policy"]
        assert not re.search(r"<script(?![^>]*src=)|\sstyle=|\son[a-z]+=", answer.text), path
