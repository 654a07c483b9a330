"""The wish picker and the Mau button: cancelled without a trace, never in each other's way."""

from __future__ import annotations

import dataclasses

import pytest
from playwright.sync_api import Page, Route
from tests.browser.kit import MockTable, press
from tests.web_mock import mock_view

JACK = "#card-Js"


@pytest.fixture
def table(page: Page) -> MockTable:
    """Two cards in hand, the Jack may be played, Mau may be called first."""
    page.set_viewport_size({"width": 360, "height": 640})
    opened = MockTable(page)
    opened.open(mock_view("de", hand="Js Kd", legal="Kd", mau="armed-possible", call_due=True))
    return opened


@pytest.mark.parametrize("way", ["escape", "outside", "back", "button", "again"])
def test_u03_a_wish_is_cancelled(page: Page, table: MockTable, way: str) -> None:
    press(page, JACK, 8, 12)
    assert page.locator("#wish").is_visible()
    if way == "escape":
        page.keyboard.press("Escape")
    elif way == "outside":
        page.mouse.click(180, 420)
    elif way == "back":
        page.go_back()
    elif way == "button":
        press(page, "#wish-cancel")
    else:
        press(page, JACK, 8, 12)
    page.wait_for_function("() => !document.getElementById('wish').open")
    assert page.locator(JACK).is_visible()
    assert table.posts == []
    press(page, "#card-Kd", 8, 12)
    assert table.sent() == "Kd"


def test_a_wish_is_one_action(page: Page, table: MockTable) -> None:
    press(page, JACK, 8, 12)
    press(page, "#wish [data-suit=d]")
    assert table.sent() == "Js=d"


@pytest.mark.parametrize("when", ["before", "inside"])
def test_c04_mau_before_or_while_the_picker_is_open(page: Page, table: MockTable, when: str) -> None:
    if when == "before":
        press(page, "#mau")
    press(page, JACK, 8, 12)
    if when == "inside":
        press(page, "#mau")
    assert page.locator("#wish").is_visible()
    press(page, "#wish [data-suit=d]")
    assert table.sent() == "Js=d!"


def test_mau_pressed_first_stays_pressed_when_a_view_comes(page: Page, table: MockTable) -> None:
    press(page, "#mau")
    table.push(mock_view("de", hand="Js Kd", legal="Kd", mau="armed-possible", call_due=True, version=60))
    page.wait_for_selector("[data-version='60']")
    press(page, "#card-Kd", 8, 12)
    assert table.sent() == "Kd!"


def test_mau_is_forgotten_when_the_turn_is(page: Page, table: MockTable) -> None:
    press(page, "#mau")
    table.push(mock_view("de", hand="Js Kd", legal="", turn=1, version=60))
    page.wait_for_selector("[data-version='60']")
    table.push(mock_view("de", hand="Js Kd", legal="Kd", mau="armed-possible", call_due=True, version=61))
    page.wait_for_selector("[data-version='61']")
    press(page, "#card-Kd", 8, 12)
    assert table.sent() == "Kd"


def test_a_late_mau_is_a_press(page: Page, table: MockTable) -> None:
    table.push(mock_view("de", hand="Kd", legal="", turn=1, mau="late", mau_action="0!", version=60))
    page.wait_for_selector("[data-version='60']")
    press(page, "#mau")
    assert table.sent() == "0!"


def test_a_card_that_may_not_be_played_says_why(page: Page, table: MockTable) -> None:
    table.push(mock_view("de", hand="9s Kd", legal="Kd", version=60))
    page.wait_for_selector("[data-version='60']")
    press(page, "#card-9s", 8, 12)
    assert page.locator("#notice").inner_text() == "Pik 9 passt nicht."
    assert table.posts == []


def test_the_same_id_is_sent_until_there_is_an_answer(page: Page, table: MockTable) -> None:
    ids: list[str] = []

    def fail_twice(route: Route) -> None:
        ids.append(table_post(route))
        if len(ids) < 3:
            route.abort()
        else:
            route.fallback()

    page.route("**/act", fail_twice)
    press(page, "#card-Kd", 8, 12)
    page.wait_for_function("() => !document.querySelector('.sent')")
    assert len(ids) == 3
    assert len(set(ids)) == 1


def table_post(route: Route) -> str:
    """The id in a posted form."""
    body = route.request.post_data or ""
    return next(part for part in str(body).split("&") if part.startswith("id="))


def test_r04_a_last_jack_asks_for_nothing(page: Page, table: MockTable) -> None:
    """The view says that no suit is to be named: the press is the play."""
    table.push(mock_view("de", hand="Js", legal="Js", wishers="", version=60))
    page.wait_for_selector("[data-version='60']")
    press(page, JACK, 8, 12)
    assert table.sent() == "Js"
    assert not page.locator("#wish").is_visible()


@pytest.mark.parametrize(("key", "action"), [("1", "=c"), ("4", "=s")])
def test_the_dealer_names_the_suit_by_its_number(page: Page, key: str, action: str) -> None:
    table = MockTable(page)
    table.open(mock_view("de", hand="7c 9d", legal="", names=("=c", "=d", "=h", "=s"), can_draw=False))
    page.keyboard.press(key)
    assert table.sent() == action
    assert "Farbe nennen" in (page.locator("#help .keys").text_content() or "")


def test_the_number_of_a_card_names_no_suit_where_cards_are_thrown_in(page: Page) -> None:
    table = MockTable(page)
    table.open(mock_view("de", hand="7c 9d", legal="", throws=(("0*7c", ""),)))
    page.keyboard.press("1")
    page.wait_for_function("() => document.activeElement.id === 'card-7c'")
    assert table.posts == []


def test_a_card_is_thrown_in_out_of_turn_while_others_have_the_turn(page: Page) -> None:
    table = MockTable(page)
    waits = mock_view("de", hand="9h Kd 7c", legal="", turn=1, can_draw=False)
    table.open(waits)
    assert page.locator("#throw-in").count() == 0
    table.push(dataclasses.replace(waits, version=waits.version + 1, throws=(("0:9h", None),)))
    page.wait_for_selector("#throw-in")
    assert page.locator("#throw-in").inner_text() == "Einwerfen"
    box = page.locator("#throw-in").bounding_box()
    assert box is not None
    assert box["height"] >= 44
    press(page, "#throw-in")
    assert table.sent() == "0:9h"
    table.push(dataclasses.replace(waits, version=waits.version + 2))
    page.wait_for_selector("#throw-in", state="detached")


@pytest.mark.parametrize("width", [360, 1280])
def test_a_wisher_thrown_in_shows_its_suits_beside_each_other(page: Page, width: int) -> None:
    page.set_viewport_size({"width": width, "height": 740})
    table = MockTable(page)
    throws = tuple((f"0:Jh={suit}", suit) for suit in "cdhs")
    table.open(mock_view("de", hand="Jh Kd", legal="", turn=1, can_draw=False, throws=throws))
    buttons = page.locator("button[name=action][value^='0:Jh=']")
    assert buttons.count() == 4
    for button in buttons.all():
        box = button.bounding_box()
        assert box is not None
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= width
    press(page, "button[value='0:Jh=h']")
    assert table.sent() == "0:Jh=h"
