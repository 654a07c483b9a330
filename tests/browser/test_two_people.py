"""Two people play a match at the machine's address in its network, and everything goes wrong that goes wrong at home."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote

import pytest
from playwright.sync_api import Browser, Page
from tests.browser.kit import Server, hand_of, network_address, press, take_turn

RULES = "family+target-40+power.9.wish=true+power.T.wish=true"
"""A short match in which there is mostly something to wish with."""
WISHER = "#hand .legal[data-wishes]"


@pytest.fixture
def reachable(tmp_path: Path) -> Iterator[Server]:
    """A server for all addresses of this machine, by the one that other devices use."""
    address = network_address()
    running = Server(tmp_path, host="0.0.0.0")
    running.address = f"http://{address}:{running.port}"
    yield running
    running.stop()


class Pair:
    """Anna's page and Ben's, at one table."""

    def __init__(self, anna: Page, ben: Page) -> None:
        self.anna = anna
        self.ben = ben

    def sit(self, server: Server) -> None:
        """Anna opens a table for three with one bot, Ben comes by the link, Anna starts; all by pointer."""
        self.anna.goto(f"{server.address}/?rules={quote(RULES, safe='')}")
        for name, value in (("players", "3"), ("pace", "instant")):
            press(self.anna, f"label:has(input[name={name}][value='{value}'])")
        press(self.anna, "#with-friends")
        self.anna.wait_for_selector("html[data-live] .is-waiting")
        self.ben.goto(self.anna.locator("#invite-link").input_value())
        press(self.ben, "#join")
        self.ben.wait_for_selector("html[data-live] .is-waiting")
        press(self.anna, "#start")
        for page in (self.anna, self.ben):
            page.wait_for_selector("html[data-live] .is-playing")

    def on_turn(self) -> Page | None:
        """Whose press it is: of the one on turn, between rounds of Anna."""
        for page in (self.anna, self.ben):
            if page.locator(".my-turn").count():
                return page
        return self.anna if self.anna.locator("#next").count() else None

    def go_on(self) -> None:
        """One press of whoever is on turn, or a short wait for the bot; a match that luck has ended is followed by another."""
        if self.anna.locator("#rematch").count():
            press(self.anna, "#rematch")
            for each in (self.anna, self.ben):
                each.wait_for_selector(".is-playing")
            return
        page = self.on_turn()
        if page is None:
            self.anna.wait_for_timeout(50)
        else:
            take_turn(page)

    def until(self, page: Page, selector: str) -> None:
        """Play until something is to be seen on a page."""
        for _ in range(8_000):
            if page.locator(selector).count() and page.locator("#wish[open]").count() == 0:
                return
            self.go_on()
        raise AssertionError(f"{selector} has not come: {page.locator('#status').inner_text()}")

    def alike(self) -> None:
        """Wait until both pages show the same version."""
        for _ in range(2_400):
            versions = [page.locator("#table").get_attribute("data-version") for page in (self.anna, self.ben)]
            if versions[0] == versions[1]:
                return
            self.anna.wait_for_timeout(50)
        raise AssertionError(f"the two pages differ: {versions}")


def version_of(page: Page) -> int:
    """The version that a page shows."""
    return int(page.locator("#table").get_attribute("data-version") or 0)


def newer(page: Page, version: int) -> None:
    """Wait until a page shows something newer."""
    script = "(v) => Number(document.getElementById('table').dataset.version) > v"
    page.wait_for_function(script, arg=version)


def a_reload_inside_a_wish(pair: Pair, page: Page) -> None:
    """The picker is open when the page is loaded anew: nothing was played, and the card is still there."""
    pair.until(page, f".my-turn {WISHER}")
    before, version = hand_of(page), version_of(page)
    card = page.locator(WISHER).first.get_attribute("id")
    press(page, WISHER, 9, 14)
    page.wait_for_selector("#wish[open]")
    page.reload()
    page.wait_for_selector("html[data-live]")
    assert page.locator("#wish[open]").count() == 0
    assert hand_of(page) == before
    assert version_of(page) == version
    press(page, WISHER, 9, 14)
    page.wait_for_selector("#wish[open]")
    press(page, "#wish [data-suit]")
    newer(page, version)
    assert card in before
    assert card not in hand_of(page)
    pair.alike()


def a_network_that_is_lost(pair: Pair, page: Page, other: Page) -> None:
    """A press without a network arrives once when the network is back."""
    pair.until(page, ".my-turn #draw, .my-turn #hand .legal")
    pair.alike()
    version = version_of(page)
    page.context.set_offline(True)
    press(page, ".my-turn #hand .legal, .my-turn #draw", 9, 14)
    if page.locator("#wish[open]").count():
        press(page, "#wish [data-suit]")
    page.wait_for_selector("#offline:not([hidden])")
    assert version_of(other) == version
    page.context.set_offline(False)
    newer(page, version)
    newer(other, version)
    page.wait_for_selector("#offline[hidden]", state="attached")
    pair.alike()


def a_bot_that_stands_in(pair: Pair, page: Page, other: Page) -> None:
    """Somebody hands the seat to a bot, which plays on, and takes it back."""
    pair.until(page, ".my-turn")
    version = version_of(page)
    press(page, ".icon[popovertarget=menu]")
    leave = "#menu [formaction$='/leave']"
    page.locator(leave).evaluate("(button) => button.scrollIntoView({ block: 'nearest' })")
    press(page, leave)
    page.wait_for_selector("#return")
    other.wait_for_selector("#seat-1 .mark-note")
    newer(other, version + 1)  # to leave is one event; the next is the turn that nobody but the bot can have taken
    press(page, "#return")
    page.wait_for_selector("#return", state="detached")
    page.wait_for_selector("html[data-live]")
    pair.alike()


def a_second_device(pair: Pair, page: Page, browser: Browser) -> None:
    """The same seat on a phone by its own link: same hand, both live, either may act."""
    pair.until(page, ".my-turn")
    table = page.url
    page.goto(f"{table}/device")
    link = page.locator("#invite-link").input_value()
    context = browser.new_context(viewport={"width": 390, "height": 844})
    phone = context.new_page()
    phone.goto(link)
    phone.wait_for_selector("html[data-live] .my-turn")
    page.goto(table)
    page.wait_for_selector("html[data-live] .my-turn")
    assert hand_of(phone) == hand_of(page)
    version = version_of(page)
    while version_of(phone) == version:  # a wish takes two presses
        take_turn(phone)
    newer(page, version)
    context.close()
    pair.alike()
    assert "offline" not in (page.locator("#offline:visible").all_inner_texts() or [""])[0]


def a_server_that_is_killed(pair: Pair, server: Server) -> None:
    """A power cut and a new start: both pages find back by themselves, with the same hands."""
    pair.until(pair.anna, ".is-playing.my-turn, .is-playing:not(.my-turn)")
    pair.until(pair.anna, ".my-turn")
    pair.alike()
    hands = hand_of(pair.anna), hand_of(pair.ben)
    version = version_of(pair.anna)
    server.kill()
    for page in (pair.anna, pair.ben):
        page.wait_for_selector("#offline:not([hidden])")
    server.start()
    for page in (pair.anna, pair.ben):
        page.wait_for_selector("#offline[hidden]", state="attached")
    pair.alike()
    assert version_of(pair.anna) >= version
    assert (hand_of(pair.anna), hand_of(pair.ben)) == hands


@pytest.mark.slow
def test_two_people_play_a_match_through_everything(page: Page, browser: Browser, reachable: Server) -> None:
    context = browser.new_context(viewport={"width": 360, "height": 740}, locale="de-DE")
    pair = Pair(page, context.new_page())
    pair.sit(reachable)
    assert not page.evaluate("isSecureContext")
    a_reload_inside_a_wish(pair, pair.ben)
    a_network_that_is_lost(pair, pair.ben, page)
    a_bot_that_stands_in(pair, pair.ben, page)
    a_second_device(pair, page, browser)
    a_server_that_is_killed(pair, reachable)
    for _ in range(20_000):  # most of them wait for the bot
        if page.locator(".is-match-over").count():
            break
        pair.go_on()
    pair.ben.wait_for_selector(".is-match-over")
    pair.alike()
    assert page.locator("#rematch").count() == 1
    assert page.locator(".score").count() == pair.ben.locator(".score").count()
    context.close()
