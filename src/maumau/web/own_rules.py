"""Rules that this browser keeps under a name: one cookie, written and read by the server alone, so that it needs no script."""

from __future__ import annotations

import base64
import binascii
import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from starlette.requests import HTTPConnection
from starlette.responses import Response

from ..ruleset import ALL_BOOKS, RuleError, Ruleset
from ..ruleset import words as rule_words
from .visitor import cookie_name, is_secure

NAME: Final = "maumau_rules"
LONGEST_NAME: Final = 40
ROOM: Final = 3400
"""So many characters of a cookie are ours: browsers take 4,096 with its name and the rest."""
_YEAR: Final = 365 * 24 * 3600


@dataclass(frozen=True, slots=True)
class Own:
    """Rules by the name that a person gave them."""

    name: str
    code: str


def _kept(request: HTTPConnection) -> str:
    """The cookie as it came; under HTTPS also one from before it was bound to the host."""
    bound = request.cookies.get(cookie_name(is_secure(request), NAME))
    return request.cookies.get(NAME, "") if bound is None else bound


def own_of(request: HTTPConnection) -> tuple[Own, ...]:
    """The rules that a request's browser keeps, the first kept first; a cookie that cannot be read holds none."""
    try:
        data = json.loads(base64.urlsafe_b64decode(_kept(request).encode()))
        json.dumps(data, ensure_ascii=False).encode()  # half a surrogate pair is no text that anything could show
    except (ValueError, binascii.Error, RecursionError):
        return ()
    if not isinstance(data, list):
        return ()
    pairs = [pair for pair in data if isinstance(pair, list) and len(pair) == 2]
    return tuple(Own(name, code) for name, code in pairs if isinstance(name, str) and isinstance(code, str))


def keep(response: Response, request: HTTPConnection, own: Sequence[Own]) -> bool:
    """Give these rules to the browser in the place of those it had; False, and nothing is given, where they are too many."""
    text = json.dumps([[one.name, one.code] for one in own], ensure_ascii=False, separators=(",", ":"))
    value = base64.urlsafe_b64encode(text.encode()).decode()
    if len(value) > ROOM:
        return False
    secure = is_secure(request)
    name = cookie_name(secure, NAME)
    response.set_cookie(name, value, max_age=_YEAR, path="/", secure=secure, httponly=True, samesite="lax")
    return True


@dataclass(frozen=True, slots=True)
class Choice:
    """Rules to choose from: their code, what they are called, a line about them, and whether they are in use."""

    code: str
    title: str
    line: str
    on: bool


@dataclass(frozen=True, slots=True)
class Choices:
    """All rules to choose from: the rule books, and those that the browser keeps."""

    books: tuple[Choice, ...]
    own: tuple[Choice, ...]


def kept_choices(lang: str, used: str, own: Sequence[Own]) -> tuple[Choice, ...]:
    """The own rules to choose from; those that can no longer be played are left out."""
    used = canonical(used)
    codes = [canonical(one.code) for one in own]
    on = codes.index(used) if used in codes and used else -1
    return tuple(
        Choice(code, one.name, line_of(lang, code), place == on)
        for place, (one, code) in enumerate(zip(own, codes, strict=True))
        if code
    )


def choices(lang: str, used: str, own: Sequence[Own]) -> Choices:
    """All rule books and the own rules; rules in use that are none of them are called by what changes their book."""
    kept = kept_choices(lang, used, own)
    used = canonical(used) or used
    elsewhere = any(choice.on for choice in kept)
    known = [
        Choice(
            book, rule_words.book_title(lang, book), rule_words.book_line(lang, book), book == used and not elsewhere
        )
        for book in ALL_BOOKS
    ]
    if used not in ALL_BOOKS and not elsewhere:
        known.append(Choice(used, _title(lang, used), line_of(lang, used), True))
    return Choices(tuple(known), kept)


def canonical(code: str) -> str:
    """A code as the engine writes it; empty where it cannot be played."""
    try:
        return Ruleset.parse(code).code
    except RuleError:
        return ""


def _title(lang: str, code: str) -> str:
    if not canonical(code):
        return code
    return rule_words.changed_title(lang, Ruleset.parse(code).book)


def line_of(lang: str, code: str) -> str:
    """Rules in a line: their book and what changes it, or the book's own line."""
    if not canonical(code):
        return ""
    rules = Ruleset.parse(code)
    if not rules.parts:
        return rule_words.book_line(lang, rules.book)
    return " · ".join([rule_words.book_title(lang, rules.book), *rule_words.part_names(lang, rules).values()])
