"""Whole matches in the browser, by pointer and by keys alone."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page
from tests.browser.kit import Server, begin, play_until, press, take_turn


def _finish(page: Page) -> None:
    """The match is over: a winner, a score sheet, and a way on."""
    assert page.locator("#result-title").is_visible()
    assert page.locator(".result-line").inner_text().strip()
    assert page.locator("#rematch").is_visible()


@pytest.mark.parametrize(("book", "players"), [("family", 4), ("classic", 4), ("international", 4)])
def test_a_whole_match_by_pointer(page: Page, server: Server, book: str, players: int) -> None:
    page.set_viewport_size({"width": 360, "height": 640})
    begin(page, server.address, book=book, players=players)
    play_until(page, "match-over")
    _finish(page)


def test_an_open_match_is_ended_by_pointer(page: Page, server: Server) -> None:
    """The study book has no target: play three rounds, then end it."""
    begin(page, server.address, book="study", players=3)
    for number in (1, 2, 3):
        play_until(page, "round-over")
        if number == 3:
            break
        press(page, "#next")
        page.wait_for_selector("[data-state=playing]")
    press(page, ".result-do .do:not(#next)")
    page.wait_for_selector("[data-state=match-over]")
    _finish(page)
    press(page, "#rematch")
    page.wait_for_selector("[data-state=playing]")


def _key_turn(page: Page) -> bool:
    """One decision with keys alone: whatever is marked playable, else draw, else pass; whether the match goes on.

    The state is asked together with what there is to do: another's last card may end the match at any moment.
    """
    keys = page.keyboard
    seen = page.evaluate(
        """() => {
      const t = document.getElementById("table"), all = [...document.querySelectorAll("#hand button")];
      return { state: t.dataset.state, version: t.dataset.version, wish: document.getElementById("wish").open,
        late: !!t.querySelector("button#mau"), first: !!t.querySelector("#mau input:not(:checked)"), caught: !!t.querySelector(".catch"),
        legal: all.findIndex((b) => b.getAttribute("aria-label").includes(", ")), draw: !!t.querySelector("#draw"), pass: !!t.querySelector("#pass") };
    }"""
    )
    if seen["state"] != "playing":
        return False
    if seen["wish"]:
        keys.press("2")
    elif seen["caught"]:
        keys.press("x")
    elif seen["late"] or seen["first"]:
        keys.press("m")
        if seen["first"]:
            return True
    elif seen["legal"] >= 0:
        keys.press("Home")
        for _ in range(seen["legal"]):
            keys.press("ArrowRight")
        keys.press("Enter")
        page.wait_for_function("() => document.getElementById('wish').open || !document.querySelector('.sent')")
        if page.locator("#wish").is_visible():
            return True
    elif seen["draw"]:
        keys.press("d")
    elif seen["pass"]:
        keys.press("p")
    page.wait_for_function("(v) => document.getElementById('table').dataset.version !== v", arg=seen["version"])
    return True


def test_a01_a_match_by_keyboard_alone(page: Page, server: Server) -> None:
    page.goto(f"{server.address}/?rules=family%2Bwin-points-1")
    keys = page.keyboard
    page.locator("[name=players][value='2']").focus()
    keys.press("Space")
    page.locator("[name=pace][value=instant]").focus()
    keys.press("Space")
    keys.press("Enter")
    page.wait_for_url("**/t/*")
    page.wait_for_selector("html[data-live]")
    for _ in range(4_000):
        if not _key_turn(page):
            break
    assert page.locator("#table").get_attribute("data-state") == "match-over"
    page.wait_for_function("() => document.activeElement.id === 'rematch'")
    keys.press("Enter")
    page.wait_for_selector("[data-state=playing]")


def test_after_a_play_the_focus_is_on_a_neighbour(page: Page, server: Server) -> None:
    begin(page, server.address, players=4, pace="slow")
    for _ in range(60):
        page.wait_for_selector(".my-turn, [data-state=round-over]")
        plain = page.locator("#hand .legal:not([data-wishes])")
        if plain.count():
            break
        take_turn(page)
    plain.first.focus()
    page.keyboard.press("Enter")
    page.wait_for_selector("#table:not(.my-turn)")
    assert page.evaluate("document.activeElement.closest('#hand') !== null")


def test_a06_the_help_lists_the_keys_and_the_table_speaks(page: Page, server: Server) -> None:
    begin(page, server.address, players=3, pace="instant")
    page.wait_for_selector(".my-turn")  # from now on nothing changes while it is read
    page.keyboard.press("?")
    assert page.locator("#help kbd").count() > 15
    page.keyboard.press("Escape")
    told = {}
    for key in ("t", "c", "o"):
        page.keyboard.press(key)
        told[key] = page.locator("#notice").inner_text()
    assert str(page.locator("#pile [data-top] .pile-card").get_attribute("aria-label")) in told["t"]
    assert told["c"].count("·") == page.locator("#hand button").count() - 1
    assert page.locator(".stock-n").inner_text() in told["o"]
    for name in page.locator(".seat .who > :first-child").all_inner_texts():
        assert name in told["o"]


def test_a05_without_motion_nothing_moves(page: Page, server: Server) -> None:
    page.emulate_media(reduced_motion="reduce")
    begin(page, server.address, players=2, pace="instant")
    for _ in range(12):
        take_turn(page)
        assert page.evaluate("document.getAnimations().length") == 0
