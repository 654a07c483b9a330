"""A server for the browser tests, and pages that report what must never happen."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Page, expect
from tests.browser.kit import Server

PATIENCE_MS = 120_000
"""So long something is waited for that must come: a guard against hanging, and no measure of speed."""
expect.set_options(timeout=PATIENCE_MS)


@pytest.fixture(scope="session")
def base_url() -> str:
    """No address stands for all tests; the plugin's own fixture is older than the pytest used here."""
    return ""


@pytest.fixture(scope="session")
def browser(browser: Browser) -> Browser:
    """The browser of all tests; whatever is waited for on a page may take long on a busy machine."""
    new_context = browser.new_context

    def patient(**more: Any) -> BrowserContext:
        context = new_context(**more)
        context.set_default_timeout(PATIENCE_MS)
        return context

    browser.new_context = patient  # type: ignore[method-assign]  # the plugin lets nobody else set it for every page
    return browser


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """One server for all tests that leave it running."""
    running = Server(tmp_path_factory.mktemp("server"))
    yield running
    assert running.stop() == 0


@pytest.fixture
def own_server(tmp_path: Path) -> Iterator[Server]:
    """A server for one test, which may kill it."""
    running = Server(tmp_path)
    yield running
    running.stop()


@pytest.fixture(autouse=True)
def quiet(page: Page) -> Iterator[None]:
    """No script fails and no content policy is violated on any page of any test."""
    found: list[str] = []

    def hear(message: ConsoleMessage) -> None:
        if message.type == "error" and ("Content Security Policy" in message.text or "Refused to" in message.text):
            found.append(message.text)

    page.on("pageerror", lambda error: found.append(str(error)))
    page.on("console", hear)
    yield
    assert found == []
