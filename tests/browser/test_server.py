"""The page and its server: reloads, kills, the network's own address, open tabs at the end."""

from __future__ import annotations

import base64
import json
import re
import urllib.error
import urllib.request
from contextlib import suppress
from datetime import datetime, timedelta
from itertools import pairwise
from pathlib import Path
from urllib.parse import parse_qs

import pytest
from playwright.sync_api import Browser, Page, Route, expect
from playwright.sync_api import Error as BrowserError
from tests.browser.kit import Server, begin, hand_of, network_address, play_until, press, take_turn


def test_a_reload_shows_the_same_hand(page: Page, server: Server) -> None:
    begin(page, server.address, players=4, pace="instant")
    page.wait_for_selector(".my-turn")
    before, top = hand_of(page), page.locator("#pile [data-top] .pile-card").get_attribute("aria-label")
    page.reload()
    assert hand_of(page) == before
    assert page.locator("#pile [data-top] .pile-card").get_attribute("aria-label") == top


def test_what_is_much_too_large_is_answered_and_not_cut_off(server: Server) -> None:
    for size in (5_000, 5_000_000):
        asked = urllib.request.Request(f"{server.address}/api/tables", b"x" * size, method="POST")
        with pytest.raises(urllib.error.HTTPError) as refused:
            urllib.request.urlopen(asked, timeout=60)
        assert refused.value.code == 413
        assert json.load(refused.value)["error"]["code"] == "too-large"
        refused.value.close()


def test_home_offers_to_continue(page: Page, server: Server) -> None:
    begin(page, server.address, players=3)
    table = page.url
    press(page, ".brand")
    page.wait_for_url(server.address + "/")
    press(page, ".continue")
    page.wait_for_url(table)


def test_a_killed_server_goes_on_where_it_was(page: Page, own_server: Server) -> None:
    begin(page, own_server.address, players=4)
    for _ in range(3):
        take_turn(page)
    page.wait_for_selector(".my-turn, [data-state=round-over]")
    before = hand_of(page)
    own_server.kill()
    page.wait_for_selector("#offline:not([hidden])")
    own_server.start()
    page.wait_for_selector("#offline[hidden]", state="attached")
    assert hand_of(page) == before
    play_until(page, "round-over", "match-over")


def test_a_press_while_the_server_is_down_arrives_once(page: Page, own_server: Server) -> None:
    begin(page, own_server.address, players=2)
    page.wait_for_selector(".my-turn, [data-state=round-over]")
    version = page.locator("#table").get_attribute("data-version")
    own_server.kill()
    press(page, "#hand .legal, #draw", 9, 14)
    if page.locator("#wish").is_visible():
        press(page, "#wish [data-suit]")
    page.wait_for_timeout(400)
    own_server.start()
    page.wait_for_function("(v) => document.getElementById('table').dataset.version !== v", arg=version)


def test_by_the_address_that_phones_use(page: Page, tmp_path: Path) -> None:
    """Plain HTTP at the address of the machine in its network: no secure context, and a round can be played."""
    address = network_address()
    served = Server(tmp_path, host="0.0.0.0")
    try:
        begin(page, f"http://{address}:{served.port}", players=2)
        assert not page.evaluate("isSecureContext")
        assert page.evaluate("crypto.randomUUID === undefined")
        play_until(page, "round-over", "match-over")
    finally:
        served.stop()


def test_open_tabs_do_not_hold_up_the_end(browser: Browser, own_server: Server) -> None:
    context = browser.new_context()
    pages = [context.new_page() for _ in range(3)]
    begin(pages[0], own_server.address, players=3, pace="slow")
    for other in pages[1:]:
        other.goto(pages[0].url)
        other.wait_for_selector("html[data-live]")
    assert own_server.stop() == 0
    assert "graceful shutdown exceeded" not in own_server.log.read_text(encoding="utf-8")
    context.close()


