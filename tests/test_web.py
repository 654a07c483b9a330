"""The pages in process: headers, languages, files, forms, and what never reaches a browser."""

from __future__ import annotations

import base64
import hashlib
import html
import json
import re
import socket as sockets
import time
from collections.abc import Iterator
from importlib import resources
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import pytest
from starlette.websockets import WebSocketDisconnect
from tests.web_client import TestClient
from tests.web_mock import mock_view, seats_with

from maumau.cards import Rank, Suit
from maumau.ruleset import Ruleset
from maumau.ruleset.words import chips, house_rule_name, part_names
from maumau.tables.view import SharedDevice, View
from maumau.web.app import create_app
from maumau.web.art import sprite
from maumau.web.assets import Assets
from maumau.web.lang import choose
from maumau.web.render import Renderer, others, rules_line, shown_hand
from maumau.web.serve import run
from maumau.web.texts import LANGUAGES, texts

IDIOMORPH = "4cbd535caf7663a51eda9bce6595371c384fc430d54b8d414e29a61167f19f96"
GERMAN = {"accept-language": "de-AT,de;q=0.9,en;q=0.5"}
TEMPLATES = Path(str(resources.files("maumau.web").joinpath("templates")))
STATIC = Path(str(resources.files("maumau.web").joinpath("static")))


@pytest.fixture
def client(tmp_path: Path) -> Iterator[TestClient]:
    with TestClient(create_app(tmp_path), base_url="http://table.test", follow_redirects=False) as opened:
        yield opened


def _play(client: TestClient, **fields: str) -> str:
    """Press Play; returns the table's address."""
    answer = client.post("/play", data={"players": "2", "pace": "slow", **fields}, headers=GERMAN)
    assert answer.status_code == 303
    return str(answer.headers["location"])


# ---- files ----------------------------------------------------------------------------------------------------------


def test_idiomorph_is_the_file_of_its_package() -> None:
    body = (STATIC / "vendor" / "idiomorph.min.js").read_bytes()
    assert hashlib.sha256(body).hexdigest() == IDIOMORPH
    assert "Zero-Clause BSD" in (STATIC / "vendor" / "idiomorph.LICENSE").read_text(encoding="utf-8")


def test_files_are_served_for_ever_under_their_hash_and_compressed(client: TestClient) -> None:
    assets = Assets()
    answer = client.get(assets.url("table.js"), headers={"accept-encoding": "gzip"})
    assert answer.headers["content-encoding"] == "gzip"
    assert answer.headers["cache-control"] == "public, max-age=31536000, immutable"
    assert "immutable" not in client.get("/static/old/table.js").headers["cache-control"]
    assert client.get(f"/static/{assets.version}/../app.py").status_code == 404
    assert client.get(f"/static/{assets.version}/nothing.js").status_code == 404


def _loaded(assets: Assets, page: str) -> set[str]:
    """The files that a page asks for, and those that its scripts import."""
    names = set(re.findall(rf"/static/{assets.version}/([\w./-]+)", page))
    for name in [name for name in names if name.endswith(".js")]:
        names |= set(re.findall(r'from "\./([\w.-]+)"', assets.files[name].body.decode()))
    return names


def test_the_first_load_of_a_table_is_small(client: TestClient) -> None:
    assets = Assets()
    page = client.get(_play(client), headers={"accept-encoding": "gzip"})
    loaded = _loaded(assets, page.text)
    scripts = sum(len(assets.files[name].packed) for name in loaded if name.endswith(".js"))
    styles = sum(len(assets.files[name].packed) for name in loaded if name.endswith(".css"))
    body = int(page.headers["content-length"])
    assert {"table.js", "fly.js", "site.css"} <= loaded
    assert page.headers["content-encoding"] == "gzip"
    assert scripts <= 15_000
    assert styles <= 14_000
    assert body <= 14_000
    assert body + scripts + styles <= 45_000


# ---- words ----------------------------------------------------------------------------------------------------------


def test_every_text_is_there_in_each_language_with_the_same_slots() -> None:
    slots = re.compile(r"{(\w+)}")
    german, english = texts("de").words, texts("en").words
    assert german.keys() == english.keys()
    for key, text in german.items():
        assert text.strip()
        assert set(slots.findall(text)) == set(slots.findall(english[key])), key


