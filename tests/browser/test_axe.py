"""Nothing serious for people who do not see, hear or point like others: axe on every page in both languages."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser, Page
from tests.browser.axe import serious
from tests.browser.kit import MockTable, Server, begin, play_until, press
from tests.web_mock import mock_view, seats_with

WHOLE = ("/", "/rules")
"""A page with all the drawings there are, and one with signs alone: axe sees these too."""


@pytest.mark.parametrize("locale", ["de-DE", "en-GB"])
@pytest.mark.slow
def test_axe_on_every_page(browser: Browser, server: Server, locale: str) -> None:
    context = browser.new_context(locale=locale, viewport={"width": 1280, "height": 800})
    page = context.new_page()
    for path in ("/", "/rules", "/rules/family", "/rules/family+nine-reverse", "/api/docs", "/verify", "/nothing-here"):
        page.goto(server.address + path)
        assert page.locator("html").get_attribute("lang") == locale[:2]
        assert serious(page, drawings=path in WHOLE) == [], path
    begin(page, server.address, players=4)
    page.wait_for_selector(".my-turn, [data-state=round-over]")
    assert serious(page) == []
    press(page, ".icon[popovertarget=menu]")
    assert serious(page) == []
    page.keyboard.press("Escape")
    page.keyboard.press("?")
    assert serious(page) == []
    page.keyboard.press("Escape")
    play_until(page, "round-over", "match-over")
    assert serious(page) == []
    page.goto(f"{page.url}/sheet")
    assert serious(page) == []
    context.close()


@pytest.mark.parametrize("lang", ["de", "en"])
def test_axe_on_the_table_in_all_its_states(page: Page, lang: str) -> None:
    page.set_viewport_size({"width": 360, "height": 640})
    table = MockTable(page, lang)
    busy = mock_view(lang, hand="Js Kd 9s", legal="Kd", mau="armed-possible", wish="d", penalty=2, direction=-1)
    for view in (
        seats_with(busy, 3, catch="0?3", catchable=True, away=True),
        mock_view(lang, turn=1, legal="", can_hurry=True, mau="late", mau_action="0!"),
        mock_view(
            lang, state="round-over", turn=None, result="…", can_next=True, last_hands=((1, ("9h", "Js")), (2, ()))
        ),
    ):
        table.open(view)
        assert serious(page) == []
    table.open(busy)
    press(page, "#card-Js", 8, 12)
    assert serious(page) == []