def test_two_tabs_of_one_seat_are_both_live(page: Page, server: Server) -> None:
    begin(page, server.address, players=2)
    other = page.context.new_page()
    other.goto(page.url)
    other.wait_for_selector("html[data-live]")
    for _ in range(4):
        take_turn(page)
    # A bot may act in between: the two are alike as soon as both show the same version.
    for _ in range(1_200):
        versions = {tab.locator("#table").get_attribute("data-version") for tab in (page, other)}
        if len(versions) == 1 and hand_of(other) == hand_of(page):
            break
        page.wait_for_timeout(100)
    assert len(versions) == 1
    assert hand_of(other) == hand_of(page)


@pytest.mark.parametrize("arrives", [False, True], ids=["nothing arrives", "no answer comes back"])
def test_x15_a_card_is_drawn_once_and_nobody_knows_it_before(page: Page, server: Server, arrives: bool) -> None:
    """The network goes at the press: until the server has said so the page knows of no card, and a reload changes none."""
    begin(page, server.address, book="family+automatic-calls+no-draw-two", players=2)
    page.wait_for_selector(".my-turn")
    before, sent, down = set(hand_of(page)), list[str](), True

    def cut(route: Route) -> None:
        sent.append(parse_qs(route.request.post_data or "")["id"][-1])
        if not down:
            route.fallback()
            return
        if arrives:
            route.fetch()
        route.abort()

    page.route("**/act", cut)
    press(page, "#draw")
    while len(sent) < 2:
        page.wait_for_timeout(50)
    if not arrives:
        known = set(re.findall(r'id="(card-[^"]+)"', page.content()))
        assert known == before
    down = False
    page.wait_for_function("(n) => document.querySelectorAll('#hand button').length > n", arg=len(before))
    page.wait_for_function("() => !document.querySelector('.sent')")
    after = set(hand_of(page))
    assert before < after
    assert len(after) == len(before) + 1
    assert set(sent) == {sent[0]}, "the same press, however often it was sent"
    page.reload()
    assert set(hand_of(page)) == after


def test_x15_a_press_that_never_left_is_gone_with_the_page(page: Page, server: Server) -> None:
    begin(page, server.address, book="family+automatic-calls+no-draw-two", players=2)
    page.wait_for_selector(".my-turn")
    before, sent = hand_of(page), list[str]()

    def cut(route: Route) -> None:
        sent.append(route.request.url)
        route.abort()

    page.route("**/act", cut)
    press(page, "#draw")
    while not sent:
        page.wait_for_timeout(50)
    page.reload()  # while nothing comes through: the page tries again and again
    page.unroute_all(behavior="ignoreErrors")
    assert hand_of(page) == before


def test_the_table_works_without_scripts(browser: Browser, server: Server) -> None:
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(server.address)
    page.locator("[name=players][value='2']").check(force=True)
    page.locator("[name=pace][value=instant]").check(force=True)
    page.locator(".play-big").click()
    for _ in range(4_000):  # most of them wait for the bot
        state = page.locator("#table").get_attribute("data-state")
        if state != "playing":
            break
        choice = page.locator("#wish[open] button[data-suit], #hand .legal, #draw, #pass, .suit-do, button#mau")
        with suppress(BrowserError):  # the page has renewed itself just then, and a late call was over
            if choice.count():
                choice.first.click(position={"x": 8, "y": 12}, timeout=20_000)
            else:
                page.reload()
    assert page.locator("#next, #rematch").count() == 1
    context.close()


def test_without_scripts_the_host_sees_who_comes(browser: Browser, server: Server) -> None:
    """Nothing is pressed and nothing reloaded: the page asks for itself again."""
    context = browser.new_context(java_script_enabled=False, locale="en-GB")
    page = context.new_page()
    page.goto(server.address)
    page.locator("#with-friends").click()
    link = page.locator("#invite-link").input_value()
    guest = browser.new_context(java_script_enabled=False, locale="en-GB").new_page()
    guest.goto(link)
    guest.locator("input[name=name]").fill("Berta")
    guest.locator("#join").click()
    expect(page.locator(".chair-name", has_text="Berta")).to_be_visible()
    page.locator("#start").click()
    expect(guest.locator("#table.is-playing")).to_be_visible()
    guest.context.close()
    context.close()


