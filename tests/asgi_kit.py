"""A client that speaks ASGI itself, on the test's own loop: every byte of an answer is kept, also those of sockets."""

from __future__ import annotations

import asyncio
import contextlib
import gzip
import json
from collections.abc import AsyncIterator, Callable, Iterable, Iterator, MutableMapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from functools import lru_cache
from http.cookies import SimpleCookie
from pathlib import Path
from typing import Any
from urllib.parse import quote, unquote, urlencode

from fastapi import FastAPI
from starlette.routing import BaseRoute
from tests.tables_kit import PATIENCE, first_bot

from maumau.tables import Store, Tables
from maumau.web import live
from maumau.web.app import create_app
from maumau.web.assets import Assets
from maumau.web.render import Renderer

Message = MutableMapping[str, Any]
HOST = "table.test"


@dataclass
class Answer:
    """What came back; `crash` is the exception that the server let through."""

    status: int = 0
    headers: list[tuple[bytes, bytes]] = field(default_factory=list)
    body: bytes = b""
    crash: BaseException | None = None

    def header(self, name: str) -> str:
        """A header, empty where there is none."""
        return next((value.decode("latin-1") for key, value in self.headers if key.decode().lower() == name), "")

    @property
    def plain(self) -> bytes:
        """The body unpacked."""
        return gzip.decompress(self.body) if self.header("content-encoding") == "gzip" else self.body

    @property
    def text(self) -> str:
        """The body as text."""
        return self.plain.decode("utf-8", "replace")

    def json(self) -> Any:
        """The body as data."""
        return json.loads(self.plain)


class Client:
    """One device: its cookies, its language, its bearer token."""

    def __init__(
        self, app: Any, *, token: str | None = None, lang: str = "en", peer: str = "203.0.113.7", scheme: str = "http"
    ) -> None:
        self.app = app
        self.token = token
        self.lang = lang
        self.peer = peer
        self.scheme = scheme
        self.cookies: dict[str, str] = {}

    def _headers(self, more: Iterable[tuple[str, str]]) -> list[tuple[bytes, bytes]]:
        said = {"host": HOST, "accept-language": self.lang, "accept-encoding": "gzip"}
        if self.cookies:
            said["cookie"] = "; ".join(f"{name}={value}" for name, value in self.cookies.items())
        if self.token is not None:
            said["authorization"] = f"Bearer {self.token}"
        said |= {name.lower(): value for name, value in more}
        return [(name.encode("latin-1"), value.encode("latin-1", "replace")) for name, value in said.items()]

    def _scope(self, path: str, headers: Iterable[tuple[str, str]]) -> dict[str, Any]:
        where, _, query = path.partition("?")
        return {
            "asgi": {"version": "3.0", "spec_version": "2.4"},
            "http_version": "1.1",
            "path": unquote(where),
            "raw_path": where.encode("ascii", "replace"),
            "query_string": query.encode("ascii", "replace"),
            "root_path": "",
            "headers": self._headers(headers),
            "client": (self.peer, 40_000),
            "server": (HOST, 80),
        }

    async def ask(
        self,
        method: str,
        path: str,
        *,
        body: bytes = b"",
        data: Any = None,
        form: dict[str, str] | None = None,
        headers: Iterable[tuple[str, str]] = (),
    ) -> Answer:
        """One request. `data` is sent as JSON, `form` as a form."""
        said = list(headers)
        if data is not None:
            body, said = json.dumps(data).encode(), [("content-type", "application/json"), *said]
        elif form is not None:
            body, said = urlencode(form).encode(), [("content-type", "application/x-www-form-urlencoded"), *said]
        scope = {"type": "http", "method": method, "scheme": self.scheme, **self._scope(path, said)}
        scope["headers"] += [(b"content-length", str(len(body)).encode())] if body else []
        answer = Answer()
        sent = False

        async def receive() -> Message:
            nonlocal sent
            if sent:
                await asyncio.Event().wait()
            sent = True
            return {"type": "http.request", "body": body, "more_body": False}

        async def send(message: Message) -> None:
            if message["type"] == "http.response.start":
                answer.status, answer.headers = message["status"], list(message["headers"])
            elif message["type"] == "http.response.body":
                answer.body += message.get("body", b"")

        try:
            await self.app(scope, receive, send)
        except Exception as error:
            answer.crash = error
        self._keep_cookies(answer)
        return answer

    def _keep_cookies(self, answer: Answer) -> None:
        for name, value in answer.headers:
            if name.lower() == b"set-cookie":
                for key, morsel in SimpleCookie(value.decode("latin-1")).items():
                    self.cookies[key] = morsel.value

    def get(self, path: str, **more: Any) -> Any:
        """A GET, to be awaited."""
        return self.ask("GET", path, **more)

    def post(self, path: str, **more: Any) -> Any:
        """A POST, to be awaited."""
        return self.ask("POST", path, **more)

    @asynccontextmanager
    async def socket(self, path: str, headers: Iterable[tuple[str, str]] = ()) -> AsyncIterator[Socket]:
        """A live socket, closed at the end."""
        scheme = "wss" if self.scheme == "https" else "ws"
        scope = {"type": "websocket", "scheme": scheme, "subprotocols": [], **self._scope(path, headers)}
        opened = Socket(scope)
        task = asyncio.create_task(opened.run(self.app))
        try:
            yield opened
        finally:
            opened.say({"type": "websocket.disconnect", "code": 1001})
            with contextlib.suppress(Exception):
                await asyncio.wait_for(task, PATIENCE)


