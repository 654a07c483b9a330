"""What routes of pages share: the fields of a form, and the parts of the application that answer."""

from __future__ import annotations

from urllib.parse import parse_qsl

from fastapi import Request

from ..game import fair
from ..tables import TableError, Tables
from .limits import Mistakes
from .render import Renderer
from .texts import texts
from .visitor import visitor_of

Fields = dict[str, list[str]]


def tables_of(request: Request) -> Tables:
    """The service behind the pages."""
    tables: Tables = request.app.state.tables
    return tables


def renderer_of(request: Request) -> Renderer:
    """The templates."""
    renderer: Renderer = request.app.state.renderer
    return renderer


def may_make_table(request: Request) -> None:
    """Refuse one more table from an address that has made so many in the last hour. 429 too-many-tables."""
    made: Mistakes = request.app.state.new_tables
    if made.too_many(request.client.host if request.client else None):
        told = texts(visitor_of(request).lang)("error.too_many_tables", n=made.each)
        raise TableError("too-many-tables", told, 429)


def table_made(request: Request) -> None:
    """Count a new table for the address that has made it."""
    request.app.state.new_tables.add(request.client.host if request.client else None)


async def form(request: Request) -> Fields:
    """The fields of a form as sent by a browser; text that is no UTF-8 loses the broken parts."""
    fields: Fields = {}
    text = (await request.body()).decode("utf-8", "replace")
    for key, value in parse_qsl(text, keep_blank_values=True):
        fields.setdefault(key, []).append(value)
    return fields


def one(fields: Fields, key: str, default: str = "") -> str:
    """The last value of a field."""
    return fields.get(key, [default])[-1]


def whole(text: str) -> int | None:
    """A number as a form may carry it; None where it is none."""
    return int(text) if text.isdecimal() and len(text) < 12 else None


def way_back(path: str) -> str:
    """Where a form leads back to: a path of ours, or the home page where it is none."""
    return path if path.startswith("/") and not path.startswith(("//", "/\\")) else "/"


def seat_in(fields: Fields) -> int:
    """The seat that a form names; none is a seat that there is not."""
    number = whole(one(fields, "seat"))
    return -1 if number is None else number


def share_in(fields: Fields) -> str | None:
    """The browser's share in the shuffle; what is none is as if it were not there, so that the deal comes anyway."""
    share = one(fields, "contribution")
    return share if fair.is_contribution(share) else None
