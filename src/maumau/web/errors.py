"""Every refusal in one shape: JSON for the API, a page for people, both in the language asked for."""

from __future__ import annotations

import logging
import re
from collections.abc import Callable
from typing import Any

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.responses import HTMLResponse, Response
from starlette.types import Scope

from ..tables import TableError
from .answers import Json
from .texts import Texts, texts
from .visitor import visitor_of

log = logging.getLogger("maumau.web")
_ALSO_SHOWN = re.compile(r"/(j/[^/]+|k/[^/]+/[^/]+|s)")
"""Where forms lead that are pages as well: there one may come back to after the language was switched."""
_BY_STATUS = {404: ("not-found", "error.not_found"), 405: ("method-not-allowed", "error.method")}


def wants_json(request: Request) -> bool:
    """The API answers in JSON, and so do pages whose script asks for it."""
    return request.url.path.startswith("/api") or request.headers.get("accept", "") == "application/json"


def body_of(code: str, text: str, position: str | None = None, **more: Any) -> dict[str, Any]:
    """The one shape of an error."""
    return {"error": {"code": code, "text": text, "position": position}, **more}


def refusal(scope: Scope, code: str, key: str, status: int, **slots: object) -> Response:
    """An answer that says no, with a sentence of the page texts."""
    request = Request(scope)
    lang = visitor_of(request).lang
    return _answer(request, code, texts(lang)(key, **slots), status, lang)


def _answer(request: Request, code: str, text: str, status: int, lang: str) -> Response:
    if wants_json(request):
        return Json(body_of(code, text), status)
    renderer = getattr(request.app.state, "renderer", None) if "app" in request.scope else None
    if renderer is None:
        return HTMLResponse(text, status)
    page = renderer.page("error.html", lang, "/", text=text, status=status)
    return HTMLResponse(page, status)


async def _table_error(request: Request, error: Exception) -> Response:
    assert isinstance(error, TableError)
    lang = visitor_of(request).lang
    if wants_json(request):
        return Json(error.as_json(), error.status)
    if error.code == "bad-token":  # a browser shows what it was given: that seat was left, cleared or moved since
        return closed(request, lang, "friends.seat_gone", error.status)
    return _answer(request, error.code, error.text, error.status, lang)


def closed(request: Request, lang: str, why: str, status: int) -> Response:
    """Nothing to be had here: why, in the words under ``<why>_title`` and ``<why>_text``, and what else there is to do."""
    t, path = texts(lang), request.url.path
    here = path if request.method in ("GET", "HEAD") or _ALSO_SHOWN.fullmatch(path) else "/"
    told = {"title": t(f"{why}_title"), "text": t(f"{why}_text"), "by_word": why.startswith("word.")}
    return HTMLResponse(request.app.state.renderer.page("closed.html", lang, here, **told), status)


async def _http_error(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    code, key = _BY_STATUS.get(error.status_code, ("bad-request", "error.invalid"))
    answer = refusal(request.scope, code, key, error.status_code, detail=f"HTTP {error.status_code}")
    answer.headers.update(error.headers or {})
    return answer


_WRONG = {
    "missing": "missing",
    "json_invalid": "json",
    "extra_forbidden": "extra",
    "string_too_long": "most_letters",
    "string_too_short": "least_letters",
    "too_long": "most_entries",
    "too_short": "least_entries",
    "greater_than_equal": "least",
    "less_than_equal": "most",
}
"""Why a field is wrong: what pydantic calls it, and the sentence of the page texts for it."""
_KINDS = ("string", "int", "bool", "list", "dict", "uuid")
_BOUNDS = ("max_length", "min_length", "ge", "le")


def _detail(t: Texts, error: RequestValidationError) -> str:
    """Which field is wrong and why, in the page's own words; what was sent is not repeated."""
    first = error.errors()[0]
    kind, bounds = str(first["type"]), first.get("ctx") or {}
    bound = next((bounds[name] for name in _BOUNDS if name in bounds), "")
    known = next((name for name in _KINDS if kind.startswith(f"{name}_")), "dict" if "model" in kind else "value")
    why = t(f"invalid.{_WRONG.get(kind, known)}", n=bound)
    place = ".".join(str(part) for part in first["loc"] if part != "body")
    return why if kind == "json_invalid" or not place else f"{place}: {why}"


async def _invalid(request: Request, error: Exception) -> Response:
    assert isinstance(error, RequestValidationError)
    t = texts(visitor_of(request).lang)
    return refusal(request.scope, "invalid-request", "error.invalid", 422, detail=_detail(t, error))


async def _internal(request: Request, error: Exception) -> Response:
    log.error("unexpected error at %s", request.url.path, exc_info=error)
    return refusal(request.scope, "internal", "error.internal", 500)


def install(app: FastAPI) -> None:
    """Answer every error in the one shape."""
    handlers: dict[type[Exception], Callable[[Request, Exception], Any]] = {
        TableError: _table_error,
        HTTPException: _http_error,
        RequestValidationError: _invalid,
        Exception: _internal,
    }
    for kind, handler in handlers.items():
        app.add_exception_handler(kind, handler)
