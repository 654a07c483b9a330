"""The clock of a turn on the page: at the seat on turn for everybody, in figures and words for whoever must act."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
from playwright.sync_api import Browser, Page
from tests.browser.kit import MockTable, Server, press
from tests.web_mock import mock_view, seats_with

_WORN = "(bar) => bar.getAnimations()[0].effect.getComputedTiming().duration"


def test_a_clock_is_set_shown_to_everybody_and_prolonged(page: Page, browser: Browser, server: Server) -> None:
    page.goto(f"{server.address}/")
    press(page, "label:has(input[name=players][value='2'])")
    page.locator("#with-friends").scroll_into_view_if_needed()
    press(page, "#with-friends")
    page.wait_for_selector("html[data-live] .is-waiting")
    press(page, ".publish .chip[value='30']")
    page.wait_for_selector(".publish .chip[value='30'][aria-pressed='true']")
    assert page.locator("form[action$='/limit'] .chip[value='300'][aria-pressed='true']").count() == 1
    press(page, "form[action$='/limit'] .chip[value='120']")
    page.wait_for_selector("form[action$='/limit'] .chip[value='120'][aria-pressed='true']")
    link = page.locator("#invite-link").input_value()
    context = browser.new_context(viewport={"width": 360, "height": 640}, locale="de-DE")
    guest = context.new_page()
    guest.goto(link)
    press(guest, "#join")
    page.wait_for_selector("#chair-1:not(.free)")
    press(page, "#start")
    for someone in (page, guest):
        someone.wait_for_selector("html[data-live] .is-playing")

    mine, other = (page, guest) if page.locator(".my-turn").count() else (guest, page)
    assert 0 < mine.locator("#clock-own").evaluate(_WORN) <= 30_000
    assert 0 < other.locator(".seat .clock").evaluate(_WORN) <= 30_000
    assert other.locator("#more-time, #clock-own").count() == 0
    width = mine.locator("#clock-own").locator("..").bounding_box()
    assert width is not None
    assert width["width"] > 150

    nodes = "() => { window.changed = 0; new MutationObserver((all) => { window.changed += all.length; })"
    other.evaluate(nodes + ".observe(document.getElementById('table'), { subtree: true, childList: true }); }")
    figure = mine.locator("#clock-left").inner_text()
    mine.wait_for_function("(was) => document.getElementById('clock-left').textContent !== was", arg=figure)
    assert other.evaluate("window.changed") == 0, "a clock that runs changes nothing on the others' pages"

    press(mine, "#more-time")
    mine.wait_for_selector("#more-time", state="detached")
    mine.wait_for_function("Number.parseInt(document.getElementById('clock-left').textContent) > 30")
    other.wait_for_function(f"({_WORN})(document.querySelector('.seat .clock')) > 30000")
    context.close()


_BY_HAND = """([asked, answered]) => {
  window.at = answered;
  performance.now = () => window.at;
  performance.getEntriesByType = () => [{ requestStart: asked, responseStart: answered }];
}"""
"""The page's own clock stands still but for the test; ``at`` is its time in milliseconds."""
_SHOWN = """(at) => {
  window.at = at;
  document.dispatchEvent(new Event("table-shown"));
  return Number.parseInt(document.getElementById("clock-left").textContent.match(/\\d+/)[0]);
}"""


@pytest.mark.parametrize("latency", [100, 1_000])
def test_m17_a_slow_line_shows_what_the_server_counts(page: Page, latency: int) -> None:
    """The page, a socket that comes back after three seconds, and news that are late: within a second of the server."""
    asked = 500
    page.add_init_script(f"({_BY_HAND})([{asked}, {asked + 2 * latency}])")
    table, view = MockTable(page), mock_view("de", deadline_at=60_000, turn_seconds=60)
    table.open(view)  # written at the server's time 0, when the page's own was:
    written = asked + latency

    def shown(server: int) -> None:
        """What the page shows when it is that late at the server."""
        assert abs(page.evaluate(_SHOWN, written + server) - (60_000 - server) / 1_000) <= 1, server

    def told(server: int, late: int) -> None:
        """The socket brings the server's time, which is older by then."""
        page.evaluate("(at) => { window.at = at; }", written + server + late)
        table.sockets[-1].send(json.dumps({"v": 1, "version": view.version, "now": server, "html": ""}))
        page.wait_for_function("(n) => window.heard === n", arg=server)

    page.evaluate("document.addEventListener('server-time', (e) => { window.heard = e.detail; })")
    shown(latency)
    told(3_000, latency)
    shown(3_000 + latency)
    told(10_000, 2 * latency)
    shown(10_000 + 2 * latency)
    shown(59_400)


def test_m17_a_server_whose_clock_was_set_back_is_believed(page: Page) -> None:
    page.add_init_script(f"({_BY_HAND})([0, 0])")
    table, view = MockTable(page), mock_view("de", deadline_at=60_000, turn_seconds=60)
    table.open(view)
    page.evaluate("document.addEventListener('server-time', (e) => { window.heard = e.detail; })")
    page.evaluate("window.at = 40000")
    table.sockets[-1].send(json.dumps({"v": 1, "version": view.version, "now": 5_000, "html": ""}))
    page.wait_for_function("window.heard === 5000")
    assert page.evaluate(_SHOWN, 40_000) == 55


def test_m03_a_page_takes_a_clock_that_was_put_on_though_nothing_has_happened(page: Page) -> None:
    table, view = MockTable(page), mock_view("de", deadline_at=60_000, turn_seconds=60)
    table.open(view)
    page.wait_for_selector("#clock-left[data-until='60000']")
    table.push(replace(view, deadline_at=95_000))
    page.wait_for_selector("#clock-left[data-until='95000']")


def test_m14_the_others_see_how_long_until_a_bot_sits_in(page: Page) -> None:
    seats = {"kind": "human", "away": True, "can_stand_in": True, "stand_in_at": 272_000}
    table, view = MockTable(page), seats_with(mock_view("de", seats=3), 1, **seats)
    page.set_viewport_size({"width": 360, "height": 640})
    table.open(view)
    told = "document.querySelector('#seat-1 [data-bot-at]').textContent"
    page.wait_for_function(f"() => /^Bot in [0-4]:[0-5][0-9]$/.test({told})")
    mark = page.locator("#seat-1 [data-bot-at]")
    page.wait_for_function(f"(was) => {told} !== was", arg=mark.inner_text())
    box = mark.bounding_box()
    assert box is not None
    assert box["x"] >= 0
    assert box["x"] + box["width"] <= 360
    assert page.locator("#seat-1 .stand-in").is_visible()
    sits = {"level": "normal", "stand_in_at": None, "can_stand_in": False}
    table.push(replace(seats_with(view, 1, **sits), version=view.version + 1))
    page.wait_for_function("() => document.querySelector('#seat-1 .mark-note').textContent === 'Bot spielt'")
    assert page.locator("#seat-1 .stand-in").count() == 0
