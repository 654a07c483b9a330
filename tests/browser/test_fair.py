"""The fair shuffle in the browser: pressing “next round” adds a share, and the page checks the record by itself."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Browser, Page
from tests.browser.kit import Server, begin, play_until, press

pytestmark = pytest.mark.browser


def test_the_next_round_takes_a_share_and_its_record_is_checked(page: Page, own_server: Server) -> None:
    begin(page, own_server.address, book="family+target-1000", players=2, pace="instant")  # not over in one round
    first = page.request.get(f"{page.url}/record").json()["rounds"][0]["fair"]["contributions"]
    assert re.fullmatch(r"[0-9a-f]{32}", first[0])
    play_until(page, "round-over")
    press(page, "#next")
    page.wait_for_selector("[data-state=playing]")
    record = page.request.get(f"{page.url}/record")
    running = record.json()["rounds"][-1]
    assert re.fullmatch(r"[0-9a-f]{32}", running["fair"]["contributions"][0])
    page.goto(f"{own_server.address}/verify")
    page.set_input_files("#file", {"name": "r.json", "mimeType": "application/json", "buffer": record.body()})
    page.wait_for_selector("#answer li")
    lines = page.locator("#answer li").all_inner_texts()
    assert sum(line.startswith("✓") for line in lines) == 3
    assert not [line for line in lines if line.startswith("✗")]
    page.fill("#record", record.text().replace('"deal":1', '"deal":2', 1))
    press(page, "#here")
    page.wait_for_function("document.querySelector('#answer').textContent.includes('✗')")
    page.fill("#record", "nothing")
    press(page, "#here")
    page.wait_for_function("document.querySelectorAll('#answer li').length === 1")


def test_the_host_who_starts_adds_a_share(page: Page, server: Server) -> None:
    page.goto(f"{server.address}/")
    press(page, "#with-friends")
    page.wait_for_selector("html[data-live] .is-waiting")
    press(page, "#start")
    page.wait_for_selector("html[data-live] .is-playing")
    given = page.request.get(f"{page.url}/record").json()["rounds"][0]["fair"]["contributions"]
    assert re.fullmatch(r"[0-9a-f]{32}", given[0])
    assert set(given[1:]) == {""}


def test_every_browser_at_the_table_has_its_share_in_every_deal(page: Page, browser: Browser, server: Server) -> None:
    page.goto(f"{server.address}/")
    press(page, "label:has(input[name=players][value='2'])")
    press(page, "#with-friends")
    page.wait_for_selector("html[data-live] .is-waiting")
    context = browser.new_context()
    guest = context.new_page()
    guest.goto(page.locator("#invite-link").input_value())
    press(guest, "#join")
    guest.wait_for_selector("html[data-live] .is-waiting")
    for someone in (page, guest):
        someone.wait_for_function("() => !('share' in document.getElementById('table').dataset)")
    press(page, "#start")
    page.wait_for_selector("html[data-live] .is-playing")
    given = page.request.get(f"{page.url}/record").json()["rounds"][0]["fair"]["contributions"]
    assert [len(share) for share in given] == [32, 32]
    assert given[0] != given[1]
    context.close()
