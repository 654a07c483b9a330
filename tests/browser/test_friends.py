"""Two people with a browser each: one invites, the other joins in one press; both play, one reloads."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from playwright.sync_api import Browser, Page
from tests.browser.axe import serious
from tests.browser.kit import Server, hand_of, press, take_turn


def _invite(page: Page, address: str) -> str:
    """Open a table for two from the home page, by pointer; returns the link to pass on."""
    page.goto(f"{address}/")
    press(page, "label:has(input[name=players][value='2'])")
    press(page, "label:has(input[name=pace][value='instant'])")
    page.locator("#with-friends").scroll_into_view_if_needed()
    press(page, "#with-friends")
    page.wait_for_selector("html[data-live] .is-waiting")
    return page.locator("#invite-link").input_value()


def _on_turn(page: Page) -> bool:
    return page.locator(".my-turn").count() > 0


def _catches_up(page: Page, other: Page) -> None:
    """Wait until a page shows what another one shows now, or something newer."""
    version = int(other.locator("#table").get_attribute("data-version") or 0)
    page.wait_for_function("(v) => Number(document.getElementById('table').dataset.version) >= v", arg=version)


def test_a_guest_joins_in_one_press_and_both_play(page: Page, browser: Browser, server: Server) -> None:
    link = _invite(page, server.address)
    context = browser.new_context(viewport={"width": 360, "height": 740}, locale="de-DE")
    guest = context.new_page()
    guest.goto(link)
    name = guest.locator("input[name=name]").input_value()
    press(guest, "#join")
    guest.wait_for_selector("html[data-live] .is-waiting")

    page.wait_for_selector(f"#chair-1:has-text('{name}')")  # the host sees it without a reload
    press(page, "#start")
    for someone in (page, guest):
        someone.wait_for_selector("html[data-live] .is-playing")

    moved = {page: 0, guest: 0}
    while min(moved.values()) < 2 and page.locator(".is-playing").count():
        assert sum(moved.values()) < 100
        on_turn = [player for player in (page, guest) if _on_turn(player)]
        page.wait_for_timeout(0 if on_turn else 50)
        for player in on_turn[:1]:
            take_turn(player)
            moved[player] += 1
    assert min(moved.values()) >= 1

    _catches_up(guest, page)
    before = hand_of(guest)
    guest.reload()
    guest.wait_for_selector("html[data-live]")
    assert hand_of(guest) == before
    _catches_up(page, guest)
    assert name in page.locator("#seat-1").inner_text() or page.locator(".result").count()
    context.close()


def test_a_seats_link_is_swapped_for_a_cookie_and_leaves_the_address(
    page: Page, browser: Browser, server: Server
) -> None:
    _invite(page, server.address)
    press(page, "#start")
    page.wait_for_selector("html[data-live] .is-playing")
    table = page.url
    page.goto(f"{table}/device")
    link = page.locator("#invite-link").input_value()
    context = browser.new_context()
    phone = context.new_page()
    phone.goto(link)
    phone.wait_for_selector("html[data-live] .is-playing")
    assert phone.url == table
    page.goto(table)
    page.wait_for_selector("html[data-live]")
    page.wait_for_selector(".my-turn")
    phone.wait_for_selector(".my-turn")
    assert hand_of(phone) == hand_of(page)
    version = page.locator("#table").get_attribute("data-version")
    while phone.locator("#table").get_attribute("data-version") == version:  # a wish takes two presses
        take_turn(phone)
    page.wait_for_function("(v) => document.getElementById('table').dataset.version !== v", arg=version)
    context.close()


@contextmanager
def _two_browsers(browser: Browser, locale: str, width: int) -> Iterator[tuple[Page, Page]]:
    """A page each for two people who know nothing of each other."""
    contexts = [browser.new_context(locale=locale, viewport={"width": width, "height": 740}) for _ in range(2)]
    yield contexts[0].new_page(), contexts[1].new_page()
    for context in contexts:
        context.close()


@pytest.mark.parametrize(("locale", "width"), [("de-DE", 360), ("en-GB", 1280), ("de-DE", 320)])
def test_the_pages_for_friends_fit_and_nothing_is_serious_for_axe(
    browser: Browser, server: Server, locale: str, width: int
) -> None:
    with _two_browsers(browser, locale, width) as (page, door):
        link = _invite(page, server.address)
        table = page.url
        door.goto(link)
        for path in ("", "/device", "/watchers"):
            page.goto(table + path)
            _look_at(page)
        watch = page.locator("#invite-link").input_value()
        for place in (link, f"{server.address}/j/none", f"{server.address}/lobby", f"{server.address}/s", watch):
            door.goto(place)
            _look_at(door)
        door.goto(link)
        door.locator("#join").click()
        page.goto(table)
        page.wait_for_selector("html[data-live] #chair-1:not(.free)")
        _look_at(page)
        page.locator("#start").click()
        page.wait_for_selector("html[data-live] .is-playing")
        page.locator("#react-open").click()
        _look_at(page)
        page.locator("#react-form button").first.click()
        page.wait_for_selector(".bubble")
        door.goto(watch)
        door.wait_for_selector("html[data-live]")
        _look_at(door)


@pytest.mark.parametrize(("locale", "width"), [("de-DE", 360), ("en-GB", 1280)])
def test_the_door_fits_and_nothing_is_serious_for_axe_on_either_side(
    browser: Browser, server: Server, locale: str, width: int
) -> None:
    with _two_browsers(browser, locale, width) as (host, guest):
        _invite(host, server.address)
        word = host.locator("#word").text_content() or ""
        guest.goto(server.address)
        guest.locator("[name=word]").fill(word)
        guest.locator("#join-by-word").click()
        guest.wait_for_selector("#knock")
        _look_at(guest)
        guest.locator("#knock").click()
        guest.wait_for_selector("#withdraw")
        _look_at(guest)
        host.wait_for_selector("[id^=knock-]")
        _look_at(host)


def _look_at(page: Page) -> None:
    assert serious(page) == [], page.url
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), page.url


_ON_SCREEN = """(selector) => {
  const r = document.querySelector(selector).getBoundingClientRect();
  const on = (x, y) => document.elementFromPoint(x, y)?.closest(selector) !== null;
  return r.top >= 0 && r.bottom <= innerHeight && on(r.left + 4, r.top + r.height / 2) && on(r.right - 4, r.top + r.height / 2);
}"""

_SCROLLED = f"""(selectors) => {{
  document.querySelector(".agreed").scrollIntoView({{ block: "center" }});
  return scrollY > 0 && selectors.map({_ON_SCREEN});
}}"""
"""What is still on the screen at the page's end; in one go, since a page without scripts renews itself at any moment."""