def test_every_text_of_the_templates_is_there() -> None:
    words = texts("de").words
    for template in TEMPLATES.glob("*.html"):
        for key in re.findall(r'(?<![\w.])t\("([\w.]+)"[,)]', template.read_text(encoding="utf-8")):
            assert key in words, f"{template.name}: {key}"


@pytest.mark.parametrize(
    ("cookie", "header", "lang"),
    [
        (None, None, "en"),
        (None, "de", "de"),
        (None, "de-AT", "de"),
        (None, "fr;q=1,de;q=0.5,en;q=0.2", "de"),
        (None, "en;q=0.4,de;q=0.8", "de"),
        (None, "xx", "en"),
        (None, ";;;q=,,x;q=zebra", "en"),
        (None, "de;q=0", "en"),
        ("en", "de", "en"),
        ("xx", "de", "de"),
    ],
)
def test_i01_the_language_is_chosen(cookie: str | None, header: str | None, lang: str) -> None:
    assert choose(cookie, header) == lang


def test_i04_counts_have_their_form() -> None:
    assert texts("de").count("cards", 1) == "1 Karte"
    assert texts("de").count("cards", 0) == "0 Karten"
    assert texts("en").count("cards", 21) == "21 cards"
    assert texts("xx").lang == "en"


# ---- drawings and templates -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_card_is_drawn_once(lang: str) -> None:
    drawn = sprite(tuple(texts(lang)("site.letters").split()))
    for rank in Rank:
        for suit in Suit:
            assert drawn.count(f'id="f-{rank.letter}{suit.letter}"') == 1
    assert 'id="f-*"' in drawn


def test_no_template_and_no_script_knows_a_rule() -> None:
    """Nothing compares a rank, a suit or the size of a hand: it reads a field of the view."""
    telling = re.compile(
        r"hand\|length|cards_n\s*[=<>!]=?\s*\d|(card|rank|suit)(\[[^]]*\])?\s*[=!]==?\s*['\"]|hand\.length\s*[=<>]"
    )
    for file in [*TEMPLATES.glob("*.html"), *STATIC.glob("*.js")]:
        found = telling.search(file.read_text(encoding="utf-8"))
        assert found is None, f"{file.name}: {found}"


def test_no_template_has_inline_script_or_style() -> None:
    for file in TEMPLATES.glob("*.html"):
        text = file.read_text(encoding="utf-8")
        assert not re.search(r"<script(?![^>]*\bsrc=)|<style|\sstyle=|\son\w+=", text), file.name


def test_a_table_is_put_together_once_for_all_addresses_unless_it_names_one() -> None:
    """Whoever looks on may ask by as many names of this server as they like, and costs no more by it."""
    renderer, running = Renderer(Assets()), mock_view("de")
    assert "h1.test" not in renderer.fragment(running, "de", "http://h1.test/")
    renderer.fragment(running, "de", "http://h2.test/")
    assert len(renderer._fragments) == 1
    waiting = mock_view("de", state="waiting", invite="secret", hand="", legal="", table="k7m3")
    for address in ("http://h1.test/", "http://h2.test/"):
        assert f"{address}j/secret" in renderer.fragment(waiting, "de", address)
    assert len(renderer._fragments) == 3


def test_a_name_from_right_to_left_does_not_turn_around_the_sentence_about_it() -> None:
    view = seats_with(mock_view("de", end_proposed=(1,)), 1, name="דנה")
    assert "\u2068דנה\u2069 möchte das Spiel beenden." in Renderer(Assets()).fragment(view, "de")


def test_two_copies_of_a_card_have_buttons_of_their_own() -> None:
    view = mock_view("de", hand="9h 9h Kd", legal="9h")
    assert [card.key for card in shown_hand(view)] == ["Kd", "9h", "9h-1"]
    html = Renderer(Assets()).fragment(view, "de")
    assert html.count('id="card-9h"') == 1
    assert html.count('id="card-9h-1"') == 1


