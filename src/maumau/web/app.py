"""The application: one process, one store, pages and API over the same service."""

from __future__ import annotations

from collections import Counter
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from fastapi import FastAPI, Request
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.responses import PlainTextResponse, Response
from starlette.types import Receive, Scope, Send

from ..tables import Store, Tables
from . import errors, live
from .assets import Assets
from .figures import TYPE, figures_on
from .guard import Guard
from .head import HeadAsGet
from .limits import COMMANDS_PER_SECOND, TABLES_PER_HOUR, Haste, Mistakes
from .render import Renderer
from .routes import api, friends, knocking, pages, people, referee, rule_pages, score_pad, verify

STORE_FILE = "tables.sqlite"
_PACK_FROM = 600
WRONG_WORDS = (10, 60, 60.0)
"""So many wrong table words by one address, and by all together, in so many seconds."""

KNOCKS = (10, 60, 60.0)
"""The same for knocks."""


class Site(FastAPI):
    """The application. Live sockets go past what only requests need, which would be kept for each of them."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one connection."""
        if scope["type"] == "websocket":
            scope["app"] = self
            await live.router(scope, receive, send)
        else:
            await super().__call__(scope, receive, send)


def create_app(
    data_dir: Path | None = None,
    *,
    store: Store | None = None,
    metrics: bool = False,
    metrics_at: tuple[str, int] | None = None,
    outside: Callable[[], str | None] | None = None,
    tables_per_hour: int = TABLES_PER_HOUR,
    commands_per_second: int = COMMANDS_PER_SECOND,
) -> FastAPI:
    """The application over the store in `data_dir`, or over one already open; `/metrics` only where it is wanted.

    `metrics_at` is an address and a port where they stand apart from the tables. `outside` tells the address by which other devices reach this server, for invites made on this very machine.
    `tables_per_hour` is for one address, `commands_per_second` for one seat; 0 is any number.
    """
    if store is None and data_dir is None:
        raise ValueError("no store: give a data folder or an open store")

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        async with Tables(store or _store_in(data_dir)) as tables:
            app.state.tables = tables
            async with AsyncExitStack() as more:
                if metrics_at is not None:
                    told = figures_on(*metrics_at, lambda: tables.metrics(app.state.sockets))
                    app.state.metrics_port = await more.enter_async_context(told)
                yield

    app = Site(
        title="Mau-Mau",
        version=_version(),
        lifespan=lifespan,
        redirect_slashes=False,
        docs_url=None,
        redoc_url=None,
        openapi_url="/api/openapi.json",
        middleware=[
            Middleware(HeadAsGet),
            Middleware(GZipMiddleware, minimum_size=_PACK_FROM, compresslevel=5),
            Middleware(Guard),
        ],
    )
    app.state.outside = outside or (lambda: None)
    assets = Assets()
    app.state.assets = assets
    app.state.sockets = 0
    app.state.wrong_words = Mistakes(*WRONG_WORDS)
    app.state.knocks = Mistakes(*KNOCKS)
    app.state.new_tables = Mistakes(tables_per_hour, 0, 3600.0)
    app.state.haste = Haste(commands_per_second)
    app.state.seat_sockets = {}
    app.state.onlookers = Counter()
    app.state.renderer = Renderer(assets)
    errors.install(app)
    app.include_router(api.router)
    app.include_router(people.router)  # before the pages, which take every other deed at a table
    app.include_router(pages.router)
    for more in (friends, knocking, rule_pages, referee, score_pad, verify):
        app.include_router(more.router)
    app.add_api_route("/static/{version}/{name:path}", _static, include_in_schema=False)
    app.add_api_route("/livez", _alive, include_in_schema=False)
    app.add_api_route("/readyz", _ready, include_in_schema=False)
    if metrics:
        app.add_api_route("/metrics", _metrics, include_in_schema=False)
    return app


def _version() -> str:
    try:
        return version("maumau")
    except PackageNotFoundError:
        return "0"


def _store_in(data_dir: Path | None) -> Store:
    assert data_dir is not None
    data_dir.mkdir(parents=True, exist_ok=True)
    return Store(data_dir / STORE_FILE)


async def _static(request: Request, version: str, name: str) -> Response:
    assets: Assets = request.app.state.assets
    answer = assets.answer(request, version, name)
    if answer is None:
        raise HTTPException(404)
    return answer


async def _metrics(request: Request) -> Response:
    tables: Tables = request.app.state.tables
    return PlainTextResponse(await tables.metrics(request.app.state.sockets), media_type=TYPE)


async def _alive() -> Response:
    return PlainTextResponse("ok")


async def _ready(request: Request) -> Response:
    tables: Tables | None = getattr(request.app.state, "tables", None)
    if tables is None:
        return PlainTextResponse("starting", 503)
    trouble = await tables.trouble()
    return PlainTextResponse("ready") if trouble is None else PlainTextResponse(f"cannot write: {trouble}", 503)
