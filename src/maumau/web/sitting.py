"""Sitting down with friends: names already filled in, links to pass on, codes for a phone's camera."""

from __future__ import annotations

import ipaddress
import secrets
from collections.abc import Collection
from functools import lru_cache
from io import BytesIO
from typing import Any, Final

from markupsafe import Markup
from starlette.requests import HTTPConnection

from ..ruleset import RuleError, Ruleset
from ..ruleset import words as rule_words
from ..tables.spec import CLOCKS, STAND_INS
from ..tables.view import View
from .texts import texts

LONGEST_NAME: Final = 24
_LOCAL_NAMES: Final = ("localhost", "")


def animal(lang: str, taken: Collection[str] = ()) -> str:
    """A name for somebody who has not said one: an animal that does not sit here yet."""
    others = {name.casefold() for name in taken}
    names = [name.strip() for name in texts(lang)("friends.animals").split(",")]
    free = [name for name in names if name.casefold() not in others]
    return secrets.choice(free or names)


def _is_local(host: str) -> bool:
    """Whether only this machine knows itself by that name."""
    try:
        return ipaddress.ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return host in _LOCAL_NAMES


def base_of(request: HTTPConnection) -> str:
    """Where links to pass on begin: the address the request came by, or this server's own in the network."""
    if _is_local(request.url.hostname or ""):
        outside: str | None = request.app.state.outside()
        if outside is not None:
            return outside
    scheme = "https" if request.url.scheme in ("https", "wss") else "http"
    return f"{scheme}://{request.url.netloc}/"


@lru_cache(maxsize=256)
def qr_code(link: str) -> Markup:
    """A link as a drawing that a phone's camera reads."""
    import segno

    drawn = BytesIO()
    segno.make(link, error="m", micro=False).save(
        drawn, kind="svg", xmldecl=False, svgns=False, omitsize=True, border=3, light="#fff", svgclass="qr", nl=False
    )
    return Markup(drawn.getvalue().decode())  # our own drawing; the link is in it as squares only


@lru_cache(maxsize=256)
def table_rules(lang: str, code: str, seats: int) -> dict[str, Any]:
    """The rules of a table in a few words, and what it plays differently from its book."""
    try:
        rules = Ruleset.parse(code).at(seats)
    except RuleError:
        return {"book": code, "chips": (), "more": "", "differences": ()}
    sheet = rule_words.sheet(lang, rules)
    return {
        "book": rule_words.book_title(lang, rules.book),
        "chips": sheet.chips,
        "more": sheet.more,
        "differences": sheet.differences,
    }


def waiting_slots(view: View, lang: str, base: str) -> dict[str, Any]:
    """What the waiting room shows besides the view."""
    if view.state != "waiting":
        return {}
    clocks = CLOCKS if view.public else (None, *CLOCKS)
    link = None if view.invite is None else f"{base}j/{view.invite}"
    return {
        "clocks": clocks,
        "limits": STAND_INS,
        "invite_link": link,
        "invite_qr": None if link is None else qr_code(link),
        "agreed": table_rules(lang, view.rules, len(view.seats)),
    }