@pytest.mark.parametrize(
    ("view", "asked", "renewed"),
    [
        (mock_view(turn=1), {}, "5; url=/t/k7m2"),
        (mock_view(turn=1), {"problem": "No."}, "20; url=/t/k7m2"),
        (mock_view(turn=0), {}, "45; url=/t/k7m2"),
        (mock_view(turn=0), {"wish_for": "Js", "armed": True}, "45; url=/t/k7m2?wish=Js&amp;mau=1"),
        (mock_view(turn=0), {"wish_for": "7h"}, "45; url=/t/k7m2"),
        (mock_view(turn=0, you=None), {}, "5; url=/t/k7m2"),
        (mock_view(turn=0, you=2, shared=SharedDevice((0, 2), covered=True, next=0)), {}, "45; url=/t/k7m2"),
        (mock_view(turn=None, state="waiting"), {}, "8; url=/t/k7m2"),
        (mock_view(turn=None, state="round-over"), {}, "20; url=/t/k7m2"),
    ],
)
def test_a_page_without_scripts_renews_itself_and_keeps_what_was_begun(
    view: View, asked: dict[str, Any], renewed: str
) -> None:
    page = Renderer(Assets()).table(view, "en", "/t/k7m2", **asked)
    assert re.findall(r'<noscript><meta http-equiv="refresh" content="([^"]*)"></noscript>', page) == [renewed]


def test_the_next_player_sits_first() -> None:
    view = mock_view("en", seats=4)
    assert [seat.seat for seat in others(view)] == [1, 2, 3]


def test_cards_of_others_are_anonymous_backs() -> None:
    html = Renderer(Assets()).fragment(mock_view("en", hand="9h Kd", legal="9h", seats=4), "en")
    seats = html[html.index('class="seats"') : html.index('class="middle"')]
    assert "f-" not in seats
    assert seats.count('<i class="back"></i>') == 12


# ---- requests -------------------------------------------------------------------------------------------------------


def test_every_answer_keeps_to_itself(client: TestClient) -> None:
    for path in ("/", "/rules", "/rules/family", "/nothing", "/livez", "/api/tables/none"):
        policy = client.get(path).headers["content-security-policy"]
        assert "default-src 'none'" in policy
        assert "unsafe" not in policy


def test_an_opener_policy_is_sent_where_a_browser_takes_it(client: TestClient, tmp_path: Path) -> None:
    name = "Cross-Origin-Opener-Policy"
    assert name not in client.get("/").headers
    with TestClient(create_app(tmp_path / "tls"), base_url="https://table.test") as secure:
        assert secure.get("/").headers[name] == "same-origin"


def test_head_is_answered_like_get_without_the_body(client: TestClient) -> None:
    table = _play(client)
    for path in ("/", "/rules", f"{table}/sheet", "/api/rulesets", "/nowhere", "/livez"):
        shown, asked = client.get(path), client.head(path)
        assert (asked.status_code, asked.content) == (shown.status_code, b""), path
        assert asked.headers["content-type"] == shown.headers["content-type"]
        assert asked.headers.get("content-encoding") == shown.headers.get("content-encoding")
        assert asked.headers["content-length"] != "0"


def test_a_form_of_another_page_is_refused(client: TestClient) -> None:
    for headers in ({"sec-fetch-site": "cross-site"}, {"sec-fetch-site": "same-site"}, {"origin": "http://evil.test"}):
        assert client.post("/play", data={"players": "2"}, headers=headers).status_code == 403
    for headers in ({"sec-fetch-site": "same-origin"}, {"origin": "http://table.test"}):
        assert client.post("/play", data={"players": "2"}, headers=headers).status_code == 303


def test_the_cookie_is_for_the_server_alone(client: TestClient, tmp_path: Path) -> None:
    plain = client.post("/play", data={"players": "2"}).headers["set-cookie"]
    assert plain.startswith("maumau=")
    assert "HttpOnly" in plain
    assert "samesite=lax" in plain.lower()
    assert "Secure" not in plain
    with TestClient(create_app(tmp_path / "tls"), base_url="https://table.test", follow_redirects=False) as secure:
        cookie = secure.post("/play", data={"players": "2"}).headers["set-cookie"]
    assert cookie.startswith("__Host-maumau=")
    assert "; Secure" in cookie


