"""A server for the browser tests, and pages that report what must never happen."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import ConsoleMessage, Page
from tests.browser.kit import Server


@pytest.fixture(scope="session")
def base_url() -> str:
    """No address stands for all tests; the plugin's own fixture is older than the pytest used here."""
    return ""


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
