"""The page and its server: reloads, kills, the network's own address, open tabs at the end."""

from __future__ import annotations

import json
import time
import urllib.error
import urllib.request
from itertools import pairwise
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page
from tests.browser.kit import Server, begin, hand_of, play_until, press, take_turn

from maumau.web.serve import lan_address


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
            urllib.request.urlopen(asked, timeout=20)
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
    page.wait_for_selector("#offline:not([hidden])", timeout=6000)
    own_server.start()
    page.wait_for_selector("#offline[hidden]", state="attached", timeout=10_000)
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
    page.wait_for_function("(v) => document.getElementById('table').dataset.version !== v", arg=version, timeout=10_000)


def test_by_the_address_that_phones_use(page: Page, tmp_path: Path) -> None:
    """Plain HTTP at the address of the machine in its network: no secure context, and a round can be played."""
    address = lan_address()
    if address is None:
        pytest.skip("this machine has no address in a network")
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
    began = time.monotonic()
    assert own_server.stop() == 0
    assert time.monotonic() - began < 5
    context.close()


def test_two_tabs_of_one_seat_are_both_live(page: Page, server: Server) -> None:
    begin(page, server.address, players=2)
    other = page.context.new_page()
    other.goto(page.url)
    other.wait_for_selector("html[data-live]")
    for _ in range(4):
        take_turn(page)
    # A bot may act in between: the two are alike as soon as both show the same version.
    for _ in range(50):
        versions = {tab.locator("#table").get_attribute("data-version") for tab in (page, other)}
        if len(versions) == 1 and hand_of(other) == hand_of(page):
            break
        page.wait_for_timeout(100)
    assert len(versions) == 1
    assert hand_of(other) == hand_of(page)


def test_the_table_works_without_scripts(browser: Browser, server: Server) -> None:
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(server.address)
    page.locator("[name=players][value='2']").check(force=True)
    page.locator("[name=pace][value=instant]").check(force=True)
    page.locator(".play-big").click()
    for _ in range(120):
        state = page.locator("#table").get_attribute("data-state")
        if state != "playing":
            break
        choice = page.locator("#wish[open] button[data-suit], #hand .legal, #draw, #pass, .suit-do, button#mau")
        if choice.count():
            choice.first.click(position={"x": 8, "y": 12})
        else:
            page.reload()
    assert page.locator("#next, #rematch").count() == 1
    context.close()


def test_the_pace_is_kept_and_a_tap_skips_ahead(page: Page, server: Server) -> None:
    begin(page, server.address, players=4, pace="slow")
    press(page, ".icon[popovertarget=menu]")
    press(page, "#pace [value=slow]")
    page.keyboard.press("Escape")
    for _ in range(6):
        page.wait_for_selector(".my-turn, [data-hurry], [data-state=round-over]", timeout=10_000)
        if page.locator("[data-hurry]").count():
            began = time.monotonic()
            page.mouse.click(20, 300)
            page.wait_for_selector(".my-turn, [data-state=round-over]", timeout=5_000)
            assert time.monotonic() - began < 2.5
            return
        take_turn(page)


def test_b06_bots_act_at_a_pace_that_people_can_follow(page: Page, server: Server) -> None:
    """One person and three bots at the default pace: at least 0.6 s apart, three turns within 6 s, each in the log."""
    begin(page, server.address, players=4, pace="normal")
    page.wait_for_selector(".my-turn, [data-state=round-over]", timeout=20_000)
    page.evaluate(
        """() => { window.turns = [];
      const look = () => { const on = document.querySelector(".seat.on-turn"); return document.querySelector(".my-turn") ? "me" : on ? on.id : ""; };
      let last = look();
      new MutationObserver(() => { const now = look(); if (now !== last) { last = now; window.turns.push([now, performance.now()]); } })
        .observe(document.body, { subtree: true, childList: true, attributes: true }); }"""
    )
    lines = page.locator("#log p").count()
    for _ in range(3):
        if page.locator(".my-turn").count() == 0:
            break
        take_turn(page)
    page.wait_for_function(
        "() => window.turns.length > 1 && (window.turns.at(-1)[0] === 'me' || window.turns.at(-1)[0] === '')",
        timeout=15_000,
    )
    turns = page.evaluate("window.turns")
    waits = [(later[1] - earlier[1]) / 1000 for earlier, later in pairwise(turns)]
    bots = [wait for (who, _), wait in zip(turns, waits, strict=False) if who.startswith("seat")]
    assert all(wait >= 0.55 for wait in bots), turns
    assert len(bots) > 3 or sum(bots) < 6.5, turns
    assert page.locator("#log p").count() > lines
