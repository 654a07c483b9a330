"""What all tests share: a browser that is installed or fetched, chance that repeats, and the order in which they run."""

from __future__ import annotations

import os
import random
import secrets
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import HealthCheck, settings

from find_browser import NoBrowserError, arguments, find_or_fetch, in_ci

UNHURRIED = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])  # a busy machine is no fault
settings.register_profile("default", UNHURRIED, derandomize=True, print_blob=True)
settings.register_profile("prove", UNHURRIED, max_examples=5000)
PROFILE = os.environ.get("HYPOTHESIS_PROFILE", "default")
settings.load_profile(PROFILE)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Iterator[None]:
    """The chance of tables in this process comes from the name of the test: the same deals and bots in each run.

    What a test asserts must hold for every deal all the same; but what fails once fails again, and can be looked at.
    The long proofs have chance without end.
    """
    chance = random.Random(item.nodeid)
    with pytest.MonkeyPatch.context() as patch:
        if PROFILE != "prove":
            patch.setattr(secrets, "token_bytes", lambda n=None: chance.randbytes(32 if n is None else n))
            patch.setattr(secrets, "randbits", chance.getrandbits)
            patch.setattr(secrets, "choice", chance.choice)
            patch.setattr(secrets, "SystemRandom", lambda: chance)
        return (yield)


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
    """Whatever opens a page is a browser test, marked or not, and browser tests come last, the slow ones first.

    Playwright leaves its event loop running in the thread, so a test that starts a loop of its own must come before.
    A short one at the end leaves no other process waiting.
    """
    for item in items:
        if {"page", "browser", "browser_path"} & set(getattr(item, "fixturenames", ())):
            item.add_marker(pytest.mark.browser)
    items.sort(key=_late)


def _late(item: pytest.Item) -> int:
    """When a test has its turn."""
    if item.get_closest_marker("browser") is None:
        return 0
    return 1 if item.get_closest_marker("slow") is not None else 2
