"""What this browser carries: one HttpOnly cookie with its seats, its language and the rules it played last."""

from __future__ import annotations

import base64
import binascii
import json
from dataclasses import dataclass, field, replace
from typing import Any

from starlette.requests import HTTPConnection
from starlette.responses import Response

from .lang import choose
from .texts import LANGUAGES

NAME = "maumau"
MOST_SEATS = 6
_YEAR = 365 * 24 * 3600


@dataclass(frozen=True, slots=True)
class Visitor:
    """One browser. `seats` holds the token of each of its latest tables, oldest first."""

    lang: str
    chosen_lang: str | None = None
    seats: dict[str, str] = field(default_factory=dict, repr=False)
    rules: str = "family"
    players: int = 4
    level: str = "normal"
    pace: str = "normal"
    name: str = ""
    """What this person was called at the last table with friends."""

    def token(self, table: str) -> str | None:
        """The token of this browser's seat at a table."""
        return self.seats.get(table)

    def seated(self, table: str, token: str) -> Visitor:
        """With one more seat; the oldest gives way."""
        seats = {name: known for name, known in self.seats.items() if name != table}
        kept = list(seats.items())[-(MOST_SEATS - 1) :]
        return replace(self, seats={**dict(kept), table: token})


def _read(raw: str | None) -> dict[str, Any]:
    """The cookie as plain data; whatever cannot be read counts as none."""
    try:
        data = json.loads(base64.urlsafe_b64decode((raw or "").encode()))
    except (ValueError, binascii.Error, RecursionError):
        return {}
    return data if isinstance(data, dict) else {}


def _text(data: dict[str, Any], key: str, default: str) -> str:
    value = data.get(key)
    return value if isinstance(value, str) and len(value) <= 300 else default


def cookie_name(secure: bool) -> str:
    """Under HTTPS the browser is told to bind the cookie to this very host."""
    return f"__Host-{NAME}" if secure else NAME


def visitor_of(request: HTTPConnection) -> Visitor:
    """The visitor that a request comes from."""
    secure = request.url.scheme in ("https", "wss")
    data = _read(request.cookies.get(cookie_name(secure)))
    seats = data.get("s")
    players = data.get("n")
    chosen = data.get("l")
    return Visitor(
        lang=choose(chosen if isinstance(chosen, str) else None, request.headers.get("accept-language")),
        chosen_lang=chosen if chosen in LANGUAGES else None,
        seats={k: v for k, v in seats.items() if isinstance(v, str)} if isinstance(seats, dict) else {},
        rules=_text(data, "r", "family"),
        players=players if isinstance(players, int) else 4,
        level=_text(data, "b", "normal"),
        pace=_text(data, "p", "normal"),
        name=_text(data, "u", ""),
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
    }
    secure = request.url.scheme in ("https", "wss")
    value = base64.urlsafe_b64encode(json.dumps(data, separators=(",", ":")).encode()).decode()
    response.set_cookie(
        cookie_name(secure), value, max_age=_YEAR, path="/", secure=secure, httponly=True, samesite="lax"
    )