def test_a_broken_cookie_is_no_cookie(client: TestClient) -> None:
    for value in ("x", "bnVsbA==", base64.urlsafe_b64encode(b"[1]").decode(), "%%%", "=" * 30):
        assert client.get("/", headers={"cookie": f"maumau={value}"}).status_code == 200
    odd = base64.urlsafe_b64encode(json.dumps({"s": {"t": 5}, "n": "x", "r": 7, "l": []}).encode()).decode()
    assert client.get("/", headers={"cookie": f"maumau={odd}"}).status_code == 200


def test_play_deals_at_once_and_home_remembers(client: TestClient) -> None:
    table = _play(client, book="international", players="3", level="easy")
    page = client.get(table, headers=GERMAN).text
    assert page.count('class="seat') >= 2
    home = client.get("/", headers=GERMAN).text
    assert re.search(r'value="international" checked', home)
    assert re.search(r'value="3" checked', home)
    assert re.search(r'value="easy" checked', home)
    assert f'href="{table}"' in home


def _home_form(page: str) -> dict[str, list[str]]:
    """Book and house rules as the home form would send them."""
    inputs = re.findall(r'<input [^>]*name="(book|house)" value="([^"]+)"( checked)?', page)
    return {
        kind: [html.unescape(value) for name, value, on in inputs if name == kind and on] for kind in ("book", "house")
    }


@pytest.mark.parametrize(
    ("code", "cards"), [("family+deal.cards=9+52-cards", 9), ("family+deal.cards=10+52-cards+jack-20", 10)]
)
def test_the_big_play_deals_by_the_whole_of_the_last_rules(client: TestClient, code: str, cards: int) -> None:
    assert _play(client, book=code).startswith("/t/")
    for page in (client.get("/", headers=GERMAN), client.get(f"/?{urlencode({'rules': code})}", headers=GERMAN)):
        form = _home_form(page.text)
        assert f"{cards} auf die Hand" in page.text
        again = client.get(_play(client, **form), headers=GERMAN)  # type: ignore[arg-type]  # the fields are texts or lists of them
        assert again.text.count('id="li-') == cards


def test_another_book_on_the_home_page_drops_the_single_values(client: TestClient) -> None:
    page = client.get("/?rules=family%2Bdeal.cards%3D9%2B52-cards", headers=GERMAN).text
    assert re.search(r"<b>Familie mit Änderungen</b><small>9 auf die Hand</small>", page)
    assert _home_form(page) == {"book": ["family+deal.cards=9"], "house": ["52-cards"]}
    assert '<input type="radio" name="book" value="family">' in page  # the plain book is there to go back to
    table = client.get(_play(client, book="classic", house="52-cards"), headers=GERMAN).text
    assert table.count('id="li-') == 5


def test_the_heading_of_a_table_says_single_values_in_short_words() -> None:
    assert rules_line("de", "family+deal.cards=9+52-cards") == "Familie · 9 auf die Hand · 52 Karten"
    assert rules_line("en", "family+call.mau=3+jack-20") == "Family · Mau +3 · " + house_rule_name("en", "jack-20")
    assert rules_line("en", "family+draw.reshuffles=3") == "Family · shuffled again at most 3×"
    five = "+".join(f"points.{rank}=1" for rank in "AKQJT")
    assert rules_line("en", f"family+{five}").endswith(" · J counts 1 · one more value")
    assert rules_line("en", "family") == "Family"


@pytest.mark.parametrize("code", ["family+deal.cards=9", "family+power.9.reverse=yes"])
def test_the_words_of_parts_are_those_of_the_chips(code: str) -> None:
    rules = Ruleset.parse(code)
    told = [word for part, name in part_names("en", rules).items() if "=" in part for word in name.split(", ")]
    assert set(told) <= set(chips("en", rules))
    assert len(told) == code.count("=")


def test_a_book_for_four_is_played_by_three_with_its_house_rule(client: TestClient) -> None:
    page = client.get(_play(client, book="classic", players="3"), headers=GERMAN).text
    assert "/rules/classic+players-3" in page


def test_rules_that_contradict_are_refused_in_one_sentence(client: TestClient) -> None:
    data = {"players": "3", "book": "family", "house": ["no-stacking", "stack-cap-1"]}
    answer = client.post("/play", data=data, headers=GERMAN)
    assert answer.status_code == 422
    assert 'role="alert"' in answer.text
    assert client.post("/play", data={"players": "3", "book": "nonsense"}).status_code == 422