@pytest.mark.parametrize("scripts", [True, False])
@pytest.mark.parametrize(("locale", "size"), [("de-DE", (360, 640)), ("en-GB", (1280, 800)), ("de-DE", (640, 360))])
def test_the_host_starts_and_sees_who_knocks_without_scrolling(
    browser: Browser, server: Server, locale: str, size: tuple[int, int], scripts: bool
) -> None:
    with browser.new_context(locale=locale, java_script_enabled=scripts) as context:
        host = context.new_page()
        host.set_viewport_size({"width": size[0], "height": size[1]})
        host.goto(f"{server.address}/")
        host.locator("#with-friends").click()
        host.wait_for_selector(".is-waiting")
        assert host.evaluate("scrollY") == 0
        assert host.evaluate(_ON_SCREEN, "#start")
        assert host.evaluate(_ON_SCREEN, "#status")
        word = host.locator("#word").text_content() or ""
        with browser.new_context(locale=locale) as other:
            guest = other.new_page()
            guest.goto(f"{server.address}/")
            guest.fill("input[name=word]", word)
            guest.locator("#join-by-word").click()
            guest.locator("#knock").click()
            guest.wait_for_selector(".at-door")
            let_in = "#knocks [formaction$='/let-in']"
            host.wait_for_selector(let_in)  # without scripts the page renews itself after some seconds
            assert host.evaluate(_SCROLLED, [let_in, "#start"]) == [True, True]
