"""Axe on a page as it stands: one way to run it for all tests."""

from __future__ import annotations

from typing import Any

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page

__all__ = ["serious"]
DRAWINGS = "svg.sprite"
"""What the cards and signs of a page are drawn from: 700 elements of which none is shown where it stands."""


def serious(page: Page, drawings: bool = False) -> list[str]:
    """What axe finds serious or critical for people who do not see, hear or point like others, each with its element.

    Every page holds the same drawings, and to look through them takes nearly as long as all the rest: one test does.
    """
    context = None if drawings else {"exclude": [[DRAWINGS]]}
    found: dict[str, Any] = Axe().run(page, context).response
    return [
        f"{violation['id']}: {violation['nodes'][0]['html'][:160]}"
        for violation in found["violations"]
        if violation["impact"] in ("serious", "critical")
    ]