def test_the_language_is_switched_and_comes_back(client: TestClient) -> None:
    assert '<html lang="de"' in client.get("/", headers=GERMAN).text
    answer = client.post("/language", data={"lang": "en", "back": "/rules"}, headers=GERMAN)
    assert answer.headers["location"] == "/rules"
    assert '<html lang="en"' in client.get("/", headers=GERMAN).text
    for back in ("https://evil.test/", "//evil.test", "/\\evil.test"):
        assert client.post("/language", data={"lang": "de", "back": back}).headers["location"] == "/"


def test_errors_are_pages_for_people(client: TestClient) -> None:
    answer = client.get("/nothing", headers=GERMAN)
    assert answer.status_code == 404
    assert "Diese Seite gibt es nicht." in answer.text
    assert client.get("/t/nothing").status_code == 404
    assert client.get("/rules/famly").status_code == 404
    assert client.post("/rules").status_code == 405
    assert client.post("/play", content=b"x" * 5000).status_code == 413


def test_an_action_is_a_form_or_data(client: TestClient) -> None:
    table = _play(client, pace="instant")
    for _ in range(50):
        page = client.get(table).text
        if "my-turn" in page:
            break
    version = re.search(r'data-version="(\d+)"', page)
    assert version is not None
    fields = {"id": "5f0c4d2a-0000-4000-8000-000000000001", "version": version[1], "action": "??"}
    refused = client.post(f"{table}/act", data=fields, headers={"accept": "application/json"})
    assert refused.status_code == 422
    assert refused.json()["error"]["code"]
    assert 'id="table"' in refused.json()["html"]
    as_page = client.post(f"{table}/act", data=fields)
    assert as_page.status_code == 422
    assert 'class="notice" data-local>' in as_page.text


def test_a_stranger_cannot_act(client: TestClient) -> None:
    table = _play(client)
    client.cookies.clear()
    answer = client.post(f"{table}/act", data={"action": "+", "version": "1"}, headers={"accept": "application/json"})
    assert answer.status_code in (401, 403, 409)


def test_the_live_socket_pushes_whole_views_of_this_seat(client: TestClient) -> None:
    table = _play(client, pace="instant")
    with client.websocket_connect(f"ws://table.test{table}/live?version=0") as socket:
        frame = socket.receive_json()
    assert frame["v"] == 1
    assert f'data-version="{frame["version"]}"' in frame["html"]


def test_the_live_socket_is_not_for_other_pages(client: TestClient) -> None:
    table = _play(client)
    for path, headers in ((table, {"origin": "http://evil.test"}), ("/t/none", {})):
        with client.websocket_connect(f"{path}/live", headers=headers) as socket, pytest.raises(WebSocketDisconnect):
            socket.receive_json()


@pytest.mark.parametrize("frame", ["null", "]", "[]", "5", '"x"', "NaN", "[" * 4000, '{"type":null}', "\x00"])
def test_x11_a_strange_frame_harms_nobody(client: TestClient, frame: str) -> None:
    table = _play(client)
    with client.websocket_connect(f"ws://table.test{table}/live?version=0") as socket:
        socket.receive_json()
        socket.send_text(frame)
        socket.send_bytes(b"\x00\xff")
        assert client.get(table).status_code == 200
        time.sleep(0.05)
    assert client.get(table).status_code == 200


def test_a_taken_port_is_told_in_one_sentence(tmp_path: Path) -> None:
    with sockets.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        with pytest.raises(SystemExit, match=r"cannot be used .*; try --port 0"):
            run(host="127.0.0.1", port=taken.getsockname()[1], data_dir=tmp_path)


@pytest.mark.parametrize("host", ["999.1.1.1", "192.0.2.1", "::zz"])
def test_an_address_of_another_machine_is_not_taken_for_a_taken_port(tmp_path: Path, host: str) -> None:
    with pytest.raises(SystemExit, match=rf"^{host} is no address of this machine \(.+\); try --host 0\.0\.0\.0"):
        run(host=host, port=0, data_dir=tmp_path)
