"""The page that checks a record: in the browser by its own script, and on the server for what needs the rules."""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor
from urllib.parse import parse_qs

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse, Response

from ...game import Record, RecordError
from ...game.told import findings_told
from ...game.verify import verify as check
from ..answers import Json
from ..device import device_of
from ..texts import Texts, texts
from ..visitor import visitor_of
from .rule_pages import renderer

router = APIRouter(include_in_schema=False)
LONGEST = 80_000
"""Characters of a record that the page checks; about a hundred rounds."""
_FOUND = "verify.found."
_checkers = ThreadPoolExecutor(max_workers=1, thread_name_prefix="maumau-verify")
"""One record at a time; others play meanwhile."""


def _page(request: Request, t: Texts, record: str = "", lines: list[str] | None = None, status: int = 200) -> Response:
    words = {key.removeprefix(_FOUND): text for key, text in t.words.items() if key.startswith(_FOUND)}
    page = renderer(request).page("verify.html", t.lang, "/verify", record=record, lines=lines or [], words=words)
    return HTMLResponse(page, status)


@router.get("/verify")
async def form(request: Request) -> Response:
    """A place to paste a record."""
    return _page(request, texts(visitor_of(request).lang))


@router.get("/t/{table}/record")
async def record_file(request: Request, table: str) -> Response:
    """The record of the match as a file: finished rounds open, a running one as this browser's seat saw it."""
    visitor = visitor_of(request)
    device = device_of(request, table, visitor)
    token = device.alone
    if len(device.tokens) > 1:  # no hand of a running round is in the file of a device that goes round
        token = await device.tables.watch_link(table, await device.token(), visitor.lang)
    data = await device.tables.record(table, token, visitor.lang)
    return Json(data, headers={"Content-Disposition": f'attachment; filename="mau-mau-{table}.json"'})


def _told(text: str, lang: str) -> list[str]:
    return findings_told(lang, check(Record.from_json(text)))


@router.post("/verify")
async def verify(request: Request) -> Response:
    """What the server finds in a record."""
    t = texts(visitor_of(request).lang)
    sent = parse_qs((await request.body()).decode("utf-8", "replace"))
    record = sent.get("record", [""])[-1].strip()
    if not record:
        return _page(request, t, lines=[t("verify.empty")], status=422)
    if len(record) > LONGEST:
        return _page(request, t, lines=[t("verify.too_long")], status=413)
    try:
        lines = await asyncio.get_running_loop().run_in_executor(_checkers, _told, record, t.lang)
    except (RecordError, RecursionError):
        return _page(request, t, record, [t("verify.found.unreadable")], 422)
    return _page(request, t, record, lines)