@pytest.mark.parametrize("scripts", [True, False])
def test_the_lobby_shows_a_table_that_opens_while_one_looks(browser: Browser, server: Server, scripts: bool) -> None:
    """Nothing is pressed and nothing reloaded there; the way in is pressed at the end."""
    looking = browser.new_context(java_script_enabled=scripts, locale="en-GB").new_page()
    looking.goto(f"{server.address}/lobby")
    host = browser.new_context(java_script_enabled=False, locale="en-GB").new_page()
    host.goto(server.address)
    host.locator("#with-friends").click()
    table = host.url.rpartition("/")[2]
    expect(looking.locator(f"#table-{table}")).to_have_count(0)
    host.locator("[formaction$='/public'], .publish[action$='/public'] button").click()
    expect(looking.locator(f"#table-{table}")).to_be_visible()
    looking.locator(f"#table-{table} .lobby-way").click()
    looking.locator("#join").click()
    expect(looking.locator("#table.is-waiting")).to_be_visible()
    looking.context.close()
    host.context.close()


def test_the_pace_is_kept_and_a_tap_skips_ahead(page: Page, server: Server) -> None:
    begin(page, server.address, players=4, pace="slow")
    press(page, ".icon[popovertarget=menu]")
    press(page, "#pace [value=slow]")
    page.keyboard.press("Escape")
    for _ in range(200):  # on a busy machine a tap may come when the last bot has just acted
        page.wait_for_selector(".my-turn, [data-hurry], [data-state=round-over]")
        if page.locator("[data-hurry]").count():
            page.mouse.click(20, 300)
            page.wait_for_selector(".my-turn, [data-state=round-over]")
            if min(between(bots_acts(page, server)), default=9) < 1.7:  # unhurried they wait 1.8 s
                return
        take_turn(page)
    raise AssertionError("no tap has ever skipped ahead")


def test_b06_bots_act_at_a_pace_that_people_can_follow(page: Page, server: Server) -> None:
    """One person and three bots at the default pace: at least 0.6 s from turn to turn, and all of it told."""
    begin(page, server.address, players=4, pace="normal")
    lines = page.locator("#log p").count()
    for _ in range(200):
        page.wait_for_selector(".my-turn, [data-state=round-over]")
        acts = bots_acts(page, server)
        if len(acts) > 3 or page.locator(".my-turn").count() == 0:
            break
        take_turn(page)
    assert len(acts) > 2
    assert all(wait >= 0.6 for wait in between(acts)), acts
    assert page.locator("#log p").count() > lines


def between(acts: list[tuple[int, datetime]]) -> list[float]:
    """How many seconds lie between the acts of one bot and the next."""
    return [(b[1] - a[1]) / timedelta(seconds=1) for a, b in pairwise(acts) if a[0] != b[0]]


def bots_acts(page: Page, server: Server) -> list[tuple[int, datetime]]:
    """Which bot has acted, and when, by the clock of the server."""
    (cookie,) = (one for one in page.context.cookies() if one["name"] == "maumau")
    table = page.url.rpartition("/")[2]
    token = json.loads(base64.urlsafe_b64decode(cookie["value"].strip('"')))["s"][table]
    answer = page.request.get(
        f"{server.address}/api/tables/{table}/events?after=0", headers={"Authorization": f"Bearer {token}"}
    )
    told = [event for event in answer.json()["events"] if event["kind"] in ("play", "draw", "take")]
    return [(event["seat"], datetime.fromisoformat(event["at"])) for event in told if event["seat"]]
