"""What every request passes: size, origin, pace, and the headers that keep a page to itself."""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import re
from collections.abc import MutableMapping
from typing import Any, Final

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import HTTPConnection
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from .errors import refusal
from .visitor import visitor_of

MAX_BODY = 4096
DRAINED: Final = 16_000_000
DRAIN_SECONDS: Final = 20
"""A body that comes slower than this is refused."""
LARGER = {"/verify": 400_000}
"""Paths that take more: a record, each of its characters at worst written as three."""
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
    "form-action 'self'; frame-ancestors 'none'; base-uri 'none'"
)
_HEADERS = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",
}
_SECURE_HEADERS = _HEADERS | {"Cross-Origin-Opener-Policy": "same-origin"}
"""A browser takes no opener policy from a page that came over plain HTTP, and complains of it in its console."""
_SAFE = ("GET", "HEAD", "OPTIONS")
_AT_TABLE = re.compile(r"/(?:api/tables|t)/([^/]+)/")


def same_origin(scope: Scope) -> bool:
    """Whether a request came from a page of ours, or from no page at all.

    Under HTTPS a page of the same name that came without it is none of ours: anybody on the way could have written it.
    """
    headers = Headers(scope=scope)
    site = headers.get("sec-fetch-site")
    if site is not None:
        return site in ("same-origin", "none")
    origin = headers.get("origin")
    if origin is None:
        return True
    scheme, _, host = origin.partition("://")
    return host == headers.get("host") and (scheme == "https" or scope["scheme"] not in ("https", "wss"))


def _seat_of(scope: Scope) -> bytes | None:
    """Who sends a command at a table: the SHA-256 of what opens its seat; None where none is shown."""
    found = _AT_TABLE.match(scope["path"])
    if found is None:
        return None
    if scope["path"].startswith("/api"):
        shown = Headers(scope=scope).get("authorization", "")
    else:
        shown = " ".join(visitor_of(HTTPConnection(scope)).tokens(found[1]))
    return hashlib.sha256(shown.encode("utf-8", "surrogatepass")).digest() if shown else None


async def _whole_body(receive: Receive, most: int) -> bytes | None:
    """The body, or None where it is too large.

    What is too large is still read to its end and thrown away, within bounds: whoever sends is answered only then, since
    one that is cut off while sending sees a broken connection and never the answer.
    """
    body, size = b"", 0
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(DRAIN_SECONDS):
            while size <= DRAINED:
                message = await receive()
                if message["type"] != "http.request":
                    return body if size <= most else None
                size += len(message.get("body", b""))
                body = body + bytes(message.get("body", b"")) if size <= most else b""
                if not message.get("more_body", False):
                    return body if size <= most else None
    return None


class Guard:
    """Refuses requests from foreign pages and bodies over 4 KiB; adds the security headers to every answer."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one connection."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        guarded = _with_headers(send, scope)
        if scope["method"] in _SAFE:
            await self.app(scope, receive, guarded)
            return
        if not same_origin(scope):
            await refusal(scope, "foreign-origin", "error.foreign", 403)(scope, receive, guarded)
            return
        seat = _seat_of(scope)
        if seat is not None and scope["app"].state.haste.too_fast(seat):
            await refusal(scope, "too-fast", "error.too_fast", 429)(scope, receive, guarded)
            return
        body = await _whole_body(receive, LARGER.get(scope["path"], MAX_BODY))
        if body is None:
            await refusal(scope, "too-large", "error.too_large", 413)(scope, receive, guarded)
            return
        await self.app(scope, _again(body, receive), guarded)


def _again(body: bytes, receive: Receive) -> Receive:
    """A body that has been read is handed on as one message; after it comes whatever comes."""
    given = False

    async def replay() -> Message:
        nonlocal given
        if given:
            return await receive()
        given = True
        return {"type": "http.request", "body": body, "more_body": False}

    return replay


def _with_headers(send: Send, scope: Scope) -> Send:
    wanted = _SECURE_HEADERS if scope["scheme"] == "https" else _HEADERS

    async def guarded(message: MutableMapping[str, Any]) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=message)
            for name, value in wanted.items():
                headers[name] = value
            if not scope["path"].startswith("/static/"):
                headers.setdefault("Cache-Control", "no-store")
        await send(message)

    return guarded
