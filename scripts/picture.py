"""Takes the README's picture of the table, `docs/table.png`, from a real match on a real server."""

from __future__ import annotations

import tempfile
from pathlib import Path

from playwright.sync_api import Page, ViewportSize, sync_playwright

from find_browser import arguments, find_or_fetch
from run_server import running

PICTURE = Path(__file__).resolve().parent.parent / "docs" / "table.png"
SIZE: ViewportSize = {"width": 1280, "height": 800}
TURNS = 3


def main() -> None:
    """Starts a server, plays a few turns and takes the picture on an own turn."""
    with tempfile.TemporaryDirectory() as data, running(Path(data)) as address:
        take(address)


def take(address: str) -> None:
    """Plays in a browser until the table shows something."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=find_or_fetch(), args=arguments())
        page = browser.new_page(viewport=SIZE, locale="en-GB")
        for _ in range(20):
            page.goto(address)
            page.locator(".segment", has_text="4").first.click()
            page.locator(".play-big").click()
            if play_some(page):
                page.mouse.move(1, 1)
                page.wait_for_timeout(1500)
                page.screenshot(path=PICTURE)
                break
        browser.close()


def play_some(page: Page) -> bool:
    """A few own turns; True on a turn with a choice in a round that goes on."""
    for _ in range(TURNS):
        page.wait_for_selector("main.my-turn, main.is-round-over, main.is-match-over", timeout=60_000)
        if page.locator("main.is-playing").count() == 0:
            return False
        plain = page.locator(".pc.legal:not([data-wishes])")
        (plain.first if plain.count() else page.locator("#draw, #pass").first).click()
        page.wait_for_selector("main:not(.my-turn)", timeout=10_000)
    page.wait_for_selector("main.my-turn, main.is-round-over, main.is-match-over", timeout=60_000)
    return page.locator(".pc.legal").count() > 1 and page.locator(".pc.dim").count() > 0


if __name__ == "__main__":
    main()
