"""What the tests of the pages about rules share: a browser in process, and the text of a page."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from html import unescape

import pytest
from tests.web_client import TestClient

from maumau.cards import Card
from maumau.web.app import create_app

GERMAN = {"accept-language": "de"}
ENGLISH = {"accept-language": "en"}


@contextmanager
def rule_pages(folders: pytest.TempPathFactory) -> Iterator[TestClient]:
    """A browser at a server of its own; no redirect is followed."""
    with TestClient(create_app(folders.mktemp("data")), base_url="http://table.test", follow_redirects=False) as opened:
        yield opened


def text_of(client: TestClient, path: str, status: int = 200, headers: dict[str, str] = ENGLISH) -> str:
    answer = client.get(path, headers=headers)
    assert answer.status_code == status, path
    return unescape(answer.text)


def cards(text: str) -> tuple[Card, ...]:
    return tuple(Card.parse(part) for part in text.split())
