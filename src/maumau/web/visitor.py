"""What this browser carries: one HttpOnly cookie with its seats, its language and the rules it played last.

Several people may play on one device: then a table's entry holds the tokens of all their seats.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import json
import secrets
from dataclasses import dataclass, field, replace
from typing import Any

from starlette.requests import HTTPConnection
from starlette.responses import Response

from .lang import choose
from .texts import LANGUAGES

NAME = "maumau"
MOST_TABLES = 6
MOST_KNOCKS = 3
MOST_PEOPLE = 8
"""So many people may share a device."""
ROOM = 4000
"""So many characters of it are ours: browsers drop a cookie of more than 4,096 bytes, some counting all that is said of it.
Eight people with the longest names at each table leave room; what else may be in there gives way."""
GIVES_WAY = ("r", "u", "q", "o")
"""The rules first and what somebody was called, which can be chosen anew; without them there is always room for the names
of those who share the device, by which alone they find and delete what they have played. Never a seat."""
_YEAR = 365 * 24 * 3600


@dataclass(frozen=True, slots=True)
class Visitor:
    """One browser. `seats` holds the tokens of each of its latest tables, separated by spaces, the oldest table first."""

    lang: str
    chosen_lang: str | None = None
    seats: dict[str, str] = field(default_factory=dict, repr=False)
    rules: str = "family"
    players: int = 4
    level: str = "normal"
    pace: str = "normal"
    name: str = ""
    """What this person was called at the last table with friends."""
    people: tuple[str, ...] = ()
    """Who shared this device last."""
    before: tuple[str, ...] = ()
    """Who did so earlier; with the last ones no more than may share it at once."""
    knocks: dict[str, str] = field(default_factory=dict, repr=False)
    """The secrets of its latest knocks, by table."""
    id: str = field(default="", repr=False)
    """By which the server finds what this person has played; it is stored as its SHA-256 only."""

    @property
    def digest(self) -> bytes:
        """What the server knows of the id."""
        return hashlib.sha256(self.id.encode("utf-8", "surrogatepass")).digest()

    def person(self, name: str) -> bytes:
        """What the server knows of somebody who plays on this device with others."""
        return hashlib.sha256(f"{self.id}\n{name}".encode("utf-8", "surrogatepass")).digest()

    def shared_by(self, people: tuple[str, ...]) -> tuple[Visitor, tuple[str, ...]]:
        """With these people at the device, and the names that it no longer remembers for it."""
        earlier = [name for name in dict.fromkeys((*self.people, *self.before)) if name not in people]
        room = MOST_PEOPLE - len(people)
        return replace(self, people=people, before=tuple(earlier[:room])), tuple(earlier[room:])

    def tokens(self, table: str) -> tuple[str, ...]:
        """The tokens of this browser's seats at a table: none, one, or more where people share the device."""
        return tuple(self.seats.get(table, "").split()[:MOST_PEOPLE])

    def knocked(self, table: str, secret: str) -> Visitor:
        """With one more knock; the oldest gives way."""
        kept = [(name, known) for name, known in self.knocks.items() if name != table][-(MOST_KNOCKS - 1) :]
        return replace(self, knocks={**dict(kept), table: secret})

    def seated(self, table: str, *tokens: str) -> Visitor:
        """With the seats of one more table; the oldest table gives way."""
        seats = {name: known for name, known in self.seats.items() if name != table}
        kept = list(seats.items())[-(MOST_TABLES - 1) :]
        knocks = {name: known for name, known in self.knocks.items() if name != table}
        return replace(self, seats={**dict(kept), table: " ".join(tokens)}, knocks=knocks)


def _read(raw: str | None) -> dict[str, Any]:
    """The cookie as plain data; whatever cannot be read counts as none."""
    try:
        data = json.loads(base64.urlsafe_b64decode((raw or "").encode()))
        json.dumps(data, ensure_ascii=False).encode()  # half a surrogate pair is no text that anything could keep
    except (ValueError, binascii.Error, RecursionError):
        return {}
    return data if isinstance(data, dict) else {}


def _written(data: dict[str, Any]) -> str:
    """Plain data as the cookie holds it; a sign outside ASCII takes its own bytes and no longer escape."""
    return base64.urlsafe_b64encode(
        json.dumps(data, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "replace")
    ).decode()


def _text(data: dict[str, Any], key: str, default: str) -> str:
    value = data.get(key)
    return value if isinstance(value, str) and len(value) <= 300 else default


def _texts(data: dict[str, Any], key: str) -> dict[str, str]:
    found = data.get(key)
    return {k: v for k, v in found.items() if isinstance(v, str)} if isinstance(found, dict) else {}


def is_secure(request: HTTPConnection) -> bool:
    """Whether the browser speaks HTTPS, here or with a proxy that is believed."""
    return request.url.scheme in ("https", "wss")


def cookie_name(secure: bool, name: str = NAME) -> str:
    """Under HTTPS the browser is told to bind the cookie to this very host."""
    return f"__Host-{name}" if secure else name


def visitor_of(request: HTTPConnection) -> Visitor:
    """The visitor that a request comes from."""
    data = _read(request.cookies.get(cookie_name(is_secure(request))))
    players = data.get("n")
    chosen = data.get("l")
    return Visitor(
        lang=choose(chosen if isinstance(chosen, str) else None, request.headers.get("accept-language")),
        chosen_lang=chosen if chosen in LANGUAGES else None,
        seats=_texts(data, "s"),
        rules=_text(data, "r", "family"),
        players=players if isinstance(players, int) else 4,
        level=_text(data, "b", "normal"),
        pace=_text(data, "p", "normal"),
        name=_text(data, "u", ""),
        people=tuple(name for name in _text(data, "o", "").split("\n")[:MOST_PEOPLE] if name),
        before=tuple(name for name in _text(data, "q", "").split("\n")[:MOST_PEOPLE] if name),
        knocks=_texts(data, "k"),
        id=_text(data, "i", "") or secrets.token_urlsafe(16),
    )


def remember(response: Response, request: HTTPConnection, visitor: Visitor) -> None:
    """Give the visitor's cookie with an answer; `Secure` only where the page came over HTTPS."""
    data = {
        "l": visitor.chosen_lang,
        "s": visitor.seats,
        "r": visitor.rules,
        "n": visitor.players,
        "b": visitor.level,
        "p": visitor.pace,
        "u": visitor.name,
        "k": visitor.knocks,
        "o": "\n".join(visitor.people),
        "q": "\n".join(visitor.before),
        "i": visitor.id,
    }
    secure, value = is_secure(request), _written(data)
    for dispensable in GIVES_WAY:
        if len(value) <= ROOM:
            break
        del data[dispensable]
        value = _written(data)
    response.set_cookie(
        cookie_name(secure), value, max_age=_YEAR, path="/", secure=secure, httponly=True, samesite="lax"
    )


def drop_cookie(response: Response, request: HTTPConnection) -> None:
    """Take the cookie away; a browser heeds what names a `__Host-` cookie only where it says `Secure` too."""
    secure = is_secure(request)
    response.delete_cookie(cookie_name(secure), path="/", secure=secure, httponly=True, samesite="lax")
