"""Identical cards out of turn at a real server: how long the window is open, and that a bot waits for whoever may throw in."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote

import pytest
from playwright.sync_api import Browser, Page, expect
from tests.browser.kit import Server, press

from maumau import Round
from maumau.ruleset import Ruleset

RULES = "family+two-packs+play.throw_in=yes+draw.then=any"
SEED = 2268
"""A deal for three, found by trying one seed after another: Anna begins and holds two nines of clubs, the ten lies in both hands."""
PLANTED = f"""
from maumau.game import fair
from maumau.tables.clockwork import WAITS, Waits
fair.seed_of = lambda *given: {SEED}
WAITS["fast"] = Waits(turn=0, mercy=0, chance=3_600_000)
"""
"""This deal, and bots that wait for nothing but give people an hour to throw a card in: however slow the machine, only what
a person does ends it."""


@pytest.fixture
def planted(tmp_path: Path) -> Iterator[Server]:
    """A server that deals these cards, with these waits."""
    running = Server(tmp_path, before=PLANTED)
    yield running
    running.stop()


def _sit(anna: Page, ben: Page, server: Server) -> None:
    """Anna opens a table for three with one bot, Ben comes by the link, Anna starts."""
    anna.goto(f"{server.address}/?rules={quote(RULES, safe='')}")
    for name, value in (("players", "3"), ("pace", "fast")):
        press(anna, f"label:has(input[name={name}][value='{value}'])")
    press(anna, "#with-friends")
    anna.wait_for_selector("html[data-live] .is-waiting")
    ben.goto(anna.locator("#invite-link").input_value())
    press(ben, "#join")
    ben.wait_for_selector("html[data-live] .is-waiting")
    press(anna, "#start")
    for page in (anna, ben):
        page.wait_for_selector("html[data-live] .is-playing")


def _lay(page: Page, card: str) -> None:
    """Click a card of the hand once it lies still."""
    page.locator(f"#hand .legal[id^=card-{card}]").first.click(position={"x": 9, "y": 14})


def test_the_window_for_throwing_in_is_open_until_the_next_person_has_acted(
    page: Page, browser: Browser, planted: Server
) -> None:
    deal = Round(Ruleset.parse(RULES), 3, SEED)
    hands = [[str(card) for card in hand] for hand in deal.hands]
    assert (deal.turn, str(deal.top), hands[0].count("9c")) == (0, "Qc", 2)
    assert "Tc" in hands[0]
    assert "Tc" in hands[1]
    context = browser.new_context(locale="de-DE", viewport={"width": 360, "height": 640})
    anna, ben = page, context.new_page()
    _sit(anna, ben, planted)

    # Ben is on turn: the window of Anna's second nine is open until he acts, for her alone, and after a reload as well.
    _lay(anna, "9c")
    expect(anna.locator("#throw-in")).to_have_text("Throw in")
    ben.wait_for_selector(".my-turn")
    expect(ben.locator("#throw-in")).to_have_count(0)
    anna.reload()
    anna.wait_for_selector("html[data-live] #throw-in")
    ben.locator("#draw").click()
    expect(anna.locator("#throw-in")).to_have_count(0)

    # The bot is on turn, and waits for Anna, who has the other ten; what she throws in brings Ben on turn again.
    _lay(ben, "Tc")
    expect(anna.locator("#throw-in")).to_have_text("Throw in")
    expect(ben.locator("#throw-in")).to_have_count(0)
    expect(ben.locator("#hand > li")).to_have_count(5)
    anna.reload()
    anna.wait_for_selector("html[data-live] #throw-in")
    for someone in (anna, ben):
        expect(someone.locator("#seat-2")).to_have_class("seat on-turn")
    anna.locator("#throw-in").click()
    expect(ben.locator(".my-turn")).to_have_count(1)
    expect(anna.locator("#seat-1")).to_have_class("seat on-turn")
    expect(anna.locator("#throw-in")).to_have_count(0)
    expect(anna.locator("#hand > li")).to_have_count(3)
    expect(ben.locator("#seat-2 .count")).to_contain_text("5")
    context.close()
