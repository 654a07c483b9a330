"""What all tests share: a browser that is installed or fetched, and one event loop for asynchronous tests."""

from __future__ import annotations

import os
from typing import Any

import pytest
from hypothesis import settings

from find_browser import NoBrowserError, arguments, find_or_fetch, in_ci

settings.register_profile("default", deadline=None, derandomize=True, print_blob=True)
settings.register_profile("prove", deadline=None, max_examples=5000)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "default"))


@pytest.fixture
def anyio_backend() -> str:
    """Asynchronous tests (`@pytest.mark.anyio`) run on asyncio, as the server does."""
    return "asyncio"


@pytest.fixture(scope="session")
def browser_path() -> str:
    """The path of Chrome or Chromium; without one a test is skipped, but fails in CI."""
    try:
        return find_or_fetch()
    except NoBrowserError as error:
        if in_ci():
            pytest.fail(str(error))
        pytest.skip(str(error))


@pytest.fixture(scope="session")
def browser_type_launch_args(browser_path: str) -> dict[str, Any]:
    """How pytest-playwright starts the browser behind its `page` fixture."""
    return {"executable_path": browser_path, "args": arguments(), "headless": True}


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Whatever opens a page is a browser test, marked or not, and browser tests come last.

    Playwright leaves its event loop running in the thread, so a test that starts a loop of its own must come before;
    a file of browser tests stays in one process, which starts the browser once.
    """
    for item in items:
        if {"page", "browser", "browser_path"} & set(getattr(item, "fixturenames", ())):
            item.add_marker(pytest.mark.browser)
            if item.get_closest_marker("xdist_group") is None:
                item.add_marker(pytest.mark.xdist_group(f"browser-{item.path.stem}"))
    items.sort(key=lambda item: item.get_closest_marker("browser") is not None)