class Socket:
    """The client's end of a live socket: every frame that came, and how it was closed."""

    def __init__(self, scope: dict[str, Any]) -> None:
        self.scope = scope
        self.frames: list[str] = []
        self.closed: int | None = None
        self.accepted = False
        self.crash: BaseException | None = None
        self._up: asyncio.Queue[Message] = asyncio.Queue()
        self._news = asyncio.Event()
        self.say({"type": "websocket.connect"})

    def say(self, message: Message) -> None:
        """Send one message up."""
        self._up.put_nowait(message)

    async def run(self, app: Any) -> None:
        """Serve this socket."""
        try:
            await app(self.scope, self._up.get, self._take)
        except Exception as error:
            self.crash = error
        finally:
            self.closed = 1006 if self.closed is None else self.closed
            self._news.set()

    async def _take(self, message: Message) -> None:
        if message["type"] == "websocket.accept":
            self.accepted = True
        elif message["type"] == "websocket.send":
            self.frames.append(message.get("text") or (message.get("bytes") or b"").decode("utf-8", "replace"))
        elif message["type"] == "websocket.close":
            self.closed = message.get("code", 1000)
        self._news.set()

    async def until(self, done: Callable[[Socket], bool], seconds: float = PATIENCE) -> None:
        """Wait until something holds of what has come."""
        async with asyncio.timeout(seconds):
            while not done(self):
                self._news.clear()
                await self._news.wait()


@lru_cache(maxsize=1)
def _renderer() -> Renderer:
    return Renderer(Assets())


@asynccontextmanager
async def serving(path: Path, *, metrics: bool = True, **more: Any) -> AsyncIterator[tuple[FastAPI, Tables]]:
    """The application over a service on this loop, without limits; `more` goes to the service."""
    store = Store(path / "tables.db")
    app = create_app(store=store, metrics=metrics, tables_per_hour=0, commands_per_second=0)
    app.state.renderer = _renderer()  # its templates are compiled once for all tests
    more.setdefault("bots", first_bot)
    async with Tables(store, **more) as tables:
        app.state.tables = tables
        yield app, tables


# ---- routes ---------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Way:
    """One way into the application: a method (`WS` for a socket) and a path with its parameters."""

    method: str
    path: str

    @property
    def fields(self) -> list[str]:
        """The names of the path's parameters."""
        return [part.split(":")[0] for part in self.path.replace("}", "{").split("{")[1::2]]

    def at(self, **values: object) -> str:
        """The path with its parameters filled."""
        path = self.path.replace(":path}", "}")
        return path.format_map({name: quote(str(value), safe="") for name, value in values.items()})

    def __str__(self) -> str:
        return f"{self.method} {self.path}"


def _leaves(routes: Iterable[BaseRoute]) -> Iterator[BaseRoute]:
    for route in routes:
        inner = getattr(route, "original_router", None) or getattr(route, "app", None)
        if not hasattr(route, "path") or hasattr(inner, "routes"):
            yield from _leaves(getattr(inner, "routes", ()))
        else:
            yield route


def ways(app: FastAPI) -> list[Way]:
    """Every way into the application, in the order in which they are tried; HEAD goes with GET."""
    found: list[Way] = []
    for route in _leaves([*app.routes, *live.router.routes]):
        methods = getattr(route, "methods", None) or {"WS"}
        found += [Way(method, route.path) for method in sorted(methods) if method != "HEAD"]  # type: ignore[attr-defined]  # every leaf has a path, whatever its class
    return found
