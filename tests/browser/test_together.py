"""A device that goes round, by pointer: between turns no byte of the page holds a card of anybody's hand."""

from __future__ import annotations

import base64
import json
import re
from typing import Any

import pytest
from playwright.sync_api import Browser, Page
from tests.browser.axe import serious
from tests.browser.kit import Server, hand_of, press, take_turn

pytestmark = pytest.mark.browser


def start_together(page: Page, address: str, *people: str, players: int = 2) -> None:
    """From the home page to a table on one device, by pointer and keys."""
    page.goto(address)
    for name, value in (("players", str(players)), ("pace", "instant")):
        press(page, f"label:has(input[name={name}][value='{value}'])")
    press(page, "#together summary")
    for number, name in enumerate(people):
        field = page.locator("input[name=person]").nth(number)
        field.scroll_into_view_if_needed()
        field.fill(name)
    press(page, "#play-together")
    page.wait_for_selector("html[data-live]")


def own_hands(page: Page, address: str) -> list[set[str]]:
    """Each person's cards, asked of the server with the tokens of the cookie that no script can read."""
    (cookie,) = (one for one in page.context.cookies() if one["name"] == "maumau")
    table = page.url.rpartition("/")[2]
    kept = json.loads(base64.urlsafe_b64decode(cookie["value"].strip('"')))
    found = []
    for token in kept["s"][table].split():
        answer = page.request.get(f"{address}/api/tables/{table}", headers={"Authorization": f"Bearer {token}"})
        found.append(set(answer.json()["hand"]))
    return found


class Heard:
    """Every byte that the page has been sent: documents, answers and frames."""

    def __init__(self, page: Page) -> None:
        self.texts: list[str] = []
        page.on("websocket", lambda socket: socket.on("framereceived", self._frame))
        page.on("response", self._answer)

    def _frame(self, data: Any) -> None:
        self.texts.append(data if isinstance(data, str) else data.decode())

    def _answer(self, answer: Any) -> None:
        if "/t/" in answer.url and answer.status == 200:
            try:
                self.texts.append(answer.text())
            except Exception:  # a page that was left before its body was read
                return


def held(text: str) -> set[str]:
    """The cards of hands in an answer or in the page's own tree."""
    return set(re.findall(r'id=\\?"card-([0-9TJQKA*]+[cdhs]?)', text))


def test_two_people_and_a_bot_pass_a_phone_round(page: Page, own_server: Server) -> None:
    page.set_viewport_size({"width": 360, "height": 640})
    heard = Heard(page)
    start_together(page, own_server.address, "Oma", "Emil", players=3)
    seen = {"Oma": 0, "Emil": 0}
    for turn in range(60):
        if turn > 2 and min(seen.values()) >= 2:  # a skip may give one of them many turns in a row
            break
        page.wait_for_selector("#uncover, .is-round-over, .is-match-over")
        if page.locator("#uncover").count() == 0:
            break
        hands = own_hands(page, own_server.address)
        assert held(page.content()) == set()
        faces, pile, told = (set(faces_in(page, place)) for place in ("#table", "#pile", "#recent"))
        assert faces == pile | told  # what lies open, and nothing else
        name = page.locator(".cover-who").inner_text()
        page.wait_for_timeout(450)  # a tap this early would be the second one on a card
        press(page, "#uncover")
        page.wait_for_selector("#hand")
        assert page.locator(".whose").inner_text() == name
        own = ["Oma", "Emil"].index(name)
        assert {card.removeprefix("card-")[:2] for card in hand_of(page)} == hands[own]
        if turn == 1:  # a reload shows the same hand
            page.reload()
            page.wait_for_selector("html[data-live] #hand")
            assert page.locator(".whose").inner_text() == name
        if turn == 2:  # and so does a restart of the server
            own_server.kill()
            own_server.start()
            page.reload()
            page.wait_for_selector("html[data-live] #hand")
            assert page.locator(".whose").inner_text() == name
        for _ in range(8):
            if page.locator("#hand").count() == 0 or page.locator(".whose").inner_text() != name:
                break
            take_turn(page)
        seen[name] += 1
    assert turn > 2
    assert min(seen.values()) >= 1
    for text in heard.texts:
        if 'id=\\"uncover' in text or 'id="uncover' in text:
            assert held(text) == set()


def faces_in(page: Page, place: str) -> list[str]:
    """The cards that a part of the page shows face up."""
    return re.findall(r'href="#f-([^"]+)"', page.locator(place).inner_html())


def test_enter_in_a_name_presses_the_button_beside_it(page: Page, server: Server) -> None:
    page.goto(server.address)
    press(page, "#together summary")
    page.locator("input[name=person]").nth(0).fill("Oma")
    page.locator("input[name=person]").nth(1).fill("Emil")
    page.keyboard.press("Enter")
    page.wait_for_selector("html[data-live] .cover, html[data-live] .is-round-over")
    page.goto(server.address)
    page.locator("input[name=name]").press("Enter")
    page.wait_for_selector("html[data-live] .is-waiting")


@pytest.mark.parametrize(("locale", "width"), [("de-DE", 360), ("en-GB", 1280), ("de-DE", 320)])
def test_the_pages_of_people_fit_and_nothing_is_serious_for_axe(
    browser: Browser, server: Server, locale: str, width: int
) -> None:
    context = browser.new_context(locale=locale, viewport={"width": width, "height": 740})
    page = context.new_page()
    start_together(page, server.address, "Großtante Wilhelmine-Luise", "Emil", players=3)
    page.wait_for_selector("#uncover")
    _look_at(page)
    page.wait_for_timeout(450)
    press(page, "#uncover")
    page.wait_for_selector("#hand")
    _look_at(page)
    table = page.url
    for path in ("/names", "/sheet", "/device?seat=1"):
        page.goto(table + path)
        _look_at(page)
    page.goto(server.address)
    press(page, "#together summary")
    _look_at(page)
    page.fill("input[name=word]", "bufalo")
    press(page, "#join-by-word")
    page.wait_for_url("**/word")
    _look_at(page)
    page.goto(f"{server.address}/me")
    press(page, "summary")
    _look_at(page)
    context.close()


def _look_at(page: Page) -> None:
    assert serious(page) == [], page.url
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), page.url
    small = page.evaluate(
        """() => [...document.querySelectorAll("button, a.do, summary, input:not([type=hidden], [type=radio], [type=checkbox])")]
          .filter((n) => n.checkVisibility() && !n.closest(".vh")).map((n) => [n.outerHTML.slice(0, 90), n.getBoundingClientRect().height])
          .filter(([, height]) => height < 43.5)"""
    )
    assert small == []
